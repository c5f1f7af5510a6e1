//! The causes of an event.

/// The causes of an event.
#[derive(Debug)]
pub struct Why {
    /// Nothing has happened.
    pub none: &'static str,
    /// The event is the one selected.
    pub selected: &'static str,
    /// The event broke a promise, and the run has ended.
    pub broke: &'static str,
    /// No promise is broken: the event is the last refusal.
    pub refused: &'static str,
    /// The event is the last turn of events.
    pub last: &'static str,
    /// Lets the selection go.
    pub deselect: &'static str,
    /// Shows all of a long chain.
    pub all: fn(count: usize) -> String,
    /// Shows the end of a long chain, and the clicks before it.
    pub fewer: &'static str,
    /// The heading of the program.
    pub program: fn(worker: &str) -> String,
    /// The choice of the language that programs are shown in.
    pub language: &'static str,
    /// A worker before its first line.
    pub before: &'static str,
    /// A worker after its last line.
    pub after: &'static str,
    /// The heading of the other workers.
    pub others: &'static str,
    /// Where another worker stands: its name, and how.
    pub other: fn(worker: &str, standing: &str) -> String,
    /// The heading of the state met.
    pub met: fn(machine: &str) -> String,
}

/// English.
pub const ENGLISH: Why = Why {
    none: "When something has happened, this says why.",
    selected: "The event you selected",
    broke: "What broke the first promise",
    refused: "What the store refused last",
    last: "The last turn of events",
    deselect: "Let the selection go",
    all: |count| format!("Show all {count}"),
    fewer: "Show clicks and the end",
    program: |worker| format!("{worker}'s program, where it stands"),
    language: "Shown in",
    before: "before its first line",
    after: "after its last line",
    others: "The others",
    other: |worker, standing| format!("{worker} {standing}"),
    met: |machine| format!("What {machine} knew just before"),
};
