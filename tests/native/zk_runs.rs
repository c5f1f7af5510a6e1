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
