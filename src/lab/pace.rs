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

    /// In eighths of the normal speed... as a fraction.
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

/// At normal speed a second of the reader's is this much of the run's, at least.
const RUN_PER_READER: i64 = 1;

/// At normal speed the reader waits no longer than this for the next turn of events.
const QUIET_AT_MOST: Span = Span::from_ms(700);

/// At normal speed so much passes between two turns of events, so that they can be
/// told apart.
const APART_AT_LEAST: Span = Span::from_ms(120);

/// From `now` towards `turn`, the next moment that matters, with `elapsed` of the
/// reader's time: where the run is then, and how much of it was used.
pub fn advance(now: TrueTime, turn: TrueTime, elapsed: Span, speed: Speed) -> (TrueTime, Span) {
    let gap = turn - now;
    if gap <= Span::ZERO {
        return (turn.max(now), elapsed);
    }
    let (times, per) = speed.fraction();
    let at_normal = (gap.0 / RUN_PER_READER).clamp(APART_AT_LEAST.0, QUIET_AT_MOST.0);
    let needed = Span((at_normal * per / times).max(1));
    if elapsed >= needed {
        return (turn, needed);
    }
    let share = i128::from(gap.0) * i128::from(elapsed.0) / i128::from(needed.0);
    (now + Span((share as i64).max(1)), elapsed)
}
