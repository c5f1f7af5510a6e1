//! The scenario format: what a file may say, field by field. A file is TOML.
//!
//! Times are whole milliseconds, but for the moments of clicks, which are whole
//! microseconds, since a click made on the page is made at an exact moment.

mod objects;

use crate::actors::consul::api::{Behavior, Reads};
use crate::actors::etcd::api::Text;
use crate::actors::partner::Keys;
use crate::actors::redis::Persistence;
use crate::actors::store::api::{MarkKept, MarkScope, Rule};
use crate::actors::worker::config::{
    ConsulToken, DeadlineFrom, Guard, OnRenewalFailure, PgToken, Puts, Recipe, ReleaseCheck,
    RenewWithoutProgress, RenewalCheck, RowClock, StartOver, Step, StopsAt, TokenFrom,
    ValidityCheck, ValidityClock,
};
use crate::content::read::when_empty;
use crate::content::{Table, record};
use crate::properties::PropertyId;
use crate::scenario::clicks::ClickSpec;
use crate::scenario::names::{Names, ORCHESTRATOR, PARTNER, RELAYS, Role, Service};
use crate::sim::clock::RIGHT_RATE_PPM;
use crate::sim::world::WakeFirst;
pub use objects::ObjectsSpec;
use serde::Serialize;

/// What a store is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum StoreKind {
    /// One that may compare tokens, by its rule.
    Fenced,
    /// An object store with conditional puts.
    Objects,
    /// A key in etcd, beside the lock; there is no other machine.
    Etcd,
}

/// When the partner books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Books {
    /// In the step in which the store accepts a write.
    WithStore,
    /// When a worker or a relay asks it to.
    WhenAsked,
}

/// The version of the format this program reads.
pub const FORMAT: u32 = 1;

record! {
    /// A scenario, as its file says it, with every default filled in.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Spec {
        /// The version of the format: 1.
        pub format: u32,
        /// Names the scenario in links and commands: lower-case words and hyphens.
        pub id: String,
        /// What people call it.
        pub title: String,
        /// What it shows, in a sentence.
        pub goal: String,
        /// Keys all random draws.
        pub seed: u64 = 1,
        /// A run ends here at the latest.
        pub limit_ms: i64,
        /// Where the page stops after *Start* and lets the reader act: in the millisecond
        /// of its first click, if it has one.
        pub waits_at_ms: Option<i64> = None,
        /// The properties it promises: what *safe* means here.
        pub promises: Vec<PropertyId>,
        /// The lock.
        pub lock: LockSpec,
        /// The lock service, where it is etcd.
        pub etcd: EtcdSpec = when_empty()?,
        /// The Redis nodes.
        pub redis: RedisSpec = when_empty()?,
        /// Redlock: how many of them there are, and how their votes are counted.
        pub redlock: RedlockSpec = when_empty()?,
        /// The lock service, where it is ZooKeeper.
        pub zookeeper: ZooKeeperSpec = when_empty()?,
        /// The lock service, where it is PostgreSQL.
        pub postgres: PostgresSpec = when_empty()?,
        /// The lock service, where it is Consul.
        pub consul: ConsulSpec = when_empty()?,
        /// The lock service, where it is an object store.
        pub objects: ObjectsSpec = when_empty()?,
        /// The store.
        pub store: StoreSpec,
        /// The partner, and how it comes to know what to book.
        pub partner: PartnerSpec = when_empty()?,
        /// Transfers that arrive, for programs that take them.
        pub load: Option<LoadSpec> = None,
        /// The links.
        pub network: NetworkSpec = when_empty()?,
        /// The workers, in the order in which they are shown.
        pub workers as "worker": Vec<WorkerSpec>,
        /// Starts a waiting worker when one exits.
        pub orchestrator: Option<OrchestratorSpec> = None,
        /// What is done to the run.
        pub clicks as "click": Vec<ClickSpec> = Vec::new(),
        /// Other settings worth a run.
        pub variants as "variant": Vec<VariantSpec> = Vec::new(),
    }
}

