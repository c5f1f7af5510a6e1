//! What is shown of machines, against runs.

use super::*;
use crate::lab::{Lab, Msg};
use crate::scenario::clicks::Do;
use crate::sim::time::TrueTime;

fn at(ms: i64, lab: &mut Lab) {
    lab.update(Msg::Seek(TrueTime(ms * 1_000)));
}

#[test]
fn belief_and_truth_are_two_things() {
    let mut lab = Lab::new().expect("built in");
    at(25_000, &mut lab);
    let holds: Vec<Holds> = workers(lab.open()).map(|worker| worker.holds).collect();
    assert_eq!(holds, [Holds::Rightly, Holds::Not]);
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
    at(60_000, &mut lab);
    let both: Vec<_> = workers(lab.open()).collect();
    let [w1, w2] = &both[..] else { panic!("two workers") };
    assert_eq!((w1.holds, w1.machine), (Holds::Wrongly, Machine::Paused));
    assert_eq!((w2.holds, w2.token), (Holds::Rightly, Some(43)));
    assert!(w1.lease_left.is_some_and(|left| left < Span::ZERO), "by its own clock");
    assert_eq!(service(lab.open()).granted.len(), 1);
    assert_eq!(verdict(lab.open()).believe, [w1.id, w2.id]);
    assert_eq!(verdict(lab.open()).most_believe, 2);
}

#[test]
fn two_that_hold_different_locks_are_not_two_that_hold_one() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Load { scenario: "mark-scopes.two-locks".to_owned() });
    at(5_000, &mut lab);
    let facts = verdict(lab.open());
    assert_eq!((facts.believe.len(), facts.most_believe), (2, 1));
    assert_eq!((facts.granted.len(), facts.most_granted), (2, 1));
}

#[test]
fn a_job_is_owed_once_and_may_be_booked_twice() {
    let mut lab = Lab::new().expect("built in");
    at(25_000, &mut lab);
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
    lab.update(Msg::ToEnd);
    let facts = verdict(lab.open());
    assert_eq!((facts.booked, facts.owed, facts.stale), (4_000_000, 2_000_000, 1));
    assert_eq!(facts.judged, Judged::AtTheEnd);
    assert!(facts.broken.iter().any(|(id, _)| *id == PropertyId::StaleWriteAccepted));
}
