//! What a server is told when it is set up, and Consul's bounds.

use super::api::Text;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use serde::Serialize;

/// The shortest TTL of a session (`session_ttl_min`), in seconds.
pub const MIN_TTL_S: i64 = 10;

/// The same.
pub const MIN_TTL: Span = Span::from_s(MIN_TTL_S);

/// The longest, in seconds.
pub const MAX_TTL_S: i64 = 86_400;

/// The same.
pub const MAX_TTL: Span = Span::from_s(MAX_TTL_S);

/// The longest lock-delay: a longer one is cut to it.
pub const MAX_LOCK_DELAY: Span = Span::from_s(60);

/// The lock-delay of a session that asks for none of its own.
pub const LOCK_DELAY: Span = Span::from_s(15);

/// A session is invalidated after so many TTLs without a renewal.
pub const TTLS: i64 = 2;

/// A server's settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConsulConfig {
    /// This server.
    pub place: NodeId,
    /// How long a server that has started again waits until it elects itself.
    pub election_timeout: Span,
    /// The lock whose changes of hands are told in notes, if one is.
    pub lock: Option<Text>,
}

impl ConsulConfig {
    /// A server with Consul's defaults: `raft_multiplier` 5 makes five seconds of one.
    pub fn new(place: NodeId) -> ConsulConfig {
        ConsulConfig { place, election_timeout: Span::from_s(5), lock: None }
    }
}
