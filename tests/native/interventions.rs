//! Whatever is done to a run, the engine goes on, and what scenario (a) promises holds.

use crate::lots::{self, Lots};
use crate::two_masters::{broken_of, stands};
use crate::varied::{self, promising};
use fencepost::actors::Actor;
use fencepost::properties::{Judge, Judged, PropertyId};
use fencepost::scenario::clicks::ClickSpec;
use fencepost::scenario::names::Service;
use fencepost::scenario::{Run, Scenario, library};
use fencepost::sim::click::Action;
use fencepost::sim::event::{Event, What};
use fencepost::sim::replay::Moment;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The run of a seed, and what it was made of.
pub fn random_run(scenario: &Scenario, seed: u64) -> Run {
    let mut run = Run { seed, ..scenario.run_without_clicks() };
    run.clicks = lots::clicks(&mut Lots::new(seed), &run);
    run
}

/// The clicks, one a line.
fn told(clicks: &[ClickSpec]) -> String {
    let lines: Vec<String> = clicks.iter().map(|click| format!("{click:?}")).collect();
    lines.join("\n")
}

/// Runs a run to its end.
fn to_end(run: &Run) -> (Moment<Actor, Judge>, u64) {
    let mut moment = Moment::new(run.world().expect("the run is right"), Judge::new());
    let mut ignore = |_: Event<Actor>| {};
    let limit = run.scenario.limit();
    let mut steps = 0;
    while !moment.world.is_over() && moment.world.next_due().is_some_and(|due| due <= limit) {
        moment.step(&mut ignore);
        steps += 1;
    }
    (moment, steps)
}

/// Plays the run of a seed and holds it against the promises; how many steps it took.
/// What breaks is told with the seed and the clicks.
fn play(scenario: &Scenario, promises: &[PropertyId], seed: u64) -> u64 {
    let run = catch_unwind(|| random_run(scenario, seed))
        .unwrap_or_else(|_| panic!("seed {seed} breaks the engine while its clicks are chosen"));
    let played = catch_unwind(AssertUnwindSafe(|| {
        let (moment, steps) = to_end(&run);
        for id in promises.iter().filter(|id| stands(**id, &run)) {
            let verdict = moment.observer.verdict(*id, Judged::AtTheEnd);
            assert!(verdict.holds(), "{id:?} is promised and broken: {verdict:?}");
        }
        steps
    }));
    played.unwrap_or_else(|_| panic!("seed {seed} breaks with\n{}", told(&run.clicks)))
}

#[test]
fn whatever_is_clicked_no_promise_breaks_and_no_assertion_of_the_engine() {
    let (scenario, promises) = promising();
    for seed in 0..400 {
        play(&scenario, &promises, seed);
    }
}

#[test]
fn whatever_is_clicked_and_set_no_promise_breaks_and_no_assertion_of_the_engine() {
    for seed in 10_000..10_300 {
        let (scenario, promises) = varied::harmless(seed);
        play(&scenario, &promises, seed);
    }
}

#[test]
fn whatever_is_clicked_in_any_scenario_the_lock_service_keeps_its_word() {
    let promises = [PropertyId::GrantedToTwo, PropertyId::WrongLockReleased];
    for (_, run) in library::runs().expect("built-in scenarios are right") {
        // Of Redis, a node keeps its word by itself, with a file and without a DEL by name.
        let scenario = match run.scenario.spec().lock.service {
            Service::Etcd | Service::ZooKeeper | Service::Consul => run.scenario,
            Service::Redis => redis_by_itself(&run.scenario),
            // PostgreSQL does without a pooler, and a row by the database's own clock.
            Service::Postgres => postgres_by_itself(&run.scenario),
            // Without a lease no clock has a say.
            Service::Objects => object_for_good(&run.scenario),
            // Whose word rests on clocks that nobody sets, and here they are set.
            Service::Redlock => continue,
        };
        for seed in 20_000..20_020 {
            play(&scenario, &promises, seed);
        }
    }
}

#[test]
fn whatever_is_clicked_a_czxid_that_is_checked_keeps_the_promises() {
    let scenario = Scenario::built_in("zookeeper-pause").expect("it is built in");
    let scenario = scenario.variant("czxid").expect("it has that variant");
    let mut promises = scenario.spec().promises.clone();
    promises.retain(|id| *id != PropertyId::TwoBelieve);
    promises.extend([PropertyId::GrantedToTwo, PropertyId::WrongLockReleased]);
    for seed in 40_000..40_300 {
        play(&scenario, &promises, seed);
    }
}

/// Whatever the clocks say, an object is only put as it was read.
#[test]
fn whatever_is_clicked_an_epoch_that_is_checked_keeps_the_promises() {
    let scenario = Scenario::built_in("object-lock").expect("it is built in");
    for variant in ["epoch", "unchanged"] {
        let scenario = scenario.variant(variant).expect("it has that variant");
        let checked = [("store.rule".to_owned(), "owner-and-sequence".to_owned())];
        let scenario = scenario.with(&checked).expect("there is such a rule");
        let promises = [
            PropertyId::StaleWriteAccepted,
            PropertyId::AcknowledgedWriteLost,
            PropertyId::RightfulHolderRefused,
            PropertyId::TokenNotRising,
            PropertyId::WrongLockReleased,
        ];
        for seed in 70_000..70_200 {
            play(&scenario, &promises, seed);
        }
    }
}

