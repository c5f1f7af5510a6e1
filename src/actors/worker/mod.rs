//! Workers.
pub mod config;
use crate::actors::Actor;
use crate::sim::process::{Input, Now, Out};
use serde::{Deserialize, Serialize};

/// A worker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worker {}

impl Worker {
    /// Takes one input.
    pub fn handle(&mut self, _input: Input<Actor>, _now: Now, _out: &mut Out<Actor>) {}
    /// Forgets what is not durable.
    pub fn crash(&mut self) {}
}

/// Whether a worker's heartbeat runs: only the sending of keepalives is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Heartbeat {
    /// It runs.
    Runs,
    /// It sends nothing.
    Blocked,
}

/// A worker's timers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum WorkerTimer {}

impl WorkerTimer {
    /// Whether it only serves renewals and scans.
    pub fn is_routine(&self) -> bool {
        false
    }
}
