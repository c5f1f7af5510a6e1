//! Sessions, as the leader tracks them, and applying the log: a session that was not
//! heard of for its timeout ends at the next tick, through the log.

use super::api::{Failure, Reply, SessionId, ZkError};
use super::peer::{Command, Txn};
use super::tree::Tree;
use super::{Role, Server, ZkTimer, cancel_timer, set_timer};
use crate::actors::Actor;
use crate::actors::etcd::Claimant;
use crate::actors::etcd::api::Text;
use crate::actors::fact::Fact;
use crate::actors::note::{EtcdNote, GrantEnd, LeaseEnd};
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::{Mono, Phase, Span};
use serde::Serialize;

/// A session, as the leader knows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Tracked {
    /// The tick at which it ends, unless it is heard of before.
    pub ends: Mono,
    /// The server to which its client is connected, once that is known.
    pub at: Option<NodeId>,
    /// Whether its end is in the log.
    pub is_closing: bool,
}

impl Server {
    /// The first tick after a session's timeout, counted from now.
    fn end_of(&self, timeout: Span, now: Mono) -> Mono {
        let ticks = self.ticks.expect("a process that runs has started");
        ticks.next(now + timeout + Span::from_us(1))
    }

    /// A call or a ping of this session came in here.
    pub(super) fn heard_of(&mut self, session: SessionId, now: Now, out: &mut Out<Actor>) {
        let half_tick = self.half_tick();
        let ticks = self.ticks;
        match &mut self.role {
            Role::Leading(_) => self.touch(session, now, out),
            Role::Following(following) => {
                if following.touched.is_empty() {
                    let started = ticks.expect("a process that runs has started").next(now.mono);
                    let tells = Phase::new(started, half_tick).next(now.mono);
                    set_timer(out, ZkTimer::Touch, tells);
                }
                if !following.touched.contains(&session) {
                    following.touched.push(session);
                }
            }
            Role::Looking(_) => {}
        }
    }

    /// A session was heard of: its whole timeout begins anew.
    pub(super) fn touch(&mut self, session: SessionId, now: Now, out: &mut Out<Actor>) {
        let Some(known) = self.disk.tree.sessions.get(&session) else { return };
        let ends = self.end_of(known.timeout, now.mono);
        let tracked = self.leading_mut().and_then(|leading| leading.sessions.get_mut(&session));
        let Some(tracked) = tracked.filter(|tracked| !tracked.is_closing) else { return };
        tracked.ends = tracked.ends.max(ends);
        self.wait_for_expiry(out);
    }

    /// A session comes to a server: its own, if the password is right.
    pub(super) fn attach(
        &mut self,
        session: SessionId,
        password: u64,
        via: NodeId,
        now: Now,
        out: &mut Out<Actor>,
    ) -> Result<Reply, Failure> {
        let known = self.disk.tree.sessions.get(&session).copied();
        let tracked = self.leading_mut().and_then(|leading| leading.sessions.get_mut(&session));
        match (known, tracked) {
            (Some(known), Some(tracked)) if !tracked.is_closing && known.password == password => {
                tracked.at = Some(via);
                self.touch(session, now, out);
                Ok(Reply::Connected { session, password, timeout: known.timeout })
            }
            _ => Err(ZkError::SessionExpired.into()),
        }
    }

    /// A new leader gives every session its whole timeout: nobody knows how much was left.
    pub(super) fn take_over_sessions(&mut self, now: Now, out: &mut Out<Actor>) {
        let tree = self.disk.tree.clone();
        let term = u64::from(self.disk.current);
        let mut note = out.note(EtcdNote::Leads { term }).sets(Fact::Leadership);
        for session in tree.sessions.keys() {
            note = note.sets(Fact::Lease(*session));
        }
        self.silent.iter().fold(note, |note, peer| note.silence_of(*peer));
        for (session, known) in tree.sessions.iter() {
            self.track(*session, known.timeout, None, now, out);
        }
        self.mind_containers(now, out);
    }

    fn track(
        &mut self,
        session: SessionId,
        timeout: Span,
        at: Option<NodeId>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let ends = self.end_of(timeout, now.mono);
        if let Some(leading) = self.leading_mut() {
            leading.sessions.insert(session, Tracked { ends, at, is_closing: false });
        }
        self.wait_for_expiry(out);
    }

    fn wait_for_expiry(&self, out: &mut Out<Actor>) {
        let Some(leading) = self.leading() else { return };
        let open = leading.sessions.values().filter(|tracked| !tracked.is_closing);
        match open.map(|tracked| tracked.ends).min() {
            Some(at) => set_timer(out, ZkTimer::Expiry, at),
            None => cancel_timer(out, ZkTimer::Expiry),
        }
    }

    /// A tick: sessions whose time is over are to end.
    pub(super) fn expire(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(leading) = self.leading() else { return };
        let is_over = |(session, tracked): (&SessionId, &Tracked)| {
            (!tracked.is_closing && tracked.ends <= now.mono).then_some(*session)
        };
        let over: Vec<SessionId> = leading.sessions.iter().filter_map(is_over).collect();
        for session in over {
            let client = self.disk.tree.sessions.get(&session).map(|known| known.client);
            let note = out
                .note(EtcdNote::LeaseOverdue { lease: session })
                .because(Fact::Lease(session))
                // A clock of its own that runs fast ends sessions early too.
                .silence_of(self.config.place);
            client.into_iter().fold(note, |note, client| note.silence_of(client));
            let tracked = self.leading_mut().and_then(|leading| leading.sessions.get_mut(&session));
            if let Some(tracked) = tracked {
                tracked.is_closing = true;
            }
            self.propose(Command::Close { session, why: LeaseEnd::Expired }, None, now, out);
        }
        self.wait_for_expiry(out);
    }

