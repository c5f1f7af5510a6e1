//! The quiz as its files say it. A file is TOML: `format = 1`, then a `[[question]]` for
//! each question, with its `[[question.option]]`s and one `[question.changed]`.
//!
//! How the engine finds what is right depends on the question's kind:
//!
//! | kind | what is right |
//! |---|---|
//! | `choice`, `several`, `line` | every option whose measure comes to its `is`, in the run with what the option sets; the option's `asks` and `is` stand before the question's |
//! | `order` | the options by the moments of their own `asks`, which have to differ |
//! | `number` | what the question's `asks` comes to; `option`s are numbers that people say, each with its `is`, the right one among them |
//! | `event` | the event of the question's `asks`; a file says its moment, and options are none |
//!
//! So an option can be a statement ("the store refuses it": `asks.write` of the question,
//! `is = "refused"` of the option) or a design ("the store checks tokens": `set` of the
//! option, `asks.safe = {}` and `is = "kept"` of the question). An option's `click`s take
//! the place of all of the run's, and so do those of `changed`. What an option sets comes
//! last, also in the changed run.
//!
//! A path in `set` is one in quotes, as in `set = { "store.rule" = "none" }`.

use super::measure::Measure;
use crate::content::{At, Mistake, Read, Table, Tree, Value, choices, table};
use crate::learn::lesson::twice;
use crate::scenario::clicks::ClickSpec;
use crate::scenario::{Run, Scenario, ScenarioError};
use thiserror::Error;

/// The version of the format.
const FORMAT: u32 = 1;

table! {
    /// The quiz.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Quiz {
        /// The version of the format.
        pub format: u32,
        /// Its questions, in the order in which they are asked.
        pub questions as "question": Vec<Question>,
    }
}

table! {
    /// A question.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Question {
        /// Names it for good: progress and links keep it.
        pub id: String,
        /// What kind of answer it takes.
        pub kind: Kind,
        /// What it asks.
        pub text: String,
        /// The run it is about.
        pub run: RunSpec,
        /// What is measured in it. Options of an order have their own.
        pub asks: Option<Measure> = None,
        /// What the measure has to come to for an option that does not say itself.
        pub is: Option<Expected> = None,
        /// What can be answered; for a number, what people often say, and the right one;
        /// for a line, lines as the page shows them.
        pub options as "option": Vec<Choice> = Vec::new(),
        /// What the number counts; none for a token.
        pub unit: Option<Unit> = None,
        /// A number that is so near is right, in the unit of the file.
        pub within: i64 = 0,
        /// What is right.
        pub answer: Answer,
        /// What is said to everybody afterwards.
        pub why: String,
        /// The moment of its run that shows it.
        pub at_ms: i64,
        /// Another run, in which another answer is right.
        pub changed: Changed,
    }
}

/// What kind of answer a question takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One option.
    Choice,
    /// All options that are right.
    Several,
    /// The options in their order.
    Order,
    /// A number.
    Number,
    /// An event of the run.
    Event,
    /// A line of a worker's program: each option is one.
    Line,
}

choices! {
    Kind {
        Choice = "choice",
        Several = "several",
        Order = "order",
        Number = "number",
        Event = "event",
        Line = "line",
    }
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds to a moment. A file says it in milliseconds, and people see and type
    /// seconds.
    Seconds,
    /// Money.
    Money,
}

choices! {
    Unit {
        Seconds = "s",
        Money = "money",
    }
}

table! {
    /// What can be answered.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Choice {
        /// Names it, within its question.
        pub id: String,
        /// What it says.
        pub text: String,
        /// What is said to who chose it.
        pub why: String,
        /// What the measure comes to if it is right.
        pub is: Option<Expected> = None,
        /// What is set in the run to find out whether it is right.
        pub set: Table = Table::new(),
        /// What is done to that run instead of the question's clicks.
        pub clicks as "click": Option<Vec<ClickSpec>> = None,
        /// What is measured for this option alone.
        pub asks: Option<Measure> = None,
    }
}

table! {
    /// A run.
    #[derive(Clone, Debug, PartialEq)]
    pub struct RunSpec {
        /// The built-in scenario.
        pub scenario: String,
        /// Its variant.
        pub variant: Option<String> = None,
        /// What is set otherwise, by path.
        pub set: Table = Table::new(),
        /// What is done instead of the scenario's clicks.
        pub clicks as "click": Option<Vec<ClickSpec>> = None,
    }
}

table! {
    /// A run in which another answer is right.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Changed {
        /// What is changed, in words.
        pub text: String,
        /// Another scenario's run instead of the question's.
        pub run: Option<RunSpec> = None,
        /// What is set otherwise, by path.
        pub set: Table = Table::new(),
        /// What is done instead of the question's clicks.
        pub clicks as "click": Option<Vec<ClickSpec>> = None,
        /// What is right then.
        pub answer: Answer,
    }
}

/// What a measure comes to, as a file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// A word.
    Word(String),
    /// A number.
    Number(i64),
}

impl Read for Expected {
    fn read(tree: &Tree, at: &At) -> Result<Expected, Box<Mistake>> {
        match &tree.value {
            Value::Text(word) => Ok(Expected::Word(word.clone())),
            Value::Whole(number) => Ok(Expected::Number(*number)),
            _ => Err(at.wrong_kind(tree, "a text in quotes or a whole number")),
        }
    }
}

