//! Scenarios with other settings, by seed.

use crate::lots::Lots;
use fencepost::actors::store::api::Rule;
use fencepost::actors::worker::config::{PgToken, Recipe, RowClock, Step};
use fencepost::properties::PropertyId;
use fencepost::scenario::names::Service;
use fencepost::scenario::read::Setting;
use fencepost::scenario::spec::StoreKind;
use fencepost::scenario::{Scenario, library};

/// The store checks owner and sequence, and holders claim first.
const PROMISING: &str = "reconcile";

/// What can be set, and to what.
type Choices = &'static [(&'static str, &'static [&'static str])];

/// None of these makes a difference to what scenario (a) promises.
const HARMLESS: Choices = &[
    ("etcd.members", &["1", "3", "5"]),
    ("lock.recipe", &["queue", "create-if-absent"]),
    ("lock.ttl_s", &["1", "2", "5", "30"]),
    ("network.latency_ms", &["1", "10", "400"]),
    ("network.jitter_ms", &["0", "30", "3000"]),
    ("network.loss_ppm", &["0", "0", "50000", "300000"]),
    ("network.duplicate_ppm", &["0", "0", "50000", "300000"]),
    ("store.write_ms", &["0", "0", "50", "5000"]),
    ("store.rule", &["owner-and-sequence", "same-transaction"]),
];

/// The same, of each worker.
const HARMLESS_TO_WORKERS: Choices = &[
    ("on_renewal_failure", &["exit", "stop-work", "carry-on"]),
    ("start_over", &["yes", "no"]),
    ("renew_without_progress", &["always", "no"]),
    ("renew_ms", &["200", "3000", "20000"]),
    ("renewal_unanswered_ms", &["500", "5000"]),
    ("deadline_from", &["before-request", "answer"]),
    ("wake_first", &["work", "timers", "messages"]),
    ("compute_ms", &["0", "1000", "28000"]),
    ("check_ms", &["0", "2000"]),
    ("upload_ms", &["0", "1000", "28000"]),
    ("retries", &["0", "3"]),
    ("request_timeout_ms", &["100", "2000"]),
    ("rate_ppm", &["999000", "1000000", "1003000"]),
    (
        "program",
        &[
            r#"["acquire", "claim", "compute", "write", "release"]"#,
            r#"["acquire", "claim", "compute", "check", "write", "release"]"#,
            r#"["acquire", "claim", "compute", "slow-write", "release"]"#,
            r#"["acquire", "claim", "compute", "write"]"#,
        ],
    ),
];

/// These break promises.
const HARMFUL: Choices = &[
    ("lock.recipe", &["queue", "create-if-absent", "get-then-put", "election"]),
    ("store.mark", &["durable", "in-memory"]),
    (
        "store.rule",
        &[
            "none",
            "at-least",
            "owner-and-sequence",
            "compare-and-set",
            "dedupe-key",
            "same-transaction",
            "strictly-greater",
            "last-seen",
            "check-then-put",
            "check-at-start",
            "term-and-key",
        ],
    ),
];

/// The same, of each worker.
const HARMFUL_TO_WORKERS: Choices = &[
    ("release", &["owner", "name-only"]),
    (
        "program",
        &[
            r#"["draw-number", "acquire", "claim", "compute", "write", "release"]"#,
            r#"["acquire", "read", "write", "slow-write", "write", "release"]"#,
            r#"["acquire", "claim", "slow-write", "check", "slow-write"]"#,
            r#"["acquire", "check", "compute", "release"]"#,
        ],
    ),
];

/// What Redis alone has.
const OF_REDIS: Choices = &[
    ("lock.recipe", &["set-nx", "setnx-expire", "set-and-count"]),
    ("lock.retry_ms", &["100", "1000", "30000"]),
    ("redis.persistence", &["none", "aof"]),
];

const OF_REDIS_TO_WORKERS: Choices = &[("renewal", &["owner", "name-only", "none"])];

