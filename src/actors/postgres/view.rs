//! What can be looked at from outside: by the page, the properties and tests.

use super::Server;
use super::api::ResRow;
use super::config::PostgresConfig;
use super::tables::Lease;
use crate::actors::store::api::Owner;
use crate::sim::order;
use crate::sim::process::NodeId;

/// A session, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// Its number.
    pub pid: u32,
    /// Who uses it; nobody only in a pool.
    pub client: Option<NodeId>,
    /// Whether a transaction is open or has failed in it.
    pub in_transaction: bool,
    /// Whether it waits for the told lock.
    pub waits: bool,
    /// For which acquisitions it holds the told lock, as often as it does.
    pub holds_for: Vec<Owner>,
}

impl Server {
    /// What it was told when it was set up.
    pub fn config(&self) -> &PostgresConfig {
        &self.config
    }

    /// Its sessions, by number.
    pub fn sessions(&self) -> Vec<SessionView> {
        let mut sessions: Vec<SessionView> = self
            .sessions
            .iter()
            .map(|session| {
                let held = self.locks.held.iter().filter(|held| {
                    held.pid == session.pid && self.is_told(&held.tag, held.strength)
                });
                let waits = session.waits_for();
                SessionView {
                    pid: session.pid.0,
                    client: session.client(),
                    in_transaction: session.status() != super::api::Status::Idle,
                    waits: waits.is_some_and(|it| self.is_told(&it.tag, it.strength)),
                    holds_for: held.flat_map(|held| held.taken_for.clone()).collect(),
                }
            })
            .collect();
        order::by_key(&mut sessions, |session| session.pid);
        sessions
    }

    /// The row of `leases`, as it is committed.
    pub fn lease(&self) -> &Lease {
        self.disk.tables.lease.committed().expect("the row is never deleted")
    }

    /// The row of `res` that the lock's fence column is in, as it is committed.
    pub fn fence_row(&self) -> &ResRow {
        self.disk.tables.res[0].committed().expect("the rows are never deleted")
    }
}
