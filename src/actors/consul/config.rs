//! What a server is told when it is set up, and Consul's bounds.

use super::api::Text;
use crate::actors::etcd::config::EtcdConfig;
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

/// A session is invalidated after so many TTLs without a renewal.
pub const TTLS: i64 = 2;

/// A server's settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConsulConfig {
    /// This server.
    pub place: NodeId,
    /// All servers, this one too: an odd number. The first leads at the start.
    pub servers: Vec<NodeId>,
    /// How long a server bears that it hears no leader until it stands for election; one
    /// alone leads then. Of several each waits up to twice as long, to be alone in that.
    pub election_timeout: Span,
    /// The lock whose changes of hands are told in notes, if one is.
    pub lock: Option<Text>,
}

impl ConsulConfig {
    /// A server with Consul's defaults: `raft_multiplier` 5 makes five seconds of one.
    pub fn new(place: NodeId, servers: &[NodeId]) -> ConsulConfig {
        let servers = servers.to_vec();
        ConsulConfig { place, servers, election_timeout: Span::from_s(5), lock: None }
    }

    /// How its part in the agreement is set up. A server alone has nobody to come before,
    /// and draws no time.
    pub(super) fn raft(&self) -> EtcdConfig {
        let heartbeat = match self.servers.len() {
            1 => self.election_timeout,
            _ => Span::from_us(self.election_timeout.us() / 10),
        };
        let election_timeout = self.election_timeout;
        EtcdConfig { election_timeout, heartbeat, ..EtcdConfig::new(self.place, &self.servers) }
    }
}