/// What ZooKeeper alone has.
const OF_ZOOKEEPER: Choices = &[
    ("zookeeper.servers", &["1", "3", "5"]),
    ("zookeeper.token", &["czxid", "suffix", "version"]),
    ("zookeeper.tick_ms", &["500", "2000"]),
    ("zookeeper.container_check_ms", &["1000", "60000"]),
];

const OF_ZOOKEEPER_TO_WORKERS: Choices = &[("stops_at", &["suspended", "lost"])];

/// What says nothing of ZooKeeper.
const NOT_OF_ZOOKEEPER: [&str; 7] = [
    "lock.recipe",
    ".renew_ms",
    ".renewal",
    ".renewal_unanswered_ms",
    ".renew_without_progress",
    ".deadline_from",
    ".release",
];

/// What PostgreSQL alone has.
const OF_POSTGRES: Choices = &[
    ("lock.recipe", &["advisory", "try-advisory", "advisory-xact", "row-lock", "lock-row"]),
    ("lock.retry_ms", &["100", "1000", "30000"]),
    ("postgres.pool", &["0", "0", "1", "2"]),
    ("postgres.standbys", &["0", "1"]),
    ("postgres.token", &["none", "fence-column", "sequence"]),
    ("postgres.clock", &["database", "client"]),
    ("postgres.lock_timeout_ms", &["500", "20000"]),
    ("postgres.idle_in_transaction_ms", &["500", "20000"]),
    ("postgres.idle_session_ms", &["500", "20000"]),
];

const OF_POSTGRES_TO_WORKERS: Choices = &[("renewal", &["owner", "none"])];

/// What Consul alone has.
const OF_CONSUL: Choices = &[
    ("lock.ttl_s", &["10", "15", "60"]),
    ("lock.retry_ms", &["100", "5000"]),
    ("consul.token", &["modify-index", "lock-index", "none"]),
    ("consul.lock_delay_ms", &["0", "1000", "60000"]),
    ("consul.behavior", &["release", "delete"]),
    ("consul.election_timeout_ms", &["1000", "5000"]),
    ("consul.servers", &["1", "3", "5"]),
    ("consul.reads", &["default", "stale"]),
];

/// What an object store that gives locks alone has.
const OF_OBJECTS: Choices = &[
    ("lock.recipe", &["object-create", "object-lease"]),
    ("lock.retry_ms", &["100", "1000", "30000"]),
    ("objects.until", &["timestamp", "unchanged"]),
    ("objects.release", &["free", "delete"]),
    ("objects.settle", &["look", "never"]),
];

/// What a store of ours alone has, and the partner beside it.
const OF_A_STORE: Choices = &[
    ("store.scope", &["store", "object"]),
    ("partner.keys", &["ignored", "checked"]),
    ("partner.relay_ms", &["1", "1000"]),
];

