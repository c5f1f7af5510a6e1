//! What a lock in ZooKeeper is worth when its holder stands still, is cut off, takes the
//! suffix for a token, or dies shortly before the leader does.

use crate::shown::{check, check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, NeverFinished, RightfulHolderRefused, StaleWriteAccepted,
    TokenNotRising, TwoBelieve, WorkDoneTwice,
};

/// Zxids of the first epoch.
const EPOCH: i64 = 1 << 32;

fn token(counter: i64) -> i64 {
    EPOCH + counter
}

#[test]
fn the_node_goes_with_the_session_and_the_code_runs_on() {
    let shown = shown("zookeeper-pause");
    let (w1, w2) = (token(4), token(6));
    check(&shown, &format!("the lock is granted to W1 with {w1}"), &[78_000]);
    check(&shown, "click 1 is made", &[10_000_000]);
    check(&shown, "the lease of W1 expires", &[18_002_000]);
    check(&shown, &format!("the lock is granted to W2 with {w2}"), &[18_002_000]);
    check(&shown, &format!("PUT {w1} is accepted"), &[45_138_000]);
    check_rests_on(&shown, "the lease of W1 expires", &["click 1 is made"]);
    assert_eq!(shown.booked(), 5_000_000);
    let broken = [StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve];
    check_broken(&shown, &broken);
}

#[test]
fn a_czxid_that_the_partner_checks_makes_the_same_pause_harmless() {
    let shown = shown("zookeeper-pause.czxid");
    check(&shown, &format!("PUT {} is refused: {} was seen", token(4), token(6)), &[45_138_000]);
    assert_eq!(shown.booked(), 3_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn who_stops_at_suspended_can_still_look_too_late() {
    let shown = shown("zookeeper-pause.too-late");
    check(&shown, &format!("PUT {} is accepted", token(4)), &[45_138_000]);
    assert_eq!(shown.booked(), 5_000_000);
    let broken = [StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve];
    check_broken(&shown, &broken);
}

#[test]
fn lost_comes_after_the_session_has_ended_and_suspended_before() {
    let lost = shown("zookeeper-pause.partition-lost");
    check(&lost, "the lease of W1 expires", &[18_002_000]);
    check(&lost, &format!("PUT {} is accepted", token(4)), &[20_138_000]);
    let broken = [StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve];
    check_broken(&lost, &broken);
    let suspended = shown("zookeeper-pause.partition-suspended");
    check(&suspended, "the lease of W1 expires", &[18_002_000]);
    assert_eq!(suspended.booked(), 3_000_000);
    check_broken(&suspended, &[]);
}

#[test]
fn a_suffix_begins_again_with_its_parent_and_the_rightful_holder_is_refused() {
    let shown = shown("zookeeper-pause.suffix");
    check_rests_on(&shown, "claim 1 is refused: 2 was seen", &["/reconcile is reaped"]);
    check_broken(&shown, &[RightfulHolderRefused, TokenNotRising]);
}

#[test]
fn a_dead_holder_has_a_second_life_when_the_leader_dies_too() {
    let shown = shown("zookeeper-pause.leader-change");
    check(&shown, "the lease of W1 expires", &[24_002_000]);
    check(&shown, &format!("the lock is granted to W2 with {}", token(6)), &[24_002_000]);
    assert_eq!(shown.booked(), 3_000_000);
    check_broken(&shown, &[NeverFinished]);
}
