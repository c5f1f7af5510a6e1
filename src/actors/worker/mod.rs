//! A worker: a short program of named steps beside a client that keeps a session at
//! etcd or a key in Redis alive, and the policies by which the one heeds the other.
//!
//! ```text
//!   program ──► recipe ──► calls ──────► etcd members, store
//!      ▲                                     │
//!      └── policies ◄── session ◄── keepalives answered or not
//! ```
//!
//! `program` takes the steps, `check` looks at the session, `ending` ends the steps and the
//! belief; `recipe` takes and gives back the lock of etcd, `redis` that of Redis, whose key
//! `watchdog` renews, `redlock` that of several Redis nodes, `zookeeper` that of ZooKeeper over
//! its `connection`, `postgres` that of PostgreSQL, `consul` that of Consul, `lock_object` that of
//! an object store; `objects` and `guard`
//! make what they can of an object store's conditions and of etcd's transactions; `about` says
//! which object a step is about, `inbox` what transfers wait; `calls` sends what `asks` lists,
//! times out and repeats; `session` renews, and `deadline` ends the session. To add a step, begin
//! in `program`; to add a way of taking the lock, in `recipe`; to add a policy, in `config`.

mod about;
mod asks;
mod calls;
mod check;
pub mod config;
mod connection;
mod consul;
mod deadline;
mod ending;
mod guard;
pub mod inbox;
mod lock_object;
pub mod objects;
pub mod postgres;
mod program;
mod recipe;
mod redis;
mod redlock;
pub mod session;
#[cfg(test)]
mod tests;
mod view;
mod watchdog;
mod zookeeper;

pub use program::who_tries;

use crate::actors::etcd::api::{LeaseId, Text};
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, StopReason, WorkerNote};
use crate::actors::postgres::api::Connection;
use crate::actors::store::api::{Owner, Token};
use crate::actors::{Actor, Message, Setting, Timer};
use crate::actors::{consul::api as of_consul, objects::api as of_objects, redis::api as of_redis};
use crate::sim::in_full::InFull;
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::Mono;
use config::{Begins, Policy, Step, WorkerConfig};
use inbox::Inbox;
use lock_object::LockObject;
use program::{Doing, Program};
use serde::Serialize;
use session::Session;
use std::rc::Rc;

/// A worker.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Worker {
    config: Rc<WorkerConfig>,
    /// Survives a crash: a new process uses new connections, on which no late
    /// answer to an old request can arrive.
    last_id: u32,
    begun: Begun,
    heartbeat: Heartbeat,
    /// The member in use, by its place in the list.
    member: u8,
    session: Session,
    program: Program,
    /// Survives a crash.
    inbox: Inbox,
    /// The connection to PostgreSQL that is open, as far as the client knows. Not in the
    /// state of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    connection: Option<Connection>,
    /// What is known of the lock, where it is an object. Not in the state of others.
    #[serde(skip_serializing_if = "LockObject::is_nothing")]
    lock_object: LockObject,
}

/// Whether the program has ever begun on this machine. Survives a crash: what was
/// begun is begun anew as soon as the process starts again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Begun {
    Never,
    Before,
}

/// Whether a worker's heartbeat runs: only the sending of keepalives is blocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Heartbeat {
    /// It runs.
    Runs,
    /// It sends nothing.
    Blocked,
}

/// A worker's timers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub enum WorkerTimer {
    /// The program begins.
    Begin,
    /// The client's loop wakes and sends what keepalive is due.
    Keepalive,
    /// The client looks at its session's deadline.
    Deadline,
    /// A due renewal has gone unanswered as long as the policy allows, or else
    /// until the deadline.
    Unrenewed,
    /// A call has gone unanswered as long as the policy allows.
    CallTimeout,
    /// A call whose connection failed is sent again.
    Resend,
    /// A waiter that has heard nothing for long reads again what it waits for.
    LookAgain,
    /// A client of ZooKeeper without a connection tries the next server.
    Connect,
    /// By the wall clock: a client of ZooKeeper has been without a connection for a
    /// session timeout.
    Lost,
    /// The next transfer arrives.
    Arrival,
}

impl WorkerTimer {
    /// Whether it only serves renewals and looks at the own deadline.
    pub fn is_routine(&self) -> bool {
        match self {
            WorkerTimer::Keepalive | WorkerTimer::Deadline => true,
            // A waiter that looks again may find that the lock is its own.
            WorkerTimer::LookAgain
            | WorkerTimer::Arrival
            | WorkerTimer::Begin
            | WorkerTimer::Unrenewed
            | WorkerTimer::CallTimeout
            | WorkerTimer::Connect
            | WorkerTimer::Lost
            | WorkerTimer::Resend => false,
        }
    }
}

/// That a worker believes it holds the lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belief {
    /// The lock.
    pub lock: Text,
    /// The token it uses.
    pub token: Token,
    /// Its acquisition.
    pub owner: Owner,
}

