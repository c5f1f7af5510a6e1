//! The lesson.

/// The lesson.
#[derive(Debug)]
pub struct Lesson {
    /// Which chapter it is.
    pub chapter: fn(place: u32, title: &str) -> String,
    /// The list of what is to be done.
    pub steps: &'static str,
    /// A step that is done, for those who do not see the tick.
    pub done: &'static str,
    /// The step to do.
    pub now: &'static str,
    /// A question that is asked.
    pub predict: &'static str,
    /// Nothing has to be answered.
    pub optional: &'static str,
    /// What was chosen is kept.
    pub kept: &'static str,
    /// Before what was predicted.
    pub predicted: &'static str,
    /// The prediction came true.
    pub right: &'static str,
    /// It did not.
    pub wrong: &'static str,
    /// Before what came true, where it was another thing or nothing was predicted.
    pub happened: &'static str,
    /// Goes to the moment that decided it.
    pub show: &'static str,
    /// The run is none of the chapter's.
    pub off_course: &'static str,
    /// Opens the chapter's scenario again.
    pub anew: &'static str,
}

/// English.
pub const ENGLISH: Lesson = Lesson {
    chapter: |place, title| format!("Chapter {place} · {title}"),
    steps: "What to do",
    done: "Done:",
    now: "Now:",
    predict: "Before you go on: what will happen?",
    optional: "You can also go on without an answer.",
    kept: "Kept. Go on, and see.",
    predicted: "You predicted",
    right: "Right.",
    wrong: "Not so.",
    happened: "What happened",
    show: "Show the moment",
    off_course: "This run has other clicks than the lesson tells of, so its numbers differ. That is what the lab is for.",
    anew: "Begin the lesson anew",
};
