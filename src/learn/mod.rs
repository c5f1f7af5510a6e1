//! Lessons: chapters as data, what is done of them, and predictions met by what
//! happens. Pure; the texts are files, a folder a language.
//!
//! ```text
//!   static/lessons/en/chapter-1.toml ──► Chapter
//!   the runs that are open ──► Seen ──► what is done, what is asked, what was right
//! ```
//!
//! No file says which option is right: an option names an [`Outcome`], and a run of
//! the engine says which of them came true.

pub mod chapter;
pub mod outcome;
pub mod progress;
pub mod quiz;
pub mod seen;
#[cfg(test)]
mod tests;

pub use chapter::{Chapter, ChapterError, Choice, Condition, Part, Question, Step};
pub use outcome::{Decision, Outcome};
pub use seen::{Asked, Course, Met, Progress, Seen};

/// The text of every chapter in English, in order.
const ENGLISH: &[&str] = &[include_str!("../../static/lessons/en/chapter-1.toml")];

/// All chapters.
///
/// # Errors
/// When a file is wrong, which a test excludes.
pub fn chapters() -> Result<Vec<Chapter>, ChapterError> {
    ENGLISH.iter().map(|text| Chapter::from_text(text)).collect()
}
