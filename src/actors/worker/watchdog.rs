//! The watchdog of a client of Redis, of a lock's row in PostgreSQL, of a session of Consul, or of
//! a lock's object:
//! it renews what it watches over, and asks again at once what was not answered. Libraries let it
//! begin again every third of the time to live, Consul's every half.

use super::config::{DeadlineFrom, RenewalCheck, half};
use super::consul::RENEW_AGAIN;
use super::ending::Failure;
use super::redlock::Round;
use super::session::{RECONNECT, Session};
use super::{Heartbeat, Outbox, Worker, WorkerTimer, cancel_timer, set_timer};
use crate::actors::Message;
use crate::actors::etcd::api::RequestId;
use crate::actors::fact::Fact;
use crate::actors::note::WorkerNote;
use crate::actors::objects::api::Op;
use crate::actors::redis::api::{Ask, Request, Script};
use crate::actors::store::api::Owner;
use crate::actors::{consul, objects, postgres};
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span};
use serde::Serialize;

/// A value in a key, as its client knows of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Key {
    /// The acquisition that the value names.
    pub owner: Owner,
    /// What the key's time is counted from, once it was taken.
    pub taken: Option<Mono>,
    /// The own deadline, once the lock was granted.
    pub deadline: Option<Mono>,
    pub watchdog: Watchdog,
}

/// How the next renewal stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum Watchdog {
    /// Nobody renews.
    Off,
    /// It falls due then.
    Due(Mono),
    /// It is due and was asked for, or would have been.
    Asks(Asks),
    /// It was due then, and independent nodes were asked.
    Votes { due: Mono, round: Round },
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Asks {
    /// When it fell due.
    pub due: Mono,
    /// When it was first asked for.
    pub since: Mono,
    /// Who was asked first.
    pub first: NodeId,
    /// The last request, and when it was sent.
    sent: Option<(RequestId, Mono)>,
}

/// What came of a renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Renewal {
    /// It is renewed.
    Done,
    /// It is not the client's own any more.
    NotOwn,
    /// It could not be asked for here.
    Failed,
}

impl Key {
    pub(super) fn new(owner: Owner) -> Key {
        Key { owner, taken: None, deadline: None, watchdog: Watchdog::Off }
    }
}

impl Worker {
    pub(super) fn key_mut(&mut self) -> Option<&mut Key> {
        match &mut self.session {
            Session::Key(key) => Some(key),
            _ => None,
        }
    }

    fn asks(&self) -> Option<Asks> {
        match &self.session {
            Session::Key(Key { watchdog: Watchdog::Asks(asks), .. }) => Some(*asks),
            _ => None,
        }
    }

    pub(super) fn interval(&self) -> Span {
        let ttl = Span::from_s(self.config.ttl_s);
        match self.config.policies.renew_interval {
            None if self.config.recipe.is_for_consul() => half(ttl),
            _ => self.config.policies.interval(ttl),
        }
    }

    /// The lock is granted: its time runs until a deadline, if the client has one, and the
    /// watchdog begins. It renews an interval after `from`, which is not longer ago.
    pub(super) fn watch_over(&mut self, deadline: Option<Mono>, from: Mono, out: &mut Outbox) {
        let (renews, due) = (self.config.policies.renewal, from + self.interval());
        let key = self.key_mut().expect("a lock is granted by its key");
        key.deadline = deadline;
        if renews != RenewalCheck::None {
            key.watchdog = Watchdog::Due(due);
            set_timer(out, WorkerTimer::Keepalive, due);
        }
        if let Some(deadline) = deadline {
            set_timer(out, WorkerTimer::Deadline, deadline);
        }
    }

    /// A renewal is due, or was not answered: asks, unless nothing may be sent. Then it
    /// sets no timer; what changes that does.
    pub(super) fn watchdog_wakes(&mut self, now: Mono, out: &mut Outbox) {
        if self.main_thread_hangs(now) {
            return;
        }
        let first = self.member_in_use();
        let unanswered = self.config.policies.renewal_unanswered;
        let Some(key) = self.key_mut() else { return };
        let (due, fails) = (key.watchdog, key.deadline.unwrap_or(now));
        match due {
            Watchdog::Off => return,
            Watchdog::Due(due) => {
                key.watchdog = Watchdog::Asks(Asks { due, since: now, first, sent: None });
                let fails = unanswered.map_or(fails, |allowed| now + allowed);
                set_timer(out, WorkerTimer::Unrenewed, fails);
            }
            // Nobody answered: the next, if there is one.
            Watchdog::Asks(Asks { sent: Some(_), .. }) if self.heartbeat == Heartbeat::Runs => {
                self.move_on(first, now);
            }
            Watchdog::Asks(_) => {}
            Watchdog::Votes { .. } => unreachable!("votes are counted elsewhere"),
        }
        if self.heartbeat == Heartbeat::Runs {
            self.ask_for_renewal(now, out);
        }
    }

    /// The same where nodes vote.
    pub(super) fn renewal_is_due(&mut self, now: Mono, out: &mut Outbox) {
        if !self.main_thread_hangs(now) {
            self.votes_for_renewal(now, out);
        }
    }

