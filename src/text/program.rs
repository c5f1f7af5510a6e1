//! A worker's program as lines of code, and where it stands in it. The lines are made
//! from the steps that it really takes.

mod spelling;
#[cfg(test)]
mod tests;

use crate::actors::etcd::api::Text;
use crate::actors::worker::config::{
    ConsulToken, Guard, ObjectRelease, ObjectsClient, PgToken, Puts, Recipe, ReleaseCheck, Step,
    WorkerConfig,
};
use crate::actors::worker::{self, Worker};
use crate::content::Choice;
use crate::sim::time::Span;
use crate::sim::world;
use crate::text::amounts;
use spelling::{GO, JAVA, PYTHON, RUST, Spelling};

/// What a program is spelled in: it is the same program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Rust.
    #[default]
    Rust,
    /// Java.
    Java,
    /// Go.
    Go,
    /// Python.
    Python,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::Rust, Language::Java, Language::Go, Language::Python];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "Rust",
            Language::Java => "Java",
            Language::Go => "Go",
            Language::Python => "Python",
        }
    }

    fn spelling(self) -> &'static Spelling {
        match self {
            Language::Rust => &RUST,
            Language::Java => &JAVA,
            Language::Go => &GO,
            Language::Python => &PYTHON,
        }
    }

    /// What ends the program when a call fails: a word of code, if there is one, and
    /// the rest of the sentence.
    pub fn on_error(self) -> (&'static str, &'static str) {
        self.spelling().on_error
    }
}

/// A line for each step.
pub fn lines(config: &WorkerConfig, language: Language) -> Vec<String> {
    let spelling = language.spelling();
    let line = |(place, step): (usize, &Step)| {
        about(line(*step, config, spelling), config.object_at(place))
    };
    config.program.iter().enumerate().map(line).collect()
}

/// Names the object in a call of the store: after the context, where there is one.
fn about(line: String, object: Option<&Text>) -> String {
    let call = line.find("store.").and_then(|at| line[at..].find('(').map(|end| at + end + 1));
    let (Some(at), Some(object)) = (call, object) else { return line };
    let (before, rest) = line.split_at(at);
    let (context, rest) = match rest.strip_prefix("ctx") {
        Some(rest) => ("ctx, ", rest.trim_start_matches(", ")),
        None => ("", rest),
    };
    let comma = if rest.starts_with(')') { "" } else { ", " };
    format!("{before}{context}\"{object}\"{comma}{rest}")
}

fn line(step: Step, config: &WorkerConfig, spelling: &Spelling) -> String {
    let is_drawn = config.program.contains(&Step::DrawNumber);
    let drawn = drawn(config, spelling);
    let token = match drawn {
        _ if is_drawn => "number",
        Some(_) => "token",
        None => spelling.token,
    };
    let (template, lasting) = match step {
        Step::DrawNumber => (spelling.draw, Span::ZERO),
        Step::Acquire => (spelling.lock, Span::ZERO),
        Step::Take => (spelling.take, Span::ZERO),
        Step::Claim => (spelling.claim, Span::ZERO),
        Step::Read => (spelling.read, Span::ZERO),
        Step::Compute => (spelling.compute, config.compute),
        Step::Check => (spelling.check, config.check),
        Step::Write => (spelling.write, Span::ZERO),
        Step::SlowWrite => (spelling.slow_write, config.upload),
        Step::Book => (spelling.book, Span::ZERO),
        Step::Release => (release(config, spelling), Span::ZERO),
    };
    let (service, acquire) = called(config.recipe, spelling);
    let is_read = config.consul.is_some_and(|client| client.token != ConsulToken::None);
    let has_token = is_drawn || drawn.is_some() || is_read || config.recipe.gives_token();
    let elsewhere = match (config.puts, config.guard) {
        (_, Some(guard)) => in_etcd(step, guard, spelling),
        (Some(puts), None) => at_objects(step, puts, spelling),
        (None, None) => None,
    };
    let mut template = elsewhere.unwrap_or_else(|| template.to_owned());
    if let Some(drawn) = drawn.filter(|_| step == Step::Acquire) {
        // It is one step: whoever holds the lock has its token.
        template = format!("{template}{}{drawn}", spelling.and);
    }
    let mut line = template.replace("{service}", service).replace("{acquire}", acquire);
    line = match has_token {
        true => line.replace("{token}", token),
        // There is nothing to carry.
        false => line.replace(" + {token}", "").replace(", {token}", "").replace("{token}", ""),
    };
    if lasting > Span::ZERO {
        line.push_str("  ");
        line.push_str(spelling.comment);
        line.push(' ');
        line.push_str(&amounts::span(lasting));
    }
    line
}

