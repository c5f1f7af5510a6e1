//! From a history and a window to a diagram.

use super::history::{ArrowEnd, ArrowKind, History, Point, Shape, Span, Stretch};
use super::lanes::Lane;
use super::pile::{Arrows, MOST, Points, Stretches, is_crowded, pile, rise};
use super::words::{ABOVE, BELOW, INSIDE, Near, Side, Spot, Wanted, place, width};
use super::{
    AXIS, Bar, Diagram, HALF_BAR, HALF_STILL, Line, Look, Mark, Of, Path, Tip, Window, axis, lane_y,
};
use crate::lab::Routine;
use crate::sim::order;
use crate::sim::time::TrueTime;
use crate::text::short::{self, Still};
use std::cmp::Reverse;

impl History {
    /// How high its diagram is.
    pub fn height(&self) -> i64 {
        lane_y(self.lanes().count() - 1) + AXIS + 10
    }

    /// What of it is in view.
    pub fn draw(&self, window: &Window) -> Diagram {
        let (now, seen) = (window.x(window.now), window.x(window.seen_until));
        let mut drawing = Drawing { history: self, window, wanted: Vec::new() };
        let bars = drawing.bars();
        let lines = drawing.lines(&bars);
        let marks = drawing.marks();
        let bounds = drawing.bounds();
        Diagram {
            width: window.whole(),
            height: self.height(),
            ticks: axis::ticks(window).into(),
            lines: lines.into(),
            arrows: drawing.arrows().into(),
            words: place(drawing.wanted, (&marks, &bars), bounds, window.first_ahead).into(),
            bars: bars.into(),
            marks: marks.into(),
            now,
            ahead: (seen > now).then_some(seen),
            selected: window.selected.map(|(event, at, lane)| {
                let point = self.drawn().points.within(at, at).find(|point| point.event == event);
                (window.x(at), lane_y(lane) + point.map_or(0, |point| rise(point.shape)))
            }),
        }
    }

    /// Whether the event selected cannot be told from its neighbours in this window.
    pub fn is_crowded(&self, window: &Window) -> bool {
        let Some((_, at, lane)) = window.selected else { return false };
        let near = 10 * window.us_per_px;
        let points = self.drawn().points.within(TrueTime(at.0 - near), TrueTime(at.0 + near));
        let points = points.map(|point| (point.lane, window.x(point.at)));
        is_crowded(points, lane, window.x(at))
    }
}

struct Drawing<'a> {
    history: &'a History,
    window: &'a Window,
    wanted: Vec<Wanted>,
}

