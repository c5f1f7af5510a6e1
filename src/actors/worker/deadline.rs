//! How a session ends: by the own deadline, by the policy for unanswered renewals,
//! by what etcd says, or by being closed.

use super::ending::Failure;
use super::session::{Open, Renewal, Session};
use super::watchdog::{Key, Watchdog};
use super::{Heartbeat, Outbox, Worker, WorkerTimer, cancel_timer};
use crate::actors::Message;
use crate::actors::etcd::api::{Op, Request};
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, WorkerNote};
use crate::sim::process::NodeId;
use crate::sim::time::Mono;

impl Worker {
    /// The client looks at its deadline, which has passed: an answer would have
    /// moved the look.
    pub(super) fn look_at_deadline(&mut self, now: Mono, out: &mut Outbox) {
        let deadline = self.session.deadline().expect("the look ends with the session");
        assert!(deadline <= now, "the first look after the deadline");
        let silent = self.silenced_by(out.node(), now);
        self.session_closes(SessionEnd::Deadline, &silent, out);
        self.apply_policy(Failure::Session, now, out);
    }

    /// A due renewal has gone unanswered as long as the policy allows; without a
    /// policy, until the deadline.
    pub(super) fn unrenewed(&mut self, now: Mono, out: &mut Outbox) {
        let Some(allowed) = self.config.policies.renewal_unanswered else {
            return self.look_at_deadline(now, out);
        };
        let since = match &self.session {
            Session::Open(Open { renewal: Renewal::Tried(tried), .. }) => tried.since,
            Session::Key(Key { watchdog: Watchdog::Asks(asks), .. }) => asks.since,
            _ => unreachable!("an answer cancels this timer"),
        };
        let silent = self.silenced_by_at(out.node(), since + allowed, now);
        let mut note = out.note(WorkerNote::RenewalFailed).because(Fact::Session);
        if self.heartbeat == Heartbeat::Blocked {
            note = note.because(Fact::Policy);
        }
        silent.into_iter().fold(note, |note, peer| note.silence_of(peer));
        self.apply_policy(Failure::Renewal, now, out);
    }

    /// Whose silence let the deadline pass.
    pub(super) fn silenced_by(&self, own: NodeId, now: Mono) -> Vec<NodeId> {
        match &self.session {
            Session::Open(open) => self.silenced_by_at(own, open.looks.next(open.deadline), now),
            Session::Key(key) => self.silenced_by_at(own, key.deadline.unwrap_or(now), now),
            Session::None | Session::Closed { .. } | Session::Zk(_) => Vec::new(),
        }
    }

    /// Whose silence keeps a renewal unanswered, noticed now and not before
    /// `expected`: the own, when a loop woke late or was blocked; that of the one for
    /// whose answer the main thread waits, when renewing waits for it; or else that of
    /// the members asked.
    fn silenced_by_at(&self, own: NodeId, expected: Mono, now: Mono) -> Vec<NodeId> {
        if self.main_thread_hangs(now) {
            return self.waits_for().into_iter().collect();
        }
        let open = match &self.session {
            Session::Open(open) => open,
            Session::Key(key) => return self.silenced_by_key(key, own, expected < now),
            Session::None | Session::Closed { .. } | Session::Zk(_) => return Vec::new(),
        };
        let tried = match open.renewal {
            Renewal::Due(_) => return vec![own],
            Renewal::Tried(tried) => tried,
        };
        let woke_late = expected < now || open.wakes.next(tried.due) < tried.since;
        if woke_late || self.heartbeat == Heartbeat::Blocked {
            return vec![own];
        }
        let mut members = vec![tried.first, self.member_in_use()];
        members.dedup();
        members
    }

    /// The same for a key: where nobody renews it, its time passes by itself.
    fn silenced_by_key(&self, key: &Key, own: NodeId, late: bool) -> Vec<NodeId> {
        let asks = match key.watchdog {
            Watchdog::Off if !late => return Vec::new(),
            Watchdog::Off | Watchdog::Due(_) => return vec![own],
            Watchdog::Asks(asks) => asks,
            Watchdog::Votes { .. } if late || self.heartbeat == Heartbeat::Blocked => {
                return vec![own];
            }
            Watchdog::Votes { round, .. } => return self.silent_in(round),
        };
        if late || asks.due < asks.since || self.heartbeat == Heartbeat::Blocked {
            return vec![own];
        }
        let mut nodes = vec![asks.first, self.member_in_use()];
        nodes.dedup();
        nodes
    }

    /// The session is over, and the client's loops with it.
    pub(super) fn session_closes(&mut self, why: SessionEnd, silent: &[NodeId], out: &mut Outbox) {
        let (lease, note) = match &self.session {
            Session::Open(Open { lease, .. }) => {
                (*lease, WorkerNote::SessionClosed { lease: *lease, why })
            }
            Session::Key(key) if self.config.recipe.is_for_consul() => {
                (key.owner, WorkerNote::SessionClosed { lease: key.owner, why })
            }
            Session::Key(key) => (key.owner, WorkerNote::HoldOver { lease: key.owner, why }),
            Session::Zk(zk) => {
                let lease = zk.client.session().expect("only a session closes");
                (lease, WorkerNote::SessionClosed { lease, why })
            }
            Session::None | Session::Closed { .. } => unreachable!("only an open one closes"),
        };
        let own = out.node();
        let mut note = out.note(note).because(Fact::Session);
        if why == SessionEnd::Deadline {
            note = note.rate_of(own);
        }
        silent.iter().fold(note, |note, peer| note.silence_of(*peer));
        for timer in [WorkerTimer::Keepalive, WorkerTimer::Deadline, WorkerTimer::Unrenewed] {
            cancel_timer(out, timer);
        }
        if let Session::Zk(_) = self.session {
            cancel_timer(out, WorkerTimer::Connect);
            cancel_timer(out, WorkerTimer::Lost);
        }
        self.session = Session::Closed { lease, why };
    }

    /// The lease is gone, as etcd said: in the answer to a keepalive or to a call.
    pub(super) fn lease_gone(&mut self, out: &mut Outbox) {
        if matches!(self.session, Session::Open(_) | Session::Key(_)) {
            self.session_closes(SessionEnd::LeaseGone, &[], out);
        }
    }

    /// Closes the session without waiting for an answer. One that the client gave
    /// up on may live on at the server, so its lease is revoked too.
    pub(super) fn give_up_session(&mut self, out: &mut Outbox) {
        if self.config.recipe.is_for_redis() {
            return self.give_up_key(out);
        }
        if self.config.recipe.is_for_zookeeper() {
            return self.give_up_zk(out);
        }
        if self.config.recipe.is_for_consul() {
            return self.give_up_consul(out);
        }
        if self.config.recipe.is_for_postgres() {
            return self.give_up_connection(out);
        }
        if self.config.recipe.is_for_objects() {
            return self.give_up_object(out);
        }
        if matches!(self.session, Session::Open(_)) {
            self.session_closes(SessionEnd::Closed, &[], out);
        }
        match self.session {
            Session::Closed { why: SessionEnd::LeaseGone | SessionEnd::Disconnected, .. }
            | Session::None => {}
            Session::Closed { lease, .. } => {
                let (id, to) = (self.next_id(), self.member_in_use());
                out.send(to, Message::Etcd(Request { id, op: Op::LeaseRevoke { lease } }));
            }
            Session::Open(_) | Session::Key(_) | Session::Zk(_) => {
                unreachable!("it was closed just above")
            }
        }
        self.session = Session::None;
    }
}
