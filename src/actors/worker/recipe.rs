//! How the lock is taken from etcd and given back: four recipes. Those of Redis are in
//! `redis`, and never come here.
//!
//! ```text
//!   Queue           queue ─► first? ─► granted
//!                     └─► newest before me ─► watch it ─► gone ─┐
//!                              ▲  └─ none: own key there? ─► granted
//!                              └────────────────────────────────┘
//!   CreateIfAbsent  create ─► created ─► granted
//!                     ▲ └─► watch it ─► gone ─┐
//!                     └───────────────────────┘
//!   GetThenPut      get ─► absent ─► put ─► granted, whatever came between
//!   Election        queue ─► newest before me ─► watch it ─► gone ─┐
//!                              ▲  └─ none ─► granted              │
//!                              └──────────────────────────────────┘
//! ```
//!
//! `Queue` is what etcd's `concurrency.Mutex` does (`client/v3/concurrency`), and `Election`
//! what its `concurrency.Election` does, whose `Resign` is the release that looks at the owner.

use super::calls::{Ask, EtcdAsk};
use super::config::{EtcdRecipe, OfService};
use super::program::Doing;
use super::{Outbox, Worker, WorkerTimer, cancel_timer, set_timer};
use crate::actors::Message;
use crate::actors::etcd::api::{
    Body, Compare, CompareOp, Delete, KeyRange, KeyValue, LeaseId, Op, Order, Prev, Put, Range,
    RangeReply, Reply, Request, RequestId, Revision, Target, Text, Txn, TxnOp, TxnReply,
    WatchCreate, WatchEvent, WatchEvents,
};
use crate::actors::fact::Fact;
use crate::actors::note::WorkerNote;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span};
use serde::Serialize;

/// A waiter that has heard nothing for so long reads again. On a real connection a
/// lost event would be sent again, or the connection break in the end; here it is
/// lost, and this stands for both. A member's end is told at once.
pub(super) const NOTHING_HEARD: Span = Span::from_s(30);

/// What a waiter watches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Watch {
    /// The client's number for it: that of the request.
    pub number: RequestId,
    /// The member that was asked for it.
    pub member: NodeId,
    /// Waited for to go.
    pub key: Text,
}

/// Whether a waiter says so.
#[derive(Clone, Copy)]
enum Says {
    ThatItWaits,
    Nothing,
}

impl Worker {
    /// The content of a request to etcd.
    pub(super) fn etcd_op(&self, ask: &EtcdAsk, id: RequestId) -> Op {
        match ask {
            EtcdAsk::Grant => Op::LeaseGrant { ttl_s: self.config.ttl_s, lease: LeaseId::NONE },
            EtcdAsk::Queue => Op::Txn(self.queue_txn()),
            EtcdAsk::Newest | EtcdAsk::Rival => Op::Range(Range {
                max_create_revision: self.program.key_revision - 1,
                order: Order::NewestFirst,
                limit: 1,
                ..Range::of(self.queue_keys())
            }),
            EtcdAsk::OwnKey | EtcdAsk::Get | EtcdAsk::Look => Op::Range(Range::key(self.own_key())),
            EtcdAsk::Create => Op::Txn(Txn {
                compare: vec![self.key_came_at(0)],
                success: vec![TxnOp::Put(self.own_put())],
                failure: vec![TxnOp::Range(Range::key(self.own_key()))],
            }),
            EtcdAsk::Put => Op::Put(self.own_put()),
            EtcdAsk::Watch { key, from } => Op::WatchCreate(WatchCreate {
                watch: id.0,
                keys: KeyRange::Key(key.clone()),
                start_revision: *from,
                prev: Prev::NotWanted,
            }),
            EtcdAsk::DeleteOwn => Op::Txn(Txn {
                compare: vec![self.key_came_at(self.program.key_revision)],
                success: vec![TxnOp::Delete(self.own_delete())],
                failure: Vec::new(),
            }),
            EtcdAsk::DeleteByName => Op::Delete(self.own_delete()),
            EtcdAsk::Revoke => Op::LeaseRevoke { lease: self.lease() },
            ask => self.data_op(ask),
        }
    }