impl Drawing<'_> {
    /// Between what words stand.
    fn bounds(&self) -> (i64, i64) {
        let window = self.window;
        (window.left.max(2), window.right().min(window.whole()) - 2)
    }

    /// Where a stretch lies, if it is in view and lasts a pixel.
    fn reach(&self, stretch: &Stretch) -> Option<(i64, i64)> {
        let window = self.window;
        let from = window.x(stretch.from);
        let to = window.x(stretch.to.unwrap_or(window.seen_until));
        (to > from && window.shows(from, to)).then_some((from, to))
    }

    fn bars(&mut self) -> Vec<Bar> {
        let mut all = Vec::new();
        let (from, to) = self.window.time();
        for stretch in self.history.drawn().stretches.within(from, to) {
            let Some(ends) = self.reach(stretch) else { continue };
            all.push(Stretches { stretch, look: look(&stretch.what), ends, count: 1 });
        }
        let piled = pile(all, self.window.chosen()).into_iter();
        let (mut bars, words): (Vec<Bar>, Vec<String>) = piled
            .map(|Stretches { stretch, look, ends, count }| {
                let (lane, event) = (stretch.lane, stretch.event);
                let words = if count > 1 { short::times(count) } else { self.words_of(stretch) };
                (Bar { lane, x: ends.0, width: ends.1 - ends.0, look, event, count }, words)
            })
            .unzip();
        for (bar, words) in bars.iter().zip(words) {
            self.name_bar(words, bar, &bars);
        }
        // Shades lie over bars.
        order::by_key(&mut bars, |bar| bar.look);
        bars
    }

    /// Words of a bar, at its left end as far as that is in view, or else farther on, and
    /// between the ends of what lies over or under it rather than across one.
    fn name_bar(&mut self, text: String, bar: &Bar, all: &[Bar]) {
        let window = self.window;
        if bar.x + bar.width <= window.left || bar.x >= window.right() {
            return;
        }
        let left = bar.x.max(window.left) + 6;
        let right = (bar.x + bar.width).min(window.right()) - 6;
        let is_short = bar.look == Look::MayEnd && width(&text) > right - left;
        let text = if is_short { short::MAY_END_SHORT.to_owned() } else { text };
        let wide = width(&text);
        let y = lane_y(bar.lane);
        let mut places = Vec::new();
        let mut inside = |line: i64, x: i64| {
            if x >= left && x + wide <= right {
                places.push((x, y + line));
            }
        };
        let middle = left + (right - left - wide) / 2;
        let between = between((left, right), bar.lane, all).filter(|(from, to)| to - from >= wide);
        let between: Vec<i64> = between.map(|(from, to)| from + (to - from - wide) / 2).collect();
        match bar.look {
            Look::Still(Still::Paused | Still::Suspended) => {
                for x in [middle, left, right - wide, middle - wide].into_iter().chain(between) {
                    inside(INSIDE, x);
                }
                inside(ABOVE, middle);
                inside(ABOVE, left);
            }
            Look::Still(Still::Crashed | Still::Exited) => inside(INSIDE, middle),
            Look::Cut(_) => {
                inside(BELOW, left);
                inside(ABOVE, left);
                places.push((left, y + BELOW));
            }
            _ => {
                for x in [left, middle, right - wide].into_iter().chain(between) {
                    inside(INSIDE, x);
                }
            }
        }
        let (rank, of) = match bar.look {
            Look::Still(_) => (2, Of::Shade),
            Look::Outdated => (2, Of::Bad),
            Look::Cut(_) => (3, Of::Bad),
            Look::Holds | Look::Unaware | Look::Queued | Look::MayEnd => (3, Of::Lane(bar.lane)),
        };
        let at = Near::Bar(bar.look, places);
        self.wanted.push(Wanted { text, of, event: bar.event, rank, at });
    }

    fn words_of(&self, stretch: &Stretch) -> String {
        let lanes = self.history.lanes();
        let service = lanes.names().service();
        match &stretch.what {
            Span::Queued(revision) => short::queued(service, *revision),
            Span::Holds { revision, token } => short::holds(service, *revision, *token),
            Span::Outdated { token } => short::still_believes(*token),
            Span::Unaware(revision) => short::unaware(*revision),
            Span::Delay(lasts) => short::lock_delay(*lasts),
            Span::MayEnd => short::MAY_END.to_owned(),
            Span::Still(why) => {
                let lasted = stretch.to.map(|to| to - stretch.from);
                short::still(*why, lasted)
            }
            Span::Cut { other, .. } if *other == stretch.lane => short::MEMBERS_CUT.to_owned(),
            Span::Cut { other, extent } => short::cut(lanes.title(*other), *extent),
        }
    }

    /// Lanes, but not where no process runs.
    fn lines(&self, bars: &[Bar]) -> Vec<Line> {
        let window = self.window;
        let (left, right) = (window.left - 40, (window.right() + 40).min(window.whole()));
        let mut lines = Vec::new();
        for lane in 0..self.history.lanes().count() {
            let mut from = left.max(super::view::MARGIN);
            let down = |bar: &&Bar| {
                let ended = Look::Still(Still::Crashed)..=Look::Still(Still::Exited);
                bar.lane == lane && ended.contains(&bar.look)
            };
            let mut gaps: Vec<&Bar> = bars.iter().filter(down).collect();
            order::by_key(&mut gaps, |bar| bar.x);
            for gap in gaps {
                lines.push(Line { lane, from, to: gap.x });
                from = gap.x + gap.width;
            }
            lines.push(Line { lane, from, to: right });
        }
        lines.retain(|line| line.to > line.from);
        lines
    }

    fn marks(&mut self) -> Vec<Mark> {
        let window = self.window;
        let (from, to) = window.time();
        let points = self.history.drawn().points.within(from, to);
        let all: Vec<Points> = points
            .map(|point| Points { point, x: window.x(point.at), count: 1 })
            .filter(|points| window.shows(points.x, points.x))
            .collect();
        // As long as there are not too many, each has its own words, even in one place.
        let is_few = all.len() <= MOST;
        if is_few {
            for Points { point, x, .. } in &all {
                self.name_mark(point, point.words.clone(), *x);
            }
        }
        let mut marks = Vec::new();
        for Points { point, x, count } in pile(all, window.chosen()) {
            if !is_few && count > 1 {
                self.name_mark(point, short::many(&point.words, count), x);
            } else if !is_few {
                self.name_mark(point, point.words.clone(), x);
            }
            let Point { lane, event, shape, .. } = *point;
            marks.push(Mark { x, lane, shape, event, count });
        }
        // What matters most lies on top.
        order::by_key(&mut marks, |mark| Reverse(mark.shape));
        marks
    }

    /// Words of a mark, if its middle is in view: at the edge those of others would stand
    /// beside nothing.
    fn name_mark(&mut self, point: &Point, text: String, x: i64) {
        let window = self.window;
        if text.is_empty() || !(window.left..=window.right()).contains(&x) {
            return;
        }
        let (rank, of) = match point.shape {
            Shape::Refused | Shape::Alarm => (0, Of::Bad),
            Shape::End | Shape::Crash => (1, Of::Plain),
            Shape::Accepted => (2, Of::Plain),
            Shape::Flag => (3, Of::Plain),
            Shape::Click => (4, Of::Plain),
            Shape::Dot => (5, Of::Plain),
        };
        let is_above = matches!(point.shape, Shape::End | Shape::Click);
        let lines = if is_above { [ABOVE, BELOW] } else { [BELOW, ABOVE] };
        let lane = lane_y(point.lane);
        let spot = Spot { x, y: lane + rise(point.shape), lane, lines, side: Side::Right };
        self.wanted.push(Wanted { text, of, event: point.event, rank, at: Near::Mark(spot) });
    }

    /// Messages.
    fn arrows(&self) -> Vec<Path> {
        let window = self.window;
        let (from, to) = window.time();
        let mut all = Vec::new();
        for arrow in self.history.drawn().arrows.within(from, to) {
            if arrow.kind == ArrowKind::Routine && window.routine == Routine::Hidden {
                continue;
            }
            let (sent, seen) = (window.x(arrow.sent), window.x(window.seen_until));
            let (end, tip) = match arrow.end {
                ArrowEnd::Taken(at) | ArrowEnd::Returned(at) => (window.x(at), Tip::Head),
                ArrowEnd::Lost(at) => (window.x(at), Tip::Cross),
                ArrowEnd::Open => (seen.max(sent), Tip::Open),
            };
            if window.shows(sent, end) {
                all.push(Arrows { arrow, ends: (sent, end), tip, count: 1 });
            }
        }
        let piled = pile(all, window.chosen()).into_iter();
        let mut paths: Vec<Path> = piled.map(path).collect();
        // What matters lies on top.
        order::by_key(&mut paths, |path| path.kind);
        paths
    }
}

