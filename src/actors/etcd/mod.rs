//! etcd: a member of a cluster, one process each.
//!
//! Three things are kept apart, because leader change, restart and a cut differ in
//! exactly them: what is replicated ([`replicated`]), what a member has on disk
//! ([`log`]) and what only its process remembers ([`volatile`]).
//!
//! ```text
//!   request ─► member ─► leader ─► log ─► majority ─► replicated ─► answer, watches
//!   keepalive ─► member ─► leader's memory ─► answer
//! ```
//!
//! Agreement is modelled, not re-implemented: an entry is committed after a round
//! trip to a majority, an election is a timeout and a round trip, and heartbeats are
//! not sent ([`Input::Hears`] stands for them).

mod answer;
pub mod api;
mod apply;
mod carrying;
pub mod config;
mod election;
mod following;
mod kv;
mod leading;
mod log;
mod observe;
mod peer;
mod replicated;
mod service;
mod service_api;
#[cfg(test)]
mod tests;
mod view;
mod volatile;
mod watch;

pub use config::{EtcdConfig, MAX_TTL_S};
pub use kv::KEPT_REVISIONS;
pub(super) use log::Origin;
pub use observe::Claimant;
pub(super) use observe::tell as tell_lock;
pub use peer::{PeerMessage, Vote};
pub use view::{LeaseView, Part};

use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::Phase;
use api::{Body, EtcdError, Reply, RequestId, Response, Revision};
use following::Ack;
use log::{Durable, Told};
pub use replicated::Books;
use replicated::Replicated;
use serde::Serialize;
use std::rc::Rc;
use volatile::{Following, News, Role, Volatile};

/// A member.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Member {
    config: Rc<EtcdConfig>,
    /// Follows from the settings.
    #[serde(skip)]
    peers: Vec<NodeId>,
    durable: Durable,
    volatile: Volatile,
}

/// A member's timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum EtcdTimer {
    /// A leader's scan that will find the next lease overdue.
    Expiry,
    /// A member without a leader stands for election.
    Election,
    /// A leader that hears no majority gives up leading.
    Quorum,
    /// A leader sends its log again to a follower that did not answer.
    Resend,
    /// A follower asks for what it should have heard of.
    CatchUp,
}

impl Member {
    /// A member of a cluster that has settled on its first leader and holds nothing.
    ///
    /// # Panics
    /// When the settings contradict themselves.
    pub fn new(config: EtcdConfig) -> Member {
        config.check();
        let state = Replicated::new(config.revision);
        let peers =
            config.members.iter().copied().filter(|member| *member != config.place).collect();
        let leader = Some(config.leader);
        let following = Following { leader, vouched_by: None, news: News::Fresh };
        let mut member = Member {
            durable: Durable::new(state, config.leader),
            volatile: Volatile::new(Role::Follower(following)),
            config: Rc::new(config),
            peers,
        };
        member.volatile.last_leader = Some(member.config.leader);
        if member.config.leader == member.config.place {
            let held = member.durable.applied.index;
            member.volatile.role = Role::Leader(member.fresh_followers(held));
        }
        member
    }

