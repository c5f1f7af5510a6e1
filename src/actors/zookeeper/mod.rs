//! ZooKeeper: the servers of an ensemble, one process each, and the client's side of a
//! connection ([`client`]).
//!
//! ```text
//!   write ─► server ─► leader ─► log ─► majority ─► tree ─► watches, answer
//!   read  ─► server's own tree ─► answer          (it may be behind)
//!   ping  ─► server ─► leader's memory, up to half a tick later
//! ```
//!
//! Three things are kept apart: what is replicated ([`tree`]), what a server has on disk
//! (`Disk`), and what only its process remembers: its part, its connections, its
//! watches. Agreement is Zab in short: a leader's epoch is promised by a majority, which
//! takes over the leader's log before anything of the epoch is committed. Heartbeats
//! between servers are not sent ([`Input::Hears`] stands for them).

pub mod api;
pub mod client;
pub mod config;
mod connections;
mod election;
mod following;
mod leading;
mod observe;
mod peer;
mod sessions;
#[cfg(test)]
mod tests;
mod tree;

pub use config::ZkConfig;
pub use observe::{Part, SessionTruth, suffix};
pub use peer::PeerMessage;
pub use tree::Tree;

use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{Hearing, Input, NodeId, Now, Out};
use crate::sim::time::{Phase, Span};
use api::Zxid;
use connections::{Connection, Watched};
use election::Looking;
use following::Following;
use leading::Leading;
use litemap::LiteMap;
use peer::{Newness, Txn};
use serde::Serialize;
use std::rc::Rc;

/// A server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Server {
    config: Rc<ZkConfig>,
    /// Follows from the settings.
    #[serde(skip)]
    peers: Vec<NodeId>,
    disk: Disk,
    role: Role,
    /// The connections of clients.
    clients: LiteMap<NodeId, Connection>,
    watches: Vec<Watched>,
    /// The other servers that it does not hear.
    silent: Vec<NodeId>,
    /// Its ticks, which begin with the process.
    ticks: Option<Phase>,
    /// Its looks for empty containers.
    reaps: Option<Phase>,
}

/// What survives the end of a server's process.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Disk {
    begun: Begun,
    /// The last epoch promised, and to whom.
    accepted: u32,
    promised_to: NodeId,
    /// The epoch in which it was last brought up to date.
    current: u32,
    /// The last change in `tree`.
    applied: Zxid,
    tree: Rc<Tree>,
    /// The changes after it; not known to be committed.
    tail: Vec<Rc<Txn>>,
    /// Counts the sessions opened here.
    opened: u32,
}

/// Whether the process has ever started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Begun {
    Never,
    Before,
}

/// A server's part in the ensemble.
#[derive(Clone, Debug, PartialEq, Serialize)]
enum Role {
    Looking(Looking),
    Following(Following),
    Leading(Leading),
}

/// A server's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ZkTimer {
    /// A leader's tick at which the next session ends.
    Expiry,
    /// A follower tells the leader whom it has heard.
    Touch,
    /// A leader looks for empty containers.
    Reap,
    /// Whoever looks for a leader has waited long enough for better ones.
    Decide,
    /// A follower has not heard its leader, or a leader no majority, for long enough.
    Limit,
    /// What may have been lost between servers is said again.
    Again,
}

impl ZkTimer {
    /// Whether it only says again what was said, or tidies up.
    pub fn is_routine(&self) -> bool {
        matches!(self, ZkTimer::Touch | ZkTimer::Reap | ZkTimer::Again)
    }
}

impl Server {
    /// A server of an ensemble that has settled on its first server as the leader, and
    /// holds nothing. One alone has no epochs, as a server in standalone mode.
    ///
    /// # Panics
    /// When the settings contradict themselves.
    pub fn new(config: ZkConfig) -> Server {
        assert!(config.servers.len() % 2 == 1, "an ensemble has an odd number of servers");
        assert!(config.servers.contains(&config.place), "a server is one of its ensemble");
        let peers: Vec<NodeId> =
            config.servers.iter().copied().filter(|server| *server != config.place).collect();
        let leader = config.servers[0];
        let epoch = u32::from(!peers.is_empty());
        let disk = Disk {
            begun: Begun::Never,
            accepted: epoch,
            promised_to: leader,
            current: epoch,
            applied: Zxid::of_epoch(epoch),
            tree: Rc::new(Tree::new()),
            tail: Vec::new(),
            opened: 0,
        };
        let role = match leader == config.place {
            true => Role::Leading(Leading::settled(&peers, disk.applied)),
            false => Role::Following(Following::settled(leader)),
        };
        Server {
            config: Rc::new(config),
            peers,
            disk,
            role,
            clients: LiteMap::new(),
            watches: Vec::new(),
            silent: Vec::new(),
            ticks: None,
            reaps: None,
        }
    }

