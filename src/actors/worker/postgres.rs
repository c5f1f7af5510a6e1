//! How a lock is taken from PostgreSQL and given back, on a connection of its own for each
//! acquisition: five recipes.
//!
//! ```text
//!   connect ─► Advisory      pg_advisory_lock, which waits ────────────► held
//!           ─► TryAdvisory   pg_try_advisory_lock ─► false: ask again ─► held
//!           ─► AdvisoryXact  BEGIN ─► pg_advisory_xact_lock ───────────► held
//!           ─► RowLock       BEGIN ─► SELECT … FOR UPDATE ─────────────► held
//!           ─► LockRow       UPDATE … RETURNING token ─► no row: again ► held until its end
//!   held ─► a number, where one is wanted ─► granted
//! ```
//!
//! All but the row are the connection's: no time ends them, and they are over when the
//! connection is. A client whose connection the server has closed learns of it when that
//! reaches it, and acts on it by its policy. The row is renewed by the watchdog.

use super::calls::Ask;
use super::config::{OfService, PostgresRecipe, ReleaseCheck};
use super::ending::Failure;
use super::program::Doing;
use super::session::{RECONNECT, Session};
use super::watchdog::Renewal;
use super::{Outbox, Worker, WorkerTimer, set_timer};
use crate::actors::Message;
use crate::actors::etcd::api::RequestId;
use crate::actors::fact::Fact;
use crate::actors::note::{SessionEnd, WorkerNote};
use crate::actors::postgres::api::{
    self, Advisory, Clock, Connection, Database, Level, Outcome, Response, Sequence, Statement,
    Strength, Wait, key_of,
};
use crate::actors::postgres::owner_of;
use crate::sim::time::{Mono, Span, Wall};
use serde::Serialize;

/// What number a client of PostgreSQL takes once it has a lock that comes with none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum PgToken {
    /// None.
    None,
    /// A column that it raises: `UPDATE … SET token = token + 1 RETURNING token`.
    FenceColumn,
    /// A sequence.
    Sequence,
}

/// What a client of PostgreSQL is told besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PostgresClient {
    /// What number it takes once it has the lock.
    pub token: PgToken,
    /// By whose clock a lock's row ends.
    pub row_clock: RowClock,
}

/// By whose clock a lock's row in PostgreSQL ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum RowClock {
    /// The database's.
    Database,
    /// Each client's own.
    Client,
}

/// What is asked of PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum PgAsk {
    /// A connection.
    Connect,
    /// A transaction.
    Begin,
    /// The lock, waiting for it.
    Lock,
    /// The lock, if it is free.
    Try,
    /// The same, by one who waits.
    TryAgain,
    /// A number, since it has the lock.
    Token,
    /// The lock's end.
    Release,
}

impl Worker {
    pub(super) fn postgres_recipe(&self) -> PostgresRecipe {
        match self.config.recipe.of_service() {
            OfService::Postgres(recipe) => recipe,
            _ => unreachable!("a recipe is for the scenario's service"),
        }
    }

    fn client(&self) -> PostgresClient {
        self.config.postgres.expect("a client of PostgreSQL is told more")
    }

    /// Whether its lock is over when its connection is.
    fn is_bound(&self) -> bool {
        self.postgres_recipe() != PostgresRecipe::LockRow
    }

    fn lock_statement(&self, wall: Wall) -> Statement {
        let level = match self.postgres_recipe() {
            PostgresRecipe::AdvisoryXact => Level::Transaction,
            _ => Level::Session,
        };
        let lock = Advisory { key: key_of(&self.config.lock), strength: Strength::Update, level };
        match self.postgres_recipe() {
            PostgresRecipe::Advisory | PostgresRecipe::AdvisoryXact => Statement::Advisory(lock),
            PostgresRecipe::TryAdvisory => Statement::TryAdvisory(lock),
            PostgresRecipe::RowLock => Statement::SelectFor(1, Strength::Update, Wait::Wait),
            PostgresRecipe::LockRow => {
                let (owner, ttl, clock) = self.row(wall);
                Statement::LeaseAcquire { owner, ttl, clock }
            }
        }
    }

    fn own_name(&self) -> api::Text {
        owner_of(self.session.lease().expect("a value is drawn before it is sent"))
    }

    /// What a row says: whose it is, for how long, and by whose clock.
    fn row(&self, wall: Wall) -> (api::Text, Span, Clock) {
        let clock = match self.client().row_clock {
            RowClock::Database => Clock::Database,
            RowClock::Client => Clock::Client(wall),
        };
        (self.own_name(), Span::from_s(self.config.ttl_s), clock)
    }

