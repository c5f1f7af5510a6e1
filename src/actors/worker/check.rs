//! What a program sees that looks at its session before it writes.

use super::session::Session;
use super::watchdog::Key;
use super::{Outbox, Worker};
use crate::actors::fact::Fact;
use crate::actors::note::{BeliefEnd, CheckOutcome, StopReason, WorkerNote};
use crate::sim::time::Mono;

impl Worker {
    /// Looks first and goes on later: what the look saw can be over by then.
    pub(super) fn check(&mut self, now: Mono, out: &mut Outbox) {
        let outcome = self.looks_at_session(now);
        let own = out.node();
        let silent = match outcome {
            CheckOutcome::DeadlinePassed => self.silenced_by(own, now),
            _ => Vec::new(),
        };
        let note = out.note(WorkerNote::Checked { outcome }).because(Fact::Session).rate_of(own);
        silent.into_iter().fold(note, |note, peer| note.silence_of(peer));
        match outcome.allows() {
            true => self.work(self.config.check, now, out),
            false => self.stop(BeliefEnd::CheckFailed, StopReason::CheckFailed, now, out),
        }
    }

    fn looks_at_session(&self, now: Mono) -> CheckOutcome {
        let deadline = match &self.session {
            Session::None | Session::Closed { .. } => return CheckOutcome::SessionOver,
            // Curator asks for the state of the connection, and not for the time.
            Session::Zk(_) if self.zk_is_connected() => return CheckOutcome::Connected,
            Session::Zk(_) => return CheckOutcome::NotConnected,
            Session::Open(open) => Some(open.deadline),
            // A lock that was not granted has no time yet.
            Session::Key(Key { taken: None, .. }) => return CheckOutcome::SessionOver,
            Session::Key(key) => key.deadline,
        };
        match deadline {
            None => CheckOutcome::NoDeadline,
            Some(deadline) if now < deadline => CheckOutcome::StillMine,
            Some(_) => CheckOutcome::DeadlinePassed,
        }
    }
}
