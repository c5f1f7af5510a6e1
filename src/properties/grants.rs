//! The simulator's own order of grants: the truth by which properties judge.
//!
//! Where each node has keys of its own two of them can answer for a lock, and each for
//! itself. A grant stands there while any node that runs and takes writes upholds it.

use super::Witness;
use crate::actors::etcd::api::Text;
use crate::actors::note::{EtcdNote, GrantEnd, Lasts, LockNote, RedisNote, WorkerNote};
use crate::actors::store::api::{Owner, Token};
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};
use litemap::LiteMap;
use serde::Serialize;

/// One grant of one lock to one acquisition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grant {
    /// The lock.
    pub lock: Text,
    /// The acquisition, named by its lease.
    pub owner: Owner,
    /// The holder's machine, once its session has said whose the lease is.
    pub node: Option<NodeId>,
    /// The token its holder uses, once it believes that it holds the lock.
    pub token: Option<Token>,
    /// Whether it stands.
    pub standing: Standing,
    /// Who upholds it.
    upheld: Upheld,
    /// Whether its holder goes by it.
    holder: Holder,
    /// The event that granted it.
    pub granted: Witness,
}

/// Who upholds a grant.
#[derive(Clone, Debug, PartialEq, Serialize)]
enum Upheld {
    /// The service, with one voice.
    ByService,
    /// Each of these nodes by itself.
    ByNodes {
        /// Which.
        nodes: Vec<NodeId>,
        /// Until when its holder was told that it has the lock; none for good.
        promised: Option<TrueTime>,
    },
}

/// Whether a holder goes by its grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Holder {
    /// It does, or will when it learns of it.
    GoesByIt,
    /// It has given up by itself, or its process has ended.
    GaveUp,
}

/// Whether a grant stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Standing {
    /// It does.
    Stands,
    /// Its key was overwritten with another lease, and its own lease still lives:
    /// nothing that its holder can ask for tells it so.
    Overwritten,
    /// It has ended.
    Ended,
    /// The service does not know of it any more, and its time is not over: its holder
    /// was promised what others can be given now.
    Lost,
}

/// All grants so far, and whose leases are whose.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Grants {
    in_order: Vec<Grant>,
    /// Leases that live, as far as grants may still come of them.
    sessions: LiteMap<Owner, NodeId>,
    /// Whose process does not run. The states of the nodes say so too.
    #[serde(skip)]
    down: Vec<NodeId>,
}

impl Grant {
    /// Whether somebody was promised this lock and may go by it still. A key that its
    /// holder has given up does not keep another node from granting the lock, and harms
    /// nobody if it does.
    pub(super) fn binds(&self) -> bool {
        self.standing != Standing::Ended
            && (self.upheld == Upheld::ByService || self.holder == Holder::GoesByIt)
    }

    /// A node upholds it from now on.
    fn upheld_by(&mut self, node: NodeId) {
        let Upheld::ByNodes { nodes, .. } = &mut self.upheld else { return };
        if !nodes.contains(&node) {
            nodes.push(node);
        }
        self.standing = Standing::Stands;
    }

    /// It has ended, and nothing but that is of interest any more.
    fn end(&mut self) {
        self.standing = Standing::Ended;
        if let Upheld::ByNodes { nodes, promised } = &mut self.upheld {
            nodes.clear();
            *promised = None;
        }
    }

    /// A node upholds it no more. If none does, this is what becomes of it.
    fn not_upheld_by(&mut self, node: NodeId, down: &[NodeId], then: Standing) {
        if let Upheld::ByNodes { nodes, .. } = &mut self.upheld {
            nodes.retain(|other| *other != node);
            if nodes.iter().any(|other| !down.contains(other)) {
                return;
            }
        }
        match (self.standing, then) {
            (Standing::Stands | Standing::Lost, Standing::Ended) => self.end(),
            (Standing::Stands | Standing::Lost, _) => self.standing = then,
            (Standing::Overwritten | Standing::Ended, _) => {}
        }
    }

