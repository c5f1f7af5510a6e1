//! Replication: a primary answers first and tells its replicas what changed later. A
//! replica that has missed something is sent everything, and gives up what it had. What
//! may have been lost on the way is asked again every second, as a connection would
//! send it again.

use super::keys::{self, Change, Keys};
use super::{Node, RedisConfig, RedisTimer};
use crate::actors::{Actor, Message, Timer};
use crate::sim::order;
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::Span;
use litemap::LiteMap;
use serde::Serialize;

/// A node's part, as an operator sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Replication {
    /// It takes writes: `REPLICAOF NO ONE`.
    Primary,
    /// It follows another.
    Of(NodeId),
}

/// A history of changes: it begins with whoever takes writes and ends with its process
/// or its part. Who follows has a place in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct History {
    /// The promotion in which it began, as a Sentinel counts them: its configuration
    /// epoch. Of two primaries the later promoted stays one.
    pub(super) epoch: u32,
    /// Whose.
    node: NodeId,
    /// Counts those of one node.
    nth: u32,
}

/// A node's part, with what its process remembers of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) enum Role {
    Primary(Primary),
    Replica(Following),
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Primary {
    pub history: History,
    /// Counts the changes.
    pub offset: u64,
    /// Who follows, and how far each has said that it is; none where its connection is
    /// closed, and until it says something again.
    pub replicas: LiteMap<NodeId, Option<u64>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Following {
    pub of: NodeId,
    /// Which history it has, once it has one.
    history: Option<History>,
    pub offset: u64,
    asks: Asks,
}

/// Whether a replica waits to be told what it has missed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Asks {
    /// It has asked.
    Yes,
    /// It has been told since.
    No,
}

/// What may have been lost is asked, or told, again after so long.
pub(super) const AGAIN: Span = Span::from_s(1);

/// What nodes send each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PeerMessage {
    /// Replica to primary: this is what I have.
    Sync {
        /// Of which history.
        history: Option<History>,
        /// How far.
        offset: u64,
    },
    /// Primary to replica: everything.
    Full {
        /// Of which history.
        history: History,
        /// How far.
        offset: u64,
        /// The keys.
        keys: Keys,
    },
    /// Primary to replica: what one command changed.
    Stream {
        /// Of which history.
        history: History,
        /// How far with it.
        offset: u64,
        /// The changes; none where a replica is told that it has missed nothing.
        changes: Vec<Change>,
    },
    /// Primary to replica: I am so far, how far are you?
    GetAck {
        /// In which history.
        history: History,
        /// How far.
        offset: u64,
    },
    /// Replica to primary: so far.
    Ack {
        /// In which history.
        history: History,
        /// How far.
        offset: u64,
    },
    /// What a Sentinel tells a node in whose stead another was promoted: follow that one.
    Follow {
        /// The history that the other has begun.
        history: History,
    },
}

impl PeerMessage {
    /// The kind of message.
    pub fn kind(&self) -> &'static str {
        match self {
            PeerMessage::Sync { .. } => "psync",
            PeerMessage::Full { .. } => "full-sync",
            PeerMessage::Stream { .. } => "replicate",
            PeerMessage::GetAck { .. } => "get-ack",
            PeerMessage::Ack { .. } => "replica-ack",
            PeerMessage::Follow { .. } => "follow",
        }
    }
}

impl Primary {
    pub(super) fn new(history: History) -> Primary {
        Primary { history, offset: 0, replicas: LiteMap::new() }
    }

    /// How many replicas are known to be so far.
    pub(super) fn count(&self, offset: u64) -> i64 {
        self.replicas.values().flatten().filter(|acked| **acked >= offset).count() as i64
    }
}

impl Role {
    /// A part at the start of everything.
    pub(super) fn settled(config: &RedisConfig, peers: &[NodeId]) -> Role {
        let first = config.nodes.first().copied().unwrap_or(config.place);
        let history = History { epoch: 0, node: first, nth: 0 };
        if first == config.place {
            let replicas = order::map(peers.iter().map(|peer| (*peer, Some(0))));
            return Role::Primary(Primary { replicas, ..Primary::new(history) });
        }
        Role::Replica(Following { of: first, history: Some(history), offset: 0, asks: Asks::No })
    }

    /// One that has nothing of this primary's yet.
    pub(super) fn following(of: NodeId) -> Role {
        Role::Replica(Following { of, history: None, offset: 0, asks: Asks::No })
    }
}

impl History {
    /// Whether the same node has begun the other one later.
    fn is_before(self, other: History) -> bool {
        self.node == other.node && self.nth < other.nth
    }
}

pub(super) fn send(to: NodeId, message: PeerMessage, out: &mut Out<Actor>) {
    out.send(to, Message::RedisPeer(message));
}

impl Node {
    pub(super) fn next_history(&mut self) -> History {
        self.disk.histories += 1;
        History { epoch: self.disk.epoch, node: self.config.place, nth: self.disk.histories }
    }

