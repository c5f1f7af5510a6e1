//! What a worker is told to do: its program and its policies. Most real failures
//! of locks are one of these choices, not a fault of the lock service.

mod redlock;

pub use super::consul::{ConsulClient, ConsulToken, half};
pub use super::guard::Guard;
use super::inbox::Arrivals;
pub use super::lock_object::{LeaseUntil, ObjectRelease, ObjectsClient, Settle};
pub use super::postgres::{PgToken, PostgresClient, RowClock};
use crate::actors::etcd::api::Text;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
pub use redlock::{RedlockConfig, ValidityCheck, ValidityClock};
use serde::Serialize;

/// One named step of a worker's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Step {
    /// Take the next number of a counter that has nothing to do with the lock and
    /// use it as the token. Wrong: it is drawn before the lock is granted.
    DrawNumber,
    /// Open a session and wait for the lock.
    Acquire,
    /// Register the token at the store and read the data in the same step.
    Claim,
    /// Read the data plainly.
    Read,
    /// Compute for `compute_ms` of running time (the scan).
    Compute,
    /// Look at the own session and deadline; go on only when both still hold.
    Check,
    /// Write the report in one call.
    Write,
    /// Begin a slow write, upload for `upload_ms` of running time, complete it.
    SlowWrite,
    /// Give the lock back.
    Release,
    /// Take the next transfer from the inbox, or wait for it. When the program is past its
    /// last step it goes on here, as long as there are transfers.
    Take,
    /// Ask the partner to book, in a call of its own.
    Book,
}

/// How the lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Recipe {
    /// A queue of waiters' keys under a prefix, served by create revision, as
    /// etcd's own `concurrency.Mutex` does. The token is the own key's create
    /// revision, fixed when the waiter queues.
    Queue,
    /// One key, created if absent; a waiter watches it and tries again when it goes.
    CreateIfAbsent,
    /// Wrong: read the key, and put it when it was absent, as two calls. The token is
    /// the revision of the put, which over another's key is not its create revision.
    GetThenPut,
    /// Redis: `SET key value NX PX ttl`, asked again until it is free. No token.
    SetNx,
    /// Redis, wrong: `SETNX`, and then `EXPIRE` as a second call. No token.
    SetnxExpire,
    /// Redis: a script that takes a free lock and counts up a second key; the count is the
    /// token.
    SetAndCount,
    /// Redlock: `SET key value NX PX ttl` at a majority of independent nodes. No token.
    Redlock,
    /// Redlock with the script that counts at each node; the highest count that a vote came
    /// with is the token. Wrong: the counts of nodes have nothing to do with each other.
    RedlockAndCount,
    /// ZooKeeper: ephemeral sequential nodes under the lock's; the lowest suffix holds it,
    /// and each waiter watches the one before, as Curator's `InterProcessMutex` does.
    EphemeralSequential,
    /// PostgreSQL: `pg_advisory_lock`, which waits in the server's queue.
    Advisory,
    /// PostgreSQL: `pg_try_advisory_lock`, asked again until it is free.
    TryAdvisory,
    /// PostgreSQL: `pg_advisory_xact_lock`, in a transaction that is kept open.
    AdvisoryXact,
    /// PostgreSQL: `SELECT … FOR UPDATE`, in a transaction that is kept open.
    RowLock,
    /// PostgreSQL: a row with an owner, an end and a token, asked again until it is free or
    /// over.
    LockRow,
    /// Consul: a session acquires a key; a waiter reads it by blocking queries.
    KvAcquire,
    /// etcd's `concurrency.Election`: the same queue of keys, and the oldest leads. Who has
    /// waited does not look at its own key any more, and may be elected without a lease.
    Election,
    /// An object store: an object created if absent. No time ends it, and there is no token.
    ObjectCreate,
    /// An object store: an object with an owner, an epoch and a lease, replaced only as it was
    /// read. The epoch is the token.
    ObjectLease,
}

/// What a client of ZooKeeper takes for its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum TokenFrom {
    /// The `czxid` of its own node: it rises over all changes of the ensemble.
    Czxid,
    /// Wrong: the suffix of its own node, counted from 1. It begins again when the
    /// parent, a container, was found empty and has gone.
    Suffix,
    /// The version of a node beside the lock, which each holder sets once. That node
    /// stays.
    Version,
}

/// At which state of its connection a client of ZooKeeper counts its renewals as failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum StopsAt {
    /// At SUSPENDED: the connection is gone.
    Suspended,
    /// At LOST: it has been gone for a session timeout, or the server says that the
    /// session is over.
    Lost,
}

/// A recipe by the service that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfService {
    Etcd(EtcdRecipe),
    Redis(RedisRecipe),
    Zk,
    Postgres(PostgresRecipe),
    Consul,
    Objects(ObjectRecipe),
}

/// How the lock is taken from etcd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EtcdRecipe {
    Queue,
    CreateIfAbsent,
    GetThenPut,
    Election,
}

/// How the lock is taken from Redis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RedisRecipe {
    SetNx,
    SetnxExpire,
    SetAndCount,
    Redlock,
    RedlockAndCount,
}

