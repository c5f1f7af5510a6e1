//! Which part of the page is drawn in which frame while a run plays.
//!
//! ```text
//!   a step in time │ the diagram
//!   any other      │ of all else the next part that is behind and due, or the controls
//! ```
//!
//! Where the diagram cannot be seen, a step in time is a frame for something else too. What
//! cannot be seen is not due until it comes into sight or the run stands.

use super::Playing;

/// What is drawn in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is told, which is never kept waiting: screen readers say it.
    Told,
    /// What to do next, and the first two workers' cards: they change together.
    Workers,
    /// The other machines and the links.
    Machines,
    /// The scale under the scrubber.
    Scale,
    /// The causes of an event.
    Causes,
    /// The list of events.
    Events,
    /// The cards of the third worker and the fourth: more in one frame made it a long one.
    SecondPair,
    /// Those of the fifth and the sixth.
    ThirdPair,
    /// Those of the seventh and the eighth.
    FourthPair,
}

impl Part {
    /// All of them, in their turn.
    pub const ALL: [Part; PARTS] = [
        Part::Told,
        Part::Workers,
        Part::Machines,
        Part::Scale,
        Part::Causes,
        Part::Events,
        Part::SecondPair,
        Part::ThirdPair,
        Part::FourthPair,
    ];
}

/// So many there are.
pub const PARTS: usize = 9;
/// While a run plays a part is drawn in every so manieth frame: more often nobody could
/// read it.
const EVERY: u32 = 12;
/// So many parts are drawn, a frame each, before the controls have one.
const IN_A_ROW: u32 = 2;

/// Which revision of the lab each part of the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The diagram, where it moves on with every step in time.
    pub diagram: u64,
    /// The clock and what is around it.
    pub controls: u64,
    /// All else.
    pub parts: [u64; PARTS],
    next: usize,
    /// The frames, counted, and the one in which each part was last drawn.
    frame: u32,
    drawn: [u32; PARTS],
    /// How many parts have been drawn since the controls were.
    in_a_row: u32,
}

impl Default for Shown {
    fn default() -> Shown {
        let (parts, drawn) = ([0; PARTS], [0; PARTS]);
        Shown { diagram: 0, controls: 0, parts, next: 1, frame: 0, drawn, in_a_row: 0 }
    }
}

impl Shown {
    /// Everything shows this one.
    pub fn all(&mut self, revision: u64) {
        (self.diagram, self.controls, self.parts) = (revision, revision, [revision; PARTS]);
    }

    /// Whether everything does.
    pub fn is_all(&self, revision: u64) -> bool {
        let parts = self.parts.iter().all(|part| *part == revision);
        parts && self.diagram == revision && self.controls == revision
    }

    /// Shows this one in the diagram, if that is due, and tells whether it is.
    pub fn step(&mut self, revision: u64, is_due: bool) -> bool {
        if is_due {
            self.diagram = revision;
            self.frame = self.frame.wrapping_add(1);
        }
        is_due
    }

    /// Shows this one in the next part that is behind and due or, in turn with them, in the
    /// controls; in both once the run stands. Tells whether any was behind.
    pub fn between(
        &mut self,
        revision: u64,
        playing: Playing,
        is_due: impl Fn(Part) -> bool,
    ) -> bool {
        self.frame = self.frame.wrapping_add(1);
        let waits = if playing == Playing::No { 0 } else { EVERY };
        let is_behind = |part: usize| {
            let since = self.frame.wrapping_sub(self.drawn[part]);
            self.parts[part] != revision && since >= waits && is_due(Part::ALL[part])
        };
        let mut turn = (0..1).chain(self.next..PARTS).chain(1..self.next);
        let plays = playing != Playing::No;
        let are_next = plays && self.in_a_row >= IN_A_ROW;
        let part = turn.find(|part| !are_next && is_behind(*part));
        if let Some(part) = part {
            self.parts[part] = revision;
            self.drawn[part] = self.frame;
            self.next = if part == 0 { self.next } else { part + 1 };
        }
        if plays && part.is_some() {
            self.in_a_row += 1;
            return true;
        }
        self.in_a_row = 0;
        // The scale stands in one place with them.
        let were_behind = self.controls != revision && is_due(Part::Scale);
        if were_behind {
            self.controls = revision;
        }
        were_behind || part.is_some()
    }
}

