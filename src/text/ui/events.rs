//! The list of events.

/// The list of events.
#[derive(Debug)]
pub struct Events {
    /// Its heading.
    pub title: &'static str,
    /// How many there are, and how many of them have happened.
    pub count: fn(happened: usize, all: usize) -> String,
    /// How many of all are listed.
    pub matches: fn(listed: usize, all: usize) -> String,
    /// Nothing has happened.
    pub none: &'static str,
    /// Nothing that has happened is what one looks for.
    pub no_match: &'static str,
    /// What the list is narrowed by.
    pub narrow: &'static str,
    /// The list of machines.
    pub place: &'static str,
    /// All of them.
    pub any_place: &'static str,
    /// All members of the lock service.
    pub any_member: &'static str,
    /// The list of kinds.
    pub kind: &'static str,
    /// The kinds: any, faults, lock service, workers, store, messages.
    pub kinds: [&'static str; 6],
    /// Words to look for.
    pub words: &'static str,
    /// Narrows it no more.
    pub clear: &'static str,
    /// The event selected is not among those listed.
    pub hides_selected: &'static str,
    /// After what a click did first: how much more it did.
    pub more: fn(count: usize) -> String,
    /// Shows renewals and messages too.
    pub routine: &'static str,
    /// What else that does.
    pub routine_does: &'static str,
    /// Goes to the moment of an event.
    pub jump: fn(moment: &str) -> String,
    /// Shows so many earlier ones.
    pub earlier: fn(count: usize) -> String,
    /// Shows so many later ones.
    pub later: fn(count: usize) -> String,
    /// The event that happened last.
    pub now: &'static str,
    /// Events that lie ahead and have been run.
    pub ahead: &'static str,
}

/// English.
pub const ENGLISH: Events = Events {
    title: "Events as a list",
    count: |happened, all| match all - happened {
        0 => format!("{all} so far"),
        ahead => format!("{happened} so far, {ahead} ahead that have been run"),
    },
    matches: |listed, all| match listed {
        0 => format!("none of {all} matches"),
        1 => format!("1 of {all} matches"),
        _ => format!("{listed} of {all} match"),
    },
    none: "Nothing has happened yet.",
    no_match: "No event matches.",
    narrow: "Which events are listed",
    place: "Machine",
    any_place: "all",
    any_member: "lock service",
    kind: "Kind",
    kinds: ["all", "clicks and faults", "lock service", "workers", "store", "messages"],
    words: "Search",
    clear: "Clear",
    hides_selected: "The event selected is not among these.",
    more: |count| format!(", and {count} more with the same click"),
    routine: "Routine events too",
    routine_does: "Renewals and messages: the diagram draws them, and the steps stop at them.",
    jump: |moment| format!("Go to {moment}"),
    earlier: |count| format!("Show {count} earlier"),
    later: |count| format!("Show {count} later"),
    now: "now",
    ahead: "Ahead of now, run before",
};
