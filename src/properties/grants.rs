//! The simulator's own order of grants: the truth by which properties judge.
//!
//! Where each node has keys of its own two of them can answer for a lock, and each for
//! itself. A grant stands there while any node that takes writes upholds it.
//!
//! Where independent nodes vote it is granted by the vote that makes a majority, and stands
//! until a vote is gone and no majority that runs is left.
//!
//! A node that does not run gives the lock to nobody: what it upheld stands until the time
//! that its holder was promised is over, or until it starts again and says what it has. What
//! is in a process's memory only, without a time, ends with the process.
//!
//! A lock's object is nobody's to end, nor is a row by the clients' clocks: what stands in it is a
//! promise until its lease is over by true time. Another that is put in its place before was
//! granted too early, whichever clock was wrong. That is so at each server that has the row.

mod objects;
mod votes;

use super::Witness;
use super::grant::{Ends, Grant, Holder, Standing, Upheld};
use crate::actors::etcd::api::Text;
use crate::actors::note::{Count, EtcdNote, GrantEnd, Lasts, LockNote, PostgresNote, WorkerNote};
use crate::actors::store::api::Owner;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};
use litemap::LiteMap;
use serde::Serialize;

/// A node's vote.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Ballot {
    lock: Text,
    owner: Owner,
    node: NodeId,
    /// When it ends by itself.
    ends: Option<TrueTime>,
}

