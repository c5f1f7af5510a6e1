//! Lessons played in the lab.

use super::*;
use crate::actors::store::api::Rule;
use crate::content::{Tree, Value};
use crate::lab::arrival::{Arrival, Ids};
use crate::lab::bench::Edit;
use crate::lab::guide::{Next, Whose, next, own_run, whose};
use crate::lab::quiz::{QuizMsg, Side};
use crate::lab::{Msg, Speed};
use crate::scenario::Scenario;
use crate::scenario::clicks::Do;
use crate::share::Link;
use crate::sim::time::{Span, TrueTime};

fn play(lab: &mut Lab) {
    while lab.playing() != Playing::No {
        lab.update(Msg::Tick { elapsed: Span::from_ms(500) });
    }
}

fn asked(lab: &Lab) -> Vec<String> {
    let say = |(question, asked): &(&Question, Asked)| match asked {
        Asked::NotYet => unreachable!("only what is asked is shown"),
        Asked::Open(chosen) => {
            format!("{} open {}", question.id, chosen.map_or("-", |c| c.id.as_str()))
        }
        Asked::Met(met) => {
            let chosen = met.chosen.map_or("-", |c| c.id.as_str());
            format!("{} {chosen}, right {}", question.id, met.right.id)
        }
    };
    lab.lesson().questions.iter().map(say).collect()
}

#[test]
fn the_first_lesson_asks_keeps_and_meets_both_predictions() {
    let mut lab = Lab::new().expect("built in");
    assert_eq!(asked(&lab), Vec::<String>::new());
    lab.update(Msg::Play);
    play(&mut lab);
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
    assert_eq!(asked(&lab), ["late-report-unchecked open -"]);
    let predict = |question: &str, option: &str| Msg::Predict {
        question: question.to_owned(),
        option: option.to_owned(),
    };
    lab.update(predict("late-report-unchecked", "not-sent"));
    assert_eq!(asked(&lab), ["late-report-unchecked open not-sent"]);
    lab.update(Msg::Play);
    play(&mut lab);
    let first = "late-report-unchecked not-sent, right accepted";
    assert_eq!(asked(&lab), [first, "late-report-checked open -"]);
    lab.update(predict("late-report-checked", "refused"));
    lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
    play(&mut lab);
    assert_eq!(asked(&lab), [first, "late-report-checked refused, right refused"]);
    // What was seen stays seen wherever one looks.
    lab.update(Msg::ToStart);
    assert_eq!(asked(&lab).len(), 2);
}

/// The part told (its first word), the steps (`x` done, `>` to do, `.` later), how
/// many questions are shown.
#[track_caller]
fn check(lab: &Lab, expected: &str) {
    let lesson = lab.lesson();
    let steps = lesson.steps.iter().map(|(_, progress)| match progress {
        Progress::Done => 'x',
        Progress::Now => '>',
        Progress::Later => '.',
    });
    let part = lesson.lesson.parts.iter().position(|part| part == lesson.part).unwrap() + 1;
    let found = format!("{part} {} {}", steps.collect::<String>(), lesson.questions.len());
    assert_eq!(found, expected);
}

fn pause_w1(for_ms: Option<i64>) -> Msg {
    Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms })
}

/// The whole lesson, to its last word.
fn finished() -> Lab {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Play);
    play(&mut lab);
    lab.update(pause_w1(Some(45_000)));
    lab.update(Msg::ToEnd);
    lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
    play(&mut lab);
    check(&lab, "3 xxxx 2");
    lab
}

#[test]
fn a_lesson_begun_anew_is_as_it_was_at_first() {
    let mut lab = finished();
    lab.update(Msg::Anew);
    check(&lab, "1 >... 0");
    assert_eq!(lab.runs().len(), 3, "what was run stays there");
    assert_eq!(lab.predictions().len(), 0);
    lab.update(Msg::Play);
    play(&mut lab);
    lab.update(pause_w1(Some(45_000)));
    check(&lab, "1 xx>. 1");
    lab.update(Msg::ToEnd);
    check(&lab, "2 xxx> 2");
    let lesson = lab.lesson();
    let Asked::Met(met) = lesson.questions[0].1 else { panic!("it is decided") };
    assert_eq!(met.run, lab.active(), "the moment that is shown is one of this run");
}

