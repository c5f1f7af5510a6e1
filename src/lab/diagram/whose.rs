//! Whose the words of a diagram are: in every run, at every width, nobody can take those of
//! one mark for those of another.

use super::tests::{empty, window};
use super::words::width;
use super::{Beside, Diagram, History, Mark, Window, Word, view};
use crate::scenario::{Run, Scenario, library};
use crate::sim::time::TrueTime;

fn drawn(run: &Run) -> (History, TrueTime) {
    let replay = run.to_end().expect("a run");
    let mut history = empty(&run.scenario);
    history.take_in(replay.trace());
    (history, replay.now())
}

/// The square of how far a mark's middle lies from words.
fn far(word: &Word, (x, y): (i64, i64)) -> i64 {
    let (right, top, bottom) = (word.x + width(&word.text), word.y - 11, word.y + 3);
    let across = (word.x - x).max(x - right).max(0);
    let down = (top - y).max(y - bottom).max(0);
    across * across + down * down
}

/// Nobody can take the words of one mark for those of another.
#[track_caller]
fn check_whose(diagram: &Diagram) {
    for word in diagram.words.iter() {
        let own = match word.beside {
            Beside::Bar(_) => continue,
            Beside::Mark(x, y) | Beside::Led(x, y) => (x, y),
        };
        let is_own = |mark: &&Mark| (mark.x - own.0).abs() <= 5 && mark.y() == own.1;
        assert!(diagram.marks.iter().any(|mark| is_own(&mark)), "{word:?} has no mark");
        let others = || diagram.marks.iter().filter(|mark| !is_own(mark));
        let Some(leader) = word.leader() else {
            let mut nearer = others().filter(|it| far(word, (it.x, it.y())) <= far(word, own));
            assert_eq!(nearer.next(), None, "is nearer to {word:?}");
            continue;
        };
        assert!(leader[0].0 == own.0 && (leader[0].1 - own.1).abs() < 12, "{leader:?}");
        let crossed = diagram.words.iter().filter(|other| *other != word).find(|other| {
            leader.windows(2).any(|ends| {
                let (from, to) = (ends[0].0.min(ends[1].0), ends[0].0.max(ends[1].0));
                let (top, bottom) = (ends[0].1.min(ends[1].1), ends[0].1.max(ends[1].1));
                let beside = to < other.x || from > other.x + width(&other.text);
                !beside && bottom > other.y - 11 && top < other.y + 3
            })
        });
        assert_eq!(crossed, None, "the line to {word:?} crosses it");
    }
}

#[test]
fn words_are_read_as_those_of_their_own_mark_in_every_run_and_variant() {
    let mut words = [0, 0];
    for (_, run) in library::runs().expect("they are right") {
        let (history, end) = drawn(&run);
        let until = view::axis_end(end, None);
        for width in [250, 600, 760, 1_010, 1_400] {
            let us_per_px = view::Zoom::Fit.us_per_px(until, width);
            let whole = Window { until, us_per_px, ..window(1, end) };
            for left in [0, whole.whole() - width] {
                let diagram = history.draw(&Window { left: left.max(0), width, ..whole.clone() });
                check_whose(&diagram);
                for word in diagram.words.iter() {
                    words[usize::from(matches!(word.beside, Beside::Led(..)))] += 1;
                }
            }
        }
    }
    assert!(words[1] > 20 && words[0] > 4 * words[1], "few need a line: {words:?}");
}

#[test]
fn what_decides_a_run_is_told_at_its_mark() {
    for (scenario, text) in [
        ("mark-scopes", "PUT 42 of invoices accepted, stale"),
        ("guarded-write", "PUT 42 refused, succeeded=false"),
    ] {
        let scenario = Scenario::built_in(scenario).expect("a scenario");
        let (history, end) = drawn(&scenario.run());
        let until = view::axis_end(end, None);
        for width in [600, 760, 1_010, 1_400] {
            let us_per_px = view::Zoom::Fit.us_per_px(until, width);
            let diagram = history.draw(&Window { until, us_per_px, width, ..window(1, end) });
            let is_told = diagram.words.iter().any(|word| word.text == text);
            assert!(is_told, "{text} at {width}: {:?}", diagram.words);
        }
    }
}
