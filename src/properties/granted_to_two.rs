//! Granted to two.
//!
//! Broken when the service grants a lock while an earlier grant of it has not
//! ended. A holder whose key is overwritten with another lease while its own lease
//! lives has not lost its grant by any rule it could know: that counts too. So does one
//! whose grant the service has lost, until it gives up by itself or its time is over, and
//! one whose grant another node upholds, until it gives up.

use super::{Grants, Verdict, Witness};
use crate::actors::note::{LockNote, RedisNote};
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
        let (lock, lease) = match &event.what {
            What::Note(Note::Lock(LockNote::Granted { lock, lease, .. })) => (lock, lease),
            What::Note(Note::Redis(RedisNote::Voted { lock, lease, .. }))
                if grants.in_order().last().is_some_and(|it| it.granted == Witness::of(event)) =>
            {
                (lock, lease)
            }
            _ => return,
        };
        let mut others = grants.in_order().iter().filter(|g| g.lock == *lock && g.owner != *lease);
        if let Some(other) = others.find(|grant| grant.binds(event.at)) {
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

    #[track_caller]
    fn check_redis(script: &str) {
        check(GrantedToTwo, Rule::None, script);
    }

    #[test]
    fn a_node_that_lost_a_grant_gives_the_lock_to_another() {
        let script = "granted A at 7
                      A believes 1
                      7 crashes
                      7 starts
                      7 takes over without
                      granted B at 7 !";
        check_redis(script);
        let given_up =
            |how: &str| script.replace('!', "").replace("without", &format!("without\n {how}"));
        check_redis(&given_up("A believes no more"));
        check_redis(&given_up("ended A expired at 7"));
        check_redis(&given_up("A opens\n 1 crashes"));
        // With a file it comes back with what it had.
        check_redis(&script.replace("without", "with A"));
        check_redis(&given_up("7 takes over with A\n ended A expired at 7"));
    }

    #[test]
    fn votes_that_are_no_majority_grant_nothing() {
        check_redis(
            "6 votes for A
             7 votes for B
             A counts in vain
             B counts in vain
             6 votes for A no more
             6 votes for B",
        );
    }

    #[test]
    fn a_vote_that_is_forgotten_can_be_had_twice() {
        // A line is a millisecond.
        let script = "A draws
                      6 votes for A
                      7 votes for A
                      A counts for 3
                      7 votes for A no more
                      7 votes for B
                      8 votes for B !";
        check_redis(script);
        // So is one of a node that comes back without it.
        check_redis(&script.replace("7 votes for A no more", "7 starts"));
        // With another vote there is a majority still, and then without it.
        check_redis(
            &script.replace("A counts", "9 votes for A\n A counts").replace("for 3", "for 4"),
        );
        let harmless = |from: &str, to: &str| {
            check_redis(&script.replace('!', "").replace(from, to));
        };
        // What it had by its own reckoning is over.
        harmless("for 3", "for 2");
        // It has given it back, and begun anew.
        harmless("A counts for 3", "A counts in vain\n 1 draws C");
        harmless("7 votes for B", "A believes no more\n 7 votes for B");
    }

    #[test]
    fn a_renewal_in_vain_gives_nothing_up() {
        check_redis(
            "A draws
             6 votes for A
             7 votes for A
             A counts for 90
             A believes 0
             A counts in vain
             7 votes for A no more
             7 votes for B
             8 votes for B !",
        );
    }

    #[test]
    fn what_arrives_after_its_value_was_given_up_is_nobodys_grant() {
        let script = "A draws
                      6 votes for A
                      A counts in vain
                      1 draws C
                      7 votes for A
                      7 votes for A no more
                      7 votes for B
                      8 votes for B";
        check_redis(script);
        check_redis(
            &script.replace("A counts in vain\n", "1 crashes\n").replace("1 draws C", "1 starts"),
        );
        check_redis(&format!("{} !", script.replace("1 draws C", "5 begins")));
    }

    #[test]
    fn before_the_count_the_vote_that_ends_first_ends_the_majority() {
        // A line is a millisecond.
        let script = "A draws
                      6 votes for A for 3
                      7 votes for A for 90
                      5 begins
                      6 votes for A no more
                      6 votes for B
                      8 votes for B";
        check_redis(script);
        check_redis(&format!("{} !", script.replace("for 3", "for 9")));
    }

    #[test]
    fn what_one_node_ends_another_can_uphold() {
        let script = "granted A at 7 for 90
                      A believes 1
                      8 takes over with A
                      ended A expired at 8
                      granted B at 8 !";
        check_redis(script);
        // Had the first stopped, nobody would uphold it.
        let stopped = script.replace('!', "").replace("8 takes", "7 crashes\n 8 takes");
        check_redis(&stopped);
        let neither =
            script.replace('!', "").replace("granted B", "ended A expired at 7\n granted B");
        check_redis(&neither);
    }

    #[test]
    fn a_holder_that_has_given_up_is_wronged_by_no_grant_at_another_node() {
        check_redis(
            "A opens
             granted A at 7 for 90
             A believes 1
             8 takes over without
             1 crashes
             granted B at 8",
        );
        check_redis(
            "granted A at 7 for 90
             A believes 1
             8 takes over with A
             A believes no more
             ended A expired at 7
             granted B at 7",
        );
    }

    #[test]
    fn a_restart_touches_no_grant_of_another_node() {
        check_redis(
            "7 crashes
             8 takes over without
             granted B at 8 for 90
             B believes 1
             7 starts
             7 takes over without
             granted C at 7 !",
        );
    }

    #[test]
    fn a_primary_that_has_to_follow_gives_up_its_grants() {
        let script = "granted A at 7 for 90
                      A believes 1
                      7 hands over A
                      granted B at 8 !";
        check_redis(script);
        check_redis(
            &script.replace('!', "").replace("granted B", "A believes no more\n granted B"),
        );
        // So does one that comes back as a replica, and says nothing.
        check_redis(&script.replace("7 hands over A", "7 crashes\n 7 starts"));
    }

    #[test]
    fn what_is_lost_ends_when_its_key_would_have() {
        // A line is a millisecond.
        let script = "granted A at 7 for 4
                      A believes 1
                      7 hands over A
                      3 begins
                      granted B at 8 !";
        check_redis(script);
        let later = |line: &str| script.replace("3 begins", &format!("{line}\n 3 begins"));
        check_redis(&later("4 begins").replace('!', ""));
        check_redis(&script.replace("for 4", "for 3").replace('!', ""));
        // Its holder was promised more since, or it has no end.
        check_redis(
            &script.replace("for 4", "for 1").replace("7 hands", "renewed A at 7 for 9\n 7 hands"),
        );
        check_redis(&later("4 begins").replace(" for 4", ""));
    }

    /// The clock of the node that takes over is behind, or ahead.
    #[test]
    fn what_had_ended_and_another_node_has_still_is_promised_for_no_longer_than_before() {
        // A line is a millisecond.
        let over = "granted A at 7 for 2
                    A believes 1
                    ended A expired at 7
                    8 takes over with A for 90
                    8 hands over A
                    granted B at 9";
        check_redis(over);
        check_redis(&format!("{} !", over.replace("8 hands", "renewed A at 8 for 9\n 8 hands")));
        let early = "granted A at 7 for 90
                     A believes 1
                     ended A expired at 7
                     8 takes over with A for 0
                     3 begins
                     8 hands over A
                     granted B at 9 !";
        check_redis(early);
        check_redis(&early.replace(" for 90", "").replace(" for 0", ""));
        check_redis(&early.replace('!', "").replace("3 begins", "A believes no more"));
    }

    #[test]
    fn a_holder_that_had_given_up_before_has_lost_nothing() {
        check_redis(
            "granted A at 7
             A believes 1
             A believes no more
             7 crashes
             8 takes over without
             granted B at 8",
        );
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
