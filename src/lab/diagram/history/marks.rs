//! Events that stand at one moment: what the store answered, leases that end, who
//! leads, clicks.

use super::holds::Holds;
use super::{Drawn, Shape};
use crate::actors::etcd::api::LeaseId;
use crate::actors::note::{
    EtcdNote, GrantEnd, LeaseEnd, LockNote, RedisNote, StoreNote, WorkerNote,
};
use crate::actors::store::api::Owner;
use crate::actors::{Actor, Note};
use crate::lab::diagram::lanes::Lanes;
use crate::properties::Judge;
use crate::sim::click::Action;
use crate::sim::event::{Event, What};
use crate::text::short::{self, Standing, Turn};
use crate::text::{Who, effects, en, objects};

/// How an accepted write stands to the grants, judged as the properties judge it:
/// what they count as late is late, and any other write with a later grant is stale.
pub(super) fn standing(event: &Event<Actor>, judge: &Judge, late_before: u32) -> Standing {
    let What::Note(Note::Store(StoreNote::Accepted { owner, .. })) = &event.what else {
        return Standing::InTime;
    };
    if judge.late_writes() > late_before {
        Standing::Late
    } else if has_successor(judge, *owner) {
        Standing::Stale
    } else {
        Standing::InTime
    }
}

fn has_successor(judge: &Judge, owner: Owner) -> bool {
    let grants = judge.grants();
    let Some(place) = grants.iter().rposition(|grant| grant.owner == owner) else {
        return false;
    };
    grants[place + 1..].iter().any(|grant| grant.lock == grants[place].lock)
}

/// What is known before the event.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub holds: &'a Holds,
    pub lanes: &'a Lanes,
    pub who: &'a Who,
    /// Whether it ends a lease in an object, which was over by true time.
    pub was_over: bool,
}

pub(super) fn take(event: &Event<Actor>, standing: Standing, known: Known, drawn: &mut Drawn) {
    let lane = known.lanes.of(event.node);
    let marked = match &event.what {
        What::Note(Note::Store(note)) => of_store(note, standing),
        What::Note(Note::Lock(LockNote::Ended { lease, how, .. })) => {
            ended(*lease, *how, known).map(|words| (Shape::End, words))
        }
        What::Note(Note::Effect(note)) => effects::mark(note).map(|words| (Shape::Dot, words)),
        What::Note(Note::Etcd(note)) => of_service(note, event, known),
        What::Note(Note::Redis(RedisNote::Promoted)) => {
            Some((Shape::Flag, short::promoted(known.who.machine(event.node))))
        }
        What::Note(Note::Worker(WorkerNote::Finished)) => {
            Some((Shape::Dot, short::FINISHED.to_owned()))
        }
        What::Note(Note::Worker(WorkerNote::Stopped { .. })) => {
            Some((Shape::Dot, short::STOPS.to_owned()))
        }
        What::Clicked { action, .. } => Some((Shape::Click, click_words(action, known.who))),
        _ => None,
    };
    if let Some((shape, words)) = marked {
        drawn.mark(lane, event, shape, words);
    }
}

fn of_store(note: &StoreNote, standing: Standing) -> Option<(Shape, String)> {
    Some(match note {
        StoreNote::Claimed { token, object, .. } => (Shape::Accepted, short::claim(*token, object)),
        StoreNote::ClaimRefused { token, refusal, object, .. } => {
            (Shape::Refused, short::claim_refused(*token, object, &objects::status(*refusal)))
        }
        StoreNote::Accepted { token, object, .. } => {
            let shape = match standing {
                Standing::InTime => Shape::Accepted,
                Standing::Late | Standing::Stale => Shape::Alarm,
            };
            (shape, short::put(*token, object, standing))
        }
        StoreNote::Repeated { token, object, .. } => {
            (Shape::Accepted, short::put_repeated(*token, object))
        }
        StoreNote::Refused { token, refusal, object, .. } => {
            (Shape::Refused, short::put_refused(*token, object, &objects::status(*refusal)))
        }
        StoreNote::Begun { token, object, .. } => (Shape::Dot, short::put_begun(*token, object)),
        StoreNote::ClaimWaits { token, .. } | StoreNote::WriteWaits { token, .. } => {
            (Shape::Dot, short::waits_for_row(*token))
        }
        StoreNote::NumberTaken { number } => (Shape::Dot, short::number(*number)),
        StoreNote::MarkLost => (Shape::Alarm, short::MARK_LOST.to_owned()),
        StoreNote::RolledBack { token, object, .. } => {
            (Shape::Dot, short::put_rolled_back(*token, object))
        }
        StoreNote::Read { .. } | StoreNote::RuleSet { .. } => return None,
    })
}

fn of_service(note: &EtcdNote, event: &Event<Actor>, known: Known) -> Option<(Shape, String)> {
    let name = || Some(known.who.machine(event.node));
    Some(match note {
        EtcdNote::Leads { .. } => (Shape::Flag, short::turn(Turn::Leads, name())),
        EtcdNote::SteppedDown { .. } => (Shape::Dot, short::turn(Turn::LeadsNoMore, name())),
        _ => return None,
    })
}

fn ended(lease: LeaseId, how: GrantEnd, known: Known) -> Option<String> {
    let (revision, service) = (known.holds.granted(lease)?, known.who.names().service());
    Some(match how {
        GrantEnd::Lease(LeaseEnd::Expired) => short::lease_ends(service, revision),
        GrantEnd::Lease(LeaseEnd::Revoked) => short::released(revision),
        GrantEnd::KeyExpired => short::key_ends(revision),
        GrantEnd::Session => short::ends_with(revision, "session"),
        GrantEnd::Transaction => short::ends_with(revision, "transaction"),
        GrantEnd::Overwritten { .. } if known.was_over => short::lease_over(revision),
        GrantEnd::Deleted { by } | GrantEnd::SetFree { by } | GrantEnd::Overwritten { by } => {
            if known.holds.node_of(lease) == Some(by) {
                short::released(revision)
            } else {
                short::taken_away(revision, known.who.machine(by))
            }
        }
    })
}

/// What the stretches tell needs no words beside its mark.
fn click_words(action: &Action<Actor>, who: &Who) -> String {
    match action {
        Action::Pause { .. }
        | Action::Resume { .. }
        | Action::Suspend { .. }
        | Action::Wake { .. }
        | Action::Crash { .. }
        | Action::Restart { .. }
        | Action::Cut { .. }
        | Action::Heal { .. } => String::new(),
        _ => en::action(action, who),
    }
}

#[cfg(test)]
mod tests {
    use super::super::History;
    use super::*;

    #[track_caller]
    fn check_end(scenario: &str, expected: &str) {
        let scenario = crate::learn::told::scenario(scenario).expect("built in");
        let lanes = Lanes::new(scenario.names(), &scenario.spec().store.title);
        let mut history = History::new(lanes);
        history.take_in(scenario.run().to_end().expect("a run").trace());
        let points = history.drawn().points.iter().filter(|point| point.shape == Shape::End);
        let words: Vec<&str> = points.map(|point| point.words.as_str()).collect();
        assert_eq!(words.first(), Some(&expected), "{words:?}");
    }

    #[test]
    fn a_lease_in_an_object_that_was_over_is_not_marked_as_taken_away() {
        for rightful in ["object-lock", "object-lock.epoch"] {
            check_end(rightful, "lease 1 is over");
        }
        for early in ["object-lock.skewed", "object-lock.skewed-epoch", "object-lock.fast-clock"] {
            check_end(early, "lock 1 taken away by W2");
        }
    }
}
