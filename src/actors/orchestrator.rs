//! Starts a clean worker elsewhere when one exits, as a container platform does.

use crate::actors::note::Note;
use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::{Mono, Span};
use serde::Serialize;

/// The orchestrator. All it knows is kept durably: a crash only makes it late.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Orchestrator {
    restart_after: Span,
    /// Machines that wait to be told to begin, the next one first.
    waiting: Vec<NodeId>,
    /// Ends it was told of. A machine ends once: what says so again is a repeat.
    ended: Vec<NodeId>,
    /// Replacements to come, the earliest first.
    due: Vec<Due>,
}

/// A machine takes over then.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Due {
    ended: NodeId,
    begins: NodeId,
    at: Mono,
}

impl Orchestrator {
    /// Tells the next of `replacements` to begin `restart_after` the end of a
    /// worker. When all are used up, an end is left at that.
    pub fn new(restart_after: Span, replacements: Vec<NodeId>) -> Orchestrator {
        Orchestrator { restart_after, waiting: replacements, ended: Vec::new(), due: Vec::new() }
    }

    /// Takes one input.
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start => self.set_timer(out),
            Input::Message { from, message: Message::Exited } => {
                self.ended(from, now.mono);
                self.set_timer(out);
            }
            Input::Timer(Timer::Replace) => {
                self.replace(now.mono, out);
                self.set_timer(out);
            }
            // A machine that does not run cannot be told.
            Input::Unreachable { .. } | Input::Set(_) | Input::Hears { .. } => {}
            Input::Message { .. } | Input::Timer(_) | Input::WorkDone => {
                unreachable!("an orchestrator is only told of ends")
            }
        }
    }

    /// Forgets nothing.
    pub fn crash(&mut self) {}

    /// The machines that still wait to be told to begin, the next one first.
    pub fn waiting(&self) -> &[NodeId] {
        &self.waiting
    }

    fn ended(&mut self, ended: NodeId, now: Mono) {
        if self.ended.contains(&ended) || self.waiting.is_empty() {
            return;
        }
        self.ended.push(ended);
        let begins = self.waiting.remove(0);
        self.due.push(Due { ended, begins, at: now + self.restart_after });
    }

    fn replace(&mut self, now: Mono, out: &mut Out<Actor>) {
        while let Some(&Due { ended, begins, at }) = self.due.first() {
            if at > now {
                break;
            }
            self.due.remove(0);
            out.note(Note::Replaced { ended, begins });
            out.send(begins, Message::Begin);
        }
    }

    fn set_timer(&self, out: &mut Out<Actor>) {
        if let Some(next) = self.due.first() {
            out.set_timer(Timer::Replace, next.at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::process::{Command, Draws};
    use crate::sim::time::Wall;

    const FIRST: NodeId = NodeId(1);
    const SECOND: NodeId = NodeId(2);

    fn orchestrator() -> Orchestrator {
        Orchestrator::new(Span::from_s(3), vec![NodeId(7), NodeId(8)])
    }

    /// Gives one input at a second; the commands, in words.
    #[track_caller]
    fn check(orchestrator: &mut Orchestrator, s: i64, input: Input<Actor>, expected: &[&str]) {
        let mut draws = Draws::new(1);
        let now = Now { mono: Mono(s * 1_000_000), wall: Wall(0) };
        let mut out = Out::new(NodeId(9), now, &mut draws);
        orchestrator.handle(input, now, &mut out);
        let said: Vec<String> = out
            .into_commands()
            .into_iter()
            .map(|command| match command {
                Command::SetTimer { timer: Timer::Replace, at } => {
                    format!("timer at {}", at.0 / 1_000_000)
                }
                Command::Send { to, message: Message::Begin } => format!("begin {}", to.0),
                Command::Note(noted) => match noted.note {
                    Note::Replaced { ended, begins } => {
                        format!("{} for {}", begins.0, ended.0)
                    }
                    note => panic!("not an orchestrator's: {note:?}"),
                },
                command => panic!("not an orchestrator's: {command:?}"),
            })
            .collect();
        assert_eq!(said, expected);
    }

    fn exited(from: NodeId) -> Input<Actor> {
        Input::Message { from, message: Message::Exited }
    }

    #[test]
    fn a_clean_worker_begins_some_time_after_one_has_exited() {
        let mut orchestrator = orchestrator();
        check(&mut orchestrator, 0, Input::Start, &[]);
        check(&mut orchestrator, 10, exited(FIRST), &["timer at 13"]);
        check(&mut orchestrator, 11, exited(SECOND), &["timer at 13"]);
        let fires = || Input::Timer(Timer::Replace);
        check(&mut orchestrator, 13, fires(), &["7 for 1", "begin 7", "timer at 14"]);
        check(&mut orchestrator, 14, fires(), &["8 for 2", "begin 8"]);
        assert_eq!(orchestrator.waiting(), []);
    }

    #[test]
    fn an_end_told_twice_is_one_end() {
        let mut orchestrator = orchestrator();
        check(&mut orchestrator, 10, exited(FIRST), &["timer at 13"]);
        check(&mut orchestrator, 11, exited(FIRST), &["timer at 13"]);
        let fires = Input::Timer(Timer::Replace);
        check(&mut orchestrator, 13, fires, &["7 for 1", "begin 7"]);
        check(&mut orchestrator, 14, exited(FIRST), &[]);
        assert_eq!(orchestrator.waiting(), [NodeId(8)]);
    }

    #[test]
    fn without_a_machine_left_nothing_follows_an_end() {
        let mut orchestrator = Orchestrator::new(Span::from_s(3), Vec::new());
        check(&mut orchestrator, 10, exited(FIRST), &[]);
    }

    #[test]
    fn a_crash_makes_a_replacement_late_at_most() {
        let mut orchestrator = orchestrator();
        check(&mut orchestrator, 10, exited(FIRST), &["timer at 13"]);
        orchestrator.crash();
        check(&mut orchestrator, 20, Input::Start, &["timer at 13"]);
        let fires = Input::Timer(Timer::Replace);
        check(&mut orchestrator, 20, fires, &["7 for 1", "begin 7"]);
    }
}
