//! PostgreSQL: a server, with a pooler in transaction mode before it or without, and with a
//! standby or without.
//!
//! ```text
//!   request ─► client ─► session ─► statement ─► rows, locks ─► answer
//!             (or pool)               └─► waits, until a lock that was in its way is let go
//! ```
//!
//! Kept apart: what is committed, which is on disk; the sessions with their transactions;
//! and the locks, which are in memory and end with their session or transaction. Nobody's
//! clock ends a lock. A session ends when its connection is closed, when it is terminated,
//! or when it has been idle for too long, where that is set.

mod answer;
pub mod api;
pub mod config;
mod connections;
mod error;
mod locks;
mod observe;
mod session;
mod standby;
mod statements;
mod tables;
mod view;

pub use config::{PostgresConfig, Timeouts};
pub use session::{Pid, named_by, owner_of};
pub use standby::{Part, PeerMessage};
pub use tables::Lease;
pub use view::SessionView;

use crate::actors::redis::Replication;
use crate::actors::{Actor, Message, Setting, Timer};
use crate::sim::order;
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::Span;
use api::{Connection, Fatal, Level, Reply, Response, SqlError, Status};
use litemap::LiteMap;
use locks::{Held, Locks, Waiting};
use serde::Serialize;
use session::{Client, Session, Then, Transaction};
use standby::Replica;
use statements::Step;
use std::rc::Rc;
use tables::{End, Tables};

/// A server.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Server {
    config: Rc<PostgresConfig>,
    disk: Disk,
    /// In the order in which those of them that wait for the pool do.
    clients: Vec<Client>,
    /// The one used last is the last.
    sessions: Vec<Session>,
    locks: Locks,
    /// The newest connection of each machine: an older one is not opened again.
    newest: LiteMap<NodeId, Connection>,
    /// Its part, where there are two.
    #[serde(skip_serializing_if = "Option::is_none")]
    replica: Option<Replica>,
    /// Follows from the settings.
    #[serde(skip)]
    peers: Vec<NodeId>,
}

/// What is there when the process starts again.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Disk {
    tables: Tables,
    last_run: LastRun,
    /// Whether it was said that the row of `leases` is over. Nothing but notes goes by it.
    row_told_over: bool,
}

/// How the process ran last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum LastRun {
    Never,
    Crashed,
    ShutDown,
}

/// A server's timers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PostgresTimer {
    /// `lock_timeout`.
    Lock(Pid),
    /// `statement_timeout`.
    Statement(Pid),
    /// `deadlock_timeout`: it looks whether it waits in a circle.
    Deadlock(Pid),
    /// `idle_in_transaction_session_timeout`.
    IdleInTransaction(Pid),
    /// `idle_session_timeout`.
    IdleSession(Pid),
    /// The row of `leases` is over: said, and nothing more.
    RowIsOver,
    /// What was sent to the other server was not answered.
    SendAgain,
    /// The same, for so long that the connection is ended.
    GiveUp,
    /// A standby asks its primary anew.
    ConnectAnew,
}

impl PostgresTimer {
    /// Whether nothing but what two servers say to each other follows, for as long as they do.
    /// All others can let a lock change hands.
    pub fn is_routine(&self) -> bool {
        matches!(self, PostgresTimer::GiveUp | PostgresTimer::ConnectAnew)
    }
}

/// What an operator has a server do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Order {
    /// `pg_terminate_backend`: end the session of this machine's client.
    Terminate(NodeId),
    /// A fast shutdown: end all sessions, then the process.
    ShutDown,
}

