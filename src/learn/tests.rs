use super::*;
use crate::actors::store::api::Rule;
use crate::scenario::clicks::Do;
use crate::scenario::{Run, Scenario};
use crate::sim::time::TrueTime;
use std::collections::BTreeMap;

fn first() -> Chapter {
    chapters().expect("every chapter can be read").remove(0)
}

/// The chapter's run under a rule.
fn run(rule: Rule) -> Run {
    let id = match rule {
        Rule::None => "reconcile-unfenced",
        _ => "reconcile",
    };
    Scenario::built_in(id).expect("built in").run()
}

#[test]
fn every_chapter_can_be_read_and_names_scenarios_that_are_there() {
    for chapter in chapters().expect("every chapter can be read") {
        for id in &chapter.scenarios {
            Scenario::built_in(id).unwrap_or_else(|error| panic!("{}: {error}", chapter.id));
        }
        for question in &chapter.questions {
            assert!((2..=4).contains(&question.options.len()), "{}", question.id);
        }
    }
}

#[test]
fn each_question_has_exactly_one_right_option_under_every_rule_it_is_about() {
    let mut asked = Vec::new();
    for chapter in chapters().expect("every chapter can be read") {
        for question in &chapter.questions {
            for rule in [Rule::None, Rule::OwnerAndSequence] {
                let outcome = outcome::foretell(&question.worker, &run(rule)).expect("a run");
                let right: Vec<&str> = question
                    .options
                    .iter()
                    .filter(|option| option.outcome == outcome)
                    .map(|option| option.id.as_str())
                    .collect();
                assert_eq!(right.len(), 1, "{} under {rule:?}: {right:?}", question.id);
                asked.push((question.id.clone(), rule, right[0].to_owned()));
            }
        }
    }
    let right_of = |id: &str, rule| {
        let found = asked.iter().find(|(question, of, _)| question == id && *of == rule);
        found.map(|(_, _, right)| right.as_str())
    };
    assert_eq!(right_of("late-report-unchecked", Rule::None), Some("accepted"));
    assert_eq!(right_of("late-report-checked", Rule::OwnerAndSequence), Some("refused"));
}

#[test]
fn without_the_next_holders_claim_the_late_write_would_have_passed() {
    let program = "[\"acquire\", \"read\", \"compute\", \"write\", \"release\"]";
    let setting = ("worker.W2.program".to_owned(), program.to_owned());
    let mut run = run(Rule::OwnerAndSequence);
    run.scenario = run.scenario.with(&[setting]).expect("a setting");
    assert_eq!(outcome::foretell("W1", &run), Ok(Outcome::Accepted));
}

/// How the chapter stands when the runs have been run so far (seconds): the part told,
/// the steps (`x` done, `>` to do, `.` later) and the questions.
#[track_caller]
fn check(runs: &[(Run, i64)], answers: &[(&str, &str)], expected: &str) {
    let chapter = first();
    let replays: Vec<_> = runs
        .iter()
        .map(|(run, until_s)| {
            let mut replay = run.replay().expect("a run");
            replay.seek(TrueTime(until_s * 1_000_000));
            replay
        })
        .collect();
    let seen: Vec<Seen> = runs
        .iter()
        .zip(&replays)
        .map(|((run, _), replay)| Seen { run, trace: replay.trace() })
        .collect();
    let answers: BTreeMap<String, String> =
        answers.iter().map(|(q, o)| ((*q).to_owned(), (*o).to_owned())).collect();
    let told = chapter.part(&seen, seen.last().expect("a run"));
    let part = chapter.parts.iter().position(|part| part == told).unwrap() + 1;
    let steps: String = chapter
        .progress(&seen)
        .iter()
        .map(|(_, progress)| match progress {
            Progress::Done => 'x',
            Progress::Now => '>',
            Progress::Later => '.',
        })
        .collect();
    let asked = chapter.questions.iter().map(|q| sketch(chapter.asked(q, &seen, &answers)));
    let found = format!("{part} {steps} {}", asked.collect::<Vec<_>>().join(" "));
    assert_eq!(found, expected);
}

