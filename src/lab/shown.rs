//! Which part of the page is drawn in which frame while a run plays.
//!
//! ```text
//!   a step in time │ the diagram
//!   between two    │ the controls, and of all else the next part that is behind and due
//! ```
//!
//! What cannot be seen is not due until it comes into sight or the run stands.

use super::Playing;

/// What is drawn in turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is told, which is never kept waiting: screen readers say it.
    Told,
    /// What to do next, and the first workers' cards: they change together.
    Workers,
    /// The other machines and the links.
    Machines,
    /// The scale under the scrubber.
    Scale,
    /// The causes of an event.
    Causes,
    /// The list of events.
    Events,
    /// The cards of more workers.
    MoreWorkers,
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
        Part::MoreWorkers,
    ];
}

/// So many there are.
pub const PARTS: usize = 7;
/// While a run plays a part is drawn in every so manieth of the frames between: more
/// often nobody could read it.
const EVERY: u32 = 6;

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
    /// The frames between, counted, and the one in which each part was last drawn.
    frame: u32,
    drawn: [u32; PARTS],
}

impl Default for Shown {
    fn default() -> Shown {
        let (parts, drawn) = ([0; PARTS], [0; PARTS]);
        Shown { diagram: 0, controls: 0, parts, next: 1, frame: 0, drawn }
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
        }
        is_due
    }

    /// Shows this one in the controls and in the next part that is behind and due; tells
    /// whether any was.
    pub fn between(
        &mut self,
        revision: u64,
        playing: Playing,
        is_due: impl Fn(Part) -> bool,
    ) -> bool {
        let were_behind = self.controls != revision;
        self.controls = revision;
        self.frame = self.frame.wrapping_add(1);
        let waits = if playing == Playing::No { 0 } else { EVERY };
        let is_behind = |part: usize| {
            let since = self.frame.wrapping_sub(self.drawn[part]);
            self.parts[part] != revision && since >= waits && is_due(Part::ALL[part])
        };
        let mut turn = (0..1).chain(self.next..PARTS).chain(1..self.next);
        let part = turn.find(|part| is_behind(*part));
        if let Some(part) = part {
            self.parts[part] = revision;
            self.drawn[part] = self.frame;
            self.next = if part == 0 { self.next } else { part + 1 };
        }
        were_behind || part.is_some()
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
        let (mut told, mut late) = (Vec::new(), 0);
        for revision in 1..=80 {
            shown.step(revision, true);
            shown.between(revision, PLAYS, |_| true);
            assert_eq!((shown.diagram, shown.controls), (revision, revision));
            if shown.parts[0] == revision {
                told.push(revision);
            }
            late = late.max(revision - shown.parts.iter().min().copied().unwrap_or_default());
        }
        assert!(late <= 12, "{late}");
        assert!(told.windows(2).all(|pair| pair[1] - pair[0] == 6), "{told:?}");
    }

    #[test]
    fn the_only_part_in_sight_is_not_drawn_in_every_frame() {
        let mut shown = Shown::default();
        let drawn = (1..=40).filter(|revision| {
            shown.between(*revision, PLAYS, |part| part == Part::Scale);
            shown.parts[3] == *revision
        });
        assert_eq!(drawn.count(), 6);
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
}
