//! Who is meant: machines by name, and leases by the worker whose session they are.

use crate::actors::etcd::api::{Body, LeaseId, Reply};
use crate::actors::note::WorkerNote;
use crate::actors::worker::who_tries;
use crate::actors::zookeeper::api::Reply::Connected;
use crate::actors::{Actor, Message, Note};
use crate::properties::Grants;
use crate::scenario::names::{Names, Service};
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use litemap::LiteMap;

/// Names for what a trace speaks of.
#[derive(Clone, Debug)]
pub struct Who {
    names: Names,
    sessions: LiteMap<LeaseId, NodeId>,
    learnt: usize,
    /// Whether a lease in an object was over, nobody but the order of grants can tell.
    grants: Grants,
    over: Vec<EventId>,
}

impl Who {
    /// Knows the machines and no lease yet.
    pub fn new(names: Names) -> Who {
        Who {
            names,
            sessions: LiteMap::new(),
            learnt: 0,
            grants: Grants::default(),
            over: Vec::new(),
        }
    }

    /// Knows the machines and the leases of a trace.
    pub fn of(names: &Names, trace: &[Event<Actor>]) -> Who {
        let mut who = Who::new(names.clone());
        who.learn(trace);
        who
    }

    /// Learns from what has been added to a trace since the last time.
    pub fn learn(&mut self, trace: &[Event<Actor>]) {
        for event in trace.iter().skip(self.learnt) {
            if let Some((lease, node)) = granted(event) {
                self.sessions.entry(lease).or_insert(node);
            }
            if matches!(self.names.service(), Service::Objects | Service::Postgres) {
                self.grants.observe(event);
                if self.grants.was_over(event) {
                    self.over.push(event.id);
                }
            }
        }
        self.learnt = self.learnt.max(trace.len());
    }

    /// How many leases it knows: with more of them it may name what it did not before.
    pub fn known(&self) -> usize {
        self.sessions.len()
    }

    /// Whether the event ends a lease in an object or a row that was over by true time.
    pub fn was_over(&self, event: EventId) -> bool {
        self.over.contains(&event)
    }

    /// The machines.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// A machine's name.
    pub fn machine(&self, node: NodeId) -> &str {
        self.names.of(node)
    }

    /// Whose lease it is, if that is known.
    pub fn holder(&self, lease: LeaseId) -> Option<NodeId> {
        self.sessions.get(&lease).copied().or_else(|| who_tries(lease))
    }

    /// "W1", or "lease 1000001" where nobody knows whose it is.
    pub fn acquisition(&self, lease: LeaseId) -> String {
        match self.holder(lease) {
            Some(node) => self.machine(node).to_owned(),
            None => format!("lease {:x}", lease.0),
        }
    }
}

/// A worker is known by its session, or by the answer to its grant.
fn granted(event: &Event<Actor>) -> Option<(LeaseId, NodeId)> {
    match &event.what {
        What::Note(Note::Worker(
            WorkerNote::SessionOpened { lease } | WorkerNote::DrewValue { lease },
        )) => Some((*lease, event.node)),
        What::Sent { message, body: Message::ZkReply(response) } => match &response.result {
            Ok(Connected { session, .. }) => Some((*session, message.to)),
            _ => None,
        },
        What::Sent { message, body: Message::EtcdAnswer(response) } => match &response.result {
            Ok(Reply { body: Body::Lease { lease, .. }, .. }) => Some((*lease, message.to)),
            _ => None,
        },
        _ => None,
    }
}
