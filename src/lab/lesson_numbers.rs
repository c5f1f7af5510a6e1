//! The numbers in lessons: each is one that the lesson's runs say.

use crate::actors::note::EtcdNote;
use crate::actors::{Actor, Note};
use crate::learn::terms::glossary;
use crate::learn::{Lesson, Question, Seen, chapters};
use crate::properties::turns::is_turn;
use crate::scenario::Run;
use crate::scenario::clicks::Do;
use crate::scenario::spec::Spec;
use crate::sim::event::{Event, What};
use crate::sim::time::Span;
use crate::text::amounts::{moment, span};
use crate::text::numbers::{of_spec, stated};
use crate::text::{Who, en, entry};
use std::collections::BTreeSet;

fn lessons() -> Vec<Lesson> {
    let chapters = chapters().expect("every chapter can be read");
    chapters.into_iter().flat_map(|chapter| chapter.lessons).collect()
}

/// The runs of which a lesson tells, and those that do what its steps ask for.
fn runs(lesson: &Lesson) -> Vec<Run> {
    let told = lesson.runs.iter().map(|told| told.scenario().run());
    let own = lesson.steps.iter().filter_map(|step| step.own_run.as_ref()).map(|own| {
        let scenario = lesson.run(&own.run).expect("there").scenario();
        Run { clicks: own.clicks.clone(), ..scenario.run() }
    });
    told.chain(own).collect()
}

/// What is true of a run at any moment: its settings, and what is done in it.
fn set(run: &Run, numbers: &mut BTreeSet<String>) {
    let spec: &Spec = run.scenario.spec();
    let ms = |ms: i64| span(Span::from_ms(ms));
    numbers.extend(of_spec(spec));
    numbers.extend(spec.waits_at_ms.map(ms));
    // As in "transfer 7": a name.
    numbers.extend(spec.workers.iter().flat_map(|worker| stated(&worker.job)));
    numbers.insert("412".to_owned());
    for click in &run.clicks {
        match click.r#do {
            Do::Pause { for_ms: Some(for_ms), .. } => {
                numbers.extend([ms(for_ms), ms(click.at_us / 1_000 + for_ms)]);
            }
            Do::SetRate { rate_ppm, .. } => drop(numbers.insert(entry::from_ppm(rate_ppm))),
            Do::StepWall { by_ms, .. } => drop(numbers.insert(ms(by_ms))),
            _ => {}
        }
    }
}

/// What has happened.
fn happened(run: &Run, events: &[Event<Actor>], numbers: &mut BTreeSet<String>) {
    let who = Who::of(run.scenario.names(), events);
    // Renewals are no turns, but what a lease's end is counted from.
    let is_renewal =
        |what: &What<Actor>| matches!(what, What::Note(Note::Etcd(EtcdNote::LeaseRenewed { .. })));
    let is_told = |event: &&Event<Actor>| is_turn(&event.what) || is_renewal(&event.what);
    for event in events.iter().filter(is_told) {
        numbers.insert(moment(event.at));
        numbers.extend(stated(&en::event(event, &who)));
    }
}

/// All that a lesson's text may say in numbers.
fn numbers(lesson: &Lesson) -> BTreeSet<String> {
    let mut numbers = BTreeSet::new();
    for run in runs(lesson) {
        set(&run, &mut numbers);
        happened(&run, run.to_end().expect("a run").trace(), &mut numbers);
    }
    numbers
}

/// What is known when a question is met: the settings, and what has happened by then in
/// the runs that it is about.
fn known_when_met(lesson: &Lesson, question: &Question) -> BTreeSet<String> {
    let mut known = BTreeSet::new();
    let about = lesson.run(&question.about.run).expect("there");
    for run in runs(lesson) {
        set(&run, &mut known);
        if about.has_setup(&run) && question.about.clicks.are_in(&run, about) {
            let replay = run.to_end().expect("a run");
            let (trace, judge) = (replay.trace(), Some(&replay.moment().observer));
            let (_, event) = question.right(&Seen { run: &run, trace, judge }).expect("decided");
            happened(&run, &trace[..=event.index()], &mut known);
        }
    }
    known
}

/// An explanation is given when what it is about is decided: it states what has happened
/// by then, and what has not only in a sentence that says it will.
#[test]
fn no_explanation_states_what_has_not_happened_yet() {
    for lesson in lessons() {
        let all = numbers(&lesson);
        for question in &lesson.questions {
            let known = known_when_met(&lesson, question);
            for text in question.options.iter().flat_map(|o| [&o.right, &o.wrong]) {
                for sentence in text.split(". ") {
                    let allowed = if sentence.contains(" will ") { &all } else { &known };
                    for number in stated(sentence) {
                        assert!(allowed.contains(&number), "{number} in “{sentence}”");
                    }
                }
            }
        }
    }
}

#[test]
fn every_number_in_a_lesson_is_true_of_its_runs() {
    let mut untrue = Vec::new();
    for lesson in lessons() {
        let allowed = numbers(&lesson);
        let parts = lesson.parts.iter().flat_map(|part| &part.text);
        let steps = lesson.steps.iter().map(|step| &step.text);
        let hints = lesson.steps.iter().filter_map(|step| Some(&step.own_run.as_ref()?.hint));
        let asked = lesson.questions.iter().map(|question| &question.text);
        let choices = lesson.questions.iter().flat_map(|question| &question.options);
        let said = choices.flat_map(|option| [&option.text, &option.right, &option.wrong]);
        for text in parts.chain(steps).chain(hints).chain(asked).chain(said) {
            let wrong = stated(text).into_iter().filter(|number| !allowed.contains(number));
            untrue.extend(wrong.map(|number| format!("{}: {number} in “{text}”", lesson.id)));
        }
    }
    assert!(untrue.is_empty(), "{untrue:#?}");
}

#[test]
fn what_a_term_means_hangs_on_no_run() {
    for term in &glossary().expect("the file is right").terms {
        assert!(stated(&term.text).is_empty(), "{}", term.id);
    }
}
