//! A round of questions: which, in what order, and how it goes.

use crate::learn::progress::Confidence;
use crate::learn::quiz::{Given, Kind, Question, Solution, Topic, Untyped};
use crate::sim::event::EventId;
use crate::sim::order;

/// Of how many questions a mixed round is.
pub const MIXED: usize = 10;

/// Which questions a round is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Every one.
    All,
    /// Those of a topic.
    Of(Topic),
    /// A few of every topic, in each round others.
    Mixed,
    /// Those whose last answer was wrong.
    Missed,
    /// Those that were missed in the round before.
    Again,
    /// A single one, that was asked for by its id.
    One,
}

/// Where an item of an order goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// One place up.
    Up,
    /// One place down.
    Down,
}

/// An answer as it is put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draft {
    /// Options by id: those chosen, or all in an order.
    Options(Vec<String>),
    /// A number as it is typed.
    Number(String),
    /// The event that is selected in the lab.
    Event,
}

/// Why an answer cannot be checked yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// No option is chosen.
    NothingChosen,
    /// What is typed is no number of the kind asked for.
    Number(Untyped),
    /// The run that the question is about is not looked at.
    OtherRun,
    /// No event is selected.
    NoEvent,
}

/// An answer that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// What was answered.
    pub given: Given,
    /// What is right.
    pub solution: Solution,
    /// Whether these are the same.
    pub right: bool,
    /// The options that were chosen, or for which the number stands.
    pub chosen: Vec<String>,
    /// Of an event, what was answered and what is right in words.
    pub events: Option<(String, String)>,
    /// Of an event, the moment of what was answered, in milliseconds.
    pub at_ms: Option<i64>,
}

impl Checked {
    /// What was answered, for other programs: ids of options, or one number, or the
    /// moment of an event in milliseconds.
    pub fn response(&self) -> Vec<String> {
        match &self.given {
            Given::Options(ids) => ids.clone(),
            Given::Number(number) => vec![number.to_string()],
            Given::Event(_) => self.at_ms.iter().map(ToString::to_string).collect(),
        }
    }
}

/// A line of the program of a question for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// It can be answered: the option's place.
    Option(usize),
    /// It cannot.
    Plain(String),
}

/// The question that is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Asking {
    /// The answer so far.
    pub draft: Draft,
    /// How sure somebody is of it.
    pub confidence: Option<Confidence>,
    /// Why it could not be checked.
    pub problem: Option<Problem>,
    /// Once it is.
    pub checked: Option<Checked>,
    /// What is right in the changed run may be told.
    pub has_changed: bool,
    /// Of a question for a line: the program.
    pub program: Vec<Line>,
    /// The number of the open run that it is about, and how many clicks that has.
    pub(super) run: Option<(u32, usize)>,
}

impl Asking {
    pub(super) fn new(question: &Question) -> Asking {
        let draft = match question.kind {
            Kind::Choice | Kind::Several | Kind::Line => Draft::Options(Vec::new()),
            Kind::Order => {
                Draft::Options(question.options.iter().map(|option| option.id.clone()).collect())
            }
            Kind::Number => Draft::Number(String::new()),
            Kind::Event => Draft::Event,
        };
        Asking {
            draft,
            confidence: None,
            problem: None,
            checked: None,
            has_changed: false,
            program: Vec::new(),
            run: None,
        }
    }

    /// Chooses an option: of several it is put to the others, or taken away.
    pub(super) fn choose(&mut self, kind: Kind, option: String) {
        let Draft::Options(ids) = &mut self.draft else { return };
        match kind {
            Kind::Choice | Kind::Line => *ids = vec![option],
            Kind::Several if ids.contains(&option) => ids.retain(|other| *other != option),
            Kind::Several => ids.push(option),
            Kind::Order | Kind::Number | Kind::Event => {}
        }
    }