#[test]
fn the_part_told_is_one_of_the_run_one_looks_at() {
    let mut lab = finished();
    lab.update(Msg::Show { run: 0 });
    check(&lab, "2 xxxx 2");
    lab.update(Msg::Show { run: 1 });
    check(&lab, "3 xxxx 2");
}

#[test]
fn a_longer_pause_has_the_same_effect_and_counts() {
    for for_ms in [Some(60_000), None] {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Seek(TrueTime(25_000_000)));
        lab.update(pause_w1(for_ms));
        check(&lab, "1 x... 0");
        lab.update(Msg::ToEnd);
        if for_ms.is_none() {
            check(&lab, "1 xx>. 0");
            lab.update(Msg::Click(Do::Resume { node: "W1".to_owned() }));
            lab.update(Msg::ToEnd);
        }
        assert_eq!(lab.lesson().course, Course::Beside);
        check(&lab, "2 xxx> 0");
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        play(&mut lab);
        check(&lab, "3 xxxx 0");
    }
}

#[test]
fn a_pause_without_the_effect_counts_for_nothing() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    lab.update(pause_w1(Some(5_000)));
    lab.update(Msg::ToEnd);
    assert_eq!(lab.lesson().course, Course::Off);
    check(&lab, "1 x... 0");
}

#[test]
fn a_run_that_is_set_otherwise_counts_for_no_step_and_leads_back_to_the_lessons() {
    let mut lab = Lab::new().expect("built in");
    assert_eq!(lab.back_to_lesson(), None);
    let edits = [("lock.ttl_s", Value::Whole(12)), ("lock.service", Value::Text("redis".into()))];
    for (path, value) in edits {
        let edit = Edit::Set { path: path.to_owned(), value: Tree::new(value) };
        lab.update(Msg::Edit(edit));
        let back = lab.back_to_lesson().expect("it leads back");
        assert_eq!(back, Msg::Edit(Edit::ResetAll), "{path}");
        lab.update(back);
        assert!(lab.open().is_as_built_in() && lab.back_to_lesson().is_none(), "{path}");
    }
    // Beside the lesson's own run that one is shown.
    lab.update(Msg::Copy);
    lab.update(Msg::Edit(Edit::Seed(7)));
    assert_eq!(lab.back_to_lesson(), Some(Msg::Show { run: 0 }));
}

/// A prediction made when it is known what happens is none.
#[test]
fn a_prediction_that_was_met_stays_as_it_was() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Play);
    play(&mut lab);
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
    lab.update(Msg::ToEnd);
    let question = "late-report-unchecked".to_owned();
    lab.update(Msg::Predict { question, option: "accepted".to_owned() });
    assert_eq!(asked(&lab)[0], "late-report-unchecked -, right accepted");
}

