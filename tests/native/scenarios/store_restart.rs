//! A mark that a store keeps in memory is gone when the store starts again; one that lies with
//! the data is not.

use crate::shown::{check, check_broken, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, StaleWriteAccepted, TwoBelieve, WorkDoneTwice,
};

#[test]
fn a_store_that_forgot_its_mark_takes_the_late_report() {
    let shown = shown("store-restart");
    check(&shown, "claim 43 is accepted", &[51_566_000]);
    check(&shown, "PUT 42 is accepted", &[73_074_000]);
    check(&shown, "PUT 43 is accepted", &[79_586_000]);
    assert_eq!(shown.booked(), 4_000_000);
    check_broken(&shown, &[StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve]);
}

#[test]
fn a_store_that_kept_it_on_disk_refuses_it() {
    let shown = shown("store-restart.on-disk");
    check(&shown, "claim 43 is accepted", &[51_566_000]);
    check(&shown, "PUT 42 is refused: 43 was seen", &[73_074_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}