fn sketch(asked: Asked) -> String {
    let id = |choice: Option<&Choice>| choice.map_or("-", |choice| &choice.id).to_owned();
    match asked {
        Asked::NotYet => "not-yet".to_owned(),
        Asked::Open(chosen) => format!("open({})", id(chosen)),
        Asked::Met(met) => format!("met({}/{}@{})", id(met.chosen), met.right.id, met.run),
    }
}

#[test]
fn a_prediction_is_asked_kept_and_met() {
    let plain = Run { clicks: Vec::new(), ..run(Rule::None) };
    check(&[(plain.clone(), -1)], &[], "1 >... not-yet not-yet");
    check(&[(plain, 25)], &[], "1 x>.. not-yet not-yet");
    check(&[(run(Rule::None), 25)], &[], "1 xx>. open(-) not-yet");
    let answer = ("late-report-unchecked", "refused");
    check(&[(run(Rule::None), 25)], &[answer], "1 xx>. open(refused) not-yet");
    check(&[(run(Rule::None), 74)], &[answer], "2 xxx> met(refused/accepted@0) open(-)");
    check(&[(run(Rule::None), 80)], &[answer], "2 xxx> met(refused/accepted@0) open(-)");
    check(&[(run(Rule::None), 80)], &[], "2 xxx> met(-/accepted@0) open(-)");
}

#[test]
fn the_second_run_meets_the_second_prediction() {
    let both = |until_s| [(run(Rule::None), 80), (run(Rule::OwnerAndSequence), until_s)];
    let answer = ("late-report-checked", "refused");
    let first = "met(-/accepted@0)";
    check(&both(60), &[answer], &format!("2 xxx> {first} open(refused)"));
    check(&both(74), &[answer], &format!("2 xxxx {first} met(refused/refused@1)"));
    check(&both(80), &[answer], &format!("3 xxxx {first} met(refused/refused@1)"));
}

/// Who leaves a run when W1's report is answered has seen what the steps ask for, and
/// is told no more than that: that the day was booked once is known at the end.
#[test]
fn a_run_that_is_left_before_its_end_has_shown_what_its_step_asks_for() {
    let both = [(run(Rule::None), 74), (run(Rule::OwnerAndSequence), 74)];
    let met = "met(-/accepted@0) met(-/refused@1)";
    check(&both, &[], &format!("2 xxxx {met}"));
    check(&[(run(Rule::None), 73)], &[], "1 xx>. open(-) not-yet");
}

#[test]
fn a_run_with_other_clicks_is_none_of_the_chapters() {
    let mut other = run(Rule::None);
    other.clicks[0].r#do = Do::Pause { node: "W2".to_owned(), for_ms: Some(45_000) };
    check(&[(other, 100)], &[], "1 x>.. not-yet not-yet");
}

/// Its numbers are other ones, so nothing that states them is asked.
#[test]
fn a_run_like_the_chapters_counts_once_the_same_has_happened() {
    let mut other = run(Rule::None);
    other.clicks[0].at_us += 1_000_000;
    check(&[(other.clone(), 40)], &[], "1 x>.. not-yet not-yet");
    check(&[(other, 100)], &[], "2 xxx> not-yet not-yet");
}

/// A chapter whose file is wrong is named so.
#[track_caller]
fn check_error(from: &str, to: &str, expected: &str) {
    let text = ENGLISH[0].replacen(from, to, 1);
    assert_ne!(text, ENGLISH[0], "nothing was replaced");
    let error = Chapter::from_text(&text).expect_err("a mistake").to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn mistakes_in_a_file_are_named() {
    check_error("format = 1", "format = 9", "only format 1");
    check_error("place = 1", "places = 1", "places");
    check_error("id = \"refused\"", "id = \"not-sent\"", "`not-sent` is there twice");
    check_error("outcome = \"refused\"", "outcome = \"none\"", "the same outcome");
    check_error("done = \"begun\"", "done = \"begin\"", "begin");
    check_error(
        "scenarios = [\"reconcile-unfenced\", \"reconcile\"]",
        "scenarios = []",
        "scenario",
    );
}
