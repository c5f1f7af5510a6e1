//! The keys: one counter of revisions, the living keys, and the last changes for
//! watches that begin in the past.

use super::api::{
    Compare, CompareOp, Delete, EtcdError, IgnoreLease, KeyRange, KeyValue, LeaseId, Order, Prev,
    Put, Range, RangeReply, Revision, Target, Text, TxnOp, TxnReply, WatchEvent,
};
use crate::sim::order;
use serde::Serialize;
use std::borrow::Cow;
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
    history: VecDeque<Change>,
    /// The oldest revision that can be read, once a client has compacted the history.
    compacted: Revision,
}

/// A change of a key.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// What watches are told.
    pub event: WatchEvent,
    /// What was there before.
    pub prev: Option<KeyValue>,
}

impl KeySpace {
    /// No key, at a revision.
    pub fn new(revision: Revision) -> KeySpace {
        KeySpace { revision, keys: Vec::new(), history: VecDeque::new(), compacted: 0 }
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
        start < self.oldest_kept()
    }

    /// The oldest revision that can be read and watched.
    fn oldest_kept(&self) -> Revision {
        self.compacted.max(self.revision - KEPT_REVISIONS + 1)
    }

    /// Whether the keys can be read as they were at a revision; 0 is now.
    pub fn check_revision(&self, revision: Revision) -> Result<(), EtcdError> {
        match revision {
            0 => Ok(()),
            _ if revision > self.revision => Err(EtcdError::FutureRevision),
            _ if self.is_compacted(revision) => Err(EtcdError::Compacted),
            _ => Ok(()),
        }
    }

    /// Keeps nothing of what was before a revision.
    pub fn compact(&mut self, revision: Revision) -> Result<(), EtcdError> {
        if revision > self.revision {
            return Err(EtcdError::FutureRevision);
        }
        if revision <= self.compacted || self.is_compacted(revision) {
            return Err(EtcdError::Compacted);
        }
        self.compacted = revision;
        self.settle(self.revision);
        Ok(())
    }

    /// The kept changes from revision `start` on, oldest first.
    pub fn changes(&self, start: Revision) -> impl Iterator<Item = &Change> {
        self.history.iter().filter(move |change| change.event.mod_revision() >= start)
    }

    /// Reads. `count` is that of all keys in the range: etcd applies the bound on the
    /// create revision and the limit to the keys it returns only.
    pub fn range(&self, range: &Range) -> RangeReply {
        let keys = match range.revision {
            0 => Cow::Borrowed(&self.keys),
            revision => Cow::Owned(self.keys_at(revision)),
        };
        let all = select(&keys, &range.keys);
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

    /// The keys as they were at a revision that is kept: every change after it undone.
    fn keys_at(&self, revision: Revision) -> Vec<KeyValue> {
        let mut keys = self.keys.clone();
        for Change { event, prev } in self.history.iter().rev() {
            if event.mod_revision() <= revision {
                break;
            }
            match (place(&keys, event.key()), prev) {
                (Ok(place), Some(prev)) => keys[place] = prev.clone(),
                (Ok(place), None) => drop(keys.remove(place)),
                (Err(place), Some(prev)) => keys.insert(place, prev.clone()),
                (Err(_), None) => unreachable!("a change leaves its key or ends it"),
            }
        }
        keys
    }

    /// Puts one key at a new revision; says what was there before, if that is wanted.
    pub fn put(&mut self, put: &Put) -> Option<KeyValue> {
        let at = self.revision + 1;
        let prev = self.put_at(at, put);
        self.settle(at);
        prev
    }

    /// Deletes keys, all at one new revision; says how many, and which if that is wanted.
    pub fn delete(&mut self, delete: &Delete) -> (u32, Vec<KeyValue>) {
        let at = self.revision + 1;
        let deleted = self.delete_asked(at, delete);
        self.settle(at);
        deleted
    }

    /// Deletes the keys of a lease, all at one new revision.
    pub fn delete_leased(&mut self, lease: LeaseId) {
        let at = self.revision + 1;
        self.delete_at(at, |kv| kv.lease == lease);
        self.settle(at);
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
                TxnOp::Put(put) => TxnReply::Put(self.put_at(at, put)),
                TxnOp::Range(range) => TxnReply::Range(self.range(range)),
                TxnOp::Delete(delete) => {
                    let (deleted, prev_kvs) = self.delete_asked(at, delete);
                    TxnReply::Deleted { deleted, prev_kvs }
                }
            })
            .collect();
        self.settle(at);
        replies
    }

    fn place(&self, key: &str) -> Result<usize, usize> {
        place(&self.keys, key)
    }

    fn put_at(&mut self, at: Revision, put: &Put) -> Option<KeyValue> {
        let found = self.place(&put.key);
        let prev = found.ok().map(|place| self.keys[place].clone());
        let (create_revision, version) =
            prev.as_ref().map_or((at, 1), |prev| (prev.create_revision, prev.version + 1));
        let lease = match (put.ignore_lease, &prev) {
            (IgnoreLease::Yes, Some(prev)) => prev.lease,
            _ => put.lease,
        };
        let (key, value) = (put.key.clone(), put.value.clone());
        let kv = KeyValue { key, value, create_revision, mod_revision: at, version, lease };
        let event = WatchEvent::Put(kv.clone());
        self.history.push_back(Change { event, prev: prev.clone() });
        match found {
            Ok(place) => self.keys[place] = kv,
            Err(place) => self.keys.insert(place, kv),
        }
        prev.filter(|_| put.prev == Prev::Wanted)
    }

    fn delete_asked(&mut self, at: Revision, delete: &Delete) -> (u32, Vec<KeyValue>) {
        let deleted = self.delete_at(at, |kv| delete.keys.contains(&kv.key));
        let count = deleted.len() as u32;
        (count, if delete.prev == Prev::Wanted { deleted } else { Vec::new() })
    }

    fn delete_at(&mut self, at: Revision, is_meant: impl Fn(&KeyValue) -> bool) -> Vec<KeyValue> {
        let deleted: Vec<KeyValue> = self.keys.iter().filter(|kv| is_meant(kv)).cloned().collect();
        self.keys.retain(|kv| !is_meant(kv));
        for kv in &deleted {
            let event = WatchEvent::Delete { key: kv.key.clone(), mod_revision: at };
            self.history.push_back(Change { event, prev: Some(kv.clone()) });
        }
        deleted
    }

    /// Takes up the new revision if anything was changed at it.
    fn settle(&mut self, at: Revision) {
        if self.history.back().is_some_and(|change| change.event.mod_revision() == at) {
            self.revision = at;
        }
        let oldest = self.oldest_kept();
        while self.history.front().is_some_and(|change| change.event.mod_revision() < oldest) {
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

fn place(keys: &[KeyValue], key: &str) -> Result<usize, usize> {
    keys.binary_search_by(|kv| (*kv.key).cmp(key))
}

fn select<'a>(keys: &'a [KeyValue], range: &KeyRange) -> &'a [KeyValue] {
    match range {
        KeyRange::Key(key) => match place(keys, key) {
            Ok(place) => &keys[place..=place],
            Err(_) => &[],
        },
        KeyRange::Prefix(prefix) => {
            let from = keys.partition_point(|kv| *kv.key < **prefix);
            let rest = &keys[from..];
            &rest[..rest.partition_point(|kv| kv.key.starts_with(&**prefix))]
        }
    }
}

#[cfg(test)]
#[path = "kv_tests.rs"]
mod tests;