    /// Takes one input.
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start => {
                self.volatile.scan = Some(Phase::new(now.mono, self.config.expiry_scan));
                self.mind_election(now, out);
            }
            Input::Message { from, message } => self.on_message(from, message, now, out),
            Input::Unreachable { to, message } => self.on_unreachable(to, message, out),
            Input::Timer(Timer::Etcd(timer)) => self.on_timer(timer, now, out),
            Input::Hears { peer, hearing } => self.on_hears(peer, hearing, now, out),
            Input::Timer(_) | Input::WorkDone | Input::Set(_) => {
                unreachable!("a member has timers of its own, no work and no settings to switch")
            }
        }
        self.serve_on(now, out);
    }

    /// Forgets what is not on disk.
    pub fn crash(&mut self) {
        self.volatile = Volatile::new(Role::Follower(Following::default()));
    }

    /// Its machine closes the connections of its clients when its process ends.
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        self.volatile.clients.iter().map(|client| (*client, Message::Closed)).collect()
    }

    /// The other members.
    pub fn peers(&self) -> &[NodeId] {
        &self.peers
    }

    fn on_message(&mut self, from: NodeId, message: Message, now: Now, out: &mut Out<Actor>) {
        match message {
            Message::Etcd(request) => self.on_request(from, request, now, out),
            Message::Peer(message) => self.on_peer(from, message, now, out),
            _ => unreachable!("a member is sent requests and other members' messages"),
        }
    }

    fn on_peer(&mut self, from: NodeId, message: PeerMessage, now: Now, out: &mut Out<Actor>) {
        match message {
            PeerMessage::Append { term, committed, tail } => {
                let told = Told { committed, state: None, tail };
                self.on_log(from, term, told, Ack::Always, now, out);
            }
            PeerMessage::Commit { term, committed } => {
                let told = Told { committed, state: None, tail: Vec::new() };
                self.on_log(from, term, told, Ack::OnlyIfBehind, now, out);
            }
            PeerMessage::Snapshot { term, committed, state, tail } => {
                let told = Told { committed, state: Some(state), tail };
                self.on_log(from, term, told, Ack::Always, now, out);
            }
            PeerMessage::AppendAck { term, held } => {
                self.on_append_ack(from, term, held, now, out);
            }
            PeerMessage::CatchUp => self.on_catch_up(from, now, out),
            PeerMessage::NotLeading { term } => self.on_not_leading(from, term, now, out),
            PeerMessage::Vote { term, last } => self.on_vote_asked(from, term, last, now, out),
            PeerMessage::VoteAck { term, vote } => self.on_vote(from, term, vote, now, out),
            PeerMessage::Forward { client, request } => {
                self.on_forward(from, client, request, now, out);
            }
            PeerMessage::ForwardAnswer { client, response } => {
                if response.result == Err(EtcdError::NoLeader) {
                    self.believe_not_leading(from);
                    self.mind_election(now, out);
                }
                self.pass_answer(client, response, out);
            }
            PeerMessage::ForwardConsul { .. } | PeerMessage::ConsulAnswer { .. } => {
                unreachable!("a server of Consul keeps these to itself")
            }
        }
    }

    fn on_unreachable(&mut self, to: NodeId, message: Message, out: &mut Out<Actor>) {
        match message {
            Message::Peer(PeerMessage::Forward { client, request }) => {
                self.answer_client(client, request.id, Err(EtcdError::NoLeader), out);
            }
            // The connection to the client is broken.
            Message::EtcdWatch(_) | Message::EtcdAnswer(_) => self.drop_client(to),
            // What another member was to be told it will be told when it is heard again.
            _ => {}
        }
    }

    fn on_timer(&mut self, timer: EtcdTimer, now: Now, out: &mut Out<Actor>) {
        match timer {
            EtcdTimer::Expiry => self.scan(now, out),
            EtcdTimer::Election => self.stand(now, out),
            EtcdTimer::Quorum => self.check_quorum(now, out),
            EtcdTimer::Resend => self.resend(now, out),
            EtcdTimer::CatchUp => self.catch_up(now, out),
        }
    }

    fn hears(&self, peer: NodeId) -> bool {
        !self.volatile.silent.contains(&peer)
    }

    /// Whether a majority is heard, this member included.
    fn hears_majority(&self) -> bool {
        self.config.members.len() - self.volatile.silent.len() >= self.config.majority()
    }

    fn state(&self) -> &Replicated {
        &self.durable.state
    }

    /// Answers a request, through the member that passed it on if one did.
    fn answer(&mut self, origin: &Origin, result: Result<Body, EtcdError>, out: &mut Out<Actor>) {
        if origin.via == self.config.place {
            return self.answer_client(origin.client, origin.request, result, out);
        }
        let response = self.response(origin.request, result);
        let answer = PeerMessage::ForwardAnswer { client: origin.client, response };
        out.send(origin.via, Message::Peer(answer));
    }

    fn answer_client(
        &mut self,
        client: NodeId,
        request: RequestId,
        result: Result<Body, EtcdError>,
        out: &mut Out<Actor>,
    ) {
        let response = self.response(request, result);
        self.pass_answer(client, response, out);
    }

    /// The services are clients of the member in which they run, and hear at once.
    fn pass_answer(&mut self, client: NodeId, response: Response, out: &mut Out<Actor>) {
        match client == self.config.place {
            true => self.volatile.told.push(response),
            false => out.send(client, Message::EtcdAnswer(response)),
        }
    }

    fn response(&self, id: RequestId, result: Result<Body, EtcdError>) -> Response {
        let revision: Revision = self.revision();
        Response { id, result: result.map(|body| Reply { revision, body }) }
    }
}
