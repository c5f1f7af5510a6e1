//! What is told of one event: what it rests on, the state it met, and where the
//! workers stood.

use super::Lab;
use crate::actors::note::StoreNote;
use crate::actors::{Actor, Note};
use crate::properties::turns::is_turn;
use crate::properties::why::{both, chain, of_fault};
use crate::properties::{Judged, Verdict};
use crate::scenario::names::Role;
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use crate::sim::world::World;

/// Why an event is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was selected.
    Selected,
    /// The run has ended, and it broke a promise.
    Broke,
    /// The run has ended and broke none: what the store refused last.
    Refused,
    /// It is the last turn of events.
    Last,
}

/// Of a longer chain only so many events at its end are told at first, and what people
/// did before: without that it would not say how it came about.
pub const TOLD_FIRST: usize = 8;

/// An event and what is told of it.
#[derive(Clone, Debug)]
pub struct Why {
    /// The event.
    pub event: EventId,
    /// The turns of events that it rests on, oldest first, itself last.
    pub chain: Vec<EventId>,
    /// The world just before the step that made it.
    pub before: World<Actor>,
    /// The world just after that step.
    pub after: World<Actor>,
    /// The worker whose doing it was, as far as its causes tell.
    pub worker: NodeId,
}

impl Why {
    /// The places in the chain of what is told at first.
    pub fn told_first(&self, trace: &[Event<Actor>]) -> Vec<usize> {
        let end = self.chain.len().saturating_sub(TOLD_FIRST);
        let is_click = |place: &usize| {
            let event = &trace[self.chain[*place].index()];
            matches!(event.what, What::Clicked { .. } | What::ClickMissed { .. })
        };
        (0..self.chain.len()).filter(|place| *place >= end || is_click(place)).collect()
    }
}

impl Lab {
    /// The event to tell of, and why that one: the one selected, or else at the end of a
    /// run what broke a promise first or, where none is broken, what was refused last, or
    /// else the last turn so far.
    pub fn told(&self) -> Option<(EventId, Reason)> {
        let last = || self.open().past().iter().rfind(|event| is_turn(&event.what));
        let selected = self.selected().map(|event| (event, Reason::Selected));
        let broke = || Some((self.broke_first()?, Reason::Broke));
        let refused = || Some((self.refused_last()?, Reason::Refused));
        selected.or_else(broke).or_else(refused).or_else(|| Some((last()?.id, Reason::Last)))
    }

    /// At the end of a run: what broke the first promise, by the scenario's order.
    fn broke_first(&self) -> Option<EventId> {
        self.ended()?;
        let verdict = super::facts::verdict(self.open());
        verdict.broken.first().map(|(_, witness)| witness.event)
    }

    /// At the end of a run: the last that a store refused, which a promise may rest on.
    fn refused_last(&self) -> Option<EventId> {
        self.ended()?;
        let is_refusal = |event: &&Event<Actor>| {
            let What::Note(Note::Store(note)) = &event.what else { return false };
            matches!(note, StoreNote::Refused { .. } | StoreNote::ClaimRefused { .. })
        };
        self.open().past().iter().rfind(is_refusal).map(|event| event.id)
    }

    /// What is to be told of an event that has happened.
    pub fn why(&self, event: EventId) -> Why {
        let open = self.open();
        let trace = open.replay().trace();
        let (before, after) = open.replay().around(event);
        let names = open.scenario().names();
        let is_worker = |node: NodeId| names.role(node) == Role::Worker;
        let worker = nearest(trace, event, is_worker)
            .or_else(|| names.with(Role::Worker).next())
            .expect("every scenario has a worker");
        let chain = self.chain(event);
        Why { event, chain, before: before.world, after: after.world, worker }
    }

    /// What an event rests on; of one that broke a property, also what the earlier one
    /// rests on beside which it is a fault.
    fn chain(&self, event: EventId) -> Vec<EventId> {
        let replay = self.open().replay();
        let judged = if self.open().is_at_end() { Judged::AtTheEnd } else { Judged::SoFar };
        let verdicts = replay.moment().observer.verdicts(judged);
        let mut told = chain(replay.trace(), event);
        for (_, verdict) in verdicts {
            match verdict {
                Verdict::Broken { witness } if witness.event == event => {
                    told = both(told, of_fault(replay.trace(), witness));
                }
                _ => {}
            }
        }
        told
    }
}