    fn queue_txn(&self) -> Txn {
        let oldest = Range { order: Order::OldestFirst, limit: 1, ..Range::of(self.queue_keys()) };
        let own = Range::key(self.own_key());
        let mut txn = Txn {
            compare: vec![self.key_came_at(0)],
            success: vec![TxnOp::Put(self.own_put()), TxnOp::Range(oldest.clone())],
            failure: vec![TxnOp::Range(own), TxnOp::Range(oldest)],
        };
        // `Campaign` does not ask who is first.
        if self.recipe() == EtcdRecipe::Election {
            txn.success.pop();
            txn.failure.pop();
        }
        txn
    }

    fn queue_keys(&self) -> KeyRange {
        KeyRange::Prefix(format!("{}/", self.config.lock).into())
    }

    fn lease(&self) -> LeaseId {
        self.session.lease().expect("a lock is taken and given back within a session")
    }

    fn recipe(&self) -> EtcdRecipe {
        match self.config.recipe.of_service() {
            OfService::Etcd(recipe) => recipe,
            _ => unreachable!("a recipe is for the scenario's service"),
        }
    }

    /// The key that this worker puts.
    fn own_key(&self) -> Text {
        self.key_of(self.lease())
    }

    /// The key of an acquisition.
    pub(super) fn key_of(&self, lease: LeaseId) -> Text {
        match self.recipe() {
            EtcdRecipe::Queue | EtcdRecipe::Election => {
                format!("{}/{:x}", self.config.lock, lease.0).into()
            }
            EtcdRecipe::CreateIfAbsent | EtcdRecipe::GetThenPut => self.config.lock.clone(),
        }
    }

    /// A single key says in its value whose it is, and so does a candidate's.
    fn own_put(&self) -> Put {
        let lease = self.lease();
        let value: Text = match self.recipe() {
            EtcdRecipe::Queue => "".into(),
            EtcdRecipe::CreateIfAbsent | EtcdRecipe::GetThenPut | EtcdRecipe::Election => {
                format!("{:x}", lease.0).into()
            }
        };
        Put::new(self.own_key(), value, lease)
    }

    fn own_delete(&self) -> Delete {
        Delete { keys: KeyRange::Key(self.own_key()), prev: Prev::NotWanted }
    }

    /// That the own key came to be at this revision; 0 for a key that is absent.
    fn key_came_at(&self, revision: Revision) -> Compare {
        let target = Target::CreateRevision(revision);
        Compare { key: self.own_key(), target, op: CompareOp::Equal }
    }

    fn ask_etcd(&mut self, ask: EtcdAsk, now: Mono, out: &mut Outbox) {
        self.call(Ask::Etcd(ask), now, out);
    }

    /// etcd gave a good answer to a call.
    pub(super) fn etcd_replied(&mut self, ask: EtcdAsk, reply: Reply, now: Mono, out: &mut Outbox) {
        let revision = reply.revision;
        match (ask, reply.body) {
            (EtcdAsk::Grant, Body::Lease { lease, .. }) => {
                self.open_session(lease, now, out);
                self.first_try(now, out);
            }
            (EtcdAsk::Queue, Body::Txn { succeeded, responses }) => {
                self.queued(succeeded, &responses, revision, now, out);
            }
            (ask @ (EtcdAsk::Newest | EtcdAsk::Rival), Body::Range(range)) => {
                self.newest_found(&ask, &range, revision, now, out);
            }
            (EtcdAsk::OwnKey, Body::Range(RangeReply { kvs, .. })) => match kvs.first() {
                Some(own) => self.granted(own.create_revision, now, out),
                None => {
                    self.lease_gone(out);
                    self.no_session_to_lock_with(now, out);
                }
            },
            (EtcdAsk::Create, Body::Txn { succeeded, responses }) => {
                self.created(succeeded, &responses, revision, now, out);
            }
            (EtcdAsk::Get, Body::Range(range)) => {
                self.looked(&range, Says::ThatItWaits, revision, now, out);
            }
            (EtcdAsk::Look, Body::Range(range)) => {
                self.looked(&range, Says::Nothing, revision, now, out);
            }
            (EtcdAsk::Put, Body::Put(_)) => self.granted(revision, now, out),
            (EtcdAsk::Watch { .. }, Body::WatchCreated { .. }) => self.watch_created(now, out),
            (EtcdAsk::DeleteOwn, Body::Txn { .. })
            | (EtcdAsk::DeleteByName, Body::Deleted { .. }) => self.close_session(now, out),
            (EtcdAsk::Revoke, Body::Revoked) => self.session_is_closed(now, out),
            (ask, body) => self.data_answered(&ask, body, now, out),
        }
    }

