//! What the log makes: sessions and keys, which survive the process. Nobody's clock is
//! looked at here.

use super::api::{
    Behavior, ConsulError, Entry, Index, Kv, NewSession, SessionId, Text, TxnOp, Verb,
};
use crate::sim::process::NodeId;
use litemap::LiteMap;
use serde::Serialize;

/// A session as it is in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Session {
    pub made: NewSession,
    /// Who asked for it. Nothing but notes goes by it.
    pub client: NodeId,
}

/// All that the log has made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct State {
    /// The place of the last change in the log.
    pub index: Index,
    /// The place of the last change of a key, a deletion too.
    pub kv_index: Index,
    pub keys: LiteMap<Text, Entry>,
    pub sessions: LiteMap<SessionId, Session>,
}

impl State {
    pub(super) fn new() -> State {
        State { index: 0, kv_index: 0, keys: LiteMap::new(), sessions: LiteMap::new() }
    }

    /// What `X-Consul-Index` says with a key: for one that is absent, the last change of any.
    pub(super) fn index_of(&self, key: &Text) -> Index {
        self.keys.get(key).map_or(self.kv_index, |entry| entry.modify_index)
    }

    /// The change that comes next takes a place in the log, whatever comes of it.
    pub(super) fn next_entry(&mut self) -> Index {
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

    /// Ends a session, and its hold on keys; which keys it held, with its settings. Nothing if
    /// there is none.
    pub(super) fn end_session(&mut self, session: SessionId) -> Option<(Session, Vec<Text>)> {
        let ended = self.sessions.remove(&session)?;
        let held = self.keys.values().filter(|entry| entry.session == Some(session));
        let held: Vec<Entry> = held.cloned().collect();
        for entry in &held {
            match ended.made.behavior {
                Behavior::Release => self.set(&entry.key, &entry.value, None, entry.lock_index),
                Behavior::Delete => self.delete(&entry.key),
            }
        }
        Some((ended, held.into_iter().map(|entry| entry.key).collect()))
    }
}
