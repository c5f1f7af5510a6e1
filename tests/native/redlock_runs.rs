//! Workers with a lock by Redlock, through the scenario format: renewals, releases, split
//! votes, and what arrives late.

use crate::redis_runs::{TEXT, run_of};
use crate::shown::{Shown, check_broken, check_rests_on};
use fencepost::properties::PropertyId::{
    GrantedToTwo, NeverFinished, NeverReleased, TokenNotRising, TwoBelieve, WrongLockReleased,
};
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

/// Cuts a worker off from nodes for a while, or delays its first SET to one.
fn cut_at(at_us: i64, worker: &str, nodes: &[u8], for_ms: i64) -> String {
    let one = |node: &u8| {
        format!(
            "{{ at_us = {at_us}, do.cut = {{ from = \"{worker}\", to = \"R{node}\", for_ms = {for_ms} }} }}, "
        )
    };
    nodes.iter().map(one).collect()
}

fn late_set(by_ms: i64) -> String {
    format!(
        "{{ at_us = 5_000, do.delay = {{ message = {{ from = \"W1\", to = \"R3\", kind = \"set\", nth = 1 }}, by_ms = {by_ms} }} }}, "
    )
}

#[test]
fn a_renewal_that_failed_once_leaves_its_holder_what_it_was_promised() {
    let own = [
        ("lock.ttl_s", "30"),
        ("lock.retry_ms", "200"),
        ("limit_ms", "60_000"),
        ("worker.W1.compute_ms", "25_000"),
        RENEWS,
        ("worker.W1.on_renewal_failure", "carry-on"),
        ("worker.W2.starts_ms", "13_000"),
    ];
    // Both have R3 only in common, whose clock is set on by a minute.
    let clicks = cut("W1", &[4, 5])
        + &cut("W2", &[1, 2])
        + "{ at_us = 12_000_000, do.step-wall = { node = \"R3\", by_ms = 60_000 } }, ";
    let failed = clicks.clone() + &cut_at(9_900_000, "W1", &[3], 300);
    for (clicks, failures) in [(clicks, 0), (failed, 1)] {
        let shown = shown(&own, &clicks);
        let before = shown.times("W1 cannot renew").iter().filter(|at| **at < 12_000_000).count();
        assert_eq!(before, failures);
        assert!(!holds(&shown, GrantedToTwo), "{failures} failed before");
    }
}

/// W1 has two votes in time and a third one late; W2 comes when the two are over.
const SPLIT_IN_TIME: [(&str, &str); 3] =
    [("lock.retry_ms", "60_000"), ("limit_ms", "25_000"), ("worker.W2.starts_ms", "10_100")];

#[test]
fn a_set_that_arrives_when_its_value_was_given_up_grants_nothing_to_anybody() {
    let clicks = cut("W1", &[4, 5]) + &cut("W2", &[3]) + &late_set(8_000);
    let cut_off = cut_at(30_000, "W1", &[1, 2, 3], 5_000);
    let crash = "{ at_us = 6_000, do.crash = { node = \"W1\", restart_after_ms = 9_000 } }, ";
    for more in [&*cut_off, crash] {
        let shown = shown(&SPLIT_IN_TIME, &format!("{clicks}{more}"));
        assert_eq!(shown.times("R3 votes for W1")[0], 8_010_000);
        assert_eq!(shown.times("W2 counts 4 votes and has the lock").len(), 1);
        assert!(holds(&shown, GrantedToTwo), "after {more}");
    }
}

#[test]
fn a_majority_that_nobody_has_counted_lasts_as_long_as_the_vote_that_ends_first() {
    let pause = r#"{ at_us = 500_000, do.pause = { node = "W1", for_ms = 15_000 } }"#;
    let clicks = cut("W1", &[4, 5]) + &cut("W2", &[3]) + &late_set(1_000) + pause;
    let node_timeout = ("redlock.node_timeout_ms", "5_000");
    let settings = [&SPLIT_IN_TIME[..], &[node_timeout]].concat();
    let shown = shown(&settings, &clicks);
    assert_eq!(shown.times("R3 votes for W1"), [1_010_000]);
    // Two of the three ended at 10.01 s, the third would at 11.01 s.
    let second = shown.times("R1 votes for W2")[0];
    assert!((10_010_000..11_010_000).contains(&second), "{second}");
    assert!(holds(&shown, GrantedToTwo));
}

#[test]
fn what_is_left_of_a_lock_given_back_is_deleted_by_name_without_harm() {
    let settings = [
        ("lock.ttl_s", "30"),
        ("worker.W1.compute_ms", "2_000"),
        ("worker.W2.starts_ms", "3_000"),
        ("worker.W2.release", "name-only"),
        ("limit_ms", "25_000"),
    ];
    let clicks = cut("W1", &[4, 5]).replace("at_us = 0", "at_us = 1_000_000");
    let shown = shown(&settings, &clicks);
    assert!(shown.only("R4 votes for W1 no more") > 3_000_000, "W2 takes what is left");
    check_broken(&shown, &[TokenNotRising]);
}

#[test]
fn what_a_majority_that_crashed_upheld_is_over_with_its_time() {
    let crash =
        |node: u8| format!("{{ at_us = 2_000_000, do.crash = {{ node = \"R{node}\" }} }}, ");
    let clicks = cut("W1", &[4, 5]) + &crash(1) + &crash(2) + &crash(3);
    let shown = shown(&[("worker.W2.starts_ms", "8_000"), ("limit_ms", "30_000")], &clicks);
    assert!(holds(&shown, NeverReleased));
    assert!(!holds(&shown, NeverFinished), "two nodes are no majority");
}

#[test]
fn who_keeps_no_deadline_has_nothing_to_check_and_goes_on() {
    let program = r#"["acquire", "read", "compute", "check", "write", "release"]"#;
    let checks = ("worker.W1.program", program);
    let none = shown(&[checks, ("redlock.check", "\"none\"")], "");
    assert_eq!(none.times("W1 finds its time not over"), [0; 0]);
    assert_eq!(none.times("W1 has no deadline to check").len(), 1);
    assert_eq!(none.times("W1 stops"), [0; 0]);
    check_broken(&none, &[TokenNotRising]);
}

#[test]
fn a_renewal_in_between_hides_no_cut_from_the_store() {
    let cut = r#"{ at_us = 2_000_000, do.cut = { from = "W1", to = "store" } }"#;
    let settings = [
        ("lock.ttl_s", "9"),
        ("limit_ms", "5_000"),
        ("worker.W1.compute_ms", "2_500"),
        RENEWS,
        ("worker.W2.starts_ms", "6_000"),
    ];
    let shown = shown(&settings, cut);
    assert_eq!(shown.times("W1 counts 5 votes and has the lock").len(), 2);
    check_rests_on(&shown, "W1 writes in try 2", &["click 1 is made"]);
}

#[test]
fn too_few_votes_rest_on_a_cut_that_was_there_before_they_were_asked_for() {
    let clicks = cut("W1", &[3, 4, 5]).replace("at_us = 0", "at_us = 500_000");
    let settings =
        [("limit_ms", "1_060"), ("worker.W1.starts_ms", "1_000"), ("worker.W2.starts_ms", "6_000")];
    let shown = shown(&settings, &clicks);
    let causes = ["click 1 is made", "click 2 is made", "click 3 is made"];
    check_rests_on(&shown, "W1 counts 2 votes", &causes);
}
