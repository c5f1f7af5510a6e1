//! A lesson as its file says it.

use super::chapter::ChapterError;
use super::told::{About, Found, Told};
use crate::content::read::{one_of, place_of};
use crate::content::{At, Mistake, Read, Tree, table};
use crate::learn::quiz::{Expected, Measure};
use crate::scenario::clicks::ClickSpec;

/// The version of the format.
pub(super) const FORMAT: u32 = 1;

table! {
    /// A lesson.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Lesson {
        /// The version of the format.
        pub format: u32,
        /// Names it for good: what is remembered of a reader keeps it.
        pub id: String,
        /// What people call it.
        pub title: String,
        /// The runs of which it tells: the first is the one it opens on.
        pub runs: Vec<Told>,
        /// What is told, one part after the other.
        pub parts as "part": Vec<Part>,
        /// What is to be done.
        pub steps as "step": Vec<Step>,
        /// What is asked.
        pub questions as "question": Vec<Question> = Vec::new(),
    }
}

table! {
    /// A part of what is told. `code` stands between backticks, and a term that is
    /// explained in double brackets; [`super::terms`] says how.
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
        /// It is done by making the same clicks in another of the lesson's runs.
        pub same_clicks: Option<SameClicks> = None,
        /// It is done in a run of the reader's own.
        pub own_run: Option<OwnRun> = None,
    }
}

table! {
    /// The same clicks in another run.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SameClicks {
        /// In which.
        pub run: String,
        /// The words on the button.
        pub label: String,
    }
}

table! {
    /// A run in which the reader looks for a click.
    #[derive(Clone, Debug, PartialEq)]
    pub struct OwnRun {
        /// The run it begins as, without its clicks.
        pub run: String,
        /// Where it stops and waits for the reader; without it, where its scenario does.
        pub waits_at_ms: Option<i64> = None,
        /// What helps who does not find it.
        pub hint: String,
        /// What does it, for tests.
        pub clicks as "click": Vec<ClickSpec>,
    }
}

/// Something that is so once enough of the lesson's runs has been seen.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// A run has begun.
    Begun,
    /// The clicks of one of the lesson's runs were made.
    Clicked,
    /// In this run of the lesson it is decided what becomes of the first report.
    FirstDecided(String),
    /// In this run it is decided what becomes of every worker's report.
    Decided(String),
    /// It was found out in one run.
    Found(Found),
}

impl Read for Condition {
    fn read(tree: &Tree, at: &At) -> Result<Condition, Box<Mistake>> {
        if tree.text().is_some() {
            let place = place_of(tree, at, &["begun", "clicked"])?;
            return Ok([Condition::Begun, Condition::Clicked][place].clone());
        }
        let names: &[&str] = &["first-decided", "decided", "found"];
        let (place, inner) = one_of(tree, at, names)?;
        let at = &at.field(names[place]);
        Ok(match place {
            0 => Condition::FirstDecided(String::read(inner, at)?),
            1 => Condition::Decided(String::read(inner, at)?),
            _ => Condition::Found(Found::read(inner, at)?),
        })
    }
}

impl Condition {
    /// The run it names.
    fn run(&self) -> Option<&str> {
        match self {
            Condition::Begun | Condition::Clicked => None,
            Condition::FirstDecided(run) | Condition::Decided(run) => Some(run),
            Condition::Found(found) => Some(&found.about.run),
        }
    }
}

table! {
    /// A prediction that is asked for.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Question {
        /// Names it, among all of the chapter.
        pub id: String,
        /// When it is asked.
        pub asked: Condition,
        /// The run of which it asks.
        pub about: About,
        /// What is measured there.
        pub asks: Measure,
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
        /// What the measure comes to if it is right.
        pub is: Expected,
        /// What is said to who chose it when it came true.
        pub right: String,
        /// What is said to who chose it when it did not.
        pub wrong: String,
    }
}

impl Lesson {
    /// Reads a lesson's file.
    ///
    /// # Errors
    /// When something in it is wrong.
    pub fn from_text(text: &str) -> Result<Lesson, ChapterError> {
        let lesson = Lesson::read(&Tree::from_toml(text)?, &At::TOP)?;
        lesson.check()?;
        Ok(lesson)
    }

    fn check(&self) -> Result<(), ChapterError> {
        if self.format != FORMAT {
            return Err(ChapterError::Format { found: self.format, known: FORMAT });
        }
        let missing = |what| Err(ChapterError::Missing { lesson: self.id.clone(), what });
        if self.runs.is_empty() {
            return missing("run");
        }
        if self.steps.is_empty() {
            return missing("step");
        }
        let Some(first) = self.parts.first() else { return missing("part") };
        if first.from.is_some() {
            return Err(ChapterError::LateStart { lesson: self.id.clone() });
        }
        let unknown = self.named().find(|run| self.run(run).is_none());
        if let Some(run) = unknown {
            return Err(ChapterError::NoSuchRun { lesson: self.id.clone(), run: run.to_owned() });
        }
        different(self.questions.iter().map(|question| question.id.as_str()))?;
        self.questions.iter().try_for_each(Question::check)
    }

    /// The runs that are named in it.
    fn named(&self) -> impl Iterator<Item = &str> {
        let parts = self.parts.iter().filter_map(|part| part.from.as_ref()?.run());
        let steps = self.steps.iter().flat_map(|step| {
            let again = step.same_clicks.as_ref().map(|again| again.run.as_str());
            let own = step.own_run.as_ref().map(|own| own.run.as_str());
            [step.done.run(), again, own].into_iter().flatten()
        });
        let asked = self.questions.iter().flat_map(|question| {
            [question.asked.run(), Some(question.about.run.as_str())].into_iter().flatten()
        });
        parts.chain(steps).chain(asked)
    }

    /// One of its runs.
    pub fn run(&self, name: &str) -> Option<&Told> {
        self.runs.iter().find(|told| told.name == name)
    }
}

impl Question {
    fn check(&self) -> Result<(), ChapterError> {
        different(self.options.iter().map(|option| option.id.as_str()))?;
        let is_other = |(place, option): (usize, &Choice)| {
            self.options[..place].iter().all(|before| before.is != option.is)
        };
        if !self.options.iter().enumerate().all(is_other) {
            return Err(ChapterError::SameOutcome { question: self.id.clone() });
        }
        Ok(())
    }

    /// One of its options.
    pub fn option(&self, id: &str) -> Option<&Choice> {
        self.options.iter().find(|option| option.id == id)
    }
}

/// The first that was there before.
pub(super) fn twice<'a>(ids: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut there = Vec::new();
    ids.into_iter().find(|id| {
        let is_there = there.contains(id);
        there.push(*id);
        is_there
    })
}

/// Makes sure that no two are the same.
pub(super) fn different<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), ChapterError> {
    match twice(ids) {
        Some(id) => Err(ChapterError::Twice { id: id.to_owned() }),
        None => Ok(()),
    }
}
