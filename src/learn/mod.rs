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

use chapter::{File, Heading};
use later::{Text, Wanted, files, wanted};

/// The chapters' own files in English. The program holds them all: they are short, and say
/// what there is.
const HEADINGS: [Text; 5] = files![
    "chapter-1/chapter.toml",
    "chapter-2/chapter.toml",
    "chapter-3/chapter.toml",
    "chapter-4/chapter.toml",
    "chapter-5/chapter.toml",
];

/// The lessons of the first chapter, in their order.
const FIRST: [Text; 5] = files![
    "chapter-1/01-unfenced.toml",
    "chapter-1/02-plain-read.toml",
    "chapter-1/03-renewal-fails.toml",
    "chapter-1/04-check-then-put.toml",
    "chapter-1/05-slow-clock.toml",
];

/// Those of the others, which come later.
const SECOND: [Text; 3] =
    files!["chapter-2/01-one-key.toml", "chapter-2/02-failover.toml", "chapter-2/03-redlock.toml"];
const THIRD: [Text; 2] = files!["chapter-3/01-two-warnings.toml", "chapter-3/02-lock-delay.toml"];
const FOURTH: [Text; 4] = files![
    "chapter-4/01-number-from-the-database.toml",
    "chapter-4/02-look-at-the-lock.toml",
    "chapter-4/03-conditions.toml",
    "chapter-4/04-what-a-mark-is-for.toml",
];
const FIFTH: [Text; 3] = files![
    "chapter-5/01-compare-and-set.toml",
    "chapter-5/02-one-leader.toml",
    "chapter-5/03-beside-the-fence.toml",
];

/// What the program has of those.
static SECOND_WANTED: [Wanted; 3] = wanted(&SECOND);
static THIRD_WANTED: [Wanted; 2] = wanted(&THIRD);
static FOURTH_WANTED: [Wanted; 4] = wanted(&FOURTH);
static FIFTH_WANTED: [Wanted; 3] = wanted(&FIFTH);

/// The lessons of a chapter that comes later, by its place from 0.
fn texts(place: usize) -> &'static [Text] {
    match place {
        1 => &SECOND,
        2 => &THIRD,
        3 => &FOURTH,
        4 => &FIFTH,
        _ => &[],
    }
}

/// What the program has of them.
fn files_of(place: usize) -> &'static [Wanted] {
    match place {
        1 => &SECOND_WANTED,
        2 => &THIRD_WANTED,
        3 => &FOURTH_WANTED,
        4 => &FIFTH_WANTED,
        _ => &[],
    }
}

/// What all chapters are called, and their lessons' ids.
///
/// # Errors
/// When a file is wrong, which a test excludes.
pub fn headings() -> Result<Vec<Heading>, ChapterError> {
    HEADINGS.iter().map(|(_, text)| Heading::from_text(text)).collect()
}

/// The first chapter, which is part of the program.
///
/// # Errors
/// When a file is wrong, which a test excludes.
pub fn first() -> Result<Chapter, ChapterError> {
    Chapter::from_files(HEADINGS[0], &FIRST)
}

/// A chapter that has come later, by its place from 0: from the texts of its lessons.
///
/// # Errors
/// When one of them is wrong, which a test excludes.
pub fn chapter(place: usize, texts: &[String]) -> Result<Chapter, ChapterError> {
    let names = files_of(place).iter().map(|file| file.name);
    let lessons: Vec<File> = names.zip(texts.iter().map(String::as_str)).collect();
    Chapter::from_files(HEADINGS[place], &lessons)
}

/// All chapters as they are built in.
#[cfg(test)]
pub fn chapters() -> Result<Vec<Chapter>, ChapterError> {
    let later =
        (1..HEADINGS.len()).map(|place| chapter(place, &later::Later::Chapter(place).built_in()));
    std::iter::once(first()).chain(later).collect()
}
