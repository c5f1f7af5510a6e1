//! Granted to two.
//!
//! Broken when the service grants a lock while an earlier grant of it has not
//! ended. A holder whose key is overwritten with another lease while its own lease
//! lives has not lost its grant by any rule it could know: that counts too. So does one
//! whose grant the service has lost, until it gives up by itself.

use super::{Grants, Standing, Verdict};
use crate::actors::note::LockNote;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use serde::Serialize;

/// What this property remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GrantedToTwo {
    pub(super) verdict: Verdict,
}

impl GrantedToTwo {
    pub(super) fn observe(&mut self, event: &Event<Actor>, grants: &Grants) {
        let What::Note(Note::Lock(LockNote::Granted { lock, lease, .. })) = &event.what else {
            return;
        };
        let mut others = grants.in_order().iter().filter(|g| g.lock == *lock && g.owner != *lease);
        if let Some(other) = others.find(|grant| grant.standing != Standing::Ended) {
            self.verdict.break_by(event, other.granted);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::GrantedToTwo;
    use crate::properties::tale::check;

    #[test]
    fn get_then_put_overwrites_a_holder_whose_lease_lives() {
        check(
            GrantedToTwo,
            Rule::None,
            "granted A
             ended A overwritten by 2
             granted B !",
        );
    }

    #[test]
    fn an_overwritten_holder_whose_lease_has_ended_since_holds_nothing() {
        check(
            GrantedToTwo,
            Rule::None,
            "granted A
             ended A overwritten by 2
             lease A ends
             granted B",
        );
    }

    #[test]
    fn a_service_that_lost_a_grant_gives_the_lock_to_another() {
        let script = "granted A
                      A believes 1
                      taken over without
                      granted B !";
        check(GrantedToTwo, Rule::None, script);
        check(GrantedToTwo, Rule::None, &script.replace("without", "with A"));
        let given_up =
            |how: &str| script.replace('!', "").replace("without", &format!("without\n {how}"));
        check(GrantedToTwo, Rule::None, &given_up("A believes no more"));
        check(GrantedToTwo, Rule::None, &given_up("ended A expired"));
    }

    #[test]
    fn a_queue_grants_to_the_next_when_the_holders_key_is_gone() {
        check(
            GrantedToTwo,
            Rule::None,
            "granted A
             granted A
             granted C of other
             ended A expired
             granted B
             ended B deleted by 2
             granted D",
        );
    }

    #[test]
    fn a_grant_beside_one_that_stands_is_one_too_many() {
        check(
            GrantedToTwo,
            Rule::None,
            "granted A
             granted B !",
        );
    }
}
