//! The page around its regions.

/// Header and panels.
#[derive(Debug)]
pub struct Frame {
    /// The program's name.
    pub name: &'static str,
    /// The panel at the side.
    pub lesson: &'static str,
    /// The panel with the machines.
    pub stage: &'static str,
    /// The panel with transport and diagram.
    pub timeline: &'static str,
    /// The panel with causes and programs.
    pub why: &'static str,
    /// The panel with the list of events.
    pub events: &'static str,
}

/// English.
pub const ENGLISH: Frame = Frame {
    name: "Fencepost",
    lesson: "Lesson",
    stage: "Stage",
    timeline: "Timeline",
    why: "Why",
    events: "Events as a list",
};
