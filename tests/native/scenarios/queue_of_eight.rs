//! Eight workers and one lock: whoever queues behind a sleeper waits for its lease.

use super::reconcile::check_expiry;
use crate::shown::{check, check_broken, shown};
use fencepost::properties::PropertyId::{AcknowledgedWriteLost, StaleWriteAccepted, TwoBelieve};

#[test]
fn the_lock_goes_on_when_the_sleepers_lease_ends() {
    let shown = shown("queue-of-eight");
    check(&shown, "the lock is granted to W3 with 44", &[4_202_000]);
    check_expiry(&shown, "W3", 5_000_000);
    check(&shown, "the lock is granted to W4 with 45", &[9_502_000]);
    check(&shown, "the lock is granted to W8 with 49", &[17_926_000]);
}

#[test]
fn what_the_sleeper_sends_is_refused_and_seven_are_booked() {
    let shown = shown("queue-of-eight");
    check(&shown, "PUT 44 is refused: 49 was seen", &[18_286_000]);
    check(&shown, "PUT 49 is accepted", &[20_010_000]);
    assert_eq!(shown.booked(), 7 * 250_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn without_a_check_the_sleeper_overwrites_what_others_have_settled() {
    let shown = shown("queue-of-eight.unfenced");
    check(&shown, "PUT 44 is accepted", &[18_286_000]);
    assert_eq!(shown.booked(), 8 * 250_000, "the partner was told of each");
    check_broken(&shown, &[StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve]);
}
