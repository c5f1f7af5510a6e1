//! The space-time diagram.

/// The space-time diagram.
#[derive(Debug)]
pub struct Timeline {
    /// What the picture is, and where the same is said in words.
    pub picture: &'static str,
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
}

/// English.
pub const ENGLISH: Timeline = Timeline {
    picture: "Space-time diagram of the run; the list “Events as a list” says the same in words",
    scrolls: "Diagram. Left and right arrows move it, plus and minus zoom, Home and End go to its ends",
    tools: "Size of the diagram",
    zoom_in: "Zoom in",
    zoom_out: "Zoom out",
    fit: "Fit",
    to_now: "To now",
    legend: "In the diagram",
    holds: "holds the lock and knows it",
    outdated: "believes so, wrongly",
    queued: "waits",
    still: "stands still",
};
