//! Which part of a run is in view, and how large.

use crate::sim::event::EventId;
use crate::sim::time::TrueTime;

/// Left of the start, pixels.
pub const MARGIN: i64 = 14;
/// Right of the end: half of the last words of the axis.
const MARGIN_RIGHT: i64 = 28;
/// What lies so near to the view is drawn with it, pixels.
const NEARLY: i64 = 40;
/// A whole run is not drawn narrower unless somebody asks for it: below this few words
/// find a place.
const NARROWEST: i64 = 600;
/// No view is taken for narrower.
const LEAST: i64 = 100;
/// The largest scale, in microseconds a pixel: ten pixels a millisecond.
const CLOSEST_US: i64 = 100;
/// A diagram is not drawn wider, whatever the scale: browsers have bounds.
const WIDEST: i64 = 4_000_000;

/// What part of a run is drawn, and what of it is where.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The left end of what is in view, pixels from the diagram's left end.
    pub left: i64,
    /// How much is in view, pixels.
    pub width: i64,
    /// Microseconds a pixel.
    pub us_per_px: i64,
    /// How far the axis goes.
    pub until: TrueTime,
    /// The present moment.
    pub now: TrueTime,
    /// The first event that lies ahead of it.
    pub first_ahead: EventId,
    /// How far the run has been run.
    pub seen_until: TrueTime,
    /// Whether routine messages are drawn.
    pub routine: crate::lab::Routine,
    /// The event selected, with its time, by the machine it happened on.
    pub selected: Option<(EventId, TrueTime, super::lanes::Lane)>,
}

impl Window {
    /// Where a moment lies, pixels from the diagram's left end.
    pub fn x(&self, at: TrueTime) -> i64 {
        x(at, self.us_per_px)
    }

    /// The whole diagram's width.
    pub fn whole(&self) -> i64 {
        whole(self.until, self.us_per_px)
    }

    /// The right end of what is in view.
    pub fn right(&self) -> i64 {
        self.left + self.width
    }

    /// The time of what is in view, or nearly.
    pub(super) fn time(&self) -> (TrueTime, TrueTime) {
        let at = |x: i64| TrueTime((x - MARGIN) * self.us_per_px);
        (at(self.left - NEARLY - 1), at(self.right() + NEARLY + 1))
    }

    /// Whether something that reaches from `from` to `to` is in view, or nearly.
    pub(super) fn shows(&self, from: i64, to: i64) -> bool {
        to >= self.left - NEARLY && from <= self.right() + NEARLY
    }
}

/// Where a moment lies at a scale, pixels from the diagram's left end.
pub(super) fn x(at: TrueTime, us_per_px: i64) -> i64 {
    MARGIN + at.0 / us_per_px
}

/// How wide a run is at a scale.
pub(super) fn whole(until: TrueTime, us_per_px: i64) -> i64 {
    x(until, us_per_px) + MARGIN_RIGHT
}

/// How large a run is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zoom {
    /// All that has been run fits, and is wide enough for words: where the view is narrow
    /// it reaches over its edge.
    #[default]
    Fit,
    /// All that has been run is in view, however narrow that is.
    All,
    /// So many microseconds a pixel.
    At(i64),
}

/// Nearer or farther.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Twice as large.
    In,
    /// Half as large.
    Out,
}

/// How far the axis goes: as far as the run has been run, at least to where it waits,
/// in round steps, so that a run that plays does not change the scale all the time.
pub fn axis_end(seen_until: TrueTime, waits_at: Option<TrueTime>) -> TrueTime {
    const SECOND: i64 = 1_000_000;
    let needed = seen_until.max(waits_at.unwrap_or_default()).0;
    let mut decade = 10 * SECOND;
    loop {
        for tenths in [10, 15, 20, 30, 45, 60, 90] {
            let end = decade / 10 * tenths;
            if end >= needed {
                return TrueTime(end);
            }
        }
        decade *= 10;
    }
}

impl Zoom {
    /// Microseconds a pixel, for a box of this width and an axis that ends there.
    pub fn us_per_px(self, until: TrueTime, width: i64) -> i64 {
        let fit = fit(until, width);
        match self {
            Zoom::Fit => fit,
            Zoom::All => fitting(until, width.max(LEAST)),
            Zoom::At(us) => us.clamp(closest(until), fit),
        }
    }

    /// One step nearer or farther; as far as all that there is, it fits.
    pub fn step(self, step: Step, until: TrueTime, width: i64) -> Zoom {
        let now = self.us_per_px(until, width);
        match step {
            Step::In => Zoom::to(now / 2, until, width),
            Step::Out => Zoom::to(nearly_fit(now * 2, until, width), until, width),
        }
    }

