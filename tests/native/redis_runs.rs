//! Workers with a lock in Redis, through the scenario format: recipes, releases, renewals
//! and what is done to the nodes.

use crate::shown::{Shown, check_broken, check_rests_on};
use fencepost::actors::note::LockNote;
use fencepost::actors::{Actor, Note};
use fencepost::properties::PropertyId::{
    self, AcknowledgedWriteLost, GrantedToTwo, NeverFinished, NeverReleased, RightfulHolderRefused,
    StaleWriteAccepted, TokenNotRising, TwoBelieve, WorkDoneTwice, WrongLockReleased,
};
use fencepost::scenario::{Run, Scenario};
use fencepost::sim::event::{Event, What};

/// Two workers, a node and a store that checks nothing. A lock of 10 s, work of 6 s.
pub const TEXT: &str = r#"format = 1
id = "mine"
title = "Mine"
goal = "To be changed."
limit_ms = 120_000
promises = []

[lock]
service = "redis"
key = "job"
recipe = "set-nx"
ttl_s = 10

[store]
rule = "none"

[[worker]]
name = "W1"
starts_ms = 0
program = ["acquire", "read", "compute", "write", "release"]
compute_ms = 6_000
job = "mine"
amount = 1
renewal = "none"

[[worker]]
name = "W2"
starts_ms = 100
program = ["acquire", "read", "compute", "write", "release"]
compute_ms = 6_000
job = "mine"
amount = 1
renewal = "none"
"#;

/// A scenario's run with settings and clicks.
pub fn run_of(text: &str, settings: &[(&str, &str)], clicks: &str) -> Run {
    let scenario = Scenario::from_text(text).expect("it is right");
    let mut all: Vec<_> =
        settings.iter().map(|(path, it)| ((*path).to_owned(), (*it).to_owned())).collect();
    all.push(("click".to_owned(), format!("[{clicks}]")));
    scenario.with(&all).unwrap_or_else(|error| panic!("{error}")).run()
}

fn run_with(settings: &[(&str, &str)], clicks: &str) -> Run {
    run_of(TEXT, settings, clicks)
}

fn shown(settings: &[(&str, &str)], clicks: &str) -> Shown {
    Shown::of(run_with(settings, clicks))
}

/// Sets something of both workers.
macro_rules! both {
    ($field:literal, $value:literal) => {
        [(concat!("worker.W1.", $field), $value), (concat!("worker.W2.", $field), $value)]
    };
}

/// W1 stands still for 12 s from 2 s on: its lock is over at 10 s.
const PAUSE: &str = r#"{ at_us = 2_000_000, do.pause = { node = "W1", for_ms = 12_000 } }"#;

