//! What an operator would see.

/// What an operator would see.
#[derive(Debug)]
pub struct Signals {
    /// The heading, which opens it.
    pub title: &'static str,
    /// What it is.
    pub about: &'static str,
    /// How long somebody has waited for the lock at most.
    pub longest_wait: &'static str,
    /// How many gave up waiting.
    pub timeouts: &'static str,
    /// Renewals that were overdue.
    pub renewals_missed: &'static str,
    /// What the store refused.
    pub refusals: &'static str,
    /// What it accepted after a higher token.
    pub out_of_order: &'static str,
    /// How long nobody held the lock while somebody waited.
    pub without_holder: &'static str,
    /// How many believe that they hold the lock.
    pub believers: &'static str,
    /// So many now, and so many at most.
    pub of_most: fn(now: usize, most: usize) -> String,
    /// The list of alarms.
    pub alarms: &'static str,
    /// There was none.
    pub no_alarms: &'static str,
    /// Only the last ones are listed.
    pub of_all: fn(shown: usize, all: usize) -> String,
    /// The text to be copied.
    pub lines: &'static str,
    /// What it is and where its fields are told.
    pub lines_about: &'static str,
}

/// English.
pub const ENGLISH: Signals = Signals {
    title: "Signals",
    about: "What monitoring would show of this run up to now, and when it would have woken somebody.",
    longest_wait: "Longest wait for the lock",
    timeouts: "Gave up waiting",
    renewals_missed: "Renewals overdue",
    refusals: "Refused by the store",
    out_of_order: "Accepted out of order",
    without_holder: "Without a holder while somebody waits",
    believers: "Believe they hold it",
    of_most: |now, most| format!("{now} now, {most} at most"),
    alarms: "Alarms",
    no_alarms: "None so far.",
    of_all: |shown, all| format!("The last {shown} of {all}."),
    lines: "As JSON Lines",
    lines_about: "One line for each change, for the tools you have. docs/signals.md tells the fields.",
};
