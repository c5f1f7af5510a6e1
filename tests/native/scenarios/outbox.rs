//! A booking at a partner that nobody can fence: made by a worker, or by a relay from an
//! outbox, with and without idempotency keys.

use crate::shown::{check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId::{self, NeverFinished, TwoBelieve, WorkDoneTwice};

/// How much is booked in all, how often, and what is broken.
#[track_caller]
fn check(name: &str, booked: i64, times: usize, broken: &[PropertyId]) {
    let shown = shown(name);
    assert_eq!(shown.booked(), booked, "{name}");
    let books = |line: &&str| line.contains("Books 50,000 for payout 7");
    assert_eq!(shown.told().lines().filter(books).count(), times, "{}", shown.told());
    check_broken(&shown, broken);
}

#[test]
fn a_booking_beside_the_fence_is_made_although_the_store_refuses_the_write() {
    check("outbox", 100_000, 2, &[WorkDoneTwice, TwoBelieve]);
    let refused = shown("outbox").only("PUT 42 is refused: 43 was seen");
    assert!(refused > 42_000_000, "{refused}");
    check("outbox.key", 50_000, 1, &[TwoBelieve]);
}

#[test]
fn who_dies_between_write_and_booking_leaves_a_write_that_nobody_books() {
    check("outbox.write-first", 0, 0, &[NeverFinished]);
    shown("outbox.write-first").only("W2 finds the job done");
}

#[test]
fn a_refused_write_leaves_no_row() {
    check("outbox.outbox", 50_000, 1, &[TwoBelieve]);
    let shown = shown("outbox.outbox");
    let refused = shown.only("PUT 42 is refused: 43 was seen");
    assert!(refused > shown.only("Row 1 stands in the outbox: payout 7"));
    assert!(!shown.told().contains("Row 2"), "{}", shown.told());
    check_rests_on(
        &shown,
        "Books 50,000 for payout 7, 50,000 in all; the key is “row 1”",
        &["PUT 43 is accepted", "Row 1 stands in the outbox: payout 7"],
    );
}

#[test]
fn a_row_is_sent_again_after_a_crash_and_booked_again_unless_its_id_is_a_key() {
    check("outbox.relay-crash", 100_000, 2, &[WorkDoneTwice]);
    let twice = "Books 50,000 for payout 7, 100,000 in all; the key is “row 1”";
    check_rests_on(&shown("outbox.relay-crash"), twice, &["click 1 is made"]);
    check("outbox.relay-crash-key", 50_000, 1, &[]);
    shown("outbox.relay-crash-key").only("Knows the key “row 1”: answered again, not booked");
}

#[test]
fn two_relays_take_the_same_row() {
    check("outbox.two-relays", 100_000, 2, &[WorkDoneTwice]);
    check("outbox.two-relays-key", 50_000, 1, &[]);
    shown("outbox.two-relays-key").only("Knows the key “row 1”: answered again, not booked");
}
