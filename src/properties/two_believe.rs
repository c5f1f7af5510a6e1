//! Two believe they hold it.
//!
//! Broken when a process comes to believe that it holds a lock while another
//! believes so. A belief ends when its process says so, crashes or exits; a paused
//! process keeps it, and so does one whose grant has ended without its knowing.

use super::{Verdict, Witness};
use crate::actors::etcd::api::Text;
use crate::actors::note::WorkerNote;
use crate::actors::store::api::{Owner, Token};
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use litemap::LiteMap;
use serde::Serialize;

/// What one process believes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belief {
    /// Whose belief.
    pub node: NodeId,
    /// The lock it believes to hold.
    pub lock: Text,
    /// By which acquisition.
    pub owner: Owner,
    /// The token it uses.
    pub token: Token,
}

/// What this property remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TwoBelieve {
    pub(super) verdict: Verdict,
    believers: LiteMap<(NodeId, Text), (Owner, Token, Witness)>,
}

/// How often the lock stands there that stands there most often.
pub fn most_alike<'a>(locks: impl Iterator<Item = &'a Text> + Clone) -> usize {
    let alike = |lock: &Text| locks.clone().filter(|other| *other == lock).count();
    locks.clone().map(alike).max().unwrap_or(0)
}

impl TwoBelieve {
    /// Who believes now, by machine.
    pub(super) fn believers(&self) -> impl Iterator<Item = Belief> {
        self.believers.iter().map(|((node, lock), (owner, token, _))| Belief {
            node: *node,
            lock: lock.clone(),
            owner: *owner,
            token: *token,
        })
    }

    /// How many believe of one lock that they hold it, of whichever the most do.
    pub(super) fn most_of_one_lock(&self) -> usize {
        most_alike(self.believers.iter().map(|((_, lock), _)| lock))
    }

    pub(super) fn observe(&mut self, event: &Event<Actor>) {
        match &event.what {
            What::Crashed | What::Exited => {
                self.believers.retain(|(node, _), _| *node != event.node);
            }
            What::Note(Note::Worker(WorkerNote::Believes { lock, token, owner })) => {
                let believes = (*owner, *token, Witness::of(event));
                self.believers.insert((event.node, lock.clone()), believes);
                let mut of_lock = self.believers.iter().filter(|((_, of), _)| of == lock);
                if let Some((_, (.., other))) = of_lock.find(|((node, _), _)| *node != event.node) {
                    self.verdict.break_by(event, *other);
                }
            }
            What::Note(Note::Worker(WorkerNote::BelievesNoMore { lock, owner, .. })) => {
                let key = (event.node, lock.clone());
                if self.believers.get(&key).is_some_and(|(believed, ..)| believed == owner) {
                    self.believers.remove(&key);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::TwoBelieve;
    use crate::properties::tale::check;

    #[test]
    fn a_holder_that_does_not_look_believes_on_beside_the_next() {
        check(
            TwoBelieve,
            Rule::None,
            "granted A
             A believes 33
             ended A expired
             granted B
             B believes 34 !",
        );
    }

    #[test]
    fn a_holder_that_gives_up_in_time_is_not_beside_the_next() {
        check(
            TwoBelieve,
            Rule::None,
            "granted A
             A believes 33
             A believes no more
             ended A expired
             granted B
             B believes 34
             C believes 35 of other",
        );
    }

    #[test]
    fn a_process_that_crashed_or_exited_believes_nothing() {
        check(
            TwoBelieve,
            Rule::None,
            "A believes 33
             1 crashes
             B believes 34
             2 exits
             C believes 35
             A believes 36 !",
        );
    }
}
