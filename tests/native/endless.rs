//! A run in which something happens over and over is given up, with a sentence.

use fencepost::lab::{Lab, Msg};
use fencepost::scenario::run::EVENTS_AT_MOST;
use fencepost::scenario::{Problem, Run, Scenario, ScenarioError};
use fencepost::search::{Kind, Merging, Sweep};

/// A day of the built-in scenario, with other settings.
fn day(settings: &[(&str, &str)]) -> Run {
    let scenario = Scenario::built_in("reconcile").expect("it is built in");
    let owned = |(path, value): &(&str, &str)| ((*path).to_owned(), (*value).to_owned());
    let settings: Vec<_> =
        settings.iter().chain(&[("limit_ms", "86_400_000")]).map(owned).collect();
    scenario.with(&settings).expect("they can be set").run()
}

/// Two workers whose work is refused, and who begin anew at once.
fn endless() -> Run {
    day(&[
        ("worker.W1.start_over", "yes"),
        ("worker.W2.start_over", "yes"),
        ("store.rule", "last-seen"),
    ])
}

#[track_caller]
fn check(error: &ScenarioError) {
    let Problem::TooManyEvents { at_ms, most } = error.problem else { panic!("{error}") };
    assert_eq!(most, EVENTS_AT_MOST);
    let sentence = format!(
        "the run: at {at_ms} ms it has made 500000 events, and a run may make no more: something \
         in it happens over and over."
    );
    assert_eq!(error.to_string(), sentence);
}

#[test]
fn an_endless_run_is_given_up_with_a_sentence() {
    let run = endless();
    check(&run.to_end().expect_err("it has no end"));
    check(&run.state_hashes(u32::MAX).expect_err("it has no end"));
    let mut lab = Lab::on(&run.scenario).expect("it can be opened");
    lab.update(Msg::ToEnd);
    let warning = lab.warning().expect("it has no end");
    assert!(warning.contains("it has made 500000 events"), "{warning}");
}

#[test]
fn a_sweep_of_an_endless_run_is_given_up_too() {
    // Merging would hash half a million states on the way.
    let sweep = Sweep::new(&endless().scenario, &[Kind::Pause], Merging::None);
    check(&sweep.and_then(Sweep::finish).expect_err("its runs have no end"));
}

#[test]
fn renewals_all_day_are_not_too_many_events() {
    let run =
        day(&[("worker.W1.compute_ms", "80_000_000"), ("worker.W2.compute_ms", "80_000_000")]);
    let replay = run.scenario.run_without_clicks().to_end().expect("it has an end");
    assert!(replay.is_over() && replay.trace().len() > 100_000, "{}", replay.trace().len());
}
