//! What a server is told when it is set up.

use super::api::Text;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use serde::Serialize;

/// A server's settings. All servers of an ensemble have the same but for `place`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ZkConfig {
    /// This server.
    pub place: NodeId,
    /// All servers, this one too: an odd number. The first leads at the start.
    pub servers: Vec<NodeId>,
    /// `tickTime`. Sessions end at ticks, and have from 2 to 20 of them.
    pub tick: Span,
    /// `initLimit`: so many ticks may pass until a new leader has a majority.
    pub init_limit: i64,
    /// `syncLimit`: so many ticks may a leader or its followers be silent.
    pub sync_limit: i64,
    /// How often the leader looks for empty containers.
    pub reaps_every: Span,
    /// The locks whose changes of hands are told in notes: the znodes under which
    /// waiters create theirs.
    pub locks: Vec<Text>,
}

impl ZkConfig {
    /// A server with the values of the sample configuration.
    pub fn new(place: NodeId, servers: &[NodeId]) -> ZkConfig {
        ZkConfig {
            place,
            servers: servers.to_vec(),
            tick: Span::from_s(2),
            init_limit: 10,
            sync_limit: 5,
            reaps_every: Span::from_s(60),
            locks: Vec::new(),
        }
    }

    /// How many servers are a majority.
    pub fn majority(&self) -> usize {
        self.servers.len() / 2 + 1
    }

    /// A session's timeout: what was asked for, within the bounds.
    pub fn negotiated(&self, asked: Span) -> Span {
        Span(asked.us().clamp(2 * self.tick.us(), 20 * self.tick.us()))
    }

    pub(super) fn ticks(&self, count: i64) -> Span {
        Span(self.tick.us() * count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_from_two_to_twenty_ticks() {
        let config = ZkConfig::new(NodeId(0), &[NodeId(0)]);
        let negotiated = |s| config.negotiated(Span::from_s(s)).ms();
        assert_eq!([1, 4, 10, 60].map(negotiated), [4_000, 4_000, 10_000, 40_000]);
    }
}
