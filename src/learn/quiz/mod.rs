//! The quiz: questions over what the page can play. Pure; the texts are files, a folder
//! a language.
//!
//! A file says which answer is right, and so does the engine: every question names a run
//! and what is [measured](measure::Measure) in it, and a test compares the two. It also
//! names a changed run in which another answer is right, so that no question is about
//! something that is always so.

pub mod file;
pub mod grade;
pub mod measure;
pub mod number;
pub mod solve;
#[cfg(test)]
mod tests;
pub mod topic;

pub use file::{Answer, Choice, Expected, Kind, Question, Quiz, QuizError, Unit};
pub use grade::{Given, Grade};
pub use measure::{Measure, Measured};
pub use number::Untyped;
pub use solve::Solution;
pub use topic::Topic;

use super::later::{Text, Wanted, files, wanted};
use crate::content::Choice as _;

/// The texts of the quiz in English, a file for each [`Topic`], in their order. The page's
/// program does not hold them: see [`super::later`].
pub(super) const ENGLISH: [Text; 13] = files![
    "quiz/tokens.toml",
    "quiz/leases.toml",
    "quiz/renewals.toml",
    "quiz/store.toml",
    "quiz/effects.toml",
    "quiz/redis.toml",
    "quiz/redlock.toml",
    "quiz/zookeeper.toml",
    "quiz/postgres.toml",
    "quiz/consul.toml",
    "quiz/etcd.toml",
    "quiz/no-lock.toml",
    "quiz/objects.toml",
];

/// What the program has of them.
pub(super) static WANTED: [Wanted; 13] = wanted(&ENGLISH);

/// The quiz as it is built in.
///
/// # Errors
/// When one of its files is wrong, which a test excludes.
#[cfg(test)]
pub fn quiz() -> Result<Quiz, QuizError> {
    Quiz::from_texts(&ENGLISH.map(|(_, text)| text))
}

/// The questions of the quiz with their topics, from the texts of its files.
///
/// # Errors
/// When one of them is wrong, which a test excludes.
pub fn by_topic(texts: &[String]) -> Result<Vec<(Topic, Question)>, QuizError> {
    let mut all = Vec::new();
    for (topic, text) in Topic::ALL.iter().zip(texts) {
        all.extend(Quiz::from_text(text)?.questions.into_iter().map(|question| (*topic, question)));
    }
    Ok(all)
}
