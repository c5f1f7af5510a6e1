//! What a node is told when it is set up.

use crate::actors::etcd::api::Text;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use serde::Serialize;

/// What a node has on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Persistence {
    /// Nothing, but for what `SAVE` wrote.
    None,
    /// An append-only file, written before each answer (`appendfsync always`).
    Aof,
}

/// What a key at a node says of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Says {
    /// Whose the lock is: the node decides, with its replicas.
    WhoseItIs,
    /// How this node votes: it is one of several that know nothing of each other, and a
    /// majority decides.
    ItsVote {
        /// So many votes grant the lock.
        quorum: u8,
    },
}

/// A node's settings. All nodes of a scenario have the same but for `place`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RedisConfig {
    /// This node.
    pub place: NodeId,
    /// All nodes, this one too. The first takes writes at the start, the others follow.
    pub nodes: Vec<NodeId>,
    /// What is on disk.
    pub persistence: Persistence,
    /// A replica that has not heard its primary for so long is promoted, as a Sentinel
    /// would promote it; none leaves that to people.
    pub promote_after: Option<Span>,
    /// The locks whose changes of hands are told in notes.
    pub locks: Vec<Text>,
    /// What is told of them.
    pub says: Says,
}

impl RedisConfig {
    /// A node with Redis's defaults, but for snapshots: it makes none by itself.
    pub fn new(place: NodeId, nodes: &[NodeId]) -> RedisConfig {
        RedisConfig {
            place,
            nodes: nodes.to_vec(),
            persistence: Persistence::None,
            promote_after: None,
            locks: Vec::new(),
            says: Says::WhoseItIs,
        }
    }
}