/// In how many frames one region is looked at while nobody scrolls: something that grows may
/// have moved it.
const SELDOM: u32 = 6;

/// When it is asked which regions are in sight: to ask for one in each frame was a seventh of the
/// program's time while a run plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Looks {
    /// How far the page was scrolled, pixels.
    scrolled: f64,
    /// So many regions have not been looked at since then.
    owed: usize,
    frame: u32,
}

impl Looks {
    /// In each frame: whether it is the next region's turn. After scrolling that of all comes,
    /// a frame each.
    pub fn is_turn(&mut self, scrolled: f64) -> bool {
        if scrolled != self.scrolled {
            (self.scrolled, self.owed) = (scrolled, PARTS + 1);
        }
        self.frame = self.frame.wrapping_add(1);
        let is_owed = self.owed > 0;
        self.owed = self.owed.saturating_sub(1);
        is_owed || self.frame.is_multiple_of(SELDOM)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYS: Playing = Playing::Until(crate::sim::time::TrueTime(1));

    #[test]
    fn once_a_run_stands_each_part_has_its_turn_and_then_nothing_is_drawn() {
        let mut shown = Shown::default();
        assert!(shown.is_all(0));
        assert!(shown.step(1, true));
        for part in 0..PARTS {
            assert!(!shown.is_all(1));
            assert!(shown.between(1, Playing::No, |_| true));
            assert_eq!(shown.parts.iter().filter(|part| **part == 1).count(), part + 1);
        }
        assert!(shown.is_all(1));
        assert!(!shown.between(1, Playing::No, |_| true));
    }

    #[test]
    fn a_run_that_plays_on_keeps_no_part_waiting_and_tells_on_time() {
        let mut shown = Shown::default();
        let (mut told, mut late, mut waits) = (Vec::new(), 0, 0);
        for revision in 1..=80 {
            shown.step(revision, true);
            shown.between(revision, PLAYS, |_| true);
            assert_eq!(shown.diagram, revision);
            waits = waits.max(revision - shown.controls);
            if shown.parts[0] == revision {
                told.push(revision);
            }
            late = late.max(revision - shown.parts.iter().min().copied().unwrap_or_default());
        }
        assert!(late <= 20, "{late}");
        assert_eq!(waits, u64::from(IN_A_ROW));
        assert!(told.windows(2).all(|pair| (6..=7).contains(&(pair[1] - pair[0]))), "{told:?}");
    }

    #[test]
    fn the_only_part_in_sight_is_not_drawn_in_every_frame() {
        let mut shown = Shown::default();
        let drawn = (1..=40).filter(|revision| {
            shown.between(*revision, PLAYS, |part| part == Part::Scale);
            shown.parts[3] == *revision
        });
        assert_eq!(drawn.count(), 3);
    }

    #[test]
    fn what_is_out_of_sight_waits_until_it_is_due() {
        let mut shown = Shown::default();
        assert!(!shown.step(1, false));
        for _ in 0..8 * PARTS {
            shown.between(1, PLAYS, |part| part != Part::Machines);
        }
        assert_eq!((shown.diagram, shown.parts[2]), (0, 0));
        assert!(!shown.between(1, PLAYS, |part| part != Part::Machines), "nothing else is behind");
        assert!(shown.between(1, PLAYS, |_| true) && shown.step(1, true));
        assert!(shown.is_all(1));
    }

    #[test]
    fn controls_that_cannot_be_seen_have_no_frame_until_the_run_stands() {
        let mut shown = Shown::default();
        let is_drawn = (1..=40).any(|revision| {
            shown.between(revision, PLAYS, |part| part != Part::Scale);
            shown.controls != 0
        });
        assert!(!is_drawn);
        assert!(shown.between(40, Playing::No, |_| true));
        assert_eq!(shown.controls, 40);
    }

    #[test]
    fn after_scrolling_each_region_is_looked_at_and_else_one_now_and_then() {
        let mut looks = Looks::default();
        let seldom = |looks: &mut Looks, scrolled| {
            (0..10 * SELDOM).filter(|_| looks.is_turn(scrolled)).count()
        };
        assert_eq!(seldom(&mut looks, 0.0), 10);
        assert!((0..=PARTS).all(|_| looks.is_turn(5.0)), "all parts and the diagram");
        assert_eq!(seldom(&mut looks, 5.0), 10);
    }
}
