//! The quiz in the lab: which question is asked, what is answered, and what comes again.
//!
//! ```text
//!   begin a round ──► a question ──check──► right or not, and why ──next──► ... ──► the score
//!                        ▲ its run, beside the reader's            │
//!                        └──── see it happen, what if ◄────────────┘
//! ```
//!
//! The files are fetched when the quiz is first shown ([`super::later`]), and a question is
//! solved (its runs are run) only when its answer is checked.

mod moves;
pub mod round;
#[cfg(test)]
mod tests;

pub use round::{Asking, Checked, Done, Draft, Line, MIXED, Problem, Round, Way, Which};

use super::arrival::ArrivalMistake;
use super::{Lab, Open};
use crate::content::Choice;
use crate::learn::later::Later;
use crate::learn::progress::{Confidence, Last, Progress, Spoiled};
use crate::learn::quiz::{Question, QuizError, Topic, by_topic};
use crate::share::host_page::Answered;
use crate::sim::event::EventId;
use std::rc::Rc;

/// What somebody does in the quiz.
#[derive(Clone, Debug, PartialEq)]
pub enum QuizMsg {
    /// Show the quiz at the side, or the lesson.
    Show(Side),
    /// Begin a round.
    Begin(Which),
    /// Choose an option; of several, choose it or not.
    Choose {
        /// Its id.
        option: String,
    },
    /// Move an item of an order.
    Move {
        /// Its id.
        option: String,
        /// Where.
        way: Way,
    },
    /// Type a number.
    Type {
        /// All that stands there.
        text: String,
    },
    /// Say how sure one is, or take it back.
    Sure(Option<Confidence>),
    /// Open the run that the question is about, or look at it again.
    OpenRun,
    /// Check the answer.
    Check,
    /// Go to a run that shows what is right.
    See(Sight),
    /// Ask the next question, or end the round after the last.
    Next,
    /// End the round here.
    End,
    /// Go back to where a round is chosen.
    Leave,
    /// Keep the progress on this device, or do not.
    Keep(Keeping),
    /// Take in what was kept.
    Restore {
        /// The text.
        text: String,
    },
}

/// What is shown at the side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The lesson.
    #[default]
    Lesson,
    /// The quiz.
    Quiz,
}

/// A run that shows what is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The question's, at its moment.
    Asked,
    /// The changed one.
    Changed,
}

/// Whether the progress is kept on this device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keeping {
    /// It is not.
    #[default]
    No,
    /// It is.
    Yes,
    /// The browser does not let the page keep anything.
    Denied,
}

/// How the event stands that a question asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// Another run is looked at than the question's.
    OtherRun,
    /// None is selected.
    Nothing,
    /// This one, in words.
    Event(EventId, String),
}

/// The quiz as it stands.
#[derive(Clone, Debug, Default)]
pub struct State {
    side: Side,
    /// Empty until they are there.
    questions: Vec<(Topic, Rc<Question>)>,
    /// The question that is asked as soon as they are.
    first: Option<String>,
    round: Option<Round>,
    progress: Progress,
    keeping: Keeping,
    /// What of the kept text could not be read.
    unread: Option<String>,
    answered: Vec<Answered>,
    /// The runs that were opened for the question.
    opened: Vec<OpenedRun>,
    /// What stood there before one of its runs was looked at.
    before: Option<Before>,
    revision: u32,
}

/// A run that was opened for a question. Somebody who clicks in it makes it their own.
#[derive(Clone, Copy, Debug)]
struct OpenedRun {
    /// The question's place.
    place: usize,
    /// The run's number.
    number: u32,
    /// How many clicks it had.
    clicks: usize,
}

/// Which run stood there before a question's was looked at, by their numbers.
#[derive(Clone, Copy, Debug)]
struct Before {
    number: u32,
    /// The question's, or the reader's own that is the same.
    shown: u32,
    /// How many clicks that had.
    clicks: usize,
    /// Which run stood beside the first.
    beside: Option<u32>,
}

impl Before {
    /// Whether this is what the question showed, and as it was then.
    fn shows(self, open: &Open) -> bool {
        (self.shown, self.clicks) == (open.number(), open.run().clicks.len())
    }
}

impl OpenedRun {
    fn is(self, open: &Open) -> bool {
        (self.number, self.clicks) == (open.number(), open.run().clicks.len())
    }
}

/// All by which the quiz of one moment differs from that of another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outline {
    revision: u32,
    /// Of a question for an event that is not answered.
    picked: Option<Picked>,
}

