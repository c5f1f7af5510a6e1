//! What the page shows of Consul: the lock's key with its numbers, the holder's
//! session, and the lock-delay.

use super::{MemberFacts, Open, ServiceFacts, judge, of_any, rounded, standing, world};
use crate::actors::Actor;
use crate::actors::consul::Server;
use crate::actors::consul::api::Entry;
use crate::scenario::names::Role;
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use crate::sim::world::World;

/// What is shown of the lock's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsulFacts {
    /// The key, if it is there.
    pub entry: Option<Entry>,
    /// How long it cannot be acquired, by the server's clock.
    pub delay: Option<Span>,
}

/// What is shown of the servers.
pub(super) fn facts(
    open: &Open,
    members: Vec<MemberFacts>,
    leader: Option<NodeId>,
) -> ServiceFacts {
    let (world, judge) = (world(open), judge(open));
    // What its leader has, or else the server that has most.
    let servers = || open.scenario().names().with(Role::Member).map(|id| (id, server(world, id)));
    let newest = servers().max_by_key(|(id, server)| (Some(*id) == leader, server.index()));
    let (at, server) = newest.expect("there is a server");
    let mono = world.clocks(at).mono;
    let lock = open.scenario().spec().lock();
    let owner = standing(judge).last().map(|grant| grant.owner);
    let its = server.sessions().find(|view| Some(view.session) == owner);
    let ends = its.and_then(|view| view.ends).filter(|_| leader == Some(at));
    let delay = server.delayed_until(&lock).map(|until| rounded(until - mono));
    ServiceFacts {
        revision: server.index(),
        lease_left: ends.map(|ends| rounded(ends - mono)),
        consul: Some(ConsulFacts { entry: server.entry(&lock).cloned(), delay }),
        ..of_any(judge, members)
    }
}

pub(super) fn server(world: &World<Actor>, id: NodeId) -> &Server {
    match &world.node(id).process {
        Actor::Consul(server) => server,
        other => unreachable!("a server is a server: {}", InFull(&other)),
    }
}
