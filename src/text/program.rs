//! A worker's program as lines of code, and where it stands in it. The lines are made
//! from the steps that it really takes.

use crate::actors::worker::config::{Recipe, ReleaseCheck, Step, WorkerConfig};
use crate::actors::worker::{self, Worker};
use crate::sim::time::Span;
use crate::sim::world;
use crate::text::amounts::span;

/// A line for each step.
pub fn lines(config: &WorkerConfig) -> Vec<String> {
    config.program.iter().map(|step| line(*step, config)).collect()
}

fn line(step: Step, config: &WorkerConfig) -> String {
    let token = if config.program.contains(&Step::DrawNumber) { "number" } else { "lock.token" };
    let lasting =
        |time: Span| if time > Span::ZERO { format!("  // {}", span(time)) } else { String::new() };
    match step {
        Step::DrawNumber => "let number = counter.next()?;".to_owned(),
        Step::Acquire => {
            let call = match config.recipe {
                Recipe::Queue => "acquire",
                Recipe::CreateIfAbsent => "create_if_absent",
                Recipe::GetThenPut => "get_then_put",
            };
            format!("let lock = etcd.{call}(key)?;")
        }
        Step::Claim => format!("let seen = store.claim({token})?;"),
        Step::Read => "let seen = store.read()?;".to_owned(),
        Step::Compute => format!("let report = scan(seen);{}", lasting(config.compute)),
        Step::Check => format!("session.check()?;{}", lasting(config.check)),
        Step::Write => format!("store.put(report, {token})?;"),
        Step::SlowWrite => {
            format!("store.put_slowly(report, {token})?;{}", lasting(config.upload))
        }
        Step::Release => match config.policies.release {
            ReleaseCheck::Owner => "lock.release()?;".to_owned(),
            ReleaseCheck::NameOnly => "etcd.delete(key)?;".to_owned(),
        },
    }
}

/// Where a worker stands in its program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Before the first line.
    Before,
    /// At a line, from 0.
    At(usize),
    /// After the last line, or out of the program.
    After,
}

/// Where a worker stands.
pub fn place(worker: &Worker) -> Place {
    match worker.status() {
        worker::Status::NotBegun => Place::Before,
        worker::Status::Finished | worker::Status::Exited => Place::After,
        // What stopped it was at a line.
        worker::Status::Running | worker::Status::Waiting | worker::Status::Stopped(_) => {
            let at = worker.step_index();
            if at < worker.program().len() { Place::At(at) } else { Place::After }
        }
    }
}

/// How it stands there, in a word or two.
pub fn standing(worker: &Worker, machine: world::Status) -> &'static str {
    match (machine, worker.status()) {
        (_, worker::Status::Finished) => "has finished",
        (_, worker::Status::Stopped(_)) => "has stopped here",
        (_, worker::Status::Exited) => "has exited",
        (world::Status::Down, _) => "does not run",
        (world::Status::Paused, _) => "is paused here",
        (world::Status::Suspended { .. }, _) => "is suspended here",
        (world::Status::Running, worker::Status::NotBegun) => "has not begun",
        (world::Status::Running, worker::Status::Waiting) => "waits here for the lock",
        (world::Status::Running, worker::Status::Running) => "is here",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::Actor;
    use crate::scenario::Scenario;
    use crate::sim::time::TrueTime;

    /// The lines of the first worker at a moment, with how it stands.
    #[track_caller]
    fn check(id: &str, at_s: i64, expected: &[&str]) {
        let scenario = Scenario::built_in(id).expect("built in");
        let mut replay = scenario.run().replay().expect("a run");
        replay.seek(TrueTime(at_s * 1_000_000));
        let world = &replay.moment().world;
        let node = world.node(scenario.names().find("W1").expect("a worker"));
        let Actor::Worker(worker) = &node.process else { panic!("W1 is a worker") };
        let mut lines = lines(worker.config());
        let standing = standing(worker, node.status);
        match place(worker) {
            Place::At(at) => lines[at].push_str(&format!(" <- {standing}")),
            Place::Before => lines.insert(0, format!("<- {standing}")),
            Place::After => lines.push(format!("<- {standing}")),
        }
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_program_is_shown_as_it_is_with_the_line_where_it_stands() {
        check(
            "reconcile",
            60,
            &[
                "let lock = etcd.acquire(key)?;",
                "let seen = store.claim(lock.token)?;",
                "let report = scan(seen);  // 28 s <- is paused here",
                "store.put(report, lock.token)?;",
                "lock.release()?;",
            ],
        );
        check(
            "reconcile",
            100,
            &[
                "let lock = etcd.acquire(key)?;",
                "let seen = store.claim(lock.token)?;",
                "let report = scan(seen);  // 28 s",
                "store.put(report, lock.token)?; <- has stopped here",
                "lock.release()?;",
            ],
        );
    }
}
