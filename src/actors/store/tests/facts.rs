//! What a store's notes teach and rest on: what the causes in the trace are made of.

use super::super::StoreConfig;
use super::super::api::{MarkKept, Rule};
use super::bench::{Bench, with};
use crate::actors::fact::Fact;
use crate::actors::{Actor, Note};
use crate::sim::process::Noted;

/// Compares the facts of the notes of the script's last line.
#[track_caller]
fn check_facts(config: StoreConfig, script: &str, expected: &[&str]) {
    let mut bench = Bench::new(config);
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        bench.notes.clear();
        bench.take(line);
    }
    let told: Vec<String> = bench.notes.iter().map(in_words).collect();
    assert_eq!(told, expected);
}

fn in_words(noted: &Noted<Actor>) -> String {
    let Note::Store(note) = &noted.note else { panic!("not a store's note") };
    let note = format!("{note:?}");
    let name = note.split(' ').next().expect("a note has a name");
    let list = |facts: &[Fact]| {
        let name = |fact: &Fact| match fact {
            Fact::Job(key) => format!("Job({:?})", key.job),
            fact => format!("{fact:?}"),
        };
        let names: Vec<String> = facts.iter().map(name).collect();
        names.join(" ").replace("(LeaseId(1))", "(A)").replace("(LeaseId(2))", "(B)")
    };
    format!("{name} sets [{}] because [{}]", list(&noted.sets), list(&noted.because))
}

#[test]
fn a_claim_teaches_the_mark_once_and_rests_on_the_version_it_returns() {
    let config = with(Rule::OwnerAndSequence);
    let first = "Claimed sets [Mark] because [Rule Mark Version]";
    check_facts(config, "A claim 33", &[first]);
    check_facts(
        config,
        "A claim 33\n A claim 33",
        &["Claimed sets [] because [Rule Mark Version]"],
    );
    check_facts(with(Rule::None), "A claim 33", &["Claimed sets [] because [Rule Version]"]);
}

#[test]
fn a_write_teaches_the_version_and_its_job_and_the_mark_when_it_raises_it() {
    check_facts(
        with(Rule::OwnerAndSequence),
        "A write 33.1",
        &["Accepted sets [Version Job(\"A1\") Mark] because [Rule Mark]"],
    );
    check_facts(
        with(Rule::OwnerAndSequence),
        "A claim 33\n A write 33.1",
        &["Accepted sets [Version Job(\"A1\")] because [Rule Mark]"],
    );
    check_facts(
        with(Rule::CompareAndSet),
        "A write 33.1",
        &["Accepted sets [Version Job(\"A1\")] because [Rule Version]"],
    );
}

#[test]
fn a_refusal_rests_on_what_refused_it() {
    check_facts(
        with(Rule::AtLeast),
        "B claim 34\n A write 33.1",
        &["Refused sets [] because [Rule Mark]"],
    );
    check_facts(
        with(Rule::CompareAndSet),
        "B write 34.1\n A write 33.1",
        &["Refused sets [] because [Rule Version]"],
    );
    check_facts(
        with(Rule::DedupeKey),
        "B write 34.1 job a\n A write 33.1 job a",
        &["Refused sets [] because [Rule Job(\"a\")]"],
    );
}

#[test]
fn a_slow_write_checked_when_it_began_rests_on_its_beginning_not_on_the_mark() {
    check_facts(
        with(Rule::CheckThenPut),
        "A begin 33.1\n B claim 34\n A complete 33.1",
        &["Accepted sets [Version Job(\"A1\")] because [Rule Begun(A)]"],
    );
}

#[test]
fn what_waited_rests_on_its_waiting() {
    check_facts(
        with(Rule::SameTransaction),
        "A begin 33.1\n B claim 34",
        &["ClaimWaits sets [Waits(B)] because [Begun(A)]"],
    );
    check_facts(
        with(Rule::SameTransaction),
        "A begin 33.1\n B claim 34\n A complete 33.1",
        &[
            "Accepted sets [Version Job(\"A1\") Mark] because [Rule Begun(A)]",
            "Claimed sets [Mark] because [Rule Mark Waits(B) Version]",
        ],
    );
}

#[test]
fn a_lost_mark_and_a_switched_rule_are_taught_too() {
    let config = StoreConfig { mark: MarkKept::InMemory, ..with(Rule::AtLeast) };
    check_facts(config, "A claim 33\n store restarts", &["MarkLost sets [Mark] because []"]);
    check_facts(config, "rule none", &["RuleSet sets [Rule] because []"]);
}
