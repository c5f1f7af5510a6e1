//! What a client can ask of a Consul server and what it is answered: sessions, keys, and
//! transactions of both, over HTTP.

pub use crate::actors::etcd::api::{LeaseId as SessionId, RequestId, Text};

use crate::sim::time::Span;
use serde::Serialize;

/// The place of a change in the server's log: one counter for all of it.
pub type Index = i64;

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    /// Repeated in the answer.
    pub id: RequestId,
    /// What is asked.
    pub ask: Ask,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Ask {
    /// `PUT /v1/session/create`.
    Create(NewSession),
    /// `PUT /v1/session/renew/ID`.
    Renew(SessionId),
    /// `PUT /v1/session/destroy/ID`.
    Destroy(SessionId),
    /// `GET /v1/session/info/ID`.
    Info(SessionId),
    /// `GET /v1/kv/KEY`.
    Get(Get),
    /// `PUT` or `DELETE /v1/kv/KEY`, or with `?acquire`, `?release`, `?cas`.
    Kv(Kv),
    /// `PUT /v1/txn`: all of it, or nothing.
    Txn(Vec<TxnOp>),
}

/// What a session is to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NewSession {
    /// Its TTL; zero is none.
    pub ttl: Span,
    /// How long a key that it held cannot be taken once the session has been invalidated.
    pub lock_delay: Span,
    /// What becomes then of the keys that it held.
    pub behavior: Behavior,
}

/// What becomes of the keys of a session that is invalidated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Behavior {
    /// They stay, and nobody holds them.
    Release,
    /// They are deleted.
    Delete,
}

/// A read, at once or blocking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Get {
    /// Of which key.
    pub key: Text,
    /// `index`: answered when the key has changed after it; 0 is answered at once.
    pub index: Index,
    /// `wait`: answered then anyway.
    pub wait: Span,
    /// Who may answer.
    pub mode: Reads,
}

/// Who answers a read (its consistency mode).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Reads {
    /// `default`: the leader, from its memory.
    Default,
    /// `stale`: any server, from what it has applied.
    Stale,
}

/// A change of one key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kv {
    /// Which.
    pub key: Text,
    /// What.
    pub verb: Verb,
}

/// What is done to a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Verb {
    /// A value, whoever holds the key.
    Set(Text),
    /// A value, if the key was last changed at this index; 0 is that it is absent.
    Cas(Text, Index),
    /// A value and a session that holds the key from now on.
    Acquire(Text, SessionId),
    /// A value; the session holds the key no more.
    Release(Text, SessionId),
    /// The key's end, whoever holds it.
    Delete,
    /// The key's end, if it was last changed at this index.
    DeleteCas(Index),
}

/// One part of a transaction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum TxnOp {
    /// A change: `set`, `cas`, `lock`, `unlock`, `delete`, `delete-cas`.
    Kv(Kv),
    /// `check-index`: the key was last changed at this index.
    CheckIndex(Text, Index),
    /// `check-session`: this session holds the key.
    CheckSession(Text, SessionId),
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    /// The call's number.
    pub id: RequestId,
    /// What came of it.
    pub result: Result<Reply, ConsulError>,
}

/// A good answer, HTTP 200.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Reply {
    /// A session was created.
    Created(SessionId),
    /// It was renewed.
    Renewed,
    /// `true` or `false`.
    Is(bool),
    /// What a session is like; nothing once it is gone.
    Session(Option<NewSession>),
    /// A key, or none, and `X-Consul-Index`.
    Entry(Option<Entry>, Index),
    /// A transaction's entries, in the order of its changes.
    Txn(Vec<Entry>),
}

/// A key with its numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The key.
    pub key: Text,
    /// Its value.
    pub value: Text,
    /// Who holds it.
    pub session: Option<SessionId>,
    /// How often it went to a session that did not hold it before.
    pub lock_index: u64,
    /// When it came to be.
    pub create_index: Index,
    /// When it was last changed.
    pub modify_index: Index,
}

/// A refusal that is no plain `false`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
pub enum ConsulError {
    /// HTTP 400.
    #[error("Invalid Session TTL, must be between [10s=24h0m0s]")]
    InvalidTtl,
    /// HTTP 404, to a renewal.
    #[error("Session id not found")]
    NoSession,
    /// HTTP 500, to an acquire.
    #[error("invalid session")]
    InvalidSession,
    /// HTTP 409, and which part of the transaction failed, from 0.
    #[error("transaction failed at operation {0}")]
    TxnFailed(u8),
    /// HTTP 500.
    #[error("No cluster leader")]
    NoLeader,
}

impl ConsulError {
    /// The HTTP status.
    pub fn status(self) -> u16 {
        match self {
            ConsulError::InvalidTtl => 400,
            ConsulError::NoSession => 404,
            ConsulError::TxnFailed(_) => 409,
            ConsulError::InvalidSession | ConsulError::NoLeader => 500,
        }
    }
}

impl Ask {
    /// The kind of call, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            Ask::Create(_) => "session-create",
            Ask::Renew(_) => "session-renew",
            Ask::Destroy(_) => "session-destroy",
            Ask::Info(_) => "session-info",
            Ask::Get(_) => "kv-get",
            Ask::Kv(kv) => match kv.verb {
                Verb::Set(_) => "kv-put",
                Verb::Cas(..) => "kv-cas",
                Verb::Acquire(..) => "kv-acquire",
                Verb::Release(..) => "kv-release",
                Verb::Delete | Verb::DeleteCas(_) => "kv-delete",
            },
            Ask::Txn(_) => "consul-txn",
        }
    }

    /// Whether it only renews.
    pub fn is_routine(&self) -> bool {
        matches!(self, Ask::Renew(_))
    }
}

impl Response {
    /// The kind of message.
    pub fn kind(&self) -> &'static str {
        match self.result {
            Ok(Reply::Renewed) => "session-renewed",
            Ok(_) => "consul-reply",
            Err(_) => "consul-error",
        }
    }

    /// Whether it answers what only renews.
    pub fn is_routine(&self) -> bool {
        matches!(self.result, Ok(Reply::Renewed))
    }
}
