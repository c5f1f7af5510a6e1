//! Calls: the main thread makes one at a time and waits for its answer.
//!
//! A try lasts as long as the policy's request timeout. Within it the client
//! library connects again by itself, half a second after a connection failed, and
//! for etcd to the next member. A try that went unanswered is made again with the
//! same request number and content: whether the first was applied is not known.

pub(super) use super::asks::{Ask, EtcdAsk, ObjectsAsk, RedisAsk, StoreAsk};
use super::consul::{ConsulAsk, WAIT};
use super::lock_object::LockAsk;
use super::postgres::PgAsk;
use super::program::Doing;
use super::recipe::NOTHING_HEARD;
use super::session::RECONNECT;
use super::zookeeper::ZkAsk;
use super::{Outbox, Worker, WorkerTimer, cancel_timer, set_timer};
use crate::actors::etcd::api::{EtcdError, Request, RequestId, Response};
use crate::actors::fact::Fact;
use crate::actors::note::{BeliefEnd, StopReason, WorkerNote};
use crate::actors::store::api::{JobKey, StoreOp, StoreRequest};
use crate::actors::{Message, consul, objects, redis};
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span};
use serde::Serialize;

/// A call that waits for its answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Call {
    pub ask: Ask,
    pub id: RequestId,
    /// Whom it was sent to last.
    pub to: NodeId,
    /// When it was first sent.
    since: Mono,
    /// When the present try times out.
    until: Mono,
    /// How often it was sent.
    sent: u32,
    /// How many tries timed out.
    unanswered: u32,
}

/// Who waits in PostgreSQL's queue sends its question again after so long, then after twice
/// as long each time.
const ASKS_AGAIN: Span = Span::from_s(5);

impl Ask {
    /// Whether it belongs to giving the lock back.
    pub(super) fn gives_back(&self) -> bool {
        matches!(
            self,
            Ask::Etcd(EtcdAsk::DeleteOwn | EtcdAsk::DeleteByName | EtcdAsk::Revoke)
                | Ask::Redis(RedisAsk::Delete)
                | Ask::Zk(ZkAsk::Delete | ZkAsk::Close)
                | Ask::Postgres(PgAsk::Release)
                | Ask::Consul(ConsulAsk::Release | ConsulAsk::Destroy)
                | Ask::Lock(LockAsk::Release | LockAsk::ReleaseLook)
        )
    }

    /// Whether it is asked of the lock service.
    fn is_of_service(&self) -> bool {
        !matches!(self, Ask::Store(_) | Ask::Objects(_))
    }

    /// Whether a waiter asks it on behalf of its waiting.
    pub(super) fn waits_for_others(&self) -> bool {
        matches!(
            self,
            Ask::Etcd(EtcdAsk::Newest | EtcdAsk::OwnKey | EtcdAsk::Look | EtcdAsk::Watch { .. })
                | Ask::Redis(RedisAsk::TakeAgain)
                | Ask::Zk(ZkAsk::Watch { .. })
                | Ask::Postgres(PgAsk::Lock | PgAsk::TryAgain)
                | Ask::Consul(ConsulAsk::Look { index: 1.. })
                | Ask::Lock(LockAsk::LookAgain)
        )
    }

    /// Whether it is about what the lock guards, and not about the lock.
    fn is_about_data(&self) -> bool {
        match self {
            Ask::Etcd(ask) => ask.is_about_data(),
            ask => !ask.is_of_service(),
        }
    }

    /// Taking a lock waits without limit, so its calls are made again without limit.
    fn is_unlimited(&self) -> bool {
        !self.gives_back() && !self.is_about_data()
    }

    fn is_a_write(&self) -> bool {
        matches!(
            self,
            Ask::Store(StoreAsk::Write | StoreAsk::Complete)
                | Ask::Objects(ObjectsAsk::Write)
                | Ask::Etcd(EtcdAsk::WriteData)
        )
    }
}

impl Worker {
    /// A number that no request of this machine had before.
    pub(super) fn next_id(&mut self) -> RequestId {
        self.last_id += 1;
        RequestId(self.last_id)
    }

    /// Makes a call and waits for its answer.
    pub(super) fn call(&mut self, ask: Ask, now: Mono, out: &mut Outbox) {
        let id = self.next_id();
        let until = now + self.limit(&ask);
        let to = self.config.store;
        let call = Call { ask, id, to, since: now, until, sent: 0, unanswered: 0 };
        self.send_call(call, out);
        set_timer(out, WorkerTimer::CallTimeout, until);
        self.main_thread_moves(now, out);
    }

    /// How long a try may go unanswered. Who waits for replicas answers when it has
    /// waited, and not before.
    fn limit(&self, ask: &Ask) -> Span {
        let waits = match ask {
            Ask::Postgres(PgAsk::Lock) => return ASKS_AGAIN,
            Ask::Redis(RedisAsk::Wait) => self.config.wait_for_replica.unwrap_or_default(),
            Ask::Consul(ConsulAsk::Look { index: 1.. }) => WAIT,
            _ => Span::ZERO,
        };
        self.config.policies.request_timeout + waits
    }

