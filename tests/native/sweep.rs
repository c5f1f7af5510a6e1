//! Every single click, just before and just after every event of a scenario.

use fencepost::properties::PropertyId;
use fencepost::scenario::Scenario;
use fencepost::search::{Kind, Merging, Sweep, Tally};

fn sweep(scenario: &str, kinds: &[Kind], merging: Merging) -> Tally {
    let scenario = Scenario::built_in(scenario).expect("it is built in");
    Sweep::new(&scenario, kinds, merging).and_then(Sweep::finish).expect("it is right")
}

/// Sweeps with and without merging and compares what broke; gives back the first.
#[track_caller]
fn check(scenario: &str, kinds: &[Kind]) -> Tally {
    let merged = sweep(scenario, kinds, Merging::Equal);
    let whole = sweep(scenario, kinds, Merging::None);
    println!(
        "{scenario}: {} runs, {} states, {} runs merged, {} steps for {}",
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
#[ignore = "long: cargo xtask soak"]
fn merging_changes_no_verdict_of_any_scenario() {
    for (id, _) in fencepost::scenario::library::ALL {
        check(id, &Kind::ALL);
    }
}
