use super::history::{ArrowKind, History};
use super::lanes::Lanes;
use super::words::width;
use super::{Beside, Diagram, Look, Tip, Window, view};
use crate::content::{At, Read, Tree, table};
use crate::lab::Routine;
use crate::scenario::Scenario;
use crate::scenario::clicks::ClickSpec;
use crate::scenario::library;
use crate::sim::event::EventId;
use crate::sim::time::TrueTime;
use crate::text::short::Still;

/// Seconds a column of a sketch.
const COLUMN_S: i64 = 2;

table! {
    struct Clicks {
        click: Vec<ClickSpec> = Vec::new(),
    }
}

fn clicks(toml: &str) -> Vec<ClickSpec> {
    let tree = Tree::from_toml(toml).expect("it is TOML");
    Clicks::read(&tree, &At::TOP).expect("clicks").click
}

/// A scenario run to its end, with the clicks of `toml` in place of its own.
fn history(scenario: &str, toml: &str) -> (History, TrueTime) {
    let scenario = Scenario::built_in(scenario).expect("a scenario");
    let mut run = scenario.run();
    if !toml.is_empty() {
        run.clicks = clicks(toml);
    }
    let replay = run.to_end().expect("a run");
    let mut history = empty(&scenario);
    history.take_in(replay.trace());
    (history, replay.now())
}

pub(super) fn empty(scenario: &Scenario) -> History {
    History::new(Lanes::new(scenario.names(), &scenario.spec().store.title))
}

pub(super) fn window(us_per_px: i64, seen_until: TrueTime) -> Window {
    Window {
        left: 0,
        width: 1_000_000,
        us_per_px,
        until: seen_until,
        now: seen_until,
        first_ahead: EventId(u32::MAX),
        seen_until,
        routine: Routine::Hidden,
        selected: None,
    }
}

/// Draws a run and compares it with a sketch: a line for each lane with `=` holds,
/// `-` believes wrongly, `o` holds unawares, `.` waits, `m` may end; under it, where there is
/// something, `P` paused, `S` suspended, `x` no process, `!` cut off, `?` in part.
#[track_caller]
fn check(scenario: &str, clicks: &str, expected: &str) {
    let (history, end) = history(scenario, clicks);
    let diagram = history.draw(&window(COLUMN_S * 1_000_000, end));
    let sketch = sketch(&history, &diagram);
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let found: Vec<&str> = sketch.lines().map(str::trim).collect();
    assert_eq!(found, expected, "\n{sketch}");
}

fn sketch(history: &History, diagram: &Diagram) -> String {
    let mut text = String::new();
    for lane in 0..history.lanes().count() {
        let row = |of: fn(Look) -> Option<char>| {
            let mut row = vec![' '; diagram.width as usize];
            for bar in diagram.bars.iter().filter(|bar| bar.lane == lane) {
                let from = (bar.x - view::MARGIN) as usize;
                if let Some(sign) = of(bar.look) {
                    row[from..from + bar.width as usize].fill(sign);
                }
            }
            row.into_iter().collect::<String>().trim_end().to_owned()
        };
        text.push_str(&format!("{}|{}\n", history.lanes().title(lane), row(held)));
        for below in [row(still), row(cut)].into_iter().filter(|row| !row.is_empty()) {
            text.push_str(&format!("|{below}\n"));
        }
    }
    text
}

fn held(look: Look) -> Option<char> {
    match look {
        Look::Queued => Some('.'),
        Look::Holds => Some('='),
        Look::Outdated => Some('-'),
        Look::Unaware => Some('o'),
        Look::MayEnd => Some('m'),
        Look::Still(_) | Look::Cut(_) => None,
    }
}

fn still(look: Look) -> Option<char> {
    match look {
        Look::Still(Still::Paused) => Some('P'),
        Look::Still(Still::Suspended) => Some('S'),
        Look::Still(Still::Crashed | Still::Exited) => Some('x'),
        _ => None,
    }
}

fn cut(look: Look) -> Option<char> {
    match look {
        Look::Cut(crate::text::short::Extent::Whole) => Some('!'),
        Look::Cut(crate::text::short::Extent::Part) => Some('?'),
        _ => None,
    }
}