    fn send_call(&mut self, call: Call, out: &mut Outbox) {
        let to = match call.ask {
            Ask::Etcd(_) | Ask::Redis(_) | Ask::Postgres(_) | Ask::Consul(_) | Ask::Lock(_) => {
                self.member_in_use()
            }
            Ask::Zk(_) => {
                let zk = self.zk().expect("only a client of ZooKeeper asks it");
                zk.client.server(&self.config.members)
            }
            Ask::Store(StoreAsk::Book) => {
                self.config.partner.expect("who books has a partner to ask")
            }
            Ask::Store(_) | Ask::Objects(_) => self.config.store,
        };
        let call = Call { to, sent: call.sent + 1, ..call };
        if call.ask.is_a_write() {
            let write = self.write();
            let (token, sequence, attempt) = (write.token, write.sequence, call.sent);
            let note = WorkerNote::Writes { token, sequence, attempt };
            let heard_of = self.rests_on_silence();
            let note = out.note(note).because(Fact::Belief).because(Fact::Data);
            heard_of
                .into_iter()
                .fold(note, |note, server| note.silence_of(server).since(Fact::Belief));
        }
        let id = call.id;
        match &call.ask {
            Ask::Etcd(ask) => {
                out.send(to, Message::Etcd(Request { id, op: self.etcd_op(ask, id) }));
            }
            Ask::Redis(ask) => {
                let ask = self.redis_ask(*ask);
                out.send(to, Message::Redis(redis::api::Request { id, ask }));
            }
            Ask::Zk(ask) => self.zk_send_call(ask, id, out),
            Ask::Postgres(ask) => self.send_postgres(id, *ask, out),
            Ask::Consul(ask) => {
                let ask = self.consul_ask(*ask);
                out.send(to, Message::Consul(consul::api::Request { id, ask }));
            }
            Ask::Store(ask) => {
                let op = self.store_op(*ask);
                out.send(to, Message::Store(StoreRequest { id, op }));
            }
            Ask::Objects(ask) => {
                let op = self.objects_op(*ask);
                out.send(to, Message::Objects(objects::api::Request { id, op }));
            }
            Ask::Lock(ask) => {
                let op = self.lock_op(*ask, id, out.clocks().wall);
                out.send(to, Message::Objects(objects::api::Request { id, op }));
            }
        }
        self.program.doing = Doing::Calls(call);
    }

    fn store_op(&self, ask: StoreAsk) -> StoreOp {
        let super::program::Grant { token, owner } = self.program.credentials();
        match ask {
            StoreAsk::Number => StoreOp::NextNumber,
            StoreAsk::Claim => StoreOp::Claim { token, owner, object: self.object() },
            StoreAsk::Read => StoreOp::Read,
            StoreAsk::Write => StoreOp::Put(self.write()),
            StoreAsk::Begin => StoreOp::Begin(self.write()),
            StoreAsk::Complete => StoreOp::Complete(self.write()),
            StoreAsk::Book => {
                // Whoever does the job has the same key.
                let (job, amount) = (self.job(), self.config.amount);
                let done = JobKey::new(&job, &"".into());
                StoreOp::Book { key: job, job: done, amount }
            }
        }
    }

    fn pending(&self) -> Option<&Call> {
        match &self.program.doing {
            Doing::Calls(call) => Some(call),
            _ => None,
        }
    }

    /// Since when the main thread has waited for one answer, if it does.
    pub(super) fn waits_since(&self) -> Option<Mono> {
        self.pending().map(|call| call.since)
    }

    /// For whose answer the main thread waits, if it does.
    pub(super) fn waits_for(&self) -> Option<NodeId> {
        self.pending().map(|call| call.to)
    }

    /// What was asked, if the answer is waited for: then its timers are cancelled,
    /// and the caller gives the main thread its next thing to do.
    pub(super) fn answered(&mut self, id: RequestId, out: &mut Outbox) -> Option<Ask> {
        let ask = self.pending().filter(|call| call.id == id)?.ask.clone();
        cancel_timer(out, WorkerTimer::CallTimeout);
        cancel_timer(out, WorkerTimer::Resend);
        Some(ask)
    }

    /// etcd answered something else than a keepalive. A good answer counts whoever
    /// gives it; an error only from the member asked last.
    pub(super) fn etcd_answered(
        &mut self,
        from: NodeId,
        response: Response,
        now: Mono,
        out: &mut Outbox,
    ) {
        match response.result {
            Ok(reply) => {
                let Some(Ask::Etcd(ask)) = self.answered(response.id, out) else { return };
                self.etcd_replied(ask, reply, now, out);
            }
            Err(EtcdError::NoLeader | EtcdError::LeaderChanged) => {
                self.connection_failed(from, response.id, now, out);
            }
            Err(EtcdError::Compacted) => self.watch_ended(response.id, now, out),
            Err(
                EtcdError::LeaseNotFound | EtcdError::LeaseExists | EtcdError::LeaseTtlTooLarge,
            ) => {
                let Some(Ask::Etcd(ask)) = self.answered(response.id, out) else { return };
                self.lease_refused(&ask, now, out);
            }
            Err(
                EtcdError::DuplicateKey
                | EtcdError::FutureRevision
                | EtcdError::KeyNotFound
                | EtcdError::LeaseProvided
                | EtcdError::Service(_),
            ) => unreachable!("nothing that a worker asks is answered so"),
        }
    }