    fn ask_for_renewal(&mut self, now: Mono, out: &mut Outbox) {
        if self.config.recipe.is_for_objects() {
            let wall = out.clocks().wall;
            return self.ask_object(now, out, |worker, id| worker.lock_renewal(id, wall));
        }
        let (id, to) = self.renewal_number(now);
        if self.config.recipe.is_for_postgres() {
            let renewal = postgres::api::Ask::Run(self.row_renewal(out.clocks().wall));
            self.send_statement(id, renewal, out);
        } else if self.config.recipe.is_for_consul() {
            let ask = self.consul_renewal();
            out.send(to, Message::Consul(consul::api::Request { id, ask }));
        } else {
            let ttl_ms = self.ttl_ms();
            let ask = match self.config.policies.renewal {
                RenewalCheck::NameOnly => Ask::command(&["PEXPIRE", &self.config.lock, &ttl_ms]),
                _ => self.own_script(Script::CompareAndPexpire, Some(ttl_ms)),
            };
            out.send(to, Message::Redis(Request { id, ask }));
        }
        set_timer(out, WorkerTimer::Keepalive, now + self.config.policies.request_timeout);
    }

    /// A new request of the watchdog's, and to whom.
    fn renewal_number(&mut self, now: Mono) -> (RequestId, NodeId) {
        let (id, to) = (self.next_id(), self.member_in_use());
        if let Some(Key { watchdog: Watchdog::Asks(asks), .. }) = self.key_mut() {
            asks.sent = Some((id, now));
        }
        (id, to)
    }

    /// The watchdog asks this of the object store that has the lock.
    pub(super) fn ask_object(
        &mut self,
        now: Mono,
        out: &mut Outbox,
        op: impl FnOnce(&Worker, RequestId) -> Op,
    ) {
        let (id, to) = self.renewal_number(now);
        let op = op(self, id);
        out.send(to, Message::Objects(objects::api::Request { id, op }));
        set_timer(out, WorkerTimer::Keepalive, now + self.config.policies.request_timeout);
    }

    /// When the request of this number was sent, if it is the watchdog's.
    fn renewal_sent(&self, id: RequestId) -> Option<Mono> {
        self.asks()?.sent.filter(|(sent, _)| *sent == id).map(|(_, at)| at)
    }

    /// Whether the request of this number is the watchdog's.
    pub(super) fn is_renewal(&self, id: RequestId) -> bool {
        self.renewal_sent(id).is_some()
    }

    /// Takes the answer to a renewal; false when it is none.
    pub(super) fn renewal_answered(
        &mut self,
        from: NodeId,
        id: RequestId,
        renewal: Renewal,
        now: Mono,
        out: &mut Outbox,
    ) -> bool {
        let Some(sent_at) = self.renewal_sent(id) else { return false };
        match renewal {
            Renewal::Done => self.key_renewed(sent_at, now, out),
            Renewal::Failed => self.ask_another(from, now, out),
            Renewal::NotOwn => {
                self.lease_gone(out);
                self.apply_policy(Failure::Session, now, out);
            }
        }
        true
    }

    fn key_renewed(&mut self, sent_at: Mono, now: Mono, out: &mut Outbox) {
        let due = now + self.interval();
        let from = match self.config.policies.deadline_from {
            DeadlineFrom::BeforeRequest => sent_at,
            DeadlineFrom::Answer => now,
        };
        let deadline = from + Span::from_s(self.config.ttl_s);
        let key = self.key_mut().expect("only a key is renewed");
        key.deadline = Some(deadline);
        key.watchdog = Watchdog::Due(due);
        let lease = key.owner;
        out.note(WorkerNote::Renewed { lease }).sets(Fact::Session);
        cancel_timer(out, WorkerTimer::Unrenewed);
        set_timer(out, WorkerTimer::Keepalive, due);
        set_timer(out, WorkerTimer::Deadline, deadline);
    }

    /// Takes a renewal that came back; false when it is none.
    pub(super) fn renewal_failed(
        &mut self,
        id: RequestId,
        to: NodeId,
        now: Mono,
        out: &mut Outbox,
    ) -> bool {
        let is_renewal = self.renewal_sent(id).is_some();
        if is_renewal {
            self.ask_another(to, now, out);
        }
        is_renewal
    }

    /// The process that was asked is gone, and its machine says so.
    pub(super) fn watchdog_cut_off(&mut self, from: NodeId, now: Mono, out: &mut Outbox) {
        if self.asks().is_some_and(|asks| asks.sent.is_some()) && self.member_in_use() == from {
            self.ask_another(from, now, out);
        }
    }

    /// Asks the next node, a little later.
    fn ask_another(&mut self, from: NodeId, now: Mono, out: &mut Outbox) {
        self.move_on(from, now);
        let again = if self.config.recipe.is_for_consul() { RENEW_AGAIN } else { RECONNECT };
        if let Some(Key { watchdog: Watchdog::Asks(asks), .. }) = self.key_mut() {
            asks.sent = None;
            set_timer(out, WorkerTimer::Keepalive, now + again);
        }
    }

    /// What kept it from sending is over, if something did. What was asked before may
    /// have gone unanswered meanwhile; its answer has the time that it had.
    pub(super) fn watchdog_goes_on(&self, now: Mono, out: &mut Outbox) {
        let Session::Key(key) = &self.session else { return };
        let wakes = match key.watchdog {
            Watchdog::Due(due) => due.max(now),
            Watchdog::Asks(_) if self.heartbeat == Heartbeat::Blocked => return,
            Watchdog::Asks(Asks { sent, .. }) => {
                let timeout = self.config.policies.request_timeout;
                sent.map_or(now, |(_, at)| (at + timeout).max(now))
            }
            Watchdog::Votes { round, .. } => round.ends().max(now),
            Watchdog::Off => return,
        };
        set_timer(out, WorkerTimer::Keepalive, wakes);
    }
}
