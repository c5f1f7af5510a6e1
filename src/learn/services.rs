//! What lock services are compared by. Each cell is measured in a run of its own: one
//! scenario, with the service and a few clicks changed, so that whoever doubts a cell can
//! play it.

use crate::actors::note::WorkerNote;
use crate::actors::store::api::Token;
use crate::actors::{Actor, Note};
use crate::content::read::Choice;
use crate::scenario::names::{Role, Service};
use crate::scenario::{Run, Scenario, ScenarioError};
use crate::sim::event::{Event, What};
use crate::sim::process::{Message as _, NodeId};
use crate::sim::time::{Span, TrueTime};

/// The scenario that all cells are measured in.
const SCENARIO: &str = "reconcile-unfenced";

/// When the first holder's process ends or its machine stands still.
const FAULT_US: i64 = 25_000_000;

/// While the first holder works, it is looked at from here on how often the second asks.
const LOOKS_FROM: TrueTime = TrueTime(500_000);

/// When the service's machines are lost or restarted between two holders.
const BETWEEN_US: i64 = 10_000_000;

/// A way to take a lock from a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name in texts.
    pub id: &'static str,
    /// The service.
    pub service: Service,
    /// The settings that make it.
    settings: &'static [(&'static str, &'static str)],
}

/// The rows, in the order in which they are told.
pub const ROWS: [Row; 10] = [
    Row { id: "etcd", service: Service::Etcd, settings: &[("lock.recipe", "queue")] },
    Row {
        id: "zookeeper",
        service: Service::ZooKeeper,
        settings: &[("lock.recipe", "ephemeral-sequential")],
    },
    Row { id: "redis", service: Service::Redis, settings: &[("lock.recipe", "set-nx")] },
    Row {
        id: "redis-counter",
        service: Service::Redis,
        settings: &[("lock.recipe", "set-and-count")],
    },
    Row { id: "redlock", service: Service::Redlock, settings: &[("lock.recipe", "redlock")] },
    Row { id: "advisory", service: Service::Postgres, settings: &[("lock.recipe", "advisory")] },
    Row { id: "lock-row", service: Service::Postgres, settings: &[("lock.recipe", "lock-row")] },
    Row { id: "consul", service: Service::Consul, settings: &[("lock.recipe", "kv-acquire")] },
    Row {
        id: "object-create",
        service: Service::Objects,
        settings: &[("lock.recipe", "object-create")],
    },
    Row {
        id: "object-lease",
        service: Service::Objects,
        settings: &[("lock.recipe", "object-lease")],
    },
];

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// How a second client waits while the first holds the lock.
    Waits,
    /// The tokens of a holder and of the next.
    HandOver,
    /// The same, with all machines of the service started again in between.
    Restart,
    /// The same, with the machine lost that answered, and another in its place.
    Failover,
    /// How long after the end of the holder's process the next has the lock.
    Crash,
    /// How long after the holder's machine stood still.
    Silence,
    /// Whose clock ended it there.
    Clock,
}

impl Column {
    /// All, in the order in which they are told.
    pub const ALL: [Column; 7] = [
        Column::Waits,
        Column::HandOver,
        Column::Restart,
        Column::Failover,
        Column::Crash,
        Column::Silence,
        Column::Clock,
    ];
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// So many questions of the second client in [`Cell::ASKED_IN`]; none where it is told.
    Waits {
        /// How many.
        asks: u32,
    },
    /// The tokens of the first holder and of the next; 0 is none.
    Tokens {
        /// The first one's.
        first: Token,
        /// The next one's; none where nobody got the lock.
        next: Option<Token>,
    },
    /// From the fault until the next believes that it has the lock; none if it never does.
    Takeover(Option<Span>),
    /// Whose clock it was that ended the lock.
    Clock(EndedBy),
}

impl Cell {
    /// The time in which questions are counted.
    pub const ASKED_IN: Span = Span::from_s(4);
}

