//! Two runs beside each other, natively.

use super::*;
use crate::actors::store::api::Rule;
use crate::actors::worker::config::Guard;
use crate::lab::Msg;
use crate::lab::facts::verdict;
use crate::properties::PropertyId;
use crate::scenario::Scenario;
use crate::scenario::change::FirstCall;
use crate::scenario::clicks::Do;
use crate::scenario::promise::{Promise, Tried};
use crate::sim::time::Span;
use std::collections::BTreeSet;

/// A run of a scenario in which W1 is paused, at its end.
fn paused(id: &str) -> Lab {
    let scenario = Scenario::built_in(id).expect("built in");
    let mut lab = Lab::on(&scenario).expect("built in");
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
    lab.update(Msg::ToEnd);
    lab
}

fn told(lab: &Lab) -> Vec<(Option<String>, Option<String>)> {
    let (here, there) = (lab.open(), lab.beside().expect("a second run"));
    let say = |open: &Open, id: EventId| {
        let event = &open.replay().trace()[id.index()];
        format!("{} {}", event.at.0 / 1_000, en::event(event, open.who()))
    };
    let told = |difference: &Difference| {
        let here = difference.here.map(|id| say(here, id));
        (here, difference.there.map(|id| say(there, id)))
    };
    let comparison = lab.comparison().expect("two runs");
    comparison.differences.iter().map(told).collect()
}

#[track_caller]
fn check_first(id: &str, change: Change, here: Option<&str>, there: Option<&str>) {
    let mut lab = paused(id);
    lab.update(Msg::Compare(change));
    let told = told(&lab);
    let first = told.first().expect("they differ");
    let owned = |text: Option<&str>| text.map(str::to_owned);
    assert_eq!(*first, (owned(here), owned(there)), "{told:#?}");
}

#[test]
fn the_first_difference_is_where_the_runs_part() {
    check_first(
        "reconcile",
        Change::Rule(Rule::None),
        Some("73074 PUT 42 refused, 412: 43 has been seen"),
        Some("73074 PUT 42 accepted, version 1; 2,000,000 booked, 2.0 M in all"),
    );
}

#[test]
fn runs_that_are_the_same_differ_in_nothing() {
    let mut lab = paused("reconcile");
    lab.update(Msg::Compare(Change::TtlS(60)));
    assert!(!told(&lab).is_empty());
    let mut lab = paused("reconcile");
    // Nobody here writes twice under one grant, so the sequence makes no difference.
    lab.update(Msg::Compare(Change::Rule(Rule::AtLeast)));
    assert_eq!(told(&lab), []);
}

/// Whatever of the run has been run, and however: nothing, or a moment in part.
#[test]
fn what_one_run_has_not_come_to_yet_is_no_difference() {
    for (id, _) in crate::scenario::library::ALL {
        let scenario = Scenario::built_in(id).expect("built in");
        for change in Change::all(&scenario) {
            let mut lab = Lab::on(&scenario).expect("built in");
            lab.update(Msg::Compare(change));
            assert_eq!(told(&lab), [], "{id}, {change:?}");
            assert!(!lab.comparison().expect("two runs").is_begun);
        }
        let mut lab = Lab::on(&scenario).expect("built in");
        lab.update(Msg::ShowRoutine(crate::lab::Routine::Shown));
        for steps in 1..20 {
            lab.update(Msg::Step);
            let mut both = lab.clone();
            both.update(Msg::Copy);
            both.update(Msg::CompareWith { run: 1 });
            assert_eq!(told(&both), [], "{id}, after {steps} steps");
            assert!(both.comparison().expect("two runs").is_begun);
        }
    }
}

#[test]
fn verdicts_stand_side_by_side() {
    let mut lab = paused("reconcile");
    lab.update(Msg::Compare(Change::FirstCall(FirstCall::Reads)));
    let (here, there) = (verdict(lab.open()), verdict(lab.beside().expect("beside")));
    assert!(here.broken.is_empty());
    assert!(!there.broken.is_empty(), "without a claim the late write slips in");
}

#[test]
fn the_second_run_keeps_the_moment_and_the_clicks_of_the_first() {
    let scenario = Scenario::built_in("reconcile").expect("built in");
    let mut lab = Lab::on(&scenario).expect("built in");
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    lab.update(Msg::Compare(Change::Rule(Rule::None)));
    assert_eq!(lab.runs().len(), 2);
    assert_eq!(lab.active(), 0, "one goes on looking at the first");
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
    lab.update(Msg::Play);
    lab.update(Msg::Tick { elapsed: Span::from_ms(400) });
    let beside = lab.beside().expect("beside");
    assert_eq!(beside.now(), lab.open().now());
    assert_eq!(beside.run().clicks, lab.open().run().clicks);
    lab.update(Msg::Show { run: 1 });
    assert_eq!(lab.beside().map(Open::number), Some(1), "the other way round");
    lab.update(Msg::Close { run: 0 });
    assert!(lab.beside().is_none());
}

