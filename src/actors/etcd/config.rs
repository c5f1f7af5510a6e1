//! What a member is told when it is set up.

use super::api::{Revision, Text};
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use serde::Serialize;

/// The largest TTL that can be asked for, in seconds.
pub const MAX_TTL_S: i64 = 9_000_000_000;

/// A member's settings. All members of a cluster have the same but for `place`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EtcdConfig {
    /// This member.
    pub place: NodeId,
    /// All members, this one too: an odd number.
    pub members: Vec<NodeId>,
    /// The member that leads at the start, when the cluster is settled.
    pub leader: NodeId,
    /// The store's revision at the start. A fresh etcd has 1, and its first key 2.
    pub revision: Revision,
    /// How long a follower bears a leader's silence, and a leader that of its
    /// followers. etcd's default is 1 s.
    pub election_timeout: Span,
    /// How often a leader is heard. Heartbeats are not simulated one by one; the
    /// interval says when what got lost is sent again. etcd's default is 100 ms.
    pub heartbeat: Span,
    /// How often the leader looks for expired leases: 500 ms in etcd.
    pub expiry_scan: Span,
    /// The locks whose changes of hands are told in notes: a key itself, and every
    /// key that begins with it and a slash.
    pub locks: Vec<Text>,
}

impl EtcdConfig {
    /// A member with etcd's defaults: led by the first member, at revision 1.
    pub fn new(place: NodeId, members: &[NodeId]) -> EtcdConfig {
        EtcdConfig {
            place,
            members: members.to_vec(),
            leader: members.first().copied().unwrap_or(place),
            revision: 1,
            election_timeout: Span::from_ms(1_000),
            heartbeat: Span::from_ms(100),
            expiry_scan: Span::from_ms(500),
            locks: Vec::new(),
        }
    }

    /// How many members are a majority.
    pub fn majority(&self) -> usize {
        self.members.len() / 2 + 1
    }

    /// The least TTL, to which smaller ones are raised without a word: one and a half
    /// election timeouts in whole ticks, then up to whole seconds. 2 s by default.
    pub fn min_ttl_s(&self) -> i64 {
        let ticks = 3 * (self.election_timeout.us() / self.heartbeat.us()) / 2;
        let us = ticks * self.heartbeat.us();
        us / 1_000_000 + i64::from(us % 1_000_000 > 0)
    }

    pub(super) fn check(&self) {
        assert!(self.members.len() % 2 == 1, "a cluster has an odd number of members");
        assert!(self.members.contains(&self.place), "a member is one of its cluster's members");
        assert!(self.members.contains(&self.leader), "a member leads");
        assert!(self.revision >= 1, "a store's revision counts from 1");
        assert!(self.heartbeat > Span::ZERO, "a leader is heard every so often");
        assert!(self.election_timeout >= self.heartbeat, "a heartbeat fits in an election timeout");
        assert!(self.expiry_scan > Span::ZERO, "a leader looks for expired leases every so often");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(election_ms: i64, heartbeat_ms: i64, expected_s: i64) {
        let mut config = EtcdConfig::new(NodeId(0), &[NodeId(0)]);
        config.election_timeout = Span::from_ms(election_ms);
        config.heartbeat = Span::from_ms(heartbeat_ms);
        assert_eq!(config.min_ttl_s(), expected_s);
    }

    #[test]
    fn the_least_ttl_is_one_and_a_half_election_timeouts_up_to_whole_seconds() {
        check(1_000, 100, 2);
        check(2_000, 100, 3);
        check(5_000, 500, 8);
        // 3 ticks: floor(9 / 2) = 4 of 500 ms.
        check(1_500, 500, 2);
        check(600, 100, 1);
    }
}
