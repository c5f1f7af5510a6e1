//! What can be wrong with a scenario or a run, in one sentence that says what and
//! where.

use crate::content::{Mistake, Wrong};
use std::fmt::{self, Display, Formatter};
use thiserror::Error;

/// A mistake, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ScenarioError {
    /// Where, as in "line 12, click 1".
    pub place: String,
    /// What.
    pub problem: Problem,
}

impl ScenarioError {
    /// A problem at a place.
    pub fn new(place: impl Into<String>, problem: Problem) -> ScenarioError {
        ScenarioError { place: place.into(), problem }
    }
}

impl Display for ScenarioError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ScenarioError { place, problem } = self;
        match (place.as_str(), problem) {
            // The place says only what the problem says again.
            ("scenario", Problem::NoSuchScenario { .. })
            | ("variant", Problem::NoSuchVariant { .. })
            | ("settings", Problem::NoSuchSetting { .. }) => write!(f, "{problem}."),
            _ => write!(f, "{place}: {problem}."),
        }
    }
}

impl From<Box<Mistake>> for ScenarioError {
    fn from(mistake: Box<Mistake>) -> ScenarioError {
        let Mistake { place, wrong } = *mistake;
        let whole = place.is_whole();
        let place = if whole { "the scenario".to_owned() } else { place.to_string() };
        ScenarioError { place, problem: Problem::Content(wrong) }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// The text is no TOML, or a field is missing, unknown or of the wrong type.
    #[error("{0}")]
    Content(Wrong),
    /// The file is of another version of the format.
    #[error("this is format {found}, and only format {known} can be read")]
    Format {
        /// The file's.
        found: i64,
        /// Ours.
        known: u32,
    },
    /// There is no built-in scenario of that name.
    #[error("there is no scenario `{id}`; there are {there}")]
    NoSuchScenario {
        /// The id asked for.
        id: String,
        /// Those that exist.
        there: String,
    },
    /// The scenario has no variant of that name.
    #[error("there is no variant `{id}`; there {}", listed(there))]
    NoSuchVariant {
        /// The id asked for.
        id: String,
        /// Those that exist.
        there: Vec<String>,
    },
    /// A setting's path leads nowhere.
    #[error("there is no setting `{path}`")]
    NoSuchSetting {
        /// The path.
        path: String,
    },
    /// A machine that is not there.
    #[error("`{field}` names `{name}`, which is no machine here; there are {}", there.join(", "))]
    NoSuchMachine {
        /// The field.
        field: &'static str,
        /// The name.
        name: String,
        /// The names that exist.
        there: Vec<String>,
    },
    /// A machine of the wrong kind.
    #[error("`{field}` has to name {wanted}, and `{name}` is not")]
    WrongMachine {
        /// The field.
        field: &'static str,
        /// The name.
        name: String,
        /// What it has to name.
        wanted: &'static str,
    },
    /// A group where one machine is needed.
    #[error("`{field}` has to name one machine, and `{name}` is several")]
    NotOneMachine {
        /// The field.
        field: &'static str,
        /// The name.
        name: String,
    },
    /// A link from a machine to itself.
    #[error("`{name}` has no link to itself")]
    LinkToItself {
        /// The name.
        name: String,
    },
    /// A kind of message that is not there.
    #[error("there is no kind of message `{kind}`")]
    NoSuchKind {
        /// The kind.
        kind: String,
    },
    /// Messages are counted from 1.
    #[error("`nth` counts from 1")]
    NthIsZero,
    /// A number that may not be negative.
    #[error("`{field}` is {value}, and may not be negative")]
    Negative {
        /// The field.
        field: &'static str,
        /// The number.
        value: i64,
    },
    /// A time that is too long.
    #[error("`{field}` is {ms} ms, and may be a hundred years at most")]
    TooLong {
        /// The field.
        field: &'static str,
        /// The time.
        ms: i64,
    },
    /// A click that the run would never come to.
    #[error("`at_us` is {at_us}, and the run ends at {limit_ms} ms at the latest")]
    AfterTheEnd {
        /// The click's moment.
        at_us: i64,
        /// The scenario's limit.
        limit_ms: i64,
    },
    /// A clock rate that cannot be.
    #[error("`rate_ppm` is {rate_ppm}, and has to be from 1 to 100,000,000")]
    Rate {
        /// The rate.
        rate_ppm: i64,
    },
    /// A number outside its bounds.
    #[error("`{field}` is {value}, and has to be {bounds}")]
    Bounds {
        /// The field.
        field: &'static str,
        /// The number.
        value: i64,
        /// What it has to be.
        bounds: &'static str,
    },
    /// Too few workers or too many.
    #[error("there are {count} workers, and there have to be 1 to 8")]
    Workers {
        /// How many there are.
        count: usize,
    },
    /// A name that cannot be used.
    #[error("{} cannot be a name: {why}", quoted(name))]
    BadName {
        /// The name.
        name: String,
        /// Why not.
        why: &'static str,
    },
    /// A text that has to say something.
    #[error("`{field}` is empty")]
    Empty {
        /// The field.
        field: &'static str,
    },
    /// A text that has to be one line.
    #[error("`{field}` has to be one line, and holds a line break or another control character")]
    NotOneLine {
        /// The field.
        field: &'static str,
    },
    /// A list that names one thing twice.
    #[error("`{field}` names `{name}` twice")]
    Twice {
        /// The field.
        field: &'static str,
        /// The thing.
        name: &'static str,
    },
    /// A run that would end before the moment at which it waits for the reader.
    #[error(
        "the run waits for the reader at {waits_at_ms} ms (`waits_at_ms`), and `limit_ms` ends it \
         at {limit_ms} ms"
    )]
    EndsBeforeItWaits {
        /// When it waits.
        waits_at_ms: i64,
        /// When it ends.
        limit_ms: i64,
    },
    /// A run that goes on and on.
    #[error(
        "at {at_ms} ms it has made {most} events, and a run may make no more: something in it \
         happens over and over"
    )]
    TooManyEvents {
        /// How far it came.
        at_ms: i64,
        /// How many a run may make.
        most: u32,
    },
    /// A program whose steps do not fit together.
    #[error("the program cannot be run: {0}")]
    BadProgram(&'static str),
    /// A way of taking a lock that another service has.
    #[error("a lock is not taken by `{recipe}` from {service}")]
    RecipeOfOther {
        /// The recipe.
        recipe: &'static str,
        /// The service.
        service: &'static str,
    },
    /// A setting that says nothing of this service.
    #[error("`{field}` says nothing of {service}, and can only be left out")]
    OfOtherService {
        /// The field.
        field: &'static str,
        /// The service.
        service: &'static str,
    },
    /// A setting that is about a replica, and there is none.
    #[error("`{field}` is about a replica, and `replicas` is 0")]
    NeedsReplica {
        /// The field.
        field: &'static str,
    },
    /// Something that needs something else.
    #[error("{0}")]
    Missing(&'static str),
}

fn quoted(name: &str) -> String {
    if name.is_empty() { "an empty text".to_owned() } else { format!("`{name}`") }
}

/// "are a, b" or "is none".
fn listed(there: &[String]) -> String {
    if there.is_empty() { "is none".to_owned() } else { format!("are {}", there.join(", ")) }
}
