//! Two runs beside each other: the same clicks with one setting changed. The second one
//! is an open run like any other, and is kept at the moment of the first.

pub mod proof;
#[cfg(test)]
mod tests;

use super::{Lab, Open, Playing};
use crate::actors::Actor;
use crate::lab::diagram::lanes::Lanes;
use crate::lab::diagram::{Window, lane_y};
use crate::properties::turns::{is_turn, once_a_click};
use crate::scenario::clicks::ClickSpec;
use crate::scenario::{Change, Run, ScenarioError};
use crate::sim::event::{Event, EventId};
use crate::sim::order;
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};
use crate::text::en;
use std::rc::Rc;

/// Runs of more events are compared only when they stand.
const COMPARED_WHILE_PLAYING: usize = 3_000;

/// So much above its lane what differs is marked, pixels.
const ABOVE_LANE: i64 = 22;

/// Of longer stretches than this, in turns of events, only the beginning is compared.
const COMPARED_AT_MOST: usize = 400;

/// A turn of events that is in one run and not, or not then, in the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The event in the run one looks at.
    pub here: Option<EventId>,
    /// The event in the other.
    pub there: Option<EventId>,
}

/// How two runs differ, as far as both have been run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Whether something of both has been run.
    pub is_begun: bool,
    /// Until when they have been compared: the end of what has been seen of both.
    pub until: TrueTime,
    /// What differs, in the order of time.
    pub differences: Vec<Difference>,
}

/// Which of the two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one that one looks at.
    Here,
    /// The one beside it.
    Beside,
}

/// Which two runs have been compared, and how far each had been run.
pub(super) type Compared = [(u32, usize, TrueTime); 2];

impl Comparison {
    /// Where in a diagram what only one of the runs has, or has then, lies: over its lane.
    pub fn places(
        &self,
        which: Which,
        open: &Open,
        lanes: &Lanes,
        window: &Window,
    ) -> Vec<(i64, i64)> {
        let own = |difference: &Difference| match which {
            Which::Here => difference.here,
            Which::Beside => difference.there,
        };
        let trace = open.replay().trace();
        let place = |id: EventId| {
            let event = &trace[id.index()];
            (window.x(event.at), lane_y(lanes.of(event.node)) - ABOVE_LANE)
        };
        let in_view = |(x, _): &(i64, i64)| (window.left..=window.right()).contains(x);
        let mut places: Vec<(i64, i64)> =
            self.differences.iter().filter_map(own).map(place).filter(in_view).collect();
        // What lies in one place is one mark.
        order::by_key(&mut places, |(x, y)| (*y, *x));
        places.dedup_by(|one, two| one.1 == two.1 && one.0.abs_diff(two.0) < 8);
        places
    }

    /// Compares what has been seen of two runs.
    pub fn of(here: &Open, there: &Open) -> Comparison {
        let until = here.seen_until().min(there.seen_until());
        let is_begun = [here, there].iter().all(|open| !open.replay().trace().is_empty());
        // At the last moment one may be amid what happens then, and the other past it.
        let is_whole = [here, there].iter().all(|open| open.has_seen_all_at(until));
        let before = if is_whole { until + Span(1) } else { until };
        let (own, other) = (turns(here, before), turns(there, before));
        let same = own.iter().zip(&other).take_while(|(one, two)| one == two).count();
        let cut = |turns: &[Turn]| turns[same..turns.len().min(same + COMPARED_AT_MOST)].to_vec();
        let is_cut = own.len().max(other.len()) > same + COMPARED_AT_MOST;
        let (own, other) = (cut(&own), cut(&other));
        let last = |turns: &[Turn]| turns.last().map_or(until, |turn| turn.at);
        let until = if is_cut { last(&own).min(last(&other)) } else { until };
        Comparison { is_begun, until, differences: aligned(&own, &other) }
    }

    /// When they first differ.
    pub fn first(&self, here: &Open, there: &Open) -> Option<TrueTime> {
        let at = |open: &Open, id: EventId| open.replay().trace()[id.index()].at;
        let first = self.differences.first()?;
        let own = first.here.map(|id| at(here, id));
        let other = first.there.map(|id| at(there, id));
        own.into_iter().chain(other).min()
    }
}

/// A turn of events as one compares it. Two are equal when the same happened at the same
/// moment; which event it is does not matter.
#[derive(Clone, Debug)]
struct Turn {
    id: EventId,
    at: TrueTime,
    node: NodeId,
    what: String,
}

impl Turn {
    /// Whether the same happened, whenever.
    fn is_like(&self, other: &Turn) -> bool {
        self.node == other.node && self.what == other.what
    }
}

impl PartialEq for Turn {
    fn eq(&self, other: &Turn) -> bool {
        self.at == other.at && self.is_like(other)
    }
}

fn turns(open: &Open, before: TrueTime) -> Vec<Turn> {
    let is_told = |event: &&Event<Actor>| event.at < before && is_turn(&event.what);
    let events = once_a_click(open.replay().trace().iter().filter(is_told));
    let turn = |(event, _): (&Event<Actor>, usize)| Turn {
        id: event.id,
        at: event.at,
        node: event.node,
        what: en::event(event, open.who()),
    };
    events.into_iter().map(turn).collect()
}

