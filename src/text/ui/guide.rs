//! What to do next.

/// What to do next: a sentence, and the words on its button.
#[derive(Debug)]
pub struct Guide {
    /// Begin; where the run stops by itself, if it does.
    pub start: &'static str,
    /// Beside it, when the run will wait: at which moment.
    pub start_waits: fn(moment: &str) -> String,
    /// Beside it, when it will not.
    pub start_plays: &'static str,
    /// The scenario's own fault is made on its thing: what is done, to whom.
    pub do_there: fn(action: &str) -> String,
    /// Goes to that thing.
    pub show: fn(thing: &str) -> String,
    /// Let the run go on after a click.
    pub just_run: &'static str,
    /// Beside it.
    pub just_run_why: &'static str,
    /// Let the run go on.
    pub play: &'static str,
    /// Beside it.
    pub play_why: &'static str,
    /// Stop.
    pub stop: &'static str,
    /// Beside it.
    pub stop_why: &'static str,
    /// The same clicks with tokens checked.
    pub run_again: &'static str,
    /// Beside it: which promise is broken.
    pub run_again_why: fn(promise: &str) -> String,
    /// Once more from the start.
    pub play_again: &'static str,
    /// Beside it, when every promise was kept.
    pub kept: &'static str,
    /// Beside it, when one was broken: which.
    pub broken: fn(promise: &str) -> String,
}

/// English.
pub const ENGLISH: Guide = Guide {
    start: "Start",
    start_waits: |moment| format!("It runs to {moment} and waits there for you."),
    start_plays: "It runs to its end unless you stop it.",
    do_there: |action| format!("Now {action}: the button is on its card."),
    show: |thing| format!("Show {thing}"),
    just_run: "Just run",
    just_run_why: "It is done. Let the run go on and watch.",
    play: "Play",
    play_why: "Or do something to a machine, a link or a message first.",
    stop: "Stop",
    stop_why: "It plays; quiet stretches pass quickly.",
    run_again: "Check tokens and run the same clicks again",
    run_again_why: |promise| format!("Broken: {promise}."),
    play_again: "Play again",
    kept: "Every promise was kept. Go back to any moment and make another fault there.",
    broken: |promise| {
        format!("Broken: {promise}. Go back to any moment and make another fault there.")
    },
};
