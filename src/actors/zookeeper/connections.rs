//! Connections of clients: their calls are answered in their order, a write when this
//! server has applied it, a read from what it has. Watches are a connection's, and end
//! with it.

use super::api::{
    Ask, Connect, Event, EventKind, Failure, Op, Reply, Request, RequestId, Response, SessionId,
    Text, Watch, What, ZkError,
};
use super::peer::{Forwarded, Origin, PeerMessage};
use super::tree::{Change, Tree};
use super::{Role, Server, send};
use crate::actors::{Actor, Message};
use crate::sim::process::{NodeId, Now, Out};
use serde::Serialize;
use std::rc::Rc;

/// Session passwords are drawn from so many.
const PASSWORDS: u64 = 1 << 32;

/// A client's connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Connection {
    /// The call that began it: it names it.
    number: RequestId,
    /// Its session, once that is known.
    pub session: Option<SessionId>,
    /// The last call that was taken from it: a connection brings none twice.
    last: RequestId,
    /// Calls that are not answered, in their order; the first is under way.
    calls: Vec<Request>,
}

/// A watch, for one event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Watched {
    client: NodeId,
    path: Text,
    of: Of,
}

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Of {
    /// Whether the znode is there, and its data.
    Node,
    /// The names of its children.
    Children,
}

impl Server {
    pub(super) fn on_request(
        &mut self,
        from: NodeId,
        request: Request,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        if let Ask::Connect(connect) = &request.ask {
            let is_old = |connection: &Connection| connection.last >= request.id;
            if self.clients.get(&from).is_some_and(is_old) {
                return;
            }
            // A server that is behind what the client has seen would take it back in time.
            if !self.serves() || connect.seen > self.disk.applied {
                return out.send(from, Message::ZkClosed(request.id));
            }
            self.drop_client(from);
            let (number, last) = (request.id, RequestId(0));
            let connection = Connection { number, session: None, last, calls: Vec::new() };
            self.clients.insert(from, connection);
        }
        let Some(connection) = self.clients.get_mut(&from) else {
            return out.send(from, Message::ZkClosed(request.id));
        };
        if request.ask == Ask::Ping {
            if let Some(session) = connection.session {
                self.heard_of(session, now, out);
                self.respond(from, request.id, Ok(Reply::Pong), out);
            }
            return;
        }
        if connection.last >= request.id {
            return;
        }
        connection.last = request.id;
        connection.calls.push(request);
        if connection.calls.len() == 1 {
            self.begin_call(from, now, out);
        }
    }

    /// Begins the first call that is not answered: a read is answered at once, and then
    /// the next.
    fn begin_call(&mut self, client: NodeId, now: Now, out: &mut Out<Actor>) {
        loop {
            let Some(connection) = self.clients.get(&client) else { return };
            let Some(request) = connection.calls.first().cloned() else { return };
            let what = match (request.ask, connection.session) {
                (Ask::Connect(connect), _) => self.greets(connect, out),
                (Ask::Op(Op::Read(read)), Some(session)) => {
                    self.heard_of(session, now, out);
                    let answer = self.read(client, &read);
                    self.respond(client, request.id, answer, out);
                    self.take_call(client);
                    continue;
                }
                (Ask::Op(op), Some(session)) => Forwarded::Op(session, op),
                (Ask::Close, Some(session)) => Forwarded::Close(session),
                (Ask::Ping, _) => unreachable!("a ping does not wait for its turn"),
                (_, None) => return,
            };
            let origin = Origin { via: self.config.place, client, request: request.id };
            return self.pass_on(origin, what, now, out);
        }
    }

    fn greets(&mut self, connect: Connect, out: &mut Out<Actor>) -> Forwarded {
        if let Some((session, password)) = connect.session {
            return Forwarded::Attach { session, password };
        }
        self.disk.opened += 1;
        // The server's number in the highest byte.
        let own = u64::from(self.config.place.0) + 1;
        let session = SessionId((own << 56) | u64::from(self.disk.opened));
        let password = out.draw("password", PASSWORDS);
        Forwarded::Open { session, timeout: connect.timeout, password }
    }

    /// To the leader, which may be this server.
    fn pass_on(&mut self, origin: Origin, what: Forwarded, now: Now, out: &mut Out<Actor>) {
        match &self.role {
            Role::Leading(_) => self.serve(origin, what, now, out),
            Role::Following(following) => {
                send(following.leader, PeerMessage::Forward { origin, what }, out);
            }
            Role::Looking(_) => unreachable!("who looks for a leader has no clients"),
        }
    }

    fn read(&mut self, client: NodeId, read: &super::api::Read) -> Result<Reply, Failure> {
        let answer = self.disk.tree.read(read);
        let (of, leaves) = match (read.what, &answer) {
            (What::Children, Ok(_)) => (Of::Children, true),
            (What::Children | What::Data, Err(_)) => (Of::Node, false),
            _ => (Of::Node, true),
        };
        let watched = Watched { client, path: read.path.clone(), of };
        if leaves && read.watch == Watch::Yes && !self.watches.contains(&watched) {
            self.watches.push(watched);
        }
        Ok(answer?)
    }