    /// etcd refused because of the lease.
    pub(super) fn lease_refused(&mut self, ask: &EtcdAsk, now: Mono, out: &mut Outbox) {
        match ask {
            // It is gone already, which is what was wanted.
            EtcdAsk::Revoke => self.session_is_closed(now, out),
            _ => {
                self.lease_gone(out);
                self.no_session_to_lock_with(now, out);
            }
        }
    }

    /// Whom it waits for, if there is anybody left.
    fn newest_found(
        &mut self,
        ask: &EtcdAsk,
        range: &RangeReply,
        revision: Revision,
        now: Mono,
        out: &mut Outbox,
    ) {
        match range.kvs.first() {
            Some(before) => {
                if *ask == EtcdAsk::Rival {
                    self.says_it_waits(self.program.key_revision, out);
                }
                self.watch(before, revision, now, out);
            }
            None if self.recipe() == EtcdRecipe::Election => {
                self.granted(self.program.key_revision, now, out);
            }
            None => self.ask_etcd(EtcdAsk::OwnKey, now, out),
        }
    }

    fn first_try(&mut self, now: Mono, out: &mut Outbox) {
        let ask = match self.recipe() {
            EtcdRecipe::Queue | EtcdRecipe::Election => EtcdAsk::Queue,
            EtcdRecipe::CreateIfAbsent => EtcdAsk::Create,
            EtcdRecipe::GetThenPut => EtcdAsk::Get,
        };
        self.ask_etcd(ask, now, out);
    }

    /// The own key is in the queue. After a try that went unanswered it may have
    /// been there already: its create revision is what counts.
    fn queued(
        &mut self,
        succeeded: bool,
        responses: &[TxnReply],
        revision: Revision,
        now: Mono,
        out: &mut Outbox,
    ) {
        let own = if succeeded { None } else { first_key(&responses[0]) };
        let own_revision = own.map_or(revision, |own| own.create_revision);
        if self.recipe() == EtcdRecipe::Election {
            self.program.key_revision = own_revision;
            return self.ask_etcd(EtcdAsk::Rival, now, out);
        }
        let oldest = first_key(&responses[1]).expect("the own key is under the prefix");
        if oldest.create_revision == own_revision {
            return self.granted(own_revision, now, out);
        }
        self.program.key_revision = own_revision;
        self.says_it_waits(own_revision, out);
        self.ask_etcd(EtcdAsk::Newest, now, out);
    }

    fn created(
        &mut self,
        succeeded: bool,
        responses: &[TxnReply],
        revision: Revision,
        now: Mono,
        out: &mut Outbox,
    ) {
        if succeeded {
            return self.granted(revision, now, out);
        }
        let there = first_key(&responses[0]).expect("a key that is not absent is there");
        // An earlier try that went unanswered was applied.
        if there.lease == self.lease() {
            return self.granted(there.create_revision, now, out);
        }
        self.says_it_waits(0, out);
        self.watch(there, revision, now, out);
    }

    /// A single key was read: wait for its end, or take it.
    fn looked(
        &mut self,
        range: &RangeReply,
        says: Says,
        revision: Revision,
        now: Mono,
        out: &mut Outbox,
    ) {
        let Some(there) = range.kvs.first() else {
            let ask = match self.recipe() {
                EtcdRecipe::GetThenPut => EtcdAsk::Put,
                EtcdRecipe::CreateIfAbsent => EtcdAsk::Create,
                EtcdRecipe::Queue | EtcdRecipe::Election => {
                    unreachable!("in a queue one looks at the key before")
                }
            };
            return self.ask_etcd(ask, now, out);
        };
        if let Says::ThatItWaits = says {
            self.says_it_waits(0, out);
        }
        self.watch(there, revision, now, out);
    }

