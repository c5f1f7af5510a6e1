//! Every turn of events has causes that lead back to a click or to the run's beginning,
//! and they tell the story.

use crate::interventions::random_run;
use crate::shown::{check_among, check_rests_on, shown};
use fencepost::actors::Actor;
use fencepost::properties::PropertyId::{self, StaleWriteAccepted, WorkDoneTwice};
use fencepost::properties::{Judged, Verdict, turns, why};
use fencepost::scenario::{Run, Scenario, library};
use fencepost::sim::event::{Event, EventId, What};
use std::collections::BTreeSet;

/// What kind of turn it is, without its numbers: whose turn it is to get a lock may
/// change because of what did not happen, which causes nothing.
fn told(event: &Event<Actor>) -> String {
    format!("{:?}", event.what).replace(|c: char| c.is_ascii_digit(), "")
}

/// A kind of turn that comes about only with the clicks has a click in its why-chain;
/// gives back how many such turns there were.
fn check_caused_by_clicks(name: &str, run: &Run) -> usize {
    let quiet = Run { clicks: Vec::new(), ..run.clone() }.to_end().expect("it is right");
    let is_turn = |event: &&Event<Actor>| turns::is_turn(&event.what);
    let without: BTreeSet<String> = quiet.past().iter().filter(is_turn).map(told).collect();
    let replay = run.to_end().expect("its clicks are right");
    let trace = replay.past();
    let mut checked = 0;
    for event in trace.iter().filter(is_turn).filter(|event| !without.contains(&told(event))) {
        let chain = why::chain(trace, event.id);
        let is_click = |id: &EventId| {
            let what = &trace[id.index()].what;
            matches!(what, What::Clicked { .. } | What::ClickMissed { .. })
        };
        assert!(chain.iter().any(is_click), "{name}: no click among the causes of {event:?}");
        checked += 1;
    }
    checked
}

#[test]
fn what_never_comes_about_without_the_clicks_has_a_click_in_its_why_chain() {
    for (name, run) in library::runs().expect("built-in scenarios are right") {
        let checked = check_caused_by_clicks(&name, &run);
        assert_eq!(checked > 0, !run.clicks.is_empty(), "{name}");
    }
}

#[test]
fn what_random_clicks_bring_about_has_a_click_in_its_why_chain() {
    for (id, _) in library::ALL {
        let scenario = Scenario::built_in(id).expect("built in");
        for seed in 0..12 {
            let run = random_run(&scenario, seed);
            check_caused_by_clicks(&format!("{id}, seed {seed}"), &run);
        }
    }
}

#[test]
fn a_refusal_rests_on_the_pause_the_end_of_the_lease_and_the_next_holders_claim() {
    check_rests_on(
        &shown("reconcile"),
        "PUT 42 is refused: 43 was seen",
        &[
            "W1 believes, with 42",
            "click 1 is made",
            "the lease of W1 expires",
            "the lock is granted to W2 with 43",
            "claim 43 is accepted",
            "W1 sends PUT 42",
        ],
    );
}

/// What broke a property rests on these.
#[track_caller]
fn check_broken_by(name: &str, property: PropertyId, causes: &[&str]) {
    let shown = shown(name);
    let verdict = shown.replay.moment().observer.verdict(property, Judged::AtTheEnd);
    let Verdict::Broken { witness } = verdict else { panic!("{property:?} holds in {name}") };
    check_among(&shown, &why::of_fault(shown.replay.past(), witness), causes);
}

#[test]
fn a_stale_write_is_accepted_because_of_the_pause_and_stale_because_of_the_next_claim() {
    check_broken_by(
        "reconcile-unfenced",
        StaleWriteAccepted,
        &[
            "click 1 is made",
            "the lease of W1 expires",
            "the lock is granted to W2 with 43",
            "claim 43 is accepted",
            "PUT 42 is accepted",
        ],
    );
}

#[test]
fn work_is_done_twice_by_two_writes_and_both_are_told() {
    check_broken_by("refund", WorkDoneTwice, &["PUT 42 is accepted", "PUT 43 is accepted"]);
}

#[test]
fn a_lease_ends_because_of_a_slow_clock() {
    check_rests_on(&shown("slow-clock"), "the lease of W1 expires", &["click 1 is made"]);
}

#[test]
fn an_exit_rests_on_the_cut() {
    let cut = shown("renewal-fails");
    check_rests_on(&cut, "W1 exits", &["W1 cannot renew", "click 1 is made"]);
    check_rests_on(&cut, "the lease of W1 expires", &["click 1 is made"]);
    let blocked = shown("renewal-fails.heartbeat-blocked");
    check_rests_on(&blocked, "W1 exits", &["click 1 is made"]);
    check_rests_on(&blocked, "the lease of W1 is revoked", &["W1 cannot renew", "click 1 is made"]);
}
