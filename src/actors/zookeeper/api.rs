//! What a client can ask of a ZooKeeper server and what it is answered: sessions,
//! znodes with their numbers, one-shot watches, and `multi`.

pub use crate::actors::etcd::api::{LeaseId as SessionId, RequestId, Text};

use crate::sim::time::Span;
use serde::Serialize;

/// The number of a change: the leader's epoch in the high 32 bits, a counter in the low.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Zxid(pub i64);

impl Zxid {
    /// The counter's beginning in an epoch.
    pub fn of_epoch(epoch: u32) -> Zxid {
        Zxid(i64::from(epoch) << 32)
    }

    /// The leader's epoch.
    pub fn epoch(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(super) fn next(self) -> Zxid {
        Zxid(self.0 + 1)
    }
}

/// One call on a connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    /// Repeated in the answer. Rises with each call of a client.
    pub id: RequestId,
    /// What is asked.
    pub ask: Ask,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Ask {
    /// A connection begins: for a new session, or for one that there is.
    Connect(Connect),
    /// The session is to be kept alive.
    Ping,
    /// Something of the tree.
    Op(Op),
    /// The session is to end, and its ephemeral nodes with it.
    Close,
}

/// How a connection begins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Connect {
    /// The session timeout asked for.
    pub timeout: Span,
    /// The session, if there is one, and its password.
    pub session: Option<(SessionId, u64)>,
    /// The last change that the client has seen: a server that is behind refuses it.
    pub seen: Zxid,
}

/// An operation on the tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Op {
    /// A change, which goes through the leader.
    Write(Write),
    /// Several changes, all or none.
    Multi(Vec<Write>),
    /// A read, which the server answers from what it has: it may be behind.
    Read(Read),
    /// Waits until this server has all that the leader had.
    Sync,
}

/// A change, or the condition for one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Write {
    /// A new znode.
    Create {
        /// Its path; a sequence number is appended where the mode says so.
        path: Text,
        /// Its data.
        data: Text,
        /// How long it lives.
        mode: Mode,
    },
    /// A znode's end.
    Delete {
        /// Which.
        path: Text,
        /// Only in this version; -1 is any.
        version: i32,
    },
    /// Other data.
    Set {
        /// Of which znode.
        path: Text,
        /// What.
        data: Text,
        /// Only in this version; -1 is any.
        version: i32,
    },
    /// Nothing, in this version only: a condition in a `multi`.
    Check {
        /// Which znode.
        path: Text,
        /// The version; -1 is any.
        version: i32,
    },
}

/// How long a znode lives, and how it is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Mode {
    /// Until somebody deletes it.
    Persistent,
    /// As long as the session that created it.
    Ephemeral,
    /// Persistent, with a sequence number.
    PersistentSequential,
    /// Ephemeral, with a sequence number.
    EphemeralSequential,
    /// Until it is found empty after it has had children.
    Container,
}

/// A read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Read {
    /// What is read.
    pub what: What,
    /// Of which znode.
    pub path: Text,
    /// Whether to tell of the next change.
    pub watch: Watch,
}

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum What {
    /// Data and numbers; an absent znode is an error.
    Data,
    /// Numbers, or that the znode is absent.
    Exists,
    /// The children's names.
    Children,
}

/// Whether a read leaves a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Watch {
    /// It does not.
    No,
    /// It does, for one event.
    Yes,
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    /// The call's number.
    pub id: RequestId,
    /// The header's: of the change itself, or of the last one that the server has.
    pub zxid: Zxid,
    /// What came of it.
    pub result: Result<Reply, Failure>,
}

