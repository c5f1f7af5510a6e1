//! How a lock that is an object is taken from an object store and given back: two recipes.
//!
//! ```text
//!   ObjectCreate  put, If-None-Match: * ─► stored ────────────────────────► granted for good
//!                  ▲ └─► 412, 409 ─► get ─► it is my own put ─────────────► granted
//!                  └── missing ◄────┘ ▲ └─► another's: a pause ─┐
//!                                     └─────────────────────────┘
//!   ObjectLease   get ─► missing, free or over ─► put, If-Match ─► stored ─► granted, the epoch
//!                  ▲ ▲                            └─► 412, 409 ─┐            is the token
//!                  │ └──────────────────────────────────────────┘
//!                  └── a pause ◄── held
//! ```
//!
//! What stands in the object is a [`Record`]. A lease is over by the timestamp in it, which its
//! holder's wall clock wrote and the reader's compares, or when the reader has seen the same
//! ETag for a whole lease by its own monotonic clock, as the lock client of DynamoDB and
//! client-go do. The watchdog renews by a put of its own, and a release is a put or a delete.
//!
//! After a 412 the client does not know whether it was a try of its own that came through
//! before: it reads the object and looks for its nonce.

use super::calls::Ask;
use super::config::{ObjectRecipe, OfService, ReleaseCheck, RenewalCheck, Step};
use super::session::Session;
use super::watchdog::{Key, Renewal};
use super::{Heartbeat, Outbox, Worker};
use crate::actors::Message;
use crate::actors::etcd::api::RequestId;
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, WorkerNote};
use crate::actors::objects::api::{
    self, ETag, GetIf, Metadata, ObjectError, Op, Put, PutIf, Record, Reply, Response,
};
use crate::actors::store::api::{Owner, Refusal, Token};
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span, Wall};
use serde::Serialize;

/// What a client of an object store that gives locks is told besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ObjectsClient {
    /// When another's lease is over.
    pub until: LeaseUntil,
    /// What a release makes of the object of a lease.
    pub release: ObjectRelease,
    /// What it makes of a 412 or 409 that may come of its own success.
    pub settle: Settle,
}

/// When another's lease is over, to who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LeaseUntil {
    /// When the time in it has passed: its holder's wall clock wrote it, the reader's compares.
    Timestamp,
    /// When the object has had the same ETag for a whole lease by the reader's monotonic clock.
    Unchanged,
}

/// What a release makes of the object of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ObjectRelease {
    /// It stays, with no holder and its epoch.
    Free,
    /// It is deleted, and the next epoch is 1 again.
    Delete,
}

/// What a client makes of a 412 or 409 that may come of its own success.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Settle {
    /// It reads the object and looks for its nonce.
    Look,
    /// Wrong: it takes the object for another's.
    Never,
}

/// What is asked of an object store about the lock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum LockAsk {
    /// The object, to see whose it is.
    Look,
    /// The same, by one who waits.
    LookAgain,
    /// The object, put as the own one.
    Take,
    /// The lock's end.
    Release,
    /// The object, since a release was refused.
    ReleaseLook,
}

/// What a client knows of the lock's object.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct LockObject {
    /// Its ETag as it was read or put last; none where there was no such object.
    etag: Option<ETag>,
    /// Since when that has been so, as far as it knows, where a lease is over by that.
    since: Option<Mono>,
    /// The epoch in it.
    epoch: Token,
    /// Its last put to take it: which request that was, and when it was sent first.
    take: Option<(RequestId, Mono)>,
}

impl LockObject {
    /// Whether nothing is known.
    pub(super) fn is_nothing(&self) -> bool {
        *self == LockObject::default()
    }
}

impl Worker {
    fn is_lease(&self) -> bool {
        self.config.recipe.of_service() == OfService::Objects(ObjectRecipe::Lease)
    }

    fn lock_client(&self) -> ObjectsClient {
        self.config.lock_objects.expect("a client of an object store is told more")
    }

    fn nonce(&self) -> Owner {
        self.session.lease().expect("a nonce is drawn before it is put")
    }

