//! Playing, stepping, open runs.

/// Playing, stepping, open runs.
#[derive(Debug)]
pub struct Transport {
    /// The region.
    pub region: &'static str,
    /// To the start.
    pub to_start: &'static str,
    /// To the event before, of those that the list shows.
    pub back: &'static str,
    /// Play.
    pub play: &'static str,
    /// Stop.
    pub stop: &'static str,
    /// To the next event, of those that the list shows.
    pub step: &'static str,
    /// To the end.
    pub to_end: &'static str,
    /// The list of speeds.
    pub speed: &'static str,
    /// The speeds, slowest first.
    pub speeds: [&'static str; 5],
    /// The scrubber.
    pub scrubber: &'static str,
    /// Where it stands: now, and how far the run has been run.
    pub scrubber_at: fn(now: &str, seen: &str) -> String,
    /// Before the current time.
    pub now: &'static str,
    /// The list of open runs.
    pub runs: &'static str,
    /// One of them: its number, its title where it is none of the lesson's, what was done
    /// in it, what the store does at its beginning, and how it ended.
    pub run: fn(number: u32, title: Option<&str>, done: &[String], store: &str) -> String,
    /// The same in short: its number, and what tells it from the others.
    pub short: fn(number: u32, by: &str) -> String,
    /// The first of what was done or set, and how much more there is.
    pub first_of: fn(first: &str, more: usize) -> String,
    /// Nothing was done.
    pub no_clicks: &'static str,
    /// What the store does.
    pub store: fn(does: &str) -> String,
    /// One thing that was done, and when.
    pub done: fn(what: &str, moment: &str) -> String,
    /// How a run ended, if it has been run to its end: whether a promise is broken.
    pub outcome: fn(outcome: Outcome) -> &'static str,
    /// Closes one.
    pub close: fn(number: u32) -> String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every promise was kept, and every program came to its end.
    Kept,
    /// Some promise is broken.
    Broken,
    /// None is, but not every program came to its end.
    Unfinished,
}

const NO_CLICKS: &str = "no clicks";

/// English.
pub const ENGLISH: Transport = Transport {
    region: "Transport",
    to_start: "To start",
    back: "Previous event in the list",
    play: "Play",
    stop: "Stop",
    step: "Next event in the list",
    to_end: "To end",
    speed: "Speed",
    speeds: ["×¼", "×½", "×1", "×2", "×8"],
    scrubber: "Moment of the run",
    scrubber_at: |now, seen| format!("{now} of {seen} run so far"),
    now: "now",
    runs: "Open runs",
    run: |number, title, done, store| {
        let done = match done {
            [] => NO_CLICKS.to_owned(),
            [first] => first.clone(),
            [first, second] => format!("{first}, {second}"),
            [first, rest @ ..] => format!("{first}, and {} more", rest.len()),
        };
        let title = title.map(|title| format!("{title}; ")).unwrap_or_default();
        format!("Run {number}: {title}{done}; the store {store}")
    },
    short: |number, by| format!("Run {number}: {by}"),
    first_of: |first, more| match more {
        0 => first.to_owned(),
        more => format!("{first}, and {more} more"),
    },
    no_clicks: NO_CLICKS,
    store: |does| format!("the store {does}"),
    done: |what, moment| format!("{what} at {moment}"),
    outcome: |outcome| match outcome {
        Outcome::Kept => "promises kept",
        Outcome::Broken => "promises broken",
        Outcome::Unfinished => "not finished",
    },
    close: |number| format!("Close run {number}"),
};
