//! The page around its regions.

/// Header, panels, notices.
#[derive(Debug)]
pub struct Frame {
    /// The program's name.
    pub name: &'static str,
    /// What it is.
    pub tagline: &'static str,
    /// The panel with the goal.
    pub guide: &'static str,
    /// The panel with the machines.
    pub stage: &'static str,
    /// The panel with transport and diagram.
    pub timeline: &'static str,
    /// The panel with all that can be set.
    pub bench: &'static str,
    /// The panel with causes and programs.
    pub why: &'static str,
    /// The panel with the list of events.
    pub events: &'static str,
    /// The button that closes a dialog.
    pub close: &'static str,
    /// The button beside a warning.
    pub dismiss: &'static str,
    /// Before the sentence that says where one is, after a jump: run and moment.
    pub arrived: fn(run: u32, moment: &str) -> String,
    /// One turn of events: moment, machine, what happened.
    pub turn: fn(moment: &str, machine: &str, what: &str) -> String,
    /// A click: moment, what was done, and to how many more machines or links.
    pub click: fn(moment: &str, what: &str, more: usize) -> String,
    /// The status line before anything has happened.
    pub nothing_yet: &'static str,
    /// Before how a run ended.
    pub ended: &'static str,
    /// The lesson tells another part: its heading.
    pub lesson_says: fn(title: &str) -> String,
    /// The lesson asks something.
    pub lesson_asks: fn(question: &str) -> String,
}

/// English.
pub const ENGLISH: Frame = Frame {
    name: "Fencepost",
    tagline: "A laboratory for distributed locks",
    guide: "Goal",
    stage: "Stage",
    timeline: "Timeline",
    bench: "Lab",
    why: "Why",
    events: "Events as a list",
    close: "Close",
    dismiss: "Got it",
    arrived: |run, moment| format!("Run {run} at {moment}."),
    turn: |moment, machine, what| format!("{moment}, {machine}: {what}."),
    click: |moment, what, more| match more {
        0 => format!("{moment}: {what}."),
        more => format!("{moment}: {what}, and {more} more."),
    },
    nothing_yet: "Nothing has happened yet.",
    ended: "The run has ended.",
    lesson_says: |title| format!("The lesson goes on: {title}."),
    lesson_asks: |question| format!("The lesson asks: {question}"),
};
