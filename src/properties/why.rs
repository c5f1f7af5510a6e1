//! The why-chain: what an event rests on, told by its causes and not by a sentence
//! that somebody wrote for one scenario.

use crate::actors::note::RedisNote;
use crate::actors::{Actor, Note};
use crate::properties::Witness;
use crate::properties::turns::is_turn;
use crate::sim::event::{Event, EventId, What};
use crate::sim::order;

/// Every event that `event` rests on, itself included, oldest first.
pub fn causes(trace: &[Event<Actor>], event: EventId) -> Vec<EventId> {
    // What an event rests on came before it.
    let mut is_found = vec![false; event.index() + 1];
    is_found[event.index()] = true;
    let mut open = vec![event];
    while let Some(next) = open.pop() {
        for cause in &trace[next.index()].causes {
            if !std::mem::replace(&mut is_found[cause.index()], true) {
                open.push(*cause);
            }
        }
    }
    let places = is_found.iter().enumerate().filter(|(_, is_found)| **is_found);
    places.map(|(place, _)| EventId(place as u32)).collect()
}

/// The turns of events that `event` rests on, oldest first, then the event itself.
pub fn chain(trace: &[Event<Actor>], event: EventId) -> Vec<EventId> {
    let is_told = |id: &EventId| *id == event || is_turn(&trace[id.index()].what);
    causes(trace, event).into_iter().filter(is_told).collect()
}

/// The turns of events that a fault rests on, oldest first: those of the event that broke
/// a property, and those of the earlier one beside which it is a fault.
pub fn of_fault(trace: &[Event<Actor>], witness: Witness) -> Vec<EventId> {
    let events = [witness.event].into_iter().chain(witness.beside);
    let all = events.flat_map(|event| votes(trace, event));
    all.fold(Vec::new(), |told, event| both(told, chain(trace, event)))
}

/// An event, and where it is a vote those before it that a majority was made of: the last
/// to come need not be the one that should not have been.
fn votes(trace: &[Event<Actor>], last: EventId) -> Vec<EventId> {
    let of = |event: &Event<Actor>| match event.what {
        What::Note(Note::Redis(RedisNote::Voted { lease, .. })) => Some(lease),
        _ => None,
    };
    let all = &trace[..=last.index()];
    let Some(lease) = of(&all[last.index()]) else { return vec![last] };
    all.iter().filter(|event| of(event) == Some(lease)).map(|event| event.id).collect()
}

/// Events of two lists, each oldest first and once.
pub fn both(mut one: Vec<EventId>, other: Vec<EventId>) -> Vec<EventId> {
    one.extend(other);
    order::by_key(&mut one, |id| id.0);
    one.dedup();
    one
}
