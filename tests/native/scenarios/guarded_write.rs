//! The report in etcd, beside the lock: what the guards of a write are worth.

use crate::shown::{Shown, check, check_broken, shown};
use fencepost::properties::PropertyId::{
    self, AcknowledgedWriteLost, RightfulHolderRefused, StaleWriteAccepted, TwoBelieve,
    WorkDoneTwice,
};
use fencepost::scenario::{Scenario, library};

/// A late write goes through, and the partner books twice.
#[track_caller]
fn check_booked_twice(name: &str, broken: &[PropertyId]) -> Shown {
    let shown = shown(name);
    assert_eq!(shown.booked(), 4_000_000);
    check_broken(&shown, broken);
    shown
}

const LATE: [PropertyId; 4] =
    [StaleWriteAccepted, AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve];

#[test]
fn a_transaction_that_compares_the_create_revision_refuses_the_late_write() {
    let shown = shown("guarded-write");
    check(&shown, "PUT 43 is accepted", &[79_590_000]);
    check(&shown, "PUT 42 is refused: a comparison fails", &[88_078_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn it_refuses_it_also_before_anybody_else_has_written() {
    let text = library::text("guarded-write").expect("built in");
    let text = text.replacen("for_ms = 60_000", "for_ms = 45_000", 1);
    let run = Scenario::from_text(&text).expect("right").run();
    let shown = Shown::of(run);
    check(&shown, "PUT 42 is refused: a comparison fails", &[73_078_000]);
    check(&shown, "PUT 43 is accepted", &[79_590_000]);
}

#[test]
fn a_put_that_looks_at_nothing_goes_through_late() {
    check_booked_twice("guarded-write.plain-put", &LATE);
}

#[test]
fn a_read_before_the_put_is_over_by_the_time_of_the_put() {
    let shown = check_booked_twice("guarded-write.read-first", &LATE);
    check(&shown, "W1 is told that its key is there", &[88_087_000]);
}

#[test]
fn a_member_that_is_cut_off_still_answers_a_serializable_read_with_the_key() {
    let shown = check_booked_twice("guarded-write.serializable", &LATE);
    check(&shown, "W1 is told that its key is there", &[98_086_000]);
}

#[test]
fn the_same_read_through_the_log_finds_the_key_gone() {
    let scenario = Scenario::built_in("guarded-write").expect("built in");
    let scenario = scenario.variant("serializable").expect("a variant");
    let set = |worker: &str| (format!("worker.{worker}.guard"), "read-first".to_owned());
    let run = scenario.with(&[set("W1"), set("W2")]).expect("right").run();
    let shown = Shown::of(run);
    check(&shown, "W1 is told that its key is gone", &[98_608_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_holder_that_puts_into_its_own_key_is_refused_by_its_mod_revision_and_not_by_its_create_revision()
 {
    let by_mod = shown("guarded-write.mod-revision");
    check(&by_mod, "PUT 42 is refused: a comparison fails", &[28_078_000]);
    assert_eq!(by_mod.booked(), 0);
    check_broken(&by_mod, &[RightfulHolderRefused]);
    let by_create = shown("guarded-write.create-revision");
    check(&by_create, "PUT 42 is accepted", &[28_078_000]);
    assert_eq!(by_create.booked(), 2_000_000);
    check_broken(&by_create, &[]);
}

#[test]
fn a_key_of_that_name_is_there_and_it_is_the_next_holders() {
    let shown = check_booked_twice("guarded-write.key-exists", &LATE);
    check(&shown, "claim 45 is accepted", &[51_546_000]);
}

#[test]
fn where_the_name_is_its_own_alone_to_ask_whether_the_key_is_there_is_enough() {
    let scenario = Scenario::built_in("guarded-write").expect("built in");
    let scenario = scenario.variant("key-exists").expect("a variant");
    let set = [("lock.recipe".to_owned(), "queue".to_owned())];
    let shown = Shown::of(scenario.with(&set).expect("right").run());
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}
