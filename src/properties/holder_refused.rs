//! Rightful holder refused.
//!
//! Broken when the store refuses a claim or write of the acquisition whose grant
//! stands and is the newest of its lock. A grant that has ended is not rightful,
//! whether its holder knows or not. Repeats are no fault: a claim or a write that
//! was accepted before, and a job that was done before ([`Refusal::JobDone`]).

use super::{Grants, Verdict};
use crate::actors::etcd::api::Text;
use crate::actors::note::{EtcdNote, StoreNote};
use crate::actors::store::api::{Owner, Refusal};
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use litemap::LiteMap;
use serde::Serialize;

/// What this property remembers; once broken, nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct HolderRefused {
    pub(super) verdict: Verdict,
    /// For each rightful holder and store, its highest sequence accepted there; 0
    /// when only its claim was.
    accepted: LiteMap<(Owner, NodeId), u32>,
    /// The same of each object, where objects are told apart.
    #[serde(skip_serializing_if = "LiteMap::is_empty")]
    of_objects: LiteMap<(Owner, Text), u32>,
}

impl HolderRefused {
    pub(super) fn observe(&mut self, event: &Event<Actor>, store: NodeId, grants: &Grants) {
        match &event.what {
            What::Note(Note::Lock(_) | Note::Etcd(EtcdNote::LeaseEnded { .. }))
            | What::Crashed
            | What::Exited => {
                self.accepted.retain(|(owner, _), _| grants.is_rightful(*owner));
                self.of_objects.retain(|(owner, _), _| grants.is_rightful(*owner));
            }
            What::Note(Note::Store(note)) if self.verdict.holds() => {
                self.observe_store(note, (event, store), grants);
            }
            _ => {}
        }
    }

    fn observe_store(&mut self, note: &StoreNote, at: (&Event<Actor>, NodeId), grants: &Grants) {
        match note {
            StoreNote::Claimed { owner, object, .. } => {
                self.accept((*owner, 0), at.1, object, grants);
            }
            StoreNote::Accepted { owner, sequence, object, .. } => {
                self.accept((*owner, *sequence), at.1, object, grants);
            }
            // A claim of conditions is made again with what has come between.
            StoreNote::ClaimRefused { refusal: Refusal::Condition(_), .. } => {}
            StoreNote::ClaimRefused { owner, object, .. } => {
                self.refuse((*owner, 0), object, at, grants);
            }
            StoreNote::Refused { owner, sequence, refusal, object, .. }
                if *refusal != Refusal::JobDone =>
            {
                self.refuse((*owner, *sequence), object, at, grants);
            }
            _ => {}
        }
    }

    fn accept(
        &mut self,
        (owner, sequence): (Owner, u32),
        store: NodeId,
        object: &Text,
        grants: &Grants,
    ) {
        if grants.is_rightful(owner) {
            let highest = match object.is_empty() {
                true => self.accepted.entry((owner, store)).or_default(),
                false => self.of_objects.entry((owner, object.clone())).or_default(),
            };
            *highest = (*highest).max(sequence);
        }
    }

    fn refuse(
        &mut self,
        (owner, sequence): (Owner, u32),
        object: &Text,
        (event, store): (&Event<Actor>, NodeId),
        grants: &Grants,
    ) {
        let accepted = match object.is_empty() {
            true => self.accepted.get(&(owner, store)),
            false => self.of_objects.get(&(owner, object.clone())),
        };
        let is_repeat = accepted.is_some_and(|highest| sequence <= *highest);
        let Some(place) = grants.place_of(owner) else { return };
        if !is_repeat && grants.is_rightful(owner) {
            self.verdict.break_by(event, grants.in_order()[place].granted);
            self.accepted.clear();
            self.of_objects.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::RightfulHolderRefused;
    use crate::properties::tale::check;

    #[test]
    fn strictly_greater_refuses_the_holders_own_write_after_its_claim() {
        let script = "granted A
                      A claim 33
                      A write 33.1 !";
        check(RightfulHolderRefused, Rule::StrictlyGreater, script);
        check(RightfulHolderRefused, Rule::OwnerAndSequence, &script.replace('!', ""));
    }

    #[test]
    fn equality_refuses_the_next_holder() {
        let script = "granted A
                      A claim 33
                      ended A revoked
                      granted B
                      B claim 34 !";
        check(RightfulHolderRefused, Rule::LastSeen, script);
        check(RightfulHolderRefused, Rule::OwnerAndSequence, &script.replace('!', ""));
    }

    #[test]
    fn a_deposed_holder_and_one_whose_grant_has_ended_are_refused_rightly() {
        let script = "granted A
                      A claim 33
                      ended A expired
                      A write 32.1
                      granted B
                      B claim 34
                      A write 33.2";
        check(RightfulHolderRefused, Rule::OwnerAndSequence, script);
    }

    #[test]
    fn repeats_are_no_fault() {
        check(
            RightfulHolderRefused,
            Rule::StrictlyGreater,
            "granted A
             A claim 33
             A claim 33",
        );
        check(
            RightfulHolderRefused,
            Rule::OwnerAndSequence,
            "granted A
             A write 33.1
             A write 33.2
             A write 33.1",
        );
        check(
            RightfulHolderRefused,
            Rule::DedupeKey,
            "granted A
             A write 33.1 job refund
             ended A expired
             granted B
             B write 34.1 job refund",
        );
    }

    #[test]
    fn a_claim_of_another_object_is_no_repeat() {
        let script = "granted A
                      A claim 33 of x
                      A claim 33 of x
                      A claim 33 of y !";
        check(RightfulHolderRefused, Rule::StrictlyGreater, script);
    }

    #[test]
    fn a_restart_refuses_the_completion_of_a_slow_write() {
        check(
            RightfulHolderRefused,
            Rule::OwnerAndSequence,
            "granted A
             A begin 33.1
             store restarts
             A complete 33.1 !",
        );
    }
}