/// A good answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Reply {
    /// The connection is that of a session.
    Connected {
        /// Which.
        session: SessionId,
        /// Its password.
        password: u64,
        /// Its timeout, within the server's bounds.
        timeout: Span,
    },
    /// To a ping.
    Pong,
    /// The session has ended, as asked.
    Closed,
    /// A znode was created: with `create2` its numbers are told too.
    Created {
        /// Its path, with its sequence number.
        path: Text,
        /// Its numbers.
        stat: Stat,
    },
    /// A znode was deleted, a check passed, or a sync is through.
    Done,
    /// The numbers of a znode that was set, or that was asked for and may be absent.
    Stat(Option<Stat>),
    /// Data and numbers.
    Data(Text, Stat),
    /// Names, sorted. ZooKeeper promises no order.
    Children(Vec<Text>),
    /// An answer an operation.
    Multi(Vec<Reply>),
}

/// A znode's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Stat {
    /// The change that created it.
    pub czxid: Zxid,
    /// The last change of its data.
    pub mzxid: Zxid,
    /// The last creation or deletion of a child.
    pub pzxid: Zxid,
    /// Counts the changes of its data.
    pub version: i32,
    /// Counts the creations and deletions of children.
    pub cversion: i32,
    /// The session whose ephemeral node it is, or 0.
    pub owner: SessionId,
    /// How long its data is, in bytes.
    pub data_length: i32,
    /// How many children it has.
    pub children: i32,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// Why.
    pub error: ZkError,
    /// For a `multi`, what became of each of its operations.
    pub results: Vec<ZkError>,
}

impl From<ZkError> for Failure {
    fn from(error: ZkError) -> Failure {
        Failure { error, results: Vec::new() }
    }
}

/// Why something is refused: ZooKeeper's `KeeperException.Code`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ZkError {
    /// Of a `multi`: undone, since a later operation failed.
    RolledBack,
    /// Of a `multi`: not tried, since an earlier operation failed.
    RuntimeInconsistency,
    /// There is no such znode.
    NoNode,
    /// The znode is in another version.
    BadVersion,
    /// An ephemeral znode has no children.
    NoChildrenForEphemerals,
    /// There is such a znode.
    NodeExists,
    /// The znode has children.
    NotEmpty,
    /// The session is over.
    SessionExpired,
    /// The session has gone to another server.
    SessionMoved,
}

impl ZkError {
    /// Its number on the wire.
    pub fn code(self) -> i32 {
        match self {
            ZkError::RolledBack => 0,
            ZkError::RuntimeInconsistency => -2,
            ZkError::NoNode => -101,
            ZkError::BadVersion => -103,
            ZkError::NoChildrenForEphemerals => -108,
            ZkError::NodeExists => -110,
            ZkError::NotEmpty => -111,
            ZkError::SessionExpired => -112,
            ZkError::SessionMoved => -118,
        }
    }
}

/// What a watch tells, once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// Of which znode.
    pub path: Text,
    /// What.
    pub kind: EventKind,
}

/// What a watch tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EventKind {
    /// The znode was created.
    Created,
    /// It was deleted.
    Deleted,
    /// Its data was set.
    Changed,
    /// A child was created or deleted.
    Child,
}

impl Ask {
    /// The kind of call, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            Ask::Connect(_) => "connect",
            Ask::Ping => "ping",
            Ask::Close => "close-session",
            Ask::Op(Op::Sync) => "sync",
            Ask::Op(Op::Multi(_)) => "multi",
            Ask::Op(Op::Write(write)) => match write {
                Write::Create { .. } => "create",
                Write::Delete { .. } => "delete",
                Write::Set { .. } => "set",
                Write::Check { .. } => "check",
            },
            Ask::Op(Op::Read(read)) => match read.what {
                What::Data => "get-data",
                What::Exists => "exists",
                What::Children => "get-children",
            },
        }
    }

    /// Whether it only renews.
    pub fn is_routine(&self) -> bool {
        matches!(self, Ask::Ping)
    }
}

impl Response {
    /// The kind of message.
    pub fn kind(&self) -> &'static str {
        match self.result {
            Ok(Reply::Connected { .. }) => "connected",
            Ok(Reply::Pong) => "pong",
            Ok(_) => "zk-reply",
            Err(_) => "zk-error",
        }
    }

    /// Whether it answers what only renews.
    pub fn is_routine(&self) -> bool {
        matches!(self.result, Ok(Reply::Pong))
    }
}
