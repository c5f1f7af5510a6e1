//! What servers say to each other, and what is in their log.

use super::api::{Failure, Op, Reply, RequestId, SessionId, Text, Zxid};
use super::tree::Tree;
use crate::actors::note::LeaseEnd;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use serde::Serialize;
use std::rc::Rc;

/// A change in the log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Txn {
    /// Its number.
    pub zxid: Zxid,
    /// What.
    pub command: Command,
    /// Who asked for it; nobody for what the leader does by itself.
    pub origin: Option<Origin>,
}

/// What a change does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Command {
    /// A session begins.
    Open {
        /// Which.
        session: SessionId,
        /// Its timeout.
        timeout: Span,
        /// Its password.
        password: u64,
    },
    /// A session ends.
    Close {
        /// Which.
        session: SessionId,
        /// Why.
        why: LeaseEnd,
    },
    /// An operation of a session. One that is refused has its number too.
    Op {
        /// Whose.
        session: SessionId,
        /// What.
        op: Op,
    },
    /// An empty container goes.
    Reap(Text),
}

/// Who asked for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The server to which the client is connected.
    pub via: NodeId,
    /// The client.
    pub client: NodeId,
    /// Its number for the call.
    pub request: RequestId,
}

/// How new a server's log is: the epoch in which it was last brought up to date, and its
/// last change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Newness {
    /// The epoch.
    pub epoch: u32,
    /// The last change, committed or not.
    pub last: Zxid,
}

/// Whether a server that looks for a leader wants to hear who else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Wants {
    /// It does.
    Answer,
    /// It answers.
    Nothing,
}

/// Between servers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PeerMessage {
    /// I look for a leader, and this is what I have.
    Look {
        /// How new it is.
        newness: Newness,
        /// Whether it is to be answered.
        wants: Wants,
    },
    /// That one leads.
    LeaderIs(NodeId),
    /// I follow you: this is the last epoch that I promised, and what I have.
    Follow {
        /// The epoch.
        accepted: u32,
        /// What it has.
        newness: Newness,
    },
    /// I do not lead.
    NotLeading,
    /// Leader to follower: all that there is.
    State {
        /// The leader's epoch.
        epoch: u32,
        /// The last change in `tree`.
        applied: Zxid,
        /// Znodes and sessions.
        tree: Rc<Tree>,
        /// The changes after it.
        tail: Vec<Rc<Txn>>,
    },
    /// Leader to follower: the changes after the last one that is committed.
    Propose {
        /// The leader's epoch.
        epoch: u32,
        /// The last one that is committed.
        committed: Zxid,
        /// Those after it.
        tail: Vec<Rc<Txn>>,
    },
    /// Follower to leader: I have all up to this one.
    Ack {
        /// The leader's epoch.
        epoch: u32,
        /// The last one.
        held: Zxid,
    },
    /// Leader to follower: all up to this one is committed.
    Commit {
        /// The leader's epoch.
        epoch: u32,
        /// The last one.
        committed: Zxid,
    },
    /// Follower to leader: a client asks for this.
    Forward {
        /// Who.
        origin: Origin,
        /// What.
        what: Forwarded,
    },
    /// Leader to follower: this client is answered so.
    Answer {
        /// Who.
        client: NodeId,
        /// Its number for the call.
        request: RequestId,
        /// How.
        result: Result<Reply, Failure>,
    },
    /// Follower to leader: these sessions were heard of since the last time.
    Touch(Vec<SessionId>),
}

/// What a follower passes on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Forwarded {
    /// A new session.
    Open {
        /// Its number.
        session: SessionId,
        /// The timeout asked for.
        timeout: Span,
        /// Its password.
        password: u64,
    },
    /// A session comes to this server.
    Attach {
        /// Which.
        session: SessionId,
        /// Its password.
        password: u64,
    },
    /// An operation of a session.
    Op(SessionId, Op),
    /// A session's end.
    Close(SessionId),
}

impl PeerMessage {
    /// The kind of message, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            PeerMessage::Look { .. } => "look-for-leader",
            PeerMessage::LeaderIs(_) => "leader-is",
            PeerMessage::Follow { .. } => "follow-leader",
            PeerMessage::NotLeading => "not-leading",
            PeerMessage::State { .. } => "snapshot",
            PeerMessage::Propose { .. } => "propose",
            PeerMessage::Ack { .. } => "ack",
            PeerMessage::Commit { .. } => "commit",
            PeerMessage::Forward { .. } => "forward",
            PeerMessage::Answer { .. } => "forward-answer",
            PeerMessage::Touch(_) => "touch",
        }
    }

    /// Whether it only passes renewals on.
    pub fn is_routine(&self) -> bool {
        matches!(self, PeerMessage::Touch(_))
    }
}