/// The marks with words, oldest first.
#[track_caller]
fn check_marks(scenario: &str, clicks: &str, expected: &str) {
    let (history, _) = history(scenario, clicks);
    let found: Vec<String> = history
        .drawn()
        .points
        .iter()
        .filter(|point| !point.words.is_empty())
        .map(|point| {
            let lane = history.lanes().title(point.lane);
            format!("{} {lane}: {} ({:?})", point.at.0 / 100_000, point.words, point.shape)
        })
        .collect();
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(found, expected, "\n{}", found.join("\n"));
}

#[test]
fn a_holder_that_sleeps_through_its_lease_believes_on_beside_the_next() {
    check(
        "reconcile",
        "",
        "W1|=========================-----------
         |            PPPPPPPPPPPPPPPPPPPPPPP
         Lock service|
         W2|.........................==============
         Report store|",
    );
}

#[test]
fn a_waiter_in_the_queue_of_postgresql_waits_though_it_has_said_nothing() {
    check(
        "schema-migrations",
        "",
        "W1|===============--------------------
         |     PPPPPPPPPPPPPPPPPPPPPPPPP
         Lock service P1|
         W2|...............==========
         Shard 7|",
    );
}

#[test]
fn a_lock_delay_is_drawn_as_long_as_a_server_remembers_it() {
    check(
        "consul-lock-delay",
        "",
        "W1|==================----------------------
         |     PPPPPPPPPPPPPPPPPPPPPPPPPPPPPP
         Lock service C1|           mmmmmmm........
         W2|..........................==========
         Ledger|",
    );
    check(
        "consul-lock-delay",
        "[[click]]
         at_us = 10_000_000
         do.pause = { node = 'W1', for_ms = 30_000 }
         [[click]]
         at_us = 44_000_000
         do.crash = { node = 'C1', restart_after_ms = 2_000 }",
        "W1|==================-------
         |     PPPPPPPPPPPPPPP
         Lock service C1|           mmmmmmm....
         |                      x
         W2|.........................==========
         Ledger|",
    );
}

#[test]
fn from_a_ttl_after_its_last_renewal_a_session_of_consul_may_end_by_the_servers_clock() {
    // Renewed in time again, it may no more.
    check(
        "consul-lock-delay",
        "[[click]]
         at_us = 10_000_000
         do.pause = { node = 'W1', for_ms = 20_000 }",
        "W1|====================
         |     PPPPPPPPPP
         Lock service C1|           mmmm
         W2|....................==========
         Ledger|",
    );
    // Twice as fast.
    check(
        "consul-lock-delay",
        "[[click]]
         at_us = 10_000_000
         do.pause = { node = 'W1', for_ms = 60_000 }
         [[click]]
         at_us = 10_000_000
         do.set-rate = { node = 'C1', rate_ppm = 2_000_000 }",
        "W1|===========-----------------------------
         |     PPPPPPPPPPPPPPPPPPPPPPPPPPPPPP
         Lock service C1|        mmm....
         W2|................==========
         Ledger|",
    );
    // A suspended machine counts nothing.
    check(
        "consul-lock-delay",
        "[[click]]
         at_us = 10_000_000
         do.pause = { node = 'W1', for_ms = 60_000 }
         [[click]]
         at_us = 12_000_000
         do.suspend = { node = 'C1', for_ms = 20_000 }",
        "W1|============================------------
         |     PPPPPPPPPPPPPPPPPPPPPPPPPPPPPP
         Lock service C1|                     mmmmmmm........
         |      SSSSSSSSSS
         W2|........................
         Ledger|",
    );
}

#[test]
fn writes_are_judged_as_the_properties_judge_them() {
    let until_the_wake = "0 Report store: claim 42 (Accepted)
        515 Lock service: lease 42 ends (End)
        515 Report store: claim 43 (Accepted)";
    let after = "795 Report store: PUT 43 accepted (Accepted)
        796 Lock service: lock 43 released (End)
        796 W2: finished (Dot)";
    let checked = "730 Report store: PUT 42 refused, 412 (Refused)
        730 W1: stops (Dot)";
    check_marks("reconcile", "", &[until_the_wake, checked, after].join("\n"));
    let unchecked = "730 Report store: PUT 42 accepted, stale (Alarm)
        731 W1: finished (Dot)";
    check_marks("reconcile-unfenced", "", &[until_the_wake, unchecked, after].join("\n"));
}

