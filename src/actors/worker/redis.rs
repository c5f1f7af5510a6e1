//! How a lock is taken from Redis and given back: three recipes.
//!
//! ```text
//!   SetNx        set if absent, with an end ─► taken ─► granted
//!                  ▲ └─► held: wait, nobody tells when it is free ─┐
//!                  └───────────────────────────────────────────────┘
//!   SetnxExpire  set if absent ─► taken ─► give it an end ─► granted
//!   SetAndCount  the same in one script, which counts ─► granted, with the count
//! ```
//!
//! Where a replica has to have the key first, a client that was granted it asks for that,
//! and gives the key back if none has it in time. It gives it back too when its time was
//! over before all that was answered. The next try has a value of its own.

use super::calls::{Ask, RedisAsk};
use super::config::{DeadlineFrom, OfService, RedisRecipe, ReleaseCheck};
use super::program::Doing;
use super::redlock::For;
use super::session::Session;
use super::watchdog::{Key, Renewal};
use super::{Outbox, Worker, WorkerTimer, set_timer};
use crate::actors::Message;
use crate::actors::etcd::api::{LeaseId, Text};
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, WorkerNote};
use crate::actors::redis::api::{self, Reply, Response, Script};
use crate::actors::redis::value_of;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span};

/// Random values are drawn from so many.
const VALUES: u64 = 1 << 32;

impl Worker {
    /// Draws the value that will say whose the key is: a new one for each acquisition.
    pub(super) fn draw_value(&mut self, out: &mut Outbox) {
        let owner = LeaseId(out.draw("value", VALUES - 1) + 1);
        self.session = Session::Key(Key::new(owner));
        out.note(WorkerNote::DrewValue { lease: owner }).sets(Fact::Session).sets(Fact::Call);
    }

    fn redis_recipe(&self) -> RedisRecipe {
        match self.config.recipe.of_service() {
            OfService::Redis(recipe) => recipe,
            _ => unreachable!("a recipe is for the scenario's service"),
        }
    }

    pub(super) fn value(&self) -> Text {
        value_of(self.session.lease().expect("a value is drawn before it is sent"))
    }

    /// The key's time to live in milliseconds, as an argument.
    pub(super) fn ttl_ms(&self) -> Text {
        (self.config.ttl_s * 1_000).to_string().into()
    }

    /// A script over the lock's key with the own value as its first argument.
    pub(super) fn own_script(&self, script: Script, more: Option<Text>) -> api::Ask {
        let mut keys = vec![self.config.lock.clone()];
        if script == Script::AcquireWithToken {
            keys.push(format!("{}:token", self.config.lock).into());
        }
        let argv = [Some(self.value()), more].into_iter().flatten().collect();
        api::Ask::Eval(api::Call { script, keys, argv })
    }

    /// The content of a request to Redis.
    #[inline(never)]
    pub(super) fn redis_ask(&self, ask: RedisAsk) -> api::Ask {
        let (key, value, ttl_ms) = (&*self.config.lock, self.value(), self.ttl_ms());
        match ask {
            RedisAsk::Take | RedisAsk::TakeAgain => match self.redis_recipe() {
                RedisRecipe::SetnxExpire => api::Ask::command(&["SETNX", key, &value]),
                RedisRecipe::SetAndCount => self.own_script(Script::AcquireWithToken, Some(ttl_ms)),
                RedisRecipe::SetNx => api::Ask::command(&["SET", key, &value, "NX", "PX", &ttl_ms]),
                RedisRecipe::Redlock | RedisRecipe::RedlockAndCount => {
                    unreachable!("all nodes are asked at once")
                }
            },
            RedisAsk::Expire => api::Ask::command(&["EXPIRE", key, &self.config.ttl_s.to_string()]),
            RedisAsk::Wait => {
                let ms = self.config.wait_for_replica.unwrap_or_default().ms();
                api::Ask::command(&["WAIT", "1", &ms.to_string()])
            }
            RedisAsk::Delete => self.release_ask(),
            RedisAsk::GiveBack => self.own_script(Script::CompareAndDelete, None),
        }
    }

    /// The key's end, as the policy has it.
    pub(super) fn release_ask(&self) -> api::Ask {
        match self.config.policies.release {
            ReleaseCheck::NameOnly => api::Ask::command(&["DEL", &self.config.lock]),
            ReleaseCheck::Owner => self.own_script(Script::CompareAndDelete, None),
        }
    }

