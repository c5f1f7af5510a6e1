//! Whatever is done to a run, the engine goes on, and what scenario (a) promises holds.

use crate::lots::{self, Lots};
use fencepost::actors::Actor;
use fencepost::properties::{Judge, Judged};
use fencepost::scenario::clicks::ClickSpec;
use fencepost::scenario::{Run, Scenario};
use fencepost::sim::event::Event;
use fencepost::sim::replay::Moment;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The store checks owner and sequence, and holders claim first.
const PROMISING: &str = "reconcile";

/// The run of a seed, and what it was made of.
pub fn random_run(scenario: &Scenario, seed: u64) -> Run {
    let mut run = Run { seed, ..scenario.run_without_clicks() };
    run.clicks = lots::clicks(&mut Lots::new(seed), &run);
    run
}

/// The clicks as the page and a link write them.
fn told(clicks: &[ClickSpec]) -> String {
    let lines: Vec<String> = clicks
        .iter()
        .map(|click| serde_json::to_string(click).expect("a click can be written"))
        .collect();
    lines.join("\n")
}

/// Runs a run to its end; how many steps that took.
fn steps_to_end(run: &Run) -> u64 {
    let mut moment = Moment::new(run.world().expect("the run is right"), Judge::new());
    let mut ignore = |_: Event<Actor>| {};
    let limit = run.scenario.limit();
    let mut steps = 0;
    while !moment.world.is_over() && moment.world.next_due().is_some_and(|due| due <= limit) {
        moment.step(&mut ignore);
        steps += 1;
    }
    for id in &run.scenario.spec().promises {
        let verdict = moment.observer.verdict(*id, Judged::AtTheEnd);
        assert!(verdict.holds(), "{id:?} is promised and broken: {verdict:?}");
    }
    steps
}

/// Plays the run of a seed. What breaks is told with the seed and the clicks.
fn play(scenario: &Scenario, seed: u64) -> u64 {
    let clicks = catch_unwind(|| random_run(scenario, seed))
        .unwrap_or_else(|_| panic!("seed {seed} breaks the engine while its clicks are chosen"));
    let played = catch_unwind(AssertUnwindSafe(|| steps_to_end(&clicks)));
    played.unwrap_or_else(|_| panic!("seed {seed} breaks with\n{}", told(&clicks.clicks)))
}

#[test]
fn whatever_is_clicked_no_promise_breaks_and_no_assertion_of_the_engine() {
    let scenario = Scenario::built_in(PROMISING).expect("it is built in");
    for seed in 0..400 {
        play(&scenario, seed);
    }
}

#[test]
#[ignore = "long: a million steps, for `cargo xtask soak`"]
fn a_million_random_steps_break_nothing() {
    let scenario = Scenario::built_in(PROMISING).expect("it is built in");
    let (mut steps, mut seed) = (0, 1_000_000);
    while steps < 1_000_000 {
        steps += play(&scenario, seed);
        seed += 1;
    }
}
