//! The simulator's own order of grants: the truth by which properties judge.

use super::Witness;
use crate::actors::etcd::api::Text;
use crate::actors::note::{EtcdNote, GrantEnd, LockNote, WorkerNote};
use crate::actors::store::api::{Owner, Token};
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
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
    /// The event that granted it.
    pub granted: Witness,
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
}

impl Grants {
    /// All of them, the oldest first.
    pub fn in_order(&self) -> &[Grant] {
        &self.in_order
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
    pub(super) fn observe(&mut self, event: &Event<Actor>) {
        match &event.what {
            What::Note(Note::Worker(
                WorkerNote::SessionOpened { lease } | WorkerNote::DrewValue { lease },
            )) => {
                self.sessions.insert(*lease, event.node);
                for grant in self.in_order.iter_mut().filter(|grant| grant.owner == *lease) {
                    grant.node = Some(event.node);
                }
            }
            What::Note(Note::Worker(WorkerNote::Believes { token, owner, .. })) => {
                if let Some(place) = self.place_of(*owner) {
                    self.in_order[place].token = Some(*token);
                }
            }
            What::Note(Note::Worker(WorkerNote::BelievesNoMore { owner, .. })) => {
                self.given_up(|grant| grant.owner == *owner);
            }
            What::Crashed | What::Exited => self.given_up(|grant| grant.node == Some(event.node)),
            What::Note(Note::Lock(LockNote::Granted { lock, lease, .. })) => {
                self.grant(lock, *lease, event);
            }
            What::Note(Note::Lock(LockNote::TakenOver { lock, lease })) => {
                self.taken_over(lock, *lease);
            }
            What::Note(Note::Lock(LockNote::Ended { lock, lease, how })) => {
                let standing = match how {
                    GrantEnd::Overwritten { .. } => Standing::Overwritten,
                    GrantEnd::Lease(_) | GrantEnd::Deleted { .. } => Standing::Ended,
                };
                let of_lease = |grant: &&mut Grant| {
                    grant.owner == *lease
                        && grant.lock == *lock
                        && matches!(grant.standing, Standing::Stands | Standing::Lost)
                };
                for grant in self.in_order.iter_mut().filter(of_lease) {
                    grant.standing = standing;
                }
            }
            What::Note(Note::Etcd(EtcdNote::LeaseEnded { lease, .. })) => {
                self.sessions.remove(lease);
                for grant in self.in_order.iter_mut().filter(|grant| grant.owner == *lease) {
                    grant.standing = Standing::Ended;
                }
            }
            _ => {}
        }
    }

    /// A grant that is lost harms nobody once its holder has given it up.
    fn given_up(&mut self, is_meant: impl Fn(&Grant) -> bool) {
        for grant in self.in_order.iter_mut().filter(|grant| grant.standing == Standing::Lost) {
            if is_meant(grant) {
                grant.standing = Standing::Ended;
            }
        }
    }

    /// What the node does not know of is lost; what it has stands, even if it was over.
    fn taken_over(&mut self, lock: &Text, held: Option<Owner>) {
        let newest = held.and_then(|owner| self.place_of(owner));
        for (place, grant) in self.in_order.iter_mut().enumerate() {
            if grant.lock != *lock {
                continue;
            }
            if Some(place) == newest {
                grant.standing = Standing::Stands;
            } else if grant.standing == Standing::Stands {
                grant.standing = Standing::Lost;
            }
        }
    }

    /// A holder whose key is put again under its own lease gets no second grant.
    fn grant(&mut self, lock: &Text, owner: Owner, event: &Event<Actor>) {
        let newest = self.in_order.iter().rev().find(|grant| grant.lock == *lock);
        if newest.is_some_and(|g| g.owner == owner && g.standing == Standing::Stands) {
            return;
        }
        self.in_order.push(Grant {
            lock: lock.clone(),
            owner,
            node: self.sessions.get(&owner).copied(),
            token: None,
            standing: Standing::Stands,
            granted: Witness::of(event),
        });
    }
}
