//! What the page shows of a lock that is an object.

use super::{MemberFacts, Open, ServiceFacts, judge, of_any, rounded, world};
use crate::actors::Actor;
use crate::actors::objects::api::{ETag, Record};
use crate::scenario::names::Role;
use crate::sim::time::Span;

/// What is shown of the lock's object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockObjectFacts {
    /// Its ETag and its record, if it is there.
    pub object: Option<(ETag, Record)>,
    /// How far the time in it is ahead of the right one, where one stands there; below zero
    /// once it has passed.
    pub left: Option<Span>,
}

/// What is shown of the object store.
pub(super) fn facts(open: &Open, members: Vec<MemberFacts>) -> ServiceFacts {
    let world = world(open);
    let lock = open.scenario().spec().lock();
    let servers = open.scenario().names().with(Role::Member);
    let object = servers.filter_map(|id| match &world.node(id).process {
        Actor::Objects(objects) => objects.object(&lock),
        _ => None,
    });
    let object = object.map(|it| (it.etag, it.record.expect("a lock's has one"))).next();
    let until = object.and_then(|(_, record)| record.until);
    let left = until.map(|until| rounded(until - world.right_wall()));
    ServiceFacts {
        lock_object: Some(LockObjectFacts { object, left }),
        ..of_any(judge(open), members)
    }
}