/// What lies between the ends of a lane's bars, within bounds.
fn between(
    (left, right): (i64, i64),
    lane: Lane,
    bars: &[Bar],
) -> impl Iterator<Item = (i64, i64)> + use<> {
    let ends = bars.iter().filter(|bar| bar.lane == lane).flat_map(Bar::ends);
    let mut ends: Vec<i64> = ends.filter(|x| (left..right).contains(x)).collect();
    order::by_key(&mut ends, |x| *x);
    let from: Vec<i64> = std::iter::once(left).chain(ends.iter().map(|x| x + 6)).collect();
    from.into_iter().zip(ends.into_iter().map(|x| x - 6).chain([right]))
}

fn path(of: Arrows) -> Path {
    let Arrows { arrow, ends: (sent, end), tip, count } = of;
    let (y, target) = (lane_y(arrow.from), lane_y(arrow.to));
    let half = (y + target) / 2;
    let points = match arrow.end {
        ArrowEnd::Taken(_) => vec![(sent, y), (end, target)],
        ArrowEnd::Lost(_) | ArrowEnd::Open => vec![(sent, y), (end, half)],
        ArrowEnd::Returned(_) => vec![(sent, y), ((sent + end) / 2, target), (end, y)],
    };
    Path { points, kind: arrow.kind, lane: arrow.from, tip, event: arrow.event, count }
}

fn look(what: &Span) -> Look {
    match what {
        // Whoever would have the lock waits.
        Span::Queued(_) | Span::Delay(_) => Look::Queued,
        Span::Holds { .. } => Look::Holds,
        Span::Outdated { .. } => Look::Outdated,
        Span::Unaware(_) => Look::Unaware,
        Span::MayEnd => Look::MayEnd,
        Span::Still(why) => Look::Still(*why),
        Span::Cut { extent, .. } => Look::Cut(*extent),
    }
}

impl Bar {
    /// Where an edge of it is to be seen: not of what lies under the lane.
    pub(super) fn ends(&self) -> Vec<i64> {
        match self.look {
            Look::Cut(_) => Vec::new(),
            _ => vec![self.x, self.x + self.width],
        }
    }

    /// Its upper end and its height.
    pub fn rise(&self) -> (i64, i64) {
        let y = lane_y(self.lane);
        match self.look {
            Look::Still(_) => (y - HALF_STILL, 2 * HALF_STILL),
            Look::Cut(_) => (y + HALF_STILL, 0),
            _ => (y - HALF_BAR, 2 * HALF_BAR),
        }
    }
}
