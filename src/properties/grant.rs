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
        /// What says that its time is over.
        ends: Ends,
    },
    /// One process, which has it in its memory only.
    InMemoryOf(NodeId),
    /// Nobody: what stands in an object, until another is put in its place.
    ByObject {
        /// Until when its holder was promised that nobody does so; none for good.
        promised: Option<TrueTime>,
    },
}

/// What says that the time of a grant is over which nodes uphold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) enum Ends {
    /// The clock of each of them, for itself.
    ByNodesClocks,
    /// None of theirs: it is a row by the clients' clocks. It binds until it is over by true time.
    InTrueTime,
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
    /// nobody if it does. A row that is taken before its time is over was so by a wrong clock.
    pub(super) fn binds(&self, now: TrueTime) -> bool {
        let goes_by_it = self.holder == Holder::GoesByIt;
        match (self.standing, &self.upheld) {
            (Standing::Ended, _) => false,
            (standing, Upheld::ByNodes { ends: Ends::InTrueTime, promised, .. }) => {
                promised.is_none_or(|promised| promised > now)
                    && (goes_by_it || standing == Standing::Overwritten)
            }
            (_, Upheld::ByNodes { .. }) => goes_by_it,
            (_, Upheld::ByService | Upheld::InMemoryOf(_) | Upheld::ByObject { .. }) => true,
        }
    }

    pub(super) fn is_by_nodes(&self) -> bool {
        matches!(self.upheld, Upheld::ByNodes { .. })
    }

    pub(super) fn is_upheld_by_one(&self) -> bool {
        matches!(self.upheld, Upheld::ByNodes { quorum: 1, .. })
    }

    fn ends_in_true_time(&self) -> bool {
        matches!(self.upheld, Upheld::ByNodes { ends: Ends::InTrueTime, .. })
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

    /// A node upholds it that answers for the lock from now on, by its key with an end or without
    /// one. If it had ended its holder was promised as much as before: the node's clock, which may
    /// be wrong, gives it no more.
    pub(super) fn taken_up_by(&mut self, node: NodeId, at: TrueTime, left: Option<Span>) {
        let had_ended = self.standing == Standing::Ended;
        self.upheld_by(node);
        if let (true, Some(_), Upheld::ByNodes { promised, .. }) =
            (had_ended, left, &mut self.upheld)
        {
            promised.get_or_insert(at);
        }
    }

    /// It has ended, and nothing but that is of interest any more; or also what its holder was
    /// promised, if it goes by it and a node may take it up again.
    pub(super) fn end(&mut self) {
        self.standing = Standing::Ended;
        match &mut self.upheld {
            Upheld::ByNodes { nodes, quorum, promised, .. } => {
                nodes.clear();
                if self.holder == Holder::GaveUp || *quorum > 1 {
                    *promised = None;
                }
            }
            Upheld::ByObject { promised } => *promised = None,
            Upheld::ByService | Upheld::InMemoryOf(_) => {}
        }
    }

    /// A node upholds it no more. If too few do, this is what becomes of it. A row that another
    /// takes at one server is taken, whatever stands at the other.
    pub(super) fn not_upheld_by(&mut self, node: NodeId, down: &[NodeId], then: Standing) {
        let is_taken = self.ends_in_true_time() && then == Standing::Overwritten;
        if let Upheld::ByNodes { nodes, quorum, .. } = &mut self.upheld {
            nodes.retain(|other| *other != node);
            if !is_taken
                && nodes.iter().filter(|other| !down.contains(other)).count()
                    >= usize::from(*quorum)
            {
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

    /// A grant that is lost, upheld by nobody who runs, or in an object or a row that another has
    /// taken since, is over with its time. What had ended before is promised no more.
    pub(super) fn pass(&mut self, now: TrueTime, down: &[NodeId]) {
        let is_over = match &self.upheld {
            Upheld::ByNodes { promised: Some(promised), .. }
                if self.standing == Standing::Ended =>
            {
                *promised <= now
            }
            Upheld::ByObject { promised: Some(promised) }
            | Upheld::ByNodes { promised: Some(promised), ends: Ends::InTrueTime, .. } => {
                *promised <= now && self.standing != Standing::Stands
            }
            Upheld::ByNodes { nodes, quorum, promised: Some(promised), .. } => {
                let running = nodes.iter().filter(|node| !down.contains(node)).count();
                let stands = self.standing == Standing::Stands;
                *promised < now && !(stands && running >= usize::from(*quorum))
            }
            _ => false,
        };
        if is_over {
            self.end();
            if let Upheld::ByNodes { promised, .. } = &mut self.upheld {
                *promised = None;
            }
        }
    }

    /// A grant that is lost harms nobody once its holder has given it up.
    pub(super) fn given_up(&mut self) {
        if !self.is_by_nodes() {
            return;
        }
        self.holder = Holder::GaveUp;
        if matches!(self.standing, Standing::Lost | Standing::Ended) {
            self.end();
        }
    }
}
