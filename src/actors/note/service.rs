//! What lock services say: what became of a lock, whatever the service, and what each has
//! to tell besides.

use super::{Note, StoreNote, WorkerNote};
use crate::actors::etcd::api::{LeaseId, Revision, Text};
use crate::actors::objects::api::ObjectError;
use crate::actors::postgres::api::SqlError;
use crate::actors::store::api::{Owner, Token};
use crate::sim::process::NodeId;
use crate::sim::time::{Span, Wall};
use serde::Serialize;

/// What happened at a lock service that replicates a log: etcd, and ZooKeeper and Consul,
/// whose sessions are told as leases, and ZooKeeper's epochs as terms. Changes to the store are told
/// once, by the leader that first applied them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum EtcdNote {
    /// A lease was granted.
    LeaseGranted {
        /// Its number.
        lease: LeaseId,
        /// Its TTL, after the minimum was applied.
        ttl_s: i64,
    },
    /// The leader answered a keepalive. Routine.
    LeaseRenewed {
        /// Which lease.
        lease: LeaseId,
    },
    /// The leader found a lease past its deadline and proposed to revoke it.
    LeaseOverdue {
        /// Which lease.
        lease: LeaseId,
    },
    /// A lease ended and its keys were deleted.
    LeaseEnded {
        /// Which lease.
        lease: LeaseId,
        /// Why.
        why: LeaseEnd,
        /// The revision of the deletion; the store's when it had no key.
        revision: Revision,
    },
    /// A key for the lock was created behind another: a waiter queues.
    Queued {
        /// The lock.
        lock: Text,
        /// The waiter's lease.
        lease: LeaseId,
        /// The key's create revision, which will be its token.
        create_revision: Revision,
    },
    /// A member leads from now on and has given each lease a new deadline.
    Leads {
        /// The raft term.
        term: u64,
    },
    /// A leader gave up leading: it heard no majority for an election timeout, or
    /// learned that others have elected another since.
    SteppedDown {
        /// The raft term in which it led.
        term: u64,
    },
    /// An empty container went, and with it the count of the children it has had.
    Reaped {
        /// Which.
        path: Text,
    },
    /// A member answered a read from what it has applied, and asked no other.
    ReadAlone {
        /// Up to which revision that is.
        revision: Revision,
    },
}

/// What happened at a Redis node, besides what became of the lock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum RedisNote {
    /// The lock's key got another end. Routine.
    Renewed {
        /// The lock.
        lock: Text,
        /// Whose it is.
        lease: Owner,
        /// How long it has now, by the clock of its node; none has no end.
        left: Option<Span>,
    },
    /// The lock's key reached its end.
    Expired {
        /// The lock.
        lock: Text,
        /// Whose it was.
        lease: Owner,
    },
    /// A node that takes writes has started again.
    Loaded {
        /// How many keys it has.
        keys: u32,
    },
    /// One node of several independent ones has the lock's key for this acquisition: a
    /// vote. A majority of votes grants the lock.
    Voted {
        /// The lock.
        lock: Text,
        /// Whose key.
        lease: Owner,
        /// How long the key has, by the node's clock; none has no end.
        left: Option<Span>,
        /// So many votes grant the lock.
        quorum: u8,
    },
    /// A vote is gone.
    VoteEnded {
        /// The lock.
        lock: Text,
        /// Whose vote.
        lease: Owner,
        /// How it ended.
        how: GrantEnd,
    },
    /// A replica takes writes from now on, with what it has. PostgreSQL's standby says so too.
    Promoted,
    /// A node gives up what it has, and follows another from now on.
    Follows {
        /// Which.
        primary: crate::sim::process::NodeId,
    },
}

/// What happened at a PostgreSQL server, besides what became of the lock.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PostgresNote {
    /// A session waits for the lock, in the server's queue.
    Queued {
        /// The lock.
        lock: Text,
        /// For which acquisition.
        lease: Owner,
    },
    /// A session that holds the advisory lock was granted it once more: it only counts.
    Counted {
        /// The lock.
        lock: Text,
        /// For which acquisition.
        lease: Owner,
        /// How often the session holds it now.
        held: u32,
    },
    /// An unlock was answered with false and a warning: this session does not hold the lock.
    NotHeld {
        /// The lock.
        lock: Text,
        /// Whose unlock.
        lease: Owner,
    },
    /// A statement failed.
    Failed {
        /// Of which acquisition.
        lease: Owner,
        /// How.
        error: SqlError,
    },
    /// A session has ended, with its transaction and its locks.
    SessionEnded {
        /// Who used it; nobody only in a pool.
        client: Option<NodeId>,
        /// For which acquisition it worked.
        lease: Owner,
        /// Why, if not because its client closed the connection.
        why: Option<SqlError>,
    },
    /// The lock's row got another end. Routine.
    Renewed {
        /// The lock.
        lock: Text,
        /// Whose it is.
        lease: Owner,
        /// How long it has now; none has no end.
        left: Option<Span>,
        /// What its holder wrote, where its own clock says so. Nobody is told.
        #[serde(skip)]
        object: Option<ObjectLease>,
    },
    /// The lock's row is over: the next who asks for it has it.
    RowIsOver {
        /// The lock.
        lock: Text,
        /// Whose it was.
        lease: Owner,
    },
    /// The server has started again: what is committed is there, and no session.
    Restarted,
    /// All connections of the pooler's pool are lent: a client waits for one.
    WaitsForPool {
        /// Which client.
        client: NodeId,
    },
    /// One of them was free again, and the client that had waited longest has it.
    LentByPool {
        /// Which client.
        client: NodeId,
    },
    /// A standby was promoted, which has no session of anybody's, and no lock: those of the
    /// primary were in its memory.
    NoSessions {
        /// The lock.
        lock: Text,
    },
    /// It was to be promoted and is a primary: refused, 55000 (`recovery is not in progress`).
    IsPrimary,
}

