//! The lesson.

/// The lesson.
#[derive(Debug)]
pub struct Lesson {
    /// Which chapter it is.
    pub chapter: fn(place: u32, all: usize, title: &str) -> String,
    /// Where one is in it.
    pub place: fn(place: usize, all: usize) -> String,
    /// Goes to the lesson before.
    pub before: &'static str,
    /// Goes to the one after.
    pub after: &'static str,
    /// The list of all lessons, and how many are done.
    pub all: fn(done: usize, all: usize) -> String,
    /// The list of all chapters.
    pub chapters: &'static str,
    /// How many lessons of a chapter are done.
    pub of_chapter: fn(done: usize, all: usize) -> String,
    /// A lesson in that list that is done.
    pub is_done: &'static str,
    /// For a screen reader, when another lesson is opened.
    pub opened: fn(place: usize, all: usize, title: &str) -> String,
    /// The same, when all of it is done.
    pub finished: &'static str,
    /// What helps with a step, shown on demand.
    pub hint: &'static str,
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
    /// Beside a run that is set otherwise than those of the lesson.
    pub edited: &'static str,
    /// Goes back to one of those.
    pub back: &'static str,
    /// It is of another scenario altogether.
    pub other_case: &'static str,
    /// No lesson tells of it.
    pub none: &'static str,
    /// From there to the lesson: its title.
    pub to_lesson: fn(title: &str) -> String,
    /// Opens the chapter's scenario again.
    pub anew: &'static str,
}

/// English.
pub const ENGLISH: Lesson = Lesson {
    chapter: |place, all, title| format!("Chapter {place} of {all} · {title}"),
    place: |place, all| format!("Lesson {place} of {all}"),
    before: "Previous lesson",
    after: "Next lesson",
    all: |done, all| format!("All lessons: {done} of {all} of this chapter done"),
    chapters: "All chapters",
    of_chapter: |done, all| match (done, all) {
        (0, 1) => "1 lesson".to_owned(),
        (0, all) => format!("{all} lessons"),
        (done, all) => format!("{done} of {all} lessons done"),
    },
    is_done: "done",
    opened: |place, all, title| format!("Lesson {place} of {all}: {title}."),
    finished: "All steps of the lesson are done.",
    hint: "A hint",
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
    edited: "This run is set otherwise than the lesson's, so it counts for none of its steps.",
    back: "Back to the lesson's run",
    other_case: "This lesson does not tell of this run. What to do next in it is marked.",
    none: "No lesson tells of this scenario. What to do next in it is marked.",
    to_lesson: |title| format!("Begin the lesson “{title}”"),
    anew: "Begin the lesson anew",
};
