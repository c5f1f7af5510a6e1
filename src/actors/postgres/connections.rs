//! Connections: from clients to the server, or to a pooler before it. A pooler in
//! transaction mode gives a client a session for one transaction (or one statement outside
//! of any), the one used last first, as PgBouncer does, and takes it back as it is: with
//! whatever the session holds.

use super::api::{Ask, Database, Fatal, Outcome, Request, Response, SqlError, Statement, Status};
use super::session::{Client, ClientKey, Pid, Running, Session, Then, User};
use super::{Part, PostgresTimer, Server};
use crate::actors::note::PostgresNote;
use crate::actors::store::api::Owner;
use crate::actors::{Actor, Fact, Message, Timer};
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::Span;

impl Server {
    pub(super) fn on_request(
        &mut self,
        from: NodeId,
        request: Request,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let key = (from, request.connection);
        if self.part() == Part::Standby {
            let error = Some(SqlError::NotAccepting);
            let fatal = Fatal { connection: request.connection, error };
            return out.send(from, Message::PostgresFatal(fatal));
        }
        let Some(client) = self.clients.iter_mut().find(|client| client.key() == key) else {
            return self.unknown(from, request, now, out);
        };
        if request.ask == Ask::Close {
            return self.close(key, out);
        }
        if request.id <= client.last {
            if let Some(answer) = client.answer.clone().filter(|it| it.id == request.id) {
                out.send(from, Message::PostgresAnswer(answer));
            }
            return;
        }
        client.last = request.id;
        client.answer = None;
        self.serve(key, request, now, out);
    }

    /// A connection that is not there is opened, or it was closed.
    fn unknown(&mut self, from: NodeId, request: Request, now: Now, out: &mut Out<Actor>) {
        let connection = request.connection;
        let is_new = self.newest.get(&from).is_none_or(|newest| *newest < connection);
        match request.ask {
            Ask::Connect { database, application } if is_new => {
                self.newest.insert(from, connection);
                let client = Client {
                    node: from,
                    connection,
                    database,
                    application,
                    last: request.id,
                    answer: None,
                    queued: None,
                };
                self.clients.push(client);
                let key = (from, connection);
                let opened = self.config.pool.is_none().then(|| self.open(database));
                if let Some(pid) = opened {
                    self.session_mut(pid).user = Some(User { client: key, application });
                }
                let (id, to) = (request.id, "connect");
                let (result, transaction) = (Ok(Outcome::Connected.into()), Status::Idle);
                self.answer(key, Response { connection, id, to, result, transaction }, out);
                if let Some(pid) = opened {
                    self.is_idle(pid, now, out);
                }
            }
            // Its opening may be under way still, and comes too late.
            Ask::Close if is_new => {
                self.newest.insert(from, connection);
            }
            Ask::Connect { .. } | Ask::Close => {}
            Ask::Run(_) | Ask::Last(_) => {
                out.send(from, Message::PostgresFatal(Fatal { connection, error: None }));
            }
        }
    }

    pub(super) fn answer(&mut self, key: ClientKey, response: Response, out: &mut Out<Actor>) {
        if let Some(client) = self.clients.iter_mut().find(|client| client.key() == key) {
            client.answer = Some(response.clone());
        }
        out.send(key.0, Message::PostgresAnswer(response));
    }

    fn open(&mut self, database: Database) -> Pid {
        let newest = self.sessions.iter().map(|session| session.pid.0).max().unwrap_or(0);
        let pid = Pid(newest + 1);
        self.sessions.push(Session::new(pid, database, self.config.timeouts));
        pid
    }

    /// The session that a client uses.
    fn session_used_by(&self, key: ClientKey) -> Option<Pid> {
        let uses = |session: &&Session| session.user.is_some_and(|user| user.client == key);
        self.sessions.iter().find(uses).map(|session| session.pid)
    }

    /// The session of a machine's newest client. In a pool it is the one that the client
    /// uses, or else one that holds a lock that was taken for it.
    pub(super) fn session_of(&self, node: NodeId) -> Option<Pid> {
        let clients = self.clients.iter().filter(|client| client.node == node);
        let newest = clients.max_by_key(|client| client.connection)?;
        self.session_used_by(newest.key()).or_else(|| {
            let held = self.locks.held.iter();
            let its = |owner: &Owner| *owner == newest.application;
            held.filter(|held| held.taken_for.iter().any(its)).map(|held| held.pid).next()
        })
    }

