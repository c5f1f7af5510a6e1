//! Consul: servers that agree on one log, a process each.
//!
//! ```text
//!   request ─► server ─► leader ─► log ─► majority ─► sessions, keys ─► answer, blocking queries
//!   renewal ─► server ─► leader's memory: the session's timer runs for 2 x TTL anew
//!   stale read ─► server's own sessions and keys ─► answer
//! ```
//!
//! Kept apart: what is in the log ([`state`]), which survives the process; and what only the
//! process remembers: the timers of sessions, which the leader alone has, lock-delays, which
//! each server has for what it has applied itself, and blocking queries. So who leads anew
//! gives every session its whole time anew, and keeps the lock-delays; a server that starts
//! again has none. Agreement is Raft's, as etcd's members have it (`raft`).

pub mod api;
#[cfg(test)]
mod bench;
#[cfg(test)]
mod cluster_tests;
pub mod config;
mod leading;
mod observe;
mod state;
#[cfg(test)]
mod tests;

pub use config::ConsulConfig;
pub use observe::SessionView;
pub use state::{Change, Outcome, State};

use crate::actors::etcd::{Member, Origin, PeerMessage};
use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::Mono;
use api::{Ask, ConsulError, Get, Reads, Reply, Request, RequestId, Response, SessionId, Text};
use litemap::LiteMap;
use serde::Serialize;
use std::rc::Rc;

/// A server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Server {
    config: Rc<ConsulConfig>,
    begun: Begun,
    /// The log, and its part in the agreement on it.
    raft: Member,
    /// The term in which it leads and has given sessions their times.
    reign: Option<u64>,
    /// When each session with a TTL is invalidated, unless it is renewed before: known to the
    /// leader.
    ends: LiteMap<SessionId, Mono>,
    /// Until when a key cannot be taken, by what this server has applied.
    delays: LiteMap<Text, Mono>,
    /// Blocking queries, in the order in which they came.
    queries: Vec<Query>,
    /// What it has passed on to a leader, and is not answered yet.
    forwarded: Vec<Forwarded>,
}

/// Whether the process has ever started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Begun {
    Never,
    Before,
}

/// A blocking query that waits.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Query {
    origin: Origin,
    get: Get,
}

impl Query {
    /// Whether there is something new to answer.
    fn is_due(&self, state: &State) -> bool {
        state.index_of(&self.get.key) > self.get.index
    }
}

/// What was passed on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Forwarded {
    client: NodeId,
    id: RequestId,
    /// The leader.
    to: NodeId,
}

impl Forwarded {
    fn is_of(&self, client: NodeId, id: RequestId) -> bool {
        (self.client, self.id) == (client, id)
    }
}

/// A server's timers; those of its part in the agreement are etcd's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ConsulTimer {
    /// A session's time is over.
    Session(SessionId),
    /// A lock-delay is over.
    Delay(Text),
    /// A blocking query has waited long enough.
    Query(NodeId, RequestId),
}

impl ConsulTimer {
    /// Whether it only answers a reader.
    pub fn is_routine(&self) -> bool {
        matches!(self, ConsulTimer::Query(..))
    }
}

impl Server {
    /// A server that has never started, of some that have settled on the first as the leader.
    pub fn new(config: ConsulConfig) -> Server {
        Server {
            begun: Begun::Never,
            raft: Member::carrying(config.raft(), State::new(config.lock.clone())),
            reign: None,
            ends: LiteMap::new(),
            delays: LiteMap::new(),
            queries: Vec::new(),
            forwarded: Vec::new(),
            config: Rc::new(config),
        }
    }