    fn says_it_waits(&self, create_revision: Revision, out: &mut Outbox) {
        out.note(WorkerNote::Waits { create_revision }).sets(Fact::Call);
    }

    /// Waits for the end of a key that was there at `revision`.
    fn watch(&mut self, there: &KeyValue, revision: Revision, now: Mono, out: &mut Outbox) {
        let key = there.key.clone();
        self.ask_etcd(EtcdAsk::Watch { key, from: revision + 1 }, now, out);
    }

    fn watch_created(&mut self, now: Mono, out: &mut Outbox) {
        let watch = self.asked_watch().expect("the watch was asked for");
        self.program.doing = Doing::Waits(watch);
        set_timer(out, WorkerTimer::LookAgain, now + NOTHING_HEARD);
        self.main_thread_moves(now, out);
    }

    fn asked_watch(&self) -> Option<Watch> {
        let Doing::Calls(call) = &self.program.doing else { return None };
        let Ask::Etcd(EtcdAsk::Watch { key, .. }) = &call.ask else { return None };
        Some(Watch { number: call.id, member: call.to, key: key.clone() })
    }

    /// A watch tells of changes; they can overtake the answer that it was created.
    pub(super) fn watch_tells(&mut self, told: &WatchEvents, now: Mono, out: &mut Outbox) {
        let number = RequestId(told.watch);
        let Some(watch) = self.watched(number) else { return };
        let gone = |event: &WatchEvent| matches!(event, WatchEvent::Delete { key, .. } if *key == watch.key);
        if !told.events.iter().any(gone) {
            return;
        }
        self.answered(number, out);
        self.program.doing = Doing::Waits(watch);
        self.stop_watching(out);
        let ask = match self.recipe() {
            EtcdRecipe::Queue | EtcdRecipe::Election => EtcdAsk::Newest,
            EtcdRecipe::CreateIfAbsent => EtcdAsk::Create,
            EtcdRecipe::GetThenPut => EtcdAsk::Get,
        };
        self.ask_etcd(ask, now, out);
    }

    /// etcd does not keep any more what the watch would have to be told.
    pub(super) fn watch_ended(&mut self, number: RequestId, now: Mono, out: &mut Outbox) {
        if self.watched(number).is_some() {
            self.answered(number, out);
            self.read_again(now, out);
        }
    }

    /// The watch of this number, created already or only asked for.
    fn watched(&self, number: RequestId) -> Option<Watch> {
        let watch = match &self.program.doing {
            Doing::Waits(watch) => Some(watch.clone()),
            _ => self.asked_watch(),
        };
        watch.filter(|watch| watch.number == number)
    }

    /// Ends the watch; the caller gives the main thread its next thing to do.
    pub(super) fn stop_watching(&mut self, out: &mut Outbox) {
        let Doing::Waits(watch) = &self.program.doing else {
            unreachable!("only a waiter watches");
        };
        let (watch, member) = (watch.number.0, watch.member);
        let id = self.next_id();
        cancel_timer(out, WorkerTimer::LookAgain);
        out.send(member, Message::Etcd(Request { id, op: Op::WatchCancel { watch } }));
    }

    /// Ends the watch and reads again what it waits for.
    pub(super) fn look_again(&mut self, now: Mono, out: &mut Outbox) {
        self.stop_watching(out);
        self.read_again(now, out);
    }

    /// Reads again what it waits for: the watch is gone.
    pub(super) fn read_again(&mut self, now: Mono, out: &mut Outbox) {
        cancel_timer(out, WorkerTimer::LookAgain);
        let ask = match self.recipe() {
            EtcdRecipe::Queue | EtcdRecipe::Election => EtcdAsk::Newest,
            EtcdRecipe::CreateIfAbsent | EtcdRecipe::GetThenPut => EtcdAsk::Look,
        };
        self.ask_etcd(ask, now, out);
    }
}

fn first_key(reply: &TxnReply) -> Option<&KeyValue> {
    match reply {
        TxnReply::Range(range) => range.kvs.first(),
        TxnReply::Put(_) | TxnReply::Deleted { .. } => None,
    }
}