    /// Redis answered something.
    pub(super) fn redis_answered(
        &mut self,
        from: NodeId,
        response: Response,
        now: Mono,
        out: &mut Outbox,
    ) {
        let renewal = match response.reply {
            Reply::Int(1) => Renewal::Done,
            Reply::Error(_) => Renewal::Failed,
            _ => Renewal::NotOwn,
        };
        if self.renewal_answered(from, response.id, renewal, now, out) {
            return;
        }
        // A replica does not write, and who has become one waits for nobody: the next.
        if let Reply::Error(_) = response.reply {
            return self.connection_failed(from, response.id, now, out);
        }
        let since = self.waits_since();
        let Some(Ask::Redis(ask)) = self.answered(response.id, out) else { return };
        match (ask, response.reply) {
            (RedisAsk::Take | RedisAsk::TakeAgain, Reply::Nil) => self.held(ask, now, out),
            (RedisAsk::Take | RedisAsk::TakeAgain, Reply::Int(0)) => self.held(ask, now, out),
            (RedisAsk::Take | RedisAsk::TakeAgain, reply) => {
                // Only the script that counts answers a token.
                self.program.key_revision = match (self.redis_recipe(), reply) {
                    (RedisRecipe::SetAndCount, Reply::Int(token)) => token,
                    _ => 0,
                };
                self.taken(since, now);
                match self.redis_recipe() {
                    RedisRecipe::SetnxExpire => self.call(Ask::Redis(RedisAsk::Expire), now, out),
                    _ => self.has_it(now, out),
                }
            }
            (RedisAsk::Expire, _) => {
                self.taken(since, now);
                self.has_it(now, out);
            }
            (RedisAsk::Wait, Reply::Int(replicas)) if replicas > 0 => self.believes(now, out),
            (RedisAsk::Wait, _) => self.give_back(now, out),
            (RedisAsk::GiveBack, _) => {
                self.draw_value(out);
                self.polls(now, out);
            }
            (RedisAsk::Delete, _) => self.session_is_closed(now, out),
        }
    }

    /// The key is there, and is another's: asks again later.
    fn held(&mut self, ask: RedisAsk, now: Mono, out: &mut Outbox) {
        if ask == RedisAsk::Take {
            out.note(WorkerNote::Waits { create_revision: 0 }).sets(Fact::Call);
        }
        self.polls(now, out);
    }

    pub(super) fn polls(&mut self, now: Mono, out: &mut Outbox) {
        self.program.doing = Doing::Polls;
        set_timer(out, WorkerTimer::LookAgain, now + self.config.retry);
    }

    /// Asks again.
    pub(super) fn take_again(&mut self, now: Mono, out: &mut Outbox) {
        if self.goes_by_votes() {
            return self.ask_all(For::TakingAgain, now, out);
        }
        if self.config.recipe.is_for_postgres() {
            return self.try_again(now, out);
        }
        if self.config.recipe.is_for_consul() {
            return self.consul_look_again(now, out);
        }
        if self.config.recipe.is_for_objects() {
            return self.lock_look_again(now, out);
        }
        self.call(Ask::Redis(RedisAsk::TakeAgain), now, out);
    }

    /// The key's time runs from now on, or from when it was asked for.
    pub(super) fn taken(&mut self, since: Option<Mono>, now: Mono) {
        let from = match self.config.policies.deadline_from {
            DeadlineFrom::BeforeRequest => since.unwrap_or(now),
            DeadlineFrom::Answer => now,
        };
        if let Session::Key(key) = &mut self.session {
            key.taken = Some(from);
        }
    }

    fn has_it(&mut self, now: Mono, out: &mut Outbox) {
        if self.config.wait_for_replica.is_some() {
            return self.call(Ask::Redis(RedisAsk::Wait), now, out);
        }
        self.believes(now, out);
    }

    /// No replica has the key, or none can be asked any more (another connection knows
    /// nothing of what was written on this one), or its time is over: it is not granted.
    pub(super) fn give_back(&mut self, now: Mono, out: &mut Outbox) {
        if let Session::Key(key) = &mut self.session {
            key.taken = None;
        }
        self.call(Ask::Redis(RedisAsk::GiveBack), now, out);
    }

    fn believes(&mut self, now: Mono, out: &mut Outbox) {
        let Some(deadline) = self.end_of_taken(now) else { return self.give_back(now, out) };
        self.watch_over(Some(deadline), now, out);
        let token = self.program.key_revision;
        self.granted(token, now, out);
    }

    /// When the time of what was taken is over; nothing if that was before the lock was
    /// granted.
    pub(super) fn end_of_taken(&self, now: Mono) -> Option<Mono> {
        let taken = match &self.session {
            Session::Key(key) => key.taken,
            _ => None,
        };
        let deadline = taken.unwrap_or(now) + Span::from_s(self.config.ttl_s);
        Some(deadline).filter(|deadline| *deadline > now)
    }

    /// Gives the hold up without asking for anything: the watchdog ends.
    pub(super) fn give_up_hold(&mut self, out: &mut Outbox) {
        if let Session::Key(key) = &self.session
            && key.taken.is_some()
        {
            self.session_closes(SessionEnd::Closed, &[], out);
        }
    }

    /// Gives the key up without waiting for an answer. One that may have been taken
    /// without the client's knowing is given up as the own one only.
    pub(super) fn give_up_key(&mut self, out: &mut Outbox) {
        if self.goes_by_votes() {
            return self.give_up_votes(out);
        }
        let is_taken = match &self.session {
            Session::None | Session::Closed { why: SessionEnd::LeaseGone, .. } => None,
            Session::Closed { .. } => Some(RedisAsk::Delete),
            Session::Key(key) if key.taken.is_some() => Some(RedisAsk::Delete),
            Session::Key(_) => self.waits_for().map(|_| RedisAsk::GiveBack),
            Session::Open(_) | Session::Zk(_) => unreachable!("a client of Redis has no session"),
        };
        if let Some(ask) = is_taken {
            let (id, to, ask) = (self.next_id(), self.member_in_use(), self.redis_ask(ask));
            self.give_up_hold(out);
            out.send(to, Message::Redis(api::Request { id, ask }));
        }
        self.session = Session::None;
    }
}
