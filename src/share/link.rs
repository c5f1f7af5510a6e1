//! A run as the fragment of a link: what was put in, never what came out, but for a hash
//! of it.

mod cut;

pub use cut::cut_off;

use super::notation::{self, Reader, Unread};
use super::outcome::{MODEL, Outcome};
use crate::content::{At, Mistake, Read, Tree, Value, Write, Wrong, table_of};
use crate::scenario::clicks::ClickSpec;
use crate::scenario::{Problem, Run, Scenario, ScenarioError};
use crate::sim::time::TrueTime;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::str::FromStr;
use thiserror::Error;

/// The version of the grammar.
pub const VERSION: i64 = 1;

/// What a fragment may hold as it is, of what we write.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'/')
    .remove(b':')
    .remove(b',')
    .remove(b'=')
    .remove(b'(')
    .remove(b')')
    .remove(b'\'');

/// A run as it stands in a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The built-in scenario.
    pub scenario: String,
    /// Its variant.
    pub variant: Option<String>,
    /// What is set otherwise than there, by path.
    pub settings: Vec<(String, Tree)>,
    /// What keys random draws, if it is not the scenario's own.
    pub seed: Option<u64>,
    /// What is done to the run.
    pub clicks: Vec<ClickSpec>,
    /// The moment to look at.
    pub at: Option<TrueTime>,
    /// The model and what came of the run in it.
    pub outcome: Option<(u32, Outcome)>,
}

/// A mistake in a link, and where it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {problem}")]
pub struct LinkError {
    /// Where, as in "click 2".
    pub place: String,
    /// What.
    pub problem: LinkProblem,
}

/// What is wrong with a link.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LinkProblem {
    /// It is of another version of the grammar.
    #[error("this is version {0}, and only version 1 can be read")]
    Version(i64),
    /// A part without a name, or one that is not known.
    #[error("there is no such part; there are {}", NAMES.join(", "))]
    NoSuchPart,
    /// A part that may be there once is there again.
    #[error("it is there twice")]
    Twice,
    /// A part that has to be there is not.
    #[error("it is missing")]
    Missing,
    /// A moment that no run of the scenario comes to.
    #[error("a run of it goes from 0 to {limit_us} at the most")]
    NoMoment {
        /// The scenario's limit.
        limit_us: i64,
    },
    /// What stands behind percent signs is no text.
    #[error("its percent-encoding is no text")]
    NoText,
    /// It cannot be read.
    #[error("{0}")]
    Unread(#[from] Unread),
    /// It can be read, and says what cannot be.
    #[error("{0}")]
    Wrong(Wrong),
    /// The same of a click, with the way to it.
    #[error("{0}")]
    Click(Box<Mistake>),
    /// The scenario, with all that, cannot be.
    #[error("{0}")]
    Scenario(Problem),
    /// The run is of no built-in scenario.
    #[error("only a run of a built-in scenario can be told by a link")]
    NotBuiltIn,
}

/// The parts of a link.
const NAMES: &[&str] =
    &["v", "scenario", "variant", "set", "seed", "click", "at", "model", "outcome"];

impl Link {
    /// The link to a run, with what comes of it.
    ///
    /// # Errors
    /// When its scenario is none of the built-in ones with other settings.
    pub fn to(run: &Run) -> Result<Link, LinkError> {
        let inputs = Link::without_outcome(run)?;
        Ok(Link { outcome: Some((MODEL, Outcome::of(run)?)), ..inputs })
    }

    /// The link to a run, which is not carried out for it.
    ///
    /// # Errors
    /// As with [`Link::to`].
    pub fn without_outcome(run: &Run) -> Result<Link, LinkError> {
        let spec = run.scenario.spec();
        let not_built_in = || error("scenario", LinkProblem::NotBuiltIn);
        let base = base(&spec.id, run.scenario.variant_id()).map_err(|_| not_built_in())?;
        let settings = run.scenario.settings_on(&base);
        Ok(Link {
            scenario: spec.id.clone(),
            variant: run.scenario.variant_id().map(str::to_owned),
            settings,
            seed: (run.seed != base.spec().seed).then_some(run.seed),
            clicks: run.clicks.clone(),
            at: None,
            outcome: None,
        })
    }

