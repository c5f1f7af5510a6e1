//! What a lock in Consul is worth when its holder stands still for longer than twice its TTL:
//! with and without a lock-delay, with one that is forgotten, and by which token.

use crate::shown::{Shown, check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, NeverFinished, RightfulHolderRefused, StaleWriteAccepted,
    TokenNotRising, TwoBelieve,
};

/// Things that happen once, in this order.
#[track_caller]
fn check_order(shown: &Shown, says: &[&str]) {
    let times: Vec<i64> = says.iter().map(|says| shown.only(says)).collect();
    assert!(times.is_sorted_by(|one, two| one <= two), "{says:?} {times:?}");
}

/// In whole seconds, cut.
fn second(shown: &Shown, says: &str) -> i64 {
    shown.only(says) / 1_000_000
}

fn granted_to_w2(shown: &Shown) -> i64 {
    let is_it = |says: &str| says.starts_with("the lock is granted to W2");
    let line = shown.told().lines().find(|line| is_it(line[11..].trim())).map(str::to_owned);
    let line = line.unwrap_or_else(|| panic!("no grant in\n{}", shown.told()));
    line[..11].trim().parse::<i64>().expect("a time") / 1_000_000
}

#[test]
fn a_pause_is_longer_than_session_and_lock_delay() {
    let shown = shown("consul-lock-delay");
    check_order(
        &shown,
        &[
            "click 1 is made",
            "the lease of W1 expires",
            "a lock-delay begins",
            "the lock-delay is over",
        ],
    );
    assert_eq!(second(&shown, "the lease of W1 expires"), 37);
    assert_eq!(shown.times("the lock-delay keeps W2 away").len(), 3);
    assert_eq!(granted_to_w2(&shown), 52);
    check_rests_on(&shown, "the lease of W1 expires", &["click 1 is made"]);
    check_broken(&shown, &[StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve]);
}

#[test]
fn a_modify_index_that_is_checked_makes_the_same_pause_harmless() {
    check_broken(&shown("consul-lock-delay.modify-index"), &[TwoBelieve]);
}

#[test]
fn a_lock_index_begins_again_with_a_new_key_and_the_rightful_holder_is_refused() {
    let shown = shown("consul-lock-delay.lock-index");
    check_broken(&shown, &[RightfulHolderRefused, TwoBelieve, TokenNotRising]);
}

#[test]
fn who_stops_when_its_session_is_over_writes_nothing_late() {
    let shown = shown("consul-lock-delay.stop-work");
    assert_eq!(shown.booked(), 1_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_lock_delay_keeps_others_away_for_a_while_as_long_as_it_is_remembered() {
    let kept = shown("consul-lock-delay.short-pause");
    assert_eq!(granted_to_w2(&kept), 52);
    check_broken(&kept, &[]);
    let none = shown("consul-lock-delay.no-lock-delay");
    assert_eq!(granted_to_w2(&none), 37);
    assert!(none.times("a lock-delay begins").is_empty());
    check_broken(&none, &[StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve]);
    let forgotten = shown("consul-lock-delay.forgotten-delay");
    assert!(granted_to_w2(&forgotten) < 50);
    check_broken(&forgotten, &[StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve]);
}

#[test]
fn a_dead_holder_has_a_second_life_when_the_server_starts_again() {
    let shown = shown("consul-lock-delay.second-life");
    assert_eq!(second(&shown, "the lease of W1 expires"), 56);
    assert_eq!(second(&shown, "the lock-delay is over"), 71);
    check_broken(&shown, &[NeverFinished]);
}

#[test]
fn a_dead_holder_has_a_second_life_with_the_next_leader() {
    let shown = shown("consul-lock-delay.new-leader");
    assert_eq!(second(&shown, "the lease of W1 expires"), 55);
    check_rests_on(&shown, "the lease of W1 expires", &["click 1 is made", "click 2 is made"]);
    check_broken(&shown, &[NeverFinished]);
}

#[test]
fn the_next_leader_has_the_lock_delay() {
    let kept = shown("consul-lock-delay.delay-kept");
    check_order(&kept, &["click 2 is made", "the lock-delay is over"]);
    assert_eq!(second(&kept, "the lock-delay is over"), 52);
    assert_eq!(granted_to_w2(&kept), 53);
    check_broken(&kept, &[]);
}
