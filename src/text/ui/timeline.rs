//! The space-time diagram.

/// The space-time diagram.
#[derive(Debug)]
pub struct Timeline {
    /// What the picture is, and where the same is said in words.
    pub picture: &'static str,
    /// The same of the run beside it.
    pub picture_beside: &'static str,
    /// The box that scrolls, and its keys.
    pub scrolls: &'static str,
    /// The row of buttons.
    pub tools: &'static str,
    /// Nearer.
    pub zoom_in: &'static str,
    /// Farther.
    pub zoom_out: &'static str,
    /// All of it.
    pub fit: &'static str,
    /// To the present moment.
    pub to_now: &'static str,
    /// To what lies around the event selected.
    pub surroundings: &'static str,
    /// What that does.
    pub surroundings_of: &'static str,
    /// What a mouse, a wheel and fingers do in the diagram.
    pub gestures: &'static str,
    /// A mark that stands for several events.
    pub events: fn(count: usize) -> String,
    /// An arrow that stands for several messages.
    pub messages: fn(count: usize) -> String,
    /// A bar that stands for several.
    pub bars: fn(count: usize) -> String,
    /// Explains the looks of bars.
    pub legend: &'static str,
    /// A bar that is believed and true.
    pub holds: &'static str,
    /// A bar that is believed and true no longer.
    pub outdated: &'static str,
    /// A bar of one who waits.
    pub queued: &'static str,
    /// A shade.
    pub still: &'static str,
    /// A sign where two runs differ.
    pub differs: &'static str,
    /// The name of the strip of clicks.
    pub clicks: &'static str,
    /// What it is, and what can be done there.
    pub clicks_how: &'static str,
    /// A click in it: what is done and to what, and when.
    pub click: fn(says: &str, at: &str) -> String,
    /// The caption of a run's diagram, where there are two.
    pub caption: fn(run: u32) -> String,
}

/// English.
pub const ENGLISH: Timeline = Timeline {
    picture: "Space-time diagram of the run; the list “Events as a list” says the same in words",
    picture_beside: "Space-time diagram of the run beside it; “Where they differ” says in words how it is different",
    scrolls: "Diagram. Left and right arrows move it, plus and minus zoom, 0 shows all of it, Home and End go to its ends, Enter shows what lies around the event selected",
    tools: "Size of the diagram",
    zoom_in: "Zoom in",
    zoom_out: "Zoom out",
    fit: "Fit",
    to_now: "To now",
    surroundings: "Surroundings",
    surroundings_of: "Zoom to what lies around the event selected",
    gestures: "Drag to move it, or a click’s flag to make it at another moment. Ctrl and the wheel, or two fingers, zoom.",
    events: |count| format!("{count} events in one place. Zoom in to tell them apart."),
    messages: |count| format!("{count} messages in one place. Zoom in to tell them apart."),
    bars: |count| format!("{count} times in one place. Zoom in to tell them apart."),
    legend: "In the diagram",
    holds: "holds the lock and knows it",
    outdated: "believes so, wrongly",
    queued: "waits",
    still: "stands still",
    differs: "not so, or not then, in the other run",
    clicks: "Clicks",
    clicks_how: "Clicks of this run. Enter goes to one, left and right arrows move it by half a second, with Shift by 5 s, Delete takes it away",
    click: |says, at| format!("{says}, at {at}"),
    caption: |run| format!("Run {run}"),
};
