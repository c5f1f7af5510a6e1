//! What can be looked at from outside: by the page, the properties and tests.

use super::Member;
use super::api::{DATA, KeyValue, LeaseId, Revision};
use super::config::EtcdConfig;
use super::observe::{self, Claimant};
use super::replicated::Books;
use super::volatile::Role;
use crate::sim::process::NodeId;
use crate::sim::time::Mono;

/// A member's part in its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It follows, or would if it knew whom.
    Follower,
    /// It stands for election.
    Candidate,
    /// It was elected and has not applied its first entry.
    NewLeader,
    /// It leads.
    Leader,
}

impl Part {
    /// Whether it was elected, and has not stepped down.
    pub(in crate::actors) fn leads(self) -> bool {
        matches!(self, Part::NewLeader | Part::Leader)
    }
}

/// A lease as a member knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaseView {
    /// Its number.
    pub lease: LeaseId,
    /// Its TTL in seconds.
    pub ttl_s: i64,
    /// When it ends by the member's monotonic clock. Only a leader knows; on the
    /// others a lease has no end.
    pub deadline: Option<Mono>,
}

impl Member {
    /// What the member was told when it was set up.
    pub fn config(&self) -> &EtcdConfig {
        &self.config
    }

    /// Its part in the cluster.
    pub fn part(&self) -> Part {
        match &self.volatile.role {
            Role::Follower(_) => Part::Follower,
            Role::Candidate { .. } => Part::Candidate,
            Role::Leader(_) if self.is_primary() => Part::Leader,
            Role::Leader(_) => Part::NewLeader,
        }
    }

    /// The leader it knows of, itself perhaps, heard or not.
    pub fn leader(&self) -> Option<NodeId> {
        match &self.volatile.role {
            Role::Follower(following) => following.leader,
            Role::Candidate { .. } => None,
            Role::Leader(_) => Some(self.config.place),
        }
    }

    /// Its raft term.
    pub fn term(&self) -> u64 {
        self.durable.term
    }

    /// The revision of the last change that it has applied.
    pub fn revision(&self) -> Revision {
        self.durable.state.kv.revision()
    }

    /// The index of the last entry of the log that it has applied.
    pub fn applied_index(&self) -> u64 {
        self.durable.applied.index
    }

    /// How many entries of its log are not known to be committed.
    pub fn uncommitted(&self) -> usize {
        self.durable.tail.len()
    }

    /// The keys, sorted.
    pub fn keys(&self) -> &[KeyValue] {
        self.durable.state.kv.keys()
    }

    /// The leases that it has not seen end, by number.
    pub fn leases(&self) -> impl Iterator<Item = LeaseView> + '_ {
        let deadlines = self.leading().map(|leading| &leading.deadlines);
        self.durable.state.leases.iter().map(move |(lease, granted)| LeaseView {
            lease: *lease,
            ttl_s: granted.ttl_s,
            deadline: deadlines.and_then(|all| all.get(lease)).map(|deadline| deadline.at),
        })
    }

    /// The keys for a lock, oldest first: the holder's, then those of who waits.
    pub fn claimants(&self, lock: &str) -> Vec<Claimant> {
        observe::claimants(&self.durable.state.kv, lock)
    }

    /// Who holds a lock, as far as this member knows.
    pub fn holder(&self, lock: &str) -> Option<Claimant> {
        self.claimants(lock).into_iter().next()
    }

    /// The data that a lock guards, where that is kept in etcd.
    pub fn data(&self) -> Option<&KeyValue> {
        self.durable.state.kv.get(DATA)
    }

    /// What came of the calls on the data.
    pub fn books(&self) -> Books {
        self.durable.state.books.unwrap_or_default()
    }

    /// How many watches it serves.
    pub fn watches(&self) -> usize {
        self.volatile.watches.len()
    }
}