    /// The run.
    ///
    /// # Errors
    /// When there is no such scenario, or it cannot be set so.
    pub fn run(&self) -> Result<Run, LinkError> {
        let base = base(&self.scenario, self.variant.as_deref())?;
        let scenario = base.with_values(&self.settings)?;
        let limit = scenario.limit();
        if self.at.is_some_and(|at| at < TrueTime(0) || at > limit) {
            return Err(error("at", LinkProblem::NoMoment { limit_us: limit.0 }));
        }
        let seed = self.seed.unwrap_or(scenario.spec().seed);
        let run = Run { scenario, seed, clicks: self.clicks.clone() };
        // The clicks have to name what is there.
        run.world()?;
        Ok(run)
    }

    /// The fragment, without its `#`.
    pub fn fragment(&self) -> String {
        let mut parts = vec![format!("v={VERSION}"), format!("scenario={}", self.scenario)];
        parts.extend(self.variant.iter().map(|id| format!("variant={id}")));
        for (path, value) in &self.settings {
            let mut text = format!("{path}:");
            notation::write(value, &mut text);
            parts.push(format!("set={}", utf8_percent_encode(&text, ESCAPED)));
        }
        parts.extend(self.seed.iter().map(|seed| format!("seed={seed}")));
        for click in &self.clicks {
            parts.push(format!("click={}", utf8_percent_encode(&told(click), ESCAPED)));
        }
        parts.extend(self.at.iter().map(|at| format!("at={}", at.0)));
        if let Some((model, outcome)) = self.outcome {
            parts.push(format!("model={model}"));
            parts.push(format!("outcome={outcome}"));
        }
        parts.join("&")
    }

    /// Reads a fragment, without its `#`.
    ///
    /// # Errors
    /// At the first thing in it that is not understood.
    pub fn from_fragment(fragment: &str) -> Result<Link, LinkError> {
        let mut parts = Parts::default();
        for part in fragment.split('&') {
            let (name, text) = part.split_once('=').unwrap_or((part, ""));
            let place = parts.place(name);
            parts.take(name, text).map_err(|problem| LinkError { place, problem })?;
        }
        let missing = |name| move || error(name, LinkProblem::Missing);
        parts.version.ok_or_else(missing("v"))?;
        let outcome = match (parts.model, parts.outcome) {
            (Some(model), Some(outcome)) => Some((model, outcome)),
            (None, None) => None,
            (Some(_), None) => return Err(missing("outcome")()),
            (None, Some(_)) => return Err(missing("model")()),
        };
        Ok(Link {
            scenario: parts.scenario.ok_or_else(missing("scenario"))?,
            variant: parts.variant,
            settings: parts.settings,
            seed: parts.seed,
            clicks: parts.clicks,
            at: parts.at.map(TrueTime),
            outcome,
        })
    }
}

/// How a link compares with what its run comes to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// It comes to the same, or the link does not say.
    Same,
    /// It was made with another version of the model, and its run ends otherwise now.
    OtherModel,
    /// It was made with this version, and says what its run does not come to.
    OtherOutcome,
}

impl Link {
    /// Compares what the link says with what its run comes to.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn agreement(&self, run: &Run) -> Result<Agreement, ScenarioError> {
        let Some((model, outcome)) = self.outcome else { return Ok(Agreement::Same) };
        Ok(match (Outcome::of(run)? == outcome, model == MODEL) {
            (true, _) => Agreement::Same,
            (false, true) => Agreement::OtherOutcome,
            (false, false) => Agreement::OtherModel,
        })
    }
}

fn base(scenario: &str, variant: Option<&str>) -> Result<Scenario, ScenarioError> {
    let scenario = Scenario::built_in(scenario)?;
    variant.map_or(Ok(scenario.clone()), |id| scenario.variant(id))
}

fn error(place: &str, problem: LinkProblem) -> LinkError {
    LinkError { place: place.to_owned(), problem }
}

impl From<ScenarioError> for LinkError {
    fn from(error: ScenarioError) -> LinkError {
        LinkError { place: error.place, problem: LinkProblem::Scenario(error.problem) }
    }
}