    fn respond(
        &self,
        client: NodeId,
        id: RequestId,
        result: Result<Reply, Failure>,
        out: &mut Out<Actor>,
    ) {
        out.send(client, Message::ZkReply(Response { id, zxid: self.disk.applied, result }));
    }

    fn take_call(&mut self, client: NodeId) {
        if let Some(connection) = self.clients.get_mut(&client) {
            connection.calls.remove(0);
        }
    }

    /// Something a client asked for came to its end: it is answered, unless the
    /// connection over which it asked is gone.
    pub(super) fn deliver(
        &mut self,
        client: NodeId,
        request: RequestId,
        result: Result<Reply, Failure>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let Some(connection) = self.clients.get_mut(&client) else { return };
        if connection.calls.first().is_none_or(|first| first.id != request) {
            return;
        }
        let ends = match &result {
            Ok(Reply::Connected { session, .. }) => {
                connection.session = Some(*session);
                false
            }
            Ok(Reply::Closed) => true,
            Err(failure) => {
                matches!(failure.error, ZkError::SessionExpired | ZkError::SessionMoved)
            }
            Ok(_) => false,
        };
        self.respond(client, request, result, out);
        if ends {
            return self.drop_client(client);
        }
        self.take_call(client);
        self.begin_call(client, now, out);
    }

    /// A client has closed the connection of this call, or its process is gone. It may have
    /// another by now.
    pub(super) fn client_closed(&mut self, client: NodeId, call: RequestId) {
        if self.clients.get(&client).is_some_and(|connection| connection.number <= call) {
            self.drop_client(client);
        }
    }

    /// How the clients are told that their connections are gone.
    pub(super) fn farewells(&self) -> impl Iterator<Item = (NodeId, Message)> {
        let all = self.clients.iter();
        all.map(|(client, connection)| (*client, Message::ZkClosed(connection.number)))
    }

    /// A connection is gone, and its watches with it.
    pub(super) fn drop_client(&mut self, client: NodeId) {
        self.clients.remove(&client);
        self.watches.retain(|watch| watch.client != client);
    }

    /// Closes connections, as a server does that leads or follows no more.
    pub(super) fn close_clients(
        &mut self,
        which: impl Fn(&Connection) -> bool,
        out: &mut Out<Actor>,
    ) {
        let its = |(client, connection): (&NodeId, &Connection)| {
            which(connection).then_some((*client, connection.number))
        };
        let all: Vec<(NodeId, RequestId)> = self.clients.iter().filter_map(its).collect();
        for (client, number) in all {
            out.send(client, Message::ZkClosed(number));
            self.drop_client(client);
        }
    }

    /// Closes the connections on which something is not answered.
    pub(super) fn close_unanswered(&mut self, out: &mut Out<Actor>) {
        self.close_clients(|connection| !connection.calls.is_empty(), out);
    }

    /// A session has ended: whoever has a connection for it loses that.
    pub(super) fn close_session(&mut self, session: SessionId, out: &mut Out<Actor>) {
        self.close_clients(|connection| connection.session == Some(session), out);
    }

    /// Tells the watches what changed. Each is told once.
    pub(super) fn tell_watches(&mut self, changes: &[Change], out: &mut Out<Actor>) {
        for (path, kind) in changes {
            self.tell(path, *kind, Of::Node, out);
            if *kind == EventKind::Deleted {
                self.tell(path, *kind, Of::Children, out);
            }
            if *kind != EventKind::Changed {
                let parent = super::tree::parent_of(path).to_owned();
                self.tell(&parent, EventKind::Child, Of::Children, out);
            }
        }
    }

    fn tell(&mut self, path: &str, kind: EventKind, of: Of, out: &mut Out<Actor>) {
        let (told, left) = std::mem::take(&mut self.watches)
            .into_iter()
            .partition(|watch| watch.of == of && *watch.path == *path);
        self.watches = left;
        let told: Vec<Watched> = told;
        for watch in told {
            out.send(watch.client, Message::ZkEvent(Event { path: watch.path, kind }));
        }
    }

    /// The same where the tree as it was is replaced as a whole.
    pub(super) fn tell_differences(&mut self, before: &Rc<Tree>, out: &mut Out<Actor>) {
        for Watched { path, of, .. } in self.watches.clone() {
            let (was, is) = (before.stat(&path), self.disk.tree.stat(&path));
            let kind = match (was, is, of) {
                (None, Some(_), Of::Node) => EventKind::Created,
                (Some(_), None, _) => EventKind::Deleted,
                (Some(was), Some(is), Of::Node) if was.mzxid != is.mzxid => EventKind::Changed,
                (Some(was), Some(is), Of::Children) if was.pzxid != is.pzxid => EventKind::Child,
                _ => continue,
            };
            self.tell(&path, kind, of, out);
        }
    }
}