/// How the lock is taken from an object store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ObjectRecipe {
    Create,
    Lease,
}

/// How the lock is taken from PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PostgresRecipe {
    Advisory,
    TryAdvisory,
    AdvisoryXact,
    RowLock,
    LockRow,
}

impl Recipe {
    pub(super) fn of_service(self) -> OfService {
        match self {
            Recipe::Queue => OfService::Etcd(EtcdRecipe::Queue),
            Recipe::CreateIfAbsent => OfService::Etcd(EtcdRecipe::CreateIfAbsent),
            Recipe::GetThenPut => OfService::Etcd(EtcdRecipe::GetThenPut),
            Recipe::Election => OfService::Etcd(EtcdRecipe::Election),
            Recipe::SetNx => OfService::Redis(RedisRecipe::SetNx),
            Recipe::SetnxExpire => OfService::Redis(RedisRecipe::SetnxExpire),
            Recipe::SetAndCount => OfService::Redis(RedisRecipe::SetAndCount),
            Recipe::Redlock => OfService::Redis(RedisRecipe::Redlock),
            Recipe::RedlockAndCount => OfService::Redis(RedisRecipe::RedlockAndCount),
            Recipe::EphemeralSequential => OfService::Zk,
            Recipe::Advisory => OfService::Postgres(PostgresRecipe::Advisory),
            Recipe::TryAdvisory => OfService::Postgres(PostgresRecipe::TryAdvisory),
            Recipe::AdvisoryXact => OfService::Postgres(PostgresRecipe::AdvisoryXact),
            Recipe::RowLock => OfService::Postgres(PostgresRecipe::RowLock),
            Recipe::LockRow => OfService::Postgres(PostgresRecipe::LockRow),
            Recipe::KvAcquire => OfService::Consul,
            Recipe::ObjectCreate => OfService::Objects(ObjectRecipe::Create),
            Recipe::ObjectLease => OfService::Objects(ObjectRecipe::Lease),
        }
    }

    /// Whether the lock comes with a number that rises, of its own.
    pub fn gives_token(self) -> bool {
        // What lasts as long as a session or a transaction has none, nor has a mere value.
        let is_bare = matches!(self, Recipe::SetNx | Recipe::SetnxExpire | Recipe::Redlock);
        self.has_end() && !is_bare && self != Recipe::KvAcquire
    }

    /// Whether independent nodes vote on it.
    pub fn goes_by_votes(self) -> bool {
        matches!(self, Recipe::Redlock | Recipe::RedlockAndCount)
    }

    /// Whether a time ends the lock, if nobody renews it.
    pub fn has_end(self) -> bool {
        let is_endless = self.is_for_postgres() && self != Recipe::LockRow;
        !is_endless && self != Recipe::ObjectCreate
    }

    /// Which service it is for.
    pub fn is_for_postgres(self) -> bool {
        matches!(self.of_service(), OfService::Postgres(_))
    }

    /// Which service it is for.
    pub fn is_for_redis(self) -> bool {
        matches!(self.of_service(), OfService::Redis(_))
    }

    /// Whether it is for Consul.
    pub fn is_for_consul(self) -> bool {
        self == Recipe::KvAcquire
    }

    /// Whether it is for an object store.
    pub fn is_for_objects(self) -> bool {
        matches!(self.of_service(), OfService::Objects(_))
    }

    /// Whether it is for ZooKeeper.
    pub fn is_for_zookeeper(self) -> bool {
        self == Recipe::EphemeralSequential
    }
}

/// What a client asks of an object store when it puts, and what it puts besides the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Puts {
    /// No condition: a put overwrites what is there.
    Plain,
    /// `If-Match` with the ETag that was read, or `If-None-Match: *` where nothing was. Nothing
    /// but the report: equal reports have equal ETags, and after a lost answer the client
    /// cannot tell its own put from another's.
    IfMatch,
    /// The same, and in each body a mark of its own that no other put has.
    IfMatchOwnMark,
    /// A fence, made wrong: the token stands in the metadata alone, of which the ETag says
    /// nothing, so that a claim leaves the ETag as it was.
    TokenInMetadata,
    /// A fence: the token stands in the metadata and in the body. A claim is a put of what
    /// was read under the own token.
    TokenInBody,
}

impl Puts {
    /// Whether the token in the metadata is looked at.
    pub fn is_fence(self) -> bool {
        matches!(self, Puts::TokenInMetadata | Puts::TokenInBody)
    }
}

/// What a worker does when it cannot renew, or learns that its session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum OnRenewalFailure {
    /// Exit: close the session as far as it can be reached and end the process.
    Exit,
    /// Stop the work, believe nothing more, do not write.
    StopWork,
    /// Carry on: the program does not look at its session.
    CarryOn,
}

/// What the client's own deadline is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum DeadlineFrom {
    /// The moment before the request was sent: never later than the server's.
    BeforeRequest,
    /// The moment its answer arrived, as etcd's Go client does.
    Answer,
}

