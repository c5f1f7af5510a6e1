//! What falls together is drawn once, with a count. How many things are drawn is
//! bounded by that, whatever the run: where too many remain they are taken together by
//! twice as wide a stretch, and again.

use super::history::{Arrow, ArrowEnd, Point, Shape, Stretch};
use super::lanes::Lane;
use super::view::Window;
use super::{Look, Tip};
use crate::sim::event::EventId;
use std::collections::BTreeMap;

/// So many marks, arrows or bars are drawn at most, of each.
pub const MOST: usize = 400;

/// What is drawn alike, and the places of both ends in cells of some width.
type Key = (u32, i64, i64);

/// Something that can stand for others like it.
pub(super) trait Pile {
    /// What is drawn alike has the same one.
    fn alike(&self) -> u32;
    /// The pixels from which and to which it reaches.
    fn ends(&self) -> (i64, i64);
    /// Stands for another one too. The one selected, if either is, is what is shown.
    fn add(&mut self, other: Self, selected: Option<EventId>);
}

/// Takes together what falls together.
pub(super) fn pile<T: Pile>(things: Vec<T>, selected: Option<EventId>) -> Vec<T> {
    let (mut things, mut cell) = (things, 1);
    loop {
        let mut places: BTreeMap<Key, usize> = BTreeMap::new();
        let mut piled: Vec<T> = Vec::new();
        let mut last = None;
        for thing in things {
            let (from, to) = thing.ends();
            let key = (thing.alike(), from.div_euclid(cell), to.div_euclid(cell));
            // Most often it is the one before.
            let place = match last {
                Some((before, place)) if before == key => place,
                _ => *places.entry(key).or_insert(piled.len()),
            };
            last = Some((key, place));
            match piled.get_mut(place) {
                Some(first) => first.add(thing, selected),
                None => piled.push(thing),
            }
        }
        if piled.len() <= MOST {
            return piled;
        }
        (things, cell) = (piled, cell * 2);
    }
}

/// A point, and how many it stands for.
pub(super) struct Points<'a> {
    pub point: &'a Point,
    pub x: i64,
    pub count: usize,
}

impl Pile for Points<'_> {
    fn alike(&self) -> u32 {
        (self.point.lane as u32) << 8 | self.point.shape as u32
    }

    fn ends(&self) -> (i64, i64) {
        (self.x, self.x)
    }

    fn add(&mut self, other: Self, selected: Option<EventId>) {
        let count = self.count + other.count;
        if Some(other.point.event) == selected {
            *self = other;
        }
        self.count = count;
    }
}

/// A message, and how many it stands for.
pub(super) struct Arrows<'a> {
    pub arrow: &'a Arrow,
    pub ends: (i64, i64),
    pub tip: Tip,
    pub count: usize,
}

impl Pile for Arrows<'_> {
    fn alike(&self) -> u32 {
        let Arrow { from, to, kind, .. } = self.arrow;
        let returns = u32::from(matches!(self.arrow.end, ArrowEnd::Returned(_)));
        let (kind, tip) = (*kind as u32, self.tip as u32);
        (*from as u32) << 20 | (*to as u32) << 8 | kind << 4 | tip << 1 | returns
    }

    fn ends(&self) -> (i64, i64) {
        self.ends
    }

    fn add(&mut self, other: Self, selected: Option<EventId>) {
        let count = self.count + other.count;
        if Some(other.arrow.event) == selected {
            *self = other;
        }
        self.count = count;
    }
}

/// What holds for a while, and how many it stands for.
pub(super) struct Stretches<'a> {
    pub stretch: &'a Stretch,
    pub look: Look,
    pub ends: (i64, i64),
    pub count: usize,
}

impl Pile for Stretches<'_> {
    fn alike(&self) -> u32 {
        (self.stretch.lane as u32) << 8 | self.look.rank()
    }

    fn ends(&self) -> (i64, i64) {
        self.ends
    }

    fn add(&mut self, other: Self, selected: Option<EventId>) {
        let (from, to) = (self.ends.0.min(other.ends.0), self.ends.1.max(other.ends.1));
        let count = self.count + other.count;
        if Some(other.stretch.event) == selected {
            *self = other;
        }
        (self.ends, self.count) = ((from, to), count);
    }
}

/// Whether several marks stand so near to an event that at this scale it cannot be told
/// from its neighbours.
pub(super) fn is_crowded(points: impl Iterator<Item = (Lane, i64)>, lane: Lane, x: i64) -> bool {
    const NEAR: i64 = 6;
    points.filter(|(of, at)| *of == lane && (at - x).abs() <= NEAR).count() > 3
}

/// Where a mark stands, beside its lane's middle.
pub(super) fn rise(shape: Shape) -> i64 {
    if shape == Shape::Click { -22 } else { 0 }
}

impl Window {
    /// The event selected.
    pub(super) fn chosen(&self) -> Option<EventId> {
        self.selected.map(|(event, ..)| event)
    }
}