    /// What it puts by its request of this number.
    fn record(&self, owner: Owner, epoch: Token, id: RequestId, wall: Wall) -> Record {
        let is_held = self.is_lease() && owner != Owner::NONE;
        let lease = if is_held { Span::from_s(self.config.ttl_s) } else { Span::ZERO };
        let is_told = is_held && self.lock_client().until == LeaseUntil::Timestamp;
        let until = is_told.then_some(wall + lease);
        // Who puts it is noted where it is stored.
        Record { owner, epoch, lease, until, put: id.0, by: NodeId(0) }
    }

    fn lock_put(&self, record: Record, only: PutIf) -> Op {
        let (key, body) = (self.config.lock.clone(), record.body());
        let metadata = Metadata::new();
        Op::Put(Put { key, body, metadata, only, means: None, record: Some(record) })
    }

    /// The condition that the object is as it is known.
    fn if_known(&self) -> PutIf {
        self.lock_object.etag.map_or(PutIf::Absent, PutIf::Match)
    }

    /// The content of a request about the lock.
    #[inline(never)]
    pub(super) fn lock_op(&self, ask: LockAsk, id: RequestId, wall: Wall) -> Op {
        let (key, epoch) = (self.config.lock.clone(), self.lock_object.epoch);
        match ask {
            LockAsk::Look | LockAsk::LookAgain | LockAsk::ReleaseLook => {
                Op::Get { key, only: GetIf::Always }
            }
            LockAsk::Take => {
                let epoch = if self.is_lease() { epoch + 1 } else { 0 };
                self.lock_put(self.record(self.nonce(), epoch, id, wall), self.if_known())
            }
            LockAsk::Release => self.lock_release(id, wall),
        }
    }

    /// The lock's end, as the policies have it.
    fn lock_release(&self, id: RequestId, wall: Wall) -> Op {
        let is_owners = self.config.policies.release == ReleaseCheck::Owner;
        let own = self.lock_object.etag.filter(|_| is_owners);
        if self.is_lease() && self.lock_client().release == ObjectRelease::Free {
            let record = self.record(Owner::NONE, self.lock_object.epoch, id, wall);
            return self.lock_put(record, own.map_or(PutIf::Always, PutIf::Match));
        }
        Op::Delete { key: self.config.lock.clone(), if_match: own }
    }

    /// The renewal of the lease.
    pub(super) fn lock_renewal(&self, id: RequestId, wall: Wall) -> Op {
        let only = match self.config.policies.renewal {
            RenewalCheck::NameOnly => PutIf::Always,
            RenewalCheck::Owner | RenewalCheck::None => self.if_known(),
        };
        self.lock_put(self.record(self.nonce(), self.lock_object.epoch, id, wall), only)
    }

    fn ask_lock(&mut self, ask: LockAsk, now: Mono, out: &mut Outbox) {
        self.call(Ask::Lock(ask), now, out);
        if ask == LockAsk::Take {
            self.lock_object.take = Some((RequestId(self.last_id), now));
        }
    }

    /// A new acquisition, with a nonce of its own.
    pub(super) fn open_object(&mut self, now: Mono, out: &mut Outbox) {
        self.draw_value(out);
        self.lock_object = LockObject::default();
        let first = if self.is_lease() { LockAsk::Look } else { LockAsk::Take };
        self.ask_lock(first, now, out);
    }

    /// Looks again after a pause.
    pub(super) fn lock_look_again(&mut self, now: Mono, out: &mut Outbox) {
        self.ask_lock(LockAsk::LookAgain, now, out);
    }