record! {
    /// The lock that the workers want.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LockSpec {
        /// Which service it is taken from.
        pub service: Service = Service::Etcd,
        /// Its key, or the prefix of the waiters' keys.
        pub key: String,
        /// How it is taken.
        pub recipe: Recipe,
        /// The lease's TTL asked for, in whole seconds.
        pub ttl_s: i64,
        /// How long a client of Redis or PostgreSQL that does not wait in a queue waits before
        /// it asks again for a lock that is held, since nobody tells it when the lock is free;
        /// and one of Consul that finds a lock-delay, or of an object store.
        pub retry_ms: i64 = 1_000,
    }
}

record! {
    /// The etcd cluster.
    #[derive(Clone, Debug, PartialEq)]
    pub struct EtcdSpec {
        /// How many members: an odd number.
        pub members: u8 = 3,
        /// The store's revision at the start.
        pub revision: i64 = 41,
        /// The election timeout.
        pub election_timeout_ms: i64 = 1_000,
        /// The heartbeat interval; with the election timeout it gives the least TTL.
        pub heartbeat_ms: i64 = 100,
    }
}

record! {
    /// The Redis nodes.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RedisSpec {
        /// How many replicas the node that takes writes has.
        pub replicas: u8 = 0,
        /// What is there again after a restart.
        pub persistence: Persistence = Persistence::None,
        /// How long a replica that does not hear its primary waits until it takes its
        /// place, as a Sentinel would have it; without it none does so by itself.
        pub promote_after_ms: Option<i64> = None,
        /// How long a worker that took the lock waits for a replica to have it too, and
        /// else gives it back; without it, not at all.
        pub wait_ms: Option<i64> = None,
    }
}

record! {
    /// Independent Redis nodes, and how a client counts their votes.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RedlockSpec {
        /// How many nodes, each for itself: an odd number.
        pub nodes: u8 = 5,
        /// How long it waits for a node's answer.
        pub node_timeout_ms: i64 = 50,
        /// By which clock it reckons how long the lock is its own.
        pub clock: ValidityClock = ValidityClock::Monotonic,
        /// Whether it looks at that clock after the votes.
        pub check: ValidityCheck = ValidityCheck::AfterVotes,
    }
}

record! {
    /// The ZooKeeper ensemble.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ZooKeeperSpec {
        /// How many servers: an odd number.
        pub servers: u8 = 3,
        /// The tick: sessions end at ticks, and last from 2 to 20 of them.
        pub tick_ms: i64 = 2_000,
        /// How often the leader looks for empty containers.
        pub container_check_ms: i64 = 60_000,
        /// What workers take for their token.
        pub token: TokenFrom = TokenFrom::Czxid,
    }
}

record! {
    /// The PostgreSQL server.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PostgresSpec {
        /// A pooler in transaction mode stands before it, with so many connections to it;
        /// with 0 there is none, and every client has a session of its own.
        pub pool: u8 = 0,
        /// What number a worker takes once it has the lock; of `lock-row` it says nothing,
        /// whose row has its own.
        pub token: PgToken = PgToken::None,
        /// By whose clock the row of `lock-row` ends.
        pub clock: RowClock = RowClock::Database,
        /// `lock_timeout`; off without it.
        pub lock_timeout_ms: Option<i64> = None,
        /// `idle_in_transaction_session_timeout`; off without it.
        pub idle_in_transaction_ms: Option<i64> = None,
        /// `idle_session_timeout`; off without it.
        pub idle_session_ms: Option<i64> = None,
        /// How many standbys it has that are sent what it writes: none or one.
        pub standbys: u8 = 0,
    }
}

record! {
    /// The Consul servers, and what its clients' sessions are like.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ConsulSpec {
        /// What workers take for their token.
        pub token: ConsulToken = ConsulToken::ModifyIndex,
        /// How long a lock whose session was invalidated cannot be taken.
        pub lock_delay_ms: i64 = 15_000,
        /// What becomes of a lock's key when its session is invalidated.
        pub behavior: Behavior = Behavior::Release,
        /// How long a server alone that has started again waits until it leads, and one of
        /// several that hears no leader until it stands for election, up to twice as long.
        pub election_timeout_ms: i64 = 5_000,
        /// How many servers: an odd number.
        pub servers: u8 = 1,
        /// Who may answer when a worker looks at the lock's key.
        pub reads: Reads = Reads::Default,
    }
}