/// Does what is marked, or told, until the lesson is finished; at most so many things.
fn follow(lab: &mut Lab) -> Vec<String> {
    let mut done = Vec::new();
    while done.len() < 40 {
        let marked = next(lab);
        let own = own_run(lab).cloned();
        let has_clicks = !lab.open().run().clicks.is_empty();
        done.push(format!("{marked:?}").split([' ', '(']).next().unwrap_or_default().to_owned());
        match marked {
            Next::Lesson { .. } | Next::Chapter { .. } | Next::PlayAgain => break,
            Next::OwnRun { scenario } => lab.update(Msg::Load { scenario }),
            Next::SameClicks(again) => lab.update(Msg::SameClicksIn { scenario: again.run }),
            Next::RunAgain(rule) => lab.update(Msg::RunAgain(rule)),
            Next::Do(action) => lab.update(Msg::Click(action)),
            Next::Start | Next::Play | Next::JustRun(_) => match own.filter(|_| !has_clicks) {
                Some(own) if !own.clicks.is_empty() => own.clicks.into_iter().for_each(|click| {
                    lab.update(Msg::Seek(TrueTime(click.at_us)));
                    lab.update(Msg::Click(click.r#do));
                }),
                _ => lab.update(Msg::Play),
            },
            other => panic!("nothing of a lesson: {other:?}"),
        }
        play(lab);
        assert_eq!(lab.warning(), None);
    }
    done
}

/// What is done in each lesson of each chapter, in order.
const DONE: &[&[&str]] = &[
    &[
        "Start Do JustRun RunAgain Lesson",
        "Start Do JustRun SameClicks Lesson",
        "Start Do JustRun OwnRun Start JustRun Lesson",
        "Start Do JustRun SameClicks OwnRun Start JustRun Lesson",
        "Start Do JustRun OwnRun Start JustRun OwnRun Start JustRun Chapter",
    ],
    &[
        "Start Do JustRun SameClicks SameClicks Lesson",
        "Start Do JustRun Do JustRun Do JustRun OwnRun Start JustRun Lesson",
        "Start Do Do Do Do JustRun Do JustRun OwnRun Start JustRun Chapter",
    ],
    &[
        "Start Do JustRun RunAgain OwnRun Start JustRun OwnRun Start JustRun Lesson",
        "Start Do JustRun RunAgain OwnRun Start JustRun Chapter",
    ],
    &[
        "Start Do JustRun SameClicks SameClicks SameClicks Lesson",
        "Start Do JustRun SameClicks OwnRun Start JustRun Lesson",
        "Start Do JustRun SameClicks SameClicks Lesson",
        "Start Do JustRun SameClicks SameClicks Chapter",
    ],
    &[
        "Start Do JustRun SameClicks Lesson",
        "Start Do JustRun SameClicks OwnRun Start Lesson",
        "Start Do JustRun SameClicks OwnRun Start JustRun PlayAgain",
    ],
];

/// Does a lesson as it is marked, and finishes it.
#[track_caller]
fn finish(lab: &mut Lab, expected: &str) {
    let lesson = lab.lesson();
    let id = lesson.lesson.id.clone();
    assert!(!lesson.is_begun(), "{id}");
    assert_eq!(follow(lab).join(" "), expected, "{id}");
    let lesson = lab.lesson();
    assert_eq!(lesson.lesson.id, id);
    assert!(lesson.is_done(), "{id}");
    assert_eq!(Some(lesson.part), lesson.lesson.parts.last(), "{id}");
    assert!(lab.lessons_done().contains(&id));
    assert_eq!(lesson.questions.len(), lesson.lesson.questions.len(), "{id}");
    for (question, asked) in &lesson.questions {
        assert!(matches!(asked, Asked::Met(_)), "{} is not met", question.id);
    }
}

#[test]
fn every_chapter_is_finished_by_what_is_marked_and_told_at_every_speed() {
    for speed in Speed::ALL {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::SetSpeed(speed));
        assert_eq!(lab.headings().len(), DONE.len());
        for (chapter, lessons) in DONE.iter().enumerate() {
            lab.update(Msg::Chapter { place: chapter });
            lab.supply();
            assert_eq!(lab.chapter().lessons.len(), lessons.len());
            for (place, expected) in lessons.iter().enumerate() {
                lab.update(Msg::Lesson { place });
                assert_eq!((lab.lesson().chapter, lab.lesson().place), (chapter, place));
                finish(&mut lab, expected);
            }
        }
        assert_eq!(lab.lessons_done().len(), DONE.concat().len());
    }
}

#[test]
fn a_chapter_is_gone_to_when_it_has_come_and_nothing_is_lost() {
    let mut lab = finished();
    let before: Vec<_> = lab.runs().iter().map(|open| open.run().clone()).collect();
    lab.update(Msg::Chapter { place: 1 });
    assert_eq!((lab.lesson().chapter, lab.awaited_chapter()), (0, Some(1)));
    check(&lab, "3 xxxx 2");
    lab.supply();
    assert_eq!((lab.lesson().chapter, lab.awaited_chapter()), (1, None));
    assert_eq!(lab.open().scenario().spec().id, "batch-incident");
    lab.update(Msg::Play);
    play(&mut lab);
    // Back to the first chapter's first lesson that is not finished, and to the run of
    // another: the chapter goes with it.
    lab.update(Msg::Chapter { place: 0 });
    assert_eq!((lab.lesson().chapter, lab.lesson().place), (0, 1));
    lab.update(Msg::Show { run: 2 });
    assert_eq!((lab.lesson().chapter, lab.lesson().place), (1, 0));
    let still: Vec<_> = lab.runs()[..2].iter().map(|open| open.run().clone()).collect();
    assert_eq!(still, before);
    assert_eq!(lab.take_wanted(), [], "what is there is not fetched again");
}

/// Somebody who goes elsewhere meanwhile is not taken away from there.
#[test]
fn a_chapter_that_comes_late_takes_nobody_away() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Chapter { place: 1 });
    lab.update(Msg::Lesson { place: 2 });
    lab.supply();
    assert_eq!((lab.lesson().chapter, lab.lesson().place), (0, 2));
    lab.update(Msg::Chapter { place: 7 });
    assert_eq!((lab.lesson().chapter, lab.warning()), (0, None), "there is none");
    for turn in [
        Msg::Load { scenario: "refund".to_owned() },
        Msg::Step,
        Msg::Quiz(QuizMsg::Show(Side::Quiz)),
    ] {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Chapter { place: 1 });
        lab.update(turn.clone());
        let before = (lab.open().number(), lab.runs().len());
        lab.supply();
        assert_eq!((lab.open().number(), lab.runs().len()), before, "{turn:?}");
        assert_eq!(lab.awaited_chapter(), None, "{turn:?}");
    }
}

