//! A standby that is sent what its primary writes ahead (asynchronous streaming
//! replication), and takes its place when it is promoted.
//!
//! What is sent is what the standby would have after reading it: rows as they are committed,
//! and sequences as far as they are written ahead. Sessions and locks are in the primary's
//! memory, and in nothing that is sent. What is lost on the way is sent again, each time after
//! twice as long, until the standby says that it has it, as TCP does while the connection
//! lives. One on which nothing is answered is ended by either side; nothing is sent then until
//! the standby has connected anew, which it tries by itself as long as it hears its primary.
//!
//! ```text
//!   quiet ─► waits ─► says it again after 1, 3, 7, 15, 31 s ─► 60 s: ended
//!     ▲ └───────────────────◄── answered ──┘                     │ the primary says so
//!     └── its first answer ◄── the standby asks ◄── 5 s ◄────────┘
//! ```

use super::tables::Tables;
use super::{LastRun, PostgresTimer, Server};
use crate::actors::note::{PostgresNote, RedisNote};
use crate::actors::{Actor, Fact, Message, Timer};
use crate::sim::process::{Hearing, NodeId, Now, Out};
use crate::sim::time::{Age, Span};
use serde::Serialize;
use std::rc::Rc;

/// After so long without an answer TCP sends again (RFC 6298, 2.1).
const AGAIN: Span = Span::from_s(1);

/// After so long without an answer the connection is ended: `wal_sender_timeout`, and
/// `wal_receiver_timeout` at the other side.
const TIMEOUT: Span = Span::from_s(60);

/// How long a standby waits before it connects anew: `wal_retrieve_retry_interval`.
const RETRY: Span = Span::from_s(5);

/// A server's part, where there are two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Part {
    /// It takes connections.
    Primary,
    /// It takes in what it is sent, and no connections.
    Standby,
}

/// How far a server is that is one of two.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Replica {
    pub part: Part,
    /// Counts the promotions.
    timeline: u32,
    /// Counts what was written on it.
    written: u64,
    /// What that came to.
    tables: Rc<Tables>,
    /// How it hears the other. When that is back, the standby connects anew.
    other: Hearing,
    connection: Connection,
    /// Since when nothing of the other's has answered what it was sent: a primary's writes or
    /// that it has ended the connection, a standby's question.
    unanswered: Option<Age>,
}

/// The connection between the two, as one of them knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Connection {
    Lives,
    /// The standby has to connect anew.
    Ended,
}

/// Between servers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PeerMessage {
    /// Standby to primary: send what there is, and what comes.
    Start,
    /// Primary to standby: so much is written.
    Wal {
        /// On which timeline.
        timeline: u32,
        /// How much.
        written: u64,
        /// What it comes to.
        tables: Rc<Tables>,
    },
    /// To the primary: the other has received this, whether it takes it in or not.
    Received {
        /// How much was written.
        written: u64,
    },
    /// Primary to standby: the connection is ended.
    Ended,
}

impl PeerMessage {
    /// The kind of message, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            PeerMessage::Start => "start-replication",
            PeerMessage::Wal { .. } => "wal",
            PeerMessage::Received { .. } => "wal-received",
            PeerMessage::Ended => "connection-closed",
        }
    }
}

fn send(to: NodeId, message: PeerMessage, out: &mut Out<Actor>) {
    out.send(to, Message::PostgresPeer(message));
}

impl Replica {
    pub(super) fn new(part: Part, tables: Tables) -> Replica {
        let (tables, other) = (Rc::new(tables), Hearing::Heard);
        let connection = Connection::Lives;
        Replica { part, timeline: 1, written: 0, tables, other, connection, unanswered: None }
    }

    /// Its process ends, and with it what it knows of the other.
    pub(super) fn crash(&mut self) {
        (self.other, self.connection, self.unanswered) = (Hearing::Heard, Connection::Lives, None);
    }