const OF_A_STORE_TO_WORKERS: Choices =
    &[("objects", &["[]", r#"["fees"]"#, r#"["fees", "bills"]"#])];

/// What is said where servers tell of several locks.
const OF_SEVERAL_LOCKS_TO_WORKERS: Choices = &[("lock", &["second"])];

/// What is said where the data is kept in etcd.
const IN_ETCD_TO_WORKERS: Choices = &[(
    "guard",
    &[
        "create-revision",
        "mod-revision",
        "key-exists",
        "read-first",
        "read-first-serializable",
        "none",
    ],
)];

const OF_A_REPLICA: Choices =
    &[("redis.promote_after_ms", &["500", "5000"]), ("redis.wait_ms", &["100", "1000", "5000"])];

/// What says nothing of Redlock.
const NOT_OF_REDLOCK: &[&str] = &["lock.recipe", ".renewal_unanswered_ms", ".deadline_from"];

/// What Redlock alone has.
const OF_REDLOCK: Choices = &[
    ("lock.recipe", &["redlock", "redlock-and-count"]),
    ("lock.retry_ms", &["100", "1000", "30000"]),
    ("redis.persistence", &["none", "aof"]),
    ("redlock.clock", &["monotonic", "wall"]),
    ("redlock.check", &["after-votes", "none"]),
    ("redlock.node_timeout_ms", &["1", "50", "3000"]),
];

/// Draws a value for each setting.
fn draw(of_all: Choices, of_workers: Choices, lots: &mut Lots) -> Vec<Setting> {
    let mut settings = Vec::new();
    for (path, values) in of_all {
        settings.push(((*path).to_owned(), lots.of(values).to_owned()));
    }
    for worker in ["W1", "W2"] {
        for (field, values) in of_workers {
            settings.push((format!("worker.{worker}.{field}"), lots.of(values).to_owned()));
        }
    }
    settings
}

/// The scenario with the settings drawn, each set with one chance in two.
fn with(scenario: &Scenario, mut settings: Vec<Setting>, lots: &mut Lots) -> Scenario {
    settings.retain(|_| lots.below(2) == 0);
    scenario.with(&settings).expect("the settings are right")
}

/// Scenario (a) and its promises.
pub fn promising() -> (Scenario, Vec<PropertyId>) {
    let scenario = Scenario::built_in(PROMISING).expect("it is built in");
    let promises = scenario.spec().promises.clone();
    (scenario, promises)
}

/// Scenario (a) with other settings, and what it promises then.
pub fn harmless(seed: u64) -> (Scenario, Vec<PropertyId>) {
    let lots = &mut Lots::new(seed);
    let (scenario, mut promises) = promising();
    let settings = draw(HARMLESS, HARMLESS_TO_WORKERS, lots);
    if settings.iter().any(|(_, value)| value.contains("slow-write")) {
        // A store that is started again refuses the completion of what it has forgotten.
        promises.retain(|id| *id != PropertyId::RightfulHolderRefused);
    }
    (with(&scenario, settings, lots), promises)
}

/// The report in etcd with other settings, written by a transaction that compares the create
/// revision, and what it promises then. What is sent again after a lost answer is put again,
/// and booked again.
pub fn guarded(seed: u64) -> (Scenario, Vec<PropertyId>) {
    let lots = &mut Lots::new(seed);
    let scenario = Scenario::built_in("guarded-write").expect("it is built in");
    let mut settings = draw(HARMLESS, HARMLESS_TO_WORKERS, lots);
    settings.retain(|(path, _)| path != "store.rule" && path != "etcd.members");
    let mut promises = scenario.spec().promises.clone();
    promises.retain(|id| *id != PropertyId::WorkDoneTwice);
    (with(&scenario, settings, lots), promises)
}

/// Any built-in scenario with any settings: nothing is promised.
pub fn harmful(seed: u64) -> Scenario {
    let lots = &mut Lots::new(seed);
    let (id, _) = lots.of(library::ALL);
    let scenario = Scenario::built_in(id).expect("it is built in");
    let mut settings = draw(HARMLESS, HARMLESS_TO_WORKERS, lots);
    settings.extend(draw(HARMFUL, HARMFUL_TO_WORKERS, lots));
    if scenario.spec().lock.service == Service::Redis {
        settings.retain(|(path, _)| path != "lock.recipe");
        settings.extend(draw(OF_REDIS, OF_REDIS_TO_WORKERS, lots));
        if scenario.spec().redis.replicas == 1 {
            settings.extend(draw(OF_A_REPLICA, &[], lots));
        }
    }
    if scenario.spec().lock.service == Service::Redlock {
        settings.retain(|(path, _)| !NOT_OF_REDLOCK.iter().any(|end| path.ends_with(end)));
        settings.extend(draw(OF_REDLOCK, OF_REDIS_TO_WORKERS, lots));
    }
    if scenario.spec().lock.service == Service::ZooKeeper {
        settings.retain(|(path, _)| !NOT_OF_ZOOKEEPER.iter().any(|end| path.ends_with(end)));
        settings.extend(draw(OF_ZOOKEEPER, OF_ZOOKEEPER_TO_WORKERS, lots));
    }
    if scenario.spec().lock.service == Service::Postgres {
        settings.retain(|(path, _)| path != "lock.recipe");
        settings.extend(draw(OF_POSTGRES, OF_POSTGRES_TO_WORKERS, lots));
    }
    if scenario.spec().lock.service == Service::Consul {
        settings.retain(|(path, _)| path != "lock.recipe" && path != "lock.ttl_s");
        settings.extend(draw(OF_CONSUL, &[], lots));
    }
    if scenario.spec().lock.service == Service::Objects {
        settings.retain(|(path, _)| path != "lock.recipe");
        settings.extend(draw(OF_OBJECTS, OF_REDIS_TO_WORKERS, lots));
    }
    if scenario.spec().store.kind == StoreKind::Etcd {
        // One of its clicks cuts a member from the others.
        settings.retain(|(path, _)| path != "etcd.members");
        settings.extend(draw(&[], IN_ETCD_TO_WORKERS, lots));
    }
    if scenario.spec().store.kind != StoreKind::Fenced {
        // It has neither a rule nor a counter.
        settings.retain(|(path, value)| path != "store.rule" && !value.contains("draw-number"));
    }
    let service = scenario.spec().lock.service;
    if !matches!(service, Service::Postgres | Service::Consul | Service::Objects) {
        settings.extend(draw(&[], OF_SEVERAL_LOCKS_TO_WORKERS, lots));
    }
    if scenario.spec().store.kind == StoreKind::Fenced {
        settings.extend(draw(OF_A_STORE, OF_A_STORE_TO_WORKERS, lots));
        return with_a_partner(&with(&scenario, settings, lots), lots);
    }
    with(&scenario, settings, lots)
}

/// With one chance in two the partner books when it is asked to, by relays or not.
fn with_a_partner(scenario: &Scenario, lots: &mut Lots) -> Scenario {
    if lots.below(2) == 0 {
        return scenario.clone();
    }
    let settings = [("partner.books", "when-asked"), ("partner.relays", lots.of(&["0", "1", "2"]))];
    let settings = settings.map(|(path, value)| (path.to_owned(), value.to_owned()));
    scenario.with(&settings).expect("the settings are right")
}

/// Migrations with other settings of PostgreSQL, and what is promised then: the server's
/// word, without a pooler and by its own clock; and all of the scenario's where a number
/// is drawn that no rollback takes back, and checked.
pub fn of_postgres(seed: u64) -> (Scenario, Vec<PropertyId>) {
    let lots = &mut Lots::new(seed);
    let scenario = Scenario::built_in("schema-migrations").expect("it is built in");
    let mut settings = draw(HARMLESS, HARMLESS_TO_WORKERS, lots);
    settings.retain(|(path, _)| path != "lock.recipe");
    settings.extend(draw(OF_POSTGRES, OF_POSTGRES_TO_WORKERS, lots));
    let scenario = with(&scenario, settings, lots);
    let (lock, postgres) = (&scenario.spec().lock, &scenario.spec().postgres);
    let keeps_word = postgres.pool == 0
        && (lock.recipe != Recipe::LockRow || postgres.clock == RowClock::Database);
    if !keeps_word {
        return (scenario, Vec::new());
    }
    let draws = lock.recipe == Recipe::LockRow
        || postgres.token == PgToken::Sequence
        || postgres.token == PgToken::FenceColumn
            && matches!(lock.recipe, Recipe::Advisory | Recipe::TryAdvisory);
    let is_checked = scenario.spec().store.rule != Rule::None;
    let mut promises = vec![PropertyId::GrantedToTwo, PropertyId::WrongLockReleased];
    if draws && is_checked {
        promises.clone_from(&scenario.spec().promises);
        if scenario.spec().workers.iter().any(|w| w.program.contains(&Step::SlowWrite)) {
            promises.retain(|id| *id != PropertyId::RightfulHolderRefused);
        }
    }
    (scenario, promises)
}
