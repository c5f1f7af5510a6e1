//! Never released.
//!
//! Judged at the run's end. Broken when a grant stands that nobody is going to give
//! back: no living process both believes in that very acquisition and is still in
//! its program. So it counts when the holder crashed or exited and the service has
//! not ended its grant, when it never learnt of its grant, when it stopped believing
//! without a release, and when its program is over and its heartbeat goes on. A
//! holder that is paused, or that the run's limit met at its work, does not count.
//! The witness is the grant, beside the last that is told of its holder.

use super::never_finished::NeverFinished;
use super::two_believe::TwoBelieve;
use super::{Grants, Standing, Verdict, Witness};

/// Judges a run that has ended.
pub(super) fn judge(grants: &Grants, beliefs: &TwoBelieve, programs: &NeverFinished) -> Verdict {
    let gives_back = |grant: &super::Grant| {
        beliefs.believers().any(|belief| {
            (belief.owner, &belief.lock) == (grant.owner, &grant.lock)
                && programs.is_under_way(belief.node)
        })
    };
    let kept = grants
        .in_order()
        .iter()
        .find(|grant| grant.standing == Standing::Stands && !gives_back(grant));
    kept.map_or(Verdict::Holds, |grant| {
        let beside = grant.node.and_then(|node| programs.last(node));
        Verdict::Broken { witness: Witness { beside, ..grant.granted } }
    })
}

#[cfg(test)]
mod tests {
    use crate::actors::store::api::Rule;
    use crate::properties::PropertyId::NeverReleased;
    use crate::properties::tale::check;

    #[test]
    fn a_release_and_an_expiry_both_end_a_grant() {
        check(
            NeverReleased,
            Rule::None,
            "1 begins
             granted A
             A believes 33
             A believes no more
             ended A deleted by 1
             1 finishes
             granted B
             2 crashes
             ended B expired",
        );
    }

    #[test]
    fn a_grant_whose_holder_never_learnt_of_it_is_kept_by_its_own_heartbeat() {
        check(
            NeverReleased,
            Rule::None,
            "1 begins
             granted A !",
        );
    }

    #[test]
    fn a_crashed_holders_grant_stands_until_the_service_ends_it() {
        let script = "1 begins
                      granted A !
                      A believes 33
                      1 crashes";
        check(NeverReleased, Rule::None, script);
        let ended = script.replace('!', "") + "\n ended A expired";
        check(NeverReleased, Rule::None, &ended);
    }

    #[test]
    fn what_was_in_a_processs_memory_only_is_over_with_it() {
        let script = "1 begins
                      granted A in memory
                      A believes 33
                      1 crashes
                      9 crashes";
        check(NeverReleased, Rule::None, script);
        check(NeverReleased, Rule::None, &script.replace("in memory", "!"));
        let runs = script.replace("9 crashes", "8 crashes").replace("memory", "memory !");
        check(NeverReleased, Rule::None, &runs);
    }

    #[test]
    fn a_holder_still_at_its_work_will_release() {
        let script = "1 begins
                      granted A
                      A believes 33";
        check(NeverReleased, Rule::None, script);
        let over = script.replace("granted A", "granted A !") + "\n 1 finishes";
        check(NeverReleased, Rule::None, &over);
    }

    #[test]
    fn a_grant_that_goes_with_its_nodes_part_is_kept_by_nobody() {
        let script = "1 begins
                      granted A at 7 !
                      A believes 1
                      A believes no more
                      1 finishes";
        check(NeverReleased, Rule::None, script);
        let handed_over = script.replace('!', "") + "\n 7 hands over A";
        check(NeverReleased, Rule::None, &handed_over);
        // One that takes over with its key keeps it from others again.
        let revived =
            script.replace("1 finishes", "1 finishes\n 7 hands over A\n 8 takes over with A for 9");
        check(NeverReleased, Rule::None, &revived);
    }
    #[test]
    fn what_nodes_that_do_not_run_have_is_over_with_its_time() {
        // A line is a millisecond.
        let script = "1 begins
                      A draws
                      6 votes for A
                      7 votes for A
                      A counts for 9 !
                      A believes 1
                      A believes no more
                      1 finishes
                      6 crashes
                      7 crashes
                      8 votes for B";
        check(
            NeverReleased,
            Rule::None,
            &script.replace('!', "").replace("7 votes for A", "7 votes for A !"),
        );
        let later = script.replace('!', "").replace("for 9", "for 4");
        check(NeverReleased, Rule::None, &later);
    }
}
