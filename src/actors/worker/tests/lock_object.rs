//! What a client whose lock is an object makes of a 409: something else was done to the object
//! while its put or delete was under way, and it is not said what.

use super::*;
use crate::actors::objects::api::ObjectError::{ConditionalRequestConflict, NoSuchKey};
use crate::actors::objects::api::{self, ETag, Object, ObjectError, PutIf, Record, Reply};
use crate::actors::worker::config::{LeaseUntil, ObjectRelease, ObjectsClient, Settle};

const STORED: ETag = ETag(7);
const NEWER: ETag = ETag(8);

fn rig(recipe: Recipe, settle: Settle, compute: Span) -> Rig {
    let (until, release) = (LeaseUntil::Timestamp, ObjectRelease::Free);
    let lock_objects = Some(ObjectsClient { until, release, settle });
    let members = vec![MEMBERS[0]];
    Rig::at(WorkerConfig { members, recipe, lock_objects, compute, ..config() }, 1)
}

impl Rig {
    fn asked(&self) -> &api::Request {
        let asked = self.sent.iter().rev().find_map(|(.., message)| match message {
            Message::Objects(request) => Some(request),
            _ => None,
        });
        asked.expect("it asks the object store")
    }

    /// The object store answers what it was asked last.
    fn told(&mut self, result: Result<Reply, ObjectError>) {
        let message = Message::ObjectsAnswer(api::Response { id: self.asked().id, result });
        self.give(Input::Message { from: MEMBERS[0], message });
    }

    /// What was asked last, and on what condition where it is a put or a delete.
    fn last(&self) -> (&'static str, Option<ETag>) {
        let op = &self.asked().op;
        let only = match op {
            api::Op::Put(put) => match put.only {
                PutIf::Match(etag) => Some(etag),
                PutIf::Always | PutIf::Absent => None,
            },
            api::Op::Delete { if_match, .. } => *if_match,
            api::Op::Get { .. } | api::Op::Head { .. } => None,
        };
        (op.kind(), only)
    }

    fn record(&self) -> Record {
        let put = self.sent.iter().rev().find_map(|(.., message)| match message {
            Message::Objects(api::Request { op: api::Op::Put(put), .. }) => put.record,
            _ => None,
        });
        put.expect("it has put the lock")
    }
}

fn object(record: Record, etag: ETag) -> Result<Reply, ObjectError> {
    let (body, metadata) = (record.body(), api::Metadata::new());
    Ok(Reply::Object(Object { body, metadata, etag, version: 0, record: Some(record) }))
}

/// One that has the lock.
fn holder(recipe: Recipe, settle: Settle, compute: Span) -> Rig {
    let mut rig = rig(recipe, settle, compute);
    if recipe == Recipe::ObjectLease {
        rig.told(Err(NoSuchKey));
    }
    assert_eq!(rig.last(), ("put-object", None));
    rig.told(Ok(Reply::Stored { etag: STORED, version: 0 }));
    assert!(rig.worker.belief().is_some());
    rig
}

const BOTH: [Recipe; 2] = [Recipe::ObjectCreate, Recipe::ObjectLease];

#[test]
fn who_takes_a_lock_and_is_told_of_a_conflict_looks_whose_it_is() {
    for recipe in BOTH {
        let mut rig = rig(recipe, Settle::Look, Span::from_s(5));
        if recipe == Recipe::ObjectLease {
            rig.told(Err(NoSuchKey));
        }
        rig.told(Err(ConditionalRequestConflict));
        assert_eq!(rig.last(), ("get-object", None));
        let own = rig.record();
        rig.told(object(own, STORED));
        assert!(rig.worker.belief().is_some(), "the put was its own");
    }
}

#[test]
fn a_renewal_that_meets_a_conflict_is_made_again_if_the_object_is_the_own_one() {
    let mut rig = holder(Recipe::ObjectLease, Settle::Look, Span::from_s(100));
    rig.run_to(10_010);
    assert_eq!(rig.last(), ("put-object", Some(STORED)));
    rig.told(Err(ConditionalRequestConflict));
    assert_eq!(rig.last(), ("get-object", None));
    let own = rig.record();
    rig.told(object(own, NEWER));
    assert_eq!(rig.last(), ("put-object", Some(NEWER)));
    assert!(rig.worker.belief().is_some());
}

#[test]
fn a_release_that_meets_a_conflict_is_made_again_if_the_object_is_the_own_one() {
    for recipe in BOTH {
        let release = if recipe == Recipe::ObjectLease { "put-object" } else { "delete-object" };
        let mut rig = holder(recipe, Settle::Look, Span::from_s(5));
        let own = rig.record();
        rig.run_to(6_000);
        assert_eq!(rig.last(), (release, Some(STORED)));
        rig.told(Err(ConditionalRequestConflict));
        assert_eq!(rig.last(), ("get-object", None), "it cannot tell whose doing that was");
        rig.told(object(own, NEWER));
        assert_eq!(rig.last(), (release, Some(NEWER)));
        rig.told(Ok(Reply::Deleted));
        rig.check_at_rest(Status::Finished);
    }
}

#[test]
fn who_never_looks_takes_a_conflict_for_another_s_doing() {
    let mut rig = holder(Recipe::ObjectLease, Settle::Never, Span::from_s(5));
    rig.run_to(6_000);
    rig.told(Err(ConditionalRequestConflict));
    rig.check_at_rest(Status::Finished);
}

#[test]
fn an_object_that_is_asked_for_is_not_its_own_yet() {
    let mut rig = rig(Recipe::ObjectCreate, Settle::Look, Span::from_s(5));
    let state = |rig: &Rig| rig.worker.session().map(|session| session.state);
    assert_eq!(state(&rig), Some(SessionState::Asked));
    rig.told(Ok(Reply::Stored { etag: STORED, version: 0 }));
    assert_eq!(state(&rig), Some(SessionState::Open));
}
