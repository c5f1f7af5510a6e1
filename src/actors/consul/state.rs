//! What the log makes: sessions and keys, which survive the process. Nobody's clock is
//! looked at here.

use super::api::{
    Behavior, ConsulError, Entry, Index, Kv, NewSession, SessionId, Text, TxnOp, Verb,
};
use crate::actors::etcd::Origin;
use crate::actors::note::LeaseEnd;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use litemap::LiteMap;
use serde::Serialize;

/// A session as it is in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Session {
    pub made: NewSession,
    /// Who asked for it. Nothing but notes goes by it.
    pub client: NodeId,
}

/// All that the log has made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// The place of the last change in the log.
    pub index: Index,
    /// The place of the last change of a key, a deletion too.
    pub kv_index: Index,
    pub keys: LiteMap<Text, Entry>,
    pub sessions: LiteMap<SessionId, Session>,
    /// The lock whose changes of hands are told. Follows from the settings.
    #[serde(skip)]
    pub told: Option<Text>,
}

/// A change in the log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Change {
    /// A session begins.
    Create(SessionId, NewSession),
    /// A session ends.
    End(SessionId, LeaseEnd),
    /// A change of a key.
    Kv(Kv),
    /// Several changes, all or none.
    Txn(Vec<TxnOp>),
}

/// What a change has come to.
#[derive(Clone, Debug, PartialEq)]
pub enum Made {
    /// A session began.
    Created(SessionId, NewSession),
    /// A session ended, with its lock-delay and the keys that it held, if there was one.
    Ended(SessionId, LeaseEnd, Option<(Span, Vec<Text>)>),
    /// A key was changed, or not.
    Kv(Result<bool, ConsulError>),
    /// All of it was done, or nothing.
    Txn(Result<Vec<Entry>, ConsulError>),
}

/// What became of an entry of the log that was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The entry's place among all of the servers' log.
    pub entry: u64,
    /// Its index.
    pub index: Index,
    /// Who asked for it.
    pub by: NodeId,
    /// Who held the told lock before.
    pub before: Option<SessionId>,
    /// Who holds it after.
    pub after: Option<SessionId>,
    /// When the told lock's key was last changed.
    pub token: Index,
    /// What was done.
    pub made: Made,
    /// Who is to be answered.
    pub answers: Option<Origin>,
}

impl State {
    pub(super) fn new(told: Option<Text>) -> State {
        State { index: 0, kv_index: 0, keys: LiteMap::new(), sessions: LiteMap::new(), told }
    }

    /// Applies an entry of the log.
    pub(in crate::actors) fn make(&mut self, entry: u64, change: &Change, by: NodeId) -> Outcome {
        let before = self.told_holder();
        let index = self.next_entry();
        let made = match change {
            Change::Create(session, made) => {
                self.sessions.insert(*session, Session { made: *made, client: by });
                Made::Created(*session, *made)
            }
            Change::End(session, why) => Made::Ended(*session, *why, self.end_session(*session)),
            Change::Kv(kv) => Made::Kv(self.apply(kv)),
            Change::Txn(ops) => Made::Txn(self.apply_all(ops)),
        };
        let token = self.told.as_ref().map_or(0, |lock| self.index_of(lock));
        let after = self.told_holder();
        Outcome { entry, index, by, before, after, token, made, answers: None }
    }

    /// Who holds the told lock.
    pub(super) fn told_holder(&self) -> Option<SessionId> {
        self.keys.get(self.told.as_ref()?)?.session
    }

    /// What `X-Consul-Index` says with a key: for one that is absent, the last change of any.
    pub(super) fn index_of(&self, key: &Text) -> Index {
        self.keys.get(key).map_or(self.kv_index, |entry| entry.modify_index)
    }

    /// The change that comes next takes a place in the log, whatever comes of it.
    pub(in crate::actors) fn next_entry(&mut self) -> Index {
        self.index += 1;
        self.index
    }

