//! What a client can ask of etcd and what it is answered: the v3 API, in the
//! parts that locks use. Field names are etcd's. TTLs are whole seconds, revisions
//! count from 1, and 0 stands for "absent" as in etcd.

use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// A key or a value.
pub type Text = Rc<str>;

/// The number a client gives a request, repeated in the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RequestId(pub u32);

/// A lease's number. 0 stands for "no lease", and in a grant for "choose one".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeaseId(pub u64);

impl LeaseId {
    /// No lease.
    pub const NONE: LeaseId = LeaseId(0);
}

/// A revision of the whole store: one counter, raised by every change.
pub type Revision = i64;

/// One call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    /// Repeated in the answer.
    pub id: RequestId,
    /// What is asked.
    pub op: Op,
}

/// The operations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Op {
    /// `LeaseGrant`; `lease` 0 lets the server choose. The server raises a TTL
    /// below its minimum without a word.
    LeaseGrant {
        /// Asked for, seconds.
        ttl_s: i64,
        /// The id wanted, or 0.
        lease: LeaseId,
    },
    /// `LeaseKeepAlive`: answered by the leader from memory.
    LeaseKeepAlive {
        /// Which lease.
        lease: LeaseId,
    },
    /// `LeaseRevoke`: deletes the lease and its keys in one revision.
    LeaseRevoke {
        /// Which lease.
        lease: LeaseId,
    },
    /// `LeaseTimeToLive`.
    LeaseTimeToLive {
        /// Which lease.
        lease: LeaseId,
        /// Whether the attached keys are wanted: `Keys::Wanted`.
        keys: Keys,
    },
    /// `Put`.
    Put(Put),
    /// `Range`, linearizable.
    Range(Range),
    /// `DeleteRange`.
    Delete(Delete),
    /// `Txn`.
    Txn(Txn),
    /// `Watch`: answered once with [`Reply::WatchCreated`], then by [`WatchEvents`].
    WatchCreate(WatchCreate),
    /// Ends a watch; not answered.
    WatchCancel {
        /// The client's number for the watch.
        watch: u32,
    },
}

/// Whether a `LeaseTimeToLive` lists the keys of the lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Keys {
    /// List them.
    Wanted,
    /// Leave them out.
    NotWanted,
}

/// A `Put`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Put {
    /// The key.
    pub key: Text,
    /// Its new value.
    pub value: Text,
    /// The lease the key is attached to, or 0.
    pub lease: LeaseId,
}

/// A read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Range {
    /// Which keys.
    pub keys: KeyRange,
    /// Only keys created at or before this revision; 0 for all.
    pub max_create_revision: Revision,
    /// In which order.
    pub order: Order,
    /// At most so many; 0 for all. `count` in the answer counts all.
    pub limit: u32,
}

impl Range {
    /// One key.
    pub fn key(key: impl Into<Text>) -> Range {
        Range {
            keys: KeyRange::Key(key.into()),
            max_create_revision: 0,
            order: Order::Key,
            limit: 0,
        }
    }
}

/// Which keys an operation is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum KeyRange {
    /// One key.
    Key(Text),
    /// Every key that begins so.
    Prefix(Text),
}

/// The order of a range's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// By key, the default.
    Key,
    /// Oldest first, by create revision.
    OldestFirst,
    /// Newest first, by create revision.
    NewestFirst,
}

/// A `DeleteRange`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Delete {
    /// Which keys.
    pub keys: KeyRange,
}

/// A transaction: if all comparisons hold then `success`, else `failure`. All of
/// it gets one revision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Txn {
    /// Compared before anything is done.
    pub compare: Vec<Compare>,
    /// Done when all hold.
    pub success: Vec<TxnOp>,
    /// Done when one does not.
    pub failure: Vec<TxnOp>,
}

/// An operation inside a transaction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum TxnOp {
    /// A put.
    Put(Put),
    /// A read.
    Range(Range),
    /// A delete.
    Delete(Delete),
}

