//! Who holds the lock, who believes so, who waits: what the lock service says and
//! what each worker believes, kept apart.

use super::{Drawn, Layer, Span};
use crate::actors::etcd::api::{LeaseId, Revision};
use crate::actors::note::{EtcdNote, LockNote, PostgresNote, RedisNote, WorkerNote};
use crate::actors::store::api::{Owner, Token};
use crate::actors::{Actor, Note};
use crate::lab::diagram::lanes::Lanes;
use crate::properties::{Grants, Standing};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use litemap::LiteMap;

/// What is so at the end of what has been taken in.
#[derive(Debug, Default)]
pub struct Holds {
    /// Whose leases are whose.
    sessions: LiteMap<LeaseId, NodeId>,
    /// What the properties know of grants.
    grants: Grants,
    /// The numbers that came with grants.
    numbers: LiteMap<LeaseId, Revision>,
    /// Waiters' keys.
    queued: LiteMap<LeaseId, Revision>,
    workers: LiteMap<NodeId, Worker>,
}

/// What a worker believes of itself.
#[derive(Debug, Default)]
struct Worker {
    belief: Option<(Owner, Token)>,
    waiting: Waiting,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Waiting {
    #[default]
    No,
    Yes,
}

impl Holds {
    /// The create revision of a grant that stands.
    pub fn granted(&self, lease: LeaseId) -> Option<Revision> {
        let newest = self.grants.place_of(lease)?;
        let stands = self.grants.in_order()[newest].standing == Standing::Stands;
        self.numbers.get(&lease).filter(|_| stands).copied()
    }

    /// Whose lease it is.
    pub fn node_of(&self, lease: LeaseId) -> Option<NodeId> {
        self.sessions.get(&lease).copied()
    }

    pub(super) fn take(&mut self, event: &Event<Actor>, lanes: &Lanes, drawn: &mut Drawn) {
        self.grants.observe(event);
        let node = match &event.what {
            // With it ends what was in its memory only.
            What::Crashed | What::Exited => {
                if let Some(worker) = self.workers.get_mut(&event.node) {
                    *worker = Worker::default();
                }
                return self.all_are(event, lanes, drawn);
            }
            What::Note(Note::Worker(note)) => {
                self.worker_says(event.node, note);
                Some(event.node)
            }
            // A node that starts again may have lost what it granted.
            What::Started => return self.all_are(event, lanes, drawn),
            What::Note(Note::Lock(note)) => {
                if let LockNote::Granted { lease, token, .. } = note {
                    self.queued.remove(lease);
                    self.numbers.insert(*lease, *token);
                }
                return self.all_are(event, lanes, drawn);
            }
            // A vote can grant the lock, or undo that it was granted.
            What::Note(Note::Redis(note)) => {
                match note {
                    RedisNote::Voted { lease, .. } => {
                        self.numbers.entry(*lease).or_insert(0);
                    }
                    RedisNote::VoteEnded { .. } => {}
                    _ => return,
                }
                return self.all_are(event, lanes, drawn);
            }
            What::Note(Note::Etcd(note)) => self.service_says(note),
            What::Note(Note::Postgres(note)) => self.server_says(note),
            _ => None,
        };
        if let Some(node) = node {
            drawn.set(lanes.of(node), Layer::Hold, event, self.of(node));
        }
    }

    fn worker_says(&mut self, node: NodeId, note: &WorkerNote) {
        let worker = self.workers.entry(node).or_default();
        match note {
            WorkerNote::SessionOpened { lease } | WorkerNote::DrewValue { lease } => {
                self.sessions.insert(*lease, node);
            }
            WorkerNote::Waits { .. } => worker.waiting = Waiting::Yes,
            WorkerNote::Believes { token, owner, .. } => {
                *worker = Worker { belief: Some((*owner, *token)), waiting: Waiting::No };
            }
            WorkerNote::BelievesNoMore { owner, .. } => {
                worker.belief = worker.belief.filter(|(believed, _)| believed != owner);
            }
            WorkerNote::Stopped { .. } | WorkerNote::Finished | WorkerNote::Began => {
                worker.waiting = Waiting::No;
            }
            _ => {}
        }
    }

    /// What becomes of the lock can concern anybody.
    fn all_are(&mut self, event: &Event<Actor>, lanes: &Lanes, drawn: &mut Drawn) {
        for node in self.workers.keys() {
            drawn.set(lanes.of(*node), Layer::Hold, event, self.of(*node));
        }
    }

    /// The worker whom it concerns, if it is known.
    fn service_says(&mut self, note: &EtcdNote) -> Option<NodeId> {
        let lease = match note {
            EtcdNote::Queued { lease, create_revision, .. } => {
                self.queued.insert(*lease, *create_revision);
                lease
            }
            EtcdNote::LeaseEnded { lease, .. } => {
                // Of a holder the end of its grant is told next.
                self.queued.remove(lease);
                lease
            }
            _ => return None,
        };
        self.node_of(*lease)
    }

    /// The same of a PostgreSQL server, whose waiters have no key.
    fn server_says(&mut self, note: &PostgresNote) -> Option<NodeId> {
        let lease = match note {
            PostgresNote::Queued { lease, .. } => {
                self.queued.insert(*lease, 0);
                lease
            }
            PostgresNote::SessionEnded { lease, .. } => {
                self.queued.remove(lease);
                lease
            }
            _ => return None,
        };
        self.node_of(*lease)
    }

    /// What holds for a worker.
    fn of(&self, node: NodeId) -> Option<Span> {
        let worker = self.workers.get(&node)?;
        if let Some((owner, token)) = worker.belief {
            return Some(match self.granted(owner) {
                Some(revision) => Span::Holds { revision, token },
                None => Span::Outdated { token },
            });
        }
        let mine = |lease: &LeaseId| self.node_of(*lease) == Some(node);
        let mut own = self.numbers.keys().rev().filter(|lease| mine(lease));
        if let Some(revision) = own.find_map(|lease| self.granted(*lease)) {
            return Some(Span::Unaware(revision));
        }
        let waits = worker.waiting == Waiting::Yes;
        let queued = self.queued.iter().rev().find(|(lease, _)| mine(lease));
        queued.map(|(_, revision)| *revision).or(waits.then_some(0)).map(Span::Queued)
    }
}