    /// Whether the connection has been ended, or is now.
    fn is_ended(&self, now: Now) -> bool {
        let is_late = |since: Age| since.at(now.mono) == TIMEOUT;
        self.connection == Connection::Ended || self.unanswered.is_some_and(is_late)
    }

    /// Something was sent, which is sent again if nothing answers it, or is given up.
    fn waits(&mut self, now: Now, out: &mut Out<Actor>) {
        let since = self.unanswered.get_or_insert(Age::new(now.mono, TIMEOUT));
        let age = since.at(now.mono);
        if self.other == Hearing::Silent {
            return;
        }
        if age + age + AGAIN < TIMEOUT {
            let again = now.mono + age + AGAIN;
            out.set_timer(Timer::Postgres(PostgresTimer::SendAgain), again);
        } else if self.connection == Connection::Lives {
            let end = now.mono + (TIMEOUT - age);
            out.set_timer(Timer::Postgres(PostgresTimer::GiveUp), end);
        }
    }

    /// It was answered, or there is nobody to answer it.
    fn waits_no_more(&mut self, out: &mut Out<Actor>) {
        self.unanswered = None;
        self.sets_no_timer(out);
    }

    fn sets_no_timer(&self, out: &mut Out<Actor>) {
        for timer in [PostgresTimer::SendAgain, PostgresTimer::GiveUp, PostgresTimer::ConnectAnew] {
            out.cancel_timer(Timer::Postgres(timer));
        }
    }

    fn hears_no_more(&mut self, now: Now, out: &mut Out<Actor>) {
        self.other = Hearing::Silent;
        self.sets_no_timer(out);
        match (self.part, self.connection) {
            // It asks anew as soon as it hears its primary, however long that takes.
            (Part::Standby, _) => {
                (self.connection, self.unanswered) = (Connection::Lives, None);
            }
            (Part::Primary, Connection::Lives) => {
                self.unanswered.get_or_insert(Age::new(now.mono, TIMEOUT));
            }
            (Part::Primary, Connection::Ended) => {}
        }
    }

    /// The standby's end of the connection is ended.
    fn connects_later(&mut self, now: Now, out: &mut Out<Actor>) {
        self.waits_no_more(out);
        self.connection = Connection::Ended;
        out.set_timer(Timer::Postgres(PostgresTimer::ConnectAnew), now.mono + RETRY);
    }
}

impl Server {
    /// The other server, where there are two.
    pub fn peers(&self) -> &[NodeId] {
        &self.peers
    }

    /// Its part. One alone is a primary.
    pub fn part(&self) -> Part {
        self.replica.as_ref().map_or(Part::Primary, |replica| replica.part)
    }

    /// A standby connects, and asks for what it has missed.
    pub(super) fn ask_primary(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        if replica.part == Part::Standby {
            replica.connection = Connection::Lives;
            self.peers.iter().for_each(|peer| send(*peer, PeerMessage::Start, out));
            replica.waits(now, out);
        }
    }

    /// A primary sends what this step has written.
    pub(super) fn write_ahead(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        if replica.part == Part::Standby || self.disk.last_run == LastRun::ShutDown {
            return;
        }
        let tables = self.disk.tables.recovered();
        if tables != *replica.tables {
            replica.tables = Rc::new(tables);
            replica.written += 1;
            self.stream(now, out);
        }
    }

    fn stream(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        if replica.part == Part::Primary && !replica.is_ended(now) {
            let (timeline, written) = (replica.timeline, replica.written);
            for peer in &self.peers {
                let tables = replica.tables.clone();
                send(*peer, PeerMessage::Wal { timeline, written, tables }, out);
            }
            replica.waits(now, out);
        }
    }

    /// A primary ends the connection, and says so; that is said again like all else.
    fn end_connection(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        replica.waits_no_more(out);
        replica.connection = Connection::Ended;
        self.say_ended(now, out);
    }

    fn say_ended(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        self.peers.iter().for_each(|peer| send(*peer, PeerMessage::Ended, out));
        replica.waits(now, out);
    }

