//! Replication: a primary answers first and tells its replicas what changed later. A
//! replica that has missed something is sent everything, and gives up what it had.

use super::api::{RedisError, Reply, RequestId, Text};
use super::commands::{self, Answer};
use super::keys::{self, Change, Keys};
use super::{Node, RedisConfig, RedisTimer};
use crate::actors::note::RedisNote;
use crate::actors::{Actor, Fact, Message, Timer};
use crate::sim::process::{Hearing, NodeId, Now, Out};
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
    /// Who follows, and how far each has said that it is.
    pub replicas: LiteMap<NodeId, u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Following {
    pub of: NodeId,
    /// Which history it has, once it has one.
    history: Option<History>,
    pub offset: u64,
}

/// A `WAIT` that waits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Waiting {
    client: NodeId,
    request: RequestId,
    /// How far the replicas have to be.
    offset: u64,
    /// How many of them.
    wanted: i64,
}

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
    /// Primary to replica: how far are you?
    GetAck,
    /// Replica to primary: so far.
    Ack {
        /// How far.
        offset: u64,
    },
    /// What a Sentinel tells a node in whose stead another was promoted: follow that one.
    Follow,
}

impl PeerMessage {
    /// The kind of message.
    pub fn kind(&self) -> &'static str {
        match self {
            PeerMessage::Sync { .. } => "psync",
            PeerMessage::Full { .. } => "full-sync",
            PeerMessage::Stream { .. } => "replicate",
            PeerMessage::GetAck => "get-ack",
            PeerMessage::Ack { .. } => "replica-ack",
            PeerMessage::Follow => "follow",
        }
    }
}

impl Primary {
    pub(super) fn new(history: History) -> Primary {
        Primary { history, offset: 0, replicas: LiteMap::new() }
    }

    /// How many replicas are known to be so far.
    fn count(&self, offset: u64) -> i64 {
        self.replicas.values().filter(|acked| **acked >= offset).count() as i64
    }
}

impl Role {
    /// A part at the start of everything.
    pub(super) fn settled(config: &RedisConfig, peers: &[NodeId]) -> Role {
        let first = config.nodes.first().copied().unwrap_or(config.place);
        let history = History { node: first, nth: 0 };
        if first == config.place {
            let replicas = peers.iter().map(|peer| (*peer, 0)).collect();
            return Role::Primary(Primary { replicas, ..Primary::new(history) });
        }
        Role::Replica(Following { of: first, history: Some(history), offset: 0 })
    }

    /// One that has nothing of this primary's yet.
    pub(super) fn following(of: NodeId) -> Role {
        Role::Replica(Following { of, history: None, offset: 0 })
    }
}

fn send(to: NodeId, message: PeerMessage, out: &mut Out<Actor>) {
    out.send(to, Message::RedisPeer(message));
}

impl Node {
    pub(super) fn next_history(&mut self) -> History {
        self.disk.histories += 1;
        History { node: self.config.place, nth: self.disk.histories }
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

    pub(super) fn ask_for_all(&self, out: &mut Out<Actor>) {
        let Role::Replica(Following { of, history, offset }) = &self.role else { return };
        send(*of, PeerMessage::Sync { history: *history, offset: *offset }, out);
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
            PeerMessage::Ack { offset } => self.on_ack(from, offset, out),
            PeerMessage::Follow => self.take_part(Replication::Of(from), now, out),
            PeerMessage::Full { history, offset, keys } => {
                let Role::Replica(following) = &mut self.role else { return };
                if following.of == from {
                    (following.history, following.offset) = (Some(history), offset);
                    self.keys = keys;
                    send(from, PeerMessage::Ack { offset }, out);
                }
            }
            PeerMessage::Stream { history, offset, changes } => {
                self.on_stream(from, history, offset, &changes, out);
            }
            PeerMessage::GetAck => {
                if let Role::Replica(following) = &self.role
                    && following.of == from
                {
                    send(from, PeerMessage::Ack { offset: following.offset }, out);
                }
            }
        }
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
        if history == Some(own) && offset == at {
            primary.replicas.insert(from, offset);
            let nothing = PeerMessage::Stream { history: own, offset: at, changes: Vec::new() };
            return send(from, nothing, out);
        }
        primary.replicas.insert(from, 0);
        let keys = self.keys.clone();
        send(from, PeerMessage::Full { history: own, offset: at, keys }, out);
    }

    fn on_stream(
        &mut self,
        from: NodeId,
        history: History,
        offset: u64,
        changes: &[Change],
        out: &mut Out<Actor>,
    ) {
        let Role::Replica(following) = &mut self.role else { return };
        if following.of != from {
            return;
        }
        let is_same = following.history == Some(history);
        if is_same && offset == following.offset + 1 {
            following.offset = offset;
            return keys::apply(&mut self.keys, changes);
        }
        if !is_same || offset > following.offset {
            self.ask_for_all(out);
        }
    }