/// What is right, as a file says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Options by id; for an order, in order.
    Options(Vec<String>),
    /// A number; of an event, its moment in milliseconds.
    Number(i64),
}

impl Read for Answer {
    fn read(tree: &Tree, at: &At) -> Result<Answer, Box<Mistake>> {
        match &tree.value {
            Value::Whole(number) => Ok(Answer::Number(*number)),
            Value::List(_) => Ok(Answer::Options(Read::read(tree, at)?)),
            _ => Err(at.wrong_kind(tree, "a list of options or a whole number")),
        }
    }
}

/// What can be wrong with a quiz's file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuizError {
    /// It is no TOML, or a field is missing, unknown or of the wrong type.
    #[error(transparent)]
    Content(#[from] Box<Mistake>),
    /// It is of another version of the format.
    #[error("this is format {0}, and only format 1 can be read")]
    Format(u32),
    /// Two things have one id.
    #[error("`{0}` is there twice")]
    Twice(String),
    /// A question that does not fit its kind.
    #[error("question `{question}`: {what}")]
    Unfit {
        /// Its id.
        question: String,
        /// What does not fit.
        what: &'static str,
    },
    /// A run that cannot be.
    #[error("question `{question}`: {error}")]
    Run {
        /// The question's id.
        question: String,
        /// Why not.
        error: ScenarioError,
    },
}

impl Quiz {
    /// Reads a quiz that is spread over files.
    ///
    /// # Errors
    /// When something in one is wrong, or two of them have a question of one id.
    pub fn from_texts(texts: &[&str]) -> Result<Quiz, QuizError> {
        let mut quiz = Quiz { format: FORMAT, questions: Vec::new() };
        for text in texts {
            quiz.questions.extend(Quiz::from_text(text)?.questions);
        }
        different(quiz.questions.iter().map(|question| &question.id))?;
        Ok(quiz)
    }

    /// Reads one file of a quiz.
    ///
    /// # Errors
    /// When something in it is wrong.
    pub fn from_text(text: &str) -> Result<Quiz, QuizError> {
        let quiz = Quiz::read(&Tree::from_toml(text)?, &At::TOP)?;
        if quiz.format != FORMAT {
            return Err(QuizError::Format(quiz.format));
        }
        different(quiz.questions.iter().map(|question| &question.id))?;
        quiz.questions.iter().try_for_each(Question::check)?;
        Ok(quiz)
    }

    /// The question of that id.
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.id == id)
    }
}

fn different<'a>(ids: impl Iterator<Item = &'a String>) -> Result<(), QuizError> {
    match twice(ids.map(String::as_str)) {
        Some(id) => Err(QuizError::Twice(id.to_owned())),
        None => Ok(()),
    }
}

impl Question {
    fn check(&self) -> Result<(), QuizError> {
        different(self.options.iter().map(|option| &option.id))?;
        let what = self.unfit(&self.answer).or_else(|| self.unfit(&self.changed.answer));
        match what {
            Some(what) => Err(QuizError::Unfit { question: self.id.clone(), what }),
            None => Ok(()),
        }
    }

    /// What does not fit the kind.
    fn unfit(&self, answer: &Answer) -> Option<&'static str> {
        let is_number = matches!(answer, Answer::Number(_));
        let known = |id: &String| self.options.iter().any(|option| option.id == *id);
        let unknown = match answer {
            Answer::Options(ids) => !ids.iter().all(known),
            Answer::Number(_) => false,
        };
        let own = self.options.iter().all(|option| option.asks.is_some());
        match self.kind {
            _ if unknown => Some("its answer names an option that is not there"),
            Kind::Number | Kind::Event if !is_number => Some("its answer has to be a number"),
            Kind::Number | Kind::Event => None,
            _ if is_number => Some("its answer has to be a list of options"),
            _ if self.options.len() < 2 => Some("it needs two options at least"),
            Kind::Order if !own => Some("each option of an order needs an `asks` of its own"),
            Kind::Order => None,
            _ if self.asks.is_none() => Some("it needs an `asks`"),
            _ => None,
        }
    }

    /// An option by id.
    pub fn option(&self, id: &str) -> Option<&Choice> {
        self.options.iter().find(|option| option.id == id)
    }
}

impl RunSpec {
    /// The run.
    ///
    /// # Errors
    /// When there is no such scenario, or it cannot be set so.
    pub fn run(&self) -> Result<Run, ScenarioError> {
        let built_in = Scenario::built_in(&self.scenario)?;
        let base = match &self.variant {
            Some(id) => built_in.variant(id)?,
            None => built_in,
        };
        with(base.run(), &self.set, self.clicks.as_deref())
    }
}

/// A run with other settings and, if there are any, other clicks.
pub(super) fn with(
    run: Run,
    set: &Table,
    clicks: Option<&[ClickSpec]>,
) -> Result<Run, ScenarioError> {
    let settings: Vec<(String, Tree)> =
        set.iter().map(|(path, value)| (path.clone(), value.clone())).collect();
    let scenario = run.scenario.with_values(&settings)?;
    let clicks = clicks.map_or(run.clicks, <[ClickSpec]>::to_vec);
    Ok(Run { scenario, clicks, seed: run.seed })
}
