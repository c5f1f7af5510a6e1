//! Safety and liveness properties, one a file.
//!
//! They judge by notes, and by the simulator's own order of grants ([`Grants`], which also
//! looks at when a lease was sent into a lock's object): what a worker believes and what its
//! token says count for nothing here. A [`Judge`] watches a run and says after each event
//! whether each property holds, with the event that broke it. What it remembers is part of the
//! state that a search compares, so it is small; event numbers and times are not in it.
//!
//! To add a property: a file here, a [`PropertyId`], a field in [`Judge`].

mod done_twice;
mod grant;
mod granted_to_two;
mod grants;
mod holder_refused;
mod lost_write;
mod never_finished;
mod never_released;
pub mod signals;
mod stale_write;
#[cfg(test)]
mod tale;
mod token_not_rising;
pub mod turns;
mod two_believe;
pub mod why;
mod wrong_lock_released;

pub use grant::{Grant, Standing};
pub use grants::Grants;
pub use two_believe::{Belief, most_alike};

use crate::actors::store::api::Owner;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use crate::sim::replay::Observer;
use crate::sim::time::TrueTime;
use serde::Serialize;

/// A property by name: what must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum PropertyId {
    /// A write made under one grant is accepted after the store accepted a claim or
    /// write of a later grant of that lock.
    StaleWriteAccepted,
    /// An accepted write is overwritten by one computed from an older read.
    AcknowledgedWriteLost,
    /// Two effects of one job stand.
    WorkDoneTwice,
    /// The holder under the newest grant is refused.
    RightfulHolderRefused,
    /// Two believe that they hold one lock.
    TwoBelieve,
    /// A lock is granted while an earlier grant has not ended.
    GrantedToTwo,
    /// A later holder's token is not higher.
    TokenNotRising,
    /// Somebody else's lock is released.
    WrongLockReleased,
    /// At the run's end a grant stands that nobody is going to give back.
    NeverReleased,
    /// At the run's end a program that began has not come to an end.
    NeverFinished,
}

impl PropertyId {
    /// All of them, in the order in which people are told of them.
    pub const ALL: [PropertyId; 10] = [
        PropertyId::StaleWriteAccepted,
        PropertyId::AcknowledgedWriteLost,
        PropertyId::WorkDoneTwice,
        PropertyId::RightfulHolderRefused,
        PropertyId::TwoBelieve,
        PropertyId::GrantedToTwo,
        PropertyId::TokenNotRising,
        PropertyId::WrongLockReleased,
        PropertyId::NeverReleased,
        PropertyId::NeverFinished,
    ];
}

/// Whether a property holds. Once broken it stays so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Verdict {
    /// It holds so far.
    #[default]
    Holds,
    /// It does not.
    Broken {
        /// What broke it first.
        witness: Witness,
    },
}

/// An event and its time. Nothing of it is part of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// Which.
    #[serde(skip)]
    pub event: EventId,
    /// When, in true time.
    #[serde(skip)]
    pub at: TrueTime,
    /// The other event that makes this one a fault, where there is one: the first of two
    /// effects, the claim that makes a write stale, what stopped a program that began. It
    /// need not be a cause.
    #[serde(skip)]
    pub beside: Option<EventId>,
}

impl Witness {
    fn of(event: &Event<Actor>) -> Witness {
        Witness { event: event.id, at: event.at, beside: None }
    }
}

impl Verdict {
    /// Whether it holds.
    pub fn holds(self) -> bool {
        self == Verdict::Holds
    }

    /// The first witness stays. `beside` is the earlier event that makes it a fault.
    fn break_by(&mut self, event: &Event<Actor>, beside: Witness) {
        if self.holds() {
            let beside = Some(beside.event);
            *self = Verdict::Broken { witness: Witness { beside, ..Witness::of(event) } };
        }
    }
}

/// When a run is judged. Only what must never remain so differs: a grant that
/// stands, or a program under way, is no fault while the run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// The run goes on.
    SoFar,
    /// The run has ended: nothing but renewals and scans is left, or its limit is
    /// reached.
    AtTheEnd,
}

/// Watches a run for all properties.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Judge {
    grants: Grants,
    stale_write: stale_write::StaleWrite,
    lost_write: lost_write::LostWrite,
    done_twice: done_twice::DoneTwice,
    holder_refused: holder_refused::HolderRefused,
    two_believe: two_believe::TwoBelieve,
    granted_to_two: granted_to_two::GrantedToTwo,
    token_not_rising: token_not_rising::TokenNotRising,
    wrong_lock_released: wrong_lock_released::WrongLockReleased,
    never_finished: never_finished::NeverFinished,
    /// Who first spoke as the store: the members of etcd speak for one, as they lead. No
    /// verdict depends on who it was.
    #[serde(skip)]
    store: Option<NodeId>,
}

impl Judge {
    /// Has seen nothing yet.
    pub fn new() -> Judge {
        Judge::default()
    }

