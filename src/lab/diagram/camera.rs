//! Where one looks: the scale, the place and the width of the view, and what moves it.
//!
//! ```text
//!   buttons, keys ─────────────────────┐
//!   wheel ─────────────────────────────┼──► Move ──► Camera ──► Window
//!   mouse, fingers ──► Pointers ───────┘
//! ```
//!
//! Whatever zooms keeps one moment where it is: the one under the pointer or between
//! the fingers, or else the one that the caller names.

use super::view::{MARGIN, Step, Zoom, nearly_fit, scroll_to, whole, x};
use crate::sim::time::{Span, TrueTime};

/// Of a wheel's turn no more counts at once: a notch of a mouse's wheel, of which some
/// systems make hundreds.
const NOTCH: i64 = 50;

/// Two fingers: the middle between them and how far they are apart, in pixels of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The middle.
    pub middle: i64,
    /// How far apart.
    pub apart: i64,
}

/// What is done to the view. Places are pixels from the left edge of the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The view is so wide.
    Width(i64),
    /// The browser has scrolled it to this pixel.
    Scrolled(i64),
    /// By so many pixels.
    Pan(i64),
    /// To this pixel.
    To(i64),
    /// All of it.
    Fit,
    /// Nearer or farther.
    Step(Step),
    /// A wheel was turned to zoom: so far, at this place.
    Wheel {
        /// Away from the reader is less than nothing, and zooms in.
        turn: i64,
        /// Where the pointer is.
        at: i64,
    },
    /// A drag or pinch begins: what it does is reckoned from here.
    Hold,
    /// What is held was dragged so far.
    Drag(i64),
    /// What is held was under the first pair of fingers and is under the second.
    Pinch(Pair, Pair),
    /// So that a moment is in view.
    Show(TrueTime),
    /// A moment in the middle, and as much before and after it.
    Frame(TrueTime, Span),
}

/// Where one looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Camera {
    /// How large.
    pub zoom: Zoom,
    /// How wide the view is, in pixels.
    pub width: i64,
    /// Its left end, pixels from the diagram's left end.
    pub left: i64,
    /// Left end and scale as a drag or pinch began.
    held: (i64, i64),
}

impl Camera {
    /// On all of a run.
    pub fn new(width: i64) -> Camera {
        Camera { zoom: Zoom::Fit, width, left: 0, held: (0, 1) }
    }

    /// Microseconds a pixel, for an axis that ends there.
    pub fn us_per_px(&self, until: TrueTime) -> i64 {
        self.zoom.us_per_px(until, self.width)
    }

    /// Whether a moment is in view.
    pub fn sees(&self, at: TrueTime, until: TrueTime) -> bool {
        (0..=self.width).contains(&(x(at, self.us_per_px(until)) - self.left))
    }

    /// Moves it, for an axis that ends there. A zoom that has no place of its own keeps
    /// `fixed` where it is, or else the middle.
    pub fn take(&mut self, movement: Move, until: TrueTime, fixed: Option<TrueTime>) {
        match movement {
            Move::Width(width) => self.width = width,
            Move::Scrolled(left) => self.left = left,
            Move::Pan(by) => self.left += by,
            Move::To(left) => self.left = left,
            Move::Fit => self.zoom = Zoom::All,
            Move::Step(step) => {
                let next = self.zoom.step(step, until, self.width);
                let us_per_px = next.us_per_px(until, self.width);
                self.scale(us_per_px, self.place_of(fixed, until), until);
            }
            Move::Wheel { turn, at } => {
                let now = self.us_per_px(until);
                let part = 100 + turn.abs().min(NOTCH);
                let next = match turn {
                    ..0 => now * 100 / part,
                    _ => nearly_fit(now * part / 100, until, self.width),
                };
                self.scale(next, at, until);
            }
            Move::Hold => self.held = (self.left, self.us_per_px(until)),
            Move::Drag(by) => self.left = self.held.0 - by,
            Move::Pinch(from, to) => {
                let (left, us_per_px) = self.held;
                let at = moment(left + from.middle, us_per_px);
                self.keep(us_per_px * from.apart / to.apart.max(1), at, to.middle, until);
            }
            Move::Show(at) => {
                let x = x(at, self.us_per_px(until));
                self.left = scroll_to(x, self.left, self.width).unwrap_or(self.left);
            }
            Move::Frame(at, around) => {
                self.keep(2 * around.us() / self.width.max(1), at, self.width / 2, until);
            }
        }
        let whole = whole(until, self.us_per_px(until));
        self.left = self.left.min(whole - self.width).max(0);
    }

    /// Where the moment is that is to stay, if it is in view, or else the middle.
    fn place_of(&self, fixed: Option<TrueTime>, until: TrueTime) -> i64 {
        let fixed = fixed.filter(|at| self.sees(*at, until));
        fixed.map_or(self.width / 2, |at| x(at, self.us_per_px(until)) - self.left)
    }

    /// Another scale; what is at this place stays there.
    fn scale(&mut self, us_per_px: i64, place: i64, until: TrueTime) {
        let at = moment(self.left + place, self.us_per_px(until));
        self.keep(us_per_px, at, place, until);
    }

