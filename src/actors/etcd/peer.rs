//! What members say to each other. Heartbeats are not among it.

use super::api::{Request, Response};
use super::log::{Entry, Place};
use super::replicated::Replicated;
use crate::actors::consul;
use crate::sim::process::NodeId;
use serde::Serialize;
use std::rc::Rc;

/// Between members.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PeerMessage {
    /// The leader's log from the last committed entry on.
    Append {
        /// The leader's term.
        term: u64,
        /// The last committed entry.
        committed: Place,
        /// The entries after it.
        tail: Vec<Rc<Entry>>,
    },
    /// How far a follower holds the leader's log; to a leader of an older term, that
    /// it is deposed.
    AppendAck {
        /// The follower's term.
        term: u64,
        /// The index up to which it holds the log; none when it needs the state.
        held: Option<u64>,
    },
    /// An entry is committed. Answered only by a follower that does not hold it.
    Commit {
        /// The leader's term.
        term: u64,
        /// The entry.
        committed: Place,
    },
    /// The leader's whole log, for a follower that lacks entries of it.
    Snapshot {
        /// The leader's term.
        term: u64,
        /// The last committed entry.
        committed: Place,
        /// What the entries up to it have made.
        state: Rc<Replicated>,
        /// The entries after it.
        tail: Vec<Rc<Entry>>,
    },
    /// A follower asks the leader for what it may have missed.
    CatchUp,
    /// The sender, taken for a leader, does not lead.
    NotLeading {
        /// The sender's term.
        term: u64,
    },
    /// A candidate asks for a vote.
    Vote {
        /// The term in which it wants to lead.
        term: u64,
        /// The end of its log.
        last: Place,
    },
    /// The answer to a candidate.
    VoteAck {
        /// The term in which it wants to lead.
        term: u64,
        /// The answer.
        vote: Vote,
    },
    /// A client's request, passed on to the leader.
    Forward {
        /// Whose.
        client: NodeId,
        /// What it asks.
        request: Request,
    },
    /// The leader's answer to a client's request that was passed on.
    ForwardAnswer {
        /// Whose.
        client: NodeId,
        /// The answer.
        response: Response,
    },
    /// The same, between Consul's servers.
    ForwardConsul {
        /// Whose.
        client: NodeId,
        /// What it asks.
        request: consul::api::Request,
    },
    /// The same, between Consul's servers.
    ConsulAnswer {
        /// Whose.
        client: NodeId,
        /// The answer.
        response: consul::api::Response,
    },
}

/// An answer to a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Vote {
    /// Yes.
    Granted,
    /// No.
    Refused {
        /// The refuser's term.
        term: u64,
        /// The leader that the refuser hears, if it hears one.
        leader: Option<NodeId>,
    },
}

impl PeerMessage {
    /// The kind of message, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            PeerMessage::Append { .. } => "append",
            PeerMessage::AppendAck { .. } => "append-ack",
            PeerMessage::Commit { .. } => "commit",
            PeerMessage::Snapshot { .. } => "snapshot",
            PeerMessage::CatchUp => "catch-up",
            PeerMessage::NotLeading { .. } => "not-leading",
            PeerMessage::Vote { .. } => "vote",
            PeerMessage::VoteAck { .. } => "vote-ack",
            PeerMessage::Forward { .. } => "forward",
            PeerMessage::ForwardAnswer { .. } => "forward-answer",
            PeerMessage::ForwardConsul { .. } => "forward",
            PeerMessage::ConsulAnswer { .. } => "forward-answer",
        }
    }

    /// Whether it only passes a renewal on.
    pub fn is_routine(&self) -> bool {
        match self {
            PeerMessage::Forward { request, .. } => request.op.is_routine(),
            PeerMessage::ForwardAnswer { response, .. } => response.is_routine(),
            PeerMessage::ForwardConsul { request, .. } => request.ask.is_routine(),
            PeerMessage::ConsulAnswer { response, .. } => response.is_routine(),
            _ => false,
        }
    }
}
