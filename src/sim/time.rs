//! Time in integer microseconds, in three types that cannot be mixed.
//!
//! [`TrueTime`] is the simulator's own; no process can read it. [`Mono`] is one
//! machine's monotonic clock and [`Wall`] its wall clock. A [`Span`] is a length
//! of time on whichever of the three it was measured.
//!
//! The canonical encoder ([`crate::sim::encode`]) knows these types by name and
//! writes points in time relative to now, so do not rename them lightly.

use serde::Serialize;
use std::ops::{Add, Sub};

/// A length of time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span(pub i64);

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);

    /// A span of whole microseconds.
    pub const fn from_us(us: i64) -> Span {
        Span(us)
    }

    /// A span of whole milliseconds.
    pub const fn from_ms(ms: i64) -> Span {
        Span(ms * 1_000)
    }

    /// A span of whole seconds.
    pub const fn from_s(s: i64) -> Span {
        Span(s * 1_000_000)
    }

    /// The span in microseconds.
    pub const fn us(self) -> i64 {
        self.0
    }

    /// The span in milliseconds, towards zero.
    pub const fn ms(self) -> i64 {
        self.0 / 1_000
    }
}

impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

macro_rules! point_in_time {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize,
        )]
        pub struct $name(pub i64);

        impl Add<Span> for $name {
            type Output = $name;
            fn add(self, span: Span) -> $name {
                $name(self.0 + span.0)
            }
        }

        impl Sub<Span> for $name {
            type Output = $name;
            fn sub(self, span: Span) -> $name {
                $name(self.0 - span.0)
            }
        }

        impl Sub for $name {
            type Output = Span;
            fn sub(self, earlier: $name) -> Span {
                Span(self.0 - earlier.0)
            }
        }
    };
}

point_in_time! {
    /// The simulator's time, in microseconds. Processes never see it.
    TrueTime
}
point_in_time! {
    /// One machine's monotonic clock, in microseconds since some moment of its own.
    Mono
}
point_in_time! {
    /// One machine's wall clock, in microseconds since the Unix epoch as it believes.
    Wall
}

/// A loop that wakes every `period` on a machine's monotonic clock.
///
/// Nothing ticks: the next wake-up is computed, so an idle loop costs no events.
/// In a state's encoding only the phase counts, not when the loop began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    origin: Mono,
    period: Span,
}

impl Phase {
    /// A loop whose first wake-up is at `origin`.
    ///
    /// # Panics
    /// When `period` is not positive.
    pub fn new(origin: Mono, period: Span) -> Phase {
        assert!(period > Span::ZERO, "a loop needs a positive period");
        Phase { origin, period }
    }

    /// The first wake-up at or after `at`.
    pub fn next(self, at: Mono) -> Mono {
        let late = (at - self.origin).0.rem_euclid(self.period.0);
        if late == 0 { at } else { at + Span(self.period.0 - late) }
    }
}

impl Serialize for Phase {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (PhasePeriod(self.period.0), PhaseOrigin(self.origin.0)).serialize(serializer)
    }
}

/// Tells the encoder the period of the [`PhaseOrigin`] that follows.
#[derive(Serialize)]
struct PhasePeriod(i64);

/// Encoded as the time since the last wake-up.
#[derive(Serialize)]
struct PhaseOrigin(i64);

/// Since when something has lasted, where it is all the same for how long once that is `bound`.
///
/// In a state's encoding no more than that counts either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    since: Mono,
    bound: Span,
}

impl Age {
    /// It begins at `since`.
    pub fn new(since: Mono, bound: Span) -> Age {
        Age { since, bound }
    }

    /// For how long it has lasted, at most the bound.
    pub fn at(self, now: Mono) -> Span {
        (now - self.since).min(self.bound)
    }
}

impl Serialize for Age {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (AgeBound(self.bound.0), AgeSince(self.since.0)).serialize(serializer)
    }
}

/// Tells the encoder the bound of the [`AgeSince`] that follows.
#[derive(Serialize)]
struct AgeBound(i64);

/// Encoded as the time since then, at most the bound.
#[derive(Serialize)]
struct AgeSince(i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_wakes_at_its_own_instants_only() {
        let every_half_second = Phase::new(Mono(20_000), Span::from_ms(500));
        assert_eq!(every_half_second.next(Mono(20_000)), Mono(20_000));
        assert_eq!(every_half_second.next(Mono(20_001)), Mono(520_000));
        assert_eq!(every_half_second.next(Mono(10_030_000)), Mono(10_520_000));
    }
}