    /// Carries out a change; whether it was made.
    pub(super) fn apply(&mut self, kv: &Kv) -> Result<bool, ConsulError> {
        let (key, existing) = (&kv.key, self.keys.get(&kv.key).cloned());
        let holder = existing.as_ref().and_then(|entry| entry.session);
        let last = existing.as_ref().map_or(0, |entry| entry.modify_index);
        let lock_index = existing.as_ref().map_or(0, |entry| entry.lock_index);
        match &kv.verb {
            // A put without `acquire` keeps the session, and stores LockIndex 0.
            Verb::Set(value) => self.set(key, value, holder, 0),
            Verb::Cas(_, index) if *index != last => return Ok(false),
            Verb::Cas(value, _) => self.set(key, value, holder, 0),
            Verb::Acquire(_, session) if !self.sessions.contains_key(session) => {
                return Err(ConsulError::InvalidSession);
            }
            Verb::Acquire(value, session) => match holder {
                Some(holder) if holder == *session => {
                    self.set(key, value, Some(*session), lock_index);
                }
                Some(_) => return Ok(false),
                None => self.set(key, value, Some(*session), lock_index + 1),
            },
            Verb::Release(_, session) if holder != Some(*session) => return Ok(false),
            Verb::Release(value, _) => self.set(key, value, None, lock_index),
            Verb::DeleteCas(index) if *index != last => return Ok(false),
            Verb::Delete | Verb::DeleteCas(_) => self.delete(key),
        }
        Ok(true)
    }

    /// Stores an entry. One that is the same but for its index stays as it is.
    fn set(&mut self, key: &Text, value: &Text, session: Option<SessionId>, lock_index: u64) {
        let existing = self.keys.get(key);
        let create_index = existing.map_or(self.index, |entry| entry.create_index);
        let modify_index = existing.map_or(self.index, |entry| entry.modify_index);
        let (key, value) = (key.clone(), value.clone());
        let mut entry = Entry { key, value, session, lock_index, create_index, modify_index };
        if existing != Some(&entry) {
            entry.modify_index = self.index;
            self.kv_index = self.index;
        }
        self.keys.insert(entry.key.clone(), entry);
    }

    fn delete(&mut self, key: &Text) {
        if self.keys.remove(key).is_some() {
            self.kv_index = self.index;
        }
    }

    /// Carries out a transaction on a copy, which takes the place of this state only when
    /// all of it went through.
    pub(super) fn apply_all(&mut self, ops: &[TxnOp]) -> Result<Vec<Entry>, ConsulError> {
        let mut next = self.clone();
        let mut entries = Vec::new();
        for (place, op) in ops.iter().enumerate() {
            let holds = match op {
                TxnOp::Kv(kv) => next.apply(kv).unwrap_or(false),
                TxnOp::CheckIndex(key, index) => {
                    next.keys.get(key).is_some_and(|entry| entry.modify_index == *index)
                }
                TxnOp::CheckSession(key, session) => {
                    next.keys.get(key).is_some_and(|entry| entry.session == Some(*session))
                }
            };
            if !holds {
                return Err(ConsulError::TxnFailed(u8::try_from(place).unwrap_or(u8::MAX)));
            }
            let key = match op {
                TxnOp::Kv(kv) => &kv.key,
                TxnOp::CheckIndex(key, _) | TxnOp::CheckSession(key, _) => key,
            };
            entries.extend(next.keys.get(key).cloned());
        }
        *self = next;
        Ok(entries)
    }

    /// Ends a session, and its hold on keys; which keys it held, and its lock-delay. Nothing if
    /// there is none.
    pub(super) fn end_session(&mut self, session: SessionId) -> Option<(Span, Vec<Text>)> {
        let ended = self.sessions.remove(&session)?;
        let held = self.keys.values().filter(|entry| entry.session == Some(session));
        let held: Vec<Entry> = held.cloned().collect();
        for entry in &held {
            match ended.made.behavior {
                Behavior::Release => self.set(&entry.key, &entry.value, None, entry.lock_index),
                Behavior::Delete => self.delete(&entry.key),
            }
        }
        Some((ended.made.lock_delay, held.into_iter().map(|entry| entry.key).collect()))
    }
}
