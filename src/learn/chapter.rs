//! A chapter: its heading and its lessons, each from a file of its own.

use super::lesson::{FORMAT, Lesson, different};
use crate::content::{At, Mistake, Read, Tree, table};
use thiserror::Error;

table! {
    /// What a chapter's own file says.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Heading {
        /// The version of the format.
        pub format: u32,
        /// Names it.
        pub id: String,
        /// Its place among the chapters, from 1.
        pub place: u32,
        /// What people call it.
        pub title: String,
        /// The ids of its lessons, in order.
        pub lessons: Vec<String>,
        /// The scenarios that each of them plays, the one it begins with first.
        pub plays: Vec<Vec<String>>,
    }
}

/// A chapter.
#[derive(Clone, Debug, PartialEq)]
pub struct Chapter {
    /// What it is called.
    pub heading: Heading,
    /// Its lessons, in order.
    pub lessons: Vec<Lesson>,
}

/// A file's name and what stands in it.
pub type File<'a> = (&'a str, &'a str);

/// What can be wrong with a chapter's files.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChapterError {
    /// In one of them.
    #[error("{file}: {error}")]
    In {
        /// Its name.
        file: String,
        /// What.
        error: Box<ChapterError>,
    },
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
    #[error("lesson `{lesson}` has no {what}")]
    Missing {
        /// The lesson's id.
        lesson: String,
        /// What.
        what: &'static str,
    },
    /// The first part is not told from the start.
    #[error("the first part of lesson `{lesson}` has to be told from the start")]
    LateStart {
        /// The lesson's id.
        lesson: String,
    },
    /// A run is named that is none of the lesson's.
    #[error("lesson `{lesson}` has no run `{run}`")]
    NoSuchRun {
        /// The lesson's id.
        lesson: String,
        /// The name.
        run: String,
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

impl ChapterError {
    fn within(self, file: &str) -> ChapterError {
        ChapterError::In { file: file.to_owned(), error: Box::new(self) }
    }
}

impl Chapter {
    /// Reads a chapter's files: the first is its own, the others are its lessons.
    ///
    /// # Errors
    /// When something in one is wrong, or two lessons or questions have one id.
    pub fn from_files(heading: File, lessons: &[File]) -> Result<Chapter, ChapterError> {
        let (name, text) = heading;
        let heading = Heading::from_text(text).map_err(|error| error.within(name))?;
        let lesson =
            |(name, text): &File| Lesson::from_text(text).map_err(|error| error.within(name));
        let lessons: Vec<Lesson> = lessons.iter().map(lesson).collect::<Result<_, _>>()?;
        different(lessons.iter().map(|lesson| lesson.id.as_str()))?;
        let questions = lessons.iter().flat_map(|lesson| &lesson.questions);
        different(questions.map(|question| question.id.as_str()))?;
        Ok(Chapter { heading, lessons })
    }
}

impl Heading {
    /// Reads a chapter's own file.
    ///
    /// # Errors
    /// When something in it is wrong.
    pub(super) fn from_text(text: &str) -> Result<Heading, ChapterError> {
        let heading = Heading::read(&Tree::from_toml(text)?, &At::TOP)?;
        if heading.format != FORMAT {
            return Err(ChapterError::Format { found: heading.format, known: FORMAT });
        }
        Ok(heading)
    }
}
