//! The connection of a client of ZooKeeper: when it wants something, when it is gone, and
//! what Curator makes of that, which is SUSPENDED and LOST.

use super::calls::Ask;
use super::config::StopsAt;
use super::ending::Failure;
use super::program::Doing;
use super::session::Session;
use super::{Heartbeat, Outbox, Worker, WorkerTimer, cancel_timer, set_timer};
use crate::actors::Timer;
use crate::actors::etcd::api::RequestId;
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, WorkerNote};
use crate::actors::zookeeper::client::Change;
use crate::sim::process::NodeId;
use crate::sim::time::Mono;

impl Worker {
    /// Sets the timers to when the connection wants something next.
    pub(super) fn zk_mind_wakes(&self, out: &mut Outbox) {
        let client = self.zk().map(|zk| &zk.client);
        let is_up = self.zk_is_connected();
        let wakes = client.and_then(|client| match self.heartbeat {
            // Whoever sends no pings still finds the connection silent.
            Heartbeat::Blocked if is_up => client.gives_up(),
            _ => client.next_wake(),
        });
        let (set, cancelled) = match is_up {
            true => (WorkerTimer::Keepalive, WorkerTimer::Connect),
            false => (WorkerTimer::Connect, WorkerTimer::Keepalive),
        };
        cancel_timer(out, cancelled);
        match wakes {
            Some(at) => set_timer(out, set, at),
            None => cancel_timer(out, set),
        }
    }

    /// A call is sent: no ping is due for a while.
    pub(super) fn zk_sends(&mut self, now: Mono, out: &mut Outbox) {
        if let Some(zk) = self.zk_mut() {
            zk.client.sends(now);
            self.zk_mind_wakes(out);
        }
    }

    /// The connection wants something: a ping, another server, an end.
    pub(super) fn zk_wakes(&mut self, now: Mono, out: &mut Outbox) {
        let members = self.config.members.clone();
        let own = out.node();
        let Some(zk) = self.zk_mut() else { return };
        let (server, gives_up) = (zk.client.server(&members), zk.client.gives_up());
        let (sends, change) = zk.client.wake(&members, now);
        self.zk_send(sends, out);
        if change == Some(Change::Disconnected) {
            // Found late, the silence was the own one.
            let late = gives_up.is_some_and(|at| at < now) || self.heartbeat == Heartbeat::Blocked;
            self.suspended(&[if late { own } else { server }], now, out);
        }
        self.zk_mind_wakes(out);
    }

    /// A server closed the connection over which this call went, or nothing runs there.
    pub(super) fn zk_closed(&mut self, from: NodeId, call: RequestId, now: Mono, out: &mut Outbox) {
        let members = self.config.members.clone();
        let Some(zk) = self.zk_mut() else { return };
        if zk.client.closed(from, call, &members, now) == Some(Change::Disconnected) {
            self.suspended(&[], now, out);
        }
        self.zk_mind_wakes(out);
    }

    /// A call has gone unanswered as long as the policy allows: the client breaks the
    /// connection, and asks again over the next.
    pub(super) fn zk_timed_out(&mut self, attempts: u32, now: Mono, out: &mut Outbox) {
        let members = self.config.members.clone();
        let Some(zk) = self.zk_mut() else { return };
        let server = zk.client.server(&members);
        let Some(hangup) = zk.client.break_off(&members, now) else { return };
        let note = WorkerNote::Unanswered { step: self.step(), attempts };
        out.note(note).because(Fact::Call).sets(Fact::Call).silence_of(server);
        self.zk_send(Some(hangup), out);
        self.suspended(&[server], now, out);
        self.zk_mind_wakes(out);
    }

    /// The connection is gone. By the wall clock, as Curator counts, it is lost when it
    /// has been gone for a session timeout.
    pub(super) fn suspended(&mut self, silent: &[NodeId], now: Mono, out: &mut Outbox) {
        let Some(zk) = self.zk() else { return };
        let Some(lease) = zk.client.session() else { return };
        let lost = out.clocks().wall + zk.client.timeout();
        let note = out.note(WorkerNote::Suspended { lease }).because(Fact::Session);
        silent.iter().fold(note, |note, peer| note.silence_of(*peer)).sets(Fact::Session);
        // What was asked is not answered any more; over the next connection it is asked anew.
        if matches!(&self.program.doing, Doing::Calls(call) if matches!(call.ask, Ask::Zk(_))) {
            cancel_timer(out, WorkerTimer::CallTimeout);
        }
        out.set_wall_timer(Timer::Worker(WorkerTimer::Lost), lost);
        // Whoever waits goes on waiting.
        if self.config.policies.stops_at == StopsAt::Suspended && self.program.believed().is_some()
        {
            self.apply_policy(Failure::Renewal, now, out);
        }
    }

    /// It has been without a connection for a session timeout.
    pub(super) fn zk_lost(&mut self, now: Mono, out: &mut Outbox) {
        if self.zk().is_some() && !self.zk_is_connected() {
            self.zk_over(SessionEnd::Deadline, now, out);
        }
    }

    /// The session is over, as far as the client can know.
    pub(super) fn zk_over(&mut self, why: SessionEnd, now: Mono, out: &mut Outbox) {
        // The wall clock by which it counted to LOST may have been set since.
        let own = Some(out.node()).filter(|_| why == SessionEnd::Deadline);
        self.session_closes(why, own.as_slice(), out);
        let gave_back = matches!(&self.program.doing, Doing::Calls(call) if call.ask.gives_back());
        self.apply_policy(Failure::Session, now, out);
        // A program that begins anew has a new one by now.
        if !matches!(self.session, Session::Closed { .. }) {
            return;
        }
        match &self.program.doing {
            Doing::Calls(call) if matches!(call.ask, Ask::Zk(_)) => {
                cancel_timer(out, WorkerTimer::CallTimeout);
                match gave_back {
                    true => self.session_is_closed(now, out),
                    false => self.no_session_to_lock_with(now, out),
                }
            }
            Doing::Waits(_) => self.no_session_to_lock_with(now, out),
            _ => {}
        }
    }
}
