//! Grants where two Redis nodes can answer for a lock: who upholds which, and what is lost.

use crate::redis_runs::run_of;
use fencepost::properties::Judged;
use fencepost::properties::PropertyId::{self, GrantedToTwo, NeverReleased};
use fencepost::sim::event::What;

/// A primary and a replica; W1 works for the first number of milliseconds, W2 begins at
/// the second. A lock of 30 s.
pub const TEXT: &str = r#"format = 1
id = "mine"
title = "Mine"
goal = "To be changed."
limit_ms = 300_000
promises = []

[lock]
service = "redis"
key = "job"
recipe = "set-nx"
ttl_s = 30

[redis]
replicas = 1

[store]
rule = "none"

[[worker]]
name = "W1"
starts_ms = 0
program = ["acquire", "read", "compute", "write", "release"]
compute_ms = 100_000
job = "mine"
amount = 1
renewal = "owner"
release = "owner"

[[worker]]
name = "W2"
starts_ms = 20_000
program = ["acquire", "read", "compute", "write", "release"]
compute_ms = 1_000
job = "yours"
amount = 1
renewal = "owner"
"#;

/// Which of these are broken at the end, by a run with settings and clicks.
#[track_caller]
fn check(settings: &[(&str, &str)], clicks: &[&str], broken: &[PropertyId]) {
    let replay = run_of(TEXT, settings, &clicks.join(", ")).to_end().expect("it can be run");
    let missed = replay.past().iter().find(|event| matches!(event.what, What::ClickMissed { .. }));
    assert!(missed.is_none(), "a click does nothing: {missed:?}");
    let judge = &replay.moment().observer;
    let is_broken = |id: &PropertyId| !judge.verdict(*id, Judged::AtTheEnd).holds();
    let found: Vec<PropertyId> =
        [GrantedToTwo, NeverReleased].into_iter().filter(is_broken).collect();
    assert_eq!(found, broken);
}

fn click(ms: i64, what: &str) -> String {
    format!("{{ at_us = {ms}_000, do.{what} }}")
}

const CUT_REPLICATION: &str = r#"cut = { from = "R1", to = "R2" }"#;
const PROMOTE: &str = r#"promote = { node = "R2" }"#;
const CRASH_R1: &str = r#"crash = { node = "R1" }"#;

fn clicks(of: &[(i64, &str)]) -> Vec<String> {
    of.iter().map(|(ms, what)| click(*ms, what)).collect()
}

#[track_caller]
fn check_clicks(settings: &[(&str, &str)], of: &[(i64, &str)], broken: &[PropertyId]) {
    let all = clicks(of);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    check(settings, &all, broken);
}

#[test]
fn a_copied_key_that_dies_ends_no_grant_that_the_old_primary_upholds() {
    let isolated = [
        (5_000, CUT_REPLICATION),
        (5_001, r#"cut = { from = "W2", to = "R1" }"#),
        (6_000, PROMOTE),
    ];
    check_clicks(&[], &isolated, &[GrantedToTwo]);
    // Where W1 is done before, nothing is granted beside it.
    check_clicks(&[("worker.W1.compute_ms", "10000")], &isolated, &[]);
}

#[test]
fn a_primary_that_is_made_a_replica_gives_up_what_it_granted() {
    let settings = [
        ("worker.W1.starts_ms", "2000"),
        ("worker.W1.compute_ms", "30000"),
        ("worker.W2.starts_ms", "150000"),
    ];
    let demoted = [
        (500, CUT_REPLICATION),
        (1_000, PROMOTE),
        (10_000, r#"heal = { from = "R1", to = "R2" }"#),
        (11_000, r#"follow = { node = "R1", primary = "R2" }"#),
    ];
    check_clicks(&settings, &demoted, &[]);
    // While W1 works, the lock is another's.
    check_clicks(
        &[&settings[..2], &[("worker.W2.starts_ms", "15000")]].concat(),
        &demoted,
        &[GrantedToTwo],
    );
}

#[test]
fn an_old_primary_that_comes_back_empty_touches_no_grant_of_the_new_one() {
    let settings = [("worker.W1.starts_ms", "290000"), ("worker.W2.compute_ms", "20000")];
    // R2's clock stands still, so that its key outlives the run.
    let without = [
        (10_000, CRASH_R1),
        (12_000, PROMOTE),
        (30_000, r#"crash = { node = "W2" }"#),
        (31_000, r#"set-rate = { node = "R2", rate_ppm = 1 }"#),
    ];
    check_clicks(&settings, &without, &[NeverReleased]);
    let mut with = without.to_vec();
    with.insert(2, (25_000, r#"restart = { node = "R1" }"#));
    // W1 is granted the lock by R1 then, while W2's is forgotten by nobody but itself.
    check_clicks(&settings, &with, &[NeverReleased]);
}

#[test]
fn a_holder_that_had_given_up_has_lost_nothing() {
    let settings = [("worker.W1.compute_ms", "1000"), ("worker.W2.starts_ms", "60000")];
    let patient = [&settings[..], &[("redis.promote_after_ms", "10000")]].concat();
    let crashes = [
        (1_000, CRASH_R1),
        (3_000, r#"crash = { node = "R2" }"#),
        (5_000, r#"restart = { node = "R2" }"#),
    ];
    check_clicks(&patient, &crashes, &[]);
    let crashed = [
        (5, CUT_REPLICATION),
        (5_000, r#"crash = { node = "W1" }"#),
        (10_000, CRASH_R1),
        (11_000, PROMOTE),
    ];
    check_clicks(&[], &crashed, &[]);
}

#[test]
fn what_is_lost_ends_when_its_key_would_have_ended() {
    let lost = [(5, CUT_REPLICATION), (10_000, CRASH_R1), (15_000, PROMOTE)];
    let unrenewed = [("worker.W1.renewal", "none"), ("worker.W1.compute_ms", "200000")];
    let second_at = |ms| [&unrenewed[..], &[("worker.W2.starts_ms", ms)]].concat();
    check_clicks(&second_at("100000"), &lost, &[]);
    check_clicks(&second_at("25000"), &lost, &[GrantedToTwo]);
}
