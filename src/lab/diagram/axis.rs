//! The axis: moments in round steps, as many as there is room for.

use super::{Tick, Window};
use crate::sim::time::TrueTime;
use crate::text::short;

/// Between two moments of the axis, at least.
const APART: i64 = 74;

/// A step with the decimals that its moments need.
fn step(us_per_px: i64) -> (i64, usize) {
    let mut decade = 1_000;
    loop {
        for factor in [1, 2, 5] {
            let us = decade * factor;
            if us >= us_per_px * APART {
                let decimals = match decade {
                    1_000 => 3,
                    10_000 => 2,
                    100_000 => 1,
                    _ => 0,
                };
                return (us, decimals);
            }
        }
        decade *= 10;
    }
}

/// The moments in view.
pub(super) fn ticks(window: &Window) -> Vec<Tick> {
    let (step, decimals) = step(window.us_per_px);
    let first = (window.left * window.us_per_px / step - 1).max(0);
    let moments = (first..).map(|count| TrueTime(count * step));
    moments
        .skip_while(|at| window.x(*at) < window.left - APART)
        .take_while(|at| *at <= window.until && window.x(*at) <= window.right() + APART)
        .map(|at| Tick { x: window.x(at), label: short::tick(at.0, decimals) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(us_per_px: i64, step_us: i64, decimals: usize) {
        assert_eq!(step(us_per_px), (step_us, decimals));
    }

    #[test]
    fn steps_are_round_and_leave_room_for_their_words() {
        check(100_000, 10_000_000, 0);
        check(20_000, 2_000_000, 0);
        check(6_000, 500_000, 1);
        check(100, 10_000, 2);
        check(1, 1_000, 3);
    }
}
