//! Token not rising.
//!
//! Broken when the tokens that holders of one lock use are not strictly rising in
//! the order of their grants. A token counts from the moment its holder believes
//! that it holds the lock, in whichever order the holders come to believe so.

use super::{Grant, Grants, Verdict};
use crate::actors::note::WorkerNote;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use serde::Serialize;

/// What this property remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TokenNotRising {
    pub(super) verdict: Verdict,
}

impl TokenNotRising {
    pub(super) fn observe(&mut self, event: &Event<Actor>, grants: &Grants) {
        let What::Note(Note::Worker(WorkerNote::Believes { token, owner, .. })) = &event.what
        else {
            return;
        };
        let Some(place) = grants.place_of(*owner) else { return };
        let (earlier, rest) = grants.in_order().split_at(place);
        let of_lock = |grant: &&Grant| grant.lock == rest[0].lock;
        let higher = |grant: &&Grant| grant.token.is_some_and(|other| other >= *token);
        let lower = |grant: &&Grant| grant.token.is_some_and(|other| other <= *token);
        let before = earlier.iter().filter(of_lock).find(higher);
        let after = rest[1..].iter().filter(of_lock).find(lower);
        if let Some(other) = before.or(after) {
            self.verdict.break_by(event, other.granted);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::TokenNotRising;
    use crate::properties::tale::check;

    #[test]
    fn numbers_drawn_before_the_grant_come_in_another_order() {
        check(
            TokenNotRising,
            Rule::None,
            "granted A
             A believes 2
             ended A deleted by 1
             granted B
             B believes 1 !",
        );
    }

    #[test]
    fn create_revisions_rise_with_the_grants() {
        check(
            TokenNotRising,
            Rule::None,
            "granted A
             A believes 33
             granted C of other
             C believes 12 of other
             ended A expired
             granted B
             B believes 34
             B believes 34",
        );
    }

    #[test]
    fn whoever_believes_later_than_the_next_holder_is_compared_too() {
        let script = "granted A
                      ended A expired
                      granted B
                      B believes 34";
        check(TokenNotRising, Rule::None, &format!("{script}\n A believes 33"));
        check(TokenNotRising, Rule::None, &format!("{script}\n A believes 34 !"));
    }
}
