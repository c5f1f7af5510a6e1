//! The keys: one counter of revisions, the living keys, and the last changes for
//! watches that begin in the past.

use super::api::{
    Compare, CompareOp, KeyRange, KeyValue, LeaseId, Order, Put, Range, RangeReply, Revision,
    Target, Text, TxnOp, TxnReply, WatchEvent,
};
use crate::sim::order;
use serde::Serialize;
use std::cmp::{Ordering, Reverse};
use std::collections::VecDeque;

/// So many revisions back a watch can begin. etcd keeps all of them until it is
/// told to compact; here compaction happens by itself.
pub const KEPT_REVISIONS: Revision = 64;

/// The key space of one cluster at one revision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KeySpace {
    revision: Revision,
    /// Sorted by key.
    keys: Vec<KeyValue>,
    /// The changes of the last revisions, oldest first.
    history: VecDeque<WatchEvent>,
}

impl KeySpace {
    /// No key, at a revision.
    pub fn new(revision: Revision) -> KeySpace {
        KeySpace { revision, keys: Vec::new(), history: VecDeque::new() }
    }

    /// The revision of the last change.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// All keys, sorted.
    pub fn keys(&self) -> &[KeyValue] {
        &self.keys
    }

    /// One key.
    pub fn get(&self, key: &str) -> Option<&KeyValue> {
        self.place(key).ok().map(|place| &self.keys[place])
    }

    /// Keys of a lease, sorted.
    pub fn leased(&self, lease: LeaseId) -> Vec<Text> {
        self.keys.iter().filter(|kv| kv.lease == lease).map(|kv| kv.key.clone()).collect()
    }

    /// Whether changes from `start` on are no longer all kept.
    pub fn is_compacted(&self, start: Revision) -> bool {
        start <= self.revision - KEPT_REVISIONS
    }

    /// The kept changes from revision `start` on, oldest first.
    pub fn changes(&self, start: Revision) -> impl Iterator<Item = &WatchEvent> {
        self.history.iter().filter(move |event| event.mod_revision() >= start)
    }

    /// Reads. `count` is that of all keys in the range: etcd applies the bound on the
    /// create revision and the limit to the keys it returns only.
    pub fn range(&self, range: &Range) -> RangeReply {
        let all = self.select(&range.keys);
        let bound = range.max_create_revision;
        let mut kvs: Vec<KeyValue> =
            all.iter().filter(|kv| bound == 0 || kv.create_revision <= bound).cloned().collect();
        match range.order {
            Order::Key => {}
            Order::OldestFirst => order::by_key(&mut kvs, |kv| kv.create_revision),
            Order::NewestFirst => order::by_key(&mut kvs, |kv| Reverse(kv.create_revision)),
        }
        if range.limit > 0 {
            kvs.truncate(range.limit as usize);
        }
        RangeReply { kvs, count: all.len() as u32 }
    }

    /// Puts one key at a new revision.
    pub fn put(&mut self, put: &Put) {
        let at = self.revision + 1;
        self.put_at(at, put);
        self.settle(at);
    }

    /// Deletes keys, all at one new revision; says how many.
    pub fn delete(&mut self, keys: &KeyRange) -> u32 {
        let at = self.revision + 1;
        let deleted = self.delete_at(at, |kv| keys.contains(&kv.key));
        self.settle(at);
        deleted
    }

    /// Deletes the keys of a lease, all at one new revision; says how many.
    pub fn delete_leased(&mut self, lease: LeaseId) -> u32 {
        let at = self.revision + 1;
        let deleted = self.delete_at(at, |kv| kv.lease == lease);
        self.settle(at);
        deleted
    }

    /// Whether all comparisons of a transaction hold.
    pub fn holds(&self, compare: &[Compare]) -> bool {
        compare.iter().all(|compare| self.compare(compare))
    }

    /// Carries out one branch of a transaction. All its changes get one revision.
    pub fn branch(&mut self, ops: &[TxnOp]) -> Vec<TxnReply> {
        let at = self.revision + 1;
        let replies = ops
            .iter()
            .map(|op| match op {
                TxnOp::Put(put) => {
                    self.put_at(at, put);
                    TxnReply::Put
                }
                TxnOp::Range(range) => TxnReply::Range(self.range(range)),
                TxnOp::Delete(delete) => {
                    TxnReply::Deleted(self.delete_at(at, |kv| delete.keys.contains(&kv.key)))
                }
            })
            .collect();
        self.settle(at);
        replies
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        self.keys.binary_search_by(|kv| (*kv.key).cmp(key))
    }

    fn select(&self, range: &KeyRange) -> &[KeyValue] {
        match range {
            KeyRange::Key(key) => match self.place(key) {
                Ok(place) => &self.keys[place..=place],
                Err(_) => &[],
            },
            KeyRange::Prefix(prefix) => {
                let from = self.keys.partition_point(|kv| *kv.key < **prefix);
                let rest = &self.keys[from..];
                &rest[..rest.partition_point(|kv| kv.key.starts_with(&**prefix))]
            }
        }
    }

    fn put_at(&mut self, at: Revision, put: &Put) {
        let (place, create_revision, version) = match self.place(&put.key) {
            Ok(place) => (place, self.keys[place].create_revision, self.keys[place].version + 1),
            Err(place) => (place, at, 1),
        };
        let kv = KeyValue {
            key: put.key.clone(),
            value: put.value.clone(),
            create_revision,
            mod_revision: at,
            version,
            lease: put.lease,
        };
        self.history.push_back(WatchEvent::Put(kv.clone()));
        match self.keys.get_mut(place).filter(|old| old.key == kv.key) {
            Some(old) => *old = kv,
            None => self.keys.insert(place, kv),
        }
    }

    fn delete_at(&mut self, at: Revision, is_meant: impl Fn(&KeyValue) -> bool) -> u32 {
        let before = self.keys.len();
        let history = &mut self.history;
        self.keys.retain(|kv| {
            if is_meant(kv) {
                history.push_back(WatchEvent::Delete { key: kv.key.clone(), mod_revision: at });
            }
            !is_meant(kv)
        });
        (before - self.keys.len()) as u32
    }

    /// Takes up the new revision if anything was changed at it.
    fn settle(&mut self, at: Revision) {
        if self.history.back().is_some_and(|event| event.mod_revision() == at) {
            self.revision = at;
        }
        let oldest = self.revision - KEPT_REVISIONS;
        while self.history.front().is_some_and(|event| event.mod_revision() <= oldest) {
            self.history.pop_front();
        }
    }

    fn compare(&self, compare: &Compare) -> bool {
        let kv = self.get(&compare.key);
        let number = |of: fn(&KeyValue) -> i64| kv.map_or(0, of);
        let ordering = match &compare.target {
            Target::CreateRevision(given) => number(|kv| kv.create_revision).cmp(given),
            Target::ModRevision(given) => number(|kv| kv.mod_revision).cmp(given),
            Target::Version(given) => number(|kv| kv.version).cmp(given),
            Target::Lease(given) => kv.map_or(LeaseId::NONE, |kv| kv.lease).cmp(given),
            Target::Value(given) => match kv {
                Some(kv) => kv.value.cmp(given),
                None => return false,
            },
        };
        match compare.op {
            CompareOp::Equal => ordering == Ordering::Equal,
            CompareOp::NotEqual => ordering != Ordering::Equal,
            CompareOp::Less => ordering == Ordering::Less,
            CompareOp::Greater => ordering == Ordering::Greater,
        }
    }
}

#[cfg(test)]
#[path = "kv_tests.rs"]
mod tests;
