//! The stand-ins.

use crate::actors::Message;
use crate::actors::etcd::api::{
    Body, Compare, CompareOp, EtcdError, KeyRange, KeyValue, LeaseId, Op, Order, Put, Range,
    RangeReply, Reply, Request, Response, Revision, Target, Text, TxnOp, TxnReply, WatchEvent,
    WatchEvents,
};
use crate::actors::store::api::{
    JobKey, Refusal, StoreOp, StoreReply, StoreRequest, StoreResponse, Token, Version,
};

/// One store of keys behind all members.
pub struct Etcd {
    pub revision: Revision,
    pub keys: Vec<KeyValue>,
    pub leases: Vec<LeaseId>,
    watches: Vec<(u32, Text)>,
    next_lease: u64,
}

impl Etcd {
    pub fn new() -> Etcd {
        Etcd {
            revision: 1,
            keys: Vec::new(),
            leases: Vec::new(),
            watches: Vec::new(),
            next_lease: 0xa0,
        }
    }

    /// How many watches are open.
    pub fn watches(&self) -> usize {
        self.watches.len()
    }

    pub fn put(&mut self, key: &str, lease: u64) {
        self.revision += 1;
        let revision = self.revision;
        let old = self.keys.iter().find(|kv| &*kv.key == key);
        let kv = KeyValue {
            key: key.into(),
            value: "".into(),
            create_revision: old.map_or(revision, |old| old.create_revision),
            mod_revision: revision,
            version: 1,
            lease: LeaseId(lease),
        };
        self.keys.retain(|kv| &*kv.key != key);
        self.keys.push(kv);
    }

    /// Deletes a key and tells the watchers of it.
    pub fn delete(&mut self, key: &str) -> Vec<Message> {
        if !self.keys.iter().any(|kv| &*kv.key == key) {
            return Vec::new();
        }
        self.revision += 1;
        self.keys.retain(|kv| &*kv.key != key);
        let (revision, mod_revision) = (self.revision, self.revision);
        let told = self.watches.iter().filter(|(_, watched)| &**watched == key);
        told.map(|(watch, watched)| {
            let events = vec![WatchEvent::Delete { key: watched.clone(), mod_revision }];
            Message::EtcdWatch(WatchEvents {
                watch: *watch,
                revision,
                events,
                prev_kvs: Vec::new(),
            })
        })
        .collect()
    }

    pub fn answer(&mut self, request: &Request) -> Vec<Message> {
        let result = match &request.op {
            Op::WatchCancel { watch } => {
                self.watches.retain(|(number, _)| number != watch);
                return Vec::new();
            }
            op => self.carry_out(op),
        };
        let result = result.map(|body| Reply { revision: self.revision, body });
        vec![Message::EtcdAnswer(Response { id: request.id, result })]
    }

    fn carry_out(&mut self, op: &Op) -> Result<Body, EtcdError> {
        Ok(match op {
            Op::LeaseGrant { ttl_s, .. } => {
                self.next_lease += 1;
                let lease = LeaseId(self.next_lease);
                self.leases.push(lease);
                Body::Lease { lease, ttl_s: (*ttl_s).max(2) }
            }
            Op::LeaseKeepAlive { lease } => {
                let ttl_s = if self.leases.contains(lease) { 30 } else { 0 };
                Body::Lease { lease: *lease, ttl_s }
            }
            Op::LeaseRevoke { lease } => {
                self.check_lease(*lease)?;
                self.leases.retain(|l| l != lease);
                if self.keys.iter().any(|kv| kv.lease == *lease) {
                    self.revision += 1;
                    self.keys.retain(|kv| kv.lease != *lease);
                }
                Body::Revoked
            }
            Op::Put(put) => {
                self.put_by_worker(put)?;
                Body::Put(None)
            }
            Op::Range(range) => Body::Range(self.range(range)),
            Op::Delete(delete) => {
                let KeyRange::Key(key) = &delete.keys else { panic!("one key at a time") };
                self.delete(key);
                Body::Deleted { deleted: 1, prev_kvs: Vec::new() }
            }
            Op::Txn(txn) => {
                let succeeded = txn.compare.iter().all(|compare| self.holds(compare));
                let ops = if succeeded { &txn.success } else { &txn.failure };
                let responses: Result<_, _> = ops.iter().map(|op| self.txn_op(op)).collect();
                Body::Txn { succeeded, responses: responses? }
            }
            Op::WatchCreate(create) => {
                let KeyRange::Key(key) = &create.keys else { panic!("one key at a time") };
                self.watches.push((create.watch, key.clone()));
                Body::WatchCreated { watch: create.watch }
            }
            Op::LeaseTimeToLive { .. }
            | Op::WatchCancel { .. }
            | Op::LeaseLeases
            | Op::Compact { .. }
            | Op::Service(_)
            | Op::Data(_) => panic!("not asked: {op:?}"),
        })
    }

