//! A chapter as its file says it.

use super::Outcome;
use crate::actors::store::api::Rule;
use crate::content::read::{one_of, place_of};
use crate::content::{At, Mistake, Read, Tree, table};
use std::collections::BTreeSet;
use thiserror::Error;

/// The version of the format.
const FORMAT: u32 = 1;

table! {
    /// A chapter.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Chapter {
        /// The version of the format.
        pub format: u32,
        /// Names it.
        pub id: String,
        /// Its place among the chapters, from 1.
        pub place: u32,
        /// What people call it.
        pub title: String,
        /// The scenarios whose runs belong to it: the first is the one it opens on.
        pub scenarios: Vec<String>,
        /// What is told, one part after the other.
        pub parts as "part": Vec<Part>,
        /// What is to be done.
        pub steps as "step": Vec<Step>,
        /// What is asked.
        pub questions as "question": Vec<Question> = Vec::new(),
    }
}

table! {
    /// A part of what is told. `code` stands between backticks.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Part {
        /// Its heading.
        pub title: String,
        /// Since when it is told; from the start without it.
        pub from: Option<Condition> = None,
        /// Its paragraphs.
        pub text: Vec<String>,
    }
}

table! {
    /// Something to be done.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Step {
        /// What.
        pub text: String,
        /// When it is done.
        pub done: Condition,
    }
}

/// Something that is so once enough of the chapter's runs has been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A run has begun.
    Begun,
    /// The scenario's clicks were made.
    Clicked,
    /// In a run with those clicks, under this rule, it is decided what becomes of the
    /// first report.
    FirstDecided(Rule),
    /// In such a run it is decided what becomes of every worker's report.
    Decided(Rule),
}

impl Read for Condition {
    fn read(tree: &Tree, at: &At) -> Result<Condition, Box<Mistake>> {
        if tree.text().is_some() {
            let place = place_of(tree, at, &["begun", "clicked"])?;
            return Ok([Condition::Begun, Condition::Clicked][place]);
        }
        let names: &[&str] = &["first-decided", "decided"];
        let (place, rule) = one_of(tree, at, names)?;
        let rule = Rule::read(rule, &at.field(names[place]))?;
        Ok([Condition::FirstDecided(rule), Condition::Decided(rule)][place])
    }
}

table! {
    /// A prediction that is asked for.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Question {
        /// Names it.
        pub id: String,
        /// When it is asked.
        pub asked: Condition,
        /// Under which rule the run stands of which it asks.
        pub about: Rule,
        /// Of whose write it asks.
        pub worker: String,
        /// What it asks.
        pub text: String,
        /// What can be answered.
        pub options as "option": Vec<Choice>,
    }
}

table! {
    /// An answer: a right one, or what people often believe.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Choice {
        /// Names it, within its question.
        pub id: String,
        /// What it says.
        pub text: String,
        /// What it says will become of the write.
        pub outcome: Outcome,
        /// What is said to who chose it when it came true.
        pub right: String,
        /// What is said to who chose it when it did not.
        pub wrong: String,
    }
}

/// What can be wrong with a chapter's file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChapterError {
    /// It is no TOML, or a field is missing, unknown or of the wrong type.
    #[error(transparent)]
    Content(#[from] Box<Mistake>),
    /// It is of another version of the format.
    #[error("this is format {found}, and only format {known} can be read")]
    Format {
        /// The file's.
        found: u32,
        /// Ours.
        known: u32,
    },
    /// Something that it must have is not there.
    #[error("chapter `{chapter}` has no {what}")]
    Missing {
        /// The chapter's id.
        chapter: String,
        /// What.
        what: &'static str,
    },
    /// The first part is not told from the start.
    #[error("the first part of chapter `{chapter}` has to be told from the start")]
    LateStart {
        /// The chapter's id.
        chapter: String,
    },
    /// Two things have one id.
    #[error("`{id}` is there twice")]
    Twice {
        /// The id.
        id: String,
    },
    /// Two options of a question would be right together.
    #[error("two options of `{question}` name the same outcome")]
    SameOutcome {
        /// The question's id.
        question: String,
    },
}

impl Chapter {
    /// Reads a chapter's file.
    ///
    /// # Errors
    /// When something in it is wrong.
    pub fn from_text(text: &str) -> Result<Chapter, ChapterError> {
        let chapter = Chapter::read(&Tree::from_toml(text)?, &At::TOP)?;
        chapter.check()?;
        Ok(chapter)
    }

    fn check(&self) -> Result<(), ChapterError> {
        if self.format != FORMAT {
            return Err(ChapterError::Format { found: self.format, known: FORMAT });
        }
        let missing = |what| Err(ChapterError::Missing { chapter: self.id.clone(), what });
        if self.scenarios.is_empty() {
            return missing("scenario");
        }
        if self.steps.is_empty() {
            return missing("step");
        }
        let Some(first) = self.parts.first() else { return missing("part") };
        if first.from.is_some() {
            return Err(ChapterError::LateStart { chapter: self.id.clone() });
        }
        different(self.questions.iter().map(|question| question.id.as_str()))?;
        self.questions.iter().try_for_each(Question::check)
    }
}

impl Question {
    fn check(&self) -> Result<(), ChapterError> {
        different(self.options.iter().map(|option| option.id.as_str()))?;
        let outcomes: BTreeSet<Outcome> = self.options.iter().map(|o| o.outcome).collect();
        if outcomes.len() < self.options.len() {
            return Err(ChapterError::SameOutcome { question: self.id.clone() });
        }
        Ok(())
    }

    /// One of its options.
    pub fn option(&self, id: &str) -> Option<&Choice> {
        self.options.iter().find(|option| option.id == id)
    }
}

fn different<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), ChapterError> {
    let mut there = BTreeSet::new();
    for id in ids {
        if !there.insert(id) {
            return Err(ChapterError::Twice { id: id.to_owned() });
        }
    }
    Ok(())
}
