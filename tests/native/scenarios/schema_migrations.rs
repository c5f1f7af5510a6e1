//! What a lock in PostgreSQL is worth when the server closes the holder's session, when a
//! pooler hands its session on, and when a row ends by the migrators' own clocks.

use crate::shown::{check, check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId;
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, GrantedToTwo, NeverFinished, RightfulHolderRefused, StaleWriteAccepted,
    TokenNotRising, TwoBelieve, WorkDoneTwice,
};

/// What goes wrong where two migrate.
const HARMED: [PropertyId; 4] =
    [StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve];

#[test]
fn the_server_closes_an_idle_session_and_its_client_migrates_on() {
    let shown = shown("schema-migrations");
    check(&shown, "W2 waits at the server", &[130_000]);
    check(&shown, "a session of W1 ends by 57P05", &[30_030_000]);
    check(&shown, "the lock is granted to W2 with 0", &[30_030_000]);
    check_rests_on(&shown, "a session of W1 ends by 57P05", &["click 1 is made"]);
    check(&shown, "PUT 0 is accepted", &[50_070_000, 70_070_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[&HARMED[..], &[TokenNotRising]].concat());
}

#[test]
fn a_column_that_is_raised_under_the_lock_and_checked_makes_the_same_pause_harmless() {
    let shown = shown("schema-migrations.fence-column");
    check(&shown, "W1 believes, with 1", &[60_000]);
    check(&shown, "W2 believes, with 2", &[30_080_000]);
    check(&shown, "PUT 1 is refused: 2 was seen", &[70_090_000]);
    assert_eq!(shown.booked(), 1_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_column_raised_in_the_lock_s_own_transaction_is_rolled_back_with_it_and_a_sequence_is_not() {
    let shown = shown("schema-migrations.uncommitted");
    check(&shown, "a session of W1 ends by 25P03", &[30_070_000]);
    check(&shown, "W2 believes, with 1", &[30_100_000]);
    check(&shown, "claim 1 is refused: 1 was seen", &[30_110_000]);
    check_broken(&shown, &[RightfulHolderRefused, TwoBelieve, TokenNotRising]);
    let drawn = crate::shown::shown("schema-migrations.sequence");
    check(&drawn, "W2 believes, with 2", &[30_100_000]);
    check(&drawn, "PUT 1 is refused: 2 was seen", &[70_110_000]);
    check_broken(&drawn, &[TwoBelieve]);
}

#[test]
fn a_mere_crash_hands_the_lock_on_at_once() {
    let shown = shown("schema-migrations.crash");
    check(&shown, "a session of W1 ends by its connection", &[10_010_000]);
    check(&shown, "the lock is granted to W2 with 0", &[10_010_000]);
    assert_eq!(shown.booked(), 1_000_000);
    check_broken(&shown, &[TokenNotRising, NeverFinished]);
}

#[test]
fn who_is_cut_off_is_not_told_and_who_is_told_stops() {
    let cut = shown("schema-migrations.terminated");
    check(&cut, "a session of W1 ends by 57P01", &[8_000_000]);
    check(&cut, "W1 stops", &[]);
    check_rests_on(&cut, "W1 sends PUT 0", &["click 1 is made"]);
    assert_eq!(cut.booked(), 2_000_000);
    check_broken(&cut, &[&HARMED[..], &[TokenNotRising]].concat());
    let told = shown("schema-migrations.told");
    check(&told, "a session of W1 ends by 57P01", &[8_000_000]);
    check(&told, "W1 stops", &[8_010_000]);
    assert_eq!(told.booked(), 1_000_000);
    check_broken(&told, &[TokenNotRising]);
}

#[test]
fn a_pooler_in_transaction_mode_gives_both_the_session_that_has_the_lock() {
    let shown = shown("schema-migrations.pooler");
    check(&shown, "the session that serves W2 counts to 2", &[130_000]);
    check(&shown, "the lock is granted to W2 with 0", &[130_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[&HARMED[..], &[GrantedToTwo, TokenNotRising]].concat());
}

#[test]
fn a_transaction_keeps_its_session_behind_the_pooler_too() {
    let shown = shown("schema-migrations.pooler-transaction");
    check(&shown, "W2 waits at the server", &[150_000]);
    check(&shown, "the lock is granted to W2 with 0", &[20_110_000]);
    check(&shown, "W2 finds the job done", &[20_140_000]);
    check_broken(&shown, &[TokenNotRising]);
}

#[test]
fn a_row_with_an_end_is_taken_early_by_a_clock_that_is_ahead_and_not_by_the_database_s() {
    let client = shown("schema-migrations.client-clock");
    check(&client, "the lock is granted to W2 with 2", &[130_000]);
    assert_eq!(client.booked(), 2_000_000);
    check_broken(&client, &[&HARMED[..], &[GrantedToTwo]].concat());
    let database = shown("schema-migrations.database-clock");
    check(&database, "the lock is granted to W2 with 2", &[20_530_000]);
    check(&database, "W2 finds the job done", &[20_560_000]);
    check_broken(&database, &[]);
}

#[test]
fn a_standby_that_is_promoted_knows_of_no_lock() {
    let shown = shown("schema-migrations.failover");
    check(&shown, "P2 is promoted", &[12_000_000]);
    check(&shown, "the lock is granted to W2 with 0", &[12_620_000]);
    check_rests_on(
        &shown,
        "the lock is granted to W2 with 0",
        &["click 1 is made", "click 2 is made", "P2 is promoted"],
    );
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[&HARMED[..], &[TokenNotRising]].concat());
}

#[test]
fn a_standby_gives_again_a_number_that_it_was_not_sent_and_goes_on_behind_what_it_was() {
    let behind = shown("schema-migrations.failover-behind");
    check(&behind, "W1 believes, with 1", &[2_060_000]);
    check(&behind, "W2 believes, with 1", &[12_650_000]);
    check(&behind, "claim 1 is refused: 1 was seen", &[12_660_000]);
    check_broken(&behind, &[RightfulHolderRefused, TwoBelieve, TokenNotRising]);
    let sent = shown("schema-migrations.failover-sequence");
    check(&sent, "W2 believes, with 34", &[12_650_000]);
    check(&sent, "PUT 1 is refused: 34 was seen", &[20_090_000]);
    check_broken(&sent, &[TwoBelieve]);
}
