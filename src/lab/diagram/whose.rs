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

/// Looks at each built-in run in windows of several widths that show all of it.
fn at_widths(mut look: impl FnMut(&str, &History, Window)) {
    for (name, run) in library::runs().expect("they are right") {
        let (history, end) = drawn(&run);
        let until = view::axis_end(end, None);
        for width in [250, 600, 760, 1_010, 1_400] {
            let us_per_px = view::Zoom::Fit.us_per_px(until, width);
            look(&name, &history, Window { until, us_per_px, width, ..window(1, end) });
        }
    }
}

#[test]
fn words_are_read_as_those_of_their_own_mark_in_every_run_and_variant() {
    let mut words = [0, 0];
    at_widths(|_, history, whole| {
        for left in [0, whole.whole() - whole.width] {
            let diagram = history.draw(&Window { left: left.max(0), ..whole.clone() });
            check_whose(&diagram);
            for word in diagram.words.iter() {
                words[usize::from(matches!(word.beside, Beside::Led(..)))] += 1;
            }
        }
    });
    assert!(words[1] > 20 && words[0] > 4 * words[1], "few need a line: {words:?}");
}

/// No words lie across the end of what lasts, as of a lease.
#[track_caller]
fn check_ends(name: &str, diagram: &Diagram) -> usize {
    let mut on_bars = 0;
    for word in diagram.words.iter() {
        on_bars += usize::from(matches!(word.beside, Beside::Bar(_)));
        let (right, top, bottom) = (word.x + width(&word.text), word.y - 11, word.y + 3);
        for bar in diagram.bars.iter() {
            let (from, height) = bar.rise();
            let is_beside = bottom <= from || top >= from + height;
            let mut ends = [bar.x, bar.x + bar.width].into_iter();
            let crossed = ends.find(|x| word.x < *x && *x < right);
            assert!(is_beside || crossed.is_none(), "{name}: {word:?} lies across {bar:?}");
        }
    }
    on_bars
}

#[test]
fn words_lie_across_no_end_of_a_bar_in_every_run_and_variant() {
    let mut words = 0;
    at_widths(|name, history, window| words += check_ends(name, &history.draw(&window)));
    assert!(words > 1_000, "some stand on bars: {words}");
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

/// The words of marks by lane, in the order of what they tell of.
fn in_order(diagram: &Diagram) -> Vec<(i64, i64, &Word)> {
    let own = |word: &Word| match word.beside {
        Beside::Bar(_) => None,
        Beside::Mark(x, y) | Beside::Led(x, y) => Some((x, y)),
    };
    let mark = |word| {
        let (x, y) = own(word)?;
        diagram.marks.iter().find(|mark| mark.x == x && mark.y() == y)
    };
    let words = diagram.words.iter();
    let words = words.filter_map(|word| mark(word).map(|it| (it.lane as i64, it.x, word)));
    let mut words: Vec<_> = words.collect();
    words.sort_by_key(|(lane, x, word)| (*lane, *x, word.event));
    words
}

/// None is read before what came before it; how many pairs are near to each other.
#[track_caller]
fn check_order(name: &str, diagram: &Diagram) -> usize {
    let words = in_order(diagram);
    let mut near = 0;
    for (place, (lane, x, first)) in words.iter().enumerate() {
        for (_, later, then) in words[place + 1..].iter().take_while(|(of, ..)| of == lane) {
            let is_left = then.x + width(&then.text) <= first.x;
            let is_above = then.y < first.y && then.x < first.x + width(&first.text);
            let is_near = later - x < 16 || then.x - first.x < 16;
            near += usize::from(later - x < 16);
            let is_reversed = is_left || is_above && is_near;
            assert!(!is_reversed, "{name}: {then:?} is read before {first:?}");
        }
    }
    near
}

#[test]
fn words_of_one_lane_are_read_in_the_order_of_their_events_in_every_run_and_variant() {
    let mut near = 0;
    at_widths(|name, history, whole| {
        for left in [0, whole.whole() - whole.width] {
            let window = Window { left: left.max(0), ..whole.clone() };
            near += check_order(name, &history.draw(&window));
        }
    });
    assert!(near > 100, "some are near to each other: {near}");
}
