//! The list of events as data: which are listed, which rows of them are shown, where
//! the present moment is.

use super::{Lab, Open, Routine};
use crate::properties::turns::is_turn;
use crate::sim::event::EventId;

/// So many rows are shown at once.
pub const ROWS: usize = 200;

/// So many rows after the present moment are shown with it.
const AHEAD: usize = 40;

/// Which events of a run are turns; what is new in a trace is added to it.
#[derive(Debug, Default)]
pub struct Index {
    run: u32,
    seen: usize,
    turns: Vec<EventId>,
}

/// The rows that are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The run's number.
    pub run: u32,
    /// How many events are listed.
    pub all: usize,
    /// How many of them have happened by now.
    pub happened: usize,
    /// The place of the first row in the list.
    pub first: usize,
    /// The events of the rows.
    pub rows: Vec<EventId>,
    /// The last that has happened.
    pub current: Option<EventId>,
    /// The first that lies ahead.
    pub first_ahead: Option<EventId>,
    /// The one selected.
    pub selected: Option<EventId>,
}

impl Shown {
    /// How many come after the last row.
    pub fn after(&self) -> usize {
        self.all - self.first - self.rows.len()
    }

    /// Whether an event lies ahead of the present moment.
    pub fn is_ahead(&self, event: EventId) -> bool {
        self.first_ahead.is_some_and(|first| event >= first)
    }
}

impl Index {
    /// The rows that begin at place `from`, or else those around the present moment.
    pub fn show(&mut self, lab: &Lab, from: Option<usize>) -> Shown {
        let open = lab.open();
        self.take_in(open);
        let past = open.past().len();
        let (all, happened) = match lab.routine() {
            Routine::Shown => (self.seen, past),
            Routine::Hidden => {
                (self.turns.len(), self.turns.partition_point(|id| id.index() < past))
            }
        };
        let at = |place: usize| match lab.routine() {
            Routine::Shown => EventId(place as u32),
            Routine::Hidden => self.turns[place],
        };
        let (first, end) = match from {
            Some(from) => (from.min(all), (from + ROWS).min(all)),
            None => {
                let end = (happened + AHEAD).min(all);
                (end.saturating_sub(ROWS), end)
            }
        };
        Shown {
            run: self.run,
            all,
            happened,
            first,
            rows: (first..end).map(at).collect(),
            current: happened.checked_sub(1).map(at),
            first_ahead: (happened < all).then(|| at(happened)),
            selected: lab.selected(),
        }
    }

    fn take_in(&mut self, open: &Open) {
        let trace = open.replay().trace();
        if open.number() != self.run || trace.len() < self.seen {
            *self = Index { run: open.number(), ..Index::default() };
        }
        let new = trace[self.seen..].iter().filter(|event| is_turn(&event.what));
        self.turns.extend(new.map(|event| event.id));
        self.seen = trace.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Msg;
    use crate::sim::time::TrueTime;

    /// How many are listed, have happened, and are shown from which place on.
    #[track_caller]
    fn check(shown: &Shown, expected: (usize, usize, usize, usize)) {
        assert_eq!((shown.all, shown.happened, shown.first, shown.rows.len()), expected);
    }

    #[test]
    fn turns_are_listed_and_what_lies_ahead_stays() {
        let mut lab = Lab::new().expect("built in");
        let mut index = Index::default();
        check(&index.show(&lab, None), (0, 0, 0, 0));
        lab.update(Msg::ToEnd);
        let end = index.show(&lab, None);
        check(&end, (end.all, end.all, 0, end.all));
        assert!(end.first_ahead.is_none() && end.current == end.rows.last().copied());
        lab.update(Msg::Seek(TrueTime(20_000_000)));
        let back = index.show(&lab, None);
        check(&back, (end.all, back.happened, 0, end.all));
        let current = back.current.expect("something has happened");
        assert!(!back.is_ahead(current) && back.is_ahead(back.first_ahead.expect("more")));
    }

    #[test]
    fn of_a_long_list_the_rows_around_now_are_shown() {
        let mut lab = Lab::new().expect("built in");
        let mut index = Index::default();
        lab.update(Msg::ShowRoutine(Routine::Shown));
        lab.update(Msg::ToEnd);
        let all = lab.open().replay().trace().len();
        assert!(all > 210, "{all}");
        check(&index.show(&lab, None), (all, all, all - ROWS, ROWS));
        check(&index.show(&lab, Some(0)), (all, all, 0, ROWS));
        lab.update(Msg::ToStart);
        let start = index.show(&lab, None);
        check(&start, (all, start.happened, 0, start.happened + AHEAD));
        assert_eq!(start.after(), all - start.happened - AHEAD);
    }

    #[test]
    fn another_run_begins_another_list() {
        let mut lab = Lab::new().expect("built in");
        let mut index = Index::default();
        lab.update(Msg::ToEnd);
        let before = index.show(&lab, None);
        lab.update(Msg::Load { scenario: "refund".to_owned() });
        let after = index.show(&lab, None);
        check(&after, (0, 0, 0, 0));
        assert_ne!(before.run, after.run);
    }
}
