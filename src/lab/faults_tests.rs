use super::*;
use crate::lab::{Lab, Msg, wires};
use crate::sim::time::TrueTime;
use std::collections::BTreeSet;

fn kind(action: &Do) -> String {
    action.name().to_owned()
}

/// All faults of everything on the page.
fn all(open: &Open) -> Vec<Fault> {
    let mut faults = Vec::new();
    for worker in facts::workers(open) {
        faults.extend(program(open, &worker));
    }
    for id in open.scenario().names().ids() {
        faults.push(pause(open, id));
        faults.extend(process(open, id));
        faults.extend(clocks(open, id));
    }
    faults.push(rule(open));
    for one in wires::wires(open) {
        faults.extend(wire(open, &one));
    }
    for flight in wires::in_flight(open) {
        faults.extend(message(open, &flight.name));
    }
    faults
}

#[test]
fn every_kind_of_click_is_offered_when_it_makes_sense() {
    let mut lab = Lab::new().expect("built in");
    while wires::in_flight(lab.open()).is_empty() {
        lab.update(Msg::Step);
    }
    let node = |id: &str| id.to_owned();
    let flight = wires::in_flight(lab.open()).swap_remove(0).name;
    let held = lab.open().scenario().names().message_spec(&flight);
    let mut seen = BTreeSet::new();
    let mut note = |lab: &Lab| {
        seen.extend(all(lab.open()).iter().flat_map(|fault| {
            fault.choices.iter().map(|choice| kind(&choice.action)).collect::<Vec<_>>()
        }))
    };
    note(&lab);
    let wall = WallOnWake::Right;
    for action in [
        Do::Hold { message: held, for_ms: None },
        Do::Pause { node: node("W1"), for_ms: None },
        Do::Suspend { node: node("W2"), for_ms: None, wall },
        Do::Crash { node: node("M1"), restart_after_ms: None },
    ] {
        lab.update(Msg::Click(action));
    }
    note(&lab);
    assert_eq!(lab.warning(), None);
    assert_eq!(seen.len(), 21, "{seen:?}");
}

#[test]
fn what_is_chosen_first_can_be_done_unless_nothing_can() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    lab.update(Msg::Click(Do::Cut {
        from: "W1".to_owned(),
        to: "store".to_owned(),
        way: Way::One,
        for_ms: None,
    }));
    let there = &wires::wires(lab.open())[1];
    let [cut, heal] = &wire(lab.open(), there)[..] else { panic!("two faults") };
    let why: Vec<bool> = cut.choices.iter().map(|choice| choice.why_not.is_none()).collect();
    assert_eq!(why, [true, false, true], "both, there, back");
    assert_eq!(heal.choices[heal.chosen].why_not, None);
}

#[test]
fn a_fault_turns_into_its_undoing() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    let w1 = lab.open().scenario().names().find("W1").expect("there");
    let action = |lab: &Lab| pause(lab.open(), w1).choices[0].action.clone();
    assert_eq!(action(&lab), Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) });
    let click = action(&lab);
    lab.update(Msg::Click(click));
    assert_eq!(action(&lab), Do::Resume { node: "W1".to_owned() });
}

#[test]
fn an_amount_is_put_back_where_it_was_read() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Step);
    for fault in all(lab.open()) {
        for Choice { action, .. } in fault.choices {
            let same = amount(&action).map(|amount| with_amount(action.clone(), amount));
            assert_eq!(same.unwrap_or(action.clone()), action);
            let other = match amount(&action) {
                None => continue,
                Some(Amount::Lasting(_)) => Amount::Lasting(Some(7)),
                Some(Amount::Time(_)) => Amount::Time(7),
                Some(Amount::Shift(_)) => Amount::Shift(-7),
                Some(Amount::Rate(_)) => Amount::Rate(7),
            };
            assert_eq!(amount(&with_amount(action, other)), Some(other));
        }
    }
}
