//! Starts a clean worker elsewhere when one exits.
use crate::actors::Actor;
use crate::sim::process::{Input, Now, Out};
use serde::Serialize;

/// The orchestrator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Orchestrator {}

impl Orchestrator {
    /// Takes one input.
    pub fn handle(&mut self, _input: Input<Actor>, _now: Now, _out: &mut Out<Actor>) {}
    /// Forgets what is not durable.
    pub fn crash(&mut self) {}
}
