//! (d) What has to be unique is the refund, not the holder.

use crate::shown::{check, check_broken, shown};
use fencepost::properties::PropertyId::{AcknowledgedWriteLost, TwoBelieve, WorkDoneTwice};

#[test]
fn two_holders_one_after_the_other_pay_the_refund_twice() {
    let shown = shown("refund");
    check(&shown, "the lease of W1 expires", &[17_502_000]);
    check(&shown, "PUT 42 is accepted", &[27_074_000]);
    check(&shown, "PUT 43 is accepted", &[29_586_000]);
    assert_eq!(shown.booked(), 100_000);
    check_broken(&shown, &[AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve]);
}

#[test]
fn tokens_alone_do_not_help_as_long_as_nobody_claims_first() {
    let shown = shown("refund.tokens-only");
    check(&shown, "PUT 42 is accepted", &[27_074_000]);
    check(&shown, "PUT 43 is accepted", &[29_586_000]);
    assert_eq!(shown.booked(), 100_000);
    check_broken(&shown, &[AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve]);
}

#[test]
fn with_claims_the_refund_is_paid_once_by_the_new_holder() {
    let shown = shown("refund.tokens-and-claim");
    check(&shown, "PUT 42 is refused: 43 was seen", &[27_074_000]);
    check(&shown, "PUT 43 is accepted", &[29_586_000]);
    assert_eq!(shown.booked(), 50_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn with_the_refunds_own_id_it_is_paid_once_by_whoever_comes_first() {
    let shown = shown("refund.refund-id");
    check(&shown, "PUT 42 is accepted", &[27_074_000]);
    check(&shown, "PUT 43 is refused: the job is done", &[29_586_000]);
    assert_eq!(shown.booked(), 50_000);
    check_broken(&shown, &[TwoBelieve]);
}
