//! (e) A worker that cannot renew exits, and a clean one starts elsewhere.

use super::reconcile::{COMMIT_US, SCAN_US, check_expiry};
use crate::shown::{check, check_broken, shown};

#[test]
fn a_worker_that_is_cut_off_exits_five_seconds_after_its_renewal_fell_due() {
    let shown = shown("renewal-fails");
    check(&shown, "W1 cannot renew", &[26_022_000]);
    check(&shown, "W1 exits", &[26_022_000]);
    check(&shown, "W2 replaces W1", &[27_032_000]);
    check(&shown, "W2 begins", &[27_042_000]);
}

#[test]
fn its_successor_waits_until_the_lease_is_over() {
    let shown = shown("renewal-fails");
    check(&shown, "W2 queues with 43", &[27_076_000]);
    // The last renewal that got through was sent at 10.5 s.
    assert_eq!(shown.last("the lease of W1 is renewed"), 10_532_000);
    check_expiry(&shown, "W1", 30_000_000);
    let granted = shown.only("the lock is granted to W2 with 43");
    assert!(granted <= 40_532_000 + SCAN_US + COMMIT_US);
    check(&shown, "the lock is granted to W2 with 43", &[41_002_000]);
    check(&shown, "PUT 43 is accepted", &[69_086_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[]);
}

#[test]
fn where_only_the_heartbeat_is_blocked_the_exit_revokes_the_lease_and_nobody_waits() {
    let shown = shown("renewal-fails.heartbeat-blocked");
    check(&shown, "W1 exits", &[26_022_000]);
    check(&shown, "the lease of W1 is revoked", &[26_034_000]);
    check(&shown, "the lease of W1 expires", &[]);
    check(&shown, "W2 begins", &[27_042_000]);
    check(&shown, "W2 queues with 43", &[]);
    // 43 is the revision at which the key of W1 went.
    check(&shown, "the lock is granted to W2 with 44", &[27_076_000]);
    check(&shown, "PUT 44 is accepted", &[55_116_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[]);
}
