//! Lessons: chapters as data, what is done of them, and predictions met by what
//! happens. Pure; the texts are files, a folder a language. Those of the first chapter and
//! of terms are part of the program; the others come [`later`].
//!
//! ```text
//!   static/lessons/en/chapter-1/*.toml ──► Chapter ──► Lesson
//!   the runs that are open ──► Seen ──► what is done, what is asked, what was right
//! ```
//!
//! No file says which option is right: an option names what a measure would come to,
//! and a run of the engine says which of them came true.

pub mod chapter;
pub mod later;
pub mod lesson;
pub mod outcome;
pub mod progress;
pub mod quiz;
pub mod seen;
pub mod services;
pub mod terms;
#[cfg(test)]
mod tests;
pub mod told;

pub use chapter::{Chapter, ChapterError};
pub use lesson::{Choice, Condition, Lesson, OwnRun, Part, Question, SameClicks, Step};
pub use outcome::{Decision, Outcome};
pub use seen::{Asked, Course, Met, Progress, Seen};

use later::{Text, files};

/// The first chapter in English: its own file, then its lessons in order.
const FIRST: [Text; 6] = files![
    "chapter-1/chapter.toml",
    "chapter-1/01-unfenced.toml",
    "chapter-1/02-plain-read.toml",
    "chapter-1/03-renewal-fails.toml",
    "chapter-1/04-check-then-put.toml",
    "chapter-1/05-slow-clock.toml",
];

/// All chapters.
///
/// # Errors
/// When a file is wrong, which a test excludes.
pub fn chapters() -> Result<Vec<Chapter>, ChapterError> {
    let [heading, lessons @ ..] = FIRST;
    Ok(vec![Chapter::from_files(heading, &lessons)?])
}
