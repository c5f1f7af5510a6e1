//! The client's side of a connection, as ZooKeeper's `ClientCnxn` keeps it: one server at
//! a time, pings, a read timeout, and the session taken along to the next server. It
//! says what is to be sent and when it wants to be woken; it sends nothing itself.

use super::api::{Ask, Connect, Reply, RequestId, Response, SessionId, ZkError, Zxid};
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span};
use serde::Serialize;

/// Before it connects again a client waits up to a second, drawn; here it is always half
/// a second.
pub const RECONNECT: Span = Span::from_ms(500);

/// A client's connection and session.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Client {
    /// The session timeout: as asked for, and once connected as negotiated.
    timeout: Span,
    /// The session with its password, once there is one.
    session: Option<(SessionId, u64)>,
    /// The last change seen.
    seen: Zxid,
    /// The server in use, by its place in the list.
    server: u8,
    /// The call that began the connection: it names it. What belongs to an earlier one has a
    /// lower number.
    connection: RequestId,
    link: Link,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Link {
    /// There is none, and none is wanted.
    Off,
    /// It connects then.
    Waits(Mono),
    /// It has asked, and gives up then.
    Connects(Mono),
    /// It is there.
    Up {
        /// When something was last heard.
        heard: Mono,
        /// When something was last sent.
        sent: Mono,
    },
}

/// What a client wants to be sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Sends {
    /// A call, with a number of its own.
    Call(NodeId, Ask),
    /// That the connection which this call began is closed.
    Hangup(NodeId, RequestId),
}

/// What became of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is there, for a session that is new.
    Opened,
    /// It is there, for the session that there was.
    Reattached,
    /// It is gone. The session may live on.
    Disconnected,
    /// The session is over, the server says.
    Expired,
}

/// How a connection stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// There is none, and none is wanted.
    Off,
    /// It tries to connect.
    Connecting,
    /// It is connected.
    Connected,
}

impl Client {
    /// A client that is to open a session with this timeout.
    pub fn new(timeout: Span) -> Client {
        let seen = Zxid::default();
        let connection = RequestId(0);
        Client { timeout, session: None, seen, server: 0, connection, link: Link::Off }
    }

    /// A client that takes over a session.
    pub fn of_session(timeout: Span, session: SessionId, password: u64) -> Client {
        Client { session: Some((session, password)), ..Client::new(timeout) }
    }

    /// The session, once there is one.
    pub fn session(&self) -> Option<SessionId> {
        self.session.map(|(session, _)| session)
    }

    /// The session's password.
    pub fn password(&self) -> Option<u64> {
        self.session.map(|(_, password)| password)
    }

    /// The session timeout.
    pub fn timeout(&self) -> Span {
        self.timeout
    }

    /// How it stands.
    pub fn standing(&self) -> Standing {
        match self.link {
            Link::Off => Standing::Off,
            Link::Waits(_) | Link::Connects(_) => Standing::Connecting,
            Link::Up { .. } => Standing::Connected,
        }
    }

    /// The server in use.
    pub fn server(&self, servers: &[NodeId]) -> NodeId {
        servers[usize::from(self.server) % servers.len()]
    }

    /// How the server in use is told that the connection is closed, if there is one or one is
    /// asked for.
    pub fn farewell(&self, servers: &[NodeId]) -> Option<(NodeId, RequestId)> {
        let is_there = matches!(self.link, Link::Connects(_) | Link::Up { .. });
        is_there.then(|| (self.server(servers), self.connection))
    }

    /// When a silent connection is given up: two thirds of the timeout after the last
    /// word.
    pub fn gives_up(&self) -> Option<Mono> {
        match self.link {
            Link::Up { heard, .. } => Some(heard + self.part(2)),
            _ => None,
        }
    }

    /// When it wants to be woken.
    pub fn next_wake(&self) -> Option<Mono> {
        match self.link {
            Link::Off => None,
            Link::Waits(at) | Link::Connects(at) => Some(at),
            Link::Up { heard, sent } => Some((heard + self.part(2)).min(sent + self.part(1))),
        }
    }

    /// So many thirds of the timeout.
    fn part(&self, thirds: i64) -> Span {
        Span(self.timeout.us() * thirds / 3)
    }

