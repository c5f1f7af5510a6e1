//! The why-chain: what an event rests on, told by its causes and not by a sentence
//! that somebody wrote for one scenario.

use crate::actors::Actor;
use crate::properties::Witness;
use crate::properties::turns::is_turn;
use crate::sim::event::{Event, EventId};
use std::collections::BTreeSet;

/// Every event that `event` rests on, itself included, oldest first.
pub fn causes(trace: &[Event<Actor>], event: EventId) -> Vec<EventId> {
    let mut found = BTreeSet::from([event]);
    let mut open = vec![event];
    while let Some(next) = open.pop() {
        for cause in &trace[next.index()].causes {
            if found.insert(*cause) {
                open.push(*cause);
            }
        }
    }
    found.into_iter().collect()
}

/// The turns of events that `event` rests on, oldest first, then the event itself.
pub fn chain(trace: &[Event<Actor>], event: EventId) -> Vec<EventId> {
    let is_told = |id: &EventId| *id == event || is_turn(&trace[id.index()].what);
    causes(trace, event).into_iter().filter(is_told).collect()
}

/// The turns of events that a fault rests on, oldest first: those of the event that broke
/// a property, and those of the earlier one beside which it is a fault.
pub fn of_fault(trace: &[Event<Actor>], witness: Witness) -> Vec<EventId> {
    let mut told: BTreeSet<EventId> = chain(trace, witness.event).into_iter().collect();
    told.extend(witness.beside.into_iter().flat_map(|beside| chain(trace, beside)));
    told.into_iter().collect()
}
