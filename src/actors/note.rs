//! What processes say of their doings. Notes are the trace's words for what a
//! person would tell, and all that the properties judge by. They influence no step.

mod effect;
mod service;
mod store;

pub use effect::EffectNote;
pub use service::{
    Change, ConsulNote, EtcdNote, GrantEnd, Lasts, LeaseEnd, LockNote, ObjectLease, PostgresNote,
    RedisNote,
};
pub use store::StoreNote;

use super::etcd::api::{LeaseId, Revision, Text};
use super::store::api::{Owner, Refusal, Token, Version};
use super::worker::Heartbeat;
use super::worker::config::{LeaseUntil, Policy, Step};
use crate::sim::time::Span;
use serde::Serialize;

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Note {
    /// From whoever decides to whom a lock goes.
    Lock(LockNote),
    /// From an etcd member.
    Etcd(EtcdNote),
    /// From a Redis node.
    Redis(RedisNote),
    /// From a worker.
    Worker(WorkerNote),
    /// From a store.
    Store(StoreNote),
    /// From the orchestrator: it tells a machine to begin.
    Replaced {
        /// The machine whose process ended.
        ended: crate::sim::process::NodeId,
        /// The machine that takes over.
        begins: crate::sim::process::NodeId,
    },
    /// From a PostgreSQL server.
    Postgres(PostgresNote),
    /// From a Consul server.
    Consul(ConsulNote),
    /// Of an effect outside the store: from the partner, a relay, or the store's outbox.
    Effect(EffectNote),
}

/// What happened in a worker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum WorkerNote {
    /// Its program begins, or begins again.
    Began,
    /// It takes a step of its program.
    Step(Step),
    /// Its client has a session: a lease that it will renew.
    SessionOpened {
        /// The session's lease.
        lease: LeaseId,
    },
    /// Its client's session is over, as far as the client can know.
    SessionClosed {
        /// The session's lease.
        lease: LeaseId,
        /// How the client knows.
        why: SessionEnd,
    },
    /// It drew a random value that will say in the lock's key whose it is.
    DrewValue {
        /// The value, which names the acquisition.
        lease: Owner,
    },
    /// Its client heard how an independent node votes.
    HeardVote {
        /// Which node.
        from: crate::sim::process::NodeId,
        /// What it said.
        vote: Vote,
    },
    /// Its client counted the votes of independent nodes.
    Counted {
        /// The acquisition.
        lease: Owner,
        /// Votes for it.
        votes: u8,
        /// So many grant the lock.
        quorum: u8,
        /// How long the lock is its own from now on, by the client's reckoning; less than
        /// nothing when its time was over before it was counted.
        validity: Span,
        /// What the client makes of it.
        result: Count,
    },
    /// Its hold on the lock's key is over, as far as its client can know.
    HoldOver {
        /// Its acquisition.
        lease: Owner,
        /// How the client knows.
        why: SessionEnd,
    },
    /// A keepalive of its session was answered, or another renewal. Routine.
    Renewed {
        /// The session's lease.
        lease: LeaseId,
    },
    /// It waits behind others.
    Waits {
        /// The create revision of its own key, or 0 where it has none.
        create_revision: Revision,
    },
    /// It believes from now on that it holds the lock.
    Believes {
        /// The lock.
        lock: Text,
        /// The token it will use.
        token: Token,
        /// Its acquisition.
        owner: Owner,
    },
    /// It no longer believes so.
    BelievesNoMore {
        /// The lock.
        lock: Text,
        /// Its acquisition.
        owner: Owner,
        /// Why.
        why: BeliefEnd,
    },
    /// It looked at its session before writing.
    Checked {
        /// What it saw.
        outcome: CheckOutcome,
    },
    /// It drew a number from a separate counter and uses it as its token.
    DrewToken {
        /// The number.
        token: Token,
    },
    /// It was given the data, by a claim or a plain read.
    DataRead {
        /// The version it was given.
        version: Version,
    },
    /// It found the job done and will not do it again.
    FoundDone {
        /// The job.
        job: Text,
    },
    /// It sends a write.
    Writes {
        /// With this token.
        token: Token,
        /// Counts its writes.
        sequence: u32,
        /// Counts the tries of this write from 1.
        attempt: u32,
    },
    /// Its write was accepted, and it knows.
    WriteAcknowledged {
        /// With this token.
        token: Token,
    },
    /// The store refused it, and it knows.
    Refused {
        /// The step refused.
        step: Step,
        /// Why.
        refusal: Refusal,
    },
    /// A call went unanswered.
    Unanswered {
        /// In this step.
        step: Step,
        /// Tries so far.
        attempts: u32,
    },
    /// A renewal failed by the worker's policy.
    RenewalFailed,
    /// Its heartbeat was blocked or runs again.
    HeartbeatSet {
        /// Which.
        heartbeat: Heartbeat,
    },
    /// One of its policies was switched.
    PolicySet {
        /// To what.
        policy: Policy,
    },
    /// It asks for the lock's release.
    Releases {
        /// The lock.
        lock: Text,
        /// Its acquisition.
        owner: Owner,
    },
    /// Its program came to its end.
    Finished,
    /// It stopped before its end.
    Stopped {
        /// Why.
        why: StopReason,
    },
    /// Its process exits.
    Exits,
    /// Its client of ZooKeeper has lost its connection: SUSPENDED.
    Suspended {
        /// The session.
        lease: LeaseId,
    },
    /// Its client of ZooKeeper has a connection for its session again: RECONNECTED.
    Reconnected {
        /// The session.
        lease: LeaseId,
    },
    /// It saw a token in the object that its own does not beat.
    FoundHigher {
        /// Which.
        token: Token,
    },
    /// It saw that the object is what it put itself: the answer was lost, the put was not.
    FoundOwn {
        /// The token that it put it with.
        token: Token,
    },
    /// It takes a transfer from its inbox.
    TookTransfer {
        /// Which.
        number: u32,
        /// How long that had been there.
        waited: Span,
    },
    /// A transfer is settled, and it knows.
    SettledTransfer {
        /// Which.
        number: u32,
        /// How long after it had arrived.
        took: Span,
    },
    /// It read a lock's object, and another's lease in it is over by its own clock.
    FoundOver {
        /// Whose.
        lease: Owner,
        /// How it knows.
        until: LeaseUntil,
    },
}

