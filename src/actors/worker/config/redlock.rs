//! How votes are counted.

use crate::sim::time::Span;
use serde::Serialize;

/// By which clock a client of several Redis nodes reckons how long the lock is its own.
/// Libraries differ: `redlock-rb` and `node-redlock` by the wall clock, `redsync` and
/// `pottery` by the monotonic one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ValidityClock {
    /// The machine's monotonic clock.
    Monotonic,
    /// The machine's wall clock, which can be set.
    Wall,
}

/// Whether a client of several Redis nodes looks at the clock after the votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ValidityCheck {
    /// It does, as the algorithm says: a majority that came too late is none.
    AfterVotes,
    /// Wrong: a majority is enough, as in `node-redlock`.
    None,
}

/// How the votes of independent Redis nodes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RedlockConfig {
    /// How long a node's answer is waited for.
    pub node_timeout: Span,
    /// By which clock.
    pub clock: ValidityClock,
    /// Whether the time is looked at.
    pub check: ValidityCheck,
}

impl Default for RedlockConfig {
    /// As Redis's documents say it.
    fn default() -> RedlockConfig {
        RedlockConfig {
            node_timeout: Span::from_ms(50),
            clock: ValidityClock::Monotonic,
            check: ValidityCheck::AfterVotes,
        }
    }
}