#[test]
fn a_crashed_holder_believes_nothing_and_its_grant_stands() {
    check(
        "reconcile",
        "[[click]]
         at_us = 10_000_000
         do.crash = { node = 'W1', restart_after_ms = 20_000 }",
        "W1|=====oooooooooo..............
         |     xxxxxxxxxx
         Lock service|
         W2|...............==============
         Report store|",
    );
}

#[test]
fn a_suspended_machine_and_a_cut_link_are_stretches() {
    check(
        "reconcile",
        "[[click]]
         at_us = 10_000_000
         do.cut = { from = 'W1', to = 'etcd', for_ms = 10_000 }
         [[click]]
         at_us = 30_000_000
         do.cut = { from = 'W2', to = 'M1', way = 'one', for_ms = 6_000 }
         [[click]]
         at_us = 40_000_000
         do.suspend = { node = 'W2', for_ms = 6_000 }",
        // W2 finds the job done and gives the lock back at once.
        "W1|==============
         |     !!!!!
         Lock service|
         W2|..............
         |                    SSS
         |               ???
         Report store|",
    );
}

#[test]
fn members_share_a_lane_and_are_named() {
    check_marks(
        "reconcile",
        "[[click]]
         at_us = 5_000_000
         do.crash = { node = 'M1', restart_after_ms = 3_000 }",
        "0 Report store: claim 42 (Accepted)
         50 Lock service: M1 crashes (Crash)
         62 Lock service: M2 leads (Flag)
         80 Lock service: M1 starts again (Dot)
         280 Report store: PUT 42 accepted (Accepted)
         280 Lock service: lock 42 released (End)
         281 W1: finished (Dot)
         281 Report store: claim 43 (Accepted)
         281 Lock service: lock 43 released (End)
         282 W2: finished (Dot)",
    );
}

