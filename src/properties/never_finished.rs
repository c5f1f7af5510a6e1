//! Never finished.
//!
//! Judged at the run's end. Broken when a program that began has neither finished
//! nor stopped (a stop is an end that the program knows of), nor has its process
//! ended and been replaced. A program that the orchestrator told to begin elsewhere
//! counts as begun there from then on. One that crashed and was not started again
//! has not finished. The witness is its beginning, beside the last that is told of it.

use super::turns::is_turn;
use super::{Verdict, Witness};
use crate::actors::note::WorkerNote;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use litemap::LiteMap;
use serde::Serialize;

/// What this property remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct NeverFinished {
    /// Programs begun and not over, each with its beginning.
    under_way: LiteMap<NodeId, Witness>,
    /// The last turn of events on each machine. Told, and part of no state.
    #[serde(skip)]
    last: LiteMap<NodeId, EventId>,
}

impl NeverFinished {
    /// Whether a machine's program has begun and is not over.
    pub(super) fn is_under_way(&self, node: NodeId) -> bool {
        self.under_way.contains_key(&node)
    }

    /// Judges a run that has ended.
    pub(super) fn judge(&self) -> Verdict {
        let first = self.under_way.iter().min_by_key(|(_, witness)| witness.event);
        first.map_or(Verdict::Holds, |(node, witness)| Verdict::Broken {
            witness: Witness { beside: self.last(*node), ..*witness },
        })
    }

    /// The last turn of events on a machine.
    pub(super) fn last(&self, node: NodeId) -> Option<EventId> {
        self.last.get(&node).copied()
    }

    pub(super) fn observe(&mut self, event: &Event<Actor>) {
        if is_turn(&event.what) {
            self.last.insert(event.node, event.id);
        }
        match &event.what {
            What::Note(Note::Worker(WorkerNote::Began)) => {
                self.under_way.insert(event.node, Witness::of(event));
            }
            What::Note(Note::Worker(WorkerNote::Finished | WorkerNote::Stopped { .. })) => {
                self.under_way.remove(&event.node);
            }
            What::Note(Note::Replaced { ended, begins }) => {
                self.under_way.remove(ended);
                self.under_way.insert(*begins, Witness::of(event));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::NeverFinished;
    use crate::properties::tale::check;

    #[test]
    fn programs_that_finish_or_stop_come_to_an_end() {
        check(
            NeverFinished,
            Rule::None,
            "1 begins
             2 begins
             1 finishes
             2 stops
             2 begins
             2 finishes",
        );
    }

    #[test]
    fn a_program_that_waits_for_ever_never_finishes() {
        check(
            NeverFinished,
            Rule::None,
            "1 begins
             2 begins !
             1 finishes",
        );
    }

    #[test]
    fn a_crash_is_no_end_unless_the_program_runs_again() {
        check(NeverFinished, Rule::None, "1 begins !\n 1 crashes");
        check(NeverFinished, Rule::None, "1 begins\n 1 crashes\n 1 begins\n 1 finishes");
    }

    #[test]
    fn an_exit_is_made_good_by_a_replacement_that_finishes() {
        check(NeverFinished, Rule::None, "1 begins !\n 1 exits");
        check(
            NeverFinished,
            Rule::None,
            "1 begins
             1 exits
             1 is replaced by 2
             2 begins
             2 finishes",
        );
        check(
            NeverFinished,
            Rule::None,
            "1 begins
             1 exits
             1 is replaced by 2 !",
        );
    }
}
