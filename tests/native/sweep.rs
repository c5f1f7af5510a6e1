//! Every single click, just before and just after every event of a scenario.

use fencepost::properties::PropertyId;
use fencepost::scenario::Scenario;
use fencepost::search::{Kind, Merging, Sweep, Tally};

fn begin(scenario: &str, kinds: &[Kind], merging: Merging) -> Sweep {
    let scenario = Scenario::built_in(scenario).expect("it is built in");
    Sweep::new(&scenario, kinds, merging).expect("it is right")
}

fn sweep(scenario: &str, kinds: &[Kind], merging: Merging) -> Tally {
    begin(scenario, kinds, merging).finish().expect("it is right")
}

/// Sweeps with and without merging and compares what broke; gives back the first.
#[track_caller]
fn check(scenario: &str, kinds: &[Kind]) -> Tally {
    check_at_every(1, scenario, kinds)
}

/// The same at every `nth` moment only.
#[track_caller]
fn check_at_every(nth: u32, scenario: &str, kinds: &[Kind]) -> Tally {
    let by = |merging| begin(scenario, kinds, merging).at_every(nth).finish().expect("it is right");
    let (merged, whole) = (by(Merging::Equal), by(Merging::None));
    println!(
        "{scenario}: {} runs, {} states, {} runs merged, {} steps for {}; at every {nth}. moment",
        merged.runs, merged.states, merged.merged, merged.steps, whole.steps
    );
    assert!(merged.merged > 0, "no two runs of {scenario} reach an equal state");
    assert_eq!(merged.runs, whole.runs, "{scenario}");
    assert_eq!(merged.broken, whole.broken, "merging changes a verdict of {scenario}");
    assert_eq!(merged.first, whole.first, "merging changes what breaks {scenario} first");
    merged
}

/// Of `kinds`, which can break which property.
#[track_caller]
fn check_breaks(scenario: &str, property: PropertyId, expected: &[Kind]) {
    let breaks =
        |kind: &&Kind| sweep(scenario, &[**kind], Merging::Equal).broken.contains_key(&property);
    let broken: Vec<Kind> = Kind::ALL.iter().filter(breaks).copied().collect();
    assert_eq!(broken, expected, "{property:?} in {scenario}");
}

#[test]
fn no_single_click_breaks_what_the_fenced_scenario_promises() {
    let tally = check("reconcile", &Kind::ALL);
    let promises = Scenario::built_in("reconcile").expect("it is built in").spec().promises.clone();
    for promised in promises {
        assert_eq!(tally.first.get(&promised), None, "{promised:?}");
    }
}

#[test]
fn no_single_click_breaks_what_a_fence_of_conditional_puts_promises() {
    let tally = sweep("conditional-puts", &Kind::ALL, Merging::Equal);
    let scenario = Scenario::built_in("conditional-puts").expect("it is built in");
    for promised in &scenario.spec().promises {
        assert_eq!(tally.first.get(promised), None, "{promised:?}");
    }
}

#[test]
fn a_single_click_has_a_stale_write_accepted_where_nothing_is_checked() {
    let tally = check("reconcile-unfenced", &Kind::ALL);
    assert!(tally.broken.contains_key(&PropertyId::StaleWriteAccepted));
    let stale = [Kind::Pause, Kind::Suspend, Kind::Hold, Kind::Delay, Kind::Duplicate, Kind::Rate];
    check_breaks("reconcile-unfenced", PropertyId::StaleWriteAccepted, &stale);
}

#[test]
fn every_kind_of_click_can_be_made_in_a_sweep() {
    for kind in Kind::ALL {
        let tally = match kind {
            // Only Redis has a replica to promote.
            Kind::Promote => sweep("redis-failover", &[kind], Merging::Equal),
            _ => sweep("renewal-fails", &[kind], Merging::Equal),
        };
        assert!(tally.runs > 0, "{kind:?}");
    }
}

#[test]
fn a_thinned_sweep_tries_clicks_at_every_nth_moment() {
    let all = begin("renewal-fails", &[Kind::Pause], Merging::None);
    let third = begin("renewal-fails", &[Kind::Pause], Merging::None).at_every(3);
    let clicks = |sweep: Sweep| sweep.extent().expect("it ends").0;
    let (all, third) = (clicks(all), clicks(third));
    // A moment has some five pauses to try, and the last third may be cut off.
    assert!(third.abs_diff(all / 3) <= 5, "{third} of {all}");
    assert_eq!(sweep("renewal-fails", &[Kind::Pause], Merging::None).runs, all);
}

/// Steps of one scenario's sweep without merging, about: at most this many are made.
const STEPS: u64 = 1_500_000;

#[test]
#[ignore = "long: cargo xtask soak"]
fn merging_changes_no_verdict_of_any_scenario() {
    for (id, _) in fencepost::scenario::library::ALL {
        let (clicks, events) = begin(id, &Kind::ALL, Merging::None).extent().expect("it ends");
        // A click in the middle leaves half of the run to be made.
        let steps = clicks * u64::from(events) / 2;
        let nth = u32::try_from(steps / STEPS).expect("no run is that long") + 1;
        check_at_every(nth, id, &Kind::ALL);
    }
}
