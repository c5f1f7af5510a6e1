//! What can be looked at from outside: by the page, the properties and tests.

use super::api::{SessionId, Zxid};
use super::{Role, Server};
use crate::actors::etcd::Claimant;
use crate::sim::order;
use crate::sim::time::{Mono, Span};

pub use crate::actors::etcd::Part;

/// A session as a server knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionTruth {
    /// Its number.
    pub session: SessionId,
    /// Its timeout.
    pub timeout: Span,
    /// When it ends by the server's monotonic clock. Only a leader knows.
    pub ends: Option<Mono>,
}

/// The sequence number in a znode's name; none where there is none.
pub fn suffix(path: &str) -> Option<i32> {
    let at = path.len().checked_sub(10)?;
    path.get(at..)?.parse().ok()
}

impl Server {
    /// Its part in the ensemble.
    pub fn part(&self) -> Part {
        match &self.role {
            Role::Looking(_) => Part::Candidate,
            Role::Following(_) => Part::Follower,
            Role::Leading(leading) if leading.is_established => Part::Leader,
            Role::Leading(_) => Part::NewLeader,
        }
    }

    /// The last change that it has applied.
    pub fn zxid(&self) -> Zxid {
        self.disk.applied
    }

    /// The znodes and sessions as it has them.
    pub fn tree(&self) -> &super::Tree {
        &self.disk.tree
    }

    /// The sessions that it has not seen end.
    pub fn sessions(&self) -> impl Iterator<Item = SessionTruth> + '_ {
        let tracked = self.leading().map(|leading| &leading.sessions);
        self.disk.tree.sessions.iter().map(move |(session, known)| SessionTruth {
            session: *session,
            timeout: known.timeout,
            ends: tracked.and_then(|all| all.get(session)).map(|tracked| tracked.ends),
        })
    }

    /// The znodes for a lock in the order of their sequence numbers: the first one's
    /// session holds the lock.
    pub fn claimants(&self, lock: &str) -> Vec<Claimant> {
        let mut all: Vec<(i32, Claimant)> = Vec::new();
        for (path, stat) in self.disk.tree.stats_under(lock) {
            if let Some(suffix) = suffix(path).filter(|_| stat.owner != SessionId::NONE) {
                let create_revision = stat.czxid.0;
                let key = path.clone();
                all.push((suffix, Claimant { key, lease: stat.owner, create_revision }));
            }
        }
        order::by_key(&mut all, |(suffix, _)| *suffix);
        all.into_iter().map(|(_, claimant)| claimant).collect()
    }
}