/// Whose clock ends the lock of a holder that says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// The wall clock of the service's machines: set forward, it ends the lock earlier.
    Wall,
    /// Their monotonic clock: only a higher rate ends it earlier.
    Monotonic,
    /// Nobody's: it does not end.
    Nobody,
    /// It ends, and neither moves it.
    Neither,
}

/// The run that a cell is measured in and played with.
///
/// # Errors
/// When the settings cannot be, which a test excludes.
fn run(row: &Row, column: Column) -> Result<Run, ScenarioError> {
    let servers = servers(row)?;
    let all = |one: &dyn Fn(&str) -> String| servers.iter().map(|name| one(name)).collect();
    let (settings, clicks): (&[(&str, &str)], String) = match column {
        Column::Waits | Column::HandOver => (&SHORT, String::new()),
        Column::Restart => {
            let restart = |name: &str| {
                click(
                    BETWEEN_US,
                    &format!("crash = {{ node = \"{name}\", restart_after_ms = 1_000 }}"),
                )
            };
            (&APART, all(&restart))
        }
        Column::Failover => match row.service {
            Service::Redis | Service::Postgres => (&WITH_REPLICA, failover_behind(&servers[0])),
            service => {
                let settings: &[_] =
                    if service == Service::Consul { &WITH_SERVERS } else { &APART };
                let lost = format!("crash = {{ node = \"{}\" }}", servers[0]);
                (settings, click(BETWEEN_US, &lost))
            }
        },
        Column::Crash => (&[], click(FAULT_US, "crash = { node = \"W1\" }")),
        Column::Silence | Column::Clock => (&[], stands_still()),
    };
    Ok(with(row, settings, &clicks)?.run())
}

/// Measures a cell, and gives back its run with it.
///
/// # Errors
/// When the settings cannot be, which a test excludes.
pub fn measure(row: &Row, column: Column) -> Result<(Cell, Run), ScenarioError> {
    let run = run(row, column)?;
    Ok((measured(row, column, &run)?, run))
}

fn measured(row: &Row, column: Column, run: &Run) -> Result<Cell, ScenarioError> {
    let replay = run.to_end()?;
    let trace = replay.past();
    let workers: Vec<NodeId> = run.scenario.names().with(Role::Worker).collect();
    let next = believes(trace, workers[1]);
    Ok(match column {
        Column::Waits => Cell::Waits { asks: asks(run, trace, workers[1]) },
        Column::HandOver | Column::Restart | Column::Failover => Cell::Tokens {
            first: believes(trace, workers[0]).map_or(0, |(_, token)| token),
            next: next.map(|(_, token)| token),
        },
        Column::Crash | Column::Silence => {
            Cell::Takeover(next.map(|(at, _)| at - TrueTime(FAULT_US)))
        }
        Column::Clock => Cell::Clock(ended_by(row, next.map(|(at, _)| at))?),
    })
}

/// Both do little, one after the other.
const SHORT: [(&str, &str); 2] =
    [("worker.W1.compute_ms", "5_000"), ("worker.W2.compute_ms", "1_000")];

/// The second begins when the first has been done for a while.
const APART: [(&str, &str); 2] =
    [("worker.W1.compute_ms", "5_000"), ("worker.W2.starts_ms", "20_000")];

/// The same, with a replica.
const WITH_REPLICA: [(&str, &str); 4] =
    [APART[0], APART[1], ("redis.replicas", "1"), ("postgres.standbys", "1")];

/// The same, of three servers: by itself there is one of Consul.
const WITH_SERVERS: [(&str, &str); 3] = [APART[0], APART[1], ("consul.servers", "3")];

fn click(at_us: i64, what: &str) -> String {
    format!("{{ at_us = {at_us}, do.{what} }}, ")
}

fn stands_still() -> String {
    click(FAULT_US, "pause = { node = \"W1\" }")
}

