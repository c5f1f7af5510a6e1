//! Wrong lock released.
//!
//! Broken when a grant ends because its key was deleted, or set free, at the request of a machine
//! that is not the holder's. A lease that ends takes its own keys only, so it
//! releases no lock but its own.

use super::{Grants, Standing, Verdict};
use crate::actors::note::{GrantEnd, LockNote, RedisNote};
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use serde::Serialize;

/// What this property remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WrongLockReleased {
    pub(super) verdict: Verdict,
}

impl WrongLockReleased {
    pub(super) fn observe(&mut self, event: &Event<Actor>, grants: &Grants) {
        let (What::Note(Note::Lock(LockNote::Ended { lease, how, .. }))
        | What::Note(Note::Redis(RedisNote::VoteEnded { lease, how, .. }))) = &event.what
        else {
            return;
        };
        let (GrantEnd::Deleted { by } | GrantEnd::SetFree { by }) = how else { return };
        let Some(place) = grants.place_of(*lease) else { return };
        let grant = &grants.in_order()[place];
        // What is left of a grant that was over is nobody's lock. One that stood is lost by it.
        let is_left_over =
            matches!(event.what, What::Note(Note::Redis(_))) && grant.standing == Standing::Ended;
        if is_left_over {
            return;
        }
        if grant.node.is_some_and(|holder| holder != *by) {
            self.verdict.break_by(event, grant.granted);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::WrongLockReleased;
    use crate::properties::tale::check;

    #[test]
    fn a_release_by_name_deletes_the_next_holders_key() {
        check(
            WrongLockReleased,
            Rule::None,
            "A opens
             granted A
             ended A expired
             B opens
             granted B
             ended B deleted by 1 !",
        );
    }

    #[test]
    fn a_release_by_the_holder_and_the_end_of_a_lease_are_right() {
        check(
            WrongLockReleased,
            Rule::None,
            "A opens
             granted A
             ended A deleted by 1
             B opens
             granted B
             ended B expired
             C opens
             granted C
             ended C overwritten by 1",
        );
    }

    #[test]
    fn a_vote_that_is_left_of_a_lock_given_back_is_nobodys() {
        let script = "A draws
                      6 votes for A
                      7 votes for A
                      8 votes for A
                      A counts for 90
                      A believes 0
                      A believes no more
                      6 votes for A no more by 1
                      7 votes for A no more by 1
                      8 votes for A no more by 2";
        check(WrongLockReleased, Rule::None, script);
        let another = script.replace("6 votes for A no more by 1", "6 votes for A no more by 2 !");
        check(WrongLockReleased, Rule::None, &another);
    }

    #[test]
    fn a_session_that_is_learnt_of_after_the_grant_tells_the_holder_too() {
        check(
            WrongLockReleased,
            Rule::None,
            "granted A
             A opens
             ended A deleted by 2 !",
        );
    }
}