    /// Begins to connect.
    pub fn connect(&mut self, servers: &[NodeId], now: Mono) -> Sends {
        // The timeout is shared out among the servers.
        let patience = Span(self.timeout.us() / servers.len() as i64);
        self.link = Link::Connects(now + patience);
        let connect = Connect { timeout: self.timeout, session: self.session, seen: self.seen };
        Sends::Call(self.server(servers), Ask::Connect(connect))
    }

    /// The call to connect was sent with this number.
    pub fn began(&mut self, connection: RequestId) {
        self.connection = connection;
    }

    /// Something is sent: no ping is due for a while.
    pub fn sends(&mut self, now: Mono) {
        if let Link::Up { sent, .. } = &mut self.link {
            *sent = now;
        }
    }

    /// It is time for something, or it woke late.
    pub fn wake(&mut self, servers: &[NodeId], now: Mono) -> (Option<Sends>, Option<Change>) {
        match self.link {
            Link::Waits(at) if at <= now => (Some(self.connect(servers, now)), None),
            Link::Connects(at) if at <= now => (Some(self.leave(servers, now)), None),
            Link::Up { heard, .. } if heard + self.part(2) <= now => {
                (Some(self.leave(servers, now)), Some(Change::Disconnected))
            }
            Link::Up { heard, sent } if sent + self.part(1) <= now => {
                self.link = Link::Up { heard, sent: now };
                (Some(Sends::Call(self.server(servers), Ask::Ping)), None)
            }
            _ => (None, None),
        }
    }

    /// Leaves a server for the next.
    fn leave(&mut self, servers: &[NodeId], now: Mono) -> Sends {
        let left = self.server(servers);
        self.server = ((usize::from(self.server) + 1) % servers.len()) as u8;
        self.link = Link::Waits(now + RECONNECT);
        Sends::Hangup(left, self.connection)
    }

    /// Breaks a connection on which a call was not answered in time.
    pub fn break_off(&mut self, servers: &[NodeId], now: Mono) -> Option<Sends> {
        matches!(self.link, Link::Up { .. }).then(|| self.leave(servers, now))
    }

    /// Something arrived from a server; false where that is not the one in use.
    pub fn hears(&mut self, from: NodeId, servers: &[NodeId], now: Mono) -> bool {
        let is_in_use = from == self.server(servers);
        match &mut self.link {
            Link::Up { heard, .. } if is_in_use => {
                *heard = now;
                true
            }
            _ => false,
        }
    }

    /// A server answered: takes what concerns the connection.
    pub fn answered(
        &mut self,
        from: NodeId,
        response: &Response,
        servers: &[NodeId],
        now: Mono,
    ) -> Option<Change> {
        if from != self.server(servers) || response.id < self.connection {
            return None;
        }
        self.hears(from, servers, now);
        self.seen = self.seen.max(response.zxid);
        match (&response.result, self.link) {
            (Ok(Reply::Connected { session, password, timeout }), Link::Connects(_)) => {
                let change = match self.session {
                    Some(_) => Change::Reattached,
                    None => Change::Opened,
                };
                self.session = Some((*session, *password));
                self.timeout = *timeout;
                self.link = Link::Up { heard: now, sent: now };
                Some(change)
            }
            (Err(failure), Link::Connects(_) | Link::Up { .. })
                if failure.error == ZkError::SessionExpired =>
            {
                self.link = Link::Off;
                Some(Change::Expired)
            }
            // The session is at another server by now: this one has closed the connection.
            (Err(failure), _) if failure.error == ZkError::SessionMoved => {
                self.closed(from, response.id, servers, now)
            }
            _ => None,
        }
    }

    /// A server closed the connection over which this call went, or nothing runs there.
    pub fn closed(
        &mut self,
        from: NodeId,
        call: RequestId,
        servers: &[NodeId],
        now: Mono,
    ) -> Option<Change> {
        if from != self.server(servers) || call < self.connection {
            return None;
        }
        let was_up = matches!(self.link, Link::Up { .. });
        if was_up || matches!(self.link, Link::Connects(_)) {
            self.leave(servers, now);
        }
        was_up.then_some(Change::Disconnected)
    }

