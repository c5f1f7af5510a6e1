//! How a program ends: at its end, by stopping or by its process's exit; and what
//! its policy makes of a renewal that failed or a session that is over.

use super::calls::Ask;
use super::config::{OnRenewalFailure, StartOver, Step};
use super::program::{Doing, Grant, Holds, Program};
use super::redlock::For;
use super::session::Session;
use super::{Outbox, Worker, WorkerTimer, cancel_timer};
use crate::actors::Message;
use crate::actors::etcd::api::RequestId;
use crate::actors::fact::Fact;
use crate::actors::note::{BeliefEnd, StopReason, WorkerNote};
use crate::sim::process::NodeId;
use crate::sim::time::Mono;

/// What a worker's policy is asked about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Failure {
    /// A renewal failed.
    Renewal,
    /// The session is over.
    Session,
}

impl Worker {
    pub(super) fn end_belief(&mut self, why: BeliefEnd, out: &mut Outbox) {
        let Some(Grant { owner, .. }) = self.program.believed() else { return };
        self.program.holds = Holds::No;
        let lock = self.config.lock.clone();
        out.note(WorkerNote::BelievesNoMore { lock, owner, why }).because(Fact::Belief);
    }

    /// The program is past its last step. A session left open is closed on the way
    /// out, and with it goes a lock that was not released.
    pub(super) fn end(&mut self, now: Mono, out: &mut Outbox) {
        if self.session != Session::None {
            self.end_belief(BeliefEnd::Released, out);
            return self.close_session(now, out);
        }
        out.note(WorkerNote::Finished);
        self.member = 0;
        self.rest(Doing::Finished);
    }

    /// Stops before the end: the belief ends, and the session is given up without
    /// waiting for an answer.
    pub(super) fn stop(
        &mut self,
        belief_end: BeliefEnd,
        why: StopReason,
        now: Mono,
        out: &mut Outbox,
    ) {
        // After a refusal there is nothing left to give up at the store.
        if why != StopReason::Refused {
            self.hang_up(out);
        }
        self.drop_what_it_does(out);
        self.end_belief(belief_end, out);
        self.give_up_session(out);
        out.note(WorkerNote::Stopped { why });
        self.rest(Doing::Stopped(why));
        match self.config.policies.start_over {
            StartOver::No => self.member = 0,
            StartOver::Yes => self.begin(now, out),
        }
    }

    fn exit(&mut self, belief_end: BeliefEnd, out: &mut Outbox) {
        self.hang_up(out);
        self.drop_what_it_does(out);
        self.end_belief(belief_end, out);
        self.give_up_session(out);
        out.note(WorkerNote::Exits);
        if let Some(orchestrator) = self.config.orchestrator {
            out.send(orchestrator, Message::Exited);
        }
        out.exit();
        self.rest(Doing::Exited);
    }

    /// Keeps only the place at which the program ended.
    fn rest(&mut self, doing: Doing) {
        let at = self.program.at;
        self.program = Program::new(doing);
        self.program.at = at;
    }

    /// Closes the connection to the store if something is open there.
    fn hang_up(&self, out: &mut Outbox) {
        if let Some((to, message)) = self.last_words_to_store() {
            out.send(to, message);
        }
    }

    /// What its machine says when its process ends: the store is told if a call or an
    /// upload is under way. etcd finds a client gone when it has something to tell it.
    /// A ZooKeeper server and PostgreSQL are told that the connection is closed: the
    /// session of ZooKeeper is not.
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        let connection = self.zk().and_then(|zk| zk.client.farewell(&self.config.members));
        let closed = connection
            .map(|(server, number)| (server, Message::ZkClosed(number)))
            .or_else(|| self.hangs_up());
        self.last_words_to_store().into_iter().chain(closed).collect()
    }

    fn last_words_to_store(&self) -> Option<(NodeId, Message)> {
        let is_open = match &self.program.doing {
            Doing::Calls(call) => matches!(call.ask, Ask::Store(_)),
            // A member of etcd holds nothing for a write that has not come.
            Doing::Works => self.step() == Step::SlowWrite && self.config.guard.is_none(),
            _ => false,
        };
        let hangs_up = || (self.config.store, Message::HangsUp(RequestId(self.last_id)));
        is_open.then(hangs_up)
    }

    fn drop_what_it_does(&mut self, out: &mut Outbox) {
        match &self.program.doing {
            Doing::Calls(_) => {
                cancel_timer(out, WorkerTimer::CallTimeout);
                cancel_timer(out, WorkerTimer::Resend);
            }
            // A watch of ZooKeeper's is for one event, and ends with the connection.
            Doing::Waits(_) if self.config.recipe.is_for_zookeeper() => {
                cancel_timer(out, WorkerTimer::LookAgain);
            }
            Doing::Waits(_) => self.stop_watching(out),
            Doing::Polls => cancel_timer(out, WorkerTimer::LookAgain),
            Doing::Votes(_) => cancel_timer(out, WorkerTimer::CallTimeout),
            Doing::Idles => cancel_timer(out, WorkerTimer::Arrival),
            Doing::Works => out.stop_work(),
            Doing::NotBegun | Doing::Finished | Doing::Stopped(_) | Doing::Exited => {}
        }
    }

    /// Does what the policy says, unless the program is over or already gives the
    /// lock back.
    pub(super) fn apply_policy(&mut self, failure: Failure, now: Mono, out: &mut Outbox) {
        match &self.program.doing {
            Doing::Calls(call) if call.ask.gives_back() => return,
            Doing::Votes(round) if round.what == For::Release => return,
            Doing::Calls(_)
            | Doing::Waits(_)
            | Doing::Polls
            | Doing::Works
            | Doing::Votes(_)
            | Doing::Idles => {}
            Doing::NotBegun | Doing::Finished | Doing::Stopped(_) | Doing::Exited => return,
        }
        let (belief_end, why) = match failure {
            Failure::Renewal => (BeliefEnd::RenewalFailed, StopReason::RenewalFailed),
            Failure::Session => (BeliefEnd::SessionOver, StopReason::SessionOver),
        };
        match self.config.policies.on_renewal_failure {
            OnRenewalFailure::Exit => self.exit(belief_end, out),
            OnRenewalFailure::StopWork => self.stop(belief_end, why, now, out),
            OnRenewalFailure::CarryOn => {}
        }
    }

    /// Without a session there is no lock to be had: `CarryOn` stops as well.
    pub(super) fn no_session_to_lock_with(&mut self, now: Mono, out: &mut Outbox) {
        match self.config.policies.on_renewal_failure {
            OnRenewalFailure::Exit => self.exit(BeliefEnd::SessionOver, out),
            OnRenewalFailure::StopWork | OnRenewalFailure::CarryOn => {
                self.stop(BeliefEnd::SessionOver, StopReason::SessionOver, now, out);
            }
        }
    }
}