record! {
    /// The store.
    #[derive(Clone, Debug, PartialEq)]
    pub struct StoreSpec {
        /// What people call it.
        pub title: String = "Report store".to_owned(),
        /// What it is.
        pub kind: StoreKind = StoreKind::Fenced,
        /// What it checks; an object store and etcd have no rule, and this has to be `none`.
        pub rule: Rule,
        /// Where it keeps its mark.
        pub mark: MarkKept = MarkKept::Durable,
        /// What one mark is for.
        pub scope: MarkScope = MarkScope::Store,
        /// How long it needs to store a write.
        pub write_ms: i64 = 0,
        /// The first number of its separate counter.
        pub first_number: i64 = 100,
    }
}

record! {
    /// The partner that books what the workers' jobs are about.
    #[derive(Clone, Debug, PartialEq)]
    pub struct PartnerSpec {
        /// When it books.
        pub books: Books = Books::WithStore,
        /// What it makes of idempotency keys, where it is asked to book.
        pub keys: Keys = Keys::Ignored,
        /// How many relays send it what stands in the store's outbox; with none there is no
        /// outbox.
        pub relays: u8 = 0,
        /// How long a relay waits for an answer before it asks again.
        pub relay_ms: i64 = 1_000,
    }
}

record! {
    /// Transfers that arrive at a rising rate.
    #[derive(Clone, Debug, PartialEq)]
    pub struct LoadSpec {
        /// How many a second in all, step by step; those who take them share them evenly.
        pub rates: Vec<u32>,
        /// How long each step lasts.
        pub step_ms: i64,
    }
}

record! {
    /// The links between machines. Everything is one way.
    #[derive(Clone, Debug, PartialEq)]
    pub struct NetworkSpec {
        /// How long a message takes.
        pub latency_ms: i64 = 10,
        /// How long a message between etcd members takes.
        pub member_latency_ms: i64 = 1,
        /// A message takes up to so much longer, drawn for each.
        pub jitter_ms: i64 = 0,
        /// Messages lost, parts per million.
        pub loss_ppm: u32 = 0,
        /// Messages that arrive twice, parts per million.
        pub duplicate_ppm: u32 = 0,
    }
}

record! {
    /// A worker, its program and its policies.
    #[derive(Clone, Debug, PartialEq)]
    pub struct WorkerSpec {
        /// What people call it.
        pub name: String,
        /// When its program begins; without it, when the orchestrator says so.
        pub starts_ms: Option<i64> = None,
        /// Its program.
        pub program: Vec<Step>,
        /// How much running time `compute` needs.
        pub compute_ms: i64 = 0,
        /// How much running time lies between `check` and the step after it.
        pub check_ms: i64 = 0,
        /// How much running time the upload of `slow-write` needs.
        pub upload_ms: i64 = 0,
        /// The job it does.
        pub job: String,
        /// What the partner books for it, in whole units of money.
        pub amount: i64,
        /// The objects of the store that its claims and reads are about, one after the other,
        /// and so its writes. Without any they are about the data without a name, which is
        /// apart from every object that has one.
        pub objects: Vec<String> = Vec::new(),
        /// The key of a lock of its own; without it, the lock of all.
        pub lock: String = String::new(),
        /// How long after an answer the next keepalive is due; TTL/3 without it.
        pub renew_ms: Option<i64> = None,
        /// Whether renewals go on when the main thread makes no progress.
        pub renew_without_progress: RenewWithoutProgress = RenewWithoutProgress::Always,
        /// How long the main thread may wait for one answer and still count as alive.
        pub progress_ms: i64 = 10_000,
        /// What it does when it cannot renew, or learns that its session is over.
        pub on_renewal_failure: OnRenewalFailure = OnRenewalFailure::CarryOn,
        /// How long a due renewal may go unanswered before that counts as a failure.
        pub renewal_unanswered_ms: Option<i64> = None,
        /// How it renews a key of Redis; etcd's client always renews its own lease.
        pub renewal: RenewalCheck = RenewalCheck::Owner,
        /// Whether a client of ZooKeeper counts renewing as failed when its connection is
        /// SUSPENDED, or only when it is LOST.
        pub stops_at: StopsAt = StopsAt::Suspended,
        /// How it puts, where the store is an object store.
        pub puts: Puts = Puts::TokenInBody,
        /// What it asks of etcd when it writes, where the data is kept there.
        pub guard: Guard = Guard::CreateRevision,
        /// What its own deadline is counted from.
        pub deadline_from: DeadlineFrom = DeadlineFrom::Answer,
        /// Whether a release makes sure that the lock is its own.
        pub release: ReleaseCheck = ReleaseCheck::Owner,
        /// How often an unanswered call is sent again.
        pub retries: u32 = 3,
        /// How long an answer is waited for.
        pub request_timeout_ms: i64 = 2_000,
        /// Whether it begins anew after it stopped.
        pub start_over: StartOver = StartOver::No,
        /// What it does first on waking.
        pub wake_first: WakeFirst = WakeFirst::Work,
        /// How far its wall clock is ahead of the right time.
        pub wall_ahead_ms: i64 = 0,
        /// Its clocks' rate, parts per million.
        pub rate_ppm: i64 = RIGHT_RATE_PPM,
    }
}

