//! What can be looked at from outside, and what is told in notes. Nothing here influences a
//! step.
//!
//! Sessions are told as leases, and the token of a grant is the key's `ModifyIndex`.

use super::Server;
use super::api::{Entry, Index, Kv, NewSession, SessionId, Text, Verb};
use super::config::ConsulConfig;
use super::state::{Made, Outcome};
use crate::actors::etcd::Part;
use crate::actors::note::{ConsulNote, EtcdNote, GrantEnd, Lasts, LeaseEnd, LockNote};
use crate::actors::{Actor, Fact};
use crate::sim::process::{NodeId, Out};
use crate::sim::time::{Mono, Span};

/// A session, as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// Its number.
    pub session: SessionId,
    /// What it is like.
    pub made: NewSession,
    /// When it is invalidated, by the server's monotonic clock; only a leader knows.
    pub ends: Option<Mono>,
}

impl Server {
    /// What it was told when it was set up.
    pub fn config(&self) -> &ConsulConfig {
        &self.config
    }

    /// Whether it leads.
    pub fn part(&self) -> Part {
        self.raft.part()
    }

    /// The leader it knows of, itself perhaps, heard or not.
    pub fn leader(&self) -> Option<NodeId> {
        self.raft.leader()
    }

    /// The place of the last change in its log.
    pub fn index(&self) -> Index {
        self.raft.carried().index
    }

    /// A key.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.raft.carried().keys.values().find(|entry| *entry.key == *key)
    }

    /// Its sessions, by number.
    pub fn sessions(&self) -> impl Iterator<Item = SessionView> + '_ {
        self.raft.carried().sessions.iter().map(|(session, known)| SessionView {
            session: *session,
            made: known.made,
            ends: self.ends.get(session).copied(),
        })
    }

    /// Until when a key cannot be taken, by the server's monotonic clock.
    pub fn delayed_until(&self, key: &str) -> Option<Mono> {
        self.delays.iter().find(|(delayed, _)| ***delayed == *key).map(|(_, until)| *until)
    }

    fn told(&self) -> Option<&Text> {
        self.config.lock.as_ref()
    }

    pub(super) fn tell_restarted(&self, out: &mut Out<Actor>) {
        out.note(ConsulNote::Restarted).sets(Fact::Leadership);
    }

    pub(super) fn tell_no_leader(&self, out: &mut Out<Actor>) {
        let note = out.note(ConsulNote::NoLeader).because(Fact::Leadership);
        self.leader().into_iter().fold(note, |note, leader| note.silence_of(leader));
    }

    /// What an entry of the log has come to.
    pub(super) fn tell_outcome(&self, outcome: &Outcome, out: &mut Out<Actor>) {
        match &outcome.made {
            Made::Created(session, made) => self.tell_created(*session, *made, out),
            Made::Ended(.., None) => {}
            Made::Ended(session, why, Some((delay, held))) => {
                self.tell_ended(*session, *why, outcome, out);
                for key in held.iter().filter(|_| *delay > Span::ZERO) {
                    self.tell_delay(key, *delay, out);
                }
            }
            Made::Kv(_) | Made::Txn(_) => self.tell_changed(outcome, out),
        }
    }

    fn tell_created(&self, lease: SessionId, made: NewSession, out: &mut Out<Actor>) {
        let ttl_s = made.ttl.us() / 1_000_000;
        out.note(EtcdNote::LeaseGranted { lease, ttl_s })
            .sets(Fact::Lease(lease))
            .sets(Fact::Queued(lease));
    }

    pub(super) fn tell_renewed(&self, lease: SessionId, out: &mut Out<Actor>) {
        out.note(EtcdNote::LeaseRenewed { lease }).sets(Fact::Lease(lease));
    }

    pub(super) fn tell_overdue(&self, lease: SessionId, out: &mut Out<Actor>) {
        let client = self.raft.carried().sessions.get(&lease).map(|known| known.client);
        let note = out
            .note(EtcdNote::LeaseOverdue { lease })
            .because(Fact::Lease(lease))
            // A clock of its own that runs fast ends sessions early too.
            .silence_of(self.config.place)
            // A client that gave up says nothing: what silenced it last, in all of the session.
            .since(Fact::Queued(lease));
        client.into_iter().fold(note, |note, client| note.silence_of(client));
    }

    fn tell_ended(&self, lease: SessionId, why: LeaseEnd, outcome: &Outcome, out: &mut Out<Actor>) {
        let revision = outcome.index;
        out.note(EtcdNote::LeaseEnded { lease, why, revision }).because(Fact::Lease(lease));
        if outcome.before == Some(lease) {
            self.tell_let_go(lease, GrantEnd::Lease(why), out);
        }
    }

    fn tell_let_go(&self, lease: SessionId, how: GrantEnd, out: &mut Out<Actor>) {
        let Some(lock) = self.told() else { return };
        let fact = Fact::Lock(lock.clone());
        let note = LockNote::Ended { lock: lock.clone(), lease, how };
        out.note(note).because(fact.clone()).sets(fact);
    }

    /// What a change of keys has made of the told lock.
    fn tell_changed(&self, outcome: &Outcome, out: &mut Out<Actor>) {
        let Outcome { before, after, token, by, .. } = *outcome;
        if before == after {
            return;
        }
        if let Some(lease) = before {
            self.tell_let_go(lease, GrantEnd::Deleted { by }, out);
        }
        let (Some(lease), Some(lock)) = (after, self.told()) else { return };
        let fact = Fact::Lock(lock.clone());
        let lasts = Lasts::Lease;
        out.note(LockNote::Granted { lock: lock.clone(), lease, token, lasts })
            .because(fact.clone())
            .because(Fact::Lease(lease))
            .sets(fact);
    }

    /// A lock-delay begins.
    fn tell_delay(&self, key: &Text, lasts: Span, out: &mut Out<Actor>) {
        if self.told() == Some(key) {
            let fact = Fact::Lock(key.clone());
            out.note(ConsulNote::DelayBegins { lock: key.clone(), lasts }).sets(fact);
        }
    }

    /// It refuses because of one.
    pub(super) fn tell_delayed(&self, kv: &Kv, out: &mut Out<Actor>) {
        if let (Verb::Acquire(_, lease), true) = (&kv.verb, self.told() == Some(&kv.key)) {
            let (lock, lease) = (kv.key.clone(), *lease);
            let fact = Fact::Lock(lock.clone());
            out.note(ConsulNote::Delayed { lock, lease }).because(fact);
        }
    }

    pub(super) fn tell_delay_over(&self, key: Text, out: &mut Out<Actor>) {
        if self.reign.is_some() && self.told() == Some(&key) {
            let fact = Fact::Lock(key.clone());
            let note = ConsulNote::DelayOver { lock: key };
            out.note(note).because(fact.clone()).sets(fact);
        }
    }
}
