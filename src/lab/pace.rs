//! How simulated time follows the reader's: quiet stretches are skipped, so that
//! what matters is not waited for.

use crate::sim::time::{Span, TrueTime};

/// How fast a run plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speed {
    /// A quarter as fast.
    Quarter,
    /// Half as fast.
    Half,
    /// As fast as one can follow.
    #[default]
    Normal,
    /// Twice as fast.
    Double,
    /// Eight times as fast.
    Eightfold,
}

impl Speed {
    /// All of them, slowest first.
    pub const ALL: [Speed; 5] =
        [Speed::Quarter, Speed::Half, Speed::Normal, Speed::Double, Speed::Eightfold];

    /// How many times as fast as normal, as a fraction.
    fn fraction(self) -> (i64, i64) {
        match self {
            Speed::Quarter => (1, 4),
            Speed::Half => (1, 2),
            Speed::Normal => (1, 1),
            Speed::Double => (2, 1),
            Speed::Eightfold => (8, 1),
        }
    }
}

/// At normal speed the reader waits no longer than this for the next turn of events.
const QUIET_AT_MOST: Span = Span::from_ms(700);

/// At normal speed so much passes between two turns of events, so that they can be
/// told apart.
const APART_AT_LEAST: Span = Span::from_ms(120);

/// The way from one turn of events to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// Where it was begun.
    pub from: TrueTime,
    /// The next moment that matters; after `from`.
    pub turn: TrueTime,
}

impl Leg {
    /// From `now` on this leg, with `elapsed` of the reader's time: where the run is
    /// then, and how much of the time was used.
    pub fn advance(self, now: TrueTime, elapsed: Span, speed: Speed) -> (TrueTime, Span) {
        let whole = (self.turn - self.from).0.max(1);
        let left = (self.turn - now).0.max(0);
        let (times, per) = speed.fraction();
        let whole_needs = whole.clamp(APART_AT_LEAST.0, QUIET_AT_MOST.0) * per / times;
        let needed = scaled(left, whole_needs, whole).max(1);
        if elapsed.0 >= needed {
            return (self.turn, Span(needed));
        }
        (now + Span(scaled(elapsed.0, whole, whole_needs.max(1)).max(1)), elapsed)
    }
}

/// `value * times / per` without overflow.
fn scaled(value: i64, times: i64, per: i64) -> i64 {
    (i128::from(value) * i128::from(times) / i128::from(per)) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of the reader's time a leg takes in frames of 16 ms.
    #[track_caller]
    fn check(leg_ms: i64, speed: Speed, expected_ms: std::ops::RangeInclusive<i64>) {
        let leg = Leg { from: TrueTime(0), turn: TrueTime(leg_ms * 1_000) };
        let (mut now, mut frames) = (leg.from, 0);
        while now < leg.turn {
            now = leg.advance(now, Span::from_ms(16), speed).0;
            frames += 1;
        }
        assert_eq!(now, leg.turn);
        let took_ms = frames * 16;
        assert!(expected_ms.contains(&took_ms), "{leg_ms} ms took {took_ms} ms");
    }

    #[test]
    fn quiet_stretches_are_skipped_and_turns_are_told_apart() {
        check(25_000, Speed::Normal, 700..=720);
        check(1_000_000, Speed::Normal, 700..=720);
        check(10, Speed::Normal, 120..=140);
        check(25_000, Speed::Eightfold, 87..=110);
        check(25_000, Speed::Quarter, 2_800..=2_830);
    }
}
