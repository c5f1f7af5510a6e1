//! What etcd answers: see [`super::api`].

use super::api::{LeaseId, RequestId, Revision, ServiceError, ServiceReply, Text};
use serde::Serialize;

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
    /// To `LeaseLeases`: all leases, by number.
    Leases(Vec<LeaseId>),
    /// To `Put`: what was there before, if it was wanted.
    Put(Option<KeyValue>),
    /// To `Range`.
    Range(RangeReply),
    /// To `DeleteRange`.
    Deleted {
        /// How many keys.
        deleted: u32,
        /// What was there before, if it was wanted.
        prev_kvs: Vec<KeyValue>,
    },
    /// To `Txn`.
    Txn {
        /// Whether all comparisons held.
        succeeded: bool,
        /// An answer an operation.
        responses: Vec<TxnReply>,
    },
    /// To `Compact`.
    Compacted,
    /// Of the lock or the election service.
    Service(ServiceReply),
    /// To `WatchCreate`.
    WatchCreated {
        /// The client's number.
        watch: u32,
    },
}

impl Body {
    /// Whether what was asked was done: a transaction whose comparisons did not hold does
    /// nothing of it.
    pub fn was_carried_out(&self) -> bool {
        !matches!(self, Body::Txn { succeeded: false, .. })
    }
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
    /// To a put: what was there before, if it was wanted.
    Put(Option<KeyValue>),
    /// To a read.
    Range(RangeReply),
    /// To a delete.
    Deleted {
        /// How many keys.
        deleted: u32,
        /// What was there before, if it was wanted.
        prev_kvs: Vec<KeyValue>,
    },
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
    /// gRPC `INVALID_ARGUMENT`: a branch of a transaction puts a key twice, or puts one
    /// that it deletes.
    #[error("etcdserver: duplicate key given in txn request")]
    DuplicateKey,
    /// gRPC `UNAVAILABLE`: the operation may or may not have happened.
    #[error("etcdserver: no leader")]
    NoLeader,
    /// gRPC `UNAVAILABLE`: the operation may or may not have happened.
    #[error("etcdserver: leader changed")]
    LeaderChanged,
    /// gRPC `OUT_OF_RANGE`: a watch's start lies before what is kept. Answers the
    /// request that asked for the watch, at once or when the watch fell behind; the
    /// watch is over.
    #[error("etcdserver: mvcc: required revision has been compacted")]
    Compacted,
    /// gRPC `OUT_OF_RANGE`: a read or a compaction of what is yet to come.
    #[error("etcdserver: mvcc: required revision is a future revision")]
    FutureRevision,
    /// gRPC `INVALID_ARGUMENT`: a put that leaves its key's lease as it is finds no key.
    #[error("etcdserver: key not found")]
    KeyNotFound,
    /// gRPC `INVALID_ARGUMENT`: a put names a lease and leaves its key's as it is.
    #[error("etcdserver: lease is provided")]
    LeaseProvided,
    /// gRPC `UNKNOWN`: what the lock and the election service answer.
    #[error("{0}")]
    Service(ServiceError),
}

impl EtcdError {
    /// The gRPC status code by name.
    pub fn code(self) -> &'static str {
        match self {
            EtcdError::LeaseNotFound => "NOT_FOUND",
            EtcdError::LeaseExists => "FAILED_PRECONDITION",
            EtcdError::DuplicateKey | EtcdError::KeyNotFound | EtcdError::LeaseProvided => {
                "INVALID_ARGUMENT"
            }
            EtcdError::LeaseTtlTooLarge | EtcdError::Compacted | EtcdError::FutureRevision => {
                "OUT_OF_RANGE"
            }
            EtcdError::Service(_) => "UNKNOWN",
            EtcdError::NoLeader | EtcdError::LeaderChanged => "UNAVAILABLE",
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
    /// What was there before each of them, if that was wanted.
    pub prev_kvs: Vec<Option<KeyValue>>,
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

impl Response {
    /// Whether what was asked was done, as far as the answer says.
    pub fn was_carried_out(&self) -> bool {
        self.result.as_ref().is_ok_and(|reply| reply.body.was_carried_out())
    }

    /// The kind of answer, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match &self.result {
            Err(_) => "etcd-error",
            Ok(reply) => match &reply.body {
                Body::Lease { .. } => "lease-answer",
                Body::Revoked => "lease-revoked",
                Body::TimeToLive { .. } => "time-to-live-answer",
                Body::Leases(_) => "leases-answer",
                Body::Put(_) => "put-answer",
                Body::Range(_) => "range-answer",
                Body::Deleted { .. } => "delete-answer",
                Body::Txn { .. } => "txn-answer",
                Body::Compacted => "compact-answer",
                Body::Service(_) => "service-answer",
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
