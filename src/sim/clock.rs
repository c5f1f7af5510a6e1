//! A machine's clocks: a monotonic one with a rate, and a wall clock that follows
//! the same oscillator from an offset of its own.
//!
//! Rates are whole parts per million. What a rate leaves over of a microsecond is
//! carried, so that a clock read often and a clock read once agree.

use super::process::Now;
use super::time::{Mono, Span, TrueTime, Wall};

/// The rate of a clock that runs right, in parts per million.
pub const RIGHT_RATE_PPM: i64 = 1_000_000;

/// The highest rate a clock can be given: a hundred times too fast.
pub const MAX_RATE_PPM: i64 = 100 * RIGHT_RATE_PPM;

/// A machine's clocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    rate_ppm: i64,
    anchor: TrueTime,
    mono_at_anchor: Mono,
    /// Millionths of a microsecond that the monotonic clock is ahead of
    /// `mono_at_anchor`; below one million.
    remainder: i64,
    wall_minus_mono: i64,
}

impl Clock {
    /// Clocks that run right and at `now` show `mono` and `wall`.
    pub fn new(now: TrueTime, mono: Mono, wall: Wall) -> Clock {
        Clock {
            rate_ppm: RIGHT_RATE_PPM,
            anchor: now,
            mono_at_anchor: mono,
            remainder: 0,
            wall_minus_mono: wall.0 - mono.0,
        }
    }

    /// What the two clocks show.
    pub fn read(&self, now: TrueTime) -> Now {
        let mono = self.mono(now);
        Now { mono, wall: Wall(mono.0 + self.wall_minus_mono) }
    }

    /// What the monotonic clock shows.
    pub fn mono(&self, now: TrueTime) -> Mono {
        let (whole, _) = self.elapsed(now);
        Mono(self.mono_at_anchor.0 + whole)
    }

    /// What the monotonic clock shows when the wall clock shows `wall`, if neither is
    /// touched before.
    pub fn mono_at(&self, wall: Wall) -> Mono {
        Mono(wall.0.saturating_sub(self.wall_minus_mono))
    }

    /// The rate in parts per million.
    pub fn rate_ppm(&self) -> i64 {
        self.rate_ppm
    }

    /// Millionths of a microsecond left over at `now`: part of the state.
    pub fn remainder(&self, now: TrueTime) -> i64 {
        self.elapsed(now).1
    }

    /// The first true time at which the monotonic clock shows `mono` or later, or
    /// none when it stands still before that.
    pub fn when(&self, mono: Mono) -> Option<TrueTime> {
        if mono <= self.mono_at_anchor {
            return Some(self.anchor);
        }
        if self.rate_ppm == 0 {
            return None;
        }
        let wanted =
            i128::from(mono.0 - self.mono_at_anchor.0) * 1_000_000 - i128::from(self.remainder);
        let rate = i128::from(self.rate_ppm);
        let us = (wanted + rate - 1) / rate;
        i64::try_from(us).ok().and_then(|us| self.anchor.0.checked_add(us)).map(TrueTime)
    }

    /// Runs at another rate from `now` on; 0 stands still.
    pub fn set_rate(&mut self, now: TrueTime, rate_ppm: i64) {
        assert!((0..=MAX_RATE_PPM).contains(&rate_ppm), "a clock's rate is 0 to {MAX_RATE_PPM}");
        let (whole, remainder) = self.elapsed(now);
        self.mono_at_anchor = Mono(self.mono_at_anchor.0 + whole);
        self.remainder = remainder;
        self.anchor = now;
        self.rate_ppm = rate_ppm;
    }

    /// Steps the wall clock; the monotonic clock does not notice.
    pub fn step_wall(&mut self, by: Span) {
        self.wall_minus_mono += by.0;
    }

    fn elapsed(&self, now: TrueTime) -> (i64, i64) {
        assert!(now >= self.anchor, "a clock is not read before it was set");
        let total = i128::from((now - self.anchor).0) * i128::from(self.rate_ppm)
            + i128::from(self.remainder);
        let whole = i64::try_from(total / 1_000_000).expect("a clock stays within 292,000 years");
        (whole, (total % 1_000_000) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock_at(rate_ppm: i64) -> Clock {
        let mut clock = Clock::new(TrueTime(100), Mono(5_000), Wall(9_000_000));
        clock.set_rate(TrueTime(100), rate_ppm);
        clock
    }

    #[test]
    fn a_deadline_is_reached_at_the_first_instant_that_shows_it() {
        for rate_ppm in [1, 3, 200_000, 999_999, 1_000_000, 1_000_001, 4_000_000, 7_654_321] {
            let clock = clock_at(rate_ppm);
            for ahead in [1, 2, 3, 999, 1_000_003] {
                let mono = Mono(5_000 + ahead);
                let when = clock.when(mono).expect("a running clock gets there");
                assert!(clock.mono(when) >= mono, "rate {rate_ppm}, {ahead} ahead");
                assert!(clock.mono(when - Span(1)) < mono, "rate {rate_ppm}, {ahead} ahead");
            }
        }
    }

    #[test]
    fn changing_the_rate_often_loses_nothing() {
        let mut often = clock_at(333_333);
        let once = often.clone();
        for us in 101..1_101 {
            often.set_rate(TrueTime(us), 333_333);
        }
        assert_eq!(often.read(TrueTime(5_000)), once.read(TrueTime(5_000)));
        assert_eq!(often.remainder(TrueTime(5_000)), once.remainder(TrueTime(5_000)));
    }

    #[test]
    fn a_wall_step_leaves_the_monotonic_clock_alone() {
        let mut clock = clock_at(RIGHT_RATE_PPM);
        let before = clock.read(TrueTime(300));
        clock.step_wall(Span::from_s(3_600));
        let after = clock.read(TrueTime(300));
        assert_eq!(after.mono, before.mono);
        assert_eq!(after.wall - before.wall, Span::from_s(3_600));
    }

    #[test]
    fn a_clock_that_stands_still_never_gets_there() {
        let mut clock = clock_at(RIGHT_RATE_PPM);
        clock.set_rate(TrueTime(200), 0);
        assert_eq!(clock.mono(TrueTime(10_000)), Mono(5_100));
        assert_eq!(clock.when(Mono(5_101)), None);
    }
}
