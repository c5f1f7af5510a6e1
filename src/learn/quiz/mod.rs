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

use crate::content::Choice as _;

/// The texts of the quiz in English, a file for each [`Topic`], in their order.
const ENGLISH: [&str; 13] = [
    include_str!("../../../static/lessons/en/quiz-tokens.toml"),
    include_str!("../../../static/lessons/en/quiz-leases.toml"),
    include_str!("../../../static/lessons/en/quiz-renewals.toml"),
    include_str!("../../../static/lessons/en/quiz-store.toml"),
    include_str!("../../../static/lessons/en/quiz-effects.toml"),
    include_str!("../../../static/lessons/en/quiz-redis.toml"),
    include_str!("../../../static/lessons/en/quiz-redlock.toml"),
    include_str!("../../../static/lessons/en/quiz-zookeeper.toml"),
    include_str!("../../../static/lessons/en/quiz-postgres.toml"),
    include_str!("../../../static/lessons/en/quiz-consul.toml"),
    include_str!("../../../static/lessons/en/quiz-etcd.toml"),
    include_str!("../../../static/lessons/en/quiz-no-lock.toml"),
    include_str!("../../../static/lessons/en/quiz-objects.toml"),
];

/// The quiz.
///
/// # Errors
/// When one of its files is wrong, which a test excludes.
pub fn quiz() -> Result<Quiz, QuizError> {
    Quiz::from_texts(&ENGLISH)
}

/// The questions of the quiz with their topics.
///
/// # Errors
/// When one of its files is wrong, which a test excludes.
pub fn by_topic() -> Result<Vec<(Topic, Question)>, QuizError> {
    let mut all = Vec::new();
    for (topic, text) in Topic::ALL.iter().zip(ENGLISH) {
        all.extend(Quiz::from_text(text)?.questions.into_iter().map(|question| (*topic, question)));
    }
    Ok(all)
}
