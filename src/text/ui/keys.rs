//! The help on keys.

/// The help on keys.
#[derive(Debug)]
pub struct Keys {
    /// The button that opens it.
    pub open: &'static str,
    /// Its title.
    pub title: &'static str,
    /// Keys that work everywhere: the keys, what they do.
    pub everywhere: &'static [(&'static str, &'static str)],
    /// The title of the next list.
    pub in_transport: &'static str,
    /// Keys that work while the focus is in the transport.
    pub transport: &'static [(&'static str, &'static str)],
    /// The title of the last list.
    pub in_diagram: &'static str,
    /// Keys that work while the focus is in the diagram.
    pub diagram: &'static [(&'static str, &'static str)],
    /// The title of the list of the lab's bench.
    pub in_bench: &'static str,
    /// Keys that work while the focus is in it.
    pub bench: &'static [(&'static str, &'static str)],
    /// A closing remark.
    pub remark: &'static str,
}

/// English.
pub const ENGLISH: Keys = Keys {
    open: "Keyboard help",
    title: "Keys",
    everywhere: &[
        ("Tab, Shift+Tab", "to the next control, and back"),
        ("Space or Enter", "press a button, open or close a list of faults"),
        ("Escape", "close an open list of faults, or this help"),
        ("Arrows", "change what a list or a number says while it has the focus"),
    ],
    in_transport: "While the focus is in the transport (the row under the stage)",
    transport: &[
        ("→ or ←", "to the next event in the list, or to the one before"),
        ("Home", "to the start"),
        ("End", "to the end of what has been run"),
        ("Page Up or Page Down", "five seconds on, or back"),
        ("Space", "on the scrubber: play or stop"),
    ],
    in_diagram: "While the focus is in the diagram",
    diagram: &[
        ("→ or ←", "move it"),
        ("Page Up or Page Down", "move it by as much as is in view"),
        ("+ or −", "zoom in or out"),
        ("0", "show all of it"),
        ("Home or End", "to its start or its end"),
        ("Enter", "zoom to what lies around the event selected"),
        ("→ or ← on a flag", "make that click half a second later or earlier; with Shift 5 s"),
        ("Delete on a flag", "take that click away"),
    ],
    in_bench: "While the focus is in the Lab panel or in the diagram, and in no text",
    bench: &[("Ctrl+Z", "undo the last change of the run"), ("Ctrl+Shift+Z", "do it again")],
    remark: "No key does anything by itself outside of a control. Nothing moves until you play.",
};
