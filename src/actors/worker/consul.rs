//! How a lock is taken from Consul and given back, as `Lock` of its Go library does it.
//!
//! ```text
//!   session ─► look ─► free ─► acquire ─► true ──────────────────────────► granted
//!               ▲ └─► held: look again, blocking ─┐ └─► false: why?
//!               ├─────────────────────────────────┴── held ─┤
//!               └── a pause ◄── free, and yet refused: there is a lock-delay
//! ```
//!
//! The session is renewed by the watchdog every half of its TTL, and is over as far as the
//! client knows when a TTL has passed since the last answer. The server gives it twice that.
//! Where a token is wanted, the key is acquired in a transaction, whose answer has its numbers.

use super::calls::Ask;
use super::config::ReleaseCheck;
use super::session::Session;
use super::watchdog::{Key, Renewal};
use super::{Outbox, Worker};
use crate::actors::Message;
use crate::actors::consul::api::{
    self, Behavior, ConsulError, Entry, Get, Index, Kv, NewSession, Reads, Reply, Response, TxnOp,
    Verb,
};
use crate::actors::etcd::api::LeaseId;
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, WorkerNote};
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span};
use serde::Serialize;

/// How long a blocking query waits at most (`DefaultLockWaitTime`).
pub(super) const WAIT: Span = Span::from_s(15);

/// How long the client waits after a renewal that failed.
pub(super) const RENEW_AGAIN: Span = Span::from_s(1);

/// What a client of Consul is told besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ConsulClient {
    /// What it takes for its token.
    pub token: ConsulToken,
    /// The lock-delay that its sessions ask for.
    pub lock_delay: Span,
    /// What becomes of its keys when its session is invalidated.
    pub behavior: Behavior,
    /// Who may answer when it looks at the lock's key.
    pub reads: Reads,
}

/// What a client of Consul takes for its token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum ConsulToken {
    /// The key's `ModifyIndex` when it was acquired: it rises over the whole log.
    ModifyIndex,
    /// Wrong where keys are deleted: the key's `LockIndex`, which begins again at 1 then.
    LockIndex,
    /// None.
    None,
}

/// What is asked of Consul.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum ConsulAsk {
    /// A session.
    Session,
    /// The lock's key; with an index, once it has changed after it.
    Look {
        /// The index.
        index: i64,
    },
    /// The lock.
    Acquire,
    /// The lock's key, since the lock was refused.
    Why,
    /// The lock's end, or the key's.
    Release,
    /// The session's end.
    Destroy,
}

/// How long after an answer a client of Consul renews that is not told otherwise.
pub fn half(ttl: Span) -> Span {
    Span::from_us(ttl.us() / 2)
}

impl Worker {
    fn client_of_consul(&self) -> ConsulClient {
        self.config.consul.expect("a client of Consul is told more")
    }

    fn consul_session(&self) -> LeaseId {
        self.session.lease().expect("a session is there before it is used")
    }

    /// The content of a request to Consul.
    #[inline(never)]
    pub(super) fn consul_ask(&self, ask: ConsulAsk) -> api::Ask {
        let client = self.client_of_consul();
        let key = || self.config.lock.clone();
        let kv = |verb| api::Ask::Kv(Kv { key: key(), verb });
        let get = |index| api::Ask::Get(Get { key: key(), index, wait: WAIT, mode: client.reads });
        let value = || "".into();
        match ask {
            ConsulAsk::Session => api::Ask::Create(NewSession {
                ttl: Span::from_s(self.config.ttl_s),
                lock_delay: client.lock_delay,
                behavior: client.behavior,
            }),
            ConsulAsk::Look { index } => get(index),
            ConsulAsk::Why => get(0),
            ConsulAsk::Acquire => {
                let verb = Verb::Acquire(value(), self.consul_session());
                match client.token {
                    ConsulToken::None => kv(verb),
                    ConsulToken::ModifyIndex | ConsulToken::LockIndex => {
                        api::Ask::Txn(vec![TxnOp::Kv(Kv { key: key(), verb })])
                    }
                }
            }
            ConsulAsk::Release => match self.config.policies.release {
                ReleaseCheck::Owner => kv(Verb::Release(value(), self.consul_session())),
                ReleaseCheck::NameOnly => kv(Verb::Delete),
            },
            ConsulAsk::Destroy => api::Ask::Destroy(self.consul_session()),
        }
    }

    fn ask_consul(&mut self, ask: ConsulAsk, now: Mono, out: &mut Outbox) {
        self.call(Ask::Consul(ask), now, out);
    }

    /// A new acquisition: a session of its own.
    pub(super) fn open_consul(&mut self, now: Mono, out: &mut Outbox) {
        self.ask_consul(ConsulAsk::Session, now, out);
    }