    fn client(&self, key: ClientKey) -> Option<&Client> {
        self.clients.iter().find(|client| client.key() == key)
    }

    /// Runs what a client asks for on its session, or on one of the pool.
    fn serve(&mut self, key: ClientKey, request: Request, now: Now, out: &mut Out<Actor>) {
        match self.session_used_by(key).or_else(|| self.lend_session(key)) {
            Some(pid) => self.run(pid, request, now, out),
            None => {
                self.tell_waits_for_pool(key, out);
                let place = self.clients.iter().position(|client| client.key() == key);
                let mut client = self.clients.remove(place.expect("it asked just now"));
                client.queued = Some(request);
                self.clients.push(client);
            }
        }
    }

    /// A session that nobody uses, or a new one, if the pool has room.
    fn lend_session(&mut self, key: ClientKey) -> Option<Pid> {
        let Client { database, application, .. } = *self.client(key)?;
        let free = |session: &&Session| session.user.is_none() && session.database == database;
        let found = self.sessions.iter().rev().find(free).map(|session| session.pid);
        let has_room = self.sessions.len() < usize::from(self.config.pool.unwrap_or(0));
        let pid = found.or_else(|| has_room.then(|| self.open(database)))?;
        self.session_mut(pid).user = Some(User { client: key, application });
        Some(pid)
    }

    fn run(&mut self, pid: Pid, request: Request, now: Now, out: &mut Out<Actor>) {
        let (statement, then): (Statement, Then) = match request.ask {
            Ask::Run(ref statement) => (statement.clone(), Then::GoesOn),
            Ask::Last(ref statement) => (statement.clone(), Then::Ends),
            Ask::Connect { .. } | Ask::Close => {
                unreachable!("a connection that is there runs statements only")
            }
        };
        for timer in [PostgresTimer::IdleInTransaction(pid), PostgresTimer::IdleSession(pid)] {
            out.cancel_timer(Timer::Postgres(timer));
        }
        let (id, to) = (request.id, request.ask.kind());
        let session = self.session_mut(pid);
        let limit = session.timeouts.statement;
        session.running = Some(Running { id, to, statement, now: now.wall, then, waits: None });
        if limit > Span::ZERO {
            let timer = Timer::Postgres(PostgresTimer::Statement(pid));
            out.set_timer(timer, now.mono + limit);
        }
        self.attempt(pid, now, out);
    }

    /// A client's connection is closed. A session that waits for a lock does not look
    /// before it has it; a pooler keeps a session that no transaction is open in.
    pub(super) fn close(&mut self, key: ClientKey, out: &mut Out<Actor>) {
        self.clients.retain(|client| client.key() != key);
        let Some(pid) = self.session_used_by(key) else { return };
        match &mut self.session_mut(pid).running {
            Some(running) => running.then = Then::IsGone,
            None => self.end_session(pid, None, out),
        }
    }

    /// After a transaction a pool has its session back.
    pub(super) fn may_go_back_to_the_pool(&mut self, pid: Pid) {
        if self.config.pool.is_none() || self.session(pid).status() != Status::Idle {
            return;
        }
        self.session_mut(pid).user = None;
        let place = self.sessions.iter().position(|session| session.pid == pid);
        let session = self.sessions.remove(place.expect("the session is there"));
        self.sessions.push(session);
    }

    /// The client that has waited longest for the pool has its turn, if a session is free;
    /// whether one was.
    pub(super) fn serve_queue(&mut self, now: Now, out: &mut Out<Actor>) -> bool {
        let Some(client) = self.clients.iter().find(|client| client.queued.is_some()) else {
            return false;
        };
        let key = client.key();
        let Some(pid) = self.lend_session(key) else { return false };
        let mut clients = self.clients.iter_mut();
        let client = clients.find(|client| client.key() == key).expect("it was just found");
        let request = client.queued.take().expect("it waits for the pool");
        let fact = Fact::Queued(client.application);
        let note = out.note(PostgresNote::LentByPool { client: key.0 });
        note.because(fact.clone()).sets(fact);
        self.run(pid, request, now, out);
        true
    }
}