    /// While a container is empty, the leader waits for its next look.
    fn mind_containers(&self, now: Now, out: &mut Out<Actor>) {
        if self.leading().is_none() {
            return;
        }
        match self.disk.tree.empty_containers().is_empty() {
            true => cancel_timer(out, ZkTimer::Reap),
            false => {
                let reaps = self.reaps.expect("a process that runs has started");
                set_timer(out, ZkTimer::Reap, reaps.next(now.mono + Span::from_us(1)));
            }
        }
    }

    /// Empty containers are to go.
    pub(super) fn reap(&mut self, now: Now, out: &mut Out<Actor>) {
        for path in self.disk.tree.empty_containers() {
            self.propose(Command::Reap(path), None, now, out);
        }
        self.mind_containers(now, out);
    }

    /// Applies the next change of the log. Every server does it alike; the leader also
    /// notes what changed, and whoever has the client's connection answers.
    pub(super) fn apply_next(&mut self, now: Now, out: &mut Out<Actor>) {
        let txn = self.disk.tail.remove(0);
        self.disk.applied = txn.zxid;
        let leads = self.leading().is_some();
        let before = if leads { self.all_claimants() } else { Vec::new() };
        let mut changes = Vec::new();
        let result = self.apply(&txn, &mut changes);
        if leads {
            let index = txn.zxid.0 as u64;
            out.about_entry(index, |out| self.note(&txn, &result, &before, out));
        }
        self.tell_watches(&changes, out);
        self.follow_up(&txn, &result, now, out);
        if let Some(origin) = txn.origin.filter(|origin| origin.via == self.config.place) {
            self.deliver(origin.client, origin.request, result, now, out);
        }
        if let Command::Close { session, .. } = txn.command {
            self.close_session(session, out);
        }
    }

    fn apply(
        &mut self,
        txn: &Txn,
        changes: &mut Vec<super::tree::Change>,
    ) -> Result<Reply, Failure> {
        let zxid = txn.zxid;
        let tree = &mut self.disk.tree;
        match &txn.command {
            Command::Open { session, timeout, password } => {
                let (session, timeout, password) = (*session, *timeout, *password);
                let client = txn.origin.map_or(NodeId(0), |origin| origin.client);
                let opened = super::tree::Session { timeout, password, client };
                std::rc::Rc::make_mut(tree).sessions.insert(session, opened);
                Ok(Reply::Connected { session, password, timeout })
            }
            Command::Close { session, .. } => match Tree::close(tree, *session, zxid, changes) {
                true => Ok(Reply::Closed),
                false => Err(ZkError::SessionExpired.into()),
            },
            Command::Op { session, op } => Tree::apply(tree, op, *session, zxid, changes),
            Command::Reap(path) => {
                Tree::reap(tree, path, zxid, changes);
                Ok(Reply::Done)
            }
        }
    }

    /// What a leader does about sessions and containers once a change is applied.
    fn follow_up(
        &mut self,
        txn: &Txn,
        result: &Result<Reply, Failure>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if self.leading().is_none() || result.is_err() {
            return;
        }
        match &txn.command {
            Command::Open { session, timeout, .. } => {
                let via = txn.origin.map(|origin| origin.via);
                self.track(*session, *timeout, via, now, out);
            }
            Command::Close { session, .. } => {
                if let Some(leading) = self.leading_mut() {
                    leading.sessions.remove(session);
                }
                self.wait_for_expiry(out);
                self.mind_containers(now, out);
            }
            Command::Op { .. } | Command::Reap(_) => self.mind_containers(now, out),
        }
    }

    fn note(
        &self,
        txn: &Txn,
        result: &Result<Reply, Failure>,
        before: &[Vec<Claimant>],
        out: &mut Out<Actor>,
    ) {
        if result.is_err() {
            return;
        }
        let by = txn.origin.map_or(self.config.place, |origin| origin.client);
        match &txn.command {
            Command::Open { session, timeout, .. } => {
                let ttl_s = timeout.us() / 1_000_000;
                out.note(EtcdNote::LeaseGranted { lease: *session, ttl_s })
                    .sets(Fact::Lease(*session));
            }
            Command::Close { session, why } => {
                let (lease, why, revision) = (*session, *why, txn.zxid.0);
                out.note(EtcdNote::LeaseEnded { lease, why, revision }).because(Fact::Lease(lease));
                self.note_locks(before, GrantEnd::Lease(why), by, out);
            }
            Command::Op { .. } => {
                self.note_locks(before, GrantEnd::Deleted { by }, by, out);
            }
            Command::Reap(path) => {
                let lock = Fact::Lock(path.clone());
                let note = EtcdNote::Reaped { path: path.clone() };
                out.note(note).because(lock.clone()).sets(lock);
            }
        }
    }

    fn note_locks(
        &self,
        before: &[Vec<Claimant>],
        how: GrantEnd,
        by: NodeId,
        out: &mut Out<Actor>,
    ) {
        for (lock, before) in self.config.locks.iter().zip(before) {
            let after = self.claimants(lock);
            crate::actors::etcd::tell_lock(lock, before, &after, how, by, out);
        }
    }

    fn all_claimants(&self) -> Vec<Vec<Claimant>> {
        self.config.locks.iter().map(|lock: &Text| self.claimants(lock)).collect()
    }
}