/// `25000000:pause(for_ms=45000,node=W1)`.
fn told(click: &ClickSpec) -> String {
    let mut text = format!("{}:", click.at_us);
    let action = click.r#do.write().expect("a table");
    for (name, fields) in action.table().expect("a table") {
        text.push_str(name);
        notation::write(fields, &mut text);
    }
    text
}

/// What has been read so far.
#[derive(Default)]
struct Parts {
    version: Option<()>,
    scenario: Option<String>,
    variant: Option<String>,
    settings: Vec<(String, Tree)>,
    seed: Option<u64>,
    clicks: Vec<ClickSpec>,
    at: Option<i64>,
    model: Option<u32>,
    outcome: Option<Outcome>,
}

impl Parts {
    /// Where the next part of that name stands: those that may come again are counted.
    fn place(&self, name: &str) -> String {
        match name {
            "set" => format!("set {}", self.settings.len() + 1),
            "click" => format!("click {}", self.clicks.len() + 1),
            "" => "the link".to_owned(),
            _ => name.to_owned(),
        }
    }

    fn take(&mut self, name: &str, encoded: &str) -> Result<(), LinkProblem> {
        let text = percent_decode_str(encoded).decode_utf8().map_err(|_| LinkProblem::NoText)?;
        let mut reader = Reader::new(&text);
        match name {
            "v" => match whole(&mut reader)? {
                VERSION => once(&mut self.version, ())?,
                other => return Err(LinkProblem::Version(other)),
            },
            "scenario" => once(&mut self.scenario, reader.word()?.to_owned())?,
            "variant" => once(&mut self.variant, reader.word()?.to_owned())?,
            "set" => {
                let path = reader.word()?.to_owned();
                if self.settings.iter().any(|(other, _)| *other == path) {
                    return Err(LinkProblem::Twice);
                }
                reader.sign(':', "a colon")?;
                // Nothing after the colon takes away what stands there.
                let is_taken_away = reader.is_at_end();
                let nothing = || Tree::new(Value::Nothing);
                let value = if is_taken_away { nothing() } else { reader.value()? };
                self.settings.push((path, value));
            }
            "seed" => once(&mut self.seed, natural(reader.rest())?)?,
            "click" => {
                let click = click(&mut reader)?;
                self.clicks.push(click);
            }
            "at" => once(&mut self.at, whole(&mut reader)?)?,
            "model" => once(&mut self.model, natural(reader.rest())?)?,
            "outcome" => {
                let text = reader.rest();
                let wrong = || wrong_kind(text, "16 digits of 0 to 9 and a to f");
                once(&mut self.outcome, Outcome::from_hex(text).ok_or_else(wrong)?)?;
            }
            _ => return Err(LinkProblem::NoSuchPart),
        }
        Ok(reader.end()?)
    }
}

fn once<T>(place: &mut Option<T>, value: T) -> Result<(), LinkProblem> {
    match place.replace(value) {
        Some(_) => Err(LinkProblem::Twice),
        None => Ok(()),
    }
}

fn whole(reader: &mut Reader) -> Result<i64, LinkProblem> {
    Ok(reader.number()?)
}

fn wrong_kind(text: &str, wanted: &'static str) -> LinkProblem {
    LinkProblem::Wrong(Wrong::WrongKind { found: format!("`{text}`"), wanted })
}

/// A number without sign, written in the one way there is.
fn natural<T: FromStr>(text: &str) -> Result<T, LinkProblem> {
    let is_plain = text.chars().all(|letter| letter.is_ascii_digit());
    let is_padded = text.len() > 1 && text.starts_with('0');
    let number = text.parse().ok().filter(|_| is_plain && !is_padded);
    number.ok_or_else(|| wrong_kind(text, "a whole number"))
}

fn click(reader: &mut Reader) -> Result<ClickSpec, LinkProblem> {
    let at = reader.number()?;
    reader.sign(':', "a colon")?;
    let name = reader.word()?.to_owned();
    let fields = reader.value()?;
    let table = |name: &str, tree| Tree::new(Value::Table(table_of([(name.to_owned(), tree)])));
    let mut click = table("do", table(&name, fields));
    let fields = click.table_mut().expect("it was just made");
    fields.insert("at_us".to_owned(), Tree::new(Value::Whole(at)));
    ClickSpec::read(&click, &At::TOP).map_err(LinkProblem::Click)
}
