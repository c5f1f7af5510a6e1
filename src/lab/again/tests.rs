//! What is open goes into a text and comes back from it.

use super::*;
use crate::lab::Msg;
use crate::lab::arrival::{Arrival, Ids};
use crate::lab::quiz::{QuizMsg, Side, Which};
use crate::scenario::clicks::Do;

fn kept(lab: &Lab) -> String {
    let (text, left_out) = lab.kept_open().expect("something is open");
    assert_eq!(left_out, []);
    text
}

fn lab() -> Lab {
    Lab::new().expect("built in")
}

fn pause(lab: &mut Lab, at_s: i64) {
    lab.update(Msg::Seek(TrueTime(at_s * 1_000_000)));
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
}

/// All that is kept of a run.
fn told(open: &Open) -> (u32, &crate::scenario::Run, TrueTime, TrueTime, Option<TrueTime>) {
    (open.number(), open.run(), open.now(), open.seen_until(), open.waits_at())
}

#[track_caller]
fn assert_is_like(lab: &Lab, before: &Lab) {
    let all = |lab: &Lab| -> Vec<String> {
        lab.runs().iter().map(|open| format!("{:?} {:?}", told(open), open.told())).collect()
    };
    assert_eq!(all(lab), all(before));
    assert_eq!(lab.active(), before.active());
    assert_eq!(lab.beside().map(Open::number), before.beside().map(Open::number));
    assert_eq!(lab.lesson_outline(), before.lesson_outline());
    assert_eq!(lab.predictions(), before.predictions());
    assert_eq!(kept(lab), kept(before));
}

#[test]
fn runs_lesson_and_predictions_are_there_again() {
    let mut before = lab();
    pause(&mut before, 25);
    let question = before.lesson().questions[0].0;
    let (question, option) = (question.id.clone(), question.options[1].id.clone());
    before.update(Msg::Predict { question, option });
    before.update(Msg::ToEnd);
    before.update(Msg::Lesson { place: 1 });
    pause(&mut before, 25);
    before.update(Msg::Seek(TrueTime(60_000_000)));
    before.update(Msg::Seek(TrueTime(40_000_000)));
    before.update(Msg::Load { scenario: "redlock".to_owned() });
    before.update(Msg::CompareWith { run: 2 });
    let told = Told { title: "a & b".to_owned(), shows: "“c”\nd".to_owned() };
    let fragment = "v=1&scenario=refund".to_owned();
    before.update(Msg::OpenTold { fragment, told });
    before.update(Msg::Show { run: 1 });
    before.update(Msg::CompareWith { run: 1 });

    let mut again = lab();
    again.open_again(&kept(&before)).expect("it was just written");
    assert_is_like(&again, &before);
    // And it goes on as before.
    let goes_on = |lab: &mut Lab| {
        lab.update(Msg::ToEnd);
        lab.update(Msg::Lesson { place: 0 });
        lab.update(Msg::Anew);
    };
    goes_on(&mut again);
    goes_on(&mut before);
    assert_is_like(&again, &before);
}

#[test]
fn a_run_of_a_later_chapter_is_there_again_and_its_lesson_once_that_has_come() {
    let mut before = lab();
    pause(&mut before, 25);
    before.update(Msg::Chapter { place: 2 });
    before.supply();
    before.update(Msg::Seek(TrueTime(3_000_000)));
    before.update(Msg::Load { scenario: "refund".to_owned() });
    before.update(Msg::Show { run: 1 });
    assert_eq!(before.lesson().chapter, 2);

    let mut again = lab();
    again.open_again(&kept(&before)).expect("it was just written");
    assert_eq!((again.open().number(), again.awaited_chapter()), (2, Some(2)));
    // A run of a lesson that is there is shown meanwhile, and then the other one again.
    again.update(Msg::Show { run: 0 });
    assert_eq!(again.awaited_chapter(), None);
    again.update(Msg::Show { run: 1 });
    again.supply();
    assert_is_like(&again, &before);
}

#[test]
fn what_was_open_takes_the_place_of_what_the_address_asks_for() {
    let mut before = lab();
    pause(&mut before, 25);
    let arrival = Arrival::from_query("chapter=majority", &Ids::all());
    let mut again = Lab::arrive(&arrival, None).expect("built in");
    again.open_again(&kept(&before)).expect("it was just written");
    again.supply();
    assert_is_like(&again, &before);
}

#[test]
fn a_run_is_kept_as_its_link_and_one_of_the_quiz_is_left_to_the_quiz() {
    let mut lab = lab();
    lab.update(Msg::Quiz(QuizMsg::Show(Side::Quiz)));
    lab.supply();
    lab.update(Msg::Quiz(QuizMsg::Begin(Which::All)));
    lab.update(Msg::Quiz(QuizMsg::OpenRun));
    assert!(lab.is_of_quiz(lab.open()));
    let text = kept(&lab);
    assert_eq!(text.matches("\nrun ").count(), 1);
    assert!(text.contains("\nshown 1\n"), "{text}");
    assert!(text.contains("\nrun 1 v=1&scenario=reconcile-unfenced\n"), "{text}");
    assert!(!text.contains("outcome"), "{text}");
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    let mut lab = lab();
    let before = kept(&lab);
    let error = lab.open_again(text).expect_err("it is wrong");
    assert_eq!(error.to_string(), expected);
    assert_eq!(kept(&lab), before);
}

#[test]
fn a_text_that_cannot_be_read_changes_nothing_and_is_told_with_its_line() {
    let run = "run 1 v=1&scenario=refund";
    let with = |lines: &str| format!("{HEAD}\nopened 1\nshown 1\n{lines}");
    assert_eq!(lab().open_again(&with(run)), Ok(()));
    refused("fencepost-open 2", "line 1: `fencepost-open 1` is expected");
    refused(&with("runs 1"), "line 4: nothing begins with `runs`");
    refused(&with("run x v=1"), "line 4: `x` is no such number");
    refused(&with("run 1"), "line 4: it is too short");
    refused(&with("run 1 v=1"), "line 4: scenario: it is missing");
    refused(&with("seen 5"), "line 4: no run stands before it");
    refused(&with("of late-report"), "line 4: no run stands before it");
    refused(&with(&format!("{run}\nof nothing")), "line 5: there is no lesson `nothing`");
    refused(&with(&format!("{run}\ntold %ff a")), "line 5: its percent-encoding is no text");
    refused(&with(&format!("{run}\n{run}")), "line 5: the numbers of the runs do not fit");
    refused(&with("run 2 v=1&scenario=refund"), "line 4: the numbers of the runs do not fit");
    refused(&with(""), "line 3: the numbers of the runs do not fit");
    refused(HEAD, "line 1: the numbers of the runs do not fit");
}