const COUNTED: [(&str, &str); 4] = [
    ("lock.recipe", "set-and-count"),
    ("store.rule", "owner-and-sequence"),
    ("worker.W1.program", r#"["acquire", "claim", "compute", "write", "release"]"#),
    ("worker.W2.program", r#"["acquire", "claim", "compute", "write", "release"]"#),
];

const REPLICA: (&str, &str) = ("redis.replicas", "1");

#[test]
fn one_after_the_other_holds_the_lock_and_asks_until_it_is_free() {
    let shown = shown(&[], "");
    assert_eq!(shown.times("the lock is granted to W1 with 0"), [10_000]);
    // W1 is done at 6.060 s and deletes its key; W2 asks once a second.
    assert_eq!(shown.times("W1 holds the lock no more"), [6_070_000]);
    assert_eq!(shown.times("the lock is granted to W2 with 0"), [6_230_000]);
    check_broken(&shown, &[TokenNotRising]);
}

#[test]
fn a_holder_that_stands_still_loses_its_lock_and_both_write() {
    let shown = shown(&[], PAUSE);
    assert_eq!(shown.times("the key of W1 expires"), [10_010_001]);
    assert_eq!(shown.times("the lock is granted to W2 with 0"), [10_310_000]);
    let expected =
        [StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve, TokenNotRising];
    check_broken(&shown, &expected);
}

#[test]
fn a_release_by_name_deletes_the_next_holders_key_and_one_that_compares_does_not() {
    // It goes on at 11 s and is done at 15 s, while W2 works.
    let pause = r#"{ at_us = 2_000_000, do.pause = { node = "W1", for_ms = 9_000 } }"#;
    let by_name = shown(&both!("release", "name-only"), pause);
    assert!(by_name.times("W2 holds the lock no more").len() == 1);
    let broken = [WorkDoneTwice, TwoBelieve, TokenNotRising, WrongLockReleased];
    for property in broken {
        check_is_broken(&by_name, property);
    }
    let compared = shown(&[], pause);
    check_is_kept(&compared, WrongLockReleased);
}

#[track_caller]
fn check_is_broken(shown: &Shown, property: PropertyId) {
    assert!(!holds(shown, property), "{property:?} holds");
}

#[track_caller]
fn check_is_kept(shown: &Shown, property: PropertyId) {
    assert!(holds(shown, property), "{property:?} is broken");
}

fn holds(shown: &Shown, property: PropertyId) -> bool {
    use fencepost::properties::Judged::AtTheEnd;
    shown.replay.moment().observer.verdict(property, AtTheEnd).holds()
}

#[test]
fn a_counter_is_a_token_that_the_store_can_check() {
    let shown = shown(&COUNTED, PAUSE);
    assert_eq!(shown.times("the lock is granted to W1 with 1"), [10_000]);
    assert_eq!(shown.times("the lock is granted to W2 with 2"), [10_310_000]);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn after_a_failover_that_lost_a_grant_the_counter_gives_the_same_token_again() {
    let clicks = r#"
        { at_us = 5_000, do.cut = { from = "R1", to = "R2" } },
        { at_us = 2_000_000, do.crash = { node = "R1" } },
        { at_us = 3_000_000, do.promote = { node = "R2" } }"#;
    let settings = [&COUNTED[..], &[REPLICA]].concat();
    let shown = shown(&settings, clicks);
    assert_eq!(shown.times("R2 is promoted"), [3_000_000]);
    assert_eq!(shown.times("the lock is granted to W1 with 1"), [10_000]);
    assert_eq!(shown.times("the lock is granted to W2 with 1").len(), 1);
    // Of two equal tokens the store cannot tell which is the newer.
    for property in [GrantedToTwo, TokenNotRising, TwoBelieve, RightfulHolderRefused] {
        check_is_broken(&shown, property);
    }
}

#[test]
fn a_worker_that_waits_for_the_replica_is_not_granted_what_only_the_primary_has() {
    let clicks = r#"
        { at_us = 5_000, do.cut = { from = "R1", to = "R2" } },
        { at_us = 4_000_000, do.crash = { node = "R1" } },
        { at_us = 5_000_000, do.promote = { node = "R2" } }"#;
    let waits = [REPLICA, ("redis.wait_ms", "500")];
    let shown = shown(&waits, clicks);
    // Nobody comes to believe before the replica is alone, and alone it has no replica.
    assert_eq!(shown.times("W1 believes, with 0"), [0i64; 0]);
    check_is_kept(&shown, TwoBelieve);
    let reached = Shown::of(run_with(&waits, ""));
    assert_eq!(reached.times("W1 believes, with 0"), [42_000]);
}

#[test]
fn a_wait_that_is_longer_than_a_request_gives_the_key_back_and_never_believes_late() {
    let cut = r#"{ at_us = 1, do.cut = { from = "R1", to = "R2" } }"#;
    let waits = |ms| [REPLICA, ("redis.wait_ms", ms), ("worker.W1.request_timeout_ms", "2_000")];
    let longer = shown(&waits("5_000"), cut);
    assert!(longer.times("W1 holds the lock no more").len() > 1);
    assert_eq!(longer.times("W1 believes, with 0"), [0i64; 0]);
    // Longer than the key lives: the replica has it again when it is over, at 10.01 s.
    let heals = r#"{ at_us = 1, do.cut = { from = "R1", to = "R2", for_ms = 12_000 } }"#;
    let from_request = [&waits("15_000")[..], &both!("deadline_from", "before-request")].concat();
    let late = shown(&from_request, heals);
    let grants = late.times("the lock is granted to W1 with 0");
    let believes = late.times("W1 believes, with 0");
    assert!(!believes.is_empty());
    for at in believes {
        assert!(grants.iter().any(|grant| (at - 10_000_000..at).contains(grant)), "at {at}");
    }
    check_is_kept(&late, TwoBelieve);
}

#[test]
fn a_key_that_was_given_back_is_asked_for_again_with_another_value() {
    let clicks = r#"{ at_us = 1, do.cut = { from = "R1", to = "R2", for_ms = 1_000 } }"#;
    let settings = [
        REPLICA,
        ("redis.wait_ms", "500"),
        ("worker.W1.release", "name-only"),
        ("worker.W2.starts_ms", "60_000"),
    ];
    let shown = shown(&settings, clicks);
    let granted = |event: &Event<Actor>| match &event.what {
        What::Note(Note::Lock(LockNote::Granted { lease, .. })) => Some(*lease),
        _ => None,
    };
    let grants: Vec<_> = shown.replay.past().iter().filter_map(granted).collect();
    assert!(grants.len() > 1, "it was given back and taken again");
    assert!(grants.windows(2).all(|pair| pair[0] != pair[1]), "{grants:?}");
}

#[test]
fn a_watchdog_keeps_the_lock_as_long_as_its_process_runs() {
    let long = [&both!("renewal", "owner")[..], &both!("compute_ms", "25000")].concat();
    let renewed = shown(&long, "");
    assert_eq!(renewed.times("the key of W1 expires"), [0i64; 0]);
    assert_eq!(renewed.times("the key of W1 gets another end").len(), 7);
    check_broken(&renewed, &[TokenNotRising]);
    let unrenewed = shown(&both!("compute_ms", "25000"), "");
    assert_eq!(unrenewed.times("the key of W1 expires"), [10_010_001]);
    check_is_broken(&unrenewed, TwoBelieve);
}

/// The link to the node is cut while the request of a renewal is on its way, and is whole
/// again before the lock's time is over.
#[track_caller]
fn check_renewed_after_a_cut(more: &[(&str, &str)], clicks: &str) {
    let long = [
        ("lock.ttl_s", "30"),
        ("worker.W1.renewal", "owner"),
        ("worker.W1.compute_ms", "100_000"),
        ("worker.W1.retries", "20"),
    ];
    let shown = shown(&[&long[..], more].concat(), clicks);
    assert!(shown.times("the key of W1 gets another end").len() >= 3);
    assert_eq!(shown.times("the key of W1 expires"), [0i64; 0]);
}

#[test]
fn a_watchdog_goes_on_after_a_block_or_a_hang_that_outlasts_a_request() {
    let cut = r#"{ at_us = 9_000_000, do.cut = { from = "W1", to = "R1", for_ms = 6_000 } }"#;
    check_renewed_after_a_cut(&[], cut);
    let blocked = r#"
        { at_us = 10_500_000, do.heartbeat = { node = "W1", is = "blocked" } },
        { at_us = 14_000_000, do.heartbeat = { node = "W1", is = "runs" } }"#;
    check_renewed_after_a_cut(&[], &format!("{cut}, {blocked}"));
    // Its main thread waits for the store from 18 s on, and is let go at 26 s.
    let hangs = r#"
        { at_us = 18_000_000, do.cut = { from = "W1", to = "store", for_ms = 8_000 } },
        { at_us = 19_000_000, do.cut = { from = "W1", to = "R1", for_ms = 6_000 } }"#;
    let heeds = [
        ("worker.W1.renew_without_progress", "no"),
        ("worker.W1.progress_ms", "3_000"),
        ("worker.W1.compute_ms", "18_000"),
        ("worker.W1.program", r#"["acquire", "read", "compute", "write", "compute", "release"]"#),
    ];
    check_renewed_after_a_cut(&heeds, hangs);
}

#[test]
fn a_watchdog_that_is_told_that_the_key_is_not_its_own_stops_the_work() {
    let settings =
        [&both!("renewal", "owner")[..], &both!("on_renewal_failure", "stop-work")].concat();
    let shown = shown(&settings, PAUSE);
    // It looks at its deadline on waking, before anything is asked.
    assert_eq!(shown.times("W1 believes no more").len(), 1);
    assert_eq!(shown.times("PUT 0 is accepted").len(), 1);
    check_is_kept(&shown, WorkDoneTwice);
}

#[test]
fn a_watchdog_that_goes_by_the_name_prolongs_the_next_holders_key() {
    // W1's program ends its belief late; its watchdog knows nothing of the other's value.
    let by_name = [
        &both!("renewal", "name-only")[..],
        &both!("compute_ms", "30000"),
        &[("worker.W2.renewal", "none")],
    ]
    .concat();
    let shown = shown(&by_name, PAUSE);
    assert!(!shown.times("the key of W2 gets another end").is_empty());
}

#[test]
fn a_crash_between_setnx_and_expire_leaves_a_lock_without_an_end() {
    let clicks = r#"{ at_us = 15_000, do.crash = { node = "W1" } }"#;
    let two_steps = shown(&[("lock.recipe", "setnx-expire")], clicks);
    check_broken(&two_steps, &[NeverReleased, NeverFinished]);
    // What SETNX answers is no token.
    assert_eq!(two_steps.times("the lock is granted to W1 with 0"), [10_000]);
    assert_eq!(two_steps.times("the lock is granted to W2 with 0"), [0i64; 0]);
    let one_step = shown(&[], clicks);
    assert_eq!(one_step.times("the lock is granted to W2 with 0").len(), 1);
}

#[test]
fn a_step_of_the_nodes_wall_clock_ends_the_lock_and_one_of_the_workers_does_not() {
    let step = |node: &str| {
        format!("{{ at_us = 2_000_000, do.step-wall = {{ node = \"{node}\", by_ms = 20_000 }} }}")
    };
    let at_the_node = shown(&[], &step("R1"));
    assert_eq!(at_the_node.times("the key of W1 expires"), [2_000_000]);
    check_is_broken(&at_the_node, TwoBelieve);
    check_is_kept(&at_the_node, GrantedToTwo);
    let at_the_worker = shown(&[], &step("W1"));
    assert_eq!(at_the_worker.times("the key of W1 expires"), [0i64; 0]);
}

#[test]
fn a_restart_without_data_gives_the_lock_away_and_one_with_a_file_does_not() {
    let clicks = r#"{ at_us = 2_000_000, do.crash = { node = "R1", restart_after_ms = 500 } }"#;
    let lost = shown(&[], clicks);
    assert_eq!(lost.times("R1 starts again with 0 keys"), [2_500_000]);
    check_is_broken(&lost, GrantedToTwo);
    let kept = shown(&[("redis.persistence", "aof")], clicks);
    assert_eq!(kept.times("R1 starts again with 1 keys"), [2_500_000]);
    check_is_kept(&kept, GrantedToTwo);
    check_is_kept(&kept, TwoBelieve);
}

#[test]
fn a_cut_link_keeps_a_watchdog_from_renewing_and_the_deadline_tells_its_worker() {
    let settings = [
        &both!("renewal", "owner")[..],
        &both!("on_renewal_failure", "stop-work"),
        &both!("compute_ms", "30000"),
    ]
    .concat();
    let clicks = r#"{ at_us = 4_000_000, do.cut = { from = "W1", to = "redis" } }"#;
    let shown = shown(&settings, clicks);
    // Renewed at 3.3 s, counted from the answer there; the key ends a message earlier.
    let [deadline] = shown.times("W1 believes no more")[..] else { panic!("once") };
    let [expires] = shown.times("the key of W1 expires")[..] else { panic!("once") };
    assert!(expires < deadline && deadline - expires < 20_000, "{expires}, {deadline}");
    check_is_kept(&shown, TwoBelieve);
}

#[test]
fn a_declared_failover_promotes_and_the_old_primary_comes_back_as_a_replica() {
    let settings = [
        &both!("renewal", "owner")[..],
        &[REPLICA, ("redis.promote_after_ms", "3000"), ("lock.ttl_s", "30")],
        &both!("compute_ms", "20000"),
    ]
    .concat();
    let clicks = r#"{ at_us = 2_000_000, do.crash = { node = "R1", restart_after_ms = 8000 } }"#;
    let shown = shown(&settings, clicks);
    assert_eq!(shown.times("R2 is promoted"), [5_000_000]);
    assert_eq!(shown.times("R1 follows R2"), [10_001_000]);
    // The key had been copied, and the watchdog finds the other node.
    assert!(shown.times("the key of W1 gets another end").len() > 1);
    check_broken(&shown, &[TokenNotRising]);
}

/// Runs in which every kind of message to and between Redis nodes is sent.
pub fn see(run: &mut dyn FnMut(&Run)) {
    let crash = r#"{ at_us = 2_000_000, do.crash = { node = "R1", restart_after_ms = 8000 } }"#;
    let replicated = [REPLICA, ("redis.promote_after_ms", "3000"), ("redis.wait_ms", "500")];
    run(&run_with(&[&replicated[..], &both!("renewal", "owner")].concat(), crash));
    run(&run_with(&both!("renewal", "name-only"), ""));
    run(&run_with(&COUNTED, ""));
    let two_steps = [("lock.recipe", "setnx-expire")];
    run(&run_with(&[&two_steps[..], &both!("release", "name-only")].concat(), ""));
}

/// A worker's clock that runs fast ends its time early, and a slow one late: both are told,
/// however long ago it was set.
#[test]
fn what_a_worker_finds_by_a_clock_of_a_wrong_rate_rests_on_what_made_it_so() {
    let looks = [
        both!("on_renewal_failure", "stop-work"),
        both!("program", r#"["acquire", "read", "compute", "check", "write", "release"]"#),
    ]
    .concat();
    let clicked = |rate: &str, more: &[(&str, &str)], says: &str| {
        let rate = format!("{{ at_us = 1, do.set-rate = {{ node = \"W1\", rate_ppm = {rate} }} }}");
        let shown = shown(&[&looks[..], more].concat(), &rate);
        check_rests_on(&shown, says, &["click 1 is made"]);
    };
    let late = ("worker.W1.renew_ms", "60_000");
    clicked("3_000_000", &[], "W1 has its hold no more");
    clicked("3_000_000", &[("worker.W1.renewal", "owner"), late], "W1 has its hold no more");
    clicked(
        "100_000",
        &[("worker.W1.compute_ms", "15_000")],
        "W1 checks and finds its time not over",
    );
    let long = ("worker.W1.compute_ms", "15_000");
    clicked("100_000", &[("worker.W1.renewal", "owner"), long], "the key of W1 expires");
}
