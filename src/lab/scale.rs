//! The scale under the scrubber: moments in round steps, and where turns of events lie.

use super::Open;
use crate::properties::turns::is_turn;
use crate::sim::time::TrueTime;
use crate::text::short;

/// So many moments are named at most, the start among them.
const MOMENTS: i64 = 6;
/// Turns are told apart in so many places.
const PLACES: i64 = 300;

/// The scale over what has been run; places in thousandths of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// Moments, and what they are called.
    pub moments: Vec<(i64, String)>,
    /// Where turns of events lie.
    pub turns: Vec<i64>,
}

/// When turns of events came; what is new in a trace is added.
#[derive(Debug, Default)]
pub struct Turns {
    run: u32,
    seen: usize,
    /// The moments, each once.
    at: Vec<TrueTime>,
}

impl Turns {
    /// The scale, as far as the run has been run.
    pub fn scale(&mut self, open: &Open) -> Scale {
        self.take_in(open);
        let whole = open.seen_until().0.max(1);
        let mut turns: Vec<i64> =
            self.at.iter().map(|at| at.0 * PLACES / whole * 1_000 / PLACES).collect();
        turns.dedup();
        Scale { moments: moments(open.seen_until()), turns }
    }

    fn take_in(&mut self, open: &Open) {
        let trace = open.replay().trace();
        if open.number() != self.run || trace.len() < self.seen {
            *self = Turns { run: open.number(), ..Turns::default() };
        }
        for event in trace[self.seen..].iter().filter(|event| is_turn(&event.what)) {
            if self.at.last() != Some(&event.at) {
                self.at.push(event.at);
            }
        }
        self.seen = trace.len();
    }
}

fn moments(until: TrueTime) -> Vec<(i64, String)> {
    if until.0 == 0 {
        return Vec::new();
    }
    let step = step(until);
    let decimals = if step < 1_000_000 { 1 } else { 0 };
    let count = until.0 / step;
    (0..=count)
        .map(|count| (count * step * 1_000 / until.0, short::tick(count * step, decimals)))
        .collect()
}

/// From moment to moment, in microseconds: a round number, at least a tenth of a second.
fn step(until: TrueTime) -> i64 {
    let mut decade = 100_000;
    loop {
        for factor in [1, 2, 5] {
            if until.0 / (decade * factor) < MOMENTS {
                return decade * factor;
            }
        }
        decade *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Lab, Msg};

    #[track_caller]
    fn check(until_us: i64, expected: &[(i64, &str)]) {
        let found = moments(TrueTime(until_us));
        let found: Vec<(i64, &str)> = found.iter().map(|(at, text)| (*at, text.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_handful_of_round_moments_are_named() {
        check(0, &[]);
        check(
            400_000,
            &[(0, "0.0 s"), (250, "0.1 s"), (500, "0.2 s"), (750, "0.3 s"), (1_000, "0.4 s")],
        );
        check(
            25_000_000,
            &[
                (0, "0 s"),
                (200, "5 s"),
                (400, "10 s"),
                (600, "15 s"),
                (800, "20 s"),
                (1_000, "25 s"),
            ],
        );
        check(
            80_000_000,
            &[(0, "0 s"), (250, "20 s"), (500, "40 s"), (750, "60 s"), (1_000, "80 s")],
        );
        check(
            30_000_000_000,
            &[(0, "0 s"), (333, "10000 s"), (666, "20000 s"), (1_000, "30000 s")],
        );
    }

    #[test]
    fn turns_lie_where_they_came_and_not_more_than_there_is_room_for() {
        let mut lab = Lab::new().expect("built in");
        let mut turns = Turns::default();
        assert_eq!(turns.scale(lab.open()), Scale::default());
        lab.update(Msg::ToEnd);
        let scale = turns.scale(lab.open());
        assert!(scale.turns.len() > 3 && scale.turns.len() as i64 <= PLACES + 1);
        assert!(scale.turns.iter().all(|at| (0..=1_000).contains(at)), "{scale:?}");
        lab.update(Msg::ToStart);
        assert_eq!(turns.scale(lab.open()), scale, "what was run stays");
    }
}
