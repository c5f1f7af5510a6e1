//! Keys with values and times to end, and one command's view of them.
//!
//! Time is that of the machine's wall clock and stands still for the length of a command.
//! A key is dead when now is after its time. Redis reads its clock in whole milliseconds;
//! here the rest of a millisecond counts too, or a run would depend on its date.

use super::api::{RedisError, Text};
use crate::sim::process::NodeId;
use crate::sim::time::Wall;
use litemap::LiteMap;
use serde::Serialize;

/// A key's value and when it ends.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The value.
    pub value: Text,
    /// The last instant of its life; none lives on.
    pub expires: Option<Wall>,
    /// Who set its end last, or the value: told as a cause, and part of no state.
    #[serde(skip)]
    pub by: NodeId,
}

impl Entry {
    /// Whether it is dead.
    pub fn is_dead(&self, now: Wall) -> bool {
        self.expires.is_some_and(|expires| now > expires)
    }

    /// The instant at which it is dead first.
    pub fn dies(&self) -> Option<Wall> {
        self.expires.map(|expires| Wall(expires.0.saturating_add(1)))
    }
}

/// So many milliseconds after an instant.
pub fn after(base: Wall, ms: i64) -> Wall {
    Wall(base.0.saturating_add(ms.saturating_mul(1_000)))
}

/// All keys.
pub type Keys = LiteMap<Text, Entry>;

/// What a command made of a key: its entry now, or none. A replica is told the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The key.
    pub key: Text,
    /// What it has now.
    pub entry: Option<Entry>,
}

/// Whether a node takes writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It does.
    ReadWrite,
    /// It is a replica.
    ReadOnly,
}

/// One command's view of the keys.
pub struct Db<'a> {
    keys: &'a mut Keys,
    /// When the command began.
    pub now: Wall,
    /// Whether it may write.
    pub access: Access,
    by: NodeId,
    changes: Vec<Change>,
}

impl<'a> Db<'a> {
    /// A view for a command of this client.
    pub fn new(keys: &'a mut Keys, now: Wall, access: Access, by: NodeId) -> Db<'a> {
        Db { keys, now, access, by, changes: Vec::new() }
    }

    /// A living key. One that is dead is hidden; a replica keeps it until it is told, and
    /// everybody else has deleted it before the command.
    pub fn get(&self, key: &str) -> Option<Entry> {
        self.keys.get(key).filter(|entry| !entry.is_dead(self.now)).cloned()
    }

    /// Sets value and end of a key.
    pub fn put(&mut self, key: &Text, value: Text, expires: Option<Wall>) {
        let entry = Entry { value, expires, by: self.by };
        self.keys.insert(key.clone(), entry.clone());
        self.changes.push(Change { key: key.clone(), entry: Some(entry) });
    }

    /// Deletes a key that is there.
    pub fn delete(&mut self, key: &Text) {
        self.keys.remove(key);
        self.changes.push(Change { key: key.clone(), entry: None });
    }

    /// Deletes all that is dead.
    pub fn delete_dead(&mut self) {
        let dead = self.keys.iter().filter(|(_, entry)| entry.is_dead(self.now));
        let dead: Vec<Text> = dead.map(|(key, _)| key.clone()).collect();
        for key in dead {
            self.delete(&key);
        }
    }

    /// Deletes everything.
    pub fn clear(&mut self) {
        let all: Vec<Text> = self.keys.keys().cloned().collect();
        for key in all {
            self.delete(&key);
        }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether writes are refused.
    ///
    /// # Errors
    /// When they are.
    pub fn check_writes(&self) -> Result<(), RedisError> {
        match self.access {
            Access::ReadWrite => Ok(()),
            Access::ReadOnly => Err(RedisError::ReadOnly),
        }
    }

    /// What was changed, in order.
    pub fn into_changes(self) -> Vec<Change> {
        self.changes
    }
}

/// Makes of another node's keys what a change says.
pub fn apply(keys: &mut Keys, changes: &[Change]) {
    for Change { key, entry } in changes {
        match entry {
            Some(entry) => drop(keys.insert(key.clone(), entry.clone())),
            None => drop(keys.remove(key)),
        }
    }
}