#[test]
fn in_one_place_of_a_diagram_stands_one_sign_whatever_is_changed() {
    for id in ["reconcile", "reconcile-unfenced"] {
        let scenario = Scenario::built_in(id).expect("built in");
        for change in Change::all(&scenario) {
            let mut lab = paused(id);
            lab.update(Msg::Compare(change));
            let (here, there) = (lab.open(), lab.beside().expect("beside"));
            let lanes = Lanes::new(scenario.names(), "Report store");
            for us_per_px in [100, 10_000, 120_000] {
                let window = window(us_per_px, here);
                for (which, open) in [(Which::Here, here), (Which::Beside, there)] {
                    let comparison = lab.comparison().expect("two runs");
                    let places = comparison.places(which, open, &lanes, &window);
                    let different: BTreeSet<_> = places.iter().collect();
                    assert_eq!(different.len(), places.len(), "{id}, {change:?}");
                }
            }
        }
    }
}

/// All of a run, at a scale.
fn window(us_per_px: i64, open: &Open) -> Window {
    Window {
        left: 0,
        width: i64::from(i32::MAX),
        us_per_px,
        until: open.seen_until(),
        now: open.now(),
        first_ahead: EventId(open.past().len() as u32),
        seen_until: open.seen_until(),
        routine: crate::lab::Routine::Hidden,
        selected: None,
    }
}

#[test]
fn a_click_in_the_past_leaves_both_runs_as_they_were() {
    let mut lab = paused("reconcile");
    lab.update(Msg::Compare(Change::Rule(Rule::None)));
    let before: Vec<Run> = lab.runs().iter().map(|open| open.run().clone()).collect();
    lab.update(Msg::Seek(TrueTime(10_000_000)));
    lab.update(Msg::Click(Do::Pause { node: "W2".to_owned(), for_ms: Some(5_000) }));
    let after: Vec<Run> = lab.runs().iter().map(|open| open.run().clone()).collect();
    assert_eq!(after.len(), 4);
    assert_eq!(after[..2], before);
    let beside = lab.beside().expect("beside");
    assert_eq!(beside.run().clicks, lab.open().run().clicks);
    assert_eq!(beside.scenario().spec().store.rule, Rule::None);
}

#[test]
fn a_comparison_ends_and_takes_nothing_away() {
    let mut lab = paused("reconcile");
    lab.update(Msg::Compare(Change::Rule(Rule::None)));
    lab.update(Msg::EndComparison);
    assert!(lab.beside().is_none());
    assert_eq!(lab.runs().len(), 2);
    lab.update(Msg::CompareWith { run: 2 });
    assert_eq!(lab.beside().map(Open::number), Some(2));
    lab.update(Msg::Load { scenario: "refund".to_owned() });
    assert!(lab.beside().is_none(), "another scenario is no comparison");
}

/// In the run that is told of W1 stands still before it reads its key, and so finds it gone.
#[test]
fn a_run_that_breaks_nothing_is_not_said_to_be_safe_and_one_is_named_that_breaks_something() {
    let mut lab = paused("guarded-write");
    lab.update(Msg::Compare(Change::Guard(Guard::ReadFirst)));
    let other = lab.beside().expect("beside");
    let all = proof::promises([lab.open(), other]);
    assert!(all.iter().all(|(_, stand)| *stand == [Promise::Kept; 2]), "{all:?}");
    assert_eq!(proof::tried(other), Some(Tried::TheseClicks));
    let elsewhere = other.broken_elsewhere().map(|it| it.run.as_str());
    assert_eq!(elsewhere, Some("guarded-write.read-first"));
    assert_eq!(proof::told_of(lab.open()), None, "no clicks are told of that break it");
}

/// Every frame reads it, and it takes runs to find it.
#[test]
fn whoever_reads_where_a_promise_breaks_or_is_kept_runs_nothing() {
    let of = |id: &str| {
        let mut open =
            Open::new(1, crate::learn::told::scenario(id).expect("built in").run()).expect("a run");
        open.to_end().expect("it ends");
        open
    };
    let compares = Scenario::built_in("guarded-write").expect("built in");
    let read_first = Change::Guard(Guard::ReadFirst).made(&compares).expect("a guard");
    let run = read_first.under_its_own_name().run_without_clicks();
    let mut other = Open::new(1, run).expect("a run");
    assert!(proof::told_of(&other).is_some());
    assert_eq!(other.broken_elsewhere(), None, "nobody has looked for it");
    other.look_elsewhere();
    assert_eq!(other.broken_elsewhere(), proof::told_of(&other).as_ref());
    let mut broken = of("object-lock.deleted");
    assert_eq!(broken.cure(), None, "nobody has looked for it");
    broken.find_cure();
    assert_eq!(broken.cure(), crate::lab::cure::of(&broken).as_ref());
    let mut lab = Lab::on(broken.scenario()).expect("a lab");
    broken.run().clicks.iter().for_each(|click| {
        lab.update(Msg::Seek(TrueTime(click.at_us)));
        lab.update(Msg::Click(click.r#do.clone()));
    });
    lab.update(Msg::ToEnd);
    assert_eq!(lab.open().cure(), broken.cure(), "found with the last message");
}

#[test]
fn what_only_one_of_two_runs_promises_is_not_kept_by_the_other() {
    let mut lab = paused("object-lock");
    lab.update(Msg::Load { scenario: "object-lock.create-only".to_owned() });
    let all = proof::promises([&lab.runs()[0], lab.open()]);
    let stands = |id| all.iter().find(|(it, _)| *it == id).map(|(_, stand)| stand[1]);
    assert_eq!(stands(PropertyId::TokenNotRising), Some(Promise::NotPromised));
    assert_eq!(stands(PropertyId::TwoBelieve), Some(Promise::Kept));
    assert_eq!(stands(PropertyId::WorkDoneTwice), None, "neither promises it");
}
