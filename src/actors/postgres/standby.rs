//! A standby that is sent what its primary writes ahead (asynchronous streaming
//! replication), and takes its place when it is promoted.
//!
//! What is sent is what the standby would have after reading it: rows as they are committed,
//! and sequences as far as they are written ahead. Sessions and locks are in the primary's
//! memory, and in nothing that is sent.

use super::tables::Tables;
use super::{LastRun, Server};
use crate::actors::note::RedisNote;
use crate::actors::{Actor, Fact, Message};
use crate::sim::process::{NodeId, Now, Out};
use serde::Serialize;
use std::rc::Rc;

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
}

impl PeerMessage {
    /// The kind of message, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            PeerMessage::Start => "start-replication",
            PeerMessage::Wal { .. } => "wal",
        }
    }
}

fn send(to: NodeId, message: PeerMessage, out: &mut Out<Actor>) {
    out.send(to, Message::PostgresPeer(message));
}

impl Replica {
    pub(super) fn new(part: Part, tables: Tables) -> Replica {
        Replica { part, timeline: 1, written: 0, tables: Rc::new(tables) }
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
    pub(super) fn write_ahead(&mut self, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        if replica.part == Part::Standby || self.disk.last_run == LastRun::ShutDown {
            return;
        }
        let tables = self.disk.tables.recovered();
        if tables != *replica.tables {
            replica.tables = Rc::new(tables);
            replica.written += 1;
            self.peers.iter().for_each(|peer| self.stream(*peer, out));
        }
    }

    fn stream(&self, to: NodeId, out: &mut Out<Actor>) {
        if let Some(Replica { part: Part::Primary, timeline, written, tables }) = &self.replica {
            let (timeline, written, tables) = (*timeline, *written, tables.clone());
            send(to, PeerMessage::Wal { timeline, written, tables }, out);
        }
    }

    pub(super) fn on_peer(&mut self, from: NodeId, message: PeerMessage, out: &mut Out<Actor>) {
        match message {
            PeerMessage::Start => self.stream(from, out),
            PeerMessage::Wal { timeline, written, tables } => {
                let Some(replica) = &mut self.replica else { return };
                let is_next = timeline == replica.timeline && written > replica.written;
                if replica.part == Part::Standby && is_next {
                    replica.written = written;
                    self.disk.tables = (*tables).clone();
                }
            }
        }
    }

    /// `pg_promote`: a standby takes connections from now on, with what it has. Nobody ends
    /// the primary.
    pub(super) fn promote(&mut self, now: Now, out: &mut Out<Actor>) {
        let Some(replica) = &mut self.replica else { return };
        if replica.part == Part::Primary {
            return;
        }
        replica.part = Part::Primary;
        replica.timeline += 1;
        replica.tables = Rc::new(self.disk.tables.clone());
        let note = out.note(RedisNote::Promoted).sets(Fact::Leadership);
        self.peers.iter().fold(note, |note, peer| note.silence_of(*peer));
        self.tell_taken_over(now, out);
        self.mind_row(out);
    }
}