    /// The object store of the lock answered.
    pub(super) fn lock_answered(
        &mut self,
        from: NodeId,
        response: Response,
        now: Mono,
        out: &mut Outbox,
    ) {
        if self.is_renewal(response.id) {
            return self.lock_renewal_answered(from, response, now, out);
        }
        let since = self.waits_since();
        let Some(Ask::Lock(ask)) = self.answered(response.id, out) else { return };
        match (ask, response.result) {
            (LockAsk::Look | LockAsk::LookAgain, result) => {
                self.lock_seen(ask, result, now, out);
            }
            (LockAsk::Take, Ok(Reply::Stored { etag, .. })) => {
                let epoch = if self.is_lease() { self.lock_object.epoch + 1 } else { 0 };
                let etag = Some(etag);
                self.lock_object = LockObject { etag, since: self.counted(now), epoch, take: None };
                self.taken(since, now);
                self.lock_taken(now, now, out);
            }
            (LockAsk::Take, Err(error)) => {
                let (step, refusal) = (Step::Acquire, Refusal::Condition(error));
                let note = out.note(WorkerNote::Refused { step, refusal });
                note.because(Fact::Call).sets(Fact::Call);
                self.ask_lock(LockAsk::Look, now, out);
            }
            (LockAsk::Release, Err(error)) if self.looks_after(error) => {
                self.ask_lock(LockAsk::ReleaseLook, now, out);
            }
            (LockAsk::ReleaseLook, Ok(Reply::Object(object))) if self.is_own(object.record) => {
                // A renewal came between.
                self.lock_object.etag = Some(object.etag);
                self.ask_lock(LockAsk::Release, now, out);
            }
            (LockAsk::Take, Ok(reply)) => {
                unreachable!("an object store does not answer a put so: {}", InFull(&reply))
            }
            (LockAsk::Release | LockAsk::ReleaseLook, _) => self.session_is_closed(now, out),
        }
    }

    /// Since when the object has been so, where anything goes by that.
    fn counted(&self, since: Mono) -> Option<Mono> {
        let counts = self.is_lease() && self.lock_client().until == LeaseUntil::Unchanged;
        counts.then_some(since)
    }

    /// Whether it looks whose the object is after this refusal, which may come of its own doing:
    /// a 412, or a 409, which says only that something else was done to the object meanwhile.
    fn looks_after(&self, error: ObjectError) -> bool {
        let is_open = matches!(
            error,
            ObjectError::PreconditionFailed(_) | ObjectError::ConditionalRequestConflict
        );
        is_open && self.lock_client().settle == Settle::Look
    }

    fn is_own(&self, record: Option<Record>) -> bool {
        let nonce = self.session.lease();
        record.is_some_and(|record| Some(record.owner) == nonce)
    }

    /// What stands there is known.
    fn lock_seen(
        &mut self,
        ask: LockAsk,
        result: Result<Reply, ObjectError>,
        now: Mono,
        out: &mut Outbox,
    ) {
        let object = match result {
            Ok(Reply::Object(object)) => object,
            Err(ObjectError::NoSuchKey) => {
                self.lock_object = LockObject::default();
                return self.ask_lock(LockAsk::Take, now, out);
            }
            result => unreachable!("an object store does not answer a get so: {}", InFull(&result)),
        };
        let record = object.record.expect("a lock's object has a record");
        let known = &self.lock_object;
        let was_so = known.since.filter(|_| known.etag == Some(object.etag));
        let first = was_so.unwrap_or(now);
        let (etag, take) = (Some(object.etag), known.take);
        let (since, epoch) = (self.counted(first), record.epoch);
        self.lock_object = LockObject { etag, since, epoch, take };
        if self.is_own(Some(record)) && self.lock_client().settle == Settle::Look {
            return self.lock_found_own(record, now, out);
        }
        let is_over = self.is_lease()
            && match self.lock_client().until {
                LeaseUntil::Timestamp => {
                    record.until.is_some_and(|until| until < out.clocks().wall)
                }
                LeaseUntil::Unchanged => now - first >= record.lease,
            };
        match record.holder() {
            None => self.ask_lock(LockAsk::Take, now, out),
            Some(owner) if is_over => {
                let own = out.node();
                let until = self.lock_client().until;
                let note = out.note(WorkerNote::FoundOver { lease: owner, until });
                let note = note.because(Fact::Call).sets(Fact::Call).silence_of(record.by);
                match until {
                    LeaseUntil::Timestamp => note.wall_of(own),
                    LeaseUntil::Unchanged => note.rate_of(own),
                };
                self.ask_lock(LockAsk::Take, now, out);
            }
            Some(_) => {
                if ask == LockAsk::Look {
                    let note = out.note(WorkerNote::Waits { create_revision: 0 });
                    note.because(Fact::Call).sets(Fact::Call);
                }
                self.polls(now, out);
            }
        }
    }