/// Whether a release makes sure that the lock is still the releaser's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ReleaseCheck {
    /// Delete the key only while its create revision is the own one.
    Owner,
    /// Delete the key by its name, whoever's it is.
    NameOnly,
}

/// Whether and how a client renews its key in Redis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RenewalCheck {
    /// A watchdog gives the key another end only while its value is the own one.
    Owner,
    /// A watchdog gives the key another end by its name, whoever's it is.
    NameOnly,
    /// Nobody renews it: the lock has to last as long as the work.
    None,
}

/// Whether renewals stop when the main thread makes no progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RenewWithoutProgress {
    /// Renew as long as the process lives.
    Always,
    /// Do not renew while the main thread has waited for one answer longer than
    /// `progress_ms`.
    No,
}

/// Whether a worker that stopped or was refused begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum StartOver {
    /// It ends.
    No,
    /// It opens a new session and begins its program again.
    Yes,
}

/// A worker's separate choices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Policies {
    /// How long after an answer the next keepalive is due; none is TTL/3.
    pub renew_interval: Option<Span>,
    /// Whether renewals depend on the main thread.
    pub renew_without_progress: RenewWithoutProgress,
    /// How long the main thread may wait for one answer and still count as alive.
    pub progress: Span,
    /// What to do when renewing fails.
    pub on_renewal_failure: OnRenewalFailure,
    /// How long a due renewal may go unanswered before that counts as a failure;
    /// none leaves it to the deadline.
    pub renewal_unanswered: Option<Span>,
    /// Whether and how a key in Redis is renewed.
    pub renewal: RenewalCheck,
    /// What the own deadline is counted from.
    pub deadline_from: DeadlineFrom,
    /// How the lock is given back.
    pub release: ReleaseCheck,
    /// How often an unanswered call is sent again.
    pub retries: u32,
    /// How long an answer is waited for.
    pub request_timeout: Span,
    /// Whether to begin anew.
    pub start_over: StartOver,
    /// At which state of its connection a client of ZooKeeper counts renewing as failed.
    pub stops_at: StopsAt,
}

impl Policies {
    /// How long after an answer the next renewal is due, of what lasts so long.
    pub(super) fn interval(&self, ttl: Span) -> Span {
        self.renew_interval.unwrap_or(third(ttl))
    }
}

/// How long after an answer clients renew that are not told otherwise, both etcd's and
/// those of Redis.
pub fn third(ttl: Span) -> Span {
    Span::from_us(ttl.us() / 3)
}

/// A policy that can be switched in the middle of a run, with its new choice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum Policy {
    /// What to do when renewing fails.
    OnRenewalFailure(OnRenewalFailure),
    /// What the own deadline is counted from.
    DeadlineFrom(DeadlineFrom),
    /// How the lock is given back.
    Release(ReleaseCheck),
}

/// All a worker is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorkerConfig {
    /// The nodes of the lock service, in the order in which they are tried.
    pub members: Vec<NodeId>,
    /// The store.
    pub store: NodeId,
    /// How it puts, where the store is an object store.
    pub puts: Option<Puts>,
    /// How it writes, where the data is kept in etcd. Not in the state of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
    /// The partner, where it is asked to book. Not in the state of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner: Option<NodeId>,
    /// What arrives in its inbox, if its program takes from one.
    pub arrivals: Option<Arrivals>,
    /// Told of an exit, if there is one.
    pub orchestrator: Option<NodeId>,
    /// When the program begins.
    pub begins: Begins,
    /// How the lock is taken.
    pub recipe: Recipe,
    /// What a client of ZooKeeper takes for its token.
    pub token_from: TokenFrom,
    /// The lock's key, or the prefix of the waiters' keys.
    pub lock: Text,
    /// The lease's TTL asked for, in whole seconds.
    pub ttl_s: i64,
    /// How long a client of Redis waits before it asks again for a lock that is held.
    pub retry: Span,
    /// How votes are counted, where independent nodes vote.
    pub redlock: RedlockConfig,
    /// How long a client of Redis that took the lock waits for a replica to have it.
    pub wait_for_replica: Option<Span>,
    /// What a client of PostgreSQL is told besides. Not in the state of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postgres: Option<PostgresClient>,
    /// What a client of Consul is told besides. Not in the state of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consul: Option<ConsulClient>,
    /// What a client of an object store that gives locks is told besides. Not in the state of
    /// others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lock_objects: Option<ObjectsClient>,
    /// The program.
    pub program: Vec<Step>,
    /// How much running time the scan needs.
    pub compute: Span,
    /// How much running time a check needs before what follows it.
    pub check: Span,
    /// How much running time the upload of a slow write needs.
    pub upload: Span,
    /// The job it does.
    pub job: Text,
    /// What the partner books for it, in whole units of money.
    pub amount: i64,
    /// The objects that its claims and reads are about, the first about the first, and so its
    /// writes; what comes after is about the last. None where the data is not told apart.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<Text>,
    /// The policies.
    pub policies: Policies,
}

/// When a worker's program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Begins {
    /// So long after the start of its process.
    After(Span),
    /// When the orchestrator says so.
    WhenTold,
}