    /// What was sent last has not been answered.
    pub(super) fn send_again(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &self.replica else { return };
        match (replica.part, replica.connection) {
            (Part::Standby, _) => self.ask_primary(now, out),
            (Part::Primary, Connection::Lives) => self.stream(now, out),
            (Part::Primary, Connection::Ended) => self.say_ended(now, out),
        }
    }

    /// What was sent was not answered for too long.
    pub(super) fn give_up(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        match replica.part {
            Part::Standby => replica.connects_later(now, out),
            Part::Primary => self.end_connection(now, out),
        }
    }

    /// A message to the other server came back.
    pub(super) fn cannot_reach_peer(&mut self, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        // If it is heard, it has started since, and asks anew; so does a standby by itself.
        if replica.part == Part::Primary && replica.other == Hearing::Silent {
            replica.waits_no_more(out);
            replica.connection = Connection::Ended;
        }
    }

    /// The other server is heard again, or no more.
    pub(super) fn on_hears(&mut self, hearing: Hearing, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        if hearing == Hearing::Silent {
            return replica.hears_no_more(now, out);
        }
        replica.other = Hearing::Heard;
        match (replica.part, replica.connection, replica.unanswered) {
            // Its process has ended: it asks when it starts.
            (Part::Primary, Connection::Ended, None) => {}
            (Part::Primary, ..) if replica.is_ended(now) => self.end_connection(now, out),
            // What the standby asks for may be lost where the one way is back before the other.
            _ => {
                replica.waits_no_more(out);
                self.send_again(now, out);
            }
        }
    }

    pub(super) fn on_peer(
        &mut self,
        from: NodeId,
        message: PeerMessage,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let Some(replica) = &mut self.replica else { return };
        match message {
            PeerMessage::Start => {
                replica.waits_no_more(out);
                replica.connection = Connection::Lives;
                self.stream(now, out);
            }
            // It was paused for so long that it has to connect anew.
            PeerMessage::Received { .. } if replica.is_ended(now) => {
                if replica.connection == Connection::Lives {
                    self.end_connection(now, out);
                }
            }
            PeerMessage::Received { written } => {
                replica.waits_no_more(out);
                // What is written since goes on waiting, as if sent now (RFC 6298, 5.3).
                if written != replica.written {
                    replica.waits(now, out);
                }
            }
            // That it was told late, or again: it has asked since.
            PeerMessage::Ended
                if replica.part == Part::Standby
                    && replica.connection == Connection::Lives
                    && replica.unanswered.is_none() =>
            {
                if replica.other == Hearing::Heard {
                    replica.connects_later(now, out);
                }
            }
            PeerMessage::Ended => {}
            PeerMessage::Wal { timeline, written, tables } => {
                if replica.part == Part::Standby {
                    // It was sent on the connection that is ended.
                    if replica.connection == Connection::Ended {
                        return;
                    }
                    replica.waits_no_more(out);
                }
                let is_next = timeline == replica.timeline && written > replica.written;
                if replica.part == Part::Standby && is_next {
                    replica.written = written;
                    let before = std::mem::replace(&mut self.disk.tables, (*tables).clone());
                    self.disk.tables.goes_on_behind(&before);
                }
                send(from, PeerMessage::Received { written }, out);
            }
        }
    }

    /// `pg_promote`: a standby takes connections from now on, with what it has. Nobody ends
    /// the primary.
    pub(super) fn promote(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        if replica.part == Part::Primary {
            out.note(PostgresNote::IsPrimary).because(Fact::Leadership);
            return;
        }
        replica.waits_no_more(out);
        replica.connection = Connection::Lives;
        replica.part = Part::Primary;
        replica.timeline += 1;
        replica.tables = Rc::new(self.disk.tables.clone());
        let note = out.note(RedisNote::Promoted).sets(Fact::Leadership);
        self.peers.iter().fold(note, |note, peer| note.silence_of(*peer));
        self.tell_no_sessions(out);
        self.tell_taken_over(now, out);
        self.mind_row(out);
    }
}

#[cfg(test)]
mod tests;