/// What happened at a Consul server, besides what became of the lock and of sessions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ConsulNote {
    /// The session that held the lock was invalidated: for so long nobody can take it.
    DelayBegins {
        /// The lock.
        lock: Text,
        /// How long.
        lasts: Span,
    },
    /// It refused the lock because of that.
    Delayed {
        /// The lock.
        lock: Text,
        /// To whom.
        lease: Owner,
    },
    /// It has started again: sessions and keys are there, and it does not lead yet.
    Restarted,
    /// It does not lead, and refuses whatever is asked.
    NoLeader,
    /// The lock-delay is over.
    DelayOver {
        /// The lock.
        lock: Text,
    },
}

/// Why a lease ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LeaseEnd {
    /// It was not renewed in time.
    Expired,
    /// A client revoked it.
    Revoked,
}

/// How a grant ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum GrantEnd {
    /// Its lease ended.
    Lease(LeaseEnd),
    /// Its key, which has a time to live of its own, reached its end.
    KeyExpired,
    /// Its key was deleted by a client, which `by` names: the holder or another.
    Deleted {
        /// The machine that asked for the deletion.
        by: crate::sim::process::NodeId,
    },
    /// Its key was overwritten with another lease.
    Overwritten {
        /// The machine that asked for the put.
        by: crate::sim::process::NodeId,
    },
    /// The session that held it has ended.
    Session,
    /// The transaction that held it has failed, in a session that goes on.
    Transaction,
    /// Its object stays and is nobody's: a client, which `by` names, has put it so.
    SetFree {
        /// The machine that asked for the put.
        by: crate::sim::process::NodeId,
    },
}

/// How long a grant stands, unless it is ended before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Lasts {
    /// As long as its lease. There is one truth about it, whichever member tells of it.
    Lease,
    /// As long as its key at the node that tells of it: another may know nothing of it.
    Key {
        /// How long that is, by the node's clock; none has no end.
        left: Option<Span>,
    },
    /// As long as its session, which is nowhere but in the memory of the process that tells
    /// of it: it ends with that too, and nobody is left to say so.
    Process,
    /// As long as nobody puts another object in its place, or takes its row, which its holder
    /// expects of nobody before its lease is over.
    Object(ObjectLease),
    /// The same of a row at the server that tells of it: another may know nothing of it.
    Row(ObjectLease),
}

/// What its holder wrote into a lock's object, or by its own clock into a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ObjectLease {
    /// How long it has the lock; nothing where it has no end.
    pub length: Span,
    /// Until when that is, by its wall clock as it sent the put, where that is written.
    pub until: Option<Wall>,
    /// Which of its machine's requests put it. Nobody is told.
    #[serde(skip)]
    pub put: u32,
}

/// What is asked of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Change {
    /// That it be put.
    Put,
    /// That it be deleted.
    Delete,
}

/// What became of a lock, whatever the service: the truth about who holds it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum LockNote {
    /// The lock went to an acquisition.
    Granted {
        /// The lock.
        lock: Text,
        /// The holder's acquisition.
        lease: Owner,
        /// The number that the service gives with it, as etcd's create revision; 0 where
        /// it gives none.
        token: Token,
        /// How long.
        lasts: Lasts,
    },
    /// A holder's key is gone: its grant has ended. Where each node has keys of its own
    /// it has ended at this one.
    Ended {
        /// The lock.
        lock: Text,
        /// Whose grant.
        lease: Owner,
        /// How it ended.
        how: GrantEnd,
    },
    /// A node of the service answers for the lock from now on, with what it has: grants
    /// that it does not know of are lost.
    TakenOver {
        /// The lock.
        lock: Text,
        /// Who holds it, as far as this node knows.
        lease: Option<Owner>,
        /// How long it has the lock there.
        lasts: Lasts,
    },
    /// A node of the service answers for the lock no more, and forgets this grant.
    HandedOver {
        /// The lock.
        lock: Text,
        /// Whose grant.
        lease: Owner,
    },
    /// An object store has refused a put or a delete of the lock's object: it is not as its
    /// client knows it.
    Refused {
        /// The lock.
        lock: Text,
        /// Whose request.
        client: NodeId,
        /// What was asked.
        asked: Change,
        /// Why.
        error: ObjectError,
    },
    /// The lock's object was put anew for the same holder: its lease has another end. Routine.
    Renewed {
        /// The lock.
        lock: Text,
        /// Whose it is.
        lease: Owner,
        /// How long it has it now.
        lasts: Lasts,
    },
}

impl From<LockNote> for Note {
    fn from(note: LockNote) -> Note {
        Note::Lock(note)
    }
}

impl From<EtcdNote> for Note {
    fn from(note: EtcdNote) -> Note {
        Note::Etcd(note)
    }
}

impl From<RedisNote> for Note {
    fn from(note: RedisNote) -> Note {
        Note::Redis(note)
    }
}

impl From<PostgresNote> for Note {
    fn from(note: PostgresNote) -> Note {
        Note::Postgres(note)
    }
}

impl From<ConsulNote> for Note {
    fn from(note: ConsulNote) -> Note {
        Note::Consul(note)
    }
}

impl From<WorkerNote> for Note {
    fn from(note: WorkerNote) -> Note {
        Note::Worker(note)
    }
}

impl From<StoreNote> for Note {
    fn from(note: StoreNote) -> Note {
        Note::Store(note)
    }
}