#[test]
fn a_links_run_stays_in_front_of_a_chapter_that_comes_late() {
    let run = Scenario::built_in("refund").expect("built in").run();
    let link = Link::to(&run).expect("it is of a built-in scenario").fragment();
    for id in ["late-report", "majority"] {
        let arrival = Arrival::from_query(&format!("chapter={id}"), &Ids::all());
        let mut lab = Lab::arrive(&arrival, Some(&link)).expect("built in");
        lab.supply();
        assert_eq!(lab.lesson().lesson.id, id);
        assert_eq!(lab.open().scenario().spec().id, "refund", "{id}");
        assert_eq!(lab.runs().len(), 2, "{id}: the lesson's and the link's");
    }
}

#[test]
fn a_step_of_ones_own_is_not_done_by_any_click() {
    for place in [2, 3, 4] {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Lesson { place });
        let mut left = 12;
        while own_run(&lab).is_none() && left > 0 {
            left -= 1;
            match next(&lab) {
                Next::Do(action) => lab.update(Msg::Click(action)),
                Next::SameClicks(again) => lab.update(Msg::SameClicksIn { scenario: again.run }),
                _ => lab.update(Msg::Play),
            }
            play(&mut lab);
        }
        let own = own_run(&lab).expect("it is asked for").clone();
        lab.update(Msg::Load { scenario: own.run });
        lab.update(Msg::Seek(TrueTime(500_000)));
        lab.update(Msg::Click(Do::Crash { node: "M2".to_owned(), restart_after_ms: None }));
        assert_eq!(lab.lesson().course, Course::Own);
        lab.update(Msg::ToEnd);
        assert!(!lab.lesson().is_done());
        assert!(matches!(next(&lab), Next::OwnRun { .. }), "one may try again");
    }
}

