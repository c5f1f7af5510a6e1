//! How much before and after an event belongs to it: so much that its nearest
//! neighbours can be told apart.

use crate::actors::Actor;
use crate::lab::Routine;
use crate::properties::turns::is_turn;
use crate::sim::event::{Event, EventId};
use crate::sim::time::Span;

/// So many of the moments nearest to it are to be seen.
const NEIGHBOURS: usize = 4;
/// At least so much is shown on either side, and at most.
const LEAST: Span = Span::from_ms(20);
const MOST: Span = Span::from_ms(30_000);
/// No more events than these are looked at on either side.
const FAR: usize = 5_000;

/// So much before and after an event.
pub fn around(trace: &[Event<Actor>], id: EventId, routine: Routine) -> Span {
    let event = &trace[id.index()];
    let counts = |other: &&Event<Actor>| {
        let is_shown = routine == Routine::Shown || !is_turn(&event.what) || is_turn(&other.what);
        is_shown && other.at != event.at
    };
    let mut before = trace[..id.index()].iter().rev().take(FAR).filter(counts).peekable();
    let mut after = trace[id.index() + 1..].iter().take(FAR).filter(counts).peekable();
    let (mut moments, mut reach) = (0, Span::ZERO);
    while moments < NEIGHBOURS {
        let back = before.peek().map(|other| event.at - other.at);
        let on = after.peek().map(|other| other.at - event.at);
        let next = match (back, on) {
            (Some(back), Some(on)) => back.min(on),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => break,
        };
        if back == Some(next) {
            before.next();
        } else {
            after.next();
        }
        if next != reach {
            (moments, reach) = (moments + 1, next);
        }
    }
    Span(reach.us() * 5 / 4).clamp(LEAST, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::sim::time::TrueTime;

    fn trace() -> Vec<Event<Actor>> {
        let scenario = Scenario::built_in("reconcile").expect("a scenario");
        scenario.run().to_end().expect("a run").trace().to_vec()
    }

    #[test]
    fn the_nearest_moments_are_within_it_and_few_more() {
        let trace = trace();
        for event in trace.iter().filter(|event| is_turn(&event.what)) {
            let around = around(&trace, event.id, Routine::Hidden);
            let within: std::collections::BTreeSet<TrueTime> = trace
                .iter()
                .filter(|other| is_turn(&other.what) && other.at != event.at)
                .filter(|other| Span((other.at - event.at).us().abs()) <= around)
                .map(|other| other.at)
                .collect();
            assert!(within.len() >= 3 || around == MOST, "{event:?}: {around:?} {within:?}");
        }
    }

    #[test]
    fn with_all_that_is_routine_less_is_enough() {
        let trace = trace();
        let turn = trace.iter().find(|event| event.at.0 > 30_000_000 && is_turn(&event.what));
        let id = turn.expect("something turns").id;
        let (all, turns) =
            (around(&trace, id, Routine::Shown), around(&trace, id, Routine::Hidden));
        assert!(all < turns, "{all:?} {turns:?}");
    }
}
