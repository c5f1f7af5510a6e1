//! What a client is answered, and what it is told when its connection is closed.

use super::api::{Connection, RENEWS, RequestId, SqlError, Strength, Text};
use crate::actors::store::api::Token;
use crate::sim::process::NodeId;
use serde::Serialize;

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    /// On which connection.
    pub connection: Connection,
    /// The request's number.
    pub id: RequestId,
    /// The kind of request.
    pub to: &'static str,
    /// What came of it.
    pub result: Result<Reply, SqlError>,
    /// How the transaction stands.
    pub transaction: Status,
}

/// The server closes a connection by itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fatal {
    /// Which.
    pub connection: Connection,
    /// What it says; nothing where it knows of no such connection (a reset).
    pub error: Option<SqlError>,
}

/// How a session's transaction stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Status {
    /// There is none.
    Idle,
    /// One is open.
    Open,
    /// One has failed, and does nothing more until it is ended.
    Failed,
}

/// A good answer: what came of a statement, and what the server warns of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reply {
    /// What came of it.
    pub outcome: Outcome,
    /// What the server warns of.
    pub warning: Option<Warning>,
}

/// What came of a statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Outcome {
    /// A connection is there.
    Connected,
    /// No rows, but a command tag.
    Done(&'static str),
    /// One row with a truth value; none where the function returns nothing.
    Flag(Option<bool>),
    /// Advisory locks.
    Locks(Vec<LockRow>),
    /// A row of `res`, if one fits.
    Row(Option<ResRow>),
    /// A row of `dedup`, if one fits: its owner.
    Once(Option<Text>),
    /// One row with a number.
    Number(i64),
    /// So many rows were changed, by this command.
    Changed(&'static str, u32),
    /// The token of the row that was changed, if one was.
    Returned(Option<Token>),
    /// The row of `leases`: owner, token, and whether it is not over.
    Lease(Option<Text>, Token, Option<bool>),
}

/// A row of `pg_locks`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LockRow {
    /// `classid`.
    pub class: u32,
    /// `objid`.
    pub object: u32,
    /// `objsubid`: 1 of one key, 2 of two.
    pub space: u8,
    /// Its strength.
    pub strength: Strength,
    /// Whether it is held, or waited for.
    pub granted: bool,
    /// Whose session; none of a pool's that nobody uses.
    pub client: Option<NodeId>,
}

/// A row of `res`, but for its id.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResRow {
    /// The id.
    pub id: i64,
    /// `value`.
    pub value: Text,
    /// `version`.
    pub version: i64,
    /// `token`: the fence column.
    pub token: Token,
}

/// A warning that comes with a good answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Warning {
    /// A lock of this strength is not held, so it is not unlocked.
    NotOwned(Strength),
    /// `BEGIN` in a transaction.
    InTransaction,
    /// `COMMIT` or `ROLLBACK` without one.
    NoTransaction,
    /// There is no such session to terminate.
    NoBackend,
}

impl Warning {
    /// Its SQLSTATE.
    pub fn code(self) -> &'static str {
        match self {
            Warning::NotOwned(_) | Warning::NoBackend => "01000",
            Warning::InTransaction => "25001",
            Warning::NoTransaction => "25P01",
        }
    }
}

impl From<Outcome> for Reply {
    fn from(outcome: Outcome) -> Reply {
        Reply { outcome, warning: None }
    }
}

impl Response {
    /// Whether it answers what only renews.
    pub fn is_routine(&self) -> bool {
        self.to == RENEWS
    }
}