record! {
    /// The orchestrator.
    #[derive(Clone, Debug, PartialEq)]
    pub struct OrchestratorSpec {
        /// How long after an exit it starts the next waiting worker.
        pub restart_after_ms: i64,
    }
}

record! {
    /// Other settings worth a run.
    #[derive(Clone, Debug, PartialEq)]
    pub struct VariantSpec {
        /// Names it, within the scenario.
        pub id: String,
        /// What people call it.
        pub title: String,
        /// Settings by path, as in `store.rule` or `worker.W1.compute_ms`.
        pub set: Table = Table::new(),
        /// What is done to the run instead of the scenario's clicks.
        pub clicks as "click": Option<Vec<ClickSpec>> = None,
    }
}

impl Spec {
    /// The machines by name.
    pub fn machines(&self) -> Names {
        let workers = self.workers.iter().map(|worker| worker.name.as_str());
        let mut others = Vec::new();
        others.extend(self.orchestrator.as_ref().map(|_| (ORCHESTRATOR, Role::Orchestrator)));
        if self.partner.books == Books::WhenAsked {
            others.push((PARTNER, Role::Partner));
            let relays = RELAYS.into_iter().take(usize::from(self.partner.relays));
            others.extend(relays.map(|name| (name, Role::Relay)));
        }
        let names = Names::new(self.lock.service, self.nodes(), workers, &others);
        if self.store.kind == StoreKind::Etcd { names.without_store() } else { names }
    }

    /// Whether its workers have a token that a service gives.
    pub fn gives_token(&self) -> bool {
        let recipe = self.lock.recipe;
        let is_taken = recipe.is_for_postgres() && self.postgres.token != PgToken::None;
        let is_read = recipe.is_for_consul() && self.consul.token != ConsulToken::None;
        recipe.gives_token() || is_taken || is_read
    }

    /// How many nodes its lock service has.
    pub fn nodes(&self) -> u8 {
        match self.lock.service {
            Service::Etcd => self.etcd.members,
            Service::Redis => self.redis.replicas.saturating_add(1),
            Service::Redlock => self.redlock.nodes,
            Service::ZooKeeper => self.zookeeper.servers,
            Service::Postgres => self.postgres.standbys.saturating_add(1),
            Service::Consul => self.consul.servers,
            Service::Objects => 1,
        }
    }

    /// The lock's name at its service: a znode is named by its path.
    pub fn lock(&self) -> Text {
        self.named(&self.lock.key)
    }

    fn named(&self, key: &str) -> Text {
        match self.lock.service {
            Service::ZooKeeper if !key.starts_with('/') => format!("/{key}").into(),
            _ => key.into(),
        }
    }

    /// The name of the lock that a worker takes.
    pub fn lock_of(&self, worker: &WorkerSpec) -> Text {
        if worker.lock.is_empty() { self.lock() } else { self.named(&worker.lock) }
    }

    /// All locks by name, each once.
    pub fn locks(&self) -> Vec<Text> {
        let mut locks = Vec::new();
        for lock in self.workers.iter().map(|worker| self.lock_of(worker)) {
            if !locks.contains(&lock) {
                locks.push(lock);
            }
        }
        locks
    }
}
