//! A diagram's pieces in parts of a few neighbours each: where something changes, one part
//! is drawn anew and not all that there is of its kind.

use super::{Bar, Mark, Path, Word};
use std::ops::Range;

/// A part has two to the power of this many pieces, on average.
const PIECES_BITS: u32 = 3;

/// Neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Names it among all parts of its kind.
    pub name: u64,
    /// Which pieces, by their places.
    pub pieces: Range<usize>,
}

/// What a part is named by, if it begins with this piece.
pub trait Named {
    /// The same as long as it is the same piece.
    fn name(&self) -> u64;
}

/// All of them, part by part, in their order.
///
/// Whether a part begins with a piece depends on that piece alone. So a piece more or less
/// changes the part that it stands in, and no other.
pub fn parts<T: Named>(pieces: &[T]) -> Vec<Part> {
    of_names(pieces.iter().map(Named::name))
}

fn of_names(names: impl Iterator<Item = u64>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (place, name) in names.enumerate() {
        let begins = begins_part(name) && parts.iter().all(|part| part.name != name);
        match parts.last_mut() {
            Some(part) if !begins => part.pieces.end = place + 1,
            // Whatever is first: the first part keeps its name when that goes out of view.
            None => parts.push(Part { name: u64::MAX, pieces: 0..1 }),
            Some(_) => parts.push(Part { name, pieces: place..place + 1 }),
        }
    }
    parts
}

/// As if at random: neighbours have numbers that lie at regular distances.
fn begins_part(name: u64) -> bool {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    name.wrapping_mul(SPREAD) >> (u64::BITS - PIECES_BITS) == 0
}

/// Pieces are in order of this, and then of their events.
fn name(rank: u32, event: u32) -> u64 {
    u64::from(rank) << 32 | u64::from(event)
}

impl Named for Bar {
    fn name(&self) -> u64 {
        name(self.look.rank(), self.event.0)
    }
}

impl Named for Path {
    fn name(&self) -> u64 {
        name(self.kind as u32, self.event.0)
    }
}

impl Named for Mark {
    fn name(&self) -> u64 {
        name(self.shape as u32, self.event.0)
    }
}

impl Named for Word {
    fn name(&self) -> u64 {
        name(0, self.event.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(parts: &[Part], of: &[u64]) -> Vec<Vec<u64>> {
        parts.iter().map(|part| of[part.pieces.clone()].to_vec()).collect()
    }

    #[track_caller]
    fn parted(of: &[u64]) -> Vec<Vec<u64>> {
        let parts = of_names(of.iter().copied());
        for (place, part) in parts.iter().enumerate() {
            assert!(parts[..place].iter().all(|other| other.name != part.name), "{parts:?}");
        }
        let found = names(&parts, of);
        assert_eq!(found.concat(), of, "each once and in order");
        found
    }

    #[test]
    fn parts_are_small_and_nothing_is_left_out() {
        for step in [1, 2, 7, 8, 16, 100] {
            let all: Vec<u64> = (0..400).map(|place| place * step).collect();
            let parts = parted(&all);
            assert!((20..120).contains(&parts.len()), "{} of {step}", parts.len());
            assert!(parts.iter().all(|part| part.len() < 100), "{step}");
        }
        assert!(parted(&[]).is_empty());
    }

    #[test]
    fn a_piece_more_changes_the_part_that_it_stands_in() {
        let all: Vec<u64> = (0..200).map(|place| place * 3).collect();
        let before = parted(&all);
        for place in [0, 1, 90, 199, 200] {
            let mut more = all.clone();
            more.insert(place, if place == 0 { 10_001 } else { all[place - 1] + 1 });
            let after = parted(&more);
            let changed = after.iter().filter(|part| !before.contains(part)).count();
            assert!((1..=2).contains(&changed), "{changed} at {place}");
        }
    }

    #[test]
    fn the_same_name_twice_makes_no_second_part() {
        let find = |begins| (1..).find(|name| begins_part(*name) == begins).expect("there is one");
        let (begins, other) = (find(true), find(false));
        let found = parted(&[other, begins, other, begins]);
        assert_eq!(found, [vec![other], vec![begins, other, begins]]);
    }
}
