//! What the page shows of a PostgreSQL server: its sessions, and the lock's row.

use super::{MemberFacts, Open, ServiceFacts, judge, leaders, of_any, rounded, world};
use crate::actors::Actor;
use crate::actors::postgres::{Server, SessionView, named_by};
use crate::actors::store::api::Token;
use crate::actors::worker::config::Recipe;
use crate::scenario::names::Role;
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use std::rc::Rc;

/// What is shown of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFacts {
    /// Who uses it; nobody only in a pool.
    pub client: Option<Rc<str>>,
    /// How it stands.
    pub view: SessionView,
}

/// What is shown of the lock's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFacts {
    /// Whose it is.
    pub owner: Option<Rc<str>>,
    /// Its token.
    pub token: Token,
    /// What is left of its time by the server's wall clock; below zero once it is over.
    pub left: Option<Span>,
}

/// What is shown of the server.
pub(super) fn facts(open: &Open, members: Vec<MemberFacts>) -> ServiceFacts {
    let names = open.scenario().names();
    let name = |id: NodeId| names.shared(id);
    let first = || names.with(Role::Member).next().expect("there is a server");
    // The one promoted last, of two that both take connections.
    let at = leaders(&members).last().unwrap_or_else(first);
    let server = server(open, at);
    let sessions = server
        .sessions()
        .into_iter()
        .map(|view| SessionFacts { client: view.client.map(name), view });
    let row = (open.scenario().spec().lock.recipe == Recipe::LockRow).then(|| {
        let row = server.lease();
        let owner = row.owner.as_deref().and_then(named_by);
        let node = owner.and_then(|owner| judge(open).node_of(owner));
        let left = row.expires.filter(|_| row.owner.is_some());
        let left = left.map(|at_wall| rounded(at_wall - world(open).clocks(at).wall));
        RowFacts { owner: node.map(name), token: row.token, left }
    });
    ServiceFacts { sessions: sessions.collect(), row, ..of_any(judge(open), members) }
}

fn server(open: &Open, id: NodeId) -> &Server {
    match &world(open).node(id).process {
        Actor::Postgres(server) => server,
        other => unreachable!("a server is a server: {}", InFull(&other)),
    }
}