    /// The part that its configuration gives it.
    pub(super) fn part_at_start(&self) -> Replication {
        let first = self.config.nodes.first().copied();
        let others = first.filter(|first| *first != self.config.place);
        self.disk.part.unwrap_or_else(|| others.map_or(Replication::Primary, Replication::Of))
    }

    /// Tells the replicas what a command changed.
    pub(super) fn changed(&mut self, changes: Vec<Change>, out: &mut Out<Actor>) {
        let Role::Primary(primary) = &mut self.role else { return };
        if changes.is_empty() {
            return;
        }
        primary.offset += 1;
        let (history, offset) = (primary.history, primary.offset);
        for replica in primary.replicas.keys() {
            let changes = changes.clone();
            send(*replica, PeerMessage::Stream { history, offset, changes }, out);
        }
    }

    /// Asks for what it has missed, and again until it is told, as long as there is
    /// somebody to hear.
    pub(super) fn ask_for_all(&mut self, now: Now, out: &mut Out<Actor>) {
        let Role::Replica(following) = &mut self.role else { return };
        let Following { of, history, offset, .. } = *following;
        following.asks = Asks::Yes;
        send(of, PeerMessage::Sync { history, offset }, out);
        if !self.silent.contains(&of) {
            out.set_timer(Timer::Redis(RedisTimer::SyncAgain), now.mono + AGAIN);
        }
    }

    /// Nobody has told it what it has missed.
    pub(super) fn ask_again(&mut self, now: Now, out: &mut Out<Actor>) {
        let Role::Replica(following) = &self.role else { return };
        if following.asks == Asks::Yes && !self.silent.contains(&following.of) {
            self.ask_for_all(now, out);
        }
    }

    pub(super) fn on_peer(
        &mut self,
        from: NodeId,
        message: PeerMessage,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        match message {
            PeerMessage::Sync { history, offset } => self.on_sync(from, history, offset, out),
            PeerMessage::Ack { history, offset } => self.on_ack(from, history, offset, out),
            PeerMessage::Follow { history } => self.on_follow(from, history, now, out),
            PeerMessage::Full { history, offset, keys } => {
                self.on_full(from, history, offset, keys, out);
            }
            PeerMessage::Stream { history, offset, changes } => {
                self.on_stream(from, history, offset, &changes, now, out);
            }
            PeerMessage::GetAck { history, offset } => {
                self.on_get_ack(from, history, offset, now, out);
            }
        }
    }

    fn on_full(
        &mut self,
        from: NodeId,
        history: History,
        offset: u64,
        keys: Keys,
        out: &mut Out<Actor>,
    ) {
        let Role::Replica(following) = &mut self.role else { return };
        let has_newer = following.history.is_some_and(|own| {
            history.is_before(own) || (history == own && offset < following.offset)
        });
        if following.of != from || has_newer {
            return;
        }
        (following.history, following.offset) = (Some(history), offset);
        following.asks = Asks::No;
        out.cancel_timer(Timer::Redis(RedisTimer::SyncAgain));
        self.disk.epoch = self.disk.epoch.max(history.epoch);
        self.keys = keys;
        send(from, PeerMessage::Ack { history, offset }, out);
    }

    fn on_get_ack(
        &mut self,
        from: NodeId,
        history: History,
        offset: u64,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let Role::Replica(following) = &self.role else { return };
        if following.of != from {
            return;
        }
        if following.history != Some(history) || following.offset < offset {
            return self.ask_for_all(now, out);
        }
        send(from, PeerMessage::Ack { history, offset: following.offset }, out);
    }

    fn on_sync(
        &mut self,
        from: NodeId,
        history: Option<History>,
        offset: u64,
        out: &mut Out<Actor>,
    ) {
        // A replica has nothing of its own to give.
        let Role::Primary(primary) = &mut self.role else { return };
        let (own, at) = (primary.history, primary.offset);
        let has_all = history == Some(own) && offset == at;
        primary.replicas.insert(from, Some(if has_all { offset } else { 0 }));
        self.mind_untold(out);
        if has_all {
            let nothing = PeerMessage::Stream { history: own, offset: at, changes: Vec::new() };
            return send(from, nothing, out);
        }
        let keys = self.keys.clone();
        send(from, PeerMessage::Full { history: own, offset: at, keys }, out);
    }

    fn on_stream(
        &mut self,
        from: NodeId,
        history: History,
        offset: u64,
        changes: &[Change],
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let Role::Replica(following) = &mut self.role else { return };
        if following.of != from {
            return;
        }
        let is_same = following.history == Some(history);
        let is_next = is_same && offset == following.offset + 1 && !changes.is_empty();
        if is_next {
            following.offset = offset;
            keys::apply(&mut self.keys, changes);
        } else if !is_same || offset > following.offset {
            return self.ask_for_all(now, out);
        }
        if is_next || offset == following.offset {
            following.asks = Asks::No;
            out.cancel_timer(Timer::Redis(RedisTimer::SyncAgain));
        }
    }
}
