//! Acknowledged write lost.
//!
//! Broken when an accepted write is overwritten by one computed from an older read:
//! the overwriting write takes no account of it. An owner knows its own earlier
//! writes without reading them, so those are not lost by its later ones, nor is a
//! write by its own repetition.

use super::{Verdict, Witness};
use crate::actors::etcd::api::Text;
use crate::actors::note::StoreNote;
use crate::actors::store::api::Owner;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use litemap::LiteMap;
use serde::Serialize;

/// What this property remembers; once broken, nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LostWrite {
    pub(super) verdict: Verdict,
    /// For each store, who made its versions, and of which object, the first first.
    makers: LiteMap<NodeId, Vec<Maker>>,
}

/// The write that made a version.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Maker {
    owner: Owner,
    sequence: u32,
    accepted: Witness,
    #[serde(skip_serializing_if = "str::is_empty")]
    object: Text,
}

impl LostWrite {
    pub(super) fn observe(&mut self, event: &Event<Actor>, store: NodeId) {
        let What::Note(Note::Store(note)) = &event.what else { return };
        let StoreNote::Accepted { owner, sequence, read_version, version, object, .. } = note
        else {
            return;
        };
        if !self.verdict.holds() {
            return;
        }
        let makers = self.makers.entry(store).or_default();
        assert_eq!(makers.len() + 1, *version as usize, "each accepted write makes a version");
        let knows = |maker: &Maker| {
            (maker.owner == *owner && maker.sequence <= *sequence) || maker.object != *object
        };
        match makers.iter().skip(*read_version as usize).find(|maker| !knows(maker)) {
            None => {
                let (owner, sequence, accepted) = (*owner, *sequence, Witness::of(event));
                makers.push(Maker { owner, sequence, accepted, object: object.clone() });
            }
            Some(Maker { accepted, .. }) => {
                self.verdict.break_by(event, *accepted);
                self.makers.clear();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::AcknowledgedWriteLost;
    use crate::properties::tale::check;

    #[test]
    fn checking_alone_loses_the_write_that_came_between_read_and_write() {
        let script = "granted A
                      A read
                      ended A expired
                      granted B
                      B read
                      A write 33.1 from 0
                      B write 34.1 from 0 !";
        check(AcknowledgedWriteLost, Rule::AtLeast, script);
        check(AcknowledgedWriteLost, Rule::OwnerAndSequence, script);
        check(AcknowledgedWriteLost, Rule::CompareAndSet, &script.replace('!', ""));
    }

    #[test]
    fn a_write_of_one_object_overwrites_nothing_of_another() {
        let script = "granted A
                      A write 33.1 of x from 0
                      B write 34.1 of x from 0 !";
        check(AcknowledgedWriteLost, Rule::None, script);
        let another = script.replace("34.1 of x", "34.1 of y").replace('!', "");
        check(AcknowledgedWriteLost, Rule::None, &another);
    }

    #[test]
    fn claiming_first_loses_nothing() {
        check(
            AcknowledgedWriteLost,
            Rule::OwnerAndSequence,
            "granted A
             A claim 33
             ended A expired
             granted B
             B claim 34
             A write 33.1 from 0
             B write 34.1 from 0",
        );
        check(
            AcknowledgedWriteLost,
            Rule::OwnerAndSequence,
            "granted A
             A claim 33
             ended A expired
             granted B
             A write 33.1 from 0
             B claim 34
             B write 34.1 from 1",
        );
    }

    #[test]
    fn an_owner_knows_its_own_writes_but_a_late_duplicate_undoes_them() {
        check(
            AcknowledgedWriteLost,
            Rule::AtLeast,
            "A write 34.1 from 0
             A write 34.1 from 0
             A write 34.2 from 0
             A write 34.1 from 0 !",
        );
        check(
            AcknowledgedWriteLost,
            Rule::OwnerAndSequence,
            "A write 34.1 from 0
             A write 34.1 from 0
             A write 34.2 from 0
             A write 34.1 from 0",
        );
    }
}
