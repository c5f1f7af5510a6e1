//! Consul: one server, which leads while it runs.
//!
//! ```text
//!   request ─► log ─► sessions, keys ─► answer, blocking queries
//!   renewal ─► the leader's memory: the session's timer runs for 2 x TTL anew
//! ```
//!
//! Kept apart: what is in the log ([`state`]), which survives the process; and what only the
//! process remembers: the timers of sessions, lock-delays, blocking queries. A server that
//! starts again elects itself, has no lock-delay, and gives every session its whole time
//! anew.

pub mod api;
pub mod config;
mod observe;
mod state;
#[cfg(test)]
mod tests;

pub use config::ConsulConfig;
pub use observe::SessionView;

use crate::actors::note::LeaseEnd;
use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::{Mono, Span};
use api::{Ask, ConsulError, Get, Kv, NewSession, Reply, Request, RequestId, Response};
use api::{SessionId, Text, TxnOp, Verb};
use litemap::LiteMap;
use serde::Serialize;
use state::{Session, State};
use std::rc::Rc;

/// Sessions' numbers are drawn from so many.
const SESSIONS: u64 = 1 << 32;

/// A server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Server {
    config: Rc<ConsulConfig>,
    disk: Disk,
    role: Role,
    /// When each session with a TTL is invalidated, unless it is renewed before.
    ends: LiteMap<SessionId, Mono>,
    /// Until when a key cannot be taken.
    delays: LiteMap<Text, Mono>,
    /// Blocking queries, in the order in which they came.
    queries: Vec<Query>,
}

/// What is there when the process starts again.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Disk {
    begun: Begun,
    /// The raft term.
    term: u64,
    state: State,
}

/// Whether the process has ever started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Begun {
    Never,
    Before,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Role {
    /// It waits to elect itself.
    Candidate,
    Leader,
}

/// A blocking query that waits.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Query {
    client: NodeId,
    id: RequestId,
    get: Get,
}