    fn release_statement(&self) -> Statement {
        match self.postgres_recipe() {
            PostgresRecipe::Advisory | PostgresRecipe::TryAdvisory => {
                Statement::AdvisoryUnlock(key_of(&self.config.lock), Strength::Update)
            }
            PostgresRecipe::AdvisoryXact | PostgresRecipe::RowLock => Statement::Commit,
            PostgresRecipe::LockRow => {
                let own = (self.own_name(), self.program.key_revision);
                let checks = self.config.policies.release == ReleaseCheck::Owner;
                Statement::LeaseRelease { whose: checks.then_some(own) }
            }
        }
    }

    /// The renewal of the lock's row.
    pub(super) fn row_renewal(&self, wall: Wall) -> Statement {
        let (owner, ttl, clock) = self.row(wall);
        Statement::LeaseRenew { owner, token: self.program.key_revision, ttl, clock }
    }

    /// Sends what is asked; a statement that finds no connection opens one before.
    #[inline(never)]
    pub(super) fn send_postgres(&mut self, id: RequestId, ask: PgAsk, out: &mut Outbox) {
        let statement = match ask {
            PgAsk::Connect => return self.send_connect(Connection(id.0), id, out),
            PgAsk::Begin => Statement::Begin,
            PgAsk::Lock | PgAsk::Try | PgAsk::TryAgain => self.lock_statement(out.clocks().wall),
            PgAsk::Token => match self.client().token {
                PgToken::Sequence => Statement::Nextval(Sequence::Fence),
                PgToken::FenceColumn | PgToken::None => Statement::RaiseToken(1),
            },
            PgAsk::Release => self.release_statement(),
        };
        self.send_statement(id, api::Ask::Run(statement), out);
    }

    pub(super) fn send_statement(&mut self, id: RequestId, ask: api::Ask, out: &mut Outbox) {
        if self.connection.is_none() {
            let first = self.next_id();
            // The statement's number was taken before, and has to be the later one.
            self.send_connect(Connection(first.0), RequestId(0), out);
        }
        let (to, connection) = (self.member_in_use(), self.connection.expect("it is there now"));
        out.send(to, Message::Postgres(api::Request { connection, id, ask }));
    }

    fn send_connect(&mut self, connection: Connection, id: RequestId, out: &mut Outbox) {
        let application = self.session.lease().expect("a value is drawn before it connects");
        self.connection = Some(connection);
        let ask = api::Ask::Connect { database: Database::Main, application };
        let request = api::Request { connection, id, ask };
        out.send(self.member_in_use(), Message::Postgres(request));
    }

    /// The server answered something.
    pub(super) fn postgres_answered(&mut self, response: Response, now: Mono, out: &mut Outbox) {
        let renewal = match &response.result {
            Ok(api::Reply { outcome: Outcome::Changed(_, 1), .. }) => Renewal::Done,
            Ok(_) => Renewal::NotOwn,
            Err(_) => Renewal::Failed,
        };
        if self.renewal_answered(self.member_in_use(), response.id, renewal, now, out) {
            return;
        }
        let since = self.waits_since();
        let Some(Ask::Postgres(ask)) = self.answered(response.id, out) else { return };
        let outcome = match response.result {
            Ok(reply) => reply.outcome,
            Err(_) if ask == PgAsk::Release => return self.closes(now, out),
            // The transaction has failed: a new one on a new connection, a little later.
            Err(_) => {
                self.close_connection(out);
                return self.polls(now, out);
            }
        };
        match (ask, outcome) {
            (PgAsk::Connect, _) => {
                let next = match self.postgres_recipe() {
                    PostgresRecipe::Advisory => PgAsk::Lock,
                    PostgresRecipe::AdvisoryXact | PostgresRecipe::RowLock => PgAsk::Begin,
                    PostgresRecipe::TryAdvisory | PostgresRecipe::LockRow => PgAsk::Try,
                };
                self.call(Ask::Postgres(next), now, out);
            }
            (PgAsk::Begin, _) => self.call(Ask::Postgres(PgAsk::Lock), now, out),
            (PgAsk::Try, Outcome::Flag(Some(false)) | Outcome::Returned(None)) => {
                out.note(WorkerNote::Waits { create_revision: 0 }).sets(Fact::Call);
                self.polls(now, out);
            }
            (PgAsk::TryAgain, Outcome::Flag(Some(false)) | Outcome::Returned(None)) => {
                self.polls(now, out);
            }
            (PgAsk::Lock | PgAsk::Try | PgAsk::TryAgain, outcome) => {
                self.taken(since, now);
                self.is_held(&outcome, now, out);
            }
            (PgAsk::Token, Outcome::Number(token) | Outcome::Returned(Some(token))) => {
                out.note(WorkerNote::DrewToken { token });
                self.granted(token, now, out);
            }
            (PgAsk::Token, _) => self.granted(0, now, out),
            (PgAsk::Release, _) => self.closes(now, out),
        }
    }