impl State {
    /// What is shown at the side.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The questions with their topics.
    pub fn questions(&self) -> &[(Topic, Rc<Question>)] {
        &self.questions
    }

    /// The round, if one was begun.
    pub fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    /// The question that is asked, and how that stands.
    pub fn asked(&self) -> Option<(Topic, &Question, &Asking)> {
        let round = self.round.as_ref()?;
        let (topic, question) = self.questions.get(round.place()?)?;
        Some((*topic, &**question, round.asking.as_ref()?))
    }

    /// What somebody has learned so far.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The places of the questions whose last answer was wrong, longest missed first.
    pub fn missed(&self) -> Vec<usize> {
        let place = |id: &str| self.questions.iter().position(|(_, other)| other.id == id);
        self.progress.missed().filter_map(place).collect()
    }

    /// Whether the progress is kept on this device.
    pub fn keeping(&self) -> Keeping {
        self.keeping
    }

    /// What of the kept text could not be read, in words.
    pub fn unread(&self) -> Option<&str> {
        self.unread.as_deref()
    }

    /// The question that is asked, and its place in the quiz.
    fn question(&self) -> Option<(usize, Rc<Question>)> {
        let place = self.round.as_ref()?.place()?;
        Some((place, self.questions.get(place)?.1.clone()))
    }

    fn asking_mut(&mut self) -> Option<&mut Asking> {
        self.round.as_mut()?.asking.as_mut()
    }

    fn begin(&mut self, which: Which) {
        let topics: Vec<Topic> = self.questions.iter().map(|(topic, _)| *topic).collect();
        let missed = match (which, &self.round) {
            (Which::Again, Some(round)) => round.missed(),
            _ => self.missed(),
        };
        let order = round::order(which, &topics, missed, self.progress.rounds());
        if order.is_empty() {
            return;
        }
        self.progress.begin_round();
        self.round = Some(Round { which, order, done: Vec::new(), asking: None });
        self.ask();
    }

    /// Begins a round of one question, if there is one of that id.
    fn begin_with(&mut self, id: &str) {
        if let Some(place) = self.questions.iter().position(|(_, other)| other.id == id) {
            self.progress.begin_round();
            let (which, order) = (Which::One, vec![place]);
            self.round = Some(Round { which, order, done: Vec::new(), asking: None });
            self.ask();
        }
    }

    /// Asks the next question, if there is one.
    fn ask(&mut self) {
        let Some(round) = &mut self.round else { return };
        let next = round.order.get(round.done.len());
        let question = next.and_then(|place| self.questions.get(*place));
        round.asking = question.map(|(_, question)| {
            let program = moves::program(question);
            Asking { program, ..Asking::new(question) }
        });
    }

    /// Ends the round; one in which nothing was answered was none.
    fn end(&mut self) {
        match &mut self.round {
            Some(round) if !round.done.is_empty() => round.asking = None,
            _ => self.round = None,
        }
    }

    /// Changes the answer, until it is checked.
    fn change(&mut self, change: impl FnOnce(&mut Asking, &Question)) {
        let Some((_, question)) = self.question() else { return };
        if let Some(asking) = self.asking_mut().filter(|asking| asking.checked.is_none()) {
            asking.problem = None;
            change(asking, &question);
        }
    }

    fn record(&mut self, place: usize, question: &Question, checked: Checked) {
        let Some(round) = &mut self.round else { return };
        let Some(asking) = &mut round.asking else { return };
        let (right, confidence) = (checked.right, asking.confidence);
        let id = &question.id;
        round.done.push(Done { place, right, confidence });
        self.progress.answer(Last { question: id.clone(), right, confidence });
        self.answered.push(Answered {
            question: id.clone(),
            right,
            response: checked.response(),
            confidence: confidence.map(|confidence| confidence.name().to_owned()),
        });
        asking.checked = Some(checked);
    }

    /// A lesson has been finished: that is kept with the answers.
    pub(super) fn finish_lesson(&mut self, id: &str) {
        self.progress.finish_lesson(id);
    }

    /// Takes in a kept text. What cannot be read of it is said, and nothing else is lost.
    fn restore(&mut self, text: &str) {
        match Progress::from_text(text) {
            Ok((progress, spoiled)) => {
                self.progress = progress;
                self.keeping = Keeping::Yes;
                self.unread = told(&spoiled);
            }
            Err(error) => self.unread = Some(error.to_string()),
        }
    }

