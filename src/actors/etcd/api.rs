//! What a client can ask of etcd and what it is answered: the v3 API, in the
//! parts that locks use. Field names are etcd's. TTLs are whole seconds, revisions
//! count from 1, and 0 stands for "absent" as in etcd.

pub use super::answer::{
    Body, EtcdError, KeyValue, RangeReply, Reply, Response, TxnReply, WatchEvent, WatchEvents,
};
pub use super::service_api::{LeaderKey, ServiceError, ServiceOp, ServiceReply};

use crate::actors::objects::api::Means;
use serde::Serialize;
use std::rc::Rc;

/// A key or a value.
pub type Text = Rc<str>;

/// The number a client gives a request, repeated in the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct RequestId(pub u32);

/// A lease's number. 0 stands for "no lease", and in a grant for "choose one".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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
    /// `LeaseLeases`: answered by the member asked, from what it has applied.
    LeaseLeases,
    /// `Put`.
    Put(Put),
    /// `Range`.
    Range(Range),
    /// `DeleteRange`.
    Delete(Delete),
    /// `Txn`.
    Txn(Txn),
    /// `Compact`: what was before this revision is not kept any more.
    Compact {
        /// The oldest revision that can still be read.
        revision: Revision,
    },
    /// A call to the lock or the election service.
    Service(ServiceOp),
    /// `Watch`: answered once with [`Reply::WatchCreated`], then by [`WatchEvents`].
    WatchCreate(WatchCreate),
    /// Ends a watch; not answered.
    WatchCancel {
        /// The client's number for the watch.
        watch: u32,
    },
    /// A call on the data that a lock guards, where that is kept in etcd.
    Data(Box<DataOp>),
}

/// A put or a transaction on the data that a lock guards. etcd carries it out like any other
/// and looks at nothing of what it means: that is told to people, and to the properties.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DataOp {
    /// What etcd is asked.
    pub op: Op,
    /// What its client means by it.
    pub means: Means,
}

/// The key of the data that a lock guards, where that is kept in etcd.
pub const DATA: &str = "report";

/// Whether a `LeaseTimeToLive` lists the keys of the lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    /// Whether the key stays with the lease it has.
    pub ignore_lease: IgnoreLease,
    /// Whether what was there before is wanted.
    pub prev: Prev,
}

impl Put {
    /// A plain put.
    pub fn new(key: impl Into<Text>, value: impl Into<Text>, lease: LeaseId) -> Put {
        let (key, value) = (key.into(), value.into());
        Put { key, value, lease, ignore_lease: IgnoreLease::No, prev: Prev::NotWanted }
    }
}

/// `ignore_lease` of a put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum IgnoreLease {
    /// The key is attached to the put's lease, or to none.
    No,
    /// The key, which has to be there, stays with the lease it has.
    Yes,
}

/// `prev_kv`: whether what was there before a change is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Prev {
    /// It is not.
    NotWanted,
    /// It is.
    Wanted,
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
    /// As it was at this revision; 0 for as it is now.
    pub revision: Revision,
    /// Whether the member asked makes sure of what has happened.
    #[serde(skip_serializing_if = "Reads::is_linearizable")]
    pub reads: Reads,
}

/// `serializable` of a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Reads {
    /// The answer knows of all that was answered before.
    #[default]
    Linearizable,
    /// The member answers at once from what it has applied, also when it hears nobody.
    Serializable,
}

impl Reads {
    fn is_linearizable(&self) -> bool {
        *self == Reads::Linearizable
    }
}

impl Range {
    /// One key.
    pub fn key(key: impl Into<Text>) -> Range {
        Range::of(KeyRange::Key(key.into()))
    }

    /// All of these keys, as they are now.
    pub fn of(keys: KeyRange) -> Range {
        let reads = Reads::Linearizable;
        Range { keys, max_create_revision: 0, order: Order::Key, limit: 0, revision: 0, reads }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    /// Whether what was there before is wanted.
    pub prev: Prev,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    /// Whether events tell what was there before.
    pub prev: Prev,
}

impl Txn {
    /// Whether a branch puts a key twice, or puts one that it deletes: the server
    /// refuses that before anything is done.
    pub fn gives_a_key_twice(&self) -> bool {
        [&self.success, &self.failure].into_iter().any(|branch| {
            branch.iter().enumerate().any(|(place, op)| match op {
                TxnOp::Put(put) => branch.iter().enumerate().any(|(other, op)| match op {
                    TxnOp::Put(twin) => other != place && twin.key == put.key,
                    TxnOp::Delete(delete) => delete.keys.contains(&put.key),
                    TxnOp::Range(_) => false,
                }),
                TxnOp::Range(_) | TxnOp::Delete(_) => false,
            })
        })
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
            Op::LeaseLeases => "leases",
            Op::Put(_) => "put",
            Op::Range(_) => "range",
            Op::Delete(_) => "delete",
            Op::Txn(_) => "txn",
            Op::Compact { .. } => "compact",
            Op::Service(op) => op.kind(),
            Op::WatchCreate(_) => "watch",
            Op::WatchCancel { .. } => "watch-cancel",
            Op::Data(data) => data.op.kind(),
        }
    }

    /// Whether it only renews.
    pub fn is_routine(&self) -> bool {
        matches!(self, Op::LeaseKeepAlive { .. })
    }
}