#[test]
fn a_lesson_gone_to_has_a_run_of_its_own_and_nothing_is_lost() {
    let mut lab = finished();
    let before: Vec<_> = lab.runs().iter().map(|open| open.run().clone()).collect();
    lab.update(Msg::Lesson { place: 1 });
    assert_eq!(lab.runs().len(), 3);
    assert_eq!(lab.open().scenario().spec().id, "plain-read");
    check(&lab, "1 >... 0");
    let still: Vec<_> = lab.runs()[..2].iter().map(|open| open.run().clone()).collect();
    assert_eq!(still, before);
    // Back: to what one has looked at last there, and no further run.
    lab.update(Msg::Lesson { place: 0 });
    assert_eq!((lab.runs().len(), lab.active()), (2, 1), "one in which nothing was done goes");
    check(&lab, "3 xxxx 2");
    lab.update(Msg::Lesson { place: 1 });
    lab.update(Msg::Step);
    lab.update(Msg::Lesson { place: 0 });
    lab.update(Msg::Lesson { place: 1 });
    assert_eq!((lab.runs().len(), lab.active()), (3, 2));
    assert!(!lab.open().is_at_start(), "it is as one left it");
    lab.update(Msg::Lesson { place: 9 });
    assert_eq!(lab.lesson().place, 1, "there is none");
}

/// The second lesson tells of a run that the first one has as well.
#[test]
fn a_run_counts_only_in_the_lesson_in_which_it_was_opened() {
    let mut lab = finished();
    lab.update(Msg::Lesson { place: 1 });
    lab.update(Msg::Show { run: 1 });
    assert_eq!(lab.lesson().place, 0, "the lesson goes with the run");
    lab.update(Msg::Show { run: 2 });
    assert_eq!(lab.lesson().place, 1);
    check(&lab, "1 >... 0");
}

#[test]
fn a_lesson_that_was_finished_stays_so() {
    let mut lab = finished();
    let done = |lab: &Lab| lab.lessons_done().iter().cloned().collect::<Vec<_>>();
    assert_eq!(done(&lab), ["late-report"]);
    lab.update(Msg::Anew);
    assert_eq!(done(&lab), ["late-report"]);
    let mut other = Lab::new().expect("built in");
    other.remember_lessons(done(&lab));
    assert_eq!(done(&other), ["late-report"]);
    check(&other, "1 >... 0");
}

#[test]
fn a_lesson_begun_anew_keeps_the_answers_of_the_others() {
    let mut lab = Lab::new().expect("built in");
    for (place, question) in ["late-report-unchecked", "unclaimed-late-report"].iter().enumerate() {
        lab.update(Msg::Lesson { place });
        lab.update(Msg::Seek(TrueTime(25_000_000)));
        lab.update(pause_w1(Some(45_000)));
        let (question, option) = ((*question).to_owned(), "refused".to_owned());
        lab.update(Msg::Predict { question, option });
    }
    assert_eq!(lab.predictions().len(), 2);
    lab.update(Msg::Anew);
    let left: Vec<&str> = lab.predictions().keys().map(String::as_str).collect();
    assert_eq!(left, ["late-report-unchecked"]);
}

#[test]
fn a_lesson_does_not_tell_of_a_run_with_another_lock_service() {
    let mut lab = Lab::new().expect("built in");
    assert!(lab.tells_of(lab.open()));
    for service in ["redis", "redlock", "zookeeper"] {
        let value = Tree::new(Value::Text(service.to_owned()));
        lab.update(Msg::Edit(Edit::Set { path: "lock.service".to_owned(), value }));
        assert_eq!(lab.warning(), None);
        assert!(!lab.tells_of(lab.open()), "{service}");
        assert_eq!(whose(lab.open()), Whose::Reader, "its goal is not this run's");
    }
    lab.update(Msg::Edit(Edit::ResetAll));
    assert!(lab.tells_of(lab.open()));
    assert_eq!(whose(lab.open()), Whose::Story);
}
