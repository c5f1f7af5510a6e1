//! What a worker shows of itself to those who look: nothing here changes it.

use super::config::{Step, WorkerConfig};
use super::program::Doing;
use super::redlock::For;
use super::{Belief, Heartbeat, SessionView, Status, Worker};

impl Worker {
    /// What it was told to do, with its policies as they are now.
    pub fn config(&self) -> &WorkerConfig {
        &self.config
    }

    /// Whether its heartbeat runs.
    pub fn heartbeat(&self) -> Heartbeat {
        self.heartbeat
    }

    /// Its program.
    pub fn program(&self) -> &[Step] {
        &self.config.program
    }

    /// The place of its present step in the program: the program's length when it
    /// is past the last one.
    pub fn step_index(&self) -> usize {
        usize::from(self.program.at)
    }

    /// What it believes to hold, if it believes so.
    pub fn belief(&self) -> Option<Belief> {
        let grant = self.program.believed()?;
        let lock = self.config.lock.clone();
        Some(Belief { lock, token: grant.token, owner: grant.owner })
    }

    /// Its client's session, if it has or had one.
    pub fn session(&self) -> Option<SessionView> {
        self.session.view()
    }

    /// Where its program stands.
    pub fn status(&self) -> Status {
        match &self.program.doing {
            Doing::NotBegun => Status::NotBegun,
            Doing::Calls(call) if call.ask.waits_for_others() => Status::Waiting,
            Doing::Votes(round) if round.what == For::TakingAgain => Status::Waiting,
            Doing::Calls(_) | Doing::Works | Doing::Votes(_) | Doing::Idles => Status::Running,
            Doing::Waits(_) | Doing::Polls => Status::Waiting,
            Doing::Finished => Status::Finished,
            Doing::Stopped(why) => Status::Stopped(*why),
            Doing::Exited => Status::Exited,
        }
    }
}
