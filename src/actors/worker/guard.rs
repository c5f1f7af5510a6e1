//! The data that a lock guards, kept in etcd beside the lock: what a client makes of
//! transactions when it writes.
//!
//! ```text
//!   read    get data
//!   claim   txn: if the own key is the own one: put in it what it is at, get data
//!   write   txn: if the own key is the own one: put data          (the guard)
//!           get own key ─► it is the own one ─► put data          (reads first: wrong)
//! ```
//!
//! The transaction looks at the lock itself, in the step that stores: a client whose key is
//! gone is refused also before anybody else has written. `concurrency.Mutex.IsOwner` and
//! `Election.Proclaim` are made of the same comparison (`client/v3/concurrency`).

use super::calls::{Ask, EtcdAsk, StoreAsk};
use super::objects::{MARK, report_in};
use super::program::Grant;
use super::{Outbox, Worker};
use crate::actors::etcd::api::{
    Body, Compare, CompareOp, DATA, DataOp, KeyValue, LeaseId, Op, Put, Range, Reads, Target, Txn,
    TxnOp, TxnReply,
};
use crate::actors::fact::Fact;
use crate::actors::note::{BeliefEnd, CheckOutcome, StopReason, WorkerNote};
use crate::actors::objects::api::Means;
use crate::actors::store::api::Refusal;
use crate::sim::in_full::InFull;
use crate::sim::time::Mono;
use serde::Serialize;

/// What a client asks of etcd when it writes the data that its lock guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Guard {
    /// One transaction: put if the own key's create revision is the one of the acquisition.
    /// Wrong where the key may have been put over another's, which keeps its create revision
    /// ([`super::config::Recipe::GetThenPut`]).
    CreateRevision,
    /// Wrong: the same with its mod revision, which every put of the own key changes.
    ModRevision,
    /// Wrong where the key's name is shared: put if there is such a key, whoever's it is.
    KeyExists,
    /// Wrong: reads the own key in one call, and puts in another.
    ReadFirst,
    /// Wrong: the same, and the read is answered by one member alone (`serializable`).
    ReadFirstSerializable,
    /// A mere put.
    None,
}

impl Guard {
    /// Whether it looks at its key in a call of its own.
    fn reads_first(self) -> bool {
        matches!(self, Guard::ReadFirst | Guard::ReadFirstSerializable)
    }

    /// Whether the write carries the revision of the acquisition.
    pub fn carries_revision(self) -> bool {
        matches!(self, Guard::CreateRevision | Guard::ModRevision)
    }
}

/// What is asked of etcd where another client asks a store.
pub(super) fn data_ask(store: StoreAsk, guard: Guard) -> EtcdAsk {
    match store {
        StoreAsk::Claim => EtcdAsk::Proclaim,
        StoreAsk::Read => EtcdAsk::ReadData,
        StoreAsk::Write | StoreAsk::Complete if guard.reads_first() => EtcdAsk::OwnBefore,
        StoreAsk::Write | StoreAsk::Complete => EtcdAsk::WriteData,
        StoreAsk::Begin | StoreAsk::Number | StoreAsk::Book => {
            unreachable!("etcd has no {}", InFull(&store))
        }
    }
}

impl EtcdAsk {
    /// Whether it is about the data that the lock guards.
    pub(super) fn is_about_data(&self) -> bool {
        use EtcdAsk::{OwnBefore, Proclaim, ReadData, WriteData};
        matches!(self, ReadData | Proclaim | OwnBefore | WriteData)
    }
}

impl Worker {
    fn guard(&self) -> Guard {
        self.config.guard.expect("only a client with its data in etcd asks for it")
    }

