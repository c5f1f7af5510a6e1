//! Mouse and fingers on the diagram. A mouse that is pressed and moved drags, and one
//! that is only pressed selects. One finger is the browser's, which scrolls by it; two
//! are a pinch, which zooms and moves. What is put down on a handle moves that, and the
//! view stays.

use super::camera::{Move, Pair};

/// So far a mouse may move and still have only pressed, in pixels.
const STILL: i64 = 4;

/// What points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hand {
    /// A mouse, with its main button.
    Mouse,
    /// A finger, or a pen.
    Finger,
}

/// A place in the view, in pixels from its left upper corner.
pub type Place = (i64, i64);

/// What pointers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The view moves.
    View(Move),
    /// A handle is held, so far from where it was.
    Hold {
        /// Which.
        handle: usize,
        /// How far to the right, pixels.
        by: i64,
    },
    /// What was held goes back to its place.
    LetGo,
    /// It is let go of there.
    Drop {
        /// Which.
        handle: usize,
        /// How far to the right, pixels.
        by: i64,
    },
}

/// What points at the diagram now.
#[derive(Debug, Default)]
pub struct Pointers {
    mouse: Option<(i32, i64)>,
    /// In the order in which they came.
    fingers: Vec<(i32, Place)>,
    grip: Grip,
}

#[derive(Debug, Default, PartialEq)]
enum Grip {
    #[default]
    None,
    /// A mouse drags, or has dragged and the click that ends it is still to come.
    Drags,
    /// Two fingers, as they came.
    Pinch(Pair),
    /// One has a handle, from there, and has moved it so far, if at all.
    Handle { id: i32, handle: usize, from: i64, by: Option<i64> },
}

impl Pointers {
    /// Something begins to point.
    pub fn down(
        &mut self,
        id: i32,
        hand: Hand,
        place: Place,
        handle: Option<usize>,
    ) -> Option<Deed> {
        if let Grip::Handle { id: holds, .. } = self.grip
            && holds != id
        {
            self.let_go();
            return Some(Deed::LetGo);
        }
        if let Some(handle) = handle {
            self.grip = Grip::Handle { id, handle, from: place.0, by: None };
            return None;
        }
        self.grip = Grip::None;
        match hand {
            Hand::Mouse => self.mouse = Some((id, place.0)),
            Hand::Finger => {
                self.fingers.retain(|(other, _)| *other != id);
                self.fingers.push((id, place));
                self.grip = self.pair().map_or(Grip::None, Grip::Pinch);
            }
        }
        Some(Deed::View(Move::Hold))
    }

    /// It points elsewhere.
    pub fn moved(&mut self, id: i32, place: Place) -> Option<Deed> {
        if let Grip::Handle { id: holds, handle, from, by } = &mut self.grip {
            let far = place.0 - *from;
            if *holds != id || by.is_none() && far.abs() <= STILL {
                return None;
            }
            *by = Some(far);
            return Some(Deed::Hold { handle: *handle, by: far });
        }
        if let Some((mouse, from)) = self.mouse
            && mouse == id
        {
            let by = place.0 - from;
            if self.grip == Grip::None && by.abs() <= STILL {
                return None;
            }
            self.grip = Grip::Drags;
            return Some(Deed::View(Move::Drag(by)));
        }
        self.fingers.iter_mut().find(|(other, _)| *other == id)?.1 = place;
        match (&self.grip, self.pair()) {
            (Grip::Pinch(began), Some(now)) => Some(Deed::View(Move::Pinch(*began, now))),
            _ => None,
        }
    }

    /// It points no more.
    pub fn up(&mut self, id: i32) -> Option<Deed> {
        if let Grip::Handle { id: holds, handle, by, .. } = self.grip
            && holds == id
        {
            // The click that comes now does nothing more.
            self.grip = if by.is_some() { Grip::Drags } else { Grip::None };
            return by.map(|by| Deed::Drop { handle, by });
        }
        self.mouse = self.mouse.filter(|(mouse, _)| *mouse != id);
        let before = self.fingers.len();
        self.fingers.retain(|(other, _)| *other != id);
        if self.fingers.len() != before {
            self.grip = Grip::None;
        }
        None
    }

    /// The browser has taken a pointer over: what it did is not done.
    pub fn cancel(&mut self, id: i32) -> Option<Deed> {
        match self.up(id) {
            Some(Deed::Drop { .. }) => Some(Deed::LetGo),
            other => other,
        }
    }

    /// What is held stays where it was.
    pub fn let_go(&mut self) {
        if matches!(self.grip, Grip::Handle { .. }) {
            self.grip = Grip::Drags;
        }
    }

    /// Whether fingers do something of their own: the browser is not to scroll by them.
    pub fn is_busy(&self) -> bool {
        matches!(self.grip, Grip::Pinch(_) | Grip::Handle { .. })
    }

    /// Whether the click that comes now only ends a drag.
    pub fn ends_drag(&mut self) -> bool {
        let has_dragged = self.grip == Grip::Drags;
        if has_dragged {
            self.grip = Grip::None;
        }
        has_dragged
    }

