//! One grant: who upholds it, whether it stands, and what its holder was promised.

use super::Witness;
use crate::actors::etcd::api::Text;
use crate::actors::store::api::{Owner, Token};
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};
use serde::Serialize;

/// One grant of one lock to one acquisition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Grant {
    /// The lock.
    pub lock: Text,
    /// The acquisition, named by its lease.
    pub owner: Owner,
    /// The holder's machine, once its session has said whose the lease is.
    pub node: Option<NodeId>,
    /// The token its holder uses, once it believes that it holds the lock.
    pub token: Option<Token>,
    /// Whether it stands.
    pub standing: Standing,
    /// Who upholds it.
    pub(super) upheld: Upheld,
    /// Whether its holder goes by it.
    pub(super) holder: Holder,
    /// The event that granted it.
    pub granted: Witness,
}

/// Who upholds a grant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) enum Upheld {
    /// The service, with one voice.
    ByService,
    /// Each of these nodes by itself.
    ByNodes {
        /// Which.
        nodes: Vec<NodeId>,
        /// How many of them it takes.
        quorum: u8,
        /// Until when its holder was told that it has the lock, or can be; none for good.
        promised: Option<TrueTime>,
    },
    /// One process, which has it in its memory only.
    InMemoryOf(NodeId),
    /// Nobody: what stands in an object, until another is put in its place.
    ByObject {
        /// Until when its holder was promised that nobody does so; none for good.
        promised: Option<TrueTime>,
    },
}

/// Whether a holder goes by its grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Holder {
    /// It does, or will when it learns of it.
    GoesByIt,
    /// It has given up by itself, or its process has ended.
    GaveUp,
}

/// Whether a grant stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Standing {
    /// It does.
    Stands,
    /// Its key was overwritten with another lease, and its own lease still lives:
    /// nothing that its holder can ask for tells it so.
    Overwritten,
    /// It has ended.
    Ended,
    /// The service does not know of it any more, and its time is not over: its holder
    /// was promised what others can be given now.
    Lost,
}

impl Grant {
    /// Whether somebody was promised this lock and may go by it still. A key that its
    /// holder has given up does not keep another node from granting the lock, and harms
    /// nobody if it does.
    pub(super) fn binds(&self) -> bool {
        self.standing != Standing::Ended && (!self.is_by_nodes() || self.holder == Holder::GoesByIt)
    }

    pub(super) fn is_by_nodes(&self) -> bool {
        matches!(self.upheld, Upheld::ByNodes { .. })
    }

    pub(super) fn is_upheld_by_one(&self) -> bool {
        matches!(self.upheld, Upheld::ByNodes { quorum: 1, .. })
    }

    /// A node upholds it from now on.
    pub(super) fn upheld_by(&mut self, node: NodeId) {
        let Upheld::ByNodes { nodes, quorum, .. } = &mut self.upheld else { return };
        if !nodes.contains(&node) {
            nodes.push(node);
        }
        if nodes.len() >= usize::from(*quorum) {
            self.standing = Standing::Stands;
        }
    }

    /// It has ended, and nothing but that is of interest any more.
    pub(super) fn end(&mut self) {
        self.standing = Standing::Ended;
        match &mut self.upheld {
            Upheld::ByNodes { nodes, promised, .. } => {
                nodes.clear();
                *promised = None;
            }
            Upheld::ByObject { promised } => *promised = None,
            Upheld::ByService | Upheld::InMemoryOf(_) => {}
        }
    }

    /// A node upholds it no more. If too few do, this is what becomes of it.
    pub(super) fn not_upheld_by(&mut self, node: NodeId, down: &[NodeId], then: Standing) {
        if let Upheld::ByNodes { nodes, quorum, .. } = &mut self.upheld {
            nodes.retain(|other| *other != node);
            if nodes.iter().filter(|other| !down.contains(other)).count() >= usize::from(*quorum) {
                return;
            }
        }
        match (self.standing, then) {
            (Standing::Stands | Standing::Lost, Standing::Ended) => self.end(),
            (Standing::Stands | Standing::Lost, _) => self.standing = then,
            (Standing::Overwritten | Standing::Ended, _) => {}
        }
    }

    /// A node does not know of it.
    pub(super) fn unknown_to(&mut self, node: NodeId, down: &[NodeId]) {
        if self.standing == Standing::Stands && self.is_by_nodes() {
            let then = self.when_lost();
            self.not_upheld_by(node, down, then);
        }
    }

    /// What becomes of it when what upheld it is gone before its time.
    pub(super) fn when_lost(&self) -> Standing {
        match self.holder {
            Holder::GoesByIt => Standing::Lost,
            Holder::GaveUp => Standing::Ended,
        }
    }

    /// Its holder is told that it has the lock for so long.
    pub(super) fn promise(&mut self, at: TrueTime, left: Option<Span>) {
        if let Upheld::ByNodes { promised, .. } | Upheld::ByObject { promised } = &mut self.upheld
            && self.standing != Standing::Ended
        {
            *promised = left.map(|left| at + left);
        }
    }

    /// A grant that is lost, upheld by nobody who runs, or in an object that another has put
    /// since, is over with its time.
    pub(super) fn pass(&mut self, now: TrueTime, down: &[NodeId]) {
        if let Upheld::ByObject { promised: Some(promised) } = self.upheld {
            if self.standing == Standing::Overwritten && promised <= now {
                self.end();
            }
            return;
        }
        let Upheld::ByNodes { nodes, quorum, promised: Some(promised) } = &self.upheld else {
            return;
        };
        let running = nodes.iter().filter(|node| !down.contains(node)).count();
        let is_upheld = self.standing == Standing::Stands && running >= usize::from(*quorum);
        if *promised < now && !is_upheld {
            self.end();
        }
    }

    /// A grant that is lost harms nobody once its holder has given it up.
    pub(super) fn given_up(&mut self) {
        if !self.is_by_nodes() {
            return;
        }
        self.holder = Holder::GaveUp;
        if self.standing == Standing::Lost {
            self.end();
        }
    }
}