impl Server {
    /// A server that has never started.
    pub fn new(config: PostgresConfig) -> Server {
        let disk = Disk { tables: Tables::new(), last_run: LastRun::Never, row_told_over: false };
        let peers: Vec<NodeId> =
            config.servers.iter().copied().filter(|server| *server != config.place).collect();
        let replica = (!peers.is_empty()).then(|| {
            let part = match config.servers.first() == Some(&config.place) {
                true => Part::Primary,
                false => Part::Standby,
            };
            Replica::new(part, disk.tables.recovered())
        });
        Server {
            replica,
            peers,
            config: Rc::new(config),
            disk,
            clients: Vec::new(),
            sessions: Vec::new(),
            locks: Locks::default(),
            newest: LiteMap::new(),
        }
    }

    /// Takes one input.
    #[inline(never)]
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start => self.start(now, out),
            Input::Message { from, message: Message::Postgres(request) } => {
                self.on_request(from, request, now, out);
            }
            Input::Message { from, message: Message::PostgresPeer(message) } => {
                self.on_peer(from, message, now, out);
            }
            Input::Unreachable { message: Message::PostgresPeer(_), .. } => {
                self.cannot_reach_peer(out);
            }
            Input::Hears { hearing, .. } => self.on_hears(hearing, now, out),
            Input::Unreachable { to, message } => {
                // The client's machine knows of no such connection any more.
                let connection = match message {
                    Message::PostgresAnswer(response) => response.connection,
                    Message::PostgresFatal(fatal) => fatal.connection,
                    _ => unreachable!("a server sends answers only"),
                };
                self.close((to, connection), out);
            }
            Input::Timer(Timer::Postgres(timer)) => self.on_timer(&timer, now, out),
            Input::Set(Setting::Postgres(order)) => self.obey(order, out),
            Input::Set(Setting::Replication(Replication::Primary)) => self.promote(now, out),
            Input::Message { .. } | Input::Timer(_) | Input::WorkDone | Input::Set(_) => {
                unreachable!("a server has requests and timers of its own, and an operator")
            }
        }
        self.settle(now, out);
        self.write_ahead(now, out);
    }

    /// Forgets what is not on disk.
    pub fn crash(&mut self) {
        let tables = &mut self.disk.tables;
        tables.roll_all_back();
        if self.disk.last_run != LastRun::ShutDown {
            tables.after_crash();
            self.disk.last_run = LastRun::Crashed;
        }
        self.clients.clear();
        self.sessions.clear();
        self.locks = Locks::default();
        if let Some(replica) = &mut self.replica {
            replica.crash();
        }
    }

    /// Its machine closes its connections when its process ends.
    #[inline(never)]
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        let closed = |client: &Client| {
            let fatal = Fatal { connection: client.connection, error: None };
            (client.node, Message::PostgresFatal(fatal))
        };
        self.clients.iter().map(closed).collect()
    }

    fn start(&mut self, now: Now, out: &mut Out<Actor>) {
        if self.disk.last_run != LastRun::Never {
            self.tell_restarted(now, out);
        }
        self.disk.last_run = LastRun::Crashed;
        self.mind_row(out);
        self.ask_primary(now, out);
    }

    fn obey(&mut self, order: Order, out: &mut Out<Actor>) {
        match order {
            Order::Terminate(node) => {
                if let Some(pid) = self.session_of(node) {
                    self.terminate(pid, SqlError::Terminated, out);
                }
            }
            Order::ShutDown => {
                while let Some(client) = self.clients.first() {
                    let fatal =
                        Fatal { connection: client.connection, error: Some(SqlError::Terminated) };
                    out.send(client.node, Message::PostgresFatal(fatal));
                    self.clients.remove(0);
                }
                while let Some(session) = self.sessions.first() {
                    self.end_session(session.pid, Some(SqlError::Terminated), out);
                }
                self.disk.tables.after_checkpoint();
                self.disk.last_run = LastRun::ShutDown;
                out.exit();
            }
        }
    }

    fn on_timer(&mut self, timer: &PostgresTimer, now: Now, out: &mut Out<Actor>) {
        match timer {
            PostgresTimer::Lock(pid) => self.finish(*pid, Err(SqlError::LockTimeout), now, out),
            PostgresTimer::Statement(pid) => {
                self.finish(*pid, Err(SqlError::StatementTimeout), now, out);
            }
            PostgresTimer::Deadlock(pid) => {
                if self.locks.waits_in_a_circle(&self.sessions, *pid) {
                    self.finish(*pid, Err(SqlError::Deadlock), now, out);
                }
            }
            PostgresTimer::IdleInTransaction(pid) => {
                self.terminate(*pid, SqlError::IdleInTransaction, out);
            }
            PostgresTimer::IdleSession(pid) => {
                self.terminate(*pid, SqlError::IdleSession, out);
            }
            PostgresTimer::RowIsOver => self.tell_row_is_over(now, out),
            PostgresTimer::SendAgain => self.send_again(now, out),
            PostgresTimer::GiveUp => self.give_up(now, out),
            PostgresTimer::ConnectAnew => self.ask_primary(now, out),
        }
    }

    fn session(&self, pid: Pid) -> &Session {
        let found = self.sessions.iter().find(|session| session.pid == pid);
        found.expect("only a session that is there does something")
    }

    fn session_mut(&mut self, pid: Pid) -> &mut Session {
        let found = self.sessions.iter_mut().find(|session| session.pid == pid);
        found.expect("only a session that is there does something")
    }

    /// Goes on with what waited and need not wait any more, the earliest first, until
    /// nothing more can go on.
    fn settle(&mut self, now: Now, out: &mut Out<Actor>) {
        loop {
            if self.serve_queue(now, out) {
                continue;
            }
            let mut waiting: Vec<(u32, Pid)> = self
                .sessions
                .iter()
                .filter_map(|session| Some((session.waits_for()?.ticket, session.pid)))
                .collect();
            order::by(&mut waiting, Ord::cmp);
            if !waiting.into_iter().any(|(_, pid)| self.attempt(pid, now, out)) {
                return;
            }
        }
    }

    /// Carries out what a session runs, unless it has to wait; whether it is done.
    fn attempt(&mut self, pid: Pid, now: Now, out: &mut Out<Actor>) -> bool {
        let result = match self.carry_out(pid, out) {
            Step::Done(reply) => Ok(reply),
            Step::Fails(error) => Err(error),
            Step::Waits(tag, strength) => {
                self.wait(pid, tag, strength, now, out);
                return false;
            }
        };
        self.finish(pid, result, now, out);
        true
    }

    fn wait(
        &mut self,
        pid: Pid,
        tag: locks::Tag,
        strength: api::Strength,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let tickets = self.sessions.iter().filter_map(Session::waits_for).map(|it| it.ticket);
        let ticket = tickets.max().unwrap_or(0) + 1;
        let session = self.session_mut(pid);
        let timeouts = session.timeouts;
        let running = session.running.as_mut().expect("only what runs waits");
        if running.waits.as_ref().is_some_and(|waits| waits.tag == tag) {
            return;
        }
        running.waits = Some(Waiting { tag: tag.clone(), strength, ticket });
        let mut within = |timer, span: Span| {
            if span > Span::ZERO {
                out.set_timer(Timer::Postgres(timer), now.mono + span);
            }
        };
        within(PostgresTimer::Lock(pid), timeouts.lock);
        within(PostgresTimer::Deadlock(pid), timeouts.deadlock);
        self.tell_queued(pid, &tag, out);
    }

    /// A statement is done, or has failed.
    fn finish(
        &mut self,
        pid: Pid,
        result: Result<Reply, SqlError>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        for timer in [PostgresTimer::Lock(pid), PostgresTimer::Deadlock(pid)] {
            out.cancel_timer(Timer::Postgres(timer));
        }
        out.cancel_timer(Timer::Postgres(PostgresTimer::Statement(pid)));
        if let Err(error) = result {
            self.tell_failed(pid, error, out);
        }
        let running = self.session_mut(pid).running.take().expect("something ran");
        match (&result, self.session(pid).transaction) {
            (Ok(_), Transaction::None) => self.end_transaction(pid, End::Commit, out),
            (Err(_), Transaction::None) => self.end_transaction(pid, End::Failure, out),
            (Err(_), Transaction::Open { before, .. }) => {
                self.end_transaction(pid, End::Failure, out);
                self.session_mut(pid).transaction = Transaction::Failed { before };
            }
            (Ok(_), _) | (Err(_), Transaction::Failed { .. }) => {}
        }
        let session = self.session(pid);
        let (user, transaction) = (session.user, session.status());
        if running.then == Then::IsGone {
            return self.end_session(pid, None, out);
        }
        let key = user.expect("a session runs what its user asked for").client;
        let (connection, id, to) = (key.1, running.id, running.to);
        self.answer(key, Response { connection, id, to, result, transaction }, out);
        match running.then {
            Then::Ends => {
                self.clients.retain(|client| client.key() != key);
                self.end_session(pid, None, out);
            }
            _ => self.is_idle(pid, now, out),
        }
    }

    /// A session waits for its next statement.
    fn is_idle(&mut self, pid: Pid, now: Now, out: &mut Out<Actor>) {
        let session = self.session(pid);
        let timeouts = session.timeouts;
        let (timer, span) = match session.status() {
            Status::Idle => (PostgresTimer::IdleSession(pid), timeouts.idle_session),
            Status::Open | Status::Failed => {
                (PostgresTimer::IdleInTransaction(pid), timeouts.idle_in_transaction)
            }
        };
        if span > Span::ZERO {
            out.set_timer(Timer::Postgres(timer), now.mono + span);
        }
        self.may_go_back_to_the_pool(pid);
    }

    /// Ends a session's transaction, if there is one, and lets go of what it locked.
    fn end_transaction(&mut self, pid: Pid, end: End, out: &mut Out<Actor>) {
        let session = self.session_mut(pid);
        match session.transaction {
            Transaction::Open { before, .. } | Transaction::Failed { before }
                if end != End::Commit =>
            {
                session.timeouts = before;
            }
            _ => {}
        }
        session.transaction = Transaction::None;
        let lease = self.disk.tables.lease.committed().cloned();
        self.disk.tables.end(pid, end);
        self.tell_row(lease, pid, out);
        self.let_go(|held| held.pid == pid && held.level == Level::Transaction, end, pid, out);
    }

    /// Lets go of locks, on behalf of a session.
    fn let_go(&mut self, which: impl Fn(&Held) -> bool, end: End, pid: Pid, out: &mut Out<Actor>) {
        let gone = self.locks.let_go(which);
        self.tell_let_go(&gone, end, pid, out);
    }

    /// Ends a session because of an error, and tells its client.
    fn terminate(&mut self, pid: Pid, error: SqlError, out: &mut Out<Actor>) {
        if let Some(user) = self.session(pid).user {
            let (node, connection) = user.client;
            if self.clients.iter().any(|client| client.key() == user.client) {
                let fatal = Fatal { connection, error: Some(error) };
                out.send(node, Message::PostgresFatal(fatal));
            }
            self.clients.retain(|client| client.key() != user.client);
        }
        self.end_session(pid, Some(error), out);
    }

    /// A session ends, with its transaction and all of its locks.
    fn end_session(&mut self, pid: Pid, why: Option<SqlError>, out: &mut Out<Actor>) {
        self.tell_session_ended(pid, why, out);
        for timer in [
            PostgresTimer::Lock(pid),
            PostgresTimer::Statement(pid),
            PostgresTimer::Deadlock(pid),
            PostgresTimer::IdleInTransaction(pid),
            PostgresTimer::IdleSession(pid),
        ] {
            out.cancel_timer(Timer::Postgres(timer));
        }
        self.end_transaction(pid, End::OfSession, out);
        self.let_go(|held| held.pid == pid, End::OfSession, pid, out);
        self.sessions.retain(|session| session.pid != pid);
    }
}