/// All grants so far, and whose leases are whose.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Grants {
    in_order: Vec<Grant>,
    /// Votes that grant nothing yet.
    votes: Vec<Ballot>,
    /// Leases on their way into a lock's object or row. Empty with other services.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sent: Vec<objects::SentLease>,
    /// Leases that live, as far as grants may still come of them.
    sessions: LiteMap<Owner, NodeId>,
    /// The value that a client goes by where locks are values in keys. What comes of one
    /// that it drew before is nobody's.
    drawn: LiteMap<NodeId, Owner>,
    /// Whose process does not run. The states of the nodes say so too.
    #[serde(skip)]
    down: Vec<NodeId>,
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

    /// Whether an acquisition's grant has ended.
    pub fn has_ended(&self, owner: Owner) -> bool {
        self.place_of(owner).is_some_and(|place| self.in_order[place].standing == Standing::Ended)
    }

    /// Whether this event, which was just observed, tells that a lease in an object or a row was
    /// over when another was put in its place. Nothing ends one there, so the store cannot tell.
    pub fn was_over(&self, event: &Event<Actor>) -> bool {
        let What::Note(Note::Lock(LockNote::Ended { lease, how, .. })) = &event.what else {
            return false;
        };
        let is_promise = |grant: &Grant| {
            matches!(grant.upheld, Upheld::ByObject { .. }) || grant.is_upheld_by_one()
        };
        matches!(how, GrantEnd::Overwritten { .. })
            && self.place_of(*lease).is_some_and(|place| is_promise(&self.in_order[place]))
            && self.has_ended(*lease)
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

    /// Whose acquisition it is, if its machine has said so.
    pub fn node_of(&self, owner: Owner) -> Option<NodeId> {
        let granted = || self.in_order.iter().rfind(|it| it.owner == owner)?.node;
        self.lives_at(owner).or_else(granted)
    }

    /// Whose acquisition it is, as long as its client goes by it.
    fn lives_at(&self, owner: Owner) -> Option<NodeId> {
        let drawn = || self.drawn.iter().find(|(_, drawn)| **drawn == owner);
        self.sessions.get(&owner).copied().or_else(|| drawn().map(|(node, _)| *node))
    }

    /// Takes in an event, before the properties do.
    pub fn observe(&mut self, event: &Event<Actor>) {
        self.forget_sent(event.at);
        match &event.what {
            What::Note(Note::Worker(note)) => self.of_worker(note, event),
            What::Note(Note::Lock(note)) => self.of_lock(note, event),
            What::Note(Note::Redis(note)) => self.of_redis(note, event),
            What::Note(Note::Postgres(PostgresNote::Renewed { lock, lease, left, object })) => {
                match object {
                    Some(object) => self.renewed_object((lock, *lease), *object, event),
                    None => self.renewed((lock, *lease), *left, event.at),
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
                self.pass(event.at);
                self.down.push(event.node);
                self.drawn.remove(&event.node);
                for grant in &mut self.in_order {
                    if grant.upheld == Upheld::InMemoryOf(event.node) {
                        grant.end();
                    } else if grant.node == Some(event.node) {
                        grant.given_up();
                    }
                }
            }
            What::Started => self.starts(event.node),
            What::Sent { body, .. } => self.of_sent(body, event.at),
            _ => {}
        }
    }

    fn of_worker(&mut self, note: &WorkerNote, event: &Event<Actor>) {
        let node = event.node;
        match note {
            WorkerNote::DrewValue { lease } => {
                // What came of the value before is given up, and what may come of it still.
                self.drawn.insert(node, *lease);
                let its = |grant: &&mut Grant| grant.node == Some(node);
                self.in_order.iter_mut().filter(its).for_each(Grant::given_up);
            }
            WorkerNote::HoldOver { lease, .. } if self.drawn.get(&node) == Some(lease) => {
                self.drawn.remove(&node);
            }
            WorkerNote::SessionOpened { lease } => {
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
            WorkerNote::Counted { lease, result: Count::Granted, validity, .. } => {
                if let Some(place) = self.place_of(*lease) {
                    self.in_order[place].promise(event.at, Some(*validity));
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
        self.pass(event.at);
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
                    | GrantEnd::SetFree { .. }
                    | GrantEnd::Session
                    | GrantEnd::Transaction => Standing::Ended,
                };
                for grant in self.of_lease(lock, *lease) {
                    grant.not_upheld_by(node, &down, then);
                    grant.pass(event.at, &down);
                }
            }
            // What the node has stands, even if it was over: it lets nobody else have it.
            LockNote::TakenOver { lock, lease, lasts } => {
                let newest = lease.and_then(|owner| self.place_of(owner));
                let left = lease.and_then(|owner| self.lasts(owner, *lasts, event.at));
                for (place, grant) in self.in_order.iter_mut().enumerate() {
                    if Some(place) == newest {
                        grant.taken_up_by(node, event.at, left);
                    } else if grant.lock == *lock {
                        grant.unknown_to(node, &down);
                    }
                }
            }
            LockNote::Renewed { lock, lease, lasts } => {
                if let Lasts::Object(object) = lasts {
                    self.renewed_object((lock, *lease), *object, event);
                }
            }
            LockNote::Refused { .. } => {}
            LockNote::HandedOver { lock, lease } => {
                for grant in self.of_lease(lock, *lease) {
                    grant.unknown_to(node, &down);
                }
            }
        }
    }

    fn pass(&mut self, now: TrueTime) {
        for grant in &mut self.in_order {
            grant.pass(now, &self.down);
        }
    }

    fn of_lease(&mut self, lock: &Text, owner: Owner) -> impl Iterator<Item = &mut Grant> {
        self.in_order.iter_mut().filter(move |grant| grant.owner == owner && grant.lock == *lock)
    }

    /// A node that starts again upholds what it says next, and a replica says nothing.
    fn starts(&mut self, node: NodeId) {
        self.down.retain(|other| *other != node);
        self.votes.retain(|vote| vote.node != node);
        let its = |grant: &&mut Grant| match &grant.upheld {
            Upheld::ByService | Upheld::ByObject { .. } | Upheld::InMemoryOf(_) => false,
            // A row is on disk.
            Upheld::ByNodes { ends: Ends::InTrueTime, .. } => false,
            Upheld::ByNodes { nodes, .. } => nodes.contains(&node),
        };
        for grant in self.in_order.iter_mut().filter(its) {
            grant.unknown_to(node, &self.down);
        }
    }

    /// How long that is from now on; none for good.
    fn lasts(&self, owner: Owner, lasts: Lasts, now: TrueTime) -> Option<Span> {
        match lasts {
            Lasts::Lease | Lasts::Process => None,
            Lasts::Key { left } => left,
            Lasts::Object(lease) | Lasts::Row(lease) => self.left(owner, lease, now),
        }
    }

    /// A holder whose key is put again under its own lease, or at another node, gets no
    /// second grant.
    fn grant(&mut self, lock: &Text, owner: Owner, lasts: Lasts, event: &Event<Actor>) {
        let left = self.lasts(owner, lasts, event.at);
        let newest = self.in_order.iter_mut().rev().find(|grant| grant.lock == *lock);
        let same = newest.filter(|g| g.owner == owner && g.standing == Standing::Stands);
        if let Some(grant) = same {
            grant.upheld_by(event.node);
            return grant.promise(event.at, left);
        }
        let promised = left.map(|left| event.at + left);
        let by_node = |ends| Upheld::ByNodes { nodes: vec![event.node], quorum: 1, promised, ends };
        let upheld = match lasts {
            Lasts::Lease => Upheld::ByService,
            Lasts::Process => Upheld::InMemoryOf(event.node),
            Lasts::Object(_) => Upheld::ByObject { promised },
            Lasts::Key { .. } => by_node(Ends::ByNodesClocks),
            Lasts::Row(_) => by_node(Ends::InTrueTime),
        };
        self.add(lock, owner, upheld, event);
    }

    fn add(&mut self, lock: &Text, owner: Owner, upheld: Upheld, event: &Event<Actor>) {
        let node = self.lives_at(owner);
        let holder = match node {
            Some(node) if self.down.contains(&node) => Holder::GaveUp,
            // Whoever drew that value has drawn another since, or knows nothing of it.
            None if matches!(upheld, Upheld::ByNodes { .. }) => Holder::GaveUp,
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