    /// The server answered something.
    pub(super) fn consul_answered(
        &mut self,
        from: NodeId,
        response: Response,
        now: Mono,
        out: &mut Outbox,
    ) {
        let renewal = match response.result {
            Ok(_) => Renewal::Done,
            Err(ConsulError::NoSession) => Renewal::NotOwn,
            Err(_) => Renewal::Failed,
        };
        if renewal == Renewal::Failed && self.is_renewal(response.id) {
            // What comes of it rests on what the server said.
            out.note(WorkerNote::RenewalFailed).because(Fact::Session).sets(Fact::Session);
        }
        if self.renewal_answered(from, response.id, renewal, now, out) {
            return;
        }
        if response.result == Err(ConsulError::NoLeader) {
            return self.connection_failed(from, response.id, now, out);
        }
        let since = self.waits_since();
        let Some(Ask::Consul(ask)) = self.answered(response.id, out) else { return };
        match (ask, response.result) {
            (ConsulAsk::Session, Ok(Reply::Created(lease))) => {
                self.session = Session::Key(Key::new(lease));
                self.taken(since, now);
                out.note(WorkerNote::SessionOpened { lease }).sets(Fact::Session).sets(Fact::Call);
                let deadline = self.end_of_taken(now).unwrap_or(now);
                self.watch_over(Some(deadline), now, out);
                self.ask_consul(ConsulAsk::Look { index: 0 }, now, out);
            }
            (ConsulAsk::Look { .. } | ConsulAsk::Why, Ok(Reply::Entry(entry, index))) => {
                self.consul_looked(ask, entry, index, now, out);
            }
            (ConsulAsk::Acquire, Ok(Reply::Is(true))) => self.granted(0, now, out),
            (ConsulAsk::Acquire, Ok(Reply::Txn(entries))) => {
                let entry = entries.first().expect("a transaction answers with what it changed");
                self.granted(self.consul_token(entry), now, out);
            }
            (ConsulAsk::Acquire, Ok(Reply::Is(false)) | Err(ConsulError::TxnFailed(_))) => {
                self.ask_consul(ConsulAsk::Why, now, out);
            }
            (ConsulAsk::Acquire, Err(ConsulError::InvalidSession)) => self.consul_over(now, out),
            (ConsulAsk::Release, _) => self.close_consul(now, out),
            (ConsulAsk::Destroy, _) => self.session_is_closed(now, out),
            (ask, result) => {
                unreachable!("Consul does not answer {} with {}", InFull(&ask), InFull(&result))
            }
        }
    }

    fn consul_token(&self, entry: &Entry) -> i64 {
        match self.client_of_consul().token {
            ConsulToken::ModifyIndex => entry.modify_index,
            ConsulToken::LockIndex => i64::try_from(entry.lock_index).unwrap_or(i64::MAX),
            ConsulToken::None => 0,
        }
    }

    /// The session is gone: with it no lock can be had.
    fn consul_over(&mut self, now: Mono, out: &mut Outbox) {
        self.lease_gone(out);
        self.no_session_to_lock_with(now, out);
    }

    /// The key was read.
    fn consul_looked(
        &mut self,
        ask: ConsulAsk,
        entry: Option<Entry>,
        index: Index,
        now: Mono,
        out: &mut Outbox,
    ) {
        if let Session::Closed { .. } = self.session {
            return self.consul_over(now, out);
        }
        let holder = entry.as_ref().and_then(|entry| entry.session);
        match (holder, entry) {
            // An earlier try that went unanswered was applied.
            (Some(holder), Some(entry)) if holder == self.consul_session() => {
                self.granted(self.consul_token(&entry), now, out);
            }
            (Some(_), _) => {
                if ask == (ConsulAsk::Look { index: 0 }) {
                    out.note(WorkerNote::Waits { create_revision: 0 }).sets(Fact::Call);
                }
                self.ask_consul(ConsulAsk::Look { index }, now, out);
            }
            (None, _) if ask == ConsulAsk::Why => {
                out.note(WorkerNote::Waits { create_revision: 0 }).sets(Fact::Call);
                self.polls(now, out);
            }
            (None, _) => self.ask_consul(ConsulAsk::Acquire, now, out),
        }
    }

    /// Looks again after a pause.
    pub(super) fn consul_look_again(&mut self, now: Mono, out: &mut Outbox) {
        self.ask_consul(ConsulAsk::Look { index: 0 }, now, out);
    }

    /// Destroys the session and waits for the answer. One that is over as far as the client
    /// knows ends by itself.
    pub(super) fn close_consul(&mut self, now: Mono, out: &mut Outbox) {
        if !matches!(self.session, Session::Key(_)) {
            return self.session_is_closed(now, out);
        }
        self.session_closes(SessionEnd::Closed, &[], out);
        self.ask_consul(ConsulAsk::Destroy, now, out);
    }

    /// Destroys the session without waiting for an answer.
    pub(super) fn give_up_consul(&mut self, out: &mut Outbox) {
        if matches!(self.session, Session::Key(_)) {
            self.session_closes(SessionEnd::Closed, &[], out);
            let (id, ask) = (self.next_id(), self.consul_ask(ConsulAsk::Destroy));
            out.send(self.member_in_use(), Message::Consul(api::Request { id, ask }));
        }
        self.session = Session::None;
    }

    /// Asks for a renewal of the session.
    pub(super) fn consul_renewal(&self) -> api::Ask {
        api::Ask::Renew(self.consul_session())
    }
}
