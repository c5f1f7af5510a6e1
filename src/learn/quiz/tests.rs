use super::file::{Answer, Expected};
use super::*;
use crate::sim::event::EventId;
use std::collections::BTreeSet;

fn english() -> Quiz {
    quiz().expect("the file is right")
}

/// What a run comes to has to be what the file says.
#[track_caller]
fn check_answer(question: &Question, said: &Answer, run: &crate::scenario::Run) {
    let found = question.solve(run).expect("the run can be");
    assert!(found.agrees(said), "{}: the file says {said:?}, a run {found:?}", question.id);
}

#[test]
fn what_a_file_says_is_right_is_what_the_engine_finds() {
    for question in &english().questions {
        check_answer(question, &question.answer, &question.run().expect("it can be"));
    }
}

#[test]
fn in_the_changed_run_another_answer_is_right() {
    for question in &english().questions {
        let changed = question.changed_run().expect("it can be");
        check_answer(question, &question.changed.answer, &changed);
        assert_ne!(question.answer, question.changed.answer, "{}", question.id);
    }
}

#[test]
fn a_choice_and_a_line_have_one_right_option_and_several_have_more() {
    for question in &english().questions {
        for answer in [&question.answer, &question.changed.answer] {
            let Answer::Options(ids) = answer else { continue };
            let right = match question.kind {
                Kind::Choice | Kind::Line => ids.len() == 1,
                Kind::Several => !ids.is_empty() && ids.len() < question.options.len(),
                Kind::Order => ids.len() == question.options.len(),
                Kind::Number | Kind::Event => false,
            };
            assert!(right, "{}: {ids:?}", question.id);
        }
    }
}

#[test]
fn every_option_is_explained_and_every_question_shown_at_a_moment_of_its_run() {
    for question in &english().questions {
        let limit_ms = question.run().expect("it can be").scenario.spec().limit_ms;
        assert!((0..=limit_ms).contains(&question.at_ms), "{}", question.id);
        let mut texts = vec![&question.text, &question.why, &question.changed.text];
        texts.extend(question.options.iter().flat_map(|option| [&option.text, &option.why]));
        for text in texts {
            assert!(text.ends_with(['.', '?', '`']) || text.len() < 60, "{}: {text}", question.id);
            assert!(!text.is_empty(), "{}", question.id);
        }
        let whys: BTreeSet<&String> = question.options.iter().map(|option| &option.why).collect();
        assert_eq!(whys.len(), question.options.len(), "{}: each has its own why", question.id);
    }
}

#[test]
fn a_number_that_people_often_say_is_met_with_its_own_explanation() {
    for question in english().questions.iter().filter(|q| q.kind == Kind::Number) {
        let Answer::Number(right) = question.answer else { panic!("a number") };
        let options: Vec<i64> = question
            .options
            .iter()
            .map(|option| match option.is {
                Some(Expected::Number(number)) => number,
                _ => panic!("{}: {} stands for no number", question.id, option.id),
            })
            .collect();
        assert!(options.contains(&right), "{}: the right number is explained", question.id);
        for number in options {
            let grade = question.grade(&Given::Number(number), &Solution::Number(right));
            assert_eq!(grade.right, number.abs_diff(right) <= question.within.unsigned_abs());
            assert_eq!(grade.chosen.len(), 1, "{}: {number}", question.id);
        }
    }
}

#[test]
fn an_answer_is_right_when_nothing_is_missing_and_nothing_too_much() {
    let quiz = english();
    let several = quiz.questions.iter().find(|q| q.kind == Kind::Several).expect("there is one");
    let all: Vec<String> = several.options.iter().map(|option| option.id.clone()).collect();
    let solution = Solution::Options(all[..2].to_vec());
    let right = |ids: &[String]| several.grade(&Given::Options(ids.to_vec()), &solution).right;
    assert!(right(&all[..2]));
    assert!(right(&[all[1].clone(), all[0].clone()]));
    assert!(!right(&all[..1]));
    assert!(!right(&all[..3]));
    let order = quiz.questions.iter().find(|q| q.kind == Kind::Order).expect("there is one");
    let ids: Vec<String> = order.options.iter().map(|option| option.id.clone()).collect();
    let turned: Vec<String> = ids.iter().rev().cloned().collect();
    let solution = Solution::Options(ids.clone());
    assert!(order.grade(&Given::Options(ids), &solution).right);
    assert!(!order.grade(&Given::Options(turned), &solution).right);
    let event = quiz.questions.iter().find(|q| q.kind == Kind::Event).expect("there is one");
    let solution = Solution::Event(EventId(7), 1);
    assert!(event.grade(&Given::Event(EventId(7)), &solution).right);
    assert!(!event.grade(&Given::Event(EventId(8)), &solution).right);
}

/// A quiz whose file is wrong is named so.
#[track_caller]
fn check_error(from: &str, to: &str, expected: &str) {
    let text = ENGLISH.replacen(from, to, 1);
    assert_ne!(text, ENGLISH, "nothing was replaced");
    let error = Quiz::from_text(&text).expect_err("a mistake").to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn mistakes_in_a_file_are_named() {
    check_error("format = 1", "format = 2", "this is format 2");
    check_error("kind = \"choice\"", "kind = \"guess\"", "there is no `guess` to choose here");
    check_error("answer = [\"", "answer = [\"no-", "names an option that is not there");
    let first = english().questions[0].id.clone();
    let second = english().questions[1].id.clone();
    check_error(&format!("id = \"{second}\""), &format!("id = \"{first}\""), "is there twice");
}