    /// It wants no connection any more.
    pub fn stop(&mut self) {
        self.link = Link::Off;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::zookeeper::api::Failure;

    const SERVERS: [NodeId; 2] = [NodeId(0), NodeId(1)];

    /// The first connection.
    const FIRST: RequestId = RequestId(1);

    fn at(ms: i64) -> Mono {
        Mono(0) + Span::from_ms(ms)
    }

    fn response(result: Result<Reply, ZkError>) -> Response {
        let result = result.map_err(Failure::from);
        Response { id: FIRST, zxid: Zxid(9), result }
    }

    /// A client that has been connected to the first server at 1 s, for 6 s.
    fn connected() -> Client {
        let mut client = Client::new(Span::from_s(60));
        client.connect(&SERVERS, at(990));
        client.began(FIRST);
        let timeout = Span::from_s(6);
        let ok = response(Ok(Reply::Connected { session: SessionId(7), password: 3, timeout }));
        let change = client.answered(SERVERS[0], &ok, &SERVERS, at(1_000));
        assert_eq!((change, client.timeout()), (Some(Change::Opened), timeout));
        client
    }

    #[test]
    fn it_pings_after_a_third_of_the_timeout_in_which_it_sent_nothing() {
        let mut client = connected();
        assert_eq!(client.next_wake(), Some(at(3_000)));
        client.sends(at(2_000));
        assert_eq!(client.next_wake(), Some(at(4_000)));
        let ping = Sends::Call(SERVERS[0], Ask::Ping);
        assert_eq!(client.wake(&SERVERS, at(4_000)), (Some(ping), None));
    }

    #[test]
    fn after_two_thirds_of_silence_it_goes_to_the_next_server_with_its_session() {
        let mut client = connected();
        let (sends, change) = client.wake(&SERVERS, at(5_000));
        assert_eq!(sends, Some(Sends::Hangup(SERVERS[0], FIRST)));
        assert_eq!((change, client.next_wake()), (Some(Change::Disconnected), Some(at(5_500))));
        let (sends, _) = client.wake(&SERVERS, at(5_500));
        let session = Some((SessionId(7), 3));
        let connect = Connect { timeout: Span::from_s(6), session, seen: Zxid(9) };
        assert_eq!(sends, Some(Sends::Call(SERVERS[1], Ask::Connect(connect))));
        // Half of the timeout for each of two servers.
        assert_eq!(client.next_wake(), Some(at(8_500)));
        let late = response(Ok(Reply::Pong));
        assert_eq!(client.answered(SERVERS[0], &late, &SERVERS, at(5_600)), None);
        let over = response(Err(ZkError::SessionExpired));
        let change = client.answered(SERVERS[1], &over, &SERVERS, at(5_700));
        assert_eq!((change, client.next_wake()), (Some(Change::Expired), None));
    }

    #[test]
    fn a_server_that_closes_the_connection_is_left_at_once() {
        let mut client = connected();
        let mut closed = |server| client.closed(server, FIRST, &SERVERS, at(1_500));
        assert_eq!(closed(SERVERS[1]), None, "not in use");
        let change = closed(SERVERS[0]);
        assert_eq!((change, client.next_wake()), (Some(Change::Disconnected), Some(at(2_000))));
        assert_eq!(client.server(&SERVERS), SERVERS[1]);
    }
    #[test]
    fn a_server_that_says_the_session_has_moved_has_closed_the_connection() {
        let mut client = connected();
        let moved = response(Err(ZkError::SessionMoved));
        let change = client.answered(SERVERS[0], &moved, &SERVERS, at(1_500));
        assert_eq!((change, client.next_wake()), (Some(Change::Disconnected), Some(at(2_000))));
        assert_eq!(client.server(&SERVERS), SERVERS[1]);
    }

    #[test]
    fn the_end_of_an_earlier_connection_to_the_same_server_ends_no_later_one() {
        let only = [SERVERS[0]];
        let mut client = connected();
        client.closed(SERVERS[0], FIRST, &only, at(1_500));
        client.connect(&only, at(2_000));
        client.began(RequestId(5));
        assert_eq!(client.closed(SERVERS[0], FIRST, &only, at(2_100)), None);
        let late = response(Ok(Reply::Pong));
        assert_eq!(client.answered(SERVERS[0], &late, &only, at(2_100)), None);
        assert_eq!(client.standing(), Standing::Connecting);
        client.closed(SERVERS[0], RequestId(5), &only, at(2_200));
        assert_eq!(client.next_wake(), Some(at(2_700)), "half a second after it was refused");
    }
}