/// A client's session as the client knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionView {
    /// The lease.
    pub lease: LeaseId,
    /// The own deadline, by the machine's monotonic clock; none once it is closed.
    pub deadline: Option<Mono>,
    /// Whether it is open.
    pub state: SessionState,
}

/// Whether a session is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionState {
    /// There is a name for it, and no answer yet that it is the own one: of a key or an object
    /// that is asked for.
    Asked,
    /// It is, as far as the client knows.
    Open,
    /// It may be: a client of ZooKeeper has lost its connection.
    Suspended,
    /// It is over, and so the client knows.
    Closed(SessionEnd),
}

/// Where a worker's program stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It has not begun, or has crashed since.
    NotBegun,
    /// It works or waits for an answer.
    Running,
    /// It waits for the lock behind others.
    Waiting,
    /// It came to its end.
    Finished,
    /// It stopped before.
    Stopped(StopReason),
    /// Its process ended itself.
    Exited,
}

/// Where a worker writes its commands.
type Outbox<'a> = Out<'a, Actor>;

fn set_timer(out: &mut Outbox, timer: WorkerTimer, at: Mono) {
    out.set_timer(Timer::Worker(timer), at);
}

fn cancel_timer(out: &mut Outbox, timer: WorkerTimer) {
    out.cancel_timer(Timer::Worker(timer));
}

impl Worker {
    /// A worker whose process has not started.
    ///
    /// # Panics
    /// When it knows no etcd member, more than 255, or its program has more than
    /// 254 steps or checks before it acquires.
    pub fn new(config: WorkerConfig) -> Worker {
        assert!(!config.members.is_empty(), "a worker needs an etcd member to talk to");
        assert!(u8::try_from(config.members.len()).is_ok(), "at most 255 members");
        assert!(config.program.len() < usize::from(u8::MAX), "at most 254 steps");
        let first = |step| config.program.iter().position(|s| *s == step);
        assert!(
            first(Step::Check).is_none_or(|check| first(Step::Acquire).is_some_and(|a| a < check)),
            "there is a session to check only once the program acquires"
        );
        Worker {
            config: Rc::new(config),
            last_id: 0,
            begun: Begun::Never,
            heartbeat: Heartbeat::Runs,
            member: 0,
            session: Session::None,
            program: Program::new(Doing::NotBegun),
            inbox: Inbox::default(),
            connection: None,
            lock_object: LockObject::default(),
        }
    }