    /// The content of a request about the data.
    pub(super) fn data_op(&self, ask: &EtcdAsk) -> Op {
        let Grant { token, owner } = self.program.credentials();
        match ask {
            EtcdAsk::ReadData => Op::Range(Range::key(DATA)),
            EtcdAsk::OwnBefore => {
                let reads = match self.guard() {
                    Guard::ReadFirstSerializable => Reads::Serializable,
                    _ => Reads::Linearizable,
                };
                Op::Range(Range { reads, ..Range::key(self.key_of(owner)) })
            }
            EtcdAsk::Proclaim => {
                let own = Put::new(self.key_of(owner), self.job(), owner);
                let op = Op::Txn(Txn {
                    compare: vec![self.own_key_if(self.came_at(), CompareOp::Equal)],
                    success: vec![TxnOp::Put(own), TxnOp::Range(Range::key(DATA))],
                    failure: Vec::new(),
                });
                Op::Data(Box::new(DataOp { op, means: Means::Claim { token, owner } }))
            }
            EtcdAsk::WriteData => {
                let write = self.write();
                let value = format!("{}{MARK}{}", write.job, self.put_by(write.sequence));
                let put = Put::new(DATA, value, LeaseId::NONE);
                let op = match self.guarded_by() {
                    None => Op::Put(put),
                    Some(compare) => Op::Txn(Txn {
                        compare: vec![compare],
                        success: vec![TxnOp::Put(put)],
                        failure: Vec::new(),
                    }),
                };
                Op::Data(Box::new(DataOp { op, means: Means::Report(write) }))
            }
            ask => unreachable!("the content of {} is its recipe's", InFull(&ask)),
        }
    }

    fn came_at(&self) -> Target {
        Target::CreateRevision(self.program.key_revision)
    }

    fn own_key_if(&self, target: Target, op: CompareOp) -> Compare {
        let Grant { owner, .. } = self.program.credentials();
        Compare { key: self.key_of(owner), target, op }
    }

    /// What has to hold in the step that stores the report.
    fn guarded_by(&self) -> Option<Compare> {
        let (target, op) = match self.guard() {
            Guard::CreateRevision => (self.came_at(), CompareOp::Equal),
            Guard::ModRevision => {
                (Target::ModRevision(self.program.key_revision), CompareOp::Equal)
            }
            Guard::KeyExists => (Target::Version(0), CompareOp::Greater),
            Guard::ReadFirst | Guard::ReadFirstSerializable | Guard::None => return None,
        };
        Some(self.own_key_if(target, op))
    }

    /// etcd answered a call about the data.
    pub(super) fn data_answered(&mut self, ask: &EtcdAsk, body: Body, now: Mono, out: &mut Outbox) {
        if !body.was_carried_out() {
            return self.refused(Refusal::Compare, now, out);
        }
        match (ask, body) {
            (EtcdAsk::ReadData, Body::Range(range)) => self.has_read(range.kvs.first(), now, out),
            (EtcdAsk::OwnBefore, Body::Range(range)) => {
                self.has_looked(range.kvs.first(), now, out)
            }
            (EtcdAsk::Proclaim, Body::Txn { responses, .. }) => {
                let there = match responses.last() {
                    Some(TxnReply::Range(range)) => range.kvs.first(),
                    _ => None,
                };
                self.has_read(there, now, out);
            }
            // What version it made etcd does not say; an owner knows its own writes.
            (EtcdAsk::WriteData, Body::Put(_) | Body::Txn { .. }) => {
                self.acknowledged(self.program.read_version, now, out);
            }
            (ask, body) => {
                unreachable!("etcd does not answer {} with {}", InFull(&ask), InFull(&body))
            }
        }
    }

    fn has_read(&mut self, there: Option<&KeyValue>, now: Mono, out: &mut Outbox) {
        self.program.read_version = there.map_or(0, |kv| kv.version as u32);
        let job = self.job();
        self.data_read(there.is_some_and(|kv| report_in(&kv.value) == &*job), now, out);
    }

    /// What it saw may be over by the time its put arrives.
    fn has_looked(&mut self, there: Option<&KeyValue>, now: Mono, out: &mut Outbox) {
        let is_own = |kv: &KeyValue| kv.create_revision == self.program.key_revision;
        let outcome = match there.is_some_and(is_own) {
            true => CheckOutcome::KeyIsOwn,
            false => CheckOutcome::KeyIsNotOwn,
        };
        out.note(WorkerNote::Checked { outcome }).because(Fact::Call).sets(Fact::Call);
        match outcome.allows() {
            true => self.call(Ask::Etcd(EtcdAsk::WriteData), now, out),
            false => self.stop(BeliefEnd::CheckFailed, StopReason::CheckFailed, now, out),
        }
    }
}
