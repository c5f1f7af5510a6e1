//! A session: what the server has for one connection to it, and the clients that have one.

use super::api::{Connection, Database, Request, Response, Sequence, Statement, Status, Text};
use super::config::Timeouts;
use super::locks::Waiting;
use super::tables::Drawn;
use crate::actors::etcd::api::RequestId;
use crate::actors::store::api::Owner;
use crate::sim::process::NodeId;
use crate::sim::time::Wall;
use serde::Serialize;

/// A session's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Pid(pub u32);

/// A client's connection: to the server, or to the pooler before it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Client {
    pub node: NodeId,
    pub connection: Connection,
    pub database: Database,
    /// The acquisition that its `application_name` names.
    pub application: Owner,
    /// The last request, so that what is sent again is answered and not done again.
    pub last: RequestId,
    pub answer: Option<Response>,
    /// What waits until a connection of the pool is free.
    pub queued: Option<Request>,
}

/// Names a client's connection.
pub(super) type ClientKey = (NodeId, Connection);

impl Client {
    pub(super) fn key(&self) -> ClientKey {
        (self.node, self.connection)
    }
}

/// A session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Session {
    pub pid: Pid,
    pub database: Database,
    /// Who uses it; nobody only in a pool.
    pub user: Option<User>,
    pub timeouts: Timeouts,
    pub transaction: Transaction,
    pub running: Option<Running>,
    fence: Option<Drawn>,
    cached: Option<Drawn>,
}

/// Who uses a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct User {
    pub client: ClientKey,
    /// The acquisition that it works for.
    pub application: Owner,
}

/// A transaction begun with `BEGIN`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum Transaction {
    None,
    Open {
        /// What `now()` says in it.
        now: Wall,
        /// What a rollback brings back.
        before: Timeouts,
    },
    Failed {
        before: Timeouts,
    },
}

/// A statement that is being carried out. One that does not wait is done at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Running {
    pub id: RequestId,
    pub to: &'static str,
    pub statement: Statement,
    /// What `now()` says in it.
    pub now: Wall,
    pub then: Then,
    pub waits: Option<Waiting>,
}

/// What becomes of the session after its statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Then {
    GoesOn,
    /// The client closes the connection when it has its answer.
    Ends,
    /// The connection is closed already: a server that waits for a lock does not look.
    IsGone,
}

impl Session {
    pub(super) fn new(pid: Pid, database: Database, timeouts: Timeouts) -> Session {
        Session {
            pid,
            database,
            user: None,
            timeouts,
            transaction: Transaction::None,
            running: None,
            fence: None,
            cached: None,
        }
    }

    /// What it waits for.
    pub(super) fn waits_for(&self) -> Option<&Waiting> {
        self.running.as_ref()?.waits.as_ref()
    }

    pub(super) fn status(&self) -> Status {
        match self.transaction {
            Transaction::None => Status::Idle,
            Transaction::Open { .. } => Status::Open,
            Transaction::Failed { .. } => Status::Failed,
        }
    }

    pub(super) fn drawn(&mut self, sequence: Sequence) -> &mut Option<Drawn> {
        match sequence {
            Sequence::Fence => &mut self.fence,
            Sequence::Cached => &mut self.cached,
        }
    }

    /// For whom it works.
    pub(super) fn application(&self) -> Owner {
        self.user.map_or(Owner::NONE, |user| user.application)
    }

    /// Who uses it.
    pub(super) fn client(&self) -> Option<NodeId> {
        self.user.map(|user| user.client.0)
    }
}

/// The value by which a client names its acquisition in a row.
pub fn owner_of(owner: Owner) -> Text {
    format!("{:x}", owner.0).into()
}

/// The acquisition that a value names.
pub fn named_by(value: &str) -> Option<Owner> {
    u64::from_str_radix(value, 16).ok().map(crate::actors::etcd::api::LeaseId)
}
