//! Workers with a lock by Redlock, through the scenario format: renewals, releases, split
//! votes, and what arrives late.

use crate::redis_runs::{TEXT, run_of};
use crate::shown::{Shown, check_broken};
use fencepost::properties::PropertyId::{TokenNotRising, TwoBelieve, WrongLockReleased};
use fencepost::properties::{Judged, PropertyId};

/// The party of one Redis node with five: a lock of 10 s, work of 6 s, and a store that
/// checks nothing.
fn shown(settings: &[(&str, &str)], clicks: &str) -> Shown {
    let own = [("lock.service", "redlock"), ("lock.recipe", "redlock")];
    let settings: Vec<_> = own.iter().chain(settings).copied().collect();
    Shown::of(run_of(TEXT, &settings, clicks))
}

/// Cuts a worker off from nodes, from the start on.
fn cut(worker: &str, nodes: &[u8]) -> String {
    let one = |node: &u8| {
        format!("{{ at_us = 0, do.cut = {{ from = \"{worker}\", to = \"R{node}\" }} }}, ")
    };
    nodes.iter().map(one).collect()
}

fn holds(shown: &Shown, property: PropertyId) -> bool {
    shown.replay.moment().observer.verdict(property, Judged::AtTheEnd).holds()
}

const LONG_WORK: (&str, &str) = ("worker.W1.compute_ms", "25_000");
const RENEWS: (&str, &str) = ("worker.W1.renewal", "owner");
const STOPS: (&str, &str) = ("worker.W1.on_renewal_failure", "stop-work");

#[test]
fn one_after_the_other_has_a_majority() {
    let shown = shown(&[], "");
    assert_eq!(shown.times("W1 counts 5 votes and has the lock"), [20_000]);
    assert_eq!(shown.times("W1 believes no more"), [6_060_000]);
    // It asks again after a random time of up to a second.
    let second = shown.only("W2 counts 5 votes and has the lock");
    assert!((6_060_000..7_200_000).contains(&second), "{second}");
    check_broken(&shown, &[TokenNotRising]);
}

#[test]
fn votes_that_are_split_grant_nothing_and_are_given_back() {
    let split = cut("W1", &[3, 4, 5]) + &cut("W2", &[1, 2, 5]);
    let shown = shown(&[("limit_ms", "5_000")], &split);
    assert!(shown.times("W1 counts 2 votes").len() > 2);
    assert!(shown.times("W2 counts 2 votes").len() > 2);
    assert!(shown.times("R1 votes for W1 no more").len() > 2);
    assert_eq!(shown.times("W1 believes, with 0"), [0; 0]);
    assert_eq!(shown.times("W2 believes, with 0"), [0; 0]);
}

#[test]
fn a_majority_renews_and_a_minority_does_not() {
    let renewed = shown(&[LONG_WORK, RENEWS, STOPS], "");
    assert_eq!(renewed.times("W1 cannot renew"), [0; 0]);
    assert_eq!(renewed.times("PUT 0 is accepted").len(), 1, "W2 finds the job done");
    check_broken(&renewed, &[TokenNotRising]);
    // Of five nodes three are cut off before the first renewal.
    let later = cut("W1", &[1, 2, 3]).replace("at_us = 0", "at_us = 1_000_000");
    let lost = shown(&[LONG_WORK, RENEWS, STOPS], &later);
    // A third of the TTL after it was granted, and the time for a node.
    assert_eq!(lost.times("W1 cannot renew"), [20_000 + 3_333_333 + 50_000]);
    assert_eq!(lost.times("W1 stops"), [20_000 + 3_333_333 + 50_000]);
    let second = lost.only("W2 counts 5 votes and has the lock");
    assert!(second > 10_000_000, "three of its keys are left for their time: {second}");
    check_broken(&lost, &[TokenNotRising]);
}

#[test]
fn who_cannot_renew_and_carries_on_asks_again_and_its_time_ends_at_last() {
    let later = cut("W1", &[1, 2, 3]).replace("at_us = 0", "at_us = 1_000_000");
    let shown = shown(&[LONG_WORK, RENEWS], &later);
    assert!(shown.times("W1 cannot renew").len() > 5);
    assert_eq!(shown.times("W1 has its hold no more"), [10_000_000 - 100_000 - 2_000]);
    assert!(shown.times("W1 stops").is_empty());
    assert!(!holds(&shown, TwoBelieve), "it carries on, and W2 has the lock");
}

#[test]
fn a_node_that_has_crashed_is_no_vote_and_stops_nothing() {
    let crash = "{ at_us = 0, do.crash = { node = \"R2\" } }, \
                 { at_us = 15_000, do.crash = { node = \"R4\" } }";
    let shown = shown(&[LONG_WORK, RENEWS, STOPS], crash);
    // R4 had answered before it crashed.
    assert_eq!(shown.times("W1 counts 4 votes and has the lock"), [20_000]);
    assert_eq!(shown.times("W1 cannot renew"), [0; 0]);
    assert!(!shown.times("W1 counts 3 votes and has the lock").is_empty());
    check_broken(&shown, &[TokenNotRising]);
}

/// W1 stands still for 9 s from 2 s on: its lock is over at 10 s, and it is done at 15 s.
const PAUSE: &str = r#"{ at_us = 2_000_000, do.pause = { node = "W1", for_ms = 9_000 } }"#;

#[test]
fn a_release_by_name_takes_votes_that_are_another_ones() {
    let by_name = shown(&[("worker.W1.release", "name-only")], PAUSE);
    assert!(!holds(&by_name, WrongLockReleased));
    let compared = shown(&[], PAUSE);
    assert!(holds(&compared, WrongLockReleased));
    assert!(!holds(&compared, TwoBelieve));
}

#[test]
fn a_set_that_arrives_after_the_release_is_a_vote_for_nobody_until_its_end() {
    let late = r#"{ at_us = 5_000, do.delay = { message = { from = "W1", to = "R1", kind = "set", nth = 1 }, by_ms = 8_000 } }"#;
    let shown = shown(&[], late);
    assert_eq!(shown.times("W1 counts 4 votes and has the lock"), [50_000]);
    assert_eq!(shown.times("R1 votes for W1"), [8_010_000]);
    // W1 has given it back long since, and R1 keeps it for its time.
    assert_eq!(shown.times("R1 votes for W1 no more"), [18_010_001]);
    check_broken(&shown, &[TokenNotRising]);
}

#[test]
fn the_time_is_counted_from_before_the_first_question() {
    let slow = [("network.latency_ms", "400"), ("redlock.node_timeout_ms", "2000"), LONG_WORK];
    let shown = shown(&[slow[0], slow[1], slow[2], STOPS], "");
    assert_eq!(shown.times("W1 counts 5 votes and has the lock"), [800_000]);
    assert_eq!(shown.times("W1 believes no more"), [10_000_000 - 100_000 - 2_000]);
}

#[test]
fn answers_that_come_later_than_a_node_is_waited_for_are_no_votes() {
    let slow = [("network.latency_ms", "400"), ("limit_ms", "20_000")];
    let shown = shown(&slow, "");
    assert_eq!(shown.times("W1 believes, with 0"), [0; 0]);
    assert!(shown.times("W1 counts 0 votes").len() > 2);
}
