//! What a server is told when it is set up.

use super::api::{Key, Text};
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use serde::Serialize;

/// The times a session is given at its start. Zero is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Timeouts {
    /// `lock_timeout`.
    pub lock: Span,
    /// `statement_timeout`.
    pub statement: Span,
    /// `idle_in_transaction_session_timeout`.
    pub idle_in_transaction: Span,
    /// `idle_session_timeout`.
    pub idle_session: Span,
    /// `deadlock_timeout`.
    pub deadlock: Span,
}

impl Default for Timeouts {
    /// PostgreSQL's own: all off, but for the look for deadlocks after a second.
    fn default() -> Timeouts {
        let off = Span::ZERO;
        Timeouts {
            lock: off,
            statement: off,
            idle_in_transaction: off,
            idle_session: off,
            deadlock: Span::from_s(1),
        }
    }
}

/// A server's settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PostgresConfig {
    /// This server.
    pub place: NodeId,
    /// The primary, and then its standby if there is one; empty is one server alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<NodeId>,
    /// The times a session is given at its start.
    pub timeouts: Timeouts,
    /// Before the server stands a pooler in transaction mode with so many connections to
    /// it; none is none.
    pub pool: Option<u8>,
    /// The lock whose changes of hands are told in notes, if one is, with its advisory key.
    /// The row of `res` with id 1 and that of `leases` stand for it too.
    pub lock: Option<(Text, Key)>,
    /// What the clients take as that lock. Told to people alone.
    #[serde(skip)]
    pub lock_is: LockIs,
}

/// What of a server's is taken as the lock. It only decides what is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockIs {
    /// A lock of a session or a transaction, which is nowhere but in the server's memory.
    InMemory,
    /// The row of `leases`, which is written and replicated.
    Row,
}

impl PostgresConfig {
    /// A server with PostgreSQL's defaults.
    pub fn new(place: NodeId) -> PostgresConfig {
        let (servers, timeouts, lock_is) = (Vec::new(), Timeouts::default(), LockIs::InMemory);
        PostgresConfig { place, servers, timeouts, pool: None, lock: None, lock_is }
    }
}