/// The machine of the nearest event on the main line of causes that is one of those
/// wanted.
fn nearest(
    trace: &[Event<Actor>],
    event: EventId,
    wanted: impl Fn(NodeId) -> bool,
) -> Option<NodeId> {
    let mut at = Some(event);
    while let Some(id) = at {
        let event = &trace[id.index()];
        if wanted(event.node) {
            return Some(event.node);
        }
        at = event.causes.first().copied();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Msg;
    use crate::lab::bench::Edit;
    use crate::properties::PropertyId;
    use crate::scenario::clicks::Do;
    use crate::scenario::library;
    use crate::sim::time::TrueTime;
    use crate::text::{amounts, en, questions, state};

    fn refused() -> Lab {
        let scenario = crate::scenario::Scenario::built_in("reconcile").expect("built in");
        let mut lab = Lab::on(&scenario).expect("built in");
        lab.update(Msg::Seek(TrueTime(25_000_000)));
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        lab.update(Msg::ToEnd);
        lab
    }

    fn find(lab: &Lab, sentence: &str) -> EventId {
        let open = lab.open();
        let found = open.past().iter().find(|e| en::event(e, open.who()).contains(sentence));
        found.unwrap_or_else(|| panic!("nothing says `{sentence}`")).id
    }

    /// The question, the chain, the state met, of the event that says so.
    #[track_caller]
    fn check(sentence: &str, worker: &str, expected: &str) {
        let lab = refused();
        let event = find(&lab, sentence);
        let (open, why) = (lab.open(), lab.why(event));
        let event = &open.past()[event.index()];
        let mut text = vec![questions::why(event, open.who())];
        for id in &why.chain {
            let event = &open.past()[id.index()];
            let at = amounts::moment(event.at);
            text.push(format!("{at} {}", en::event(event, open.who())));
        }
        let process = &why.before.node(event.node).process;
        let locks = &open.scenario().spec().locks();
        let now = why.before.clocks(event.node);
        for (name, value) in state::facts(process, now, locks, open.who()) {
            text.push(format!("{name}: {value}"));
        }
        assert_eq!(open.scenario().names().of(why.worker), worker);
        let expected: Vec<&str> = expected.lines().map(str::trim).collect();
        assert_eq!(text, expected, "\n{}", text.join("\n"));
    }

    #[test]
    fn a_refusal_is_told_with_the_mark_it_met() {
        check(
            "PUT 42 refused",
            "W1",
            "Why was PUT 42 refused?
             0.0 s Its program begins
             0.0 s W1 is granted /locks/reconcile with create revision 42
             0.0 s Believes that it holds /locks/reconcile, with token 42
             0.1 s Claim 42 accepted, version 0 read
             0.1 s Has the data, version 0
             0.1 s Its program begins
             0.1 s W2 queues with create revision 43
             25.0 s Click: pause W1 for 45 s
             51.5 s Lease of W1 expired; the store is at revision 44
             51.5 s W1 holds /locks/reconcile no more: its lease expired
             51.5 s W2 is granted /locks/reconcile with create revision 43
             51.6 s Believes that it holds /locks/reconcile, with token 43
             51.6 s Claim 43 accepted, version 0 read
             70.0 s Wakes from its pause
             73.1 s Sends its write with token 42
             73.1 s PUT 42 refused, 412: 43 has been seen
             highest token seen: 43, by W2
             rule: refuses lower tokens and repeats
             version: 0
             booked in all: 0",
        );
    }

    /// The shortened chain of the event that says so: what it leaves out is `…`.
    #[track_caller]
    fn check_first(lab: &Lab, sentence: &str, expected: &[&str]) {
        let (open, why) = (lab.open(), lab.why(find(lab, sentence)));
        let trace = open.replay().trace();
        let (mut said, mut next) = (Vec::new(), 0);
        for place in why.told_first(trace) {
            said.extend((place > next).then(|| "…".to_owned()));
            said.push(en::event(&trace[why.chain[place].index()], open.who()));
            next = place + 1;
        }
        assert_eq!(said, expected, "\n{}", said.join("\n"));
    }

    #[test]
    fn a_chain_that_is_shortened_still_says_what_somebody_did() {
        let end = [
            "W1 holds /locks/reconcile no more: its lease expired",
            "W2 is granted /locks/reconcile with create revision 43",
            "Believes that it holds /locks/reconcile, with token 43",
            "Claim 43 accepted, version 0 read",
            "Wakes from its pause",
            "Sends its write with token 42",
            "PUT 42 refused, 412: 43 has been seen",
        ];
        let lease = "Lease of W1 expired; the store is at revision 44";
        let before = ["…", "Click: pause W1 for 45 s", lease];
        check_first(&refused(), "PUT 42 refused", &[&before[..], &end].concat());
        // One that is short is told whole.
        let whole = "Believes that it holds /locks/reconcile, with token 42";
        let granted = "W1 is granted /locks/reconcile with create revision 42";
        check_first(&refused(), whole, &["Its program begins", granted, whole]);
    }

    /// In every run that breaks a promise, what is told first of that names a click.
    #[test]
    fn what_broke_a_promise_is_never_told_without_the_click_that_began_it() {
        for (name, run) in library::runs().expect("built in") {
            let mut lab = Lab::on(&run.scenario).expect("built in");
            lab.update(Msg::Edit(Edit::OwnClicks));
            lab.update(Msg::ToEnd);
            let Some((event, Reason::Broke)) = lab.told() else { continue };
            let (why, trace) = (lab.why(event), lab.open().replay().trace());
            let is_click = |place: &usize| {
                matches!(trace[why.chain[*place].index()].what, What::Clicked { .. })
            };
            let all = (0..why.chain.len()).filter(is_click).count();
            let told = why.told_first(trace).iter().filter(|it| is_click(it)).count();
            assert_eq!(told, all, "{name}");
            assert_eq!(all > 0, !run.clicks.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_grant_is_told_with_the_queue_it_met() {
        check(
            "W2 is granted",
            "W2",
            "Why was the lock granted to W2?
             0.0 s Its program begins
             0.0 s W1 is granted /locks/reconcile with create revision 42
             0.1 s Its program begins
             0.1 s W2 queues with create revision 43
             25.0 s Click: pause W1 for 45 s
             51.5 s Lease of W1 expired; the store is at revision 44
             51.5 s W1 holds /locks/reconcile no more: its lease expired
             51.5 s W2 is granted /locks/reconcile with create revision 43
             this member is: leader
             revision: 43
             lock held by: W1, token 42
             waiting: W2 (43)",
        );
    }

    #[test]
    fn a_broken_promise_is_told_with_what_it_is_a_fault_beside() {
        let scenario = crate::scenario::Scenario::built_in("refund").expect("built in");
        let mut lab = Lab::on(&scenario).expect("built in");
        lab.update(Msg::Seek(TrueTime(9_000_000)));
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(15_000) }));
        lab.update(Msg::ToEnd);
        let judge = &lab.open().replay().moment().observer;
        let twice = judge.verdict(PropertyId::WorkDoneTwice, Judged::SoFar);
        let Verdict::Broken { witness } = twice else { panic!("it is paid twice") };
        let first = witness.beside.expect("the first payment");
        assert!(!chain(lab.open().past(), witness.event).contains(&first), "it is no cause");
        assert!(lab.why(witness.event).chain.contains(&first));
    }

    #[test]
    fn without_a_selection_the_last_refusal_is_told_at_a_good_end_and_else_the_last_turn() {
        let mut lab = refused();
        let put = find(&lab, "PUT 42 refused");
        assert_eq!(lab.told(), Some((put, Reason::Refused)));
        lab.update(Msg::Select(Some(put)));
        assert_eq!(lab.told(), Some((put, Reason::Selected)));
        lab.update(Msg::Select(None));
        lab.update(Msg::Back);
        let (last, reason) = lab.told().expect("a turn");
        assert_eq!(reason, Reason::Last);
        assert!(is_turn(&lab.open().past()[last.index()].what));
        lab.update(Msg::ToStart);
        assert_ne!(lab.told().map(|told| told.0), Some(put), "it has not happened yet");
    }

    /// What people ask then is not why the last program came to its end.
    #[test]
    fn at_the_end_what_broke_a_promise_is_told() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Seek(TrueTime(25_000_000)));
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        lab.update(Msg::ToEnd);
        let put = find(&lab, "PUT 42 accepted");
        assert_eq!(lab.told(), Some((put, Reason::Broke)));
        lab.update(Msg::Back);
        assert_eq!(lab.told().map(|told| told.1), Some(Reason::Last));
    }
}