/// How an independent node votes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Vote {
    /// It has the key, or has renewed it.
    Yes,
    /// Its key is another's, or gone.
    No,
    /// It does not run.
    Gone,
}

/// What a client makes of the votes that it counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Count {
    /// The lock is its own.
    Granted,
    /// They are no majority.
    TooFew,
    /// A majority, but the time was over before it was counted.
    TooLate,
}

/// How a client knows that its session is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SessionEnd {
    /// Its own deadline passed without an answer.
    Deadline,
    /// A keepalive was answered with TTL 0.
    LeaseGone,
    /// It closed it itself.
    Closed,
    /// It gave it up and could not say so: at the service it ends by its own time.
    GivenUp,
    /// The connection that it lives by was closed.
    Disconnected,
}

/// Why a worker no longer believes that it holds the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum BeliefEnd {
    /// The store refused it.
    Refused,
    /// Its session is over, and its policy is to look.
    SessionOver,
    /// A renewal failed, and its policy is to stop or exit.
    RenewalFailed,
    /// It checked before writing and found its time over.
    CheckFailed,
    /// It released the lock.
    Released,
    /// Nobody answered a call, and it stopped.
    Unanswered,
    /// It saw a token that its own does not beat.
    FoundHigher,
}

/// What a check before a write saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum CheckOutcome {
    /// The session lives and the own deadline has not passed.
    StillMine,
    /// The session is over.
    SessionOver,
    /// The own deadline has passed.
    DeadlinePassed,
    /// There is no deadline to look at: it goes on.
    NoDeadline,
    /// The client is connected, and asks for no time: it goes on.
    Connected,
    /// The client has no connection.
    NotConnected,
    /// The own key in etcd is the one of the acquisition.
    KeyIsOwn,
    /// The own key in etcd is gone, or another's.
    KeyIsNotOwn,
}

impl CheckOutcome {
    /// Whether it goes on.
    pub fn allows(self) -> bool {
        match self {
            CheckOutcome::StillMine
            | CheckOutcome::KeyIsOwn
            | CheckOutcome::NoDeadline
            | CheckOutcome::Connected => true,
            CheckOutcome::DeadlinePassed
            | CheckOutcome::SessionOver
            | CheckOutcome::KeyIsNotOwn
            | CheckOutcome::NotConnected => false,
        }
    }
}

/// Why a worker stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum StopReason {
    /// The store refused it.
    Refused,
    /// Its session is over.
    SessionOver,
    /// A renewal failed.
    RenewalFailed,
    /// It checked before writing and found its time over.
    CheckFailed,
    /// Nobody answered, as often as it tried.
    Unanswered,
    /// It saw a token that its own does not beat.
    FoundHigher,
}
