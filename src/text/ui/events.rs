//! The list of events.

/// The list of events.
#[derive(Debug)]
pub struct Events {
    /// Its heading.
    pub title: &'static str,
    /// How many there are, and how many of them have happened.
    pub count: fn(happened: usize, all: usize) -> String,
    /// Nothing has happened.
    pub none: &'static str,
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
    none: "Nothing has happened yet.",
    routine: "Routine events too",
    routine_does: "Renewals and messages: the diagram draws them, and the steps stop at them.",
    jump: |moment| format!("Go to {moment}"),
    earlier: |count| format!("Show {count} earlier"),
    later: |count| format!("Show {count} later"),
    now: "now",
    ahead: "Ahead of now, run before",
};