    fn on_ack(&mut self, from: NodeId, offset: u64, out: &mut Out<Actor>) {
        let Role::Primary(primary) = &mut self.role else { return };
        let acked = primary.replicas.entry(from).or_insert(0);
        *acked = offset.max(*acked);
        let enough = |wait: &Waiting| primary.count(wait.offset) >= wait.wanted;
        let (over, waits): (Vec<Waiting>, Vec<Waiting>) = self.waits.drain(..).partition(enough);
        self.waits = waits;
        for Waiting { client, request, offset, .. } in over {
            out.cancel_timer(Timer::Redis(RedisTimer::Wait { client, request }));
            self.tell_count(client, request, offset, out);
        }
    }

    fn tell_count(&self, client: NodeId, request: RequestId, offset: u64, out: &mut Out<Actor>) {
        let Role::Primary(primary) = &self.role else { return };
        self.reply(client, request, "wait", Ok(Reply::Int(primary.count(offset))), out);
    }

    /// `WAIT`: until so many replicas have what this client wrote last, or time is up.
    pub(super) fn wait(
        &mut self,
        client: NodeId,
        request: RequestId,
        words: &[Text],
        now: Now,
        out: &mut Out<Actor>,
    ) -> Option<Answer> {
        let Role::Primary(primary) = &self.role else {
            return Some(Err(RedisError::WaitAtReplica));
        };
        let (wanted, timeout_ms) = match wait_of(words) {
            Ok(both) => both,
            Err(error) => return Some(Err(error)),
        };
        let offset = self.written.get(&client).copied().unwrap_or(0);
        let count = primary.count(offset);
        if count >= wanted {
            return Some(Ok(Reply::Int(count)));
        }
        for replica in primary.replicas.keys() {
            send(*replica, PeerMessage::GetAck, out);
        }
        self.waits.push(Waiting { client, request, offset, wanted });
        if timeout_ms > 0 {
            let timer = Timer::Redis(RedisTimer::Wait { client, request });
            out.set_timer(timer, now.mono + Span::from_ms(timeout_ms));
        }
        None
    }

    pub(super) fn wait_is_over(
        &mut self,
        client: NodeId,
        request: RequestId,
        out: &mut Out<Actor>,
    ) {
        let is_it = |wait: &Waiting| (wait.client, wait.request) == (client, request);
        let Some(place) = self.waits.iter().position(is_it) else { return };
        let offset = self.waits.remove(place).offset;
        self.tell_count(client, request, offset, out);
    }

    /// Is given a part, by an operator, a Sentinel or its own patience.
    pub(super) fn take_part(&mut self, part: Replication, now: Now, out: &mut Out<Actor>) {
        if self.config.promote_after.is_some() {
            self.disk.part = Some(part);
        }
        match (part, &self.role) {
            (Replication::Primary, Role::Primary(_)) => {}
            (Replication::Primary, Role::Replica(following)) => {
                let before = following.of;
                let history = self.next_history();
                self.role = Role::Primary(Primary::new(history));
                out.cancel_timer(Timer::Redis(RedisTimer::Failover));
                out.note(RedisNote::Promoted).sets(Fact::Leadership).silence_of(before);
                self.tell_taken_over(now.wall, out);
                self.sweep(now, out);
            }
            (Replication::Of(other), Role::Replica(following)) if following.of == other => {}
            (Replication::Of(other), _) => {
                out.note(RedisNote::Follows { primary: other }).sets(Fact::Leadership);
                if let Role::Primary(_) = self.role {
                    self.tell_handed_over(out);
                }
                self.end_waits(out);
                self.role = Role::following(other);
                self.ask_for_all(out);
            }
        }
        self.mind_expiry(out);
    }

    fn end_waits(&mut self, out: &mut Out<Actor>) {
        for Waiting { client, request, .. } in std::mem::take(&mut self.waits) {
            out.cancel_timer(Timer::Redis(RedisTimer::Wait { client, request }));
            self.reply(client, request, "wait", Err(RedisError::Unblocked), out);
        }
        self.written.clear();
    }

    pub(super) fn on_hears(
        &mut self,
        peer: NodeId,
        hearing: Hearing,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let timer = Timer::Redis(RedisTimer::Failover);
        match (&self.role, hearing) {
            (Role::Replica(following), Hearing::Heard) if following.of == peer => {
                out.cancel_timer(timer);
                self.ask_for_all(out);
            }
            (Role::Replica(following), Hearing::Silent) if following.of == peer => {
                if let Some(after) = self.config.promote_after {
                    out.set_timer(timer, now.mono + after);
                }
            }
            // Whom it has replaced is told to follow; who follows already stays as it is.
            (Role::Primary(_), Hearing::Heard) if self.disk.part == Some(Replication::Primary) => {
                send(peer, PeerMessage::Follow, out);
            }
            _ => {}
        }
    }

    pub(super) fn fail_over(&mut self, now: Now, out: &mut Out<Actor>) {
        self.take_part(Replication::Primary, now, out);
    }
}

fn wait_of(words: &[Text]) -> Result<(i64, i64), RedisError> {
    let wanted = commands::whole(&words[1])?;
    let timeout_ms = commands::whole(&words[2]).map_err(|_| RedisError::Timeout)?;
    if timeout_ms < 0 { Err(RedisError::NegativeTimeout) } else { Ok((wanted, timeout_ms)) }
}
