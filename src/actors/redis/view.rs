//! What can be looked at from outside: by the page, the properties and tests.

use super::api::Script;
use super::config::RedisConfig;
use super::keys::Entry;
use super::replication::Role;
use super::{Keys, Node};
use crate::sim::process::NodeId;

/// A node's part in the replication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It takes writes.
    Primary,
    /// It follows.
    Replica {
        /// Whom.
        of: NodeId,
    },
}

impl Node {
    /// What it was told when it was set up.
    pub fn config(&self) -> &RedisConfig {
        &self.config
    }

    /// Its part.
    pub fn part(&self) -> Part {
        match &self.role {
            Role::Primary(_) => Part::Primary,
            Role::Replica(following) => Part::Replica { of: following.of },
        }
    }

    /// How many changes it has carried out or taken over.
    pub fn offset(&self) -> u64 {
        match &self.role {
            Role::Primary(primary) => primary.offset,
            Role::Replica(following) => following.offset,
        }
    }

    /// Its keys, the dead ones too that it has not deleted.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// A key.
    pub fn key(&self, key: &str) -> Option<&Entry> {
        self.keys.get(key)
    }

    /// The scripts that it knows by their hashes.
    pub fn scripts(&self) -> &[Script] {
        &self.scripts
    }

    /// How many clients wait for replicas.
    pub fn waiting(&self) -> usize {
        self.waits.len()
    }
}