    fn keep(&mut self, keeping: Keeping) {
        self.keeping = keeping;
        self.unread = None;
    }
}

/// All lines that were not understood.
fn told(spoiled: &[Spoiled]) -> Option<String> {
    let all: Vec<String> = spoiled.iter().map(ToString::to_string).collect();
    (!all.is_empty()).then(|| all.join("; "))
}

impl Lab {
    /// The quiz.
    pub fn quiz(&self) -> &State {
        &self.quiz
    }

    /// Shows the quiz, with the question of that id asked when it is there.
    pub(super) fn arrive_at_question(&mut self, id: &str) {
        self.quiz.first = Some(id.to_owned());
        self.show_side(Side::Quiz);
    }

    fn show_side(&mut self, side: Side) {
        self.quiz.side = side;
        if side == Side::Quiz {
            self.want(Later::Quiz);
        }
    }

    /// The texts of the quiz have come.
    pub(super) fn take_in_quiz(&mut self, texts: &[String]) -> Result<(), QuizError> {
        let all = by_topic(texts)?.into_iter();
        let quiz = &mut self.quiz;
        quiz.questions = all.map(|(topic, question)| (topic, Rc::new(question))).collect();
        let Some(id) = quiz.first.take() else { return Ok(()) };
        quiz.begin_with(&id);
        if quiz.round.is_none() {
            let all: Vec<&str> = quiz.questions.iter().map(|(_, it)| it.id.as_str()).collect();
            let mistake = ArrivalMistake::no_question(&id, &all);
            self.warn_of(&[mistake]);
        }
        Ok(())
    }

    /// The quiz is drawn anew.
    pub(super) fn quiz_changes(&mut self) {
        self.quiz.revision += 1;
    }

    /// Whether a run was opened for a question and is as it was then: none of the reader's
    /// own.
    pub fn is_of_quiz(&self, open: &Open) -> bool {
        self.quiz.opened.iter().any(|opened| opened.is(open))
    }

    /// The answers that were graded since they were last taken, in their order.
    pub fn take_answered(&mut self) -> Vec<Answered> {
        std::mem::take(&mut self.quiz.answered)
    }

    /// All by which the quiz differs from that of another moment.
    pub fn quiz_outline(&self) -> Outline {
        let asks = self
            .quiz
            .asked()
            .is_some_and(|(_, _, asking)| asking.draft == Draft::Event && asking.checked.is_none());
        Outline { revision: self.quiz.revision, picked: asks.then(|| self.picked()) }
    }

    #[inline(never)]
    pub(super) fn take_quiz(&mut self, msg: QuizMsg) {
        if let Err(error) = self.do_quiz(msg) {
            self.warning = Some(error.to_string());
        }
        self.quiz_changes();
    }

    fn do_quiz(&mut self, msg: QuizMsg) -> Result<(), QuizError> {
        let quiz = &mut self.quiz;
        match msg {
            QuizMsg::Show(side) => self.show_side(side),
            QuizMsg::Begin(which) => {
                quiz.begin(which);
                self.put_away();
            }
            QuizMsg::Choose { option } => {
                quiz.change(|asking, question| asking.choose(question.kind, option));
            }
            QuizMsg::Move { option, way } => quiz.change(|asking, _| asking.shift(&option, way)),
            QuizMsg::Type { text } => quiz.change(|asking, _| {
                if let Draft::Number(typed) = &mut asking.draft {
                    *typed = text;
                }
            }),
            QuizMsg::Sure(confidence) => quiz.change(|asking, _| asking.confidence = confidence),
            QuizMsg::OpenRun => self.open_asked()?,
            QuizMsg::Check => self.check()?,
            QuizMsg::See(sight) => self.see(sight)?,
            QuizMsg::Next => match quiz.asked() {
                Some((_, _, asking)) if asking.checked.is_some() => {
                    quiz.ask();
                    self.put_away();
                }
                _ => {}
            },
            QuizMsg::End => {
                quiz.end();
                self.put_away();
            }
            QuizMsg::Leave => {
                quiz.round = None;
                self.put_away();
            }
            QuizMsg::Keep(keeping) => quiz.keep(keeping),
            QuizMsg::Restore { text } => {
                quiz.restore(&text);
                let lessons = quiz.progress().lessons().to_vec();
                self.remember_lessons(lessons);
            }
        }
        Ok(())
    }
}