    /// Another scale, and a moment at this place.
    fn keep(&mut self, us_per_px: i64, at: TrueTime, place: i64, until: TrueTime) {
        self.zoom = Zoom::to(us_per_px, until, self.width);
        self.left = x(at, self.us_per_px(until)) - place;
    }
}

/// The middle of a pixel's time: what is zoomed again and again shall not drift.
fn moment(x: i64, us_per_px: i64) -> TrueTime {
    TrueTime((x - MARGIN) * us_per_px + us_per_px / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNTIL: TrueTime = TrueTime(90_000_000);

    fn at(left: i64, us_per_px: i64) -> Camera {
        let zoom = Zoom::At(us_per_px);
        Camera { zoom, width: 1_000, left, held: (0, 1) }
    }

    /// The moment that lies at this place of the view.
    fn under(camera: &Camera, place: i64) -> TrueTime {
        moment(camera.left + place, camera.us_per_px(UNTIL))
    }

    /// What is at `place` stays there, to a pixel, and the scale is this.
    #[track_caller]
    fn check(movement: Move, fixed: Option<TrueTime>, place: i64, us_per_px: i64) {
        let mut camera = at(3_000, 10_000);
        let before = under(&camera, place);
        camera.take(movement, UNTIL, fixed);
        assert_eq!(camera.us_per_px(UNTIL), us_per_px, "{movement:?}");
        let off = x(before, us_per_px) - camera.left - place;
        assert!(off.abs() <= 1, "{movement:?} moves it by {off}");
    }

    #[test]
    fn a_zoom_keeps_what_is_under_the_pointer_or_the_fixed_moment() {
        check(Move::Wheel { turn: -25, at: 700 }, None, 700, 8_000);
        check(Move::Wheel { turn: 25, at: 40 }, None, 40, 12_500);
        check(Move::Step(Step::In), None, 500, 5_000);
        let fixed = under(&at(3_000, 10_000), 120);
        check(Move::Step(Step::In), Some(fixed), 120, 5_000);
        check(Move::Step(Step::Out), Some(TrueTime(0)), 500, 20_000);
    }

    #[test]
    fn a_notch_of_any_size_zooms_by_half_at_most() {
        check(Move::Wheel { turn: 480, at: 300 }, None, 300, 15_000);
    }

    #[test]
    fn small_turns_of_a_wheel_add_up_both_ways_and_do_not_drift() {
        let mut camera = at(300_000, 100);
        let before = under(&camera, 400);
        for turn in [1, -1] {
            for _ in 0..200 {
                camera.take(Move::Wheel { turn, at: 400 }, UNTIL, None);
            }
            assert_eq!(turn > 0, camera.us_per_px(UNTIL) > 300, "{camera:?}");
        }
        let off = x(before, camera.us_per_px(UNTIL)) - camera.left - 400;
        assert!(off.abs() <= 50, "{off} pixels of 100 µs after 400 turns");
    }

    #[test]
    fn as_many_turns_back_lead_back_to_all_of_it() {
        let mut camera = Camera::new(941);
        for turn in [-9, -90, -30, 30, 90, 9] {
            camera.take(Move::Wheel { turn, at: 400 }, UNTIL, None);
        }
        assert_eq!((camera.zoom, camera.left), (Zoom::Fit, 0));
    }

    #[test]
    fn a_pinch_keeps_what_was_between_the_fingers_between_them() {
        let mut camera = at(3_000, 10_000);
        camera.take(Move::Hold, UNTIL, None);
        let began = Pair { middle: 200, apart: 100 };
        let held = under(&camera, 200);
        for (middle, apart, us_per_px) in [(230, 50, 20_000), (260, 200, 5_000), (300, 400, 2_500)]
        {
            camera.take(Move::Pinch(began, Pair { middle, apart }), UNTIL, None);
            assert_eq!(camera.us_per_px(UNTIL), us_per_px);
            let off = x(held, us_per_px) - camera.left - middle;
            assert!(off.abs() <= 1, "{off}");
        }
        camera.take(Move::Pinch(began, Pair { middle: 200, apart: 0 }), UNTIL, None);
        assert_eq!(camera.zoom, Zoom::Fit, "fingers at one place");
    }

    #[test]
    fn a_drag_moves_by_as_much_and_not_beyond_the_ends() {
        let mut camera = at(3_000, 10_000);
        camera.take(Move::Hold, UNTIL, None);
        for (by, left) in [(-100, 3_100), (250, 2_750), (9_000, 0)] {
            camera.take(Move::Drag(by), UNTIL, None);
            assert_eq!(camera.left, left);
        }
        camera.take(Move::To(i64::MAX / 2), UNTIL, None);
        assert_eq!(camera.left + camera.width, whole(UNTIL, 10_000));
    }

    #[test]
    fn a_frame_shows_as_much_before_as_after() {
        let mut camera = Camera::new(1_000);
        let moment = TrueTime(40_000_000);
        camera.take(Move::Frame(moment, Span::from_ms(2_000)), UNTIL, None);
        assert_eq!(camera.us_per_px(UNTIL), 4_000);
        assert_eq!(x(moment, 4_000) - camera.left, 500);
        camera.take(Move::Frame(moment, Span::ZERO), UNTIL, None);
        assert!(camera.us_per_px(UNTIL) >= 100, "there is a closest");
    }
}
