//! How the run stands.

use crate::properties::PropertyId;

/// The five facts of the verdict strip, each with a short form for a narrow screen.
#[derive(Debug)]
pub struct Verdict {
    /// The strip.
    pub strip: &'static str,
    /// Who believes.
    pub believe: &'static str,
    /// To whom it is granted.
    pub granted: &'static str,
    /// How many stale writes were accepted.
    pub stale: &'static str,
    /// What the partner has booked.
    pub booked: &'static str,
    /// What became of the promises.
    pub promised: &'static str,
    /// Short: before who believes.
    pub believe_short: &'static str,
    /// Short: before to whom it is granted.
    pub granted_short: &'static str,
    /// Short: before the number of stale writes.
    pub stale_short: &'static str,
    /// Nobody.
    pub nobody: &'static str,
    /// Short: nobody.
    pub nobody_short: &'static str,
    /// One, and no other.
    pub only: fn(name: &str) -> String,
    /// To whom it is granted, and whose grant the service has forgotten while it goes by it.
    pub and_forgotten: fn(granted: &str, before: &str) -> String,
    /// Several.
    pub and: fn(names: &[&str]) -> String,
    /// The same where there is no room.
    pub late_short: fn(stale: u32, late: u32) -> String,
    /// Stale writes, and those accepted late.
    pub and_late: fn(stale: u32, late: u32) -> String,
    /// Booked of owed.
    pub of: fn(booked: &str, owed: &str) -> String,
    /// Short: the same.
    pub of_short: fn(booked: &str, owed: &str) -> String,
    /// Nothing is broken.
    pub kept: &'static str,
    /// What has happened when a promise is broken.
    pub happened: fn(PropertyId) -> &'static str,
    /// Something is broken: what happened first, and how many more promises.
    pub broken: fn(happened: &str, more: usize) -> String,
    /// Short: something is.
    pub broken_short: &'static str,
    /// The accessible name of the button that jumps to what broke it.
    pub jump: fn(happened: &str) -> String,
}

/// English.
pub const ENGLISH: Verdict = Verdict {
    strip: "How the run stands",
    believe: "Believe they hold it",
    granted: "Granted to",
    stale: "Stale writes accepted",
    booked: "Booked in all",
    promised: "Promised so far",
    believe_short: "believe",
    granted_short: "has it",
    stale_short: "stale",
    late_short: |stale, late| format!("{stale} +{late} late"),
    nobody: "nobody",
    nobody_short: "–",
    only: |name| format!("{name} only"),
    and_forgotten: |granted, before| {
        format!("{granted}; gone, but still believed: the grant to {before}")
    },
    and: |names| match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    },
    and_late: |stale, late| match late {
        0 => stale.to_string(),
        late => format!("{stale}; before the store knew of the next grant: {late}"),
    },
    of: |booked, owed| format!("{booked} of {owed}"),
    of_short: |booked, owed| format!("{booked}/{owed}"),
    kept: "kept",
    happened,
    broken: |happened, more| match more {
        0 => format!("broken: {happened}"),
        more => format!("broken: {happened}, and {more} more"),
    },
    broken_short: "broken",
    jump: |happened| format!("broken: {happened}: go to that moment"),
};

/// As what happened: the names of promises sound like good news beside “broken”.
fn happened(id: PropertyId) -> &'static str {
    match id {
        PropertyId::StaleWriteAccepted => "a stale write was accepted",
        PropertyId::AcknowledgedWriteLost => "an acknowledged write was lost",
        PropertyId::WorkDoneTwice => "work was done twice",
        PropertyId::RightfulHolderRefused => "the rightful holder was refused",
        PropertyId::TwoBelieve => "two believed that they held the lock",
        PropertyId::GrantedToTwo => "the lock was granted to two",
        PropertyId::TokenNotRising => "a token did not rise",
        PropertyId::WrongLockReleased => "somebody else's lock was released",
        PropertyId::NeverReleased => "the lock was never released",
        PropertyId::NeverFinished => "a program never finished",
    }
}
