//! A standby that is sent what its primary writes ahead (asynchronous streaming
//! replication), and takes its place when it is promoted.
//!
//! What is sent is what the standby would have after reading it: rows as they are committed,
//! and sequences as far as they are written ahead. Sessions and locks are in the primary's
//! memory, and in nothing that is sent. What is lost on the way is sent again until the
//! standby says that it has it, as TCP does while the connection lives.

use super::tables::Tables;
use super::{LastRun, PostgresTimer, Server};
use crate::actors::note::{PostgresNote, RedisNote};
use crate::actors::{Actor, Fact, Message, Timer};
use crate::sim::process::{Hearing, NodeId, Now, Out};
use crate::sim::time::Span;
use serde::Serialize;
use std::rc::Rc;

/// After so long without an answer TCP sends again (RFC 6298, 2.1).
const AGAIN: Span = Span::from_s(1);

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
    /// How a primary hears its standby. Without the other there is no connection; it will
    /// ask for all when there is one again.
    pub standby: Hearing,
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
        let tables = Rc::new(tables);
        Replica { part, timeline: 1, written: 0, tables, standby: Hearing::Heard }
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

    /// A standby asks for what it has missed.
    pub(super) fn ask_primary(&self, out: &mut Out<Actor>) {
        if self.part() == Part::Standby {
            self.peers.iter().for_each(|peer| send(*peer, PeerMessage::Start, out));
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
            self.peers.iter().for_each(|peer| self.stream(*peer, now, out));
        }
    }

    fn stream(&self, to: NodeId, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &self.replica else { return };
        if replica.part == Part::Primary {
            let (timeline, written) = (replica.timeline, replica.written);
            let tables = replica.tables.clone();
            send(to, PeerMessage::Wal { timeline, written, tables }, out);
            if replica.standby == Hearing::Heard {
                out.set_timer(Timer::Postgres(PostgresTimer::SendAgain), now.mono + AGAIN);
            }
        }
    }

    /// What was sent last has not been answered.
    pub(super) fn send_again(&self, now: Now, out: &mut Out<Actor>) {
        self.peers.iter().for_each(|peer| self.stream(*peer, now, out));
    }

    /// The other server is heard again, or no more.
    pub(super) fn on_hears(&mut self, hearing: Hearing, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        replica.standby = hearing;
        match hearing {
            // What the standby asks for may be lost where the one way is back before the other.
            Hearing::Heard => {
                self.ask_primary(out);
                self.send_again(now, out);
            }
            Hearing::Silent => out.cancel_timer(Timer::Postgres(PostgresTimer::SendAgain)),
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
            PeerMessage::Start => self.stream(from, now, out),
            PeerMessage::Received { written } => {
                if written == replica.written {
                    out.cancel_timer(Timer::Postgres(PostgresTimer::SendAgain));
                }
            }
            PeerMessage::Wal { timeline, written, tables } => {
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