/// What gives the lock back.
fn release(config: &WorkerConfig, spelling: &Spelling) -> &'static str {
    // What is of a session or a transaction is never another's.
    let is_own = config.recipe.is_for_postgres() && config.recipe != Recipe::LockRow;
    let frees = |client: ObjectsClient| client.release == ObjectRelease::Free;
    match config.policies.release {
        // Its object stays, whoever's it was.
        ReleaseCheck::NameOnly
            if config.recipe == Recipe::ObjectLease && config.lock_objects.is_some_and(frees) =>
        {
            spelling.free
        }
        ReleaseCheck::NameOnly if !is_own => spelling.delete,
        ReleaseCheck::NameOnly | ReleaseCheck::Owner => spelling.release,
    }
}

/// What draws the token of a lock that comes without one, once it is held.
fn drawn(config: &WorkerConfig, spelling: &Spelling) -> Option<&'static str> {
    let [column, sequence] = spelling.drawn;
    let client = config.postgres.as_ref().filter(|_| !config.recipe.gives_token())?;
    match client.token {
        PgToken::None => None,
        PgToken::FenceColumn => Some(column),
        PgToken::Sequence => Some(sequence),
    }
}

/// What the lock service is called, and the call that takes the lock.
fn called(recipe: Recipe, spelling: &Spelling) -> (&'static str, &'static str) {
    let (service, place) = match recipe {
        Recipe::Queue => ("etcd", 0),
        Recipe::CreateIfAbsent => ("etcd", 1),
        Recipe::GetThenPut => ("etcd", 2),
        Recipe::SetNx => ("redis", 3),
        Recipe::SetnxExpire => ("redis", 4),
        Recipe::SetAndCount => ("redis", 5),
        Recipe::Redlock => ("redlock", 6),
        Recipe::RedlockAndCount => ("redlock", 7),
        Recipe::EphemeralSequential => ("zookeeper", 8),
        Recipe::Advisory => ("pg", 9),
        Recipe::TryAdvisory => ("pg", 10),
        Recipe::AdvisoryXact => ("pg", 11),
        Recipe::RowLock => ("pg", 12),
        Recipe::LockRow => ("pg", 13),
        Recipe::KvAcquire => ("consul", 14),
        Recipe::Election => ("etcd", 15),
        Recipe::ObjectCreate => ("bucket", 16),
        Recipe::ObjectLease => ("bucket", 17),
    };
    (service, spelling.acquire[place])
}

/// How a step is written that is about data in etcd.
fn in_etcd(step: Step, guard: Guard, spelling: &Spelling) -> Option<String> {
    let [claim, get, txn, put, looks, looks_at_one] = spelling.etcd;
    let [is_own, is_untouched, is_there] = spelling.compare;
    let (call, compare) = match step {
        Step::Claim => (claim, is_own),
        Step::Read => (get, ""),
        Step::Write | Step::SlowWrite => match guard {
            Guard::CreateRevision => (txn, is_own),
            Guard::ModRevision => (txn, is_untouched),
            Guard::KeyExists => (txn, is_there),
            Guard::ReadFirst => (looks, ""),
            Guard::ReadFirstSerializable => (looks_at_one, ""),
            Guard::None => (put, ""),
        },
        _ => return None,
    };
    Some(call.replace("{if}", compare))
}

/// How a step is written that asks an object store.
fn at_objects(step: Step, puts: Puts, spelling: &Spelling) -> Option<String> {
    let [claim, get, put] = spelling.objects;
    Some(match step {
        Step::Claim if puts.is_fence() => claim.to_owned(),
        // Without a token there is nothing to claim with.
        Step::Claim | Step::Read => get.to_owned(),
        Step::Write | Step::SlowWrite => {
            let place = Puts::ALL.iter().position(|it| *it == puts).unwrap_or_default();
            put.replace("{what}", spelling.puts[place])
        }
        _ => return None,
    })
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