    /// Moves an item of an order by one place.
    pub(super) fn shift(&mut self, option: &str, way: Way) {
        let Draft::Options(ids) = &mut self.draft else { return };
        let Some(from) = ids.iter().position(|other| other == option) else { return };
        let to = match way {
            Way::Up => from.checked_sub(1),
            Way::Down => Some(from + 1).filter(|to| *to < ids.len()),
        };
        if let Some(to) = to {
            ids.swap(from, to);
        }
    }

    /// The answer, if it is one; `event` is the one that is picked in the lab.
    pub(super) fn given(
        &self,
        question: &Question,
        event: Result<EventId, Problem>,
    ) -> Result<Given, Problem> {
        match &self.draft {
            Draft::Options(ids) if ids.is_empty() => Err(Problem::NothingChosen),
            Draft::Options(ids) => Ok(Given::Options(ids.clone())),
            Draft::Number(typed) => {
                question.read_number(typed).map(Given::Number).map_err(Problem::Number)
            }
            Draft::Event => event.map(Given::Event),
        }
    }
}

/// A question of the round that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Its place in the quiz.
    pub place: usize,
    /// Whether the answer was right.
    pub right: bool,
    /// How sure somebody was of it.
    pub confidence: Option<Confidence>,
}

/// A round of questions.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Which.
    pub which: Which,
    /// Their places in the quiz, in the order in which they are asked.
    pub order: Vec<usize>,
    /// What was answered.
    pub done: Vec<Done>,
    /// The question that is asked now; none when the round is over.
    pub asking: Option<Asking>,
}

impl Round {
    /// The place in the quiz of the question that is asked.
    pub fn place(&self) -> Option<usize> {
        let asking = self.asking.as_ref()?;
        let at = self.done.len() - usize::from(asking.checked.is_some());
        self.order.get(at).copied()
    }

    /// How many answers were right.
    pub fn right(&self) -> usize {
        self.done.iter().filter(|done| done.right).count()
    }

    /// The places of those that were missed.
    pub fn missed(&self) -> Vec<usize> {
        self.done.iter().filter(|done| !done.right).map(|done| done.place).collect()
    }

    /// Of the answers of which somebody was so sure: how many, and how many were right.
    pub fn calibration(&self, confidence: Confidence) -> (usize, usize) {
        let so_sure = self.done.iter().filter(|done| done.confidence == Some(confidence));
        so_sure.fold((0, 0), |(all, right), done| (all + 1, right + usize::from(done.right)))
    }
}

/// The order of a round: those that were missed come first, and then the others in the
/// order of the quiz. A mixed round takes up where the round before would have left off,
/// so that in one after the other no question comes again before all have come.
pub fn order(which: Which, topics: &[Topic], missed: Vec<usize>, number: u32) -> Vec<usize> {
    let all = topics.len();
    let rest: Vec<usize> = match which {
        Which::All => (0..all).collect(),
        Which::Of(topic) => (0..all).filter(|place| topics[*place] == topic).collect(),
        Which::Mixed => {
            let first = number as usize % all.max(1) * MIXED;
            let spread = spread(topics);
            (first..first + all).map(|nth| spread[nth % all]).collect()
        }
        Which::Missed | Which::Again | Which::One => Vec::new(),
    };
    let is_asked = |place: &usize| rest.is_empty() || rest.contains(place);
    let mut order: Vec<usize> = missed.into_iter().filter(is_asked).collect();
    for place in rest {
        if !order.contains(&place) {
            order.push(place);
        }
    }
    if which == Which::Mixed {
        order.truncate(MIXED);
    }
    order
}

/// The questions with those of each topic spread evenly over all, so that a round has some
/// of nearly every topic, and of a short one each second at least.
fn spread(topics: &[Topic]) -> Vec<usize> {
    let all = topics.len();
    let middle = |place: usize| {
        let of_topic = |places: &[Topic]| places.iter().filter(|it| **it == topics[place]).count();
        (2 * of_topic(&topics[..place]) + 1) * all * MIXED / of_topic(topics)
    };
    let mut places: Vec<usize> = (0..all).collect();
    order::by_key(&mut places, |place| middle(*place));
    places
}
