//! Leading: what is asked is checked, proposed, and answered once it is applied; and the
//! times of sessions, which nobody else has.

use super::api::{Ask, ConsulError, Kv, NewSession, Reply, SessionId, TxnOp, Verb};
use super::state::{Change, Made, Outcome};
use super::{ConsulTimer, Server, answer, cancel_query, config, set_timer};
use crate::actors::etcd::Origin;
use crate::actors::note::LeaseEnd;
use crate::actors::{Actor, Timer};
use crate::sim::process::{Now, Out};
use crate::sim::time::Span;

/// Sessions' numbers are drawn from so many.
const SESSIONS: u64 = 1 << 32;

impl Server {
    /// Serves a request as the leader, if it is.
    pub(super) fn lead(&mut self, origin: Origin, ask: Ask, now: Now, out: &mut Out<Actor>) {
        if self.raft.reigns().is_none() {
            self.tell_no_leader(out);
            return answer(self.config.place, &origin, Err(ConsulError::NoLeader), out);
        }
        let result = match ask {
            Ask::Create(asked) => self.create(asked, out),
            Ask::Destroy(session) => Ok(Change::End(session, LeaseEnd::Revoked)),
            Ask::Kv(kv) if self.is_delayed(&kv) => {
                // The leader refuses before anything is in the log.
                self.tell_delayed(&kv, out);
                Err(Ok(Reply::Is(false)))
            }
            Ask::Kv(kv) => Ok(Change::Kv(kv)),
            Ask::Txn(ops) => self.check(ops, out),
            Ask::Renew(session) => Err(self.renewed(session, now, out)),
            Ask::Info(session) => {
                let known = self.raft.carried().sessions.get(&session);
                Err(Ok(Reply::Session(known.map(|known| known.made))))
            }
            Ask::Get(get) => return self.get(origin, get, now, out),
        };
        match result {
            Ok(change) => self.raft.append(change, Some(origin), now, out),
            Err(at_once) => answer(self.config.place, &origin, at_once, out),
        }
    }

    /// What is asked, as a change, or else the answer.
    fn create(&self, asked: NewSession, out: &mut Out<Actor>) -> Checked {
        let is_within = (config::MIN_TTL..=config::MAX_TTL).contains(&asked.ttl);
        if asked.ttl != Span::ZERO && !is_within {
            return Err(Err(ConsulError::InvalidTtl));
        }
        let lock_delay = asked.lock_delay.min(config::MAX_LOCK_DELAY);
        let session = SessionId(out.draw("session", SESSIONS - 1) + 1);
        Ok(Change::Create(session, NewSession { lock_delay, ..asked }))
    }

    fn is_delayed(&self, kv: &Kv) -> bool {
        matches!(kv.verb, Verb::Acquire(..)) && self.delays.contains_key(&kv.key)
    }

    fn check(&self, ops: Vec<TxnOp>, out: &mut Out<Actor>) -> Checked {
        for (place, op) in ops.iter().enumerate() {
            if let TxnOp::Kv(kv) = op
                && self.is_delayed(kv)
            {
                self.tell_delayed(kv, out);
                let place = u8::try_from(place).unwrap_or(u8::MAX);
                return Err(Err(ConsulError::TxnFailed(place)));
            }
        }
        Ok(Change::Txn(ops))
    }

    fn renewed(
        &mut self,
        session: SessionId,
        now: Now,
        out: &mut Out<Actor>,
    ) -> Result<Reply, ConsulError> {
        if !self.raft.carried().sessions.contains_key(&session) {
            return Err(ConsulError::NoSession);
        }
        self.tell_renewed(session, out);
        self.renew(session, now, out);
        Ok(Reply::Renewed)
    }

    /// A session's time begins anew: twice its TTL. A renewal is in no log.
    fn renew(&mut self, session: SessionId, now: Now, out: &mut Out<Actor>) {
        let Some(known) = self.raft.carried().sessions.get(&session) else { return };
        if known.made.ttl == Span::ZERO {
            return;
        }
        let ends = now.mono + Span(config::TTLS * known.made.ttl.us());
        self.ends.insert(session, ends);
        set_timer(out, ConsulTimer::Session(session), ends);
    }

    /// Nobody has renewed a session for long enough.
    pub(super) fn overdue(&mut self, session: SessionId, now: Now, out: &mut Out<Actor>) {
        self.tell_overdue(session, out);
        self.raft.append(Change::End(session, LeaseEnd::Expired), None, now, out);
    }

    /// What the agreement has come to in this step: who leads, and what has been applied.
    pub(super) fn take_in(&mut self, now: Now, out: &mut Out<Actor>) {
        let reign = self.raft.reigns();
        if self.reign != reign {
            self.abdicate(out);
            if reign.is_some() {
                // Every session gets its whole time: nobody knows how much was left.
                let sessions = self.raft.carried().sessions.keys();
                let sessions: Vec<SessionId> = sessions.copied().collect();
                sessions.into_iter().for_each(|session| self.renew(session, now, out));
            }
            self.reign = reign;
        }
        for outcome in self.raft.take_outcomes() {
            self.apply(outcome, now, out);
        }
        let leader = self.raft.leader();
        self.forwarded.retain(|it| leader.is_none_or(|leader| leader == it.to));
        self.answer_queries(out);
    }

    /// It does not lead, or not as before: what only a leader knows is void, and who waits
    /// for an answer of the leader's is told.
    fn abdicate(&mut self, out: &mut Out<Actor>) {
        for (session, _) in std::mem::take(&mut self.ends) {
            out.cancel_timer(Timer::Consul(ConsulTimer::Session(session)));
        }
        let is_stale = |query: &super::Query| query.get.mode == super::Reads::Stale;
        for query in self.queries.iter().filter(|query| !is_stale(query)) {
            cancel_query(&query.origin, out);
            answer(self.config.place, &query.origin, Err(ConsulError::NoLeader), out);
        }
        self.queries.retain(is_stale);
    }

    /// An entry of the log has been applied: a leader tells what became of it, counts a new
    /// session's time, and answers. Every server minds the lock-delay.
    fn apply(&mut self, outcome: Outcome, now: Now, out: &mut Out<Actor>) {
        if self.raft.part().leads() {
            out.about_entry(outcome.entry, |out| self.tell_outcome(&outcome, out));
        }
        let reply = match outcome.made {
            Made::Created(session, _) => {
                if self.reign.is_some() {
                    self.renew(session, now, out);
                }
                Ok(Reply::Created(session))
            }
            Made::Ended(session, _, ended) => {
                if self.ends.remove(&session).is_some() {
                    out.cancel_timer(Timer::Consul(ConsulTimer::Session(session)));
                }
                let (delay, held) = ended.unwrap_or((Span::ZERO, Vec::new()));
                for key in held.into_iter().filter(|_| delay > Span::ZERO) {
                    self.delays.insert(key.clone(), now.mono + delay);
                    set_timer(out, ConsulTimer::Delay(key), now.mono + delay);
                }
                Ok(Reply::Is(true))
            }
            Made::Kv(result) => result.map(Reply::Is),
            Made::Txn(result) => result.map(Reply::Txn),
        };
        if let Some(origin) = outcome.answers {
            answer(self.config.place, &origin, reply, out);
        }
    }
}

/// A change to be proposed, or an answer at once.
type Checked = Result<Change, Result<Reply, ConsulError>>;