    /// It has the lock: a row with its token, or else a number if one is wanted.
    fn is_held(&mut self, outcome: &Outcome, now: Mono, out: &mut Outbox) {
        if let Outcome::Returned(Some(token)) = outcome {
            self.program.key_revision = *token;
            let Some(deadline) = self.end_of_taken(now) else {
                self.give_up_connection(out);
                self.draw_value(out);
                return self.polls(now, out);
            };
            self.watch_over(Some(deadline), now, out);
            return self.granted(*token, now, out);
        }
        match self.client().token {
            PgToken::None => self.granted(0, now, out),
            PgToken::FenceColumn | PgToken::Sequence => {
                self.call(Ask::Postgres(PgAsk::Token), now, out);
            }
        }
    }

    /// Asks again for a lock that is held, or connects anew.
    pub(super) fn try_again(&mut self, now: Mono, out: &mut Outbox) {
        let ask = if self.connection.is_some() { PgAsk::TryAgain } else { PgAsk::Connect };
        self.call(Ask::Postgres(ask), now, out);
    }

    /// The lock is given back: the connection is closed.
    pub(super) fn closes(&mut self, now: Mono, out: &mut Outbox) {
        self.close_connection(out);
        self.session_is_closed(now, out);
    }

    /// Closes the connection, if there is one.
    pub(super) fn close_connection(&mut self, out: &mut Outbox) {
        if let Some(connection) = self.connection.take() {
            let (id, to) = (self.next_id(), self.member_in_use());
            let request = api::Request { connection, id, ask: api::Ask::Close };
            out.send(to, Message::Postgres(request));
        }
    }

    /// Gives all up without waiting for an answer: the row is set free, and with the
    /// connection goes what is the connection's, unless a pooler stands before the server.
    pub(super) fn give_up_connection(&mut self, out: &mut Outbox) {
        let is_taken = match &self.session {
            Session::Key(key) => key.taken.is_some(),
            Session::Closed { why, .. } => *why == SessionEnd::Deadline,
            Session::None | Session::Open(_) | Session::Zk(_) => false,
        };
        if is_taken && !self.is_bound() {
            let (id, release) = (self.next_id(), self.release_statement());
            self.send_statement(id, api::Ask::Last(release), out);
            self.connection = None;
        }
        self.close_connection(out);
        self.give_up_hold(out);
        self.session = Session::None;
    }

    /// Gives the lock back and waits for the answer. What was the connection's is gone with
    /// it already.
    pub(super) fn release_postgres(&mut self, now: Mono, out: &mut Outbox) {
        let is_own = match self.session {
            Session::Closed { why, .. } => why == SessionEnd::Deadline,
            _ => true,
        };
        let is_there = is_own && (!self.is_bound() || self.connection.is_some());
        self.give_up_hold(out);
        if is_there {
            self.call(Ask::Postgres(PgAsk::Release), now, out);
        } else {
            self.closes(now, out);
        }
    }

    /// The connection is closed, as the server said, or its machine, or a call that came
    /// back.
    pub(super) fn connection_lost(&mut self, connection: Connection, now: Mono, out: &mut Outbox) {
        if self.connection != Some(connection) {
            return;
        }
        self.connection = None;
        let pending = match &self.program.doing {
            Doing::Calls(call) => Some((call.ask.clone(), call.id)),
            _ => None,
        };
        match pending {
            Some((Ask::Postgres(PgAsk::Release), id)) => {
                self.answered(id, out);
                self.session_is_closed(now, out);
            }
            Some((Ask::Postgres(_), id)) => {
                self.answered(id, out);
                set_timer(out, WorkerTimer::Resend, now + RECONNECT);
            }
            _ if matches!(self.program.doing, Doing::Polls) => {}
            _ if self.is_bound() => {
                if matches!(self.session, Session::Key(_)) {
                    self.session_closes(SessionEnd::Disconnected, &[], out);
                    self.apply_policy(Failure::Session, now, out);
                }
            }
            _ => self.watchdog_cut_off(self.member_in_use(), now, out),
        }
    }

    /// Who would have told it that its lock is over: what holds until the contrary is heard
    /// rests on that nothing was.
    pub(super) fn rests_on_silence(&self) -> Option<crate::sim::process::NodeId> {
        let is_open = self.connection.is_some() && matches!(self.session, Session::Key(_));
        (is_open && self.is_bound()).then(|| self.member_in_use())
    }

    /// What its machine says for it when its process ends: the connection is closed.
    pub(super) fn hangs_up(&self) -> Option<(crate::sim::process::NodeId, Message)> {
        let connection = self.connection?;
        let id = RequestId(self.last_id);
        let request = api::Request { connection, id, ask: api::Ask::Close };
        Some((self.member_in_use(), Message::Postgres(request)))
    }
}
