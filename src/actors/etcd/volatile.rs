//! What only a process remembers: its role, and all that comes with it. None of it
//! survives the process.

use super::api::{LeaseId, Response};
use super::log::Origin;
use super::service::Serving;
use super::watch::Watch;
use crate::actors::consul::Outcome;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Phase};
use litemap::LiteMap;
use serde::Serialize;
use std::collections::BTreeSet;

/// A process's memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Volatile {
    /// Its part in the cluster.
    pub role: Role,
    /// The members that it does not hear.
    pub silent: BTreeSet<NodeId>,
    /// The loop that looks for expired leases; it begins with the process.
    pub scan: Option<Phase>,
    /// The clients that are connected to it: each that has asked it for something.
    pub clients: BTreeSet<NodeId>,
    /// Their watches, by client and number.
    pub watches: Vec<Watch>,
    /// What its services have not answered yet, by client and number.
    pub serving: Vec<Serving>,
    /// What its services are told at the end of this step; empty between steps.
    #[serde(skip)]
    pub told: Vec<Response>,
    /// What Consul's server is told at the end of this step; empty between steps.
    #[serde(skip)]
    pub outcomes: Vec<Outcome>,
    /// Whether it waits to stand for election.
    pub election: Waits,
    /// The last leader it knew of. Serves the causes in the trace.
    #[serde(skip)]
    pub last_leader: Option<NodeId>,
}

impl Volatile {
    /// The memory of a process that has just started.
    pub fn new(role: Role) -> Volatile {
        Volatile {
            role,
            silent: BTreeSet::new(),
            scan: None,
            clients: BTreeSet::new(),
            watches: Vec::new(),
            serving: Vec::new(),
            told: Vec::new(),
            outcomes: Vec::new(),
            election: Waits::No,
            last_leader: None,
        }
    }
}

/// Whether a timer is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Waits {
    /// It is not.
    #[default]
    No,
    /// It is.
    Yes,
}

/// A member's part in the cluster.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Role {
    /// It follows, or would.
    Follower(Following),
    /// It stands for election to lead in the term after its own.
    Candidate {
        /// Who votes for it, itself too.
        votes: BTreeSet<NodeId>,
        /// Who does not.
        refused: BTreeSet<NodeId>,
    },
    /// It leads.
    Leader(Leading),
}

/// What a follower knows of its leader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Following {
    /// The leader, if it knows one.
    pub leader: Option<NodeId>,
    /// A member that hears the leader though this one does not: it would vote for
    /// nobody, and will stand itself when it hears the leader no more.
    pub vouched_by: Option<NodeId>,
    /// Whether the leader has told anything since it was last silent.
    pub news: News,
}

/// How sure a follower can be that its leader still leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum News {
    /// The leader was silent and has told nothing since.
    #[default]
    Stale,
    /// It was heard all along.
    Fresh,
}

/// What a leader remembers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Leading {
    /// How far the others hold its log.
    pub followers: LiteMap<NodeId, Progress>,
    /// When leases end, once this leader has given each a deadline.
    pub deadlines: LiteMap<LeaseId, Deadline>,
    /// Renewals that came too late and wait for the lease to be revoked.
    pub late: Vec<LateRenewal>,
    /// Whether it hears no majority and waits to give up leading.
    pub quorum: Waits,
}

/// How far a follower is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// The index up to which it is known to hold the log.
    pub held: u64,
    /// How often the log was sent again since it was last heard of.
    pub resent: u8,
}

/// When a lease ends.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Deadline {
    /// By the leader's own clock.
    pub at: Mono,
    /// Who asked for the lease or renewed it last. Serves the causes in the trace.
    #[serde(skip)]
    pub client: NodeId,
}

/// A renewal that came after the deadline.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LateRenewal {
    /// Of which lease.
    pub lease: LeaseId,
    /// Who asked.
    pub origin: Origin,
}
