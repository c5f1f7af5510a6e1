//! Work done twice.
//!
//! Broken when a job is done twice: the store accepted two writes that do it, and where
//! effects are part of the step the partner booked it with each; or a partner that is asked
//! to book booked it twice. That the second write overwrote the first in the store unbooks
//! nothing. A repeat that is only answered again is no second effect. A job is done once to
//! each object: two objects written under one job are no fault.

use super::{Verdict, Witness};
use crate::actors::note::{EffectNote, StoreNote};
use crate::actors::store::api::JobKey;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use litemap::LiteMap;
use serde::Serialize;

/// What this property remembers; once broken, nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DoneTwice {
    pub(super) verdict: Verdict,
    /// The jobs done, by store.
    done: LiteMap<(NodeId, JobKey), Witness>,
}

impl DoneTwice {
    pub(super) fn observe(&mut self, event: &Event<Actor>, store: NodeId) {
        let What::Note(
            Note::Store(StoreNote::Accepted { job, object, .. })
            | Note::Effect(EffectNote::Booked { job, object, .. }),
        ) = &event.what
        else {
            return;
        };
        if !self.verdict.holds() {
            return;
        }
        if let Some(first) = self.done.insert((store, JobKey::new(job, object)), Witness::of(event))
        {
            self.verdict.break_by(event, first);
            self.done.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::WorkDoneTwice;
    use crate::properties::tale::check;

    #[test]
    fn a_newer_token_does_the_job_again_and_a_dedupe_key_does_not() {
        let script = "granted A
                      A write 33.1 job refund
                      ended A expired
                      granted B
                      B write 34.1 job refund !";
        check(WorkDoneTwice, Rule::OwnerAndSequence, script);
        check(WorkDoneTwice, Rule::DedupeKey, &script.replace('!', ""));
    }

    #[test]
    fn one_job_is_done_once_to_each_object() {
        let script = "granted A
                      A write 33.1 job refund of fees
                      A write 33.2 job refund of invoices
                      A write 33.3 job refund of fees !";
        check(WorkDoneTwice, Rule::OwnerAndSequence, script);
        check(WorkDoneTwice, Rule::DedupeKey, &script.replace('!', ""));
        check(WorkDoneTwice, Rule::TermAndKey, &script.replace('!', ""));
    }

    #[test]
    fn a_repeated_write_is_applied_again_only_where_nobody_looks() {
        let script = "A write 33.1 job refund
                      A write 33.1 job refund !";
        check(WorkDoneTwice, Rule::None, script);
        check(WorkDoneTwice, Rule::OwnerAndSequence, &script.replace('!', ""));
    }
}
