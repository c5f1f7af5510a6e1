//! (b) Tokens not checked; (g) tokens checked in one call and stored in another.

use super::reconcile::check_expiry;
use crate::shown::{check, check_broken, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, StaleWriteAccepted, TwoBelieve, WorkDoneTwice,
};

#[test]
fn without_a_check_the_late_report_is_accepted_and_the_day_is_settled_twice() {
    let shown = shown("reconcile-unfenced");
    check(&shown, "claim 43 is accepted", &[51_566_000]);
    check(&shown, "PUT 42 is accepted", &[73_074_000]);
    check(&shown, "PUT 42 is refused: 43 was seen", &[]);
    check(&shown, "PUT 43 is accepted", &[79_586_000]);
    assert_eq!(shown.booked(), 4_000_000);
    check_broken(&shown, &[StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve]);
}

#[test]
fn a_check_in_one_call_does_not_see_what_happens_before_the_put() {
    let shown = shown("check-then-put");
    check(&shown, "a slow PUT 42 begins", &[28_074_000]);
    check(&shown, "click 1 is made", &[29_000_000]);
    check_expiry(&shown, "W1", 30_000_000);
    check(&shown, "claim 43 is accepted", &[51_566_000]);
    // The upload had 29.084 s left, and goes on where it stood.
    check(&shown, "W1 completes PUT 42", &[103_084_000]);
    check(&shown, "PUT 42 is accepted", &[103_094_000]);
    check_broken(&shown, &[StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve]);
}
