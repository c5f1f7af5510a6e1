//! Playing, stepping, open runs.

use crate::actors::store::api::Rule;
use crate::text::en;

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
    /// One of them: its number, its title, its rule, its clicks.
    pub run: fn(number: u32, title: &str, rule: Rule, clicks: usize) -> String,
    /// Closes one.
    pub close: fn(number: u32) -> String,
}

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
    run: |number, title, rule, clicks| {
        let clicks = match clicks {
            0 => "no clicks".to_owned(),
            1 => "1 click".to_owned(),
            more => format!("{more} clicks"),
        };
        format!("Run {number}: {title}; the store {}, {clicks}", en::rule(rule))
    },
    close: |number| format!("Close run {number}"),
};
