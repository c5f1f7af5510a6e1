//! The comparison of lock services.

use crate::learn::services::{Cell, Column, EndedBy};
use crate::sim::time::Span;
use crate::text::amounts::span;
use crate::text::service::token;

/// The comparison of lock services.
#[derive(Debug)]
pub struct Services {
    /// The heading, which opens it.
    pub title: &'static str,
    /// The cells are being measured.
    pub runs: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The table.
    pub table: &'static str,
    /// Over the rows' names.
    pub service: &'static str,
    /// A row.
    pub row: fn(id: &str) -> &'static str,
    /// Over a column.
    pub column: fn(Column) -> &'static str,
    /// A cell.
    pub cell: fn(Cell) -> String,
    /// What a cell's run shows, where it is played: its column, and what came of it.
    pub shows: fn(column: &str, cell: &str) -> String,
    /// Opens a cell's run.
    pub play: &'static str,
    /// The same to those who do not see where it stands.
    pub play_cell: fn(row: &str, column: &str) -> String,
}

/// English.
pub const ENGLISH: Services = Services {
    title: "Lock services compared",
    runs: "The services are being measured…",
    about: "Two workers with one program, a TTL of 30 s, a service with its defaults (of \
            PostgreSQL’s timeouts: none). Where a machine is lost or restarted between two \
            holders, that is at 10 s, and the replica of Redis or PostgreSQL is behind when it is \
            promoted; the other faults come at 25 s, and the lock is free when the next worker \
            believes that it has it. Each cell is measured in a run of its own, which you can play.",
    table: "What each service does with the same two workers",
    service: "Service",
    row,
    column,
    cell,
    shows: |column, cell| format!("{column}: {cell}."),
    play: "Play",
    play_cell: |row, column| format!("Play: {row}, {column}"),
};

fn row(id: &str) -> &'static str {
    match id {
        "etcd" => "etcd, lease and queue",
        "zookeeper" => "ZooKeeper, ephemeral sequential",
        "redis" => "Redis, SET NX PX",
        "redis-counter" => "Redis, with a counter",
        "redlock" => "Redlock, five nodes",
        "advisory" => "PostgreSQL, advisory lock",
        "lock-row" => "PostgreSQL, row with an end",
        "consul" => "Consul, a key acquired",
        "object-create" => "Object store, created if absent",
        "object-lease" => "Object store, lease and epoch",
        _ => unreachable!("no row has this name: {id}"),
    }
}

fn column(column: Column) -> &'static str {
    match column {
        Column::Waits => "Who waits",
        Column::HandOver => "Tokens, one after the other",
        Column::Restart => "Tokens, all restarted between",
        Column::Failover => "Tokens, first machine lost between",
        Column::Crash => "Free after the holder’s process ends",
        Column::Silence => "Free after the holder stands still",
        Column::Clock => "Whose clock ends it then",
    }
}

/// A number stays beside its unit.
fn kept(time: Span) -> String {
    span(time).replace(' ', "\u{a0}")
}

fn cell(cell: Cell) -> String {
    match cell {
        Cell::Waits { asks: 0 } => "is told".to_owned(),
        Cell::Waits { asks } => {
            format!("asks {asks} times in {}", kept(Cell::ASKED_IN))
        }
        Cell::Tokens { next: None, .. } => "nobody gets the lock".to_owned(),
        Cell::Tokens { first: 0, next: Some(0) } => "no token".to_owned(),
        Cell::Tokens { first, next: Some(next) } => {
            let how = if next > first { "rises" } else { "does not rise" };
            format!("{}, then {}: {how}", token(first), token(next))
        }
        Cell::Takeover(Some(after)) => kept(after),
        Cell::Takeover(None) => "never, in this run".to_owned(),
        Cell::Clock(ended_by) => match ended_by {
            EndedBy::Wall => "the service’s wall clock",
            EndedBy::Monotonic => "the service’s monotonic clock",
            EndedBy::Nobody => "nobody’s: it does not end",
            EndedBy::Neither => "no clock of the service",
        }
        .to_owned(),
    }
}
