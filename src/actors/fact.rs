//! What processes know, by name: the facts that tie a note to what taught it.

use super::etcd::api::{LeaseId, Text};
use super::store::api::{JobKey, Owner};
use crate::sim::process::NodeId;

/// Something a process knows, by name: each is a fact of the process that notes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// When this lease was last granted or renewed.
    Lease(LeaseId),
    /// How a key of the lock came to be: the waiter queued.
    Queued(LeaseId),
    /// How a lock's present holder came to hold it, or how the last one ended.
    Lock(Text),
    /// Who leads.
    Leadership,
    /// The store's mark.
    Mark,
    /// The mark of one of its objects.
    MarkOf(Text),
    /// The store's version.
    Version,
    /// The store's rule.
    Rule,
    /// That a job is done.
    Job(JobKey),
    /// That a partner has booked under this idempotency key.
    Booked(Text),
    /// A slow write begun.
    Begun(Owner),
    /// A claim or write of this owner that waits for a row.
    Waits(Owner),
    /// How an independent node voted.
    Vote(NodeId),
    /// A worker's belief.
    Belief,
    /// A worker's session.
    Session,
    /// A worker's data, read from the store.
    Data,
    /// A worker's policy or heartbeat, as set last.
    Policy,
    /// What a worker waits for an answer to: its step, or how it got so far in it.
    Call,
    /// How a row of the outbox came to be there.
    Row(u32),
}
