//! What becomes of a worker's write, read from what the store and the worker said.

use crate::actors::note::{StoreNote, WorkerNote};
use crate::actors::store::api::Owner;
use crate::actors::{Actor, Note};
use crate::content::choices;
use crate::scenario::{Run, ScenarioError};
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use std::collections::BTreeSet;

/// What can become of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The store accepts it.
    Accepted,
    /// The store refuses it.
    Refused,
    /// It is never sent, or never arrives.
    None,
}

choices! {
    Outcome {
        Accepted = "accepted",
        Refused = "refused",
        None = "none",
    }
}

/// An outcome and the event that decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What became of it.
    pub outcome: Outcome,
    /// Which event.
    pub event: EventId,
}

/// What became of a worker's write, if that is decided: the store's first word about
/// it, or the end of the worker's program without one.
pub fn of_write(worker: NodeId, trace: &[Event<Actor>]) -> Option<Decision> {
    let mut own: BTreeSet<Owner> = BTreeSet::new();
    trace.iter().find_map(|event| {
        let decided = |outcome| Some(Decision { outcome, event: event.id });
        match &event.what {
            What::Note(Note::Worker(note)) if event.node == worker => match note {
                WorkerNote::SessionOpened { lease } => {
                    own.insert(*lease);
                    None
                }
                WorkerNote::Finished | WorkerNote::Stopped { .. } | WorkerNote::Exits => {
                    decided(Outcome::None)
                }
                _ => None,
            },
            What::Note(Note::Store(StoreNote::Accepted { owner, .. })) if own.contains(owner) => {
                decided(Outcome::Accepted)
            }
            What::Note(Note::Store(StoreNote::Refused { owner, .. })) if own.contains(owner) => {
                decided(Outcome::Refused)
            }
            _ => None,
        }
    })
}

/// What will become of a worker's write: the run is run to its end, on the side.
///
/// # Errors
/// When a click names what is not there.
pub fn foretell(worker: &str, run: &Run) -> Result<Outcome, ScenarioError> {
    let replay = run.to_end()?;
    let decision =
        run.scenario.names().find(worker).and_then(|node| of_write(node, replay.trace()));
    Ok(decision.map_or(Outcome::None, |decision| decision.outcome))
}