    /// Takes one input.
    #[inline(never)]
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start => self.start(now, out),
            Input::Message { from, message } => self.on_message(from, message, now, out),
            Input::Unreachable { to, message } => match message {
                // A look is sent to whoever may be there.
                Message::ZkPeer(PeerMessage::Look { .. }) => {}
                Message::ZkPeer(_) => self.peer_closed(to, now, out),
                Message::ZkReply(response) => self.client_closed(to, response.id),
                Message::ZkClosed(number) => self.client_closed(to, number),
                _ => self.drop_client(to),
            },
            Input::Timer(Timer::Zk(timer)) => self.on_timer(timer, now, out),
            Input::Hears { peer, hearing } => self.on_hears(peer, hearing, now, out),
            Input::Timer(_) | Input::WorkDone | Input::Set(_) => {
                unreachable!("a server has timers of its own, no work and nothing to be set")
            }
        }
    }

    /// Forgets what is not on disk.
    pub fn crash(&mut self) {
        self.role = Role::Looking(Looking::default());
        self.clients.clear();
        self.watches.clear();
        self.silent.clear();
        (self.ticks, self.reaps) = (None, None);
    }

    /// Its machine closes its connections when its process ends: those of its clients and
    /// those between leader and followers.
    #[inline(never)]
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        let others = self.streams().into_iter().map(|to| (to, Message::Closed));
        self.farewells().chain(others).collect()
    }

    /// The other servers.
    pub fn peers(&self) -> &[NodeId] {
        &self.peers
    }

    fn start(&mut self, now: Now, out: &mut Out<Actor>) {
        self.ticks = Some(Phase::new(now.mono, self.config.tick));
        self.reaps = Some(Phase::new(now.mono, self.config.reaps_every));
        let begun = std::mem::replace(&mut self.disk.begun, Begun::Before);
        if begun == Begun::Before {
            self.look(now, out);
        }
    }

    fn on_message(&mut self, from: NodeId, message: Message, now: Now, out: &mut Out<Actor>) {
        match message {
            Message::Zk(request) => self.on_request(from, request, now, out),
            Message::ZkPeer(message) => self.on_peer(from, message, now, out),
            Message::Closed => self.peer_closed(from, now, out),
            Message::ZkClosed(number) => self.client_closed(from, number),
            _ => unreachable!("a server is sent calls and other servers' messages"),
        }
    }

    fn on_peer(&mut self, from: NodeId, message: PeerMessage, now: Now, out: &mut Out<Actor>) {
        match message {
            PeerMessage::Look { newness, wants } => self.on_look(from, newness, wants, now, out),
            PeerMessage::LeaderIs(leader) => self.on_leader_is(leader, now, out),
            PeerMessage::Follow { accepted, newness } => {
                self.on_follow(from, accepted, newness, now, out);
            }
            PeerMessage::NotLeading => self.on_not_leading(from, now, out),
            PeerMessage::State { epoch, applied, tree, tail } => {
                if self.is_from_leader(from, out) {
                    self.on_state(from, epoch, (applied, tree, tail), now, out);
                }
            }
            PeerMessage::Propose { epoch, committed, tail } => {
                if self.is_from_leader(from, out) {
                    self.on_proposed(epoch, committed, &tail, now, out);
                }
            }
            PeerMessage::Commit { epoch, committed } => {
                if self.is_from_leader(from, out) {
                    self.on_commit(epoch, committed, now, out);
                }
            }
            PeerMessage::Answer { client, request, result } => {
                if self.is_from_leader(from, out) {
                    self.deliver(client, request, result, now, out);
                }
            }
            PeerMessage::Ack { epoch, held } => {
                if self.is_from_follower(from, out) {
                    self.on_ack(from, epoch, held, now, out);
                }
            }
            PeerMessage::Forward { origin, what } => {
                if self.is_from_follower(from, out) {
                    self.serve(origin, what, now, out);
                }
            }
            PeerMessage::Touch(sessions) => {
                if self.is_from_follower(from, out) {
                    sessions.iter().for_each(|session| self.touch(*session, now, out));
                }
            }
        }
    }

    fn on_timer(&mut self, timer: ZkTimer, now: Now, out: &mut Out<Actor>) {
        match timer {
            ZkTimer::Expiry => self.expire(now, out),
            ZkTimer::Touch => self.tell_touched(out),
            ZkTimer::Reap => self.reap(now, out),
            ZkTimer::Decide => self.decide(now, out),
            ZkTimer::Limit => self.look(now, out),
            ZkTimer::Again => self.say_again(now, out),
        }
    }

    /// Another server fell silent or is heard again.
    fn on_hears(&mut self, peer: NodeId, hearing: Hearing, now: Now, out: &mut Out<Actor>) {
        match hearing {
            Hearing::Silent if self.silent.contains(&peer) => {}
            Hearing::Silent => self.silent.push(peer),
            Hearing::Heard => self.silent.retain(|other| *other != peer),
        }
        match &self.role {
            Role::Looking(_) if hearing == Hearing::Heard => self.tell_look(&[peer], out),
            Role::Looking(_) => {}
            Role::Following(following) if following.leader == peer => {
                self.leader_heard(hearing, now, out);
            }
            Role::Following(_) => {}
            Role::Leading(_) => self.follower_heard(peer, hearing, now, out),
        }
    }

    fn hears(&self, peer: NodeId) -> bool {
        !self.silent.contains(&peer)
    }

    /// With which other servers it has a connection of leader and follower.
    fn streams(&self) -> Vec<NodeId> {
        match &self.role {
            Role::Looking(_) => Vec::new(),
            Role::Following(following) => vec![following.leader],
            Role::Leading(leading) => leading.followers.keys().copied().collect(),
        }
    }

    /// What comes over a connection that is none any more closes it at the other end too.
    fn is_from_leader(&self, from: NodeId, out: &mut Out<Actor>) -> bool {
        let known = matches!(&self.role, Role::Following(following) if following.leader == from);
        if !known {
            out.send(from, Message::Closed);
        }
        known
    }

    fn is_from_follower(&self, from: NodeId, out: &mut Out<Actor>) -> bool {
        let known =
            matches!(&self.role, Role::Leading(leading) if leading.followers.contains_key(&from));
        if !known {
            out.send(from, Message::Closed);
        }
        known
    }

    fn peer_closed(&mut self, peer: NodeId, now: Now, out: &mut Out<Actor>) {
        match &mut self.role {
            Role::Looking(looking) => looking.forget(peer),
            Role::Following(following) if following.leader == peer => self.look(now, out),
            Role::Following(_) => {}
            Role::Leading(leading) => {
                leading.followers.remove(&peer);
                self.mind_majority(now, out);
            }
        }
    }

    /// Whether it serves clients.
    fn serves(&self) -> bool {
        match &self.role {
            Role::Looking(_) => false,
            Role::Following(following) => following.is_up_to_date,
            Role::Leading(leading) => leading.is_established,
        }
    }

    fn newness(&self) -> Newness {
        let last = self.disk.tail.last().map_or(self.disk.applied, |txn| txn.zxid);
        Newness { epoch: self.disk.current, last }
    }

    fn half_tick(&self) -> Span {
        Span(self.config.tick.us() / 2)
    }
}

fn set_timer(out: &mut Out<Actor>, timer: ZkTimer, at: crate::sim::time::Mono) {
    out.set_timer(Timer::Zk(timer), at);
}

fn cancel_timer(out: &mut Out<Actor>, timer: ZkTimer) {
    out.cancel_timer(Timer::Zk(timer));
}

fn send(to: NodeId, message: PeerMessage, out: &mut Out<Actor>) {
    out.send(to, Message::ZkPeer(message));
}