    /// A node does not know of it.
    fn unknown_to(&mut self, node: NodeId, down: &[NodeId]) {
        if self.standing == Standing::Stands && self.upheld != Upheld::ByService {
            let then = match self.holder {
                Holder::GoesByIt => Standing::Lost,
                Holder::GaveUp => Standing::Ended,
            };
            self.not_upheld_by(node, down, then);
        }
    }

    /// Its holder is told that it has the lock for so long.
    fn promise(&mut self, at: TrueTime, left: Option<Span>) {
        if let Upheld::ByNodes { promised, .. } = &mut self.upheld {
            *promised = left.map(|left| at + left);
        }
    }

    /// A grant that is lost harms nobody once its time is over.
    fn pass(&mut self, now: TrueTime) {
        if let Upheld::ByNodes { promised: Some(promised), .. } = self.upheld
            && self.standing == Standing::Lost
            && promised < now
        {
            self.end();
        }
    }

    /// A grant that is lost harms nobody once its holder has given it up.
    fn given_up(&mut self) {
        if self.upheld == Upheld::ByService {
            return;
        }
        self.holder = Holder::GaveUp;
        if self.standing == Standing::Lost {
            self.end();
        }
    }
}

impl Grants {
    /// All of them, the oldest first.
    pub fn in_order(&self) -> &[Grant] {
        &self.in_order
    }

    /// Those that stand, the oldest first.
    pub fn standing(&self) -> impl DoubleEndedIterator<Item = &Grant> {
        self.in_order.iter().filter(|grant| grant.standing == Standing::Stands)
    }

    /// The place of an acquisition's grant; its newest if it had more than one.
    pub fn place_of(&self, owner: Owner) -> Option<usize> {
        self.in_order.iter().rposition(|grant| grant.owner == owner)
    }

    /// Whether a later grant of the same lock than that at `place` exists.
    pub fn has_successor(&self, place: usize) -> bool {
        let lock = &self.in_order[place].lock;
        self.in_order[place + 1..].iter().any(|grant| grant.lock == *lock)
    }

    /// Whether an acquisition holds its lock by right: its grant stands and is the
    /// newest of that lock.
    pub fn is_rightful(&self, owner: Owner) -> bool {
        self.place_of(owner).is_some_and(|place| {
            self.in_order[place].standing == Standing::Stands && !self.has_successor(place)
        })
    }

    /// Takes in an event, before the properties do.
    pub fn observe(&mut self, event: &Event<Actor>) {
        match &event.what {
            What::Note(Note::Worker(note)) => self.of_worker(event.node, note),
            What::Note(Note::Lock(note)) => self.of_lock(note, event),
            What::Note(Note::Redis(RedisNote::Renewed { lock, lease, left })) => {
                for grant in self.of_lease(lock, *lease) {
                    grant.promise(event.at, *left);
                }
            }
            What::Note(Note::Etcd(EtcdNote::LeaseEnded { lease, .. })) => {
                self.sessions.remove(lease);
                // Of one that stands the end is told next.
                let its = |grant: &&mut Grant| {
                    grant.owner == *lease && grant.standing == Standing::Overwritten
                };
                self.in_order.iter_mut().filter(its).for_each(Grant::end);
            }
            What::Crashed | What::Exited => {
                self.down.push(event.node);
                let its = |grant: &&mut Grant| grant.node == Some(event.node);
                self.in_order.iter_mut().filter(its).for_each(Grant::given_up);
            }
            What::Started => self.starts(event.node),
            _ => {}
        }
    }