/// One comparison of a transaction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compare {
    /// The key looked at.
    pub key: Text,
    /// What must hold. An absent key has create revision, mod revision, version
    /// and lease 0 and fails every comparison of its value.
    pub target: Target,
    /// How the key's number or value (left) compares with the given one (right).
    pub op: CompareOp,
}

/// What is compared, and with what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Target {
    /// The revision at which the key came to be.
    CreateRevision(Revision),
    /// The revision of its last change.
    ModRevision(Revision),
    /// Its version: 1 when created, one more a put.
    Version(i64),
    /// Its value.
    Value(Text),
    /// Its lease.
    Lease(LeaseId),
}

/// How two things compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CompareOp {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// The key's is less.
    Less,
    /// The key's is greater.
    Greater,
}

/// Asks for a watch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WatchCreate {
    /// The client's number for it.
    pub watch: u32,
    /// Which keys.
    pub keys: KeyRange,
    /// From which revision on; 0 means from now on. Earlier events that are still
    /// kept are sent at once.
    pub start_revision: Revision,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    /// The request's.
    pub id: RequestId,
    /// What came of it.
    pub result: Result<Reply, EtcdError>,
}

/// A good answer. `revision` is the header's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reply {
    /// The store's revision when the answer was made.
    pub revision: Revision,
    /// The rest.
    pub body: Body,
}

/// What an operation answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Body {
    /// To `LeaseGrant` and `LeaseKeepAlive`. A keepalive of a lease that is not
    /// there is answered with TTL 0, not with an error.
    Lease {
        /// The lease.
        lease: LeaseId,
        /// Its whole TTL in seconds, or 0.
        ttl_s: i64,
    },
    /// To `LeaseRevoke`.
    Revoked,
    /// To `LeaseTimeToLive`.
    TimeToLive {
        /// The lease.
        lease: LeaseId,
        /// Left, cut to whole seconds; -1 when there is no such lease.
        ttl_s: i64,
        /// Granted, seconds; 0 when there is no such lease.
        granted_ttl_s: i64,
        /// The attached keys, sorted, if they were wanted.
        keys: Vec<Text>,
    },
    /// To `Put`.
    Put,
    /// To `Range`.
    Range(RangeReply),
    /// To `DeleteRange`.
    Deleted {
        /// How many keys.
        deleted: u32,
    },
    /// To `Txn`.
    Txn {
        /// Whether all comparisons held.
        succeeded: bool,
        /// An answer an operation.
        responses: Vec<TxnReply>,
    },
    /// To `WatchCreate`.
    WatchCreated {
        /// The client's number.
        watch: u32,
    },
}

/// A range's answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RangeReply {
    /// The keys, at most `limit`.
    pub kvs: Vec<KeyValue>,
    /// How many there are.
    pub count: u32,
}

/// An answer inside a transaction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum TxnReply {
    /// To a put.
    Put,
    /// To a read.
    Range(RangeReply),
    /// To a delete.
    Deleted(u32),
}

/// A key with its metadata.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeyValue {
    /// The key.
    pub key: Text,
    /// Its value.
    pub value: Text,
    /// The revision at which it came to be.
    pub create_revision: Revision,
    /// The revision of its last change.
    pub mod_revision: Revision,
    /// 1 when created, one more a put.
    pub version: i64,
    /// Its lease, or 0.
    pub lease: LeaseId,
}

