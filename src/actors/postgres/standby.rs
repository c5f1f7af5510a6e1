//! A standby that is sent what its primary writes ahead (asynchronous streaming
//! replication), and takes its place when it is promoted.
//!
//! What is sent is what the standby would have after reading it: rows as they are committed,
//! and sequences as far as they are written ahead. Sessions and locks are in the primary's
//! memory, and in nothing that is sent. What is lost on the way is sent again, each time after
//! twice as long, until the standby says that it has it, as TCP does while the connection
//! lives. One on which nothing is answered is ended by either side; nothing is sent then until
//! the standby has connected anew.

use super::tables::Tables;
use super::{LastRun, PostgresTimer, Server};
use crate::actors::note::{PostgresNote, RedisNote};
use crate::actors::{Actor, Fact, Message, Timer};
use crate::sim::process::{Hearing, NodeId, Now, Out};
use crate::sim::time::{Mono, Span};
use serde::Serialize;
use std::rc::Rc;

/// After so long without an answer TCP sends again (RFC 6298, 2.1).
const AGAIN: Span = Span::from_s(1);

/// After so long without an answer the connection is ended: `wal_sender_timeout`, and
/// `wal_receiver_timeout` at the other side.
const TIMEOUT: Span = Span::from_s(60);

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
    pub other: Hearing,
    /// Since when nothing of the other's has answered what it was sent: a primary's writes, or
    /// a standby's question for them.
    pub unanswered: Option<Mono>,
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
}

impl PeerMessage {
    /// The kind of message, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            PeerMessage::Start => "start-replication",
            PeerMessage::Wal { .. } => "wal",
            PeerMessage::Received { .. } => "wal-received",
        }
    }
}

fn send(to: NodeId, message: PeerMessage, out: &mut Out<Actor>) {
    out.send(to, Message::PostgresPeer(message));
}

impl Replica {
    pub(super) fn new(part: Part, tables: Tables) -> Replica {
        let (tables, other) = (Rc::new(tables), Hearing::Heard);
        Replica { part, timeline: 1, written: 0, tables, other, unanswered: None }
    }

    /// Whether the connection has been ended.
    fn is_ended(&self, now: Now) -> bool {
        self.unanswered.is_some_and(|since| now.mono - since >= TIMEOUT)
    }

    /// Something was sent, which is sent again if nothing answers it.
    fn waits(&mut self, now: Now, out: &mut Out<Actor>) {
        let since = *self.unanswered.get_or_insert(now.mono);
        let again = now.mono + (now.mono - since) + AGAIN;
        if self.other == Hearing::Heard && again - since < TIMEOUT {
            out.set_timer(Timer::Postgres(PostgresTimer::SendAgain), again);
        }
    }

    /// It was answered, or there is nobody to answer it.
    pub(super) fn waits_no_more(&mut self, out: &mut Out<Actor>) {
        self.unanswered = None;
        out.cancel_timer(Timer::Postgres(PostgresTimer::SendAgain));
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

    /// What was sent last has not been answered.
    pub(super) fn send_again(&mut self, now: Now, out: &mut Out<Actor>) {
        self.ask_primary(now, out);
        self.stream(now, out);
    }

    /// The other server is heard again, or no more.
    pub(super) fn on_hears(&mut self, hearing: Hearing, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        replica.other = hearing;
        match hearing {
            // What the standby asks for may be lost where the one way is back before the other.
            Hearing::Heard => {
                replica.waits_no_more(out);
                self.send_again(now, out);
            }
            Hearing::Silent => {
                replica.unanswered.get_or_insert(now.mono);
                out.cancel_timer(Timer::Postgres(PostgresTimer::SendAgain));
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
                self.stream(now, out);
            }
            PeerMessage::Received { written } if written == replica.written => {
                replica.waits_no_more(out);
            }
            // It was paused for so long that it has to connect anew.
            PeerMessage::Received { .. } if replica.is_ended(now) => {
                replica.waits_no_more(out);
                self.stream(now, out);
            }
            PeerMessage::Received { .. } => replica.unanswered = Some(now.mono),
            PeerMessage::Wal { timeline, written, tables } => {
                if replica.part == Part::Standby {
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
