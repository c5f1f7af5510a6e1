//! The list of events as data: which are listed, which rows of them are shown, where
//! the present moment is, where the event selected.

use super::filter::Filter;
use super::{Lab, Open, Routine};
use crate::actors::Actor;
use crate::properties::turns::click_of;
use crate::sim::event::{Event, EventId};

/// So many rows are shown at once.
pub const ROWS: usize = 200;

/// So many rows after the present moment are shown with it.
const AHEAD: usize = 40;

/// What decides which events are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Which {
    run: u32,
    routine: Routine,
    filter: Filter,
    /// How many leases could be named: with words to look for, names matter.
    known: usize,
}

/// A row: an event, and how many more the same click made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The event, the first of its click.
    pub id: EventId,
    /// How many more there are.
    pub more: usize,
}

/// Which events of a run are listed; what is new in a trace is added to it.
#[derive(Debug, Default)]
pub struct Index {
    which: Which,
    seen: usize,
    /// Turns, or events, before the filter.
    unfiltered: usize,
    list: Vec<Entry>,
    /// Clicks that the filter lets through but for its words, by their place among the
    /// run's, and their rows: whether there is one, the first event of a click says.
    clicks: Vec<(u32, Option<usize>)>,
    /// The click that was counted last.
    counted: Option<u32>,
}