/// A refusal. [`EtcdError::code`] and the text are the server's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
pub enum EtcdError {
    /// gRPC `NOT_FOUND`.
    #[error("etcdserver: requested lease not found")]
    LeaseNotFound,
    /// gRPC `FAILED_PRECONDITION`.
    #[error("etcdserver: lease already exists")]
    LeaseExists,
    /// gRPC `OUT_OF_RANGE`.
    #[error("etcdserver: too large lease TTL")]
    LeaseTtlTooLarge,
    /// gRPC `UNAVAILABLE`: the operation may or may not have happened.
    #[error("etcdserver: no leader")]
    NoLeader,
    /// gRPC `UNAVAILABLE`: the operation may or may not have happened.
    #[error("etcdserver: leader changed")]
    LeaderChanged,
    /// gRPC `UNAVAILABLE`: the operation may or may not have happened.
    #[error("etcdserver: request timed out")]
    TimedOut,
    /// gRPC `OUT_OF_RANGE`: a watch's start lies before what is kept. Answers the
    /// request that asked for the watch, at once or when the watch fell behind; the
    /// watch is over.
    #[error("etcdserver: mvcc: required revision has been compacted")]
    Compacted,
}

impl EtcdError {
    /// The gRPC status code by name.
    pub fn code(self) -> &'static str {
        match self {
            EtcdError::LeaseNotFound => "NOT_FOUND",
            EtcdError::LeaseExists => "FAILED_PRECONDITION",
            EtcdError::LeaseTtlTooLarge | EtcdError::Compacted => "OUT_OF_RANGE",
            EtcdError::NoLeader | EtcdError::LeaderChanged | EtcdError::TimedOut => "UNAVAILABLE",
        }
    }
}

/// Events of one watch, all of one revision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WatchEvents {
    /// The client's number of the watch.
    pub watch: u32,
    /// The header's revision.
    pub revision: Revision,
    /// The events in order.
    pub events: Vec<WatchEvent>,
}

/// A change a watch tells of.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum WatchEvent {
    /// A key was put.
    Put(KeyValue),
    /// A key was deleted.
    Delete {
        /// Which.
        key: Text,
        /// At which revision.
        mod_revision: Revision,
    },
}

impl WatchEvent {
    /// The key that changed.
    pub fn key(&self) -> &Text {
        match self {
            WatchEvent::Put(kv) => &kv.key,
            WatchEvent::Delete { key, .. } => key,
        }
    }

    /// The revision of the change.
    pub fn mod_revision(&self) -> Revision {
        match self {
            WatchEvent::Put(kv) => kv.mod_revision,
            WatchEvent::Delete { mod_revision, .. } => *mod_revision,
        }
    }
}

impl KeyRange {
    /// Whether a key is one of these.
    pub fn contains(&self, key: &str) -> bool {
        match self {
            KeyRange::Key(only) => **only == *key,
            KeyRange::Prefix(prefix) => key.starts_with(&**prefix),
        }
    }
}

impl Op {
    /// The kind of call, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            Op::LeaseGrant { .. } => "lease-grant",
            Op::LeaseKeepAlive { .. } => "keepalive",
            Op::LeaseRevoke { .. } => "lease-revoke",
            Op::LeaseTimeToLive { .. } => "time-to-live",
            Op::Put(_) => "put",
            Op::Range(_) => "range",
            Op::Delete(_) => "delete",
            Op::Txn(_) => "txn",
            Op::WatchCreate(_) => "watch",
            Op::WatchCancel { .. } => "watch-cancel",
        }
    }

    /// Whether it only renews.
    pub fn is_routine(&self) -> bool {
        matches!(self, Op::LeaseKeepAlive { .. })
    }
}

impl Response {
    /// The kind of answer, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match &self.result {
            Err(_) => "etcd-error",
            Ok(reply) => match &reply.body {
                Body::Lease { .. } => "lease-answer",
                Body::Revoked => "lease-revoked",
                Body::TimeToLive { .. } => "time-to-live-answer",
                Body::Put => "put-answer",
                Body::Range(_) => "range-answer",
                Body::Deleted { .. } => "delete-answer",
                Body::Txn { .. } => "txn-answer",
                Body::WatchCreated { .. } => "watch-created",
            },
        }
    }

    /// Whether it only renews: the answer to a grant does not count, but looks the
    /// same, and nothing waits for its being told apart.
    pub fn is_routine(&self) -> bool {
        matches!(&self.result, Ok(Reply { body: Body::Lease { .. }, .. }))
    }
}
