//! Who holds a lock, read from its key, and the notes that tell of its changes. Nothing
//! here influences a step.
//!
//! A key's value names the acquisition: it is the random value that the client drew.

use super::Node;
use super::api::Text;
use super::config::Says;
use super::keys::Entry;
use crate::actors::note::{GrantEnd, Lasts, LockNote, RedisNote};
use crate::actors::store::api::{Owner, Token};
use crate::actors::{Actor, Fact, Note};
use crate::sim::process::{NodeId, Out};
use crate::sim::time::{Span, Wall};

/// Whose a lock's key is, and until when.
#[derive(Clone, Debug, PartialEq)]
pub struct Holder {
    /// The acquisition.
    pub lease: Owner,
    /// The key's entry.
    pub entry: Entry,
}

impl Holder {
    /// How long it holds from now on, by the node's clock.
    fn left(&self, now: Wall) -> Option<Span> {
        self.entry.expires.map(|expires| expires - now)
    }
}

/// The value by which a client names its acquisition.
pub fn value_of(lease: Owner) -> Text {
    format!("{:x}", lease.0).into()
}

/// The acquisition that a value names.
pub fn lease_of(value: &str) -> Option<Owner> {
    u64::from_str_radix(value, 16).ok().map(crate::actors::etcd::api::LeaseId)
}

impl Node {
    /// Whose a lock's key is.
    pub fn holder(&self, lock: &str) -> Option<Holder> {
        let entry = self.keys.get(lock)?;
        Some(Holder { lease: lease_of(&entry.value)?, entry: entry.clone() })
    }

    /// Who holds each lock that is told of.
    pub(super) fn holders(&self) -> Vec<Option<Holder>> {
        self.config.locks.iter().map(|lock| self.holder(lock)).collect()
    }

    /// What a command has made of the locks; a lock that is taken may come with a token.
    pub(super) fn tell(
        &self,
        before: &[Option<Holder>],
        by: NodeId,
        (token, now): (Token, Wall),
        out: &mut Out<Actor>,
    ) {
        for (lock, before) in self.config.locks.iter().zip(before) {
            let after = self.holder(lock);
            match (before, after) {
                (Some(old), Some(new)) if old.lease == new.lease => {
                    if old.entry.expires != new.entry.expires {
                        let (lock, lease, left) = (lock.clone(), new.lease, new.left(now));
                        out.note(RedisNote::Renewed { lock, lease, left }).sets(Fact::Lease(lease));
                    }
                }
                (old, new) => {
                    if let Some(old) = old {
                        let how = match new {
                            Some(_) => GrantEnd::Overwritten { by },
                            None => GrantEnd::Deleted { by },
                        };
                        self.tell_ended(lock, old.lease, how, out);
                    }
                    if let Some(new) = new {
                        self.tell_taken(lock, &new, (token, now), out);
                    }
                }
            }
        }
    }

    /// The lock's key is an acquisition's from now on.
    fn tell_taken(
        &self,
        lock: &Text,
        new: &Holder,
        (token, now): (Token, Wall),
        out: &mut Out<Actor>,
    ) {
        let (lock, lease, left) = (lock.clone(), new.lease, new.left(now));
        let fact = Fact::Lock(lock.clone());
        let note: Note = match self.config.says {
            Says::WhoseItIs => {
                LockNote::Granted { lock, lease, token, lasts: Lasts::Key { left } }.into()
            }
            Says::ItsVote { quorum } => RedisNote::Voted { lock, lease, left, quorum }.into(),
        };
        out.note(note).because(fact.clone()).sets(fact).sets(Fact::Lease(lease));
    }

    fn tell_ended(&self, lock: &Text, lease: Owner, how: GrantEnd, out: &mut Out<Actor>) {
        let (lock, fact) = (lock.clone(), Fact::Lock(lock.clone()));
        let note: Note = match self.config.says {
            Says::WhoseItIs => LockNote::Ended { lock, lease, how }.into(),
            Says::ItsVote { .. } => RedisNote::VoteEnded { lock, lease, how }.into(),
        };
        out.note(note).because(fact.clone()).sets(fact);
    }

    /// What died of age. Its client may have been silent, and the own clock wrong.
    pub(super) fn tell_expired(&self, before: &[Option<Holder>], out: &mut Out<Actor>) {
        for (lock, before) in self.config.locks.iter().zip(before) {
            let Some(old) = before.as_ref().filter(|_| self.holder(lock).is_none()) else {
                continue;
            };
            let lease = old.lease;
            out.note(RedisNote::Expired { lock: lock.clone(), lease })
                .because(Fact::Lease(lease))
                .silence_of(old.entry.by)
                .silence_of(self.config.place);
            self.tell_ended(lock, lease, GrantEnd::KeyExpired, out);
        }
    }

    /// It answers for the locks from now on, with what it has.
    pub(super) fn tell_taken_over(&self, now: Wall, out: &mut Out<Actor>) {
        for lock in &self.config.locks {
            let holder = self.holder(lock);
            if let Says::ItsVote { .. } = self.config.says {
                // One without a key has said so by starting again.
                if let Some(holder) = holder {
                    self.tell_taken(lock, &holder, (0, now), out);
                }
                continue;
            }
            let left = holder.as_ref().and_then(|holder| holder.left(now));
            let lease = holder.map(|holder| holder.lease);
            let fact = Fact::Lock(lock.clone());
            let lasts = Lasts::Key { left };
            out.note(LockNote::TakenOver { lock: lock.clone(), lease, lasts })
                .because(Fact::Leadership)
                .because(fact.clone())
                .sets(fact);
        }
    }

    /// It answers for the locks no more, and forgets what it has.
    pub(super) fn tell_handed_over(&self, out: &mut Out<Actor>) {
        for lock in &self.config.locks {
            let Some(Holder { lease, .. }) = self.holder(lock) else { continue };
            let fact = Fact::Lock(lock.clone());
            out.note(LockNote::HandedOver { lock: lock.clone(), lease })
                .because(Fact::Leadership)
                .because(fact.clone())
                .sets(fact);
        }
    }

    /// A node that takes writes has started again.
    pub(super) fn tell_loaded(&self, now: Wall, out: &mut Out<Actor>) {
        let keys = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        let note = out.note(RedisNote::Loaded { keys }).sets(Fact::Leadership);
        // What it votes from now on rests on what it has forgotten.
        let locks = self.config.locks.iter().filter(|_| self.config.says != Says::WhoseItIs);
        locks.fold(note, |note, lock| note.sets(Fact::Lock(lock.clone())));
        self.tell_taken_over(now, out);
    }
}
