//! What lasts for a time, found by time without looking at all that there is.

use crate::sim::time::TrueTime;
use std::ops::Deref;

/// So many things make a block.
const BLOCK: usize = 32;

/// Something that begins and, as far as is known, ends.
pub trait Lasts {
    /// When it begins.
    fn from(&self) -> TrueTime;
    /// When it ends; none while it lasts.
    fn to(&self) -> Option<TrueTime>;
}

/// Things in the order in which they came, in blocks of which it is known from when
/// to when they reach.
#[derive(Clone, Debug)]
pub struct Timed<T> {
    all: Vec<T>,
    reach: Vec<(TrueTime, TrueTime)>,
}

impl<T> Default for Timed<T> {
    fn default() -> Timed<T> {
        Timed { all: Vec::new(), reach: Vec::new() }
    }
}

impl<T> Deref for Timed<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.all
    }
}

fn reach<T: Lasts>(thing: &T) -> (TrueTime, TrueTime) {
    (thing.from(), thing.to().unwrap_or(TrueTime(i64::MAX)))
}

fn both(one: (TrueTime, TrueTime), other: (TrueTime, TrueTime)) -> (TrueTime, TrueTime) {
    (one.0.min(other.0), one.1.max(other.1))
}

impl<T: Lasts> Timed<T> {
    /// Adds a thing.
    pub fn push(&mut self, thing: T) {
        let own = reach(&thing);
        match self.reach.last_mut().filter(|_| !self.all.len().is_multiple_of(BLOCK)) {
            Some(block) => *block = both(*block, own),
            None => self.reach.push(own),
        }
        self.all.push(thing);
    }

    /// Changes the thing at a place.
    pub fn change(&mut self, place: usize, change: impl FnOnce(&mut T)) {
        change(&mut self.all[place]);
        let block = place / BLOCK;
        let things = self.all[block * BLOCK..].iter().take(BLOCK).map(reach);
        self.reach[block] = things.reduce(both).expect("no block is empty");
    }

    /// Those that reach into the time between two moments.
    pub fn within(&self, from: TrueTime, to: TrueTime) -> impl Iterator<Item = &T> {
        let meets = move |(begins, ends): (TrueTime, TrueTime)| begins <= to && ends >= from;
        let blocks = self.all.chunks(BLOCK).zip(&self.reach);
        let near = blocks.filter(move |(_, reach)| meets(**reach));
        near.flat_map(|(things, _)| things).filter(move |thing| meets(reach(*thing)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Thing(i64, Option<i64>);

    impl Lasts for Thing {
        fn from(&self) -> TrueTime {
            TrueTime(self.0)
        }

        fn to(&self) -> Option<TrueTime> {
            self.1.map(TrueTime)
        }
    }

    #[test]
    fn what_is_found_is_what_looking_at_everything_finds() {
        let mut things = Timed::default();
        for at in 0..500 {
            things.push(Thing(at, if at % 7 == 0 { None } else { Some(at + at % 90) }));
        }
        for place in (0..500).step_by(14) {
            things.change(place, |thing| thing.1 = Some(thing.0 + 200));
        }
        for from in (0..700).step_by(13) {
            let to = from + 5;
            let slow = |t: &&Thing| t.0 <= to && t.1.is_none_or(|end| end >= from);
            let expected: Vec<&Thing> = things.iter().filter(slow).collect();
            let found: Vec<&Thing> = things.within(TrueTime(from), TrueTime(to)).collect();
            assert_eq!(found, expected, "from {from}");
        }
    }

    #[test]
    fn a_thing_that_ends_early_is_not_found_later() {
        let mut things = Timed::default();
        things.push(Thing(0, None));
        assert_eq!(things.within(TrueTime(900), TrueTime(901)).count(), 1);
        things.change(0, |thing| thing.1 = Some(5));
        assert_eq!(things.within(TrueTime(900), TrueTime(901)).count(), 0);
    }
}