    /// Exactly two.
    fn pair(&self) -> Option<Pair> {
        let [(_, (x0, y0)), (_, (x1, y1))] = self.fingers[..] else { return None };
        let (wide, high) = (x1 - x0, y1 - y0);
        Some(Pair { middle: (x0 + x1) / 2, apart: (wide * wide + high * high).isqrt().max(1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mouse_that_moves_drags_and_one_that_hardly_moves_presses() {
        let mut pointers = Pointers::default();
        pointers.down(1, Hand::Mouse, (100, 9), None);
        assert_eq!(pointers.moved(1, (103, 9)), None);
        pointers.up(1);
        assert!(!pointers.ends_drag());
        pointers.down(1, Hand::Mouse, (100, 9), None);
        assert_eq!(pointers.moved(1, (110, 9)), Some(Deed::View(Move::Drag(10))));
        assert_eq!(pointers.moved(1, (101, 9)), Some(Deed::View(Move::Drag(1))), "it drags now");
        pointers.up(1);
        assert_eq!(pointers.moved(1, (300, 9)), None, "it is not pressed any more");
        assert!(pointers.ends_drag());
        assert!(!pointers.ends_drag(), "the next click is a click");
    }

    #[test]
    fn one_finger_is_the_browsers_and_two_are_a_pinch() {
        let mut pointers = Pointers::default();
        pointers.down(7, Hand::Finger, (100, 0), None);
        assert_eq!(pointers.moved(7, (160, 0)), None);
        assert!(!pointers.is_busy());
        pointers.down(8, Hand::Finger, (160, 80), None);
        assert!(pointers.is_busy());
        let began = Pair { middle: 160, apart: 80 };
        let now = Pair { middle: 190, apart: 100 };
        assert_eq!(pointers.moved(8, (220, 80)), Some(Deed::View(Move::Pinch(began, now))));
        pointers.up(7);
        assert!(!pointers.is_busy());
        assert_eq!(pointers.moved(8, (300, 80)), None);
    }

    #[test]
    fn a_third_finger_ends_the_pinch_until_two_come_anew() {
        let mut pointers = Pointers::default();
        for id in 1..=3 {
            pointers.down(id, Hand::Finger, (100 * i64::from(id), 0), None);
        }
        assert!(!pointers.is_busy());
        pointers.up(3);
        assert_eq!(pointers.moved(2, (250, 0)), None);
        pointers.down(2, Hand::Finger, (250, 0), None);
        assert!(pointers.is_busy());
    }

    #[test]
    fn a_handle_is_moved_by_a_mouse_or_a_finger_and_the_view_stays() {
        for hand in [Hand::Mouse, Hand::Finger] {
            let mut pointers = Pointers::default();
            assert_eq!(pointers.down(1, hand, (100, 9), Some(3)), None);
            assert!(pointers.is_busy());
            assert_eq!(pointers.moved(1, (103, 9)), None);
            assert_eq!(pointers.moved(1, (90, 9)), Some(Deed::Hold { handle: 3, by: -10 }));
            assert_eq!(pointers.moved(1, (101, 9)), Some(Deed::Hold { handle: 3, by: 1 }));
            assert_eq!(pointers.moved(2, (300, 9)), None, "another one");
            assert_eq!(pointers.up(1), Some(Deed::Drop { handle: 3, by: 1 }));
            assert!(pointers.ends_drag());
            assert_eq!(pointers.moved(1, (300, 9)), None);
        }
    }

    #[test]
    fn a_handle_that_is_only_pressed_or_given_up_is_not_moved() {
        let mut pointers = Pointers::default();
        pointers.down(1, Hand::Mouse, (100, 9), Some(3));
        assert_eq!(pointers.up(1), None);
        assert!(!pointers.ends_drag(), "the click presses it");
        pointers.down(1, Hand::Mouse, (100, 9), Some(3));
        pointers.moved(1, (200, 9));
        pointers.let_go();
        assert_eq!(pointers.moved(1, (300, 9)), None);
        assert_eq!(pointers.up(1), None);
        assert!(pointers.ends_drag(), "the click that ends it presses nothing");
    }

    #[test]
    fn a_second_pointer_or_the_browser_lets_what_is_held_go_back() {
        let mut pointers = Pointers::default();
        let held = |pointers: &mut Pointers| {
            pointers.down(1, Hand::Finger, (100, 9), Some(3));
            pointers.moved(1, (200, 9)).expect("it is held")
        };
        held(&mut pointers);
        assert_eq!(pointers.down(2, Hand::Finger, (50, 9), None), Some(Deed::LetGo));
        assert_eq!(pointers.moved(1, (300, 9)), None);
        assert_eq!(pointers.up(1), None);
        held(&mut pointers);
        assert_eq!(pointers.cancel(1), Some(Deed::LetGo));
        assert_eq!(pointers.up(1), None);
    }
}