    fn txn_op(&mut self, op: &TxnOp) -> Result<TxnReply, EtcdError> {
        Ok(match op {
            TxnOp::Put(put) => {
                self.put_by_worker(put)?;
                TxnReply::Put(None)
            }
            TxnOp::Range(range) => TxnReply::Range(self.range(range)),
            TxnOp::Delete(delete) => {
                let KeyRange::Key(key) = &delete.keys else { panic!("one key at a time") };
                self.delete(key);
                TxnReply::Deleted { deleted: 1, prev_kvs: Vec::new() }
            }
        })
    }

    fn put_by_worker(&mut self, put: &Put) -> Result<(), EtcdError> {
        self.check_lease(put.lease)?;
        self.put(&put.key, put.lease.0);
        Ok(())
    }

    fn check_lease(&self, lease: LeaseId) -> Result<(), EtcdError> {
        self.leases.contains(&lease).then_some(()).ok_or(EtcdError::LeaseNotFound)
    }

    fn holds(&self, compare: &Compare) -> bool {
        let (Target::CreateRevision(wanted), CompareOp::Equal) = (&compare.target, compare.op)
        else {
            panic!("not asked: {compare:?}")
        };
        let found = self.keys.iter().find(|kv| kv.key == compare.key);
        found.map_or(0, |kv| kv.create_revision) == *wanted
    }

    fn range(&self, range: &Range) -> RangeReply {
        let max = range.max_create_revision;
        let mut kvs: Vec<KeyValue> = self
            .keys
            .iter()
            .filter(|kv| match &range.keys {
                KeyRange::Key(key) => kv.key == *key,
                KeyRange::Prefix(prefix) => kv.key.starts_with(&**prefix),
            })
            .filter(|kv| max == 0 || kv.create_revision <= max)
            .cloned()
            .collect();
        kvs.sort_by_key(|kv| match range.order {
            Order::OldestFirst | Order::Key => kv.create_revision,
            Order::NewestFirst => -kv.create_revision,
        });
        let count = kvs.len() as u32;
        if range.limit > 0 {
            kvs.truncate(range.limit as usize);
        }
        RangeReply { kvs, count }
    }
}

/// A store that accepts, or refuses a kind of call.
#[derive(Default)]
pub struct Store {
    pub version: Version,
    pub jobs_done: Vec<JobKey>,
    pub next_number: Token,
    pub refuses: Option<(&'static str, Refusal)>,
}

impl Store {
    pub fn answer(&mut self, request: &StoreRequest) -> Message {
        let refused = self.refuses.filter(|(kind, _)| *kind == request.op.kind());
        let result = match (&request.op, refused) {
            (_, Some((_, refusal))) => Err(refusal),
            (StoreOp::Claim { .. } | StoreOp::Read, None) => {
                Ok(StoreReply::Data { version: self.version, jobs_done: self.jobs_done.clone() })
            }
            (StoreOp::Put(_) | StoreOp::Complete(_), None) => {
                self.version += 1;
                Ok(StoreReply::Accepted { version: self.version })
            }
            (StoreOp::Begin(_), None) => Ok(StoreReply::Begun),
            (StoreOp::NextNumber, None) => {
                self.next_number += 1;
                Ok(StoreReply::Number(self.next_number))
            }
            (op, None) => unreachable!("no worker here asks for a {}", op.kind()),
        };
        Message::StoreAnswer(StoreResponse { id: request.id, result })
    }
}