    /// Takes one input.
    #[inline(never)]
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start => self.start(now, out),
            Input::Message { from, message: Message::Consul(request) } => {
                self.on_request(from, request, now, out);
            }
            Input::Message {
                from,
                message: Message::Peer(PeerMessage::ForwardConsul { client, request }),
            } => {
                let origin = Origin { via: from, client, request: request.id };
                self.lead(origin, request.ask, now, out);
            }
            Input::Message {
                from,
                message: Message::Peer(PeerMessage::ConsulAnswer { client, response }),
            } => {
                if response.result == Err(ConsulError::NoLeader) {
                    self.raft.leads_not(from, now, out);
                }
                self.pass(client, response, out);
            }
            // The process of another server has ended.
            Input::Message { from, message: Message::Closed } => self.fail(|it| it.to == from, out),
            Input::Unreachable { to, message } => self.on_unreachable(to, message, out),
            Input::Timer(Timer::Consul(timer)) => self.on_timer(timer, now, out),
            Input::Message { .. } | Input::Hears { .. } | Input::Timer(Timer::Etcd(_)) => {
                self.raft.handle(input, now, out);
            }
            Input::Timer(_) | Input::WorkDone | Input::Set(_) => {
                unreachable!("a server has requests and timers of its own")
            }
        }
        self.take_in(now, out);
    }

    /// Forgets what is not in the log.
    pub fn crash(&mut self) {
        self.raft.crash();
        self.reign = None;
        self.ends.clear();
        self.delays.clear();
        self.queries.clear();
        self.forwarded.clear();
    }

    /// Its machine closes its connections when its process ends.
    #[inline(never)]
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        let place = self.config.place;
        let waits = |origin: &Origin| if origin.via == place { origin.client } else { origin.via };
        let queries = self.queries.iter().map(|query| waits(&query.origin));
        let mut waiting: Vec<NodeId> = Vec::new();
        for client in queries.chain(self.forwarded.iter().map(|it| it.client)) {
            if !waiting.contains(&client) {
                waiting.push(client);
            }
        }
        waiting.into_iter().map(|client| (client, Message::Closed)).collect()
    }

    /// The other servers.
    pub fn peers(&self) -> &[NodeId] {
        self.raft.peers()
    }

    fn start(&mut self, now: Now, out: &mut Out<Actor>) {
        if self.begun == Begun::Before {
            self.tell_restarted(out);
        }
        self.begun = Begun::Before;
        self.raft.handle(Input::Start, now, out);
    }

    /// A client asks.
    fn on_request(&mut self, client: NodeId, request: Request, now: Now, out: &mut Out<Actor>) {
        let origin = Origin { via: self.config.place, client, request: request.id };
        match &request.ask {
            Ask::Get(get) if get.mode == Reads::Stale => self.get(origin, get.clone(), now, out),
            _ => match self.raft.heard_leader() {
                Some(to) => {
                    let id = request.id;
                    self.forwarded.retain(|it| !it.is_of(client, id));
                    self.forwarded.push(Forwarded { client, id, to });
                    let forward = PeerMessage::ForwardConsul { client, request };
                    out.send(to, Message::Peer(forward));
                }
                None => self.lead(origin, request.ask, now, out),
            },
        }
    }

    /// The leader has answered what was passed on.
    fn pass(&mut self, client: NodeId, response: Response, out: &mut Out<Actor>) {
        self.forwarded.retain(|it| !it.is_of(client, response.id));
        out.send(client, Message::ConsulAnswer(response));
    }

    /// What was passed on is not answered any more.
    fn fail(&mut self, is_it: impl Fn(&Forwarded) -> bool, out: &mut Out<Actor>) {
        for it in self.forwarded.extract_if(.., |it| is_it(it)) {
            let response = Response { id: it.id, result: Err(ConsulError::NoLeader) };
            out.send(it.client, Message::ConsulAnswer(response));
        }
    }

    fn on_unreachable(&mut self, to: NodeId, message: Message, out: &mut Out<Actor>) {
        match message {
            Message::Peer(PeerMessage::ForwardConsul { client, request }) => {
                self.fail(|it| it.is_of(client, request.id), out);
            }
            // A server that is gone has no clients, and a client that is gone is told nothing.
            Message::Peer(PeerMessage::ConsulAnswer { .. }) => {
                self.forget(|origin| origin.via == to, out);
            }
            // What a server was to be told it will be told when it is heard again.
            Message::Peer(_) => {}
            _ => self.forget(|origin| origin.client == to, out),
        }
    }

    fn get(&mut self, origin: Origin, get: Get, now: Now, out: &mut Out<Actor>) {
        let query = Query { origin, get };
        if query.get.index == 0 || query.is_due(self.raft.carried()) {
            return self.answer_query(&query, out);
        }
        let Origin { client, request, .. } = origin;
        out.set_timer(query_timer(&origin), now.mono + query.get.wait);
        self.queries.retain(|it| !it.origin.is_of(client, request));
        self.queries.push(query);
    }

    fn answer_query(&self, query: &Query, out: &mut Out<Actor>) {
        let (key, state) = (&query.get.key, self.raft.carried());
        let entry = Reply::Entry(state.keys.get(key).cloned(), state.index_of(key).max(1));
        answer(self.config.place, &query.origin, Ok(entry), out);
    }

    /// Answers the blocking queries whose key has changed.
    fn answer_queries(&mut self, out: &mut Out<Actor>) {
        let state = self.raft.carried();
        let due: Vec<Query> = self.queries.extract_if(.., |query| query.is_due(state)).collect();
        for query in due {
            cancel_query(&query.origin, out);
            self.answer_query(&query, out);
        }
    }

    fn on_timer(&mut self, timer: ConsulTimer, now: Now, out: &mut Out<Actor>) {
        match timer {
            ConsulTimer::Session(session) => self.overdue(session, now, out),
            ConsulTimer::Delay(key) => {
                self.delays.remove(&key);
                self.tell_delay_over(key, out);
            }
            ConsulTimer::Query(client, id) => {
                let is_it = |query: &Query| query.origin.is_of(client, id);
                let place = self.queries.iter().position(is_it);
                let query = self.queries.remove(place.expect("an answer cancels the timer"));
                self.answer_query(&query, out);
            }
        }
    }

    fn forget(&mut self, is_theirs: impl Fn(&Origin) -> bool, out: &mut Out<Actor>) {
        for query in self.queries.iter().filter(|query| is_theirs(&query.origin)) {
            cancel_query(&query.origin, out);
        }
        self.queries.retain(|query| !is_theirs(&query.origin));
    }
}

fn set_timer(out: &mut Out<Actor>, timer: ConsulTimer, at: Mono) {
    out.set_timer(Timer::Consul(timer), at);
}

fn query_timer(origin: &Origin) -> Timer {
    Timer::Consul(ConsulTimer::Query(origin.client, origin.request))
}

fn cancel_query(origin: &Origin, out: &mut Out<Actor>) {
    out.cancel_timer(query_timer(origin));
}

/// Answers a client, through the server that passed it on if one did.
pub(super) fn answer(
    place: NodeId,
    origin: &Origin,
    result: Result<Reply, ConsulError>,
    out: &mut Out<Actor>,
) {
    let response = Response { id: origin.request, result };
    if origin.via == place {
        return out.send(origin.client, Message::ConsulAnswer(response));
    }
    let answer = PeerMessage::ConsulAnswer { client: origin.client, response };
    out.send(origin.via, Message::Peer(answer));
}
