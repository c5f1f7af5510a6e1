//! What a lock is worth that is an object with a lease in it: when its holder stands still,
//! when clocks differ or run at other rates, when its epoch begins again, and without a lease.

use crate::shown::{check, check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, GrantedToTwo, NeverFinished, NeverReleased, RightfulHolderRefused,
    StaleWriteAccepted, TokenNotRising, TwoBelieve,
};

#[test]
fn a_pause_is_longer_than_the_lease_in_the_object() {
    let shown = shown("object-lock");
    check(&shown, "W2 finds the lease of W1 over", &[25_620_000]);
    check(&shown, "the lock is granted to W2 with 2", &[25_630_000]);
    check(&shown, "PUT 1 is accepted", &[60_070_000]);
    check_rests_on(&shown, "W1 holds the lock no more", &["click 1 is made"]);
    check_broken(&shown, &[StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve]);
}

#[test]
fn an_epoch_that_the_ledger_checks_makes_the_same_pause_harmless() {
    let shown = shown("object-lock.epoch");
    check(&shown, "PUT 1 is refused: 2 was seen", &[60_070_000]);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_waiter_whose_wall_clock_is_ahead_takes_the_lock_from_one_that_works() {
    let skewed = shown("object-lock.skewed");
    check(&skewed, "the lock is granted to W2 with 2", &[11_350_000]);
    check_rests_on(&skewed, "W2 finds the lease of W1 over", &["click 1 is made"]);
    check_rests_on(&skewed, "the lock is granted to W2 with 2", &["click 1 is made"]);
    let broken = [StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve, GrantedToTwo];
    check_broken(&skewed, &broken);
    check_broken(&shown("object-lock.skewed-epoch"), &[TwoBelieve, GrantedToTwo]);
}

#[test]
fn an_etag_that_does_not_change_asks_no_wall_clock_but_a_rate() {
    let unchanged = shown("object-lock.unchanged");
    check(&unchanged, "the lock is granted to W2 with 2", &[20_530_000]);
    check_broken(&unchanged, &[]);
    let fast = shown("object-lock.fast-clock");
    check_rests_on(&fast, "W2 finds the lease of W1 over", &["click 1 is made"]);
    check_rests_on(&fast, "W1 holds the lock no more", &["click 1 is made"]);
    let broken = [StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve, GrantedToTwo];
    check_broken(&fast, &broken);
}

#[test]
fn an_epoch_begins_again_where_a_release_deletes_the_object() {
    let shown = shown("object-lock.deleted");
    check(&shown, "claim 1 is refused: 1 was seen", &[20_550_000]);
    check_broken(&shown, &[RightfulHolderRefused, TokenNotRising]);
}

#[test]
fn an_object_without_a_lease_of_a_dead_holder_blocks_everybody_for_ever() {
    let shown = shown("object-lock.create-only");
    assert!(shown.times("the lock is granted to W2 with 0").is_empty());
    check_broken(&shown, &[NeverReleased, NeverFinished]);
}

#[test]
fn who_does_not_look_for_its_nonce_waits_for_itself() {
    check_broken(&shown("object-lock.lost-answer"), &[NeverReleased, NeverFinished]);
    let looks = shown("object-lock.own-nonce");
    check(&looks, "W1 finds its own put", &[2_040_000]);
    // There are no tokens that could rise.
    check_broken(&looks, &[TokenNotRising]);
}
