//! Workers with a lock in ZooKeeper, through the scenario format: lost answers, clocks,
//! tokens, heartbeats.

use crate::redis_runs::run_of;
use crate::shown::{Shown, check_broken};
use fencepost::actors::Actor;
use fencepost::properties::PropertyId::TwoBelieve;
use fencepost::sim::time::TrueTime;

const TEXT: &str = include_str!("../../static/scenarios/zookeeper-pause.toml");

fn shown(settings: &[(&str, &str)], clicks: &str) -> Shown {
    let mut all = vec![("variant", "[]"), ("store.rule", "owner-and-sequence")];
    all.extend(settings);
    Shown::of(run_of(TEXT, &all, clicks))
}

/// W1 is cut off from the ensemble at 8 s.
const CUT: &str = r#"{ at_us = 8_000_000, do.cut = { from = "W1", to = "zookeeper" } }"#;
const LOST: [(&str, &str); 2] =
    [("worker.W1.on_renewal_failure", "stop-work"), ("worker.W1.stops_at", "lost")];

#[test]
fn a_create_whose_answer_is_lost_is_found_by_its_guid_and_not_made_twice() {
    // The first answer is to the parent's creation.
    let drop = r#"{ at_us = 80_000, do.drop = { message = { from = "Z1", to = "W1", kind = "zk-reply", nth = 2 } } }"#;
    let run = run_of(TEXT, &[("variant", "[]"), ("store.rule", "owner-and-sequence")], drop);
    let mut replay = run.replay().expect("a run");
    replay.seek(TrueTime(4_000_000));
    let world = &replay.moment().world;
    let Actor::Zk(server) =
        &world.node(run.scenario.names().find("Z1").expect("it is there")).process
    else {
        panic!("a server is a server")
    };
    assert_eq!(server.claimants("/reconcile").len(), 2, "one for each of two workers");
    let shown = shown(&[], drop);
    let granted = format!("the lock is granted to W1 with {}", (1_i64 << 32) + 4);
    assert_eq!(shown.times(&granted), [78_000]);
    // The client breaks the connection after 2 s, and looks at the next server.
    let believes = shown.only(&format!("W1 believes, with {}", (1_i64 << 32) + 4));
    assert!((2_500_000..2_800_000).contains(&believes), "{believes}");
    check_broken(&shown, &[]);
}

#[test]
fn lost_is_counted_by_the_wall_clock_and_the_sessions_end_by_the_leaders_own() {
    let step = |by_ms: i64| {
        format!(
            r#"{CUT}, {{ at_us = 15_000_000, do.step-wall = {{ node = "W1", by_ms = {by_ms} }} }}"#
        )
    };
    let stops = |clicks: &str| shown(&LOST, clicks).times("W1 stops");
    assert_eq!(stops(&step(60_000)), [15_000_000], "at once");
    // It would be at 23.4 s; before that the partner refuses it.
    assert_eq!(stops(CUT), [20_148_000]);
    let early = shown(&LOST, &step(4_000));
    assert_eq!(early.times("W1 stops"), [19_441_332]);
    for clicks in [CUT, &step(60_000), &step(-60_000)] {
        assert_eq!(shown(&LOST, clicks).times("the lease of W1 expires"), [18_002_000]);
    }
}

#[test]
fn the_version_of_a_node_that_stays_rises_where_the_suffix_begins_again() {
    let version = shown(&[("zookeeper.token", "version")], "");
    for (worker, token) in [("W1", 1), ("W2", 2), ("W3", 3)] {
        assert_eq!(version.times(&format!("{worker} believes, with {token}")).len(), 1);
    }
    check_broken(&version, &[]);
}

#[test]
fn a_client_whose_pings_are_blocked_is_left_without_its_session() {
    let block = r#"{ at_us = 5_000_000, do.heartbeat = { node = "W1", is = "blocked" } }"#;
    let cut_too = r#"{ at_us = 10_500_000, do.cut = { from = "W1", to = "zookeeper" } }"#;
    let shown = shown(&[], &format!("{block}, {cut_too}"));
    assert!(shown.only("the lease of W1 expires") < 17_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_lock_below_other_znodes_gets_all_of_them() {
    for key in ["/locks/a/b", "reconcile"] {
        check_broken(&shown(&[("lock.key", key)], ""), &[]);
    }
}

#[test]
fn a_create_refused_since_the_session_has_moved_is_asked_for_over_the_next_connection() {
    // The first server is cut off after the session began, and its successor's create
    // reaches the leader when the client is elsewhere.
    let clicks = r#"{ at_us = 60_000, do.cut = { from = "W1", to = "Z1" } },
        { at_us = 2_554_500, do.delay = { message = { from = "Z2", to = "Z1", kind = "forward", nth = 1 }, by_ms = 3_876 } }"#;
    let alone = [
        ("limit_ms", "60_000"),
        ("lock.ttl_s", "10"),
        ("worker.W2.starts_ms", "30_000"),
        ("worker.W3.starts_ms", "39_000"),
    ];
    let shown = shown(&alone, clicks);
    assert!(shown.times("W1 is suspended").len() > 1);
    assert_eq!(shown.times("W1 finishes").len(), 1);
    check_broken(&shown, &[]);
}

#[test]
fn a_check_looks_at_the_connection_and_who_has_none_can_close_no_session() {
    let program = r#"["acquire", "read", "compute", "check", "write", "release"]"#;
    let checks = ("worker.W1.program", program);
    let goes_on = ("worker.W1.on_renewal_failure", "carry-on");
    let connected = shown(&[checks], "");
    assert_eq!(connected.times("W1 checks and is connected").len(), 1);
    let cut = r#"{ at_us = 1_000_000, do.cut = { from = "W1", to = "zookeeper" } }"#;
    let cut_off = shown(&[checks, goes_on, ("worker.W1.compute_ms", "9_000")], cut);
    let checked = cut_off.only("W1 checks and is not connected");
    assert_eq!(cut_off.times("W1 stops"), [checked]);
    assert_eq!(cut_off.times("W1 gives its session up"), [checked]);
}

#[test]
fn the_end_of_an_earlier_connection_that_comes_twice_ends_no_later_one() {
    let clicks = r#"{ at_us = 3_000_000, do.crash = { node = "Z1", restart_after_ms = 100 } },
        { at_us = 3_005_000, do.duplicate = { message = { from = "Z1", to = "W1", kind = "connection-closed", nth = 1 }, after_ms = 3_000 } }"#;
    let one = [("zookeeper.servers", "1"), ("worker.W1.on_renewal_failure", "carry-on")];
    let shown = shown(&one, clicks);
    assert_eq!(shown.times("click 2 is made"), [3_005_000]);
    assert_eq!(shown.times("W1 is suspended"), [3_010_000]);
}