/// The replica is promoted without what it had not got yet.
fn failover_behind(first: &str) -> String {
    let replica = first.replace('1', "2");
    click(0, &format!("cut = {{ from = \"{first}\", to = \"{replica}\" }}"))
        + &click(BETWEEN_US, &format!("crash = {{ node = \"{first}\" }}"))
        + &click(BETWEEN_US + 1_000_000, &format!("promote = {{ node = \"{replica}\" }}"))
}

fn with(row: &Row, settings: &[(&str, &str)], clicks: &str) -> Result<Scenario, ScenarioError> {
    const PROGRAM: &str = r#"["acquire", "read", "compute", "write", "release"]"#;
    let own = [
        // What is measured is the lock: the store checks nothing.
        ("promises", "[]"),
        ("lock.service", row.service.name()),
        ("worker.W1.program", PROGRAM),
        ("worker.W2.program", PROGRAM),
    ];
    let all = own.iter().chain(row.settings).chain(settings);
    let mut all: Vec<(String, String)> =
        all.map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    all.push(("click".to_owned(), format!("[{clicks}]")));
    Scenario::built_in(SCENARIO)?.with(&all)
}

/// The names of the service's machines.
fn servers(row: &Row) -> Result<Vec<String>, ScenarioError> {
    let scenario = with(row, &[], "")?;
    let names = scenario.names();
    Ok(names.with(Role::Member).map(|node| names.of(node).to_owned()).collect())
}

/// When a worker first believed that it had the lock, and with which token.
fn believes(trace: &[Event<Actor>], worker: NodeId) -> Option<(TrueTime, Token)> {
    trace.iter().find_map(|event| match &event.what {
        What::Note(Note::Worker(WorkerNote::Believes { token, .. })) if event.node == worker => {
            Some((event.at, *token))
        }
        _ => None,
    })
}

/// How often a worker asked the service while the other worked, but for what keeps a session.
fn asks(run: &Run, trace: &[Event<Actor>], worker: NodeId) -> u32 {
    let names = run.scenario.names();
    let (from, until) = (LOOKS_FROM, LOOKS_FROM + Cell::ASKED_IN);
    let is_asked = |event: &&Event<Actor>| match &event.what {
        What::Sent { message, body } => {
            let keeps = matches!(body.kind(), "keepalive" | "ping" | "session-renew");
            event.node == worker && names.role(message.to) == Role::Member && !keeps
        }
        _ => false,
    };
    let between = trace.iter().filter(|event| (from..until).contains(&event.at));
    between.filter(is_asked).count().try_into().expect("a run has fewer events")
}

/// The same with the clocks of the service's machines set forward, and then fast.
fn ended_by(row: &Row, as_it_is: Option<TrueTime>) -> Result<EndedBy, ScenarioError> {
    let servers = servers(row)?;
    let ends = |one: &dyn Fn(&str) -> String| {
        let clicks: String = servers.iter().map(|name| one(name)).collect();
        let scenario = with(row, &[], &(clicks + &stands_still()))?;
        let second = scenario.names().with(Role::Worker).nth(1).expect("it has two workers");
        let replay = scenario.run().to_end()?;
        Ok::<_, ScenarioError>(believes(replay.past(), second).map(|(at, _)| at))
    };
    let is_earlier = |moved: Option<TrueTime>| match (moved, as_it_is) {
        (Some(moved), Some(as_it_is)) => moved + Span::from_s(1) < as_it_is,
        (moved, as_it_is) => moved.is_some() && as_it_is.is_none(),
    };
    let set = |name: &str| {
        click(FAULT_US - 1, &format!("step-wall = {{ node = \"{name}\", by_ms = 60_000 }}"))
    };
    let fast =
        |name: &str| click(0, &format!("set-rate = {{ node = \"{name}\", rate_ppm = 1_500_000 }}"));
    if is_earlier(ends(&set)?) {
        return Ok(EndedBy::Wall);
    }
    if is_earlier(ends(&fast)?) {
        return Ok(EndedBy::Monotonic);
    }
    Ok(if as_it_is.is_none() { EndedBy::Nobody } else { EndedBy::Neither })
}