/// What is left of two lists once as much as can be has been found in both, in order.
/// What happened in both at different moments is one difference; so is what a machine did
/// in one run between two things that are alike, and what it did instead in the other.
fn aligned(own: &[Turn], other: &[Turn]) -> Vec<Difference> {
    // `common[i][j]`: how many are alike, in order, from `own[i]` and `other[j]` on.
    let width = other.len() + 1;
    let mut common = vec![0_u32; (own.len() + 1) * width];
    for i in (0..own.len()).rev() {
        for j in (0..other.len()).rev() {
            common[i * width + j] = if own[i].is_like(&other[j]) {
                common[(i + 1) * width + j + 1] + 1
            } else {
                common[(i + 1) * width + j].max(common[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut differences: Vec<Difference> = Vec::new();
    // Machines of what so far only the first run has, each with its difference's place.
    let mut alone: Vec<(NodeId, usize)> = Vec::new();
    while i < own.len() || j < other.len() {
        match (own.get(i), other.get(j)) {
            (Some(one), Some(two)) if one.is_like(two) => {
                (i, j) = (i + 1, j + 1);
                alone.clear();
                if one != two {
                    differences.push(Difference { here: Some(one.id), there: Some(two.id) });
                }
            }
            (Some(one), two) if two.is_none() || is_nearer(&common, width, i, j) => {
                i += 1;
                alone.push((one.node, differences.len()));
                differences.push(Difference { here: Some(one.id), there: None });
            }
            (_, Some(two)) => {
                j += 1;
                let there = Some(two.id);
                match alone.iter().position(|(node, _)| *node == two.node) {
                    Some(place) => differences[alone.remove(place).1].there = there,
                    None => differences.push(Difference { here: None, there }),
                }
            }
            (_, None) => break,
        }
    }
    differences
}

/// Whether more stays alike when the first list goes on than when the second does.
fn is_nearer(common: &[u32], width: usize, i: usize, j: usize) -> bool {
    common[(i + 1) * width + j] >= common[i * width + j + 1]
}

impl Lab {
    /// The run beside the one that one looks at.
    pub fn beside(&self) -> Option<&Open> {
        let number = self.beside?;
        self.runs.iter().find(|open| open.number() == number)
    }

    /// The same clicks with one setting changed, as a run of its own, at the same moment
    /// and as far as this one has been run.
    #[inline(never)]
    pub(super) fn compare(&mut self, change: Change) -> Result<(), ScenarioError> {
        let open = self.open();
        let scenario = change.made(open.scenario())?.under_its_own_name();
        let run = Run { scenario, ..open.run().clone() };
        if let Some(same) = self.runs.iter().find(|other| *other.run() == run) {
            self.beside = Some(same.number());
            return Ok(());
        }
        let (now, seen) = (open.now(), open.seen_until());
        let mut other = Open::new(self.opened + 1, run)?;
        other.seek(seen);
        other.seek(now);
        self.beside = Some(other.number());
        self.push(other);
        Ok(())
    }

    /// Compares with a run that is open.
    pub(super) fn compare_with(&mut self, number: u32) {
        let is_other = number != self.open().number();
        if is_other && self.runs.iter().any(|open| open.number() == number) {
            self.beside = Some(number);
        }
    }

    /// Whoever looks at the second run has the first beside it.
    pub(super) fn shown(&mut self, before: u32) {
        if self.beside == Some(self.open().number()) {
            self.beside = (before != self.open().number()).then_some(before);
        }
    }

    /// The second run has the clicks of the first, also the next one. Made in its past,
    /// the click makes another run of it too, which then stands beside the first.
    pub(super) fn click_beside(&mut self, click: &ClickSpec) -> Result<(), ScenarioError> {
        let Some(place) = self.place_beside() else { return Ok(()) };
        let other = &self.runs[place];
        if other.takes_click() {
            self.runs[place] = other.with_click(other.number(), click.clone())?;
        } else {
            let next = other.with_click(self.opened + 1, click.clone())?;
            self.beside = Some(next.number());
            self.push(next);
        }
        Ok(())
    }

    /// How the two runs differ, if there are two.
    pub fn comparison(&self) -> Option<&Rc<Comparison>> {
        self.compared.as_ref().map(|(_, comparison)| comparison)
    }

    /// Keeps the second run at the moment of the first, and compares anew when one of
    /// them has gone on.
    pub(super) fn follow(&mut self) {
        let now = self.open().now();
        let Some(place) = self.place_beside() else {
            // It was closed, perhaps.
            (self.beside, self.compared) = (None, None);
            return;
        };
        if self.runs[place].now() != now {
            self.runs[place].seek(now);
        }
        let (here, there) = (self.open(), &self.runs[place]);
        let far = |open: &Open| (open.number(), open.replay().trace().len(), open.seen_until());
        let compared = [far(here), far(there)];
        // Of long runs only when they stand: there is much to compare, and no time.
        let is_long = compared.iter().any(|(_, events, _)| *events > COMPARED_WHILE_PLAYING);
        if is_long && self.playing != Playing::No {
            return;
        }
        if self.compared.as_ref().is_none_or(|(before, _)| *before != compared) {
            self.compared = Some((compared, Rc::new(Comparison::of(here, there))));
        }
    }

    pub(super) fn place_beside(&self) -> Option<usize> {
        let number = self.beside.filter(|number| *number != self.open().number())?;
        self.runs.iter().position(|open| open.number() == number)
    }
}