    /// It is its own put, whose answer was lost. Others count its lease from when it was put,
    /// so its own deadline counts from when it was sent first, whatever the policy.
    fn lock_found_own(&mut self, record: Record, now: Mono, out: &mut Outbox) {
        out.note(WorkerNote::FoundOwn { token: record.epoch }).because(Fact::Call);
        let (lease, interval) = (Span::from_s(self.config.ttl_s), self.interval());
        let take = self.lock_object.take.take().filter(|(id, _)| id.0 == record.put);
        // One that an earlier try put late is older than it can tell: that counts as over.
        let from = take.map_or(now - lease, |(_, from)| from);
        if let Some(key) = self.key_mut() {
            key.taken = Some(from);
        }
        // A renewal that would have been due by then is due now.
        self.lock_taken(from.max(now - interval), now, out);
    }

    /// The lock is its own: a lease has its time and is renewed, the first time an interval
    /// after `renewed`. One whose time is over before it is known is given back.
    fn lock_taken(&mut self, renewed: Mono, now: Mono, out: &mut Outbox) {
        let token = self.lock_object.epoch;
        if self.is_lease() {
            let Some(deadline) = self.end_of_taken(now) else {
                self.give_up_object(out);
                self.draw_value(out);
                return self.polls(now, out);
            };
            self.watch_over(Some(deadline), renewed, out);
        }
        self.granted(token, now, out);
    }

    /// A renewal was answered, or what was read since one was refused.
    fn lock_renewal_answered(
        &mut self,
        from: NodeId,
        response: Response,
        now: Mono,
        out: &mut Outbox,
    ) {
        let renewal = match response.result {
            Ok(Reply::Stored { etag, .. }) => {
                self.lock_object.etag = Some(etag);
                Renewal::Done
            }
            // One that went unanswered was carried out.
            Ok(Reply::Object(object)) if self.is_own(object.record) => {
                self.lock_object.etag = Some(object.etag);
                return self.watchdog_wakes(now, out);
            }
            Err(error) if self.looks_after(error) => {
                if self.heartbeat == Heartbeat::Blocked {
                    return;
                }
                let key = self.config.lock.clone();
                return self.ask_object(now, out, |_, _| Op::Get { key, only: GetIf::Always });
            }
            _ => Renewal::NotOwn,
        };
        self.renewal_answered(from, response.id, renewal, now, out);
    }

    /// Gives the lock back and waits for the answer. One that is lost is nobody's to give.
    pub(super) fn release_object(&mut self, now: Mono, out: &mut Outbox) {
        let is_lost = matches!(self.session, Session::Closed { why: SessionEnd::LeaseGone, .. });
        self.give_up_hold(out);
        // Who deletes by name asks nobody whose it is.
        let is_owners = self.config.policies.release == ReleaseCheck::Owner;
        match is_lost && is_owners {
            true => self.session_is_closed(now, out),
            false => self.ask_lock(LockAsk::Release, now, out),
        }
    }

    /// Gives it up without waiting for an answer. A put that is still under way may come after.
    pub(super) fn give_up_object(&mut self, out: &mut Outbox) {
        let is_taken = match &self.session {
            Session::Key(Key { taken, .. }) => taken.is_some(),
            Session::Closed { why, .. } => *why == SessionEnd::Deadline,
            Session::None | Session::Open(_) | Session::Zk(_) => false,
        };
        if is_taken {
            self.give_up_hold(out);
            let id = self.next_id();
            let op = self.lock_release(id, out.clocks().wall);
            out.send(self.member_in_use(), Message::Objects(api::Request { id, op }));
        }
        self.session = Session::None;
    }
}