/// A server's timers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum ConsulTimer {
    /// It elects itself.
    Election,
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
    /// A server that has never started.
    pub fn new(config: ConsulConfig) -> Server {
        Server {
            config: Rc::new(config),
            disk: Disk { begun: Begun::Never, term: 1, state: State::new() },
            role: Role::Leader,
            ends: LiteMap::new(),
            delays: LiteMap::new(),
            queries: Vec::new(),
        }
    }

    /// Takes one input.
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start => self.start(now, out),
            Input::Message { from, message: Message::Consul(request) } => {
                self.on_request(from, request, now, out);
            }
            // A client that is gone is told nothing.
            Input::Unreachable { to, .. } => self.forget(to, out),
            Input::Timer(Timer::Consul(timer)) => self.on_timer(timer, now, out),
            Input::Message { .. }
            | Input::Hears { .. }
            | Input::Timer(_)
            | Input::WorkDone
            | Input::Set(_) => unreachable!("a server has requests and timers of its own"),
        }
    }

    /// Forgets what is not in the log.
    pub fn crash(&mut self) {
        self.role = Role::Candidate;
        self.ends.clear();
        self.delays.clear();
        self.queries.clear();
    }

    /// Its machine closes its connections when its process ends.
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        let mut waiting: Vec<NodeId> = self.queries.iter().map(|query| query.client).collect();
        waiting.dedup();
        waiting.into_iter().map(|client| (client, Message::Closed)).collect()
    }

    fn start(&mut self, now: Now, out: &mut Out<Actor>) {
        if self.disk.begun == Begun::Before {
            self.tell_restarted(out);
            set_timer(out, ConsulTimer::Election, now.mono + self.config.election_timeout);
        }
        self.disk.begun = Begun::Before;
    }

    /// Every session gets its whole time: nobody knows how much was left.
    fn lead(&mut self, now: Now, out: &mut Out<Actor>) {
        self.role = Role::Leader;
        self.disk.term += 1;
        self.disk.state.next_entry();
        self.tell_leads(out);
        let all: Vec<SessionId> = self.disk.state.sessions.keys().copied().collect();
        all.into_iter().for_each(|session| self.renew(session, now, out));
    }

    fn on_request(&mut self, from: NodeId, request: Request, now: Now, out: &mut Out<Actor>) {
        let Request { id, ask } = request;
        if self.role != Role::Leader {
            self.tell_no_leader(out);
            return respond(from, id, Err(ConsulError::NoLeader), out);
        }
        let result = match ask {
            Ask::Create(asked) => self.create(from, asked, now, out).map(Reply::Created),
            Ask::Renew(session) => self.renewed(session, now, out),
            Ask::Destroy(session) => {
                self.invalidate(session, LeaseEnd::Revoked, now, out);
                Ok(Reply::Is(true))
            }
            Ask::Info(session) => {
                let known = self.disk.state.sessions.get(&session);
                Ok(Reply::Session(known.map(|known| known.made)))
            }
            Ask::Get(get) => return self.get(from, id, get, now, out),
            Ask::Kv(kv) => self.change(from, &kv, out).map(Reply::Is),
            Ask::Txn(ops) => self.transact(from, &ops, out).map(Reply::Txn),
        };
        respond(from, id, result, out);
        self.answer_queries(out);
    }

    fn create(
        &mut self,
        client: NodeId,
        asked: NewSession,
        now: Now,
        out: &mut Out<Actor>,
    ) -> Result<SessionId, ConsulError> {
        let is_within = (config::MIN_TTL..=config::MAX_TTL).contains(&asked.ttl);
        if asked.ttl != Span::ZERO && !is_within {
            return Err(ConsulError::InvalidTtl);
        }
        let lock_delay = asked.lock_delay.min(config::MAX_LOCK_DELAY);
        let session = SessionId(out.draw("session", SESSIONS - 1) + 1);
        let made = NewSession { lock_delay, ..asked };
        self.disk.state.next_entry();
        self.disk.state.sessions.insert(session, Session { made, client });
        self.tell_created(session, made, out);
        self.renew(session, now, out);
        Ok(session)
    }

    fn renewed(
        &mut self,
        session: SessionId,
        now: Now,
        out: &mut Out<Actor>,
    ) -> Result<Reply, ConsulError> {
        if !self.disk.state.sessions.contains_key(&session) {
            return Err(ConsulError::NoSession);
        }
        self.tell_renewed(session, out);
        self.renew(session, now, out);
        Ok(Reply::Renewed)
    }

    /// A session's time begins anew: twice its TTL. A renewal is in no log.
    fn renew(&mut self, session: SessionId, now: Now, out: &mut Out<Actor>) {
        let Some(known) = self.disk.state.sessions.get(&session) else { return };
        if known.made.ttl == Span::ZERO {
            return;
        }
        let ends = now.mono + Span(config::TTLS * known.made.ttl.us());
        self.ends.insert(session, ends);
        set_timer(out, ConsulTimer::Session(session), ends);
    }

    /// A session ends: what it held is free, but not to be taken for as long as its
    /// lock-delay.
    fn invalidate(&mut self, session: SessionId, why: LeaseEnd, now: Now, out: &mut Out<Actor>) {
        let before = self.told_holder();
        self.disk.state.next_entry();
        let Some((ended, held)) = self.disk.state.end_session(session) else { return };
        self.ends.remove(&session);
        out.cancel_timer(Timer::Consul(ConsulTimer::Session(session)));
        self.tell_ended(session, why, before, out);
        let delay = ended.made.lock_delay;
        for key in held.into_iter().filter(|_| delay > Span::ZERO) {
            self.tell_delay(&key, delay, out);
            self.delays.insert(key.clone(), now.mono + delay);
            set_timer(out, ConsulTimer::Delay(key), now.mono + delay);
        }
    }

    fn is_delayed(&self, kv: &Kv) -> bool {
        matches!(kv.verb, Verb::Acquire(..)) && self.delays.contains_key(&kv.key)
    }

    fn change(&mut self, by: NodeId, kv: &Kv, out: &mut Out<Actor>) -> Result<bool, ConsulError> {
        // The leader refuses before anything is in the log.
        if self.is_delayed(kv) {
            self.tell_delayed(kv, out);
            return Ok(false);
        }
        let before = self.told_holder();
        self.disk.state.next_entry();
        let result = self.disk.state.apply(kv);
        self.tell_changed(before, by, out);
        result
    }

    fn transact(
        &mut self,
        by: NodeId,
        ops: &[TxnOp],
        out: &mut Out<Actor>,
    ) -> Result<Vec<api::Entry>, ConsulError> {
        let delayed = ops.iter().position(|op| match op {
            TxnOp::Kv(kv) => self.is_delayed(kv),
            TxnOp::CheckIndex(..) | TxnOp::CheckSession(..) => false,
        });
        if let Some(place) = delayed {
            if let TxnOp::Kv(kv) = &ops[place] {
                self.tell_delayed(kv, out);
            }
            return Err(ConsulError::TxnFailed(u8::try_from(place).unwrap_or(u8::MAX)));
        }
        let before = self.told_holder();
        self.disk.state.next_entry();
        let result = self.disk.state.apply_all(ops);
        self.tell_changed(before, by, out);
        result
    }

    fn get(&mut self, from: NodeId, id: RequestId, get: Get, now: Now, out: &mut Out<Actor>) {
        let query = Query { client: from, id, get };
        if query.get.index == 0 || self.disk.state.index_of(&query.get.key) > query.get.index {
            return self.answer(&query, out);
        }
        set_timer(out, ConsulTimer::Query(from, id), now.mono + query.get.wait);
        self.queries.retain(|other| (other.client, other.id) != (from, id));
        self.queries.push(query);
    }

    fn answer(&self, query: &Query, out: &mut Out<Actor>) {
        let (key, state) = (&query.get.key, &self.disk.state);
        let entry = Reply::Entry(state.keys.get(key).cloned(), state.index_of(key).max(1));
        respond(query.client, query.id, Ok(entry), out);
    }

    /// Answers the blocking queries whose key has changed.
    fn answer_queries(&mut self, out: &mut Out<Actor>) {
        let state = &self.disk.state;
        let changed = |query: &Query| state.index_of(&query.get.key) > query.get.index;
        let (answered, left) = std::mem::take(&mut self.queries).into_iter().partition(changed);
        self.queries = left;
        let answered: Vec<Query> = answered;
        for query in answered {
            out.cancel_timer(Timer::Consul(ConsulTimer::Query(query.client, query.id)));
            self.answer(&query, out);
        }
    }

    fn on_timer(&mut self, timer: ConsulTimer, now: Now, out: &mut Out<Actor>) {
        match timer {
            ConsulTimer::Election => self.lead(now, out),
            ConsulTimer::Session(session) => {
                self.tell_overdue(session, out);
                self.invalidate(session, LeaseEnd::Expired, now, out);
                self.answer_queries(out);
            }
            ConsulTimer::Delay(key) => {
                self.delays.remove(&key);
                self.tell_delay_over(key, out);
            }
            ConsulTimer::Query(client, id) => {
                let is_it = |query: &Query| (query.client, query.id) == (client, id);
                let place = self.queries.iter().position(is_it);
                let query = self.queries.remove(place.expect("an answer cancels the timer"));
                self.answer(&query, out);
            }
        }
    }

    fn forget(&mut self, client: NodeId, out: &mut Out<Actor>) {
        for query in self.queries.iter().filter(|query| query.client == client) {
            out.cancel_timer(Timer::Consul(ConsulTimer::Query(client, query.id)));
        }
        self.queries.retain(|query| query.client != client);
    }
}

fn set_timer(out: &mut Out<Actor>, timer: ConsulTimer, at: Mono) {
    out.set_timer(Timer::Consul(timer), at);
}

fn respond(to: NodeId, id: RequestId, result: Result<Reply, ConsulError>, out: &mut Out<Actor>) {
    out.send(to, Message::ConsulAnswer(Response { id, result }));
}
