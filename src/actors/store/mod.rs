//! Stores.
pub mod api;
use crate::actors::Actor;
use crate::sim::process::{Input, Now, Out};
use serde::Serialize;

/// A store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Store {}

impl Store {
    /// Takes one input.
    pub fn handle(&mut self, _input: Input<Actor>, _now: Now, _out: &mut Out<Actor>) {}
    /// Forgets what is not durable.
    pub fn crash(&mut self) {}
}
