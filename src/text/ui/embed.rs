//! The page in a frame of another.

/// What is said there, and of what the address asks for.
#[derive(Debug)]
pub struct Embed {
    /// The link to the whole page.
    pub whole: &'static str,
    /// What the address asks for and cannot be had: the mistakes, each a clause.
    pub mistakes: fn(mistakes: &[String]) -> String,
}

/// English.
pub const ENGLISH: Embed = Embed {
    whole: "Open Fencepost in a tab of its own",
    mistakes: |mistakes| format!("The address of this page has mistakes: {}.", mistakes.join("; ")),
};
