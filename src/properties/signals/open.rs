//! What is under way and not over: waits, renewals, the lock without a holder.

use super::Signal;
use crate::actors::etcd::api::Text;
use crate::actors::store::api::Owner;
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};

/// A wait for the lock.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) node: NodeId,
    /// For which lock.
    pub(super) lock: Text,
    pub(super) since: TrueTime,
    is_told: bool,
}

impl Waiting {
    pub(super) fn since(node: NodeId, lock: Text, since: TrueTime) -> Waiting {
        Waiting { node, lock, since, is_told: false }
    }

    /// When it becomes long, if that was not told.
    pub(super) fn due(&self, usual: Span) -> Option<TrueTime> {
        (!self.is_told).then_some(self.since + usual)
    }

    pub(super) fn tell(&mut self, at: TrueTime, usual: Span) -> Option<Signal> {
        if self.due(usual)? != at {
            return None;
        }
        self.is_told = true;
        Some(Signal::WaitsLong { node: self.node, waited: usual })
    }
}

/// What is to be renewed.
#[derive(Clone, Debug)]
pub(super) struct Renewing {
    pub(super) node: NodeId,
    pub(super) owner: Owner,
    interval: Span,
    /// So much later than it is due it may be sent and answered.
    late: Span,
    /// The last answer.
    last: TrueTime,
    /// How many did not come since.
    missed: u32,
}

impl Renewing {
    pub(super) fn since(
        (node, owner): (NodeId, Owner),
        at: TrueTime,
        interval: Span,
        late: Span,
    ) -> Renewing {
        Renewing { node, owner, interval, late, last: at, missed: 0 }
    }

    pub(super) fn answered(&mut self, at: TrueTime) {
        (self.last, self.missed) = (at, 0);
    }

    /// When the next one counts as missed: a while after it was due.
    pub(super) fn due(&self) -> TrueTime {
        let next = self.interval.us() * i64::from(self.missed + 1);
        self.last + Span::from_us(next) + self.late
    }

    pub(super) fn tell(&mut self, at: TrueTime) -> Option<Signal> {
        if self.due() != at {
            return None;
        }
        self.missed += 1;
        Some(Signal::RenewalMissed { node: self.node, in_a_row: self.missed })
    }
}

/// Since when nobody holds the lock by the service's own word.
#[derive(Clone, Debug, Default)]
pub(super) struct Holding {
    nobody_since: Option<TrueTime>,
    is_told: bool,
}

impl Holding {
    /// Since when nobody holds it, if that was not told. From one holder to the next at
    /// the same moment nobody is without one.
    pub(super) fn due(&self) -> Option<TrueTime> {
        self.nobody_since.filter(|_| !self.is_told)
    }

    pub(super) fn tell(&mut self, at: TrueTime) -> Option<Signal> {
        if self.due()? != at {
            return None;
        }
        self.is_told = true;
        Some(Signal::NoHolder)
    }

    /// What has changed, if anything. Somebody is missed when nobody holds the lock and
    /// somebody waits for it.
    pub(super) fn turn(&mut self, is_missed: bool, at: TrueTime) -> Option<Signal> {
        match (self.nobody_since, is_missed) {
            (None, true) => {
                (self.nobody_since, self.is_told) = (Some(at), false);
                None
            }
            (Some(since), false) => {
                self.nobody_since = None;
                self.is_told.then_some(Signal::HolderAgain { after: at - since })
            }
            _ => None,
        }
    }
}