/// The rows that are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The run's number.
    pub run: u32,
    /// What the list is narrowed to.
    pub filter: Filter,
    /// How many there would be with no filter.
    pub unfiltered: usize,
    /// How many events are listed.
    pub all: usize,
    /// How many of them have happened by now.
    pub happened: usize,
    /// The place of the first row in the list.
    pub first: usize,
    /// The rows.
    pub rows: Vec<Entry>,
    /// The last that has happened.
    pub current: Option<EventId>,
    /// The first that lies ahead.
    pub first_ahead: Option<EventId>,
    /// The row of the event selected, by its first event.
    pub selected: Option<EventId>,
    /// Whether an event is selected that is not listed.
    pub hides_selected: bool,
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
        self.take_in(lab);
        let past = lab.open().past().len();
        let all = self.list.len();
        let happened = self.list.partition_point(|entry| entry.id.index() < past);
        let (first, end) = match from {
            Some(from) => (from.min(all), (from + ROWS).min(all)),
            None => {
                let end = (happened + AHEAD).min(all);
                (end.saturating_sub(ROWS), end)
            }
        };
        let at = |place: usize| self.list.get(place).map(|entry| entry.id);
        let selected = lab.selected().and_then(|id| at(self.place_of(lab.open(), id)?));
        Shown {
            run: self.which.run,
            filter: self.which.filter.clone(),
            unfiltered: self.unfiltered,
            all,
            happened,
            first,
            rows: self.list[first..end].to_vec(),
            current: happened.checked_sub(1).and_then(at),
            first_ahead: at(happened),
            selected,
            hides_selected: selected.is_none() && lab.selected().is_some(),
        }
    }

    /// From which place on to show rows so that the event selected is among them, if it
    /// is listed and not among those of `shown`.
    pub fn turn_to_selected(&self, lab: &Lab, shown: &Shown) -> Option<usize> {
        let place = self.place_of(lab.open(), lab.selected()?)?;
        let is_shown = (shown.first..shown.first + shown.rows.len()).contains(&place);
        (!is_shown).then(|| place.saturating_sub(ROWS / 2))
    }

    /// The place of an event in the list: its own, or that of its click.
    fn place_of(&self, open: &Open, id: EventId) -> Option<usize> {
        let own = self.list.binary_search_by_key(&id, |entry| entry.id).ok();
        own.or_else(|| {
            let click = click_of(&open.replay().trace()[id.index()])?;
            self.row_of(click)?
        })
    }

    fn row_of(&self, click: u32) -> Option<Option<usize>> {
        self.clicks.iter().rev().find(|(other, _)| *other == click).map(|(_, row)| *row)
    }

    fn take_in(&mut self, lab: &Lab) {
        let open = lab.open();
        let (trace, filter) = (open.replay().trace(), lab.filter());
        let words = filter.wanted();
        let known = if words.is_empty() { 0 } else { open.who().known() };
        let (run, routine, filter) = (open.number(), lab.routine(), filter.clone());
        let which = Which { run, routine, filter, known };
        if which != self.which || trace.len() < self.seen {
            self.begin(which, &words, open);
        }
        for event in &trace[self.seen..] {
            self.take(event, &words, open);
        }
        self.seen = trace.len();
    }

    fn take(&mut self, event: &Event<Actor>, words: &str, open: &Open) {
        let Which { routine, filter, .. } = &self.which;
        if !filter.chooses_from(event, *routine) {
            return;
        }
        let click = click_of(event);
        let is_first = click.is_none() || click != self.counted;
        self.unfiltered += usize::from(is_first);
        self.counted = click.or(self.counted);
        if !filter.takes(event, open.scenario().names()) {
            return;
        }
        match click.and_then(|click| self.row_of(click)) {
            Some(Some(row)) => self.list[row].more += 1,
            Some(None) => {}
            None => self.add(Entry { id: event.id, more: 0 }, words, open),
        }
    }

    /// Adds a row if its line says the words.
    fn add(&mut self, entry: Entry, words: &str, open: &Open) {
        let event = &open.replay().trace()[entry.id.index()];
        let row = Filter::says(words, event, open).then_some(self.list.len());
        self.clicks.extend(click_of(event).map(|click| (click, row)));
        if row.is_some() {
            self.list.push(entry);
        }
    }

    /// Another list. Where only longer words are looked for, what has not said the
    /// shorter ones is not looked at again.
    fn begin(&mut self, which: Which, words: &str, open: &Open) {
        let next = Index { which, ..Index::default() };
        let before = std::mem::replace(self, next);
        let old_words = before.which.filter.wanted();
        let mut alike = before.which;
        alike.filter.words.clone_from(&self.which.filter.words);
        let is_narrower = !old_words.is_empty() && words.contains(&old_words);
        if !is_narrower || alike != self.which || open.replay().trace().len() < before.seen {
            return;
        }
        (self.seen, self.unfiltered) = (before.seen, before.unfiltered);
        (self.clicks, self.counted) = (before.clicks, before.counted);
        self.clicks.retain(|(_, row)| row.is_none());
        for entry in before.list {
            self.add(entry, words, open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Msg;
    use crate::lab::bench::Edit;
    use crate::lab::filter::{Kind, Place, line};
    use crate::scenario::clicks::{Do, Way};
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
        assert!(end.first_ahead.is_none() && end.current == end.rows.last().map(|row| row.id));
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

    /// The first lesson's run to its end, with two clicks: W1 is cut off from all of
    /// etcd, and paused.
    fn cut() -> Lab {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Seek(TrueTime(10_000_000)));
        let cut = Do::Cut {
            from: "W1".to_owned(),
            to: "etcd".to_owned(),
            way: Way::Both,
            for_ms: Some(4_000),
        };
        lab.update(Msg::Click(cut));
        lab.update(Msg::Seek(TrueTime(25_000_000)));
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        lab.update(Msg::ToEnd);
        lab
    }

    fn lines(lab: &Lab, shown: &Shown) -> Vec<String> {
        let trace = lab.open().replay().trace();
        shown.rows.iter().map(|row| line(&trace[row.id.index()], lab.open())).collect()
    }

    /// With this filter so many are listed, all of which satisfy `fits`, and none that
    /// does is missing.
    #[track_caller]
    fn narrowed(filter: Filter, fits: impl Fn(&str) -> bool, count: usize) {
        let mut lab = cut();
        let mut index = Index::default();
        let every = lines(&lab, &index.show(&lab, None));
        lab.update(Msg::ShowEvents(filter.clone()));
        let shown = index.show(&lab, None);
        let found = lines(&lab, &shown);
        let expected: Vec<String> = every.into_iter().filter(|line| fits(line)).collect();
        assert_eq!(found, expected, "{filter:?}");
        assert_eq!(found.len(), count, "{found:#?}");
        let anew = Index::default().show(&lab, None);
        assert_eq!(shown, anew, "whatever was listed before");
    }

    fn words(words: &str) -> Filter {
        Filter { words: words.to_owned(), ..Filter::default() }
    }

    #[test]
    fn a_click_on_several_links_is_listed_once() {
        let lab = cut();
        let shown = Index::default().show(&lab, None);
        let more: Vec<usize> =
            shown.rows.iter().map(|row| row.more).filter(|more| *more > 0).collect();
        assert_eq!(more, [5], "three members, both ways");
        let clicks = lines(&lab, &shown).iter().filter(|line| line.contains("Click:")).count();
        assert_eq!(clicks, 2);
    }

    #[test]
    fn a_selected_event_of_a_click_is_selected_by_the_clicks_row() {
        let mut lab = cut();
        let is_click = |event: &&Event<Actor>| click_of(event) == Some(0);
        let clicked: Vec<EventId> =
            lab.open().replay().trace().iter().filter(is_click).map(|event| event.id).collect();
        lab.update(Msg::Select(clicked.last().copied()));
        assert_eq!(Index::default().show(&lab, None).selected, clicked.first().copied());
    }

    #[test]
    fn words_are_looked_for_in_the_shown_line_in_large_letters_or_small() {
        narrowed(words("PUT 42"), |line| line.contains("PUT 42"), 1);
        narrowed(words(" put 42 "), |line| line.contains("PUT 42"), 1);
        narrowed(words("w2"), |line| line.contains("W2"), 13);
        narrowed(words("no such thing"), |_| false, 0);
    }

    #[test]
    fn events_are_filtered_by_machine_and_by_kind() {
        let names = cut().open().scenario().names().clone();
        let store = Place::Machine(names.store());
        let at = |place| Filter { place, ..Filter::default() };
        narrowed(at(store), |line| line.contains(" s store "), 4);
        let worker = Place::Machine(names.find("W2").expect("a worker"));
        narrowed(at(worker), |line| line.contains(" s W2 "), 9);
        let of = |kind| Filter { kind, ..Filter::default() };
        narrowed(of(Kind::Store), |line| line.contains(" s store "), 4);
        narrowed(
            of(Kind::Faults),
            |line| ["Click", "healed", "Wakes"].iter().any(|word| line.contains(word)),
            9,
        );
    }

    #[test]
    fn a_click_is_listed_with_every_machine_it_was_made_to() {
        let mut lab = cut();
        lab.update(Msg::ShowEvents(Filter { place: Place::Service, ..Filter::default() }));
        let shown = Index::default().show(&lab, None);
        let all = lines(&lab, &shown);
        assert!(all.iter().all(|line| line.contains(" s M")), "{all:#?}");
        let clicks: Vec<usize> = shown
            .rows
            .iter()
            .zip(&all)
            .filter(|(_, line)| line.contains("Click"))
            .map(|(row, _)| row.more)
            .collect();
        assert_eq!(clicks, [2], "the ways from three members");
    }

    #[test]
    fn messages_are_listed_when_they_are_asked_for() {
        let mut lab = cut();
        lab.update(Msg::ShowEvents(Filter { kind: Kind::Messages, ..Filter::default() }));
        let shown = Index::default().show(&lab, None);
        let all = lines(&lab, &shown);
        assert!(all.len() > 10 && all.iter().all(|line| !line.contains("Click")), "{all:#?}");
        assert!(all.iter().any(|line| line.contains("Takes up")), "{all:#?}");
    }

    #[test]
    fn longer_words_and_shorter_ones_find_what_looking_anew_finds() {
        let mut lab = cut();
        let mut index = Index::default();
        lab.update(Msg::ShowRoutine(Routine::Shown));
        for typed in ["l", "li", "link", "link to m", "link to m2", "link", "w1", ""] {
            lab.update(Msg::ShowEvents(words(typed)));
            let found = index.show(&lab, Some(0));
            assert_eq!(found, Index::default().show(&lab, Some(0)), "{typed}");
            assert!(found.all > 0, "{typed}");
        }
    }

    #[test]
    fn the_selection_stays_and_rows_are_turned_to_it() {
        let mut lab = cut();
        lab.update(Msg::ShowRoutine(Routine::Shown));
        let mut index = Index::default();
        let end = index.show(&lab, None);
        assert_eq!(index.turn_to_selected(&lab, &end), None, "nothing is selected");
        lab.update(Msg::Select(Some(EventId(3))));
        let place = index.turn_to_selected(&lab, &end).expect("it is not among the rows");
        let turned = index.show(&lab, Some(place));
        assert!(turned.rows.iter().any(|row| row.id == EventId(3)));
        assert_eq!(turned.selected, Some(EventId(3)));
        assert_eq!(index.turn_to_selected(&lab, &turned), None, "it is there");
        lab.update(Msg::ShowEvents(words("accepted")));
        let hidden = index.show(&lab, None);
        assert!(hidden.hides_selected && hidden.selected.is_none());
        lab.update(Msg::ShowEvents(Filter::default()));
        assert_eq!(index.show(&lab, None).selected, Some(EventId(3)), "it was kept");
    }

    #[test]
    fn a_filter_by_machine_is_let_go_where_another_machine_has_its_number() {
        let mut lab = Lab::new().expect("built in");
        let with = |lab: &Lab, name: &str| {
            let names = lab.open().scenario().names();
            let id = names.ids().find(|id| names.of(*id) == name).expect("it is there");
            Filter { place: Place::Machine(id), ..Filter::default() }
        };
        let store = lab.open().scenario().names().store();
        let filter = Filter { place: Place::Machine(store), ..Filter::default() };
        lab.update(Msg::ShowEvents(filter.clone()));
        lab.update(Msg::Load { scenario: "slow-clock".to_owned() });
        assert_eq!(*lab.filter(), filter, "the same machines are there");
        lab.update(Msg::Load { scenario: "queue-of-eight".to_owned() });
        assert_eq!(lab.filter().place, Place::Any);
        let filter = with(&lab, "W3");
        lab.update(Msg::ShowEvents(filter));
        lab.update(Msg::Edit(Edit::RemoveWorker { name: "W2".to_owned() }));
        assert_eq!(lab.filter().place, Place::Any, "W4 has its number now");
    }
}