    /// Whether a property holds.
    pub fn verdict(&self, property: PropertyId, judged: Judged) -> Verdict {
        match (property, judged) {
            (PropertyId::StaleWriteAccepted, _) => self.stale_write.verdict,
            (PropertyId::AcknowledgedWriteLost, _) => self.lost_write.verdict,
            (PropertyId::WorkDoneTwice, _) => self.done_twice.verdict,
            (PropertyId::RightfulHolderRefused, _) => self.holder_refused.verdict,
            (PropertyId::TwoBelieve, _) => self.two_believe.verdict,
            (PropertyId::GrantedToTwo, _) => self.granted_to_two.verdict,
            (PropertyId::TokenNotRising, _) => self.token_not_rising.verdict,
            (PropertyId::WrongLockReleased, _) => self.wrong_lock_released.verdict,
            (PropertyId::NeverReleased | PropertyId::NeverFinished, Judged::SoFar) => {
                Verdict::Holds
            }
            (PropertyId::NeverReleased, Judged::AtTheEnd) => {
                never_released::judge(&self.grants, &self.two_believe, &self.never_finished)
            }
            (PropertyId::NeverFinished, Judged::AtTheEnd) => self.never_finished.judge(),
        }
    }

    /// All verdicts, in the order of [`PropertyId::ALL`].
    pub fn verdicts(&self, judged: Judged) -> impl Iterator<Item = (PropertyId, Verdict)> {
        PropertyId::ALL.into_iter().map(move |id| (id, self.verdict(id, judged)))
    }

    /// Whose acquisition it is, if its machine has said so.
    pub fn node_of(&self, owner: Owner) -> Option<NodeId> {
        self.grants.node_of(owner)
    }

    /// The grants so far, in the simulator's own order.
    pub fn grants(&self) -> &[Grant] {
        self.grants.in_order()
    }

    /// Whether this event, which was just observed, tells that a lease in an object was over
    /// when another was put in its place.
    pub fn was_over(&self, event: &Event<Actor>) -> bool {
        self.grants.was_over(event)
    }

    /// Who believes now that it holds a lock, by machine.
    pub fn believers(&self) -> impl Iterator<Item = Belief> {
        self.two_believe.believers()
    }

    /// How many stale writes were accepted.
    pub fn stale_writes(&self) -> u32 {
        self.stale_write.accepted
    }

    /// How many writes were accepted between the next grant and its first claim or
    /// write: no fault, but what claiming first is for.
    pub fn late_writes(&self) -> u32 {
        self.stale_write.late
    }
}

impl Observer<Actor> for Judge {
    fn observe(&mut self, event: &Event<Actor>) {
        match event.what {
            What::Note(_) | What::Crashed | What::Exited | What::Started => {}
            What::Sent { .. } => return self.grants.observe(event),
            _ => return,
        }
        self.grants.observe(event);
        let store = match &event.what {
            What::Note(Note::Store(_)) => *self.store.get_or_insert(event.node),
            _ => event.node,
        };
        self.stale_write.observe(event, store, &self.grants);
        self.lost_write.observe(event, store);
        self.done_twice.observe(event, store);
        self.holder_refused.observe(event, store, &self.grants);
        self.two_believe.observe(event);
        self.granted_to_two.observe(event, &self.grants);
        self.token_not_rising.observe(event, &self.grants);
        self.wrong_lock_released.observe(event, &self.grants);
        self.never_finished.observe(event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::store::api::Rule;
    use crate::sim::encode::{Encoder, Frame};
    use crate::sim::process::NodeId;
    use tale::Tale;

    fn encoded(judge: &Judge) -> Vec<u8> {
        let mut encoder = Encoder::new(Frame::default());
        encoder.put(judge);
        encoder.into_bytes()
    }

    const STALE: &str = "A opens
        granted A
        A believes 33
        A claim 33
        ended A expired
        B opens
        granted B
        B believes 34
        B claim 34
        A write 33.1";

    #[test]
    fn event_numbers_and_times_are_no_part_of_the_state() {
        let mut early = Tale::new(Rule::None);
        let mut late = Tale::beginning_at(Rule::None, 70);
        early.tell(STALE);
        late.tell(STALE);
        assert_ne!(early.judge, late.judge);
        assert_eq!(encoded(&early.judge), encoded(&late.judge));
    }

    #[test]
    fn a_broken_verdict_is_part_of_the_state() {
        let mut unchecked = Tale::new(Rule::None);
        unchecked.tell(STALE);
        let mut whole = unchecked.judge.clone();
        whole.stale_write.verdict = Verdict::Holds;
        assert_ne!(encoded(&unchecked.judge), encoded(&whole));
    }

    #[test]
    fn the_page_is_told_of_grants_and_beliefs() {
        let mut tale = Tale::new(Rule::OwnerAndSequence);
        tale.tell(STALE);
        let grants: Vec<_> =
            tale.judge.grants().iter().map(|g| (g.node, g.token, g.standing)).collect();
        let of = |node, token, standing| (Some(NodeId(node)), Some(token), standing);
        assert_eq!(grants, [of(1, 33, Standing::Ended), of(2, 34, Standing::Stands)]);
        let believers: Vec<_> = tale.judge.believers().map(|b| (b.node, b.token)).collect();
        assert_eq!(believers, [(NodeId(1), 33), (NodeId(2), 34)]);
    }
}
