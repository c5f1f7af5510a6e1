//! The numbers of texts and of runs, for tests that compare the two.

use crate::actors::Note;
use crate::actors::note::EtcdNote;
use crate::scenario::Run;
use crate::scenario::spec::{Spec, WorkerSpec};
use crate::sim::event::What;
use crate::sim::time::{Span, TrueTime};
use crate::text::amounts::{moment, money, span};
use crate::text::report::Report;
use std::collections::BTreeSet;

/// The numbers of a text, with their units; not those in names, as in "W1".
pub fn stated(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        before = rest[..at].chars().last().unwrap_or(before);
        let tail = &rest[at..];
        let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
        let end = tail.find(|c| !is_part(c)).unwrap_or(tail.len());
        let number = tail[..end].trim_end_matches(['.', ',']);
        rest = &tail[number.len()..];
        let unit = [" ms", " s", " M"].into_iter().find(|unit| {
            let after = rest.strip_prefix(*unit).and_then(|rest| rest.chars().next());
            rest.starts_with(*unit) && after.is_none_or(|c| !c.is_alphanumeric())
        });
        if !before.is_alphabetic() {
            found.push(format!("{number}{}", unit.unwrap_or_default()));
        }
        before = '0';
    }
    found
}

/// All that a text may say of a run in numbers: its settings, and what it tells.
pub fn of_run(run: &Run) -> BTreeSet<String> {
    let spec = run.scenario.spec();
    let mut numbers = of_spec(spec);
    numbers.extend(run.clicks.iter().map(|click| span(Span::from_us(click.at_us))));
    for line in Report::of(run).expect("a run").turns {
        numbers.insert(moment(TrueTime(line.at_us)));
        numbers.extend(stated(&line.what));
    }
    // Renewals are routine and no turns, but what a lease's end is counted from.
    for event in run.to_end().expect("a run").trace() {
        if let What::Note(Note::Etcd(EtcdNote::LeaseRenewed { .. })) = event.what {
            numbers.insert(moment(event.at));
        }
    }
    numbers
}

/// The numbers of a scenario's settings.
pub fn of_spec(spec: &Spec) -> BTreeSet<String> {
    let (etcd, orchestrator) = (&spec.etcd, spec.orchestrator.as_ref());
    let ttl_ms = spec.lock.ttl_s * 1_000;
    let mut times_ms = vec![ttl_ms, ttl_ms / 3, etcd.election_timeout_ms];
    times_ms.extend(orchestrator.map(|orchestrator| orchestrator.restart_after_ms));
    times_ms.push(spec.partner.relay_ms);
    let pg = &spec.postgres;
    let timeouts = [pg.lock_timeout_ms, pg.idle_in_transaction_ms, pg.idle_session_ms];
    times_ms.extend(timeouts.into_iter().flatten());
    times_ms.extend(spec.workers.iter().flat_map(times_ms_of));
    let mut numbers: BTreeSet<String> =
        times_ms.into_iter().map(|ms| span(Span::from_ms(ms))).collect();
    numbers.insert(etcd.revision.to_string());
    numbers.extend(spec.workers.iter().map(|worker| money(worker.amount)));
    numbers
}

fn times_ms_of(worker: &WorkerSpec) -> Vec<i64> {
    let always = [
        worker.compute_ms,
        worker.check_ms,
        worker.upload_ms,
        worker.progress_ms,
        worker.request_timeout_ms,
    ];
    let sometimes = [worker.starts_ms, worker.renew_ms, worker.renewal_unanswered_ms];
    always.into_iter().chain(sometimes.into_iter().flatten()).collect()
}

#[test]
fn numbers_are_found_with_their_units() {
    assert_eq!(
        stated("W1 waits 30 s, 42 of 2.0 M. At 51.5 s, after 5 ms"),
        ["30 s", "42", "2.0 M", "51.5 s", "5 ms"]
    );
}

/// Questions of the quiz, whose texts are about runs.
mod quiz {
    use super::*;
    use crate::actors::Actor;
    use crate::learn::quiz::{Choice, Expected, Kind, Question, quiz};
    use crate::text::amounts::whole;
    use crate::text::program::{Language, lines};

    fn questions() -> Vec<Question> {
        quiz().expect("the files are right").questions
    }

    /// What an option may say besides: the number that it stands for, right or wrong.
    fn of_option(option: &Choice) -> Vec<String> {
        match option.is {
            Some(Expected::Number(number)) => {
                let at = Span::from_ms(number);
                vec![whole(number), money(number), span(at), moment(TrueTime(at.us()))]
            }
            _ => Vec::new(),
        }
    }

    /// Texts that say a number that their runs do not.
    fn untrue<'a>(texts: &[&'a str], allowed: &BTreeSet<String>) -> Vec<(String, &'a str)> {
        let stated = |text: &&'a str| {
            let text = *text;
            stated(text).into_iter().map(move |number| (number, text)).collect::<Vec<_>>()
        };
        let all = texts.iter().flat_map(stated);
        all.filter(|(number, _)| !allowed.contains(number)).collect()
    }

    #[test]
    fn every_number_in_a_question_is_true_of_its_runs() {
        let mut found: Vec<(String, String, String)> = Vec::new();
        for question in &questions() {
            let base = question.run().expect("a run");
            let changed = question.changed_run().expect("a run");
            let mut all = of_run(&base);
            let mut said = Vec::new();
            for option in &question.options {
                let mut own = of_run(&base);
                own.extend(of_option(option));
                own.extend(of_run(&question.tried(option, &base).expect("a run")));
                said.extend(untrue(&[&option.text, &option.why], &own));
                all.extend(own);
            }
            said.extend(untrue(&[&question.text, &question.why], &all));
            all.extend(of_run(&changed));
            said.extend(untrue(&[&question.changed.text], &all));
            let id = &question.id;
            found.extend(said.into_iter().map(|(n, text)| (id.clone(), n, text.to_owned())));
        }
        assert!(found.is_empty(), "{found:#?}");
    }

    #[test]
    fn a_question_is_shown_at_a_moment_before_its_run_is_over() {
        for question in &questions() {
            let report = Report::of(&question.run().expect("a run")).expect("a run");
            assert!(question.at_ms * 1_000 <= report.ended_us, "{}", question.id);
        }
    }

    #[test]
    fn each_option_of_a_question_for_a_line_is_a_line_of_a_program() {
        for question in questions().iter().filter(|question| question.kind == Kind::Line) {
            let replay = question.run().expect("a run").replay().expect("a run");
            let world = &replay.moment().world;
            let ids = question.run().expect("a run").scenario.names().ids().collect::<Vec<_>>();
            let programs = ids.into_iter().filter_map(|id| match &world.node(id).process {
                Actor::Worker(worker) => Some(lines(worker.config(), Language::Rust)),
                _ => None,
            });
            let there: BTreeSet<String> = programs.flatten().collect();
            for option in &question.options {
                let line = option.text.trim_matches('`');
                assert!(there.contains(line), "{}: {line} is not in {there:?}", question.id);
            }
        }
    }
}
