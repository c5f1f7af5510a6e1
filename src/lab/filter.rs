//! Which events the list shows: of which machines, of which kind, with which words.

use super::{Lab, Open, Routine};
use crate::actors::{Actor, Note};
use crate::properties::turns::{Weight, weight};
use crate::scenario::names::{Names, Role};
use crate::sim::event::{Event, What};
use crate::sim::process::NodeId;
use crate::text::{amounts, en};

/// What the list is narrowed to. By default to nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Where it happened.
    pub place: Place,
    /// What kind of thing happened.
    pub kind: Kind,
    /// What its line says, among other things; in large letters or small.
    pub words: String,
}

/// Where something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// Anywhere.
    #[default]
    Any,
    /// At any member of the lock service.
    Service,
    /// On one machine.
    Machine(NodeId),
}

/// What kind of thing happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// Any.
    #[default]
    Any,
    /// Clicks, and what became of machines, links and messages by them.
    Faults,
    /// What the lock service decided.
    Service,
    /// What a worker's program did or believes.
    Workers,
    /// What the store answered.
    Store,
    /// Messages sent and taken up: also those that are no turns, but renewals only where
    /// routine is shown.
    Messages,
}

impl Lab {
    /// Narrows the list of events.
    pub(super) fn narrow(&mut self, filter: Filter) {
        self.filtered = filter.place.name(self.open().scenario().names());
        self.filter = filter;
    }

    /// Lets the filter by a machine go where there is another one under its number.
    pub(super) fn keep_filter(&mut self) {
        if self.filter.place.name(self.open().scenario().names()) != self.filtered {
            self.filter.place = Place::Any;
            self.filtered = None;
        }
    }
}

impl Place {
    /// The name of the machine; none for all and for the service, and where there is none.
    pub(super) fn name(self, names: &Names) -> Option<String> {
        match self {
            Place::Any | Place::Service => None,
            Place::Machine(id) => {
                names.ids().find(|it| *it == id).map(|id| names.of(id).to_owned())
            }
        }
    }
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] =
        [Kind::Any, Kind::Faults, Kind::Service, Kind::Workers, Kind::Store, Kind::Messages];

    fn has(self, what: &What<Actor>) -> bool {
        match self {
            Kind::Any => true,
            Kind::Service => matches!(what, What::Note(Note::Etcd(_)) | What::Hears { .. }),
            Kind::Workers => matches!(what, What::Note(Note::Worker(_)) | What::WorkDone),
            Kind::Store => matches!(what, What::Note(Note::Store(_) | Note::Effect(_))),
            Kind::Messages => is_message(what),
            Kind::Faults => is_fault(what),
        }
    }
}

fn is_message(what: &What<Actor>) -> bool {
    matches!(
        what,
        What::Sent { .. }
            | What::Delivered { .. }
            | What::Waits { .. }
            | What::Lost { .. }
            | What::Returned { .. }
            | What::Released { .. }
    )
}

fn is_fault(what: &What<Actor>) -> bool {
    matches!(
        what,
        What::Clicked { .. }
            | What::ClickMissed { .. }
            | What::Paused
            | What::Resumed
            | What::Suspended
            | What::Woke
            | What::Crashed
            | What::Exited
            | What::LinkCut { .. }
            | What::LinkHealed { .. }
            | What::Lost { .. }
            | What::Returned { .. }
            | What::Released { .. }
    )
}

impl Filter {
    /// Whether it narrows nothing.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// The places that one can choose from, in the order of the lanes' machines.
    pub fn places(names: &Names) -> Vec<Place> {
        let with = |role: Role| names.with(role).map(Place::Machine);
        let mut all = vec![Place::Any];
        all.extend(with(Role::Worker));
        all.push(Place::Service);
        all.extend(with(Role::Member));
        all.extend(with(Role::Store).chain(names.others().map(Place::Machine)));
        all
    }

    /// Whether an event is one of those that the filter chooses from.
    pub(super) fn chooses_from(&self, event: &Event<Actor>, routine: Routine) -> bool {
        let least = match (routine, self.kind) {
            (Routine::Shown, _) => Weight::Routine,
            (Routine::Hidden, Kind::Messages) => Weight::Detail,
            (Routine::Hidden, _) => Weight::Turn,
        };
        weight(&event.what) >= least
    }

    /// Whether one of those is listed: apart from the words, which cost most.
    pub(super) fn takes(&self, event: &Event<Actor>, names: &Names) -> bool {
        let is_there = match self.place {
            Place::Any => true,
            Place::Service => names.role(event.node) == Role::Member,
            Place::Machine(id) => event.node == id,
        };
        is_there && self.kind.has(&event.what)
    }

    /// Whether the line of an event says the words. They are in small letters.
    pub(super) fn says(words: &str, event: &Event<Actor>, open: &Open) -> bool {
        words.is_empty() || line(event, open).to_ascii_lowercase().contains(words)
    }

    /// The words as they are looked for.
    pub(super) fn wanted(&self) -> String {
        self.words.trim().to_ascii_lowercase()
    }
}

/// The line of an event, as it stands in the list.
pub fn line(event: &Event<Actor>, open: &Open) -> String {
    let moment = amounts::exact_moment(event.at);
    let machine = open.scenario().names().of(event.node);
    format!("{moment} {machine} {}", en::event(event, open.who()))
}