    /// Takes one input.
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Outbox) {
        let now = now.mono;
        match input {
            Input::Start => self.start(now, out),
            Input::Message { from, message } => self.take_message(from, message, now, out),
            Input::Unreachable { to, message } => self.unreachable(to, &message, now, out),
            Input::Timer(Timer::Worker(timer)) => self.take_timer(timer, now, out),
            Input::Timer(timer) => {
                unreachable!("a worker sets its own timers only: {}", InFull(&timer))
            }
            Input::WorkDone => self.work_done(now, out),
            Input::Hears { .. } => {}
            Input::Set(setting) => self.switch(setting, now, out),
        }
    }

    /// Forgets all but what it was told to do: a crashed worker believes nothing.
    pub fn crash(&mut self) {
        self.heartbeat = Heartbeat::Runs;
        self.member = 0;
        self.session = Session::None;
        self.connection = None;
        self.lock_object = LockObject::default();
        // That a process ended itself stays visible after its end.
        let doing = match self.program.doing {
            Doing::Exited => Doing::Exited,
            _ => Doing::NotBegun,
        };
        self.program = Program::new(doing);
    }

    fn start(&mut self, now: Mono, out: &mut Outbox) {
        match (self.begun, self.config.begins) {
            (Begun::Before, _) => self.begin(now, out),
            (Begun::Never, Begins::After(span)) => {
                set_timer(out, WorkerTimer::Begin, now + span);
            }
            (Begun::Never, Begins::WhenTold) => {}
        }
    }

    fn take_message(&mut self, from: NodeId, message: Message, now: Mono, out: &mut Outbox) {
        match message {
            Message::Begin => {
                if self.program.doing == Doing::NotBegun {
                    cancel_timer(out, WorkerTimer::Begin);
                    self.begin(now, out);
                }
            }
            Message::EtcdAnswer(response) => {
                if !self.keepalive_answered(from, &response, now, out) {
                    self.etcd_answered(from, response, now, out);
                }
            }
            Message::EtcdWatch(events) => self.watch_tells(&events, now, out),
            Message::Closed if self.goes_by_votes() && self.config.members.contains(&from) => {
                self.votes_cut_off(from, now, out);
            }
            Message::ZkReply(response) => self.zk_answered(from, response, now, out),
            Message::ZkEvent(event) => self.zk_told(from, &event, now, out),
            Message::ZkClosed(call) => self.zk_closed(from, call, now, out),
            Message::Closed => {
                self.watchdog_cut_off(from, now, out);
                self.connection_closed(from, now, out);
            }
            Message::StoreAnswer(response) => self.store_answered(response, now, out),
            Message::RedisReply(response) if self.goes_by_votes() => {
                self.vote_answered(from, &response, now, out);
            }
            Message::RedisReply(response) => self.redis_answered(from, response, now, out),
            Message::ObjectsAnswer(response) if self.config.members.contains(&from) => {
                self.lock_answered(from, response, now, out);
            }
            Message::ObjectsAnswer(response) => self.objects_answered(response, now, out),
            Message::ConsulAnswer(response) => self.consul_answered(from, response, now, out),
            Message::PostgresAnswer(response) => self.postgres_answered(response, now, out),
            Message::PostgresFatal(fatal) => {
                self.connection_lost(fatal.connection, now, out);
            }
            Message::Etcd(_)
            | Message::Redis(_)
            | Message::RedisPeer(_)
            | Message::Zk(_)
            | Message::ZkPeer(_)
            | Message::Postgres(_)
            | Message::Consul(_)
            | Message::PostgresPeer(_)
            | Message::Peer(_)
            | Message::Store(_)
            | Message::Objects(_)
            | Message::HangsUp(_)
            | Message::Exited => {
                unreachable!("nobody sends this to a worker: {}", InFull(&message))
            }
        }
    }

    fn take_timer(&mut self, timer: WorkerTimer, now: Mono, out: &mut Outbox) {
        match timer {
            WorkerTimer::Begin => self.begin(now, out),
            WorkerTimer::Keepalive => match self.session {
                Session::Key(_) if self.goes_by_votes() => self.renewal_is_due(now, out),
                Session::Key(_) => self.watchdog_wakes(now, out),
                Session::Zk(_) => self.zk_wakes(now, out),
                _ => self.loop_wakes(now, out),
            },
            WorkerTimer::Deadline => self.look_at_deadline(now, out),
            WorkerTimer::Unrenewed => self.unrenewed(now, out),
            WorkerTimer::CallTimeout => match self.program.doing {
                Doing::Votes(round) => self.votes_are_in(round, now, out),
                _ => self.call_timed_out(now, out),
            },
            WorkerTimer::Resend => self.resend(now, out),
            WorkerTimer::Connect => self.zk_wakes(now, out),
            WorkerTimer::Lost => self.zk_lost(now, out),
            WorkerTimer::LookAgain => match self.program.doing {
                Doing::Polls => self.take_again(now, out),
                _ if self.zk().is_some() => self.zk_look_again(now, out),
                _ => self.look_again(now, out),
            },
            WorkerTimer::Arrival => self.take_transfer(now, out),
        }
    }

    fn unreachable(&mut self, to: NodeId, message: &Message, now: Mono, out: &mut Outbox) {
        match message {
            Message::Etcd(request) => {
                let was_keepalive = self.keepalive_failed(to, request.id, now, out);
                if !was_keepalive {
                    self.connection_failed(to, request.id, now, out);
                }
            }
            Message::Redis(request) if self.goes_by_votes() => {
                self.vote_failed(to, request.id, now, out);
            }
            Message::Redis(of_redis::Request { id, .. })
            | Message::Consul(of_consul::Request { id, .. })
            | Message::Objects(of_objects::Request { id, .. }) => {
                let was_renewal = self.renewal_failed(*id, to, now, out);
                if !was_renewal {
                    self.connection_failed(to, *id, now, out);
                }
            }
            Message::Postgres(request) => {
                self.connection_lost(request.connection, now, out);
            }
            Message::Store(request) => self.connection_failed(to, request.id, now, out),
            Message::Zk(request) => self.zk_closed(to, request.id, now, out),
            // An orchestrator that does not run is told nothing.
            _ => {}
        }
    }

    fn switch(&mut self, setting: Setting, now: Mono, out: &mut Outbox) {
        let policy = match setting {
            Setting::Heartbeat(heartbeat) => {
                self.heartbeat = heartbeat;
                out.note(WorkerNote::HeartbeatSet { heartbeat }).sets(Fact::Policy);
                return self.heartbeat_set(now, out);
            }
            Setting::OnRenewalFailure(choice) => Policy::OnRenewalFailure(choice),
            Setting::DeadlineFrom(choice) => Policy::DeadlineFrom(choice),
            Setting::Release(choice) => Policy::Release(choice),
            Setting::Rule(_) | Setting::Replication(_) | Setting::Postgres(_) => return,
        };
        let policies = &mut Rc::make_mut(&mut self.config).policies;
        match policy {
            Policy::OnRenewalFailure(choice) => policies.on_renewal_failure = choice,
            Policy::DeadlineFrom(choice) => policies.deadline_from = choice,
            Policy::Release(choice) => policies.release = choice,
        }
        out.note(WorkerNote::PolicySet { policy }).sets(Fact::Policy);
    }
}
