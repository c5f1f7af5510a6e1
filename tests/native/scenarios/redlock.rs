//! Redlock: what harms it, what has been answered to that, and what it takes for granted.

use crate::shown::{check, check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId::{
    self, AcknowledgedWriteLost, GrantedToTwo, RightfulHolderRefused, StaleWriteAccepted,
    TokenNotRising, TwoBelieve, WorkDoneTwice,
};

/// How often the partner has booked, and what is broken but for the token that there is none.
#[track_caller]
fn check_end(name: &str, booked: i64, broken: &[PropertyId]) {
    let shown = shown(name);
    assert_eq!(shown.booked(), booked, "{name}");
    check_broken(&shown, &[broken, &[TokenNotRising]].concat());
}

const TWICE: [PropertyId; 4] = [AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve, GrantedToTwo];

/// The lock had passed on by all rules, and the store checks nothing.
const LATE: [PropertyId; 4] =
    [StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve];

#[test]
fn a_clock_that_is_set_ahead_forgets_a_vote_and_two_have_a_majority() {
    let shown = shown("redlock");
    check(&shown, "W1 counts 3 votes and has the lock", &[1_050_000]);
    check(&shown, "R3 votes for W1 no more", &[5_000_000]);
    check(&shown, "R3 votes for W2", &[6_010_000]);
    check(&shown, "W2 counts 3 votes and has the lock", &[6_050_000]);
    check(&shown, "PUT 0 is accepted", &[21_080_000, 26_080_000]);
    check_rests_on(&shown, "W2 counts 3 votes and has the lock", &["R3 votes for W2"]);
    check_rests_on(&shown, "R3 votes for W2", &["R3 votes for W1 no more", "click 5 is made"]);
    check_end("redlock", 4_000_000, &TWICE);
}

#[test]
fn a_node_that_starts_again_votes_twice_unless_it_has_a_file_or_stays_away() {
    check_end("redlock.restart", 4_000_000, &TWICE);
    check_end("redlock.restart-with-a-file", 2_000_000, &[]);
    check_end("redlock.delayed-restart", 2_000_000, &[]);
}

#[test]
fn counters_of_nodes_that_know_nothing_of_each_other_refuse_the_rightful_holder() {
    let counted = shown("redlock.counters");
    check(&counted, "claim 1 is refused: 1 was seen", &[6_060_000]);
    check_end("redlock.counters", 2_000_000, &[RightfulHolderRefused, TwoBelieve, GrantedToTwo]);
}

#[test]
fn a_pause_before_the_count_is_seen_by_who_looks_at_a_clock_that_nobody_sets() {
    let looks = shown("redlock.pause-before-counting");
    check(&looks, "W1 counts 5 votes too late", &[46_005_000]);
    check_end("redlock.pause-before-counting", 2_000_000, &[]);
    for unseen in ["redlock.no-look", "redlock.set-back"] {
        check(&shown(unseen), "W1 counts 5 votes and has the lock", &[46_005_000]);
        check_end(unseen, 4_000_000, &LATE);
    }
}

#[test]
fn a_pause_after_the_count_is_seen_by_nobody() {
    check_end("redlock.pause-after-counting", 4_000_000, &LATE);
}

#[test]
fn with_rates_within_the_drift_the_first_gives_up_before_the_second_is_granted() {
    let shown = shown("redlock.bounded-rate");
    // Of 30,000 ms go a hundredth and 2 ms, counted from before the first question.
    check(&shown, "W1 believes no more", &[1_000_000 + 29_698_000]);
    assert!(shown.only("R3 votes for W2") > 1_000_000 + 29_698_000);
    check_end("redlock.bounded-rate", 2_000_000, &[]);
}
