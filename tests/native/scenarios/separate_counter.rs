//! (f) A number drawn before the lock is granted says who drew first.

use crate::shown::{check, check_broken, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, RightfulHolderRefused, StaleWriteAccepted, TokenNotRising, TwoBelieve,
    WorkDoneTwice,
};

#[test]
fn the_later_holder_has_the_lower_number_and_is_refused() {
    let shown = shown("separate-counter");
    check(&shown, "W1 draws 101", &[25_000]);
    check(&shown, "W2 draws 100", &[1_017_000]);
    check(&shown, "the lock is granted to W1 with 42", &[59_000]);
    check(&shown, "the lock is granted to W2 with 43", &[28_121_000]);
    check(&shown, "PUT 101 is accepted", &[28_099_000]);
    check(&shown, "claim 100 is refused: 101 was seen", &[28_185_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[RightfulHolderRefused, TokenNotRising]);
}

#[test]
fn where_nobody_claims_the_one_that_slept_overwrites_the_later_holder() {
    let shown = shown("separate-counter.stale-overwrites");
    check(&shown, "the lock is granted to W2 with 43", &[51_502_000]);
    check(&shown, "PUT 100 is accepted", &[79_586_000]);
    check(&shown, "PUT 101 is accepted", &[88_099_000]);
    assert_eq!(shown.booked(), 4_000_000);
    check_broken(
        &shown,
        &[StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve, TokenNotRising],
    );
}
