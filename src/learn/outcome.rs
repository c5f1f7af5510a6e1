//! What becomes of a worker's write, read from what the store and the worker said.

use crate::actors::note::{StoreNote, WorkerNote};
use crate::actors::store::api::Owner;
use crate::actors::worker::who_tries;
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
/// it, or the end of a program that has sent none. What was sent can still arrive when
/// its sender has stopped.
pub fn of_write(worker: NodeId, trace: &[Event<Actor>]) -> Option<Decision> {
    let mut own: BTreeSet<Owner> = BTreeSet::new();
    let mut is_sent = false;
    let is_own = |own: &BTreeSet<Owner>, owner: &Owner| {
        own.contains(owner) || who_tries(*owner) == Some(worker)
    };
    trace.iter().find_map(|event| {
        let decided = |outcome| Some(Decision { outcome, event: event.id });
        match &event.what {
            What::Note(Note::Worker(note)) if event.node == worker => match note {
                WorkerNote::SessionOpened { lease } | WorkerNote::DrewValue { lease } => {
                    own.insert(*lease);
                    None
                }
                WorkerNote::Writes { .. } => {
                    is_sent = true;
                    None
                }
                WorkerNote::Finished | WorkerNote::Stopped { .. } | WorkerNote::Exits
                    if !is_sent =>
                {
                    decided(Outcome::None)
                }
                _ => None,
            },
            What::Note(Note::Store(StoreNote::Accepted { owner, .. })) if is_own(&own, owner) => {
                decided(Outcome::Accepted)
            }
            What::Note(Note::Store(StoreNote::Refused { owner, .. })) if is_own(&own, owner) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::Scenario;
    use crate::scenario::clicks::{ClickSpec, Do, MessageSpec};

    /// What becomes of W1's report when that is done to it on its way, and W1 does not
    /// send it again.
    #[track_caller]
    fn check(done: impl Fn(MessageSpec) -> Do, expected: Outcome) {
        let settings = [("worker.W1.retries".to_owned(), "0".to_owned())];
        let scenario = Scenario::built_in("reconcile").expect("built in");
        let mut run = scenario.with(&settings).expect("a setting").run();
        let (from, to, kind) = ("W1".to_owned(), "store".to_owned(), "report".to_owned());
        let r#do = done(MessageSpec { from, to, kind, nth: 1 });
        run.clicks = vec![ClickSpec { at_us: 28_070_000, r#do }];
        assert_eq!(foretell("W1", &run), Ok(expected));
    }

    #[test]
    fn a_report_under_way_is_not_decided_by_the_end_of_its_sender() {
        check(|message| Do::Delay { message, by_ms: 45_000 }, Outcome::Refused);
        check(|message| Do::Drop { message }, Outcome::None);
    }
}
