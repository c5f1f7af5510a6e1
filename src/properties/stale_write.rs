//! Stale write accepted.
//!
//! Broken when a write made under one grant is accepted after the store accepted a
//! claim or write of a later grant of that lock. A write accepted between the next
//! grant and its first claim or write is *late*: it is counted and no fault, for
//! whoever claims then sees it.

use super::{Grants, Verdict, Witness};
use crate::actors::etcd::api::Text;
use crate::actors::note::StoreNote;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use litemap::LiteMap;
use serde::Serialize;

/// What this property remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct StaleWrite {
    pub(super) verdict: Verdict,
    /// For each store and lock, the place of the newest grant that has claimed or
    /// written there, and when it first did.
    newest: LiteMap<(NodeId, Text), (u32, Witness)>,
    /// No verdict depends on the counts.
    #[serde(skip)]
    pub(super) late: u32,
    #[serde(skip)]
    pub(super) accepted: u32,
}

impl StaleWrite {
    pub(super) fn observe(&mut self, event: &Event<Actor>, store: NodeId, grants: &Grants) {
        let What::Note(Note::Store(note)) = &event.what else { return };
        let (StoreNote::Claimed { owner, .. } | StoreNote::Accepted { owner, .. }) = note else {
            return;
        };
        let Some(place) = grants.place_of(*owner) else { return };
        let lock = grants.in_order()[place].lock.clone();
        let own = (place as u32, Witness::of(event));
        let newest = self.newest.entry((store, lock)).or_insert(own);
        if own.0 > newest.0 {
            *newest = own;
        }
        let (newest, since) = *newest;
        let outdated = newest > own.0;
        if matches!(note, StoreNote::Accepted { .. }) {
            if outdated {
                self.verdict.break_by(event, since);
                self.accepted += 1;
            } else if grants.has_successor(place) {
                self.late += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::StaleWriteAccepted;
    use crate::properties::tale::{Tale, check};

    #[test]
    fn without_a_check_a_33_is_accepted_after_34_has_written() {
        let script = "granted A
                      ended A expired
                      granted B
                      B write 34.1
                      A write 33.1 !";
        check(StaleWriteAccepted, Rule::None, script);
        check(StaleWriteAccepted, Rule::OwnerAndSequence, &script.replace('!', ""));
    }

    #[test]
    fn a_claim_counts_as_much_as_a_write() {
        let script = "granted A
                      A begin 33.1
                      ended A expired
                      granted B
                      B claim 34
                      A complete 33.1 !";
        check(StaleWriteAccepted, Rule::CheckThenPut, script);
        check(StaleWriteAccepted, Rule::OwnerAndSequence, &script.replace('!', ""));
        check(StaleWriteAccepted, Rule::SameTransaction, &script.replace('!', ""));
    }

    #[test]
    fn a_mark_in_memory_only_lets_a_stale_write_pass_after_a_restart() {
        let mut tale = Tale::with_mark_in_memory(Rule::OwnerAndSequence);
        let script = "granted A
                      ended A expired
                      granted B
                      B claim 34
                      store restarts
                      A write 33.1 !";
        tale.check(StaleWriteAccepted, script);
    }

    #[test]
    fn a_write_before_the_next_grants_first_claim_is_late_and_no_fault() {
        let mut tale = Tale::new(Rule::AtLeast);
        let script = "granted A
                      ended A expired
                      A write 33.1
                      granted B
                      A write 33.2
                      B read
                      A write 33.3
                      B write 34.1
                      B write 34.2";
        tale.check(StaleWriteAccepted, script);
        assert_eq!(tale.judge.late_writes(), 2);
    }

    #[test]
    fn grants_of_another_lock_do_not_count() {
        check(
            StaleWriteAccepted,
            Rule::None,
            "granted A
             granted B of other
             B write 34.1
             A write 33.1",
        );
    }
}