    /// So many microseconds a pixel, as far as that goes.
    pub(super) fn to(us_per_px: i64, until: TrueTime, width: i64) -> Zoom {
        let is_all = us_per_px >= fit(until, width);
        if is_all { Zoom::Fit } else { Zoom::At(us_per_px.max(closest(until))) }
    }
}

/// As many steps back as there were lead back to all of it, though each is rounded.
pub(super) fn nearly_fit(us_per_px: i64, until: TrueTime, width: i64) -> i64 {
    let fit = fit(until, width);
    if us_per_px > fit / 50 * 49 { fit } else { us_per_px }
}

fn fit(until: TrueTime, width: i64) -> i64 {
    fitting(until, width.max(NARROWEST))
}

fn fitting(until: TrueTime, width: i64) -> i64 {
    let inner = width - MARGIN - MARGIN_RIGHT;
    (until.0 + inner - 1) / inner
}

fn closest(until: TrueTime) -> i64 {
    CLOSEST_US.max(until.0 / WIDEST)
}

/// Where to scroll so that a moment is in view: nowhere if it is, well inside.
pub fn scroll_to(x: i64, left: i64, width: i64) -> Option<i64> {
    let edge = width / 12;
    if (left + edge..=left + width - edge).contains(&x) {
        return None;
    }
    // What comes next lies to the right.
    Some((x - width / 3).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = 1_000_000;

    #[track_caller]
    fn ends(seen_s: i64, waits_s: Option<i64>, expected_s: i64) {
        let waits = waits_s.map(|s| TrueTime(s * SECOND));
        assert_eq!(axis_end(TrueTime(seen_s * SECOND), waits), TrueTime(expected_s * SECOND));
    }

    #[test]
    fn the_axis_ends_at_a_round_moment_after_what_has_been_run() {
        ends(0, None, 10);
        ends(0, Some(25), 30);
        ends(30, Some(25), 30);
        ends(31, Some(25), 45);
        ends(80, Some(25), 90);
        ends(91, None, 100);
        ends(86_400, None, 90_000);
    }

    #[test]
    fn all_of_it_fits_and_narrow_boxes_scroll() {
        let until = TrueTime(90 * SECOND);
        assert_eq!(window(Zoom::Fit, until, 1_100).whole(), 1_099);
        assert!(window(Zoom::Fit, until, 300).whole() > 590);
    }

    #[test]
    fn all_of_it_is_in_view_when_asked_for_in_a_narrow_box_too() {
        let until = TrueTime(90 * SECOND);
        for width in [150, 240, 300, 599] {
            let all = window(Zoom::All, until, width);
            assert!((width - 2..=width).contains(&all.whole()), "{} of {width}", all.whole());
            let near = Zoom::All.step(Step::In, until, width);
            assert!(near.us_per_px(until, width) < all.us_per_px, "{width}");
        }
        assert_eq!(window(Zoom::All, until, 900), window(Zoom::Fit, until, 900));
    }

    #[test]
    fn zooming_in_has_an_end_and_zooming_out_fits() {
        let until = TrueTime(90 * SECOND);
        let mut zoom = Zoom::Fit;
        for _ in 0..40 {
            zoom = zoom.step(Step::In, until, 900);
        }
        assert_eq!(zoom, Zoom::At(CLOSEST_US));
        for _ in 0..40 {
            zoom = zoom.step(Step::Out, until, 900);
        }
        assert_eq!(zoom, Zoom::Fit);
        let day = TrueTime(86_400 * SECOND);
        assert!(window(Zoom::At(1), day, 900).whole() < WIDEST + 100);
    }

    #[test]
    fn a_step_in_and_one_out_lead_back_at_every_width() {
        let until = TrueTime(90 * SECOND);
        for width in 600..700 {
            let near = Zoom::Fit.step(Step::In, until, width);
            assert_eq!(near.step(Step::Out, until, width), Zoom::Fit, "{width}");
        }
    }

    #[test]
    fn one_scrolls_only_to_what_is_out_of_view() {
        assert_eq!(scroll_to(500, 0, 900), None);
        assert_eq!(scroll_to(890, 0, 900), Some(590));
        assert_eq!(scroll_to(50, 600, 900), Some(0));
    }

    fn window(zoom: Zoom, until: TrueTime, width: i64) -> Window {
        Window {
            left: 0,
            width,
            us_per_px: zoom.us_per_px(until, width),
            until,
            now: TrueTime(0),
            first_ahead: EventId(0),
            seen_until: TrueTime(0),
            routine: crate::lab::Routine::Hidden,
            selected: None,
        }
    }
}