#[test]
fn whatever_is_clicked_and_set_postgresql_keeps_its_word_and_its_numbers_fence() {
    for seed in 50_000..50_100 {
        let (scenario, promises) = varied::of_postgres(seed);
        play(&scenario, &promises, seed);
    }
}

#[test]
fn whatever_is_clicked_and_set_a_write_that_compares_its_keys_create_revision_is_no_stale_one() {
    for seed in 60_000..60_200 {
        let (scenario, promises) = varied::guarded(seed);
        play(&scenario, &promises, seed);
    }
}

/// What keeps the promises of the last test is the comparison.
#[test]
fn the_same_clicks_and_settings_break_a_put_that_compares_nothing() {
    let mut broken: BTreeSet<PropertyId> = BTreeSet::new();
    for seed in 60_000..60_200 {
        let (scenario, promises) = varied::guarded(seed);
        let none = ["W1", "W2"].map(|it| (format!("worker.{it}.guard"), "none".to_owned()));
        let unguarded = scenario.with(&none).expect("there is such a guard");
        broken.extend(broken_of(&random_run(&unguarded, seed), &promises));
    }
    let of_guards = [PropertyId::StaleWriteAccepted, PropertyId::AcknowledgedWriteLost];
    assert!(of_guards.iter().all(|id| broken.contains(id)), "{broken:?}");
}

fn redis_by_itself(scenario: &Scenario) -> Scenario {
    let settings = [
        ("redis.replicas", "0"),
        ("redis.persistence", "aof"),
        ("worker.W1.release", "owner"),
        ("worker.W2.release", "owner"),
        ("click", "[]"),
    ];
    let settings = settings.map(|(path, value)| (path.to_owned(), value.to_owned()));
    scenario.with(&settings).expect("the settings are right")
}

fn object_for_good(scenario: &Scenario) -> Scenario {
    let settings = [("lock.recipe", "object-create"), ("click", "[]")];
    let settings = settings.map(|(path, value)| (path.to_owned(), value.to_owned()));
    scenario.with(&settings).expect("the settings are right")
}

fn postgres_by_itself(scenario: &Scenario) -> Scenario {
    let settings = [("postgres.pool", "0"), ("postgres.clock", "database"), ("click", "[]")];
    let settings = settings.map(|(path, value)| (path.to_owned(), value.to_owned()));
    scenario.with(&settings).expect("the settings are right")
}

#[test]
fn whatever_is_clicked_and_set_in_any_scenario_no_assertion_of_the_engine_breaks() {
    for seed in 30_000..30_300 {
        play(&varied::harmful(seed), &[], seed);
    }
}

/// The kind of a click, as a link writes it.
fn kind(action: &Action<Actor>) -> &'static str {
    match action {
        Action::Pause { .. } => "pause",
        Action::Resume { .. } => "resume",
        Action::Suspend { .. } => "suspend",
        Action::Wake { .. } => "wake",
        Action::Crash { .. } => "crash",
        Action::Restart { .. } => "restart",
        Action::StepWall { .. } => "step-wall",
        Action::SetWall { .. } => "set-wall",
        Action::SetRate { .. } => "set-rate",
        Action::Cut { .. } => "cut",
        Action::Heal { .. } => "heal",
        Action::Hold { .. } => "hold",
        Action::Release { .. } => "release",
        Action::Drop { .. } => "drop",
        Action::Delay { .. } => "delay",
        Action::Duplicate { .. } => "duplicate",
        Action::Set { .. } => "set",
    }
}

#[test]
fn random_clicks_are_of_every_kind_and_break_a_store_that_checks_nothing() {
    let (scenario, promises) = promising();
    let unfenced = ("store.rule".to_owned(), "none".to_owned());
    let unfenced = scenario.with(&[unfenced]).expect("there is such a rule");
    let mut made: BTreeMap<&str, u32> = BTreeMap::new();
    let mut broken: BTreeSet<PropertyId> = BTreeSet::new();
    for seed in 0..400 {
        let replay = random_run(&unfenced, seed).to_end().expect("the run is right");
        for event in replay.past() {
            if let What::Clicked { action, .. } = &event.what {
                *made.entry(kind(action)).or_default() += 1;
            }
        }
        let verdicts = replay.moment().observer.verdicts(Judged::AtTheEnd);
        let ids = verdicts.filter(|(_, verdict)| !verdict.holds()).map(|(id, _)| id);
        broken.extend(ids.filter(|id| promises.contains(id)));
    }
    assert!(made.len() == 17 && made.values().all(|count| *count > 5), "{made:?}");
    let of_tokens = [
        PropertyId::StaleWriteAccepted,
        PropertyId::AcknowledgedWriteLost,
        PropertyId::WorkDoneTwice,
    ];
    assert!(of_tokens.iter().all(|id| broken.contains(id)), "{broken:?}");
}

#[test]
#[ignore = "long: a million steps, for `cargo xtask soak`"]
fn a_million_random_steps_break_nothing() {
    let (scenario, promises) = promising();
    let (mut steps, mut seed) = (0, 1_000_000);
    while steps < 1_000_000 {
        steps += play(&scenario, &promises, seed);
        let (varied, promises) = varied::harmless(seed);
        steps += play(&varied, &promises, seed);
        steps += play(&varied::harmful(seed), &[], seed);
        seed += 1;
    }
}