/// Arrows of one kind, as tips with the seconds between which they lie.
#[track_caller]
fn check_arrows(clicks: &str, kind: ArrowKind, routine: Routine, expected: &[(Tip, i64, i64)]) {
    let (history, end) = history("reconcile", clicks);
    let shown = Window { routine, ..window(1_000_000, end) };
    let diagram = history.draw(&shown);
    let seconds = |x: i64| x - view::MARGIN;
    let found: Vec<(Tip, i64, i64)> = diagram
        .arrows
        .iter()
        .filter(|path| path.kind == kind)
        .map(|path| (path.tip, seconds(path.points[0].0), seconds(path.points[1].0)))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn messages_are_arrows_and_lost_ones_end_in_a_cross() {
    let lost = "[[click]]
        at_us = 28_070_000
        do.drop = { message = { from = 'W1', to = 'store', kind = 'report', nth = 1 } }";
    let at = |tip, s| (tip, s, s);
    let expected = [
        at(Tip::Head, 0),
        at(Tip::Cross, 28),
        // Sent again, and then the other worker's claim.
        at(Tip::Head, 30),
        at(Tip::Head, 30),
    ];
    check_arrows(lost, ArrowKind::Claim, Routine::Hidden, &expected);
}

#[test]
fn renewals_are_drawn_only_when_they_are_asked_for() {
    check_arrows("", ArrowKind::Routine, Routine::Hidden, &[]);
    check_arrows("", ArrowKind::RefusedClaim, Routine::Hidden, &[(Tip::Head, 73, 73)]);
    check_arrows("", ArrowKind::Refusal, Routine::Hidden, &[(Tip::Head, 73, 73)]);
    let (history, end) = history("reconcile", "");
    let shown = Window { routine: Routine::Shown, ..window(1_000_000, end) };
    let routine = |path: &&super::Path| path.kind == ArrowKind::Routine;
    assert!(history.draw(&shown).arrows.iter().filter(routine).count() > 8);
}

/// Every scenario, at all sorts of widths, zooms and places.
fn all_views(mut look: impl FnMut(&History, &Window, &Diagram)) {
    for (id, _) in library::ALL {
        let (history, end) = history(id, "");
        let until = view::axis_end(end, None);
        for width in [300, 700, 1_200] {
            let mut zoom = view::Zoom::Fit;
            for _ in 0..14 {
                let us_per_px = zoom.us_per_px(until, width);
                let whole = Window { until, us_per_px, ..window(1, end) };
                for left in [0, whole.whole() / 2, whole.whole() - width] {
                    let left = left.max(0);
                    let seen = Window { left, width, ..whole.clone() };
                    look(&history, &seen, &history.draw(&seen));
                }
                zoom = zoom.step(view::Step::In, until, width);
            }
        }
    }
}

#[test]
fn no_words_cover_each_other_or_leave_the_view() {
    all_views(|_, window, diagram| {
        for (place, word) in diagram.words.iter().enumerate() {
            let right = word.x + width(&word.text);
            assert!(word.x >= window.left && right <= window.right(), "{word:?} in {window:?}");
            for other in &diagram.words[place + 1..] {
                let beside = right <= other.x || other.x + width(&other.text) <= word.x;
                assert!(beside || (word.y - other.y).abs() >= 14, "{word:?} covers {other:?}");
            }
        }
    });
}

#[test]
fn no_words_of_what_lies_beside_the_view_stand_at_its_edge() {
    all_views(|_, window, diagram| {
        for word in diagram.words.iter() {
            let (from, to) = match word.beside {
                Beside::Mark(x, _) | Beside::Led(x, _) => (x, x),
                Beside::Bar(_) => {
                    let of = diagram.bars.iter().find(|bar| bar.event == word.event);
                    of.map(|bar| (bar.x, bar.x + bar.width)).expect("words of a bar")
                }
            };
            let is_in_view = to >= window.left && from <= window.right();
            assert!(is_in_view, "{word:?} from {from} to {to} in {window:?}");
        }
    });
}

#[test]
fn only_what_is_in_view_is_drawn() {
    all_views(|_, window, diagram| {
        let near = window.left - 100..=window.right() + 100;
        assert!(diagram.marks.iter().all(|mark| near.contains(&mark.x)));
        assert!(diagram.ticks.iter().all(|tick| near.contains(&tick.x)));
        assert!(diagram.ticks.len() as i64 <= window.width / 60 + 4);
        for bar in diagram.bars.iter() {
            assert!(bar.x <= *near.end() && bar.x + bar.width >= *near.start());
        }
    });
}

#[test]
fn the_refusal_is_told_in_words_however_small_the_diagram_is() {
    let (history, end) = history("reconcile", "");
    let until = view::axis_end(end, None);
    let us_per_px = view::Zoom::Fit.us_per_px(until, 300);
    let diagram = history.draw(&Window { until, us_per_px, ..window(1, end) });
    let words: Vec<&str> = diagram.words.iter().map(|word| word.text.as_str()).collect();
    for text in ["PUT 42 refused, 412", "lease 42 ends", "claim 43", "paused 45 s", "lease 43"] {
        assert!(words.contains(&text), "{text} in {words:?}");
    }
    // As on a phone, scrolled to the end.
    let phone = Window { until, us_per_px, left: 330, width: 264, ..window(1, end) };
    let words: Vec<String> = history.draw(&phone).words.iter().map(|w| w.text.clone()).collect();
    assert!(words.contains(&"PUT 42 refused, 412".to_owned()), "{words:?}");
}

#[test]
fn a_history_built_event_by_event_is_the_same() {
    let scenario = Scenario::built_in("reconcile").expect("a scenario");
    let replay = scenario.run().to_end().expect("a run");
    let mut slow = empty(&scenario);
    for events in 0..=replay.trace().len() {
        slow.take_in(&replay.trace()[..events]);
    }
    let (fast, end) = history("reconcile", "");
    let window = window(20_000, end);
    assert_eq!(slow.draw(&window), fast.draw(&window));
}
