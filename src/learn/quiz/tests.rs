use super::file::Answer;
use super::*;
use crate::properties::PropertyId;
use crate::scenario::{Run, Scenario};
use crate::sim::event::EventId;
use std::collections::BTreeSet;

/// The ids of all questions that there have ever been. Links and what people have
/// answered name them: ids are added here, and none is changed or taken out.
const IDS: &[&str] = &[
    "another-locks-token",
    "booked-check-then-put",
    "booked-refund",
    "booking-beside-fence",
    "cannot-renew",
    "checked-when-it-begins",
    "claim-or-read",
    "condition-without-token",
    "consul-delay-kept",
    "consul-forgotten-delay",
    "consul-second-life",
    "consul-short-pause",
    "consul-twice-the-ttl",
    "consul-when-free",
    "consul-which-token",
    "cut-from-etcd",
    "delayed-report",
    "doubled-report",
    "etag-as-it-was",
    "etcd-before-the-next-write",
    "etcd-guard-in-two-steps",
    "etcd-key-of-one-name",
    "etcd-mod-or-create",
    "etcd-serializable-read",
    "etcd-which-comparisons",
    "exit-and-restart",
    "from-when-refused",
    "hand-over",
    "heartbeat-alone",
    "late-write-order",
    "leaders-clock",
    "lease-end",
    "line-draws-early",
    "line-get-then-put",
    "line-release-by-name",
    "line-slow-write",
    "long-ttl",
    "look-before-write",
    "lost-answer",
    "lost-update-remedies",
    "lost-write",
    "lost-write-remedies",
    "lower-number-holds",
    "mark-in-memory",
    "new-leader",
    "new-leader-order",
    "no-hand-over",
    "object-created-only",
    "object-epoch-deleted",
    "object-own-success",
    "object-skewed-waiter",
    "object-unchanged-since",
    "old-leaders-append",
    "only-higher",
    "own-412",
    "postgres-client-clock",
    "postgres-crash",
    "postgres-idle-session",
    "postgres-pooler",
    "postgres-rolled-back",
    "postgres-strict-fence",
    "postgres-terminated",
    "redis-key-end",
    "redis-late-delete",
    "redis-remedies",
    "redis-token-after-failover",
    "redis-two-steps",
    "redis-wall-clock",
    "redlock-majority",
    "redlock-pause-in-flight",
    "redlock-random-value",
    "redlock-validity",
    "redlock-what-harms",
    "refund-remedies",
    "relay-crash-remedies",
    "retry-without-a-key",
    "rules",
    "scope-of-mark",
    "second-token",
    "sleeping-waiter",
    "slow-clock",
    "stale-accepted",
    "stale-report-checked",
    "stuck-main-thread",
    "successor-waits",
    "suspended-machine",
    "token-after-expiry",
    "token-after-revoke",
    "token-beside-the-body",
    "true-at-the-end",
    "two-believe",
    "wall-clock-step",
    "what-tokens-promise",
    "when-to-stop",
    "who-has-to-check",
    "write-then-book",
    "zookeeper-code-runs-on",
    "zookeeper-late-look",
    "zookeeper-node-goes",
    "zookeeper-second-life",
    "zookeeper-stale-follower",
    "zookeeper-suffix",
    "zookeeper-when-to-stop",
];

fn english() -> Quiz {
    quiz().expect("the file is right")
}

/// What a run comes to, if that is not what the file says.
fn wrong(question: &Question, said: &Answer, run: Result<Run, QuizError>) -> Option<String> {
    match run.and_then(|run| question.solve(&run)) {
        Ok(found) if found.agrees(said) => None,
        Ok(found) => Some(format!("{}: the file says {said:?}, a run {found:?}", question.id)),
        Err(error) => Some(error.to_string()),
    }
}

#[test]
fn the_readme_says_how_many_questions_there_are() {
    let says = format!("a quiz of {} questions", IDS.len());
    assert!(include_str!("../../../README.md").contains(&says), "{says}");
}

#[test]
fn what_a_file_says_is_right_is_what_the_engine_finds() {
    let quiz = english();
    let wrong = quiz.questions.iter().filter_map(|q| wrong(q, &q.answer, q.run()));
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn in_the_changed_run_another_answer_is_right() {
    let quiz = english();
    let changed = |q: &Question| wrong(q, &q.changed.answer, q.changed_run());
    let wrong = quiz.questions.iter().filter_map(changed);
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
    for question in &quiz.questions {
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
    let text = ENGLISH[0].1.replacen(from, to, 1);
    assert_ne!(text, ENGLISH[0].1, "nothing was replaced");
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

#[test]
fn no_id_is_ever_changed_or_taken_out() {
    let quiz = english();
    let mut there: Vec<&str> = quiz.questions.iter().map(|question| question.id.as_str()).collect();
    there.sort_unstable();
    assert_eq!(there, IDS, "a question was renamed, taken out, or not added to the list");
}

#[test]
fn two_files_cannot_have_a_question_of_one_id() {
    let error = Quiz::from_texts(&[ENGLISH[0].1; 2]).expect_err("a mistake");
    assert_eq!(error, QuizError::Twice(english().questions[0].id.clone()));
}

#[test]
fn each_kind_of_question_is_there_three_times_at_least() {
    let quiz = english();
    assert!(quiz.questions.len() >= 32);
    for kind in <Kind as crate::content::Choice>::ALL {
        let count = quiz.questions.iter().filter(|question| question.kind == *kind).count();
        assert!(count >= 3, "{kind:?}: {count}");
    }
}

/// Whoever always takes the longest, or the one at some place, is seldom right.
#[test]
fn the_right_option_is_told_neither_by_its_length_nor_by_its_place() {
    let quiz = english();
    let mut of_all = 0;
    let (mut longest, mut at_place) = (0, [0; 4]);
    for question in quiz.questions.iter().filter(|q| q.kind == Kind::Choice) {
        let Answer::Options(ids) = &question.answer else { panic!("a list") };
        let length = |option: &Choice| option.text.len();
        let most = question.options.iter().map(length).max().expect("options");
        let place = question.options.iter().position(|o| o.id == ids[0]).expect("it is there");
        of_all += 1;
        longest += usize::from(length(&question.options[place]) == most);
        at_place[place] += 1;
    }
    assert!(longest * 2 <= of_all, "the longest is right {longest} times of {of_all}");
    assert!(at_place.iter().all(|times| times * 2 <= of_all), "{at_place:?} of {of_all}");
}

/// What a measure comes to in a scenario as it is written.
#[track_caller]
fn check_measure(measure: &Measure, scenario: &str, expected: &Measured) {
    let run = Scenario::built_in(scenario).expect("built in").run();
    let replay = run.to_end().expect("a run");
    assert_eq!(measure.take(&run.scenario, &replay), *expected, "{scenario}");
}

#[test]
fn safe_is_what_keeps_all_that_its_scenario_promises() {
    check_measure(&Measure::Safe {}, "reconcile", &Measured::Word("kept"));
    check_measure(&Measure::Safe {}, "plain-read", &Measured::Word("broken"));
    // It also breaks others, which it does not promise.
    let property = PropertyId::TwoBelieve;
    check_measure(&Measure::Verdict { property }, "reconcile", &Measured::Word("broken"));
}

#[test]
fn the_token_of_a_grant_is_the_lock_services_whatever_a_program_uses() {
    let of = || "W2".to_owned();
    let token = |nth| Measure::Token { of: of(), nth };
    check_measure(&token(1), "separate-counter", &Measured::Number(43));
    check_measure(&token(2), "separate-counter", &Measured::Never);
}