    /// The one asked does not run or cannot serve: connect again, a little later.
    pub(super) fn connection_failed(
        &mut self,
        to: NodeId,
        id: RequestId,
        now: Mono,
        out: &mut Outbox,
    ) {
        if self.pending().is_some_and(|call| call.id == id && call.to == to) {
            set_timer(out, WorkerTimer::Resend, now + RECONNECT);
        }
    }

    /// The process at the other end is gone, and its machine says so: what was asked
    /// there is not answered any more, and what was watched there is not told. Waiting
    /// goes on at the next member.
    pub(super) fn connection_closed(&mut self, from: NodeId, now: Mono, out: &mut Outbox) {
        match &self.program.doing {
            Doing::Calls(call) if call.to == from => {
                set_timer(out, WorkerTimer::Resend, now + RECONNECT);
            }
            Doing::Waits(watch) if watch.member == from => {
                self.move_on(from, now);
                self.read_again(now, out);
            }
            Doing::Calls(_)
            | Doing::Waits(_)
            | Doing::Polls
            | Doing::Works
            | Doing::Votes(_)
            | Doing::Idles => {
                self.move_on(from, now);
            }
            Doing::NotBegun | Doing::Finished | Doing::Stopped(_) | Doing::Exited => {}
        }
    }

    /// Sends a call again to whom it is the turn of.
    pub(super) fn resend(&mut self, now: Mono, out: &mut Outbox) {
        let call = self.pending().expect("only a call is sent again").clone();
        if call.ask.is_of_service() {
            self.move_on(call.to, now);
        }
        match call.ask {
            Ask::Redis(RedisAsk::Wait) => self.give_back(now, out),
            // The connection is gone, with all that came before on it.
            Ask::Postgres(_) => {
                self.close_connection(out);
                self.call(Ask::Postgres(PgAsk::Connect), now, out);
            }
            _ => self.send_call(call, out),
        }
    }

    /// A try went unanswered.
    pub(super) fn call_timed_out(&mut self, now: Mono, out: &mut Outbox) {
        let call = self.pending().expect("only a call times out").clone();
        cancel_timer(out, WorkerTimer::Resend);
        if let Ask::Zk(_) = call.ask {
            return self.zk_timed_out(call.sent, now, out);
        }
        if call.ask == Ask::Postgres(PgAsk::Lock) {
            // It may only wait. TCP would send an answer again that was lost, and wait twice as
            // long each time; here it is the question.
            let until = now + (now - call.since).min(NOTHING_HEARD);
            self.send_call(Call { until, ..call }, out);
            return set_timer(out, WorkerTimer::CallTimeout, until);
        }
        let note = WorkerNote::Unanswered { step: self.step(), attempts: call.sent };
        let own = out.node();
        let note = out.note(note).because(Fact::Call).sets(Fact::Call);
        // A timeout noticed late is the worker's own silence.
        note.silence_of(if call.until < now { own } else { call.to });
        if call.ask.is_of_service() {
            self.move_on(call.to, now);
        }
        if call.ask == Ask::Redis(RedisAsk::Wait) {
            return self.give_back(now, out);
        }
        let unanswered = call.unanswered + 1;
        if call.ask.is_unlimited() || unanswered <= self.config.policies.retries {
            let until = now + self.limit(&call.ask);
            self.send_call(Call { until, unanswered, ..call }, out);
            return set_timer(out, WorkerTimer::CallTimeout, until);
        }
        self.give_up_call(&call.ask, now, out);
    }

    fn give_up_call(&mut self, ask: &Ask, now: Mono, out: &mut Outbox) {
        match ask {
            Ask::Etcd(EtcdAsk::DeleteOwn | EtcdAsk::DeleteByName) => self.close_session(now, out),
            // A lease ends by itself once nobody renews it, and so does a key.
            Ask::Etcd(EtcdAsk::Revoke) | Ask::Redis(RedisAsk::Delete) => {
                self.session_is_closed(now, out);
            }
            Ask::Postgres(PgAsk::Release) => self.closes(now, out),
            Ask::Consul(ConsulAsk::Release) => self.close_consul(now, out),
            Ask::Consul(ConsulAsk::Destroy)
            | Ask::Lock(LockAsk::Release | LockAsk::ReleaseLook) => {
                self.session_is_closed(now, out);
            }
            ask if ask.is_about_data() => {
                self.stop(BeliefEnd::Unanswered, StopReason::Unanswered, now, out);
            }
            _ => unreachable!("taking a lock is tried without limit"),
        }
    }
}
