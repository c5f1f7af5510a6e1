//! An object store knows no tokens: what its clients make of conditions on ETags.

use crate::shown::{Shown, check, check_broken, check_rests_on, shown};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, NeverFinished, RightfulHolderRefused, StaleWriteAccepted, TwoBelieve,
    WorkDoneTwice,
};
use fencepost::scenario::clicks::{ClickSpec, Do, MessageSpec};
use fencepost::scenario::{Run, Scenario};

#[test]
fn a_claim_that_changes_the_etag_fences_the_one_that_slept() {
    let shown = shown("conditional-puts");
    check(&shown, "claim 42 is accepted", &[74_000]);
    check(&shown, "claim 43 is accepted", &[51_586_000]);
    check(&shown, "PUT 42 is refused: PreconditionFailed", &[73_094_000]);
    check(&shown, "W1 finds 43 with the object", &[73_124_000]);
    check(&shown, "PUT 43 is accepted", &[79_606_000]);
    let causes = ["claim 43 is accepted", "click 1 is made"];
    check_rests_on(&shown, "PUT 42 is refused: PreconditionFailed", &causes);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

/// The ETag is that of the body: a claim that changes the metadata alone leaves it as it was.
#[test]
fn a_token_in_the_metadata_alone_fences_nobody() {
    let shown = shown("conditional-puts.metadata-only");
    check(&shown, "claim 43 is accepted", &[51_586_000]);
    check(&shown, "PUT 42 is accepted", &[73_094_000]);
    check(&shown, "PUT 43 is refused: PreconditionFailed", &[79_606_000]);
    check_broken(&shown, &[StaleWriteAccepted, RightfulHolderRefused, TwoBelieve]);
}

#[test]
fn conditions_without_a_token_let_the_first_put_win_whoever_holds_the_lock() {
    let shown = shown("conditional-puts.no-token");
    check(&shown, "PUT 0 is accepted", &[73_074_000]);
    check(&shown, "PUT 0 is refused: PreconditionFailed", &[79_586_000]);
    check_broken(&shown, &[RightfulHolderRefused, TwoBelieve]);
}

#[test]
fn puts_without_a_condition_overwrite_each_other() {
    let shown = shown("conditional-puts.plain-put");
    assert_eq!(shown.booked(), 4_000_000);
    check_broken(&shown, &[AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve]);
}

#[test]
fn after_a_lost_answer_a_client_that_marks_its_puts_finds_its_own() {
    let shown = shown("conditional-puts.lost-answer");
    check(&shown, "PUT 42 is accepted", &[28_094_000]);
    check(&shown, "PUT 42 is refused: PreconditionFailed", &[30_094_000]);
    check(&shown, "W1 finds its own put", &[30_124_000]);
    check(&shown, "W1 finishes", &[30_168_000]);
    check_broken(&shown, &[]);
}

/// The 412 is an answer to its own put, which it cannot tell from another's.
#[test]
fn after_a_lost_answer_a_client_that_marks_nothing_takes_its_own_put_for_anothers() {
    let shown = shown("conditional-puts.lost-answer-unmarked");
    check(&shown, "PUT 0 is accepted", &[28_074_000]);
    check(&shown, "PUT 0 is refused: PreconditionFailed", &[30_074_000]);
    assert!(!shown.times("W1 stops").is_empty());
    assert_eq!(shown.booked(), 2_000_000, "the report stands all the same");
    check_broken(&shown, &[]);
}

#[test]
fn an_etag_that_is_as_it_was_says_nothing_of_what_came_between() {
    let aba = shown("etag-aba");
    check(&aba, "PUT 0 is accepted", &[30_000, 16_030_000, 30_030_000, 55_030_000]);
    check_broken(&aba, &[AcknowledgedWriteLost, WorkDoneTwice]);
    let marked = shown("etag-aba.own-mark");
    check(&marked, "PUT 0 is refused: PreconditionFailed", &[55_030_000]);
    check_broken(&marked, &[WorkDoneTwice]);
}

/// The fence with other clicks.
fn fenced(clicks: Vec<ClickSpec>) -> Shown {
    let scenario = Scenario::built_in("conditional-puts").expect("it is built in");
    Shown::of(Run { clicks, ..scenario.run() })
}

/// W1's report.
fn report() -> MessageSpec {
    let (from, to, kind) = ("W1".to_owned(), "store".to_owned(), "put-object".to_owned());
    MessageSpec { from, to, kind, nth: 2 }
}

#[test]
fn a_claim_between_whose_get_and_put_another_put_comes_is_made_again() {
    // W1 sleeps with its report on the way, which arrives when W2 has looked and not yet put.
    let shown = fenced(vec![
        ClickSpec { at_us: 28_088_000, r#do: Do::Delay { message: report(), by_ms: 23_476 } },
        ClickSpec { at_us: 28_090_000, r#do: Do::Pause { node: "W1".to_owned(), for_ms: None } },
    ]);
    check(&shown, "PUT 42 is accepted", &[51_570_000]);
    check(&shown, "claim 43 is refused: PreconditionFailed", &[51_586_000]);
    check(&shown, "claim 43 is accepted", &[51_626_000]);
    check(&shown, "W2 finds the job done", &[51_636_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve, NeverFinished]);
}

#[test]
fn a_duplicate_of_a_put_that_was_stored_is_refused_and_changes_nothing() {
    let twice = Do::Duplicate { message: report(), after_ms: 500 };
    let shown = fenced(vec![ClickSpec { at_us: 28_090_000, r#do: twice }]);
    check(&shown, "PUT 42 is accepted", &[28_094_000]);
    check(&shown, "PUT 42 is refused: PreconditionFailed", &[28_594_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[]);
}
