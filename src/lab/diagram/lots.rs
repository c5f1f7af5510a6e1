//! Runs of 100,000 events: what is drawn of them is bounded at every zoom and place.

use super::history::timed::Lasts;
use super::history::{Arrow, ArrowEnd, ArrowKind, History, Point, Shape, Span, Stretch};
use super::lanes::Lanes;
use super::view::{Step, Zoom, axis_end};
use super::{Diagram, Window};
use crate::lab::Routine;
use crate::scenario::Scenario;
use crate::sim::event::EventId;
use crate::sim::time::TrueTime;

const LOTS: usize = 100_000;

/// The same numbers in each run of the tests.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        ((self.0 >> 33) as i64) % bound
    }
}

fn empty() -> History {
    let scenario = Scenario::built_in("reconcile").expect("a scenario");
    History::new(Lanes::new(scenario.names(), &scenario.spec().store.title))
}

/// Everything that can be drawn, all over the lanes, as dense as it comes, and arrows
/// of all lengths.
fn dense() -> (History, TrueTime) {
    let (mut history, mut dice) = (empty(), Dice(7));
    let lanes = history.lanes().count();
    let shapes = [Shape::Refused, Shape::Alarm, Shape::End, Shape::Accepted, Shape::Dot];
    let kinds = [ArrowKind::Routine, ArrowKind::Plain, ArrowKind::Claim, ArrowKind::Refusal];
    let mut now = 0;
    for place in 0..LOTS {
        now += dice.below(2_000);
        let (at, event) = (TrueTime(now), EventId(place as u32));
        let lane = dice.below(lanes as i64) as usize;
        match place % 3 {
            0 => {
                let shape = shapes[dice.below(5) as usize];
                let words = format!("words of {place}");
                history.drawn.points.push(Point { lane, at, event, shape, words });
            }
            1 => {
                let (to, kind) = ((lane + 1) % lanes, kinds[dice.below(4) as usize]);
                let reach = [500, 50_000, 40_000_000][dice.below(3) as usize];
                let end = ArrowEnd::Taken(TrueTime(now + dice.below(reach)));
                history.drawn.arrows.push(Arrow { from: lane, to, sent: at, end, event, kind });
            }
            _ => {
                let what =
                    if place % 2 == 0 { Span::Queued(1) } else { Span::Outdated { token: 4 } };
                let to = Some(TrueTime(now + dice.below(9_000)));
                history.drawn.stretches.push(Stretch { lane, from: at, to, what, event });
            }
        }
    }
    (history, TrueTime(now))
}

/// Renewals for hours.
fn renewals() -> (History, TrueTime) {
    let set = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    let scenario = Scenario::built_in("reconcile").expect("a scenario");
    let scenario = scenario
        .with(&[
            set("lock.ttl_s", "2"),
            set("worker.W1.compute_ms", "80_000_000"),
            set("worker.W2.compute_ms", "80_000_000"),
        ])
        .expect("settings");
    let mut replay = scenario.run_without_clicks().replay().expect("a run");
    while replay.trace().len() < LOTS && replay.step() {}
    let mut history = empty();
    history.take_in(replay.trace());
    (history, replay.now())
}

fn shapes(diagram: &Diagram) -> usize {
    let Diagram { ticks, lines, bars, arrows, marks, words, .. } = diagram;
    ticks.len() + lines.len() + bars.len() + arrows.len() + marks.len() + words.len()
}

/// At every zoom, at five places, with and without what is routine.
#[track_caller]
fn check(name: &str, (history, end): &(History, TrueTime)) {
    let (until, width) = (axis_end(*end, None), 1_200);
    let mut zoom = Zoom::Fit;
    loop {
        for routine in [Routine::Hidden, Routine::Shown] {
            let mut window = Window {
                left: 0,
                width,
                us_per_px: zoom.us_per_px(until, width),
                until,
                now: *end,
                first_ahead: EventId(u32::MAX),
                seen_until: *end,
                routine,
                selected: None,
            };
            let mut most = 0;
            for part in 0..5 {
                window.left = (window.whole() - width) * part / 4;
                let diagram = history.draw(&window);
                most = most.max(shapes(&diagram));
                if zoom == Zoom::Fit {
                    let marked: usize = diagram.marks.iter().map(|mark| mark.count).sum();
                    assert_eq!(marked, history.drawn().points.len(), "none is left out");
                }
            }
            assert!(most <= 1_600, "{name} {zoom:?} {routine:?}: {most} shapes");
        }
        let next = zoom.step(Step::In, until, width);
        if next == zoom {
            return;
        }
        zoom = next;
    }
}

#[test]
fn of_a_hundred_thousand_dense_things_a_bounded_number_is_drawn() {
    let dense = dense();
    let last = dense.0.drawn().arrows.iter().map(|arrow| arrow.from()).max();
    assert!(last.is_some_and(|at| at.0 > 90_000_000), "they are spread over the run");
    check("dense", &dense);
}

#[test]
fn of_a_hundred_thousand_events_of_a_run_a_bounded_number_is_drawn() {
    check("renewals", &renewals());
}

#[test]
fn the_one_selected_is_shown_itself_among_all_that_falls_together() {
    let (history, end) = dense();
    let until = axis_end(end, None);
    for point in history.drawn().points.iter().step_by(1_111) {
        let window = Window {
            left: 0,
            width: 900,
            us_per_px: Zoom::Fit.us_per_px(until, 900),
            until,
            now: end,
            first_ahead: EventId(u32::MAX),
            seen_until: end,
            routine: Routine::Hidden,
            selected: Some((point.event, point.at, point.lane)),
        };
        let diagram = history.draw(&window);
        let mark = diagram.marks.iter().find(|mark| mark.event == point.event);
        let mark = mark.expect("it has its mark");
        assert_eq!(Some((mark.x, mark.y())), diagram.selected);
        assert!(mark.count > 1 && history.is_crowded(&window), "{mark:?}");
    }
}
