//! Without a lock around each piece of work: compare and set, keys, a log with one leader.

use crate::shown::{Shown, check, check_broken, check_rests_on, shown};
use fencepost::actors::Note;
use fencepost::actors::note::WorkerNote;
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, StaleWriteAccepted, TwoBelieve, WorkDoneTwice,
};
use fencepost::scenario::clicks::{ClickSpec, Do};
use fencepost::scenario::{Run, Scenario};
use fencepost::sim::event::What;

#[test]
fn who_computed_from_an_old_version_is_refused_and_begins_anew() {
    let shown = shown("no-lock");
    check(&shown, "PUT 0 is refused: the version is 1", &[25_030_000]);
    check(&shown, "PUT 0 is accepted", &[7_030_000, 30_070_000]);
    check_rests_on(&shown, "PUT 0 is refused: the version is 1", &["click 1 is made"]);
    assert_eq!(shown.booked(), 350);
    check_broken(&shown, &[]);
}

#[test]
fn a_key_tells_a_repeat_and_not_what_a_transfer_was_computed_from() {
    check_broken(&shown("no-lock.no-check"), &[AcknowledgedWriteLost]);
    check_broken(&shown("no-lock.key-only"), &[AcknowledgedWriteLost]);
    let one = shown("no-lock.one-transfer");
    check(&one, "PUT 0 is refused: the job is done", &[25_030_000]);
    check(&one, "W1 finds the job done", &[25_060_000]);
    assert_eq!(one.booked(), 100);
    check_broken(&one, &[]);
}

#[test]
fn after_a_lost_answer_a_transfer_is_booked_twice_unless_it_has_a_key() {
    let twice = shown("no-lock.retried");
    check(&twice, "PUT 0 is accepted", &[5_030_000, 7_030_000, 25_030_000]);
    assert_eq!(twice.booked(), 450);
    check_broken(&twice, &[WorkDoneTwice]);
    let once = shown("no-lock.retried-key");
    assert_eq!(once.booked(), 350);
    check_broken(&once, &[]);
}

#[test]
fn an_old_leaders_append_is_refused_by_its_term() {
    let shown = shown("leader-log");
    check(&shown, "claim 43 is accepted", &[51_566_000]);
    check(&shown, "PUT 42 is refused: 43 was seen", &[73_074_000]);
    let causes = ["click 1 is made", "claim 43 is accepted"];
    check_rests_on(&shown, "PUT 42 is refused: 43 was seen", &causes);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn keys_without_terms_let_an_old_leader_append_and_terms_without_keys_append_twice() {
    let keys = shown("leader-log.key-only");
    check(&keys, "PUT 42 is accepted", &[73_074_000]);
    check_broken(&keys, &[StaleWriteAccepted, AcknowledgedWriteLost, TwoBelieve]);
    let both = shown("leader-log.sent-twice");
    check(&both, "PUT 42 is accepted", &[74_000]);
    assert_eq!(both.booked(), 350);
    check_broken(&both, &[]);
    let terms = shown("leader-log.term-only");
    check(&terms, "PUT 42 is accepted", &[74_000, 94_000]);
    assert_eq!(terms.booked(), 450);
    check_broken(&terms, &[WorkDoneTwice]);
}

/// A transfer that was taken and not settled when its worker crashed is taken again, and the
/// store knows its key if it was written before.
#[test]
fn a_crash_loses_no_transfer_and_books_none_twice() {
    let scenario = Scenario::built_in("rising-load").expect("it is built in");
    let keys = scenario.variant("keys").expect("a variant");
    let booked = check_transfers(keys.run());
    // Each transfer is written to two objects, and settled when the second is.
    let two = ["W1", "W2", "W3", "W4"].into_iter().flat_map(|worker| {
        let set = |field, value: &str| (format!("worker.{worker}.{field}"), value.to_owned());
        [set("program", r#"["take", "write", "write"]"#), set("objects", r#"["debit", "credit"]"#)]
    });
    let two = keys.with(&two.collect::<Vec<_>>()).expect("it can be set");
    assert_eq!(check_transfers(two.run()), 2 * booked);
}

/// What is booked in all.
#[track_caller]
fn check_transfers(run: Run) -> i64 {
    let is_settled = |what: &What<_>| {
        matches!(what, What::Note(Note::Worker(WorkerNote::SettledTransfer { .. })))
    };
    let settled =
        |shown: &Shown| shown.replay.past().iter().filter(|event| is_settled(&event.what)).count();
    let whole = Shown::of(run.clone());
    let mut known = 0;
    // At some of these moments W1's answer is on its way, at others its transfer.
    for at_us in (17_000_000..17_200_000).step_by(10_000) {
        let crash = Do::Crash { node: "W1".to_owned(), restart_after_ms: Some(500) };
        let clicks = vec![ClickSpec { at_us, r#do: crash }];
        let crashed = Shown::of(Run { clicks, ..run.clone() });
        assert_eq!(settled(&crashed), settled(&whole), "{at_us}");
        assert_eq!(crashed.booked(), whole.booked(), "{at_us}");
        // Written blindly, none takes account of another.
        check_broken(&crashed, &[AcknowledgedWriteLost]);
        known += crashed.times("PUT 0 is refused: the job is done").len();
    }
    assert!(known > 0, "no crash came between a write and its answer");
    whole.booked()
}