    fn of_worker(&mut self, node: NodeId, note: &WorkerNote) {
        match note {
            WorkerNote::SessionOpened { lease } | WorkerNote::DrewValue { lease } => {
                self.sessions.insert(*lease, node);
                for grant in self.in_order.iter_mut().filter(|grant| grant.owner == *lease) {
                    grant.node = Some(node);
                }
            }
            WorkerNote::Believes { token, owner, .. } => {
                if let Some(place) = self.place_of(*owner) {
                    self.in_order[place].token = Some(*token);
                    self.in_order[place].holder = Holder::GoesByIt;
                }
            }
            WorkerNote::BelievesNoMore { owner, .. } => {
                let its = |grant: &&mut Grant| grant.owner == *owner;
                self.in_order.iter_mut().filter(its).for_each(Grant::given_up);
            }
            _ => {}
        }
    }

    fn of_lock(&mut self, note: &LockNote, event: &Event<Actor>) {
        for grant in &mut self.in_order {
            grant.pass(event.at);
        }
        let (node, down) = (event.node, self.down.clone());
        match note {
            LockNote::Granted { lock, lease, lasts, .. } => {
                self.grant(lock, *lease, *lasts, event);
            }
            LockNote::Ended { lock, lease, how } => {
                let then = match how {
                    GrantEnd::Overwritten { .. } => Standing::Overwritten,
                    GrantEnd::Lease(_)
                    | GrantEnd::KeyExpired
                    | GrantEnd::Deleted { .. }
                    | GrantEnd::Session => Standing::Ended,
                };
                for grant in self.of_lease(lock, *lease) {
                    grant.not_upheld_by(node, &down, then);
                }
            }
            // What the node has stands, even if it was over: it lets nobody else have it.
            LockNote::TakenOver { lock, lease, left } => {
                let newest = lease.and_then(|owner| self.place_of(owner));
                for (place, grant) in self.in_order.iter_mut().enumerate() {
                    if Some(place) == newest {
                        if grant.standing == Standing::Ended {
                            grant.promise(event.at, *left);
                        }
                        grant.upheld_by(node);
                    } else if grant.lock == *lock {
                        grant.unknown_to(node, &down);
                    }
                }
            }
            LockNote::HandedOver { lock, lease } => {
                for grant in self.of_lease(lock, *lease) {
                    grant.unknown_to(node, &down);
                }
            }
        }
    }

    fn of_lease(&mut self, lock: &Text, owner: Owner) -> impl Iterator<Item = &mut Grant> {
        self.in_order.iter_mut().filter(move |grant| grant.owner == owner && grant.lock == *lock)
    }

    /// A node that starts again upholds what it says next, and a replica says nothing.
    fn starts(&mut self, node: NodeId) {
        self.down.retain(|other| *other != node);
        let its = |grant: &&mut Grant| match &grant.upheld {
            Upheld::ByService => false,
            Upheld::ByNodes { nodes, .. } => nodes.contains(&node),
        };
        for grant in self.in_order.iter_mut().filter(its) {
            grant.unknown_to(node, &self.down);
        }
    }

    /// A holder whose key is put again under its own lease, or at another node, gets no
    /// second grant.
    fn grant(&mut self, lock: &Text, owner: Owner, lasts: Lasts, event: &Event<Actor>) {
        let newest = self.in_order.iter_mut().rev().find(|grant| grant.lock == *lock);
        let same = newest.filter(|g| g.owner == owner && g.standing == Standing::Stands);
        let left = match lasts {
            Lasts::Lease => None,
            Lasts::Key { left } => left,
        };
        if let Some(grant) = same {
            grant.upheld_by(event.node);
            return grant.promise(event.at, left);
        }
        let node = self.sessions.get(&owner).copied();
        let upheld = match lasts {
            Lasts::Lease => Upheld::ByService,
            Lasts::Key { left } => Upheld::ByNodes {
                nodes: vec![event.node],
                promised: left.map(|left| event.at + left),
            },
        };
        let holder = match node {
            Some(node) if self.down.contains(&node) => Holder::GaveUp,
            _ => Holder::GoesByIt,
        };
        self.in_order.push(Grant {
            lock: lock.clone(),
            owner,
            node,
            token: None,
            standing: Standing::Stands,
            upheld,
            holder,
            granted: Witness::of(event),
        });
    }
}
