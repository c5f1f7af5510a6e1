//! etcd.
pub mod api;
use crate::actors::Actor;
use crate::sim::process::{Input, NodeId, Now, Out};
use serde::Serialize;

/// A member.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Member {
    peers: Vec<NodeId>,
}

impl Member {
    /// Takes one input.
    pub fn handle(&mut self, _input: Input<Actor>, _now: Now, _out: &mut Out<Actor>) {}
    /// Forgets what is not durable.
    pub fn crash(&mut self) {}
    /// The other members.
    pub fn peers(&self) -> &[NodeId] {
        &self.peers
    }
}

/// Between members.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PeerMessage {}

impl PeerMessage {
    /// The kind of message.
    pub fn kind(&self) -> &'static str {
        match *self {}
    }
}

/// A member's timers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum EtcdTimer {}

impl EtcdTimer {
    /// Whether it only serves renewals and scans.
    pub fn is_routine(&self) -> bool {
        false
    }
}
