//! The scenario format: what a file may say, field by field. A file is TOML.
//!
//! Times are whole milliseconds, but for the moments of clicks, which are whole
//! microseconds, since a click made on the page is made at an exact moment.

use crate::actors::store::api::{MarkKept, Rule};
use crate::actors::worker::config::{
    DeadlineFrom, OnRenewalFailure, Recipe, ReleaseCheck, RenewWithoutProgress, StartOver, Step,
};
use crate::properties::PropertyId;
use crate::scenario::clicks::ClickSpec;
use crate::sim::world::WakeFirst;
use serde::Deserialize;

/// The version of the format this program reads.
pub const FORMAT: u32 = 1;

/// A scenario, as its file says it, with every default filled in.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(default = "one")]
    pub seed: u64,
    /// A run ends here at the latest.
    pub limit_ms: i64,
    /// Where the page stops after *Start* and lets the reader act.
    #[serde(default)]
    pub waits_at_ms: Option<i64>,
    /// The properties it promises: what *safe* means here.
    pub promises: Vec<PropertyId>,
    /// The lock.
    pub lock: LockSpec,
    /// The lock service.
    #[serde(default)]
    pub etcd: EtcdSpec,
    /// The store.
    pub store: StoreSpec,
    /// The links.
    #[serde(default)]
    pub network: NetworkSpec,
    /// The workers, in the order in which they are shown.
    #[serde(rename = "worker")]
    pub workers: Vec<WorkerSpec>,
    /// Starts a waiting worker when one exits.
    #[serde(default)]
    pub orchestrator: Option<OrchestratorSpec>,
    /// What is done to the run.
    #[serde(default, rename = "click")]
    pub clicks: Vec<ClickSpec>,
    /// Other settings worth a run.
    #[serde(default, rename = "variant")]
    pub variants: Vec<VariantSpec>,
}

fn one() -> u64 {
    1
}

/// The lock that the workers want.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockSpec {
    /// Its key, or the prefix of the waiters' keys.
    pub key: String,
    /// How it is taken.
    pub recipe: Recipe,
    /// The lease's TTL asked for, in whole seconds.
    pub ttl_s: i64,
}

/// The etcd cluster.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EtcdSpec {
    /// How many members: an odd number.
    pub members: u8,
    /// The store's revision at the start.
    pub revision: i64,
    /// The election timeout.
    pub election_timeout_ms: i64,
    /// The heartbeat interval; with the election timeout it gives the least TTL.
    pub heartbeat_ms: i64,
}

impl Default for EtcdSpec {
    fn default() -> EtcdSpec {
        EtcdSpec { members: 3, revision: 41, election_timeout_ms: 1_000, heartbeat_ms: 100 }
    }
}

/// The store.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSpec {
    /// What people call it.
    #[serde(default = "report_store")]
    pub title: String,
    /// What it checks.
    pub rule: Rule,
    /// Where it keeps its mark.
    #[serde(default = "durable")]
    pub mark: MarkKept,
    /// How long it needs to store a write.
    #[serde(default)]
    pub write_ms: i64,
    /// The first number of its separate counter.
    #[serde(default = "first_number")]
    pub first_number: i64,
}

fn report_store() -> String {
    "Report store".to_owned()
}

fn durable() -> MarkKept {
    MarkKept::Durable
}

fn first_number() -> i64 {
    100
}

/// The links between machines. Everything is one way.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkSpec {
    /// How long a message takes.
    pub latency_ms: i64,
    /// How long a message between etcd members takes.
    pub member_latency_ms: i64,
    /// A message takes up to so much longer, drawn for each.
    pub jitter_ms: i64,
    /// Messages lost, parts per million.
    pub loss_ppm: u32,
    /// Messages that arrive twice, parts per million.
    pub duplicate_ppm: u32,
}

impl Default for NetworkSpec {
    fn default() -> NetworkSpec {
        NetworkSpec {
            latency_ms: 10,
            member_latency_ms: 1,
            jitter_ms: 0,
            loss_ppm: 0,
            duplicate_ppm: 0,
        }
    }
}

/// A worker, its program and its policies.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkerSpec {
    /// What people call it.
    pub name: String,
    /// When its program begins; without it, when the orchestrator says so.
    #[serde(default)]
    pub starts_ms: Option<i64>,
    /// Its program.
    pub program: Vec<Step>,
    /// How much running time `compute` needs.
    #[serde(default)]
    pub compute_ms: i64,
    /// How much running time lies between `check` and the step after it.
    #[serde(default)]
    pub check_ms: i64,
    /// How much running time the upload of `slow-write` needs.
    #[serde(default)]
    pub upload_ms: i64,
    /// The job it does.
    pub job: String,
    /// What the partner books for it, in whole units of money.
    pub amount: i64,
    /// How long after an answer the next keepalive is due; TTL/3 without it.
    #[serde(default)]
    pub renew_ms: Option<i64>,
    /// Whether renewals go on when the main thread makes no progress.
    #[serde(default = "always")]
    pub renew_without_progress: RenewWithoutProgress,
    /// How long the main thread may wait for one answer and still count as alive.
    #[serde(default = "ten_seconds")]
    pub progress_ms: i64,
    /// What it does when it cannot renew, or learns that its session is over.
    #[serde(default = "carry_on")]
    pub on_renewal_failure: OnRenewalFailure,
    /// How long a due renewal may go unanswered before that counts as a failure.
    #[serde(default)]
    pub renewal_unanswered_ms: Option<i64>,
    /// What its own deadline is counted from.
    #[serde(default = "answer")]
    pub deadline_from: DeadlineFrom,
    /// Whether a release makes sure that the lock is its own.
    #[serde(default = "owner")]
    pub release: ReleaseCheck,
    /// How often an unanswered call is sent again.
    #[serde(default = "three")]
    pub retries: u32,
    /// How long an answer is waited for.
    #[serde(default = "two_seconds")]
    pub request_timeout_ms: i64,
    /// Whether it begins anew after it stopped.
    #[serde(default = "no")]
    pub start_over: StartOver,
    /// What it does first on waking.
    #[serde(default = "work")]
    pub wake_first: WakeFirst,
    /// How far its wall clock is ahead of the right time.
    #[serde(default)]
    pub wall_ahead_ms: i64,
    /// Its clocks' rate, parts per million.
    #[serde(default = "right_rate")]
    pub rate_ppm: i64,
}

fn always() -> RenewWithoutProgress {
    RenewWithoutProgress::Always
}

fn carry_on() -> OnRenewalFailure {
    OnRenewalFailure::CarryOn
}

fn answer() -> DeadlineFrom {
    DeadlineFrom::Answer
}

fn owner() -> ReleaseCheck {
    ReleaseCheck::Owner
}

fn no() -> StartOver {
    StartOver::No
}

fn work() -> WakeFirst {
    WakeFirst::Work
}

fn three() -> u32 {
    3
}

fn two_seconds() -> i64 {
    2_000
}

fn ten_seconds() -> i64 {
    10_000
}

fn right_rate() -> i64 {
    crate::sim::clock::RIGHT_RATE_PPM
}

/// The orchestrator.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrchestratorSpec {
    /// How long after an exit it starts the next waiting worker.
    pub restart_after_ms: i64,
}

/// Other settings worth a run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariantSpec {
    /// Names it, within the scenario.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// Settings by path, as in `store.rule` or `worker.W1.compute_ms`.
    #[serde(default)]
    pub set: toml::Table,
    /// What is done to the run instead of the scenario's clicks.
    #[serde(default, rename = "click")]
    pub clicks: Option<Vec<ClickSpec>>,
}
