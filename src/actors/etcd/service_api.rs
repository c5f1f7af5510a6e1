//! What a client can ask of the lock service (`v3lock`) and the election service
//! (`v3election`), which every member runs on top of its own keys.

use super::api::{KeyValue, LeaseId, Revision, Text};
use serde::Serialize;

/// A call to one of the two services. The client keeps the lease alive itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ServiceOp {
    /// `Lock`: answered when the lease's key is the oldest of this name.
    Lock {
        /// The lock's name.
        name: Text,
        /// Whose lock it is to be.
        lease: LeaseId,
    },
    /// `Unlock`: deletes a key by its name, whoever's it is.
    Unlock {
        /// The key that `Lock` was answered with.
        key: Text,
    },
    /// `Campaign`: answered when the lease's key is the oldest of this name.
    Campaign {
        /// The election's name.
        name: Text,
        /// Who stands.
        lease: LeaseId,
        /// What the leader says of itself.
        value: Text,
    },
    /// `Proclaim`: the leader says something else of itself.
    Proclaim {
        /// By which key it leads.
        leader: LeaderKey,
        /// What it says.
        value: Text,
    },
    /// `Leader`: the oldest key of this name.
    Leader {
        /// The election's name.
        name: Text,
    },
    /// `Resign`: deletes the leader's key, if it is still there.
    Resign {
        /// By which key it leads.
        leader: LeaderKey,
    },
}

/// By which key one leads, or stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeaderKey {
    /// The election's name.
    pub name: Text,
    /// The key.
    pub key: Text,
    /// Its create revision.
    pub rev: Revision,
    /// Its lease.
    pub lease: LeaseId,
}

/// What the services answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ServiceReply {
    /// To `Lock`.
    Locked {
        /// The lease's key.
        key: Text,
    },
    /// To `Unlock`.
    Unlocked,
    /// To `Campaign`.
    Elected(LeaderKey),
    /// To `Proclaim`.
    Proclaimed,
    /// To `Leader`.
    Leader(KeyValue),
    /// To `Resign`, also where there was nothing to resign.
    Resigned,
}

/// A refusal of the services; what etcd itself refuses them is passed on in its own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
pub enum ServiceError {
    /// The election has no candidate.
    #[error("election: no leader")]
    NoLeader,
    /// The key by which one led is gone, or is another's.
    #[error("election: not leader")]
    NotLeader,
    /// The own key was gone when everybody before it was.
    #[error("mutex: session is expired")]
    SessionExpired,
    /// There is no such lease.
    #[error("etcdserver: requested lease not found")]
    LeaseNotFound,
    /// The cluster has no leader, or another than when it was asked.
    #[error("etcdserver: leader changed")]
    LeaderChanged,
}

impl ServiceOp {
    /// The kind of call, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            ServiceOp::Lock { .. } => "lock",
            ServiceOp::Unlock { .. } => "unlock",
            ServiceOp::Campaign { .. } => "campaign",
            ServiceOp::Proclaim { .. } => "proclaim",
            ServiceOp::Leader { .. } => "leader",
            ServiceOp::Resign { .. } => "resign",
        }
    }
}
