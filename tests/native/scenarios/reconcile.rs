//! (a) A worker that slept through its lease is refused; (c) where the new holder does
//! not claim first, it is not.

use crate::shown::{Shown, check, check_broken, shown};
use fencepost::properties::PropertyId::{AcknowledgedWriteLost, TwoBelieve, WorkDoneTwice};
use fencepost::scenario::Scenario;

/// A round trip to a majority of the members.
pub const COMMIT_US: i64 = 2_000;
/// etcd looks for leases past their deadline at such distances.
pub const SCAN_US: i64 = 500_000;

/// A lease ends when the leader next looks after its TTL, counted from the last renewal.
#[track_caller]
pub fn check_expiry(shown: &Shown, holder: &str, ttl_us: i64) {
    let renewed = shown.last(&format!("the lease of {holder} is renewed"));
    let ends = shown.only(&format!("the lease of {holder} expires"));
    let waited = ends - renewed - ttl_us;
    assert!((0..=SCAN_US + COMMIT_US).contains(&waited), "{waited} µs after {ttl_us} µs");
}

#[test]
fn a_holder_renews_every_third_of_its_ttl_until_it_is_paused() {
    let shown = shown("reconcile");
    // The send loop wakes every half second from its beginning, at 0.022 s, on. The last
    // one is what it sends on waking, too late.
    check(&shown, "W1 sends keepalive", &[22_000, 10_522_000, 21_022_000, 70_001_000]);
    check(&shown, "click 1 is made", &[25_000_000]);
    check_expiry(&shown, "W1", 30_000_000);
    check(&shown, "the lease of W1 expires", &[51_502_000]);
}

#[test]
fn the_next_holder_has_a_higher_token_and_claims_with_it() {
    let shown = shown("reconcile");
    check(&shown, "the lock is granted to W1 with 42", &[34_000]);
    check(&shown, "W2 queues with 43", &[134_000]);
    check(&shown, "the lock is granted to W2 with 43", &[51_502_000]);
    check(&shown, "claim 42 is accepted", &[54_000]);
    check(&shown, "claim 43 is accepted", &[51_566_000]);
}

#[test]
fn the_late_report_is_refused_and_one_is_booked() {
    let shown = shown("reconcile");
    check(&shown, "PUT 42 is refused: 43 was seen", &[73_074_000]);
    check(&shown, "PUT 42 is accepted", &[]);
    check(&shown, "PUT 43 is accepted", &[79_586_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn both_believe_to_hold_the_lock_until_one_is_refused() {
    let shown = shown("reconcile");
    check(&shown, "W1 believes, with 42", &[44_000]);
    check(&shown, "W2 believes, with 43", &[51_556_000]);
    check(&shown, "W1 believes no more", &[73_084_000]);
}

#[test]
fn without_the_click_one_does_the_job_and_the_other_finds_it_done() {
    let scenario = Scenario::built_in("reconcile").expect("it is built in");
    let shown = Shown::of(scenario.run_without_clicks());
    check(&shown, "PUT 42 is accepted", &[28_074_000]);
    check(&shown, "W2 sends PUT 43", &[]);
    check(&shown, "W2 finds the job done", &[28_170_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[]);
}

#[test]
fn a_worker_that_stops_with_its_session_sends_nothing_after_waking() {
    let shown = shown("reconcile.stop-work");
    check(&shown, "W1 stops", &[70_001_000]);
    check(&shown, "W1 believes no more", &[70_001_000]);
    check(&shown, "W1 sends PUT 42", &[]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_worker_that_checks_before_it_writes_sends_nothing_after_waking() {
    let shown = shown("reconcile.check-before-write");
    check(&shown, "W1 checks and finds its time over", &[73_064_000]);
    check(&shown, "W1 stops", &[73_064_000]);
    check(&shown, "W1 sends PUT 42", &[]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_key_created_if_absent_is_created_after_the_deletion_of_the_one_before() {
    let shown = shown("reconcile.create-if-absent");
    check(&shown, "the lock is granted to W1 with 42", &[34_000]);
    // 43 is the revision at which the key of W1 went.
    check(&shown, "the lock is granted to W2 with 44", &[51_524_000]);
    check(&shown, "PUT 42 is refused: 44 was seen", &[73_074_000]);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_new_holder_that_only_reads_lets_a_late_write_in_and_overwrites_it() {
    let shown = shown("plain-read");
    check(&shown, "version 0 is read", &[51_566_000]);
    check(&shown, "PUT 42 is accepted", &[73_074_000]);
    check(&shown, "PUT 43 is accepted", &[79_586_000]);
    assert_eq!(shown.replay.moment().observer.late_writes(), 1);
    assert_eq!(shown.booked(), 4_000_000);
    check_broken(&shown, &[AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve]);
}
