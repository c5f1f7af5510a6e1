//! The runs of which a lesson tells, by name, and which of a reader's runs are meant.

use crate::content::{At, Mistake, Read, Tree, Wrong, table};
use crate::learn::quiz::{Expected, Measure};
use crate::scenario::clicks::Do;
use crate::scenario::{Run, Scenario, ScenarioError};
use std::cell::OnceCell;

/// A run of which a lesson tells: a built-in scenario or a variant of one, as in
/// "reconcile" and "reconcile.stop-work", with its clicks.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Its name.
    pub name: String,
    /// Read when it is first asked for.
    scenario: OnceCell<Scenario>,
}

impl Read for Told {
    fn read(tree: &Tree, at: &At) -> Result<Told, Box<Mistake>> {
        Ok(Told { name: String::read(tree, at)?, scenario: OnceCell::new() })
    }
}

/// The scenario, or the variant of one, of that name.
///
/// # Errors
/// When there is none.
pub fn scenario(name: &str) -> Result<Scenario, ScenarioError> {
    match name.split_once('.') {
        Some((scenario, variant)) => Scenario::built_in(scenario)?.variant(variant),
        None => Scenario::built_in(name),
    }
}

impl Told {
    /// Its scenario.
    ///
    /// # Panics
    /// When there is none of its name, which a test excludes.
    pub fn scenario(&self) -> &Scenario {
        self.scenario.get_or_init(|| scenario(&self.name).expect("a test reads each of them"))
    }

    /// Whether a run has the same machines, settings and rules, whatever is done in it.
    pub fn has_setup(&self, run: &Run) -> bool {
        let (own, other) = (self.scenario().spec(), run.scenario.spec());
        own.lock == other.lock
            && own.etcd == other.etcd
            && own.redis == other.redis
            && own.redlock == other.redlock
            && own.zookeeper == other.zookeeper
            && own.postgres == other.postgres
            && own.consul == other.consul
            && own.store == other.store
            && own.network == other.network
            && own.workers == other.workers
            && own.orchestrator == other.orchestrator
            && own.partner == other.partner
            && own.load == other.load
    }

    /// Whether exactly the same is done in it: numbers in a text are true of no other.
    pub fn has_clicks(&self, run: &Run) -> bool {
        let clicks = &self.scenario().spec().clicks;
        !clicks.is_empty() && run.clicks == *clicks
    }
}

table! {
    /// Which of a reader's runs are meant.
    #[derive(Clone, Debug, PartialEq)]
    pub struct About {
        /// The lesson's run whose machines, settings and rules they have.
        pub run: String,
        /// What is done in them.
        pub clicks: Clicks = Clicks::Own,
    }
}

/// What is done in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Clicks {
    /// What the lesson's run says, exactly.
    Own,
    /// Anything, or nothing.
    Any,
    /// Only things of this kind, as in "pause", and one at least.
    Kind(&'static str),
}

impl Read for Clicks {
    fn read(tree: &Tree, at: &At) -> Result<Clicks, Box<Mistake>> {
        let name = String::read(tree, at)?;
        match name.as_str() {
            "own" => Ok(Clicks::Own),
            "any" => Ok(Clicks::Any),
            other => match Do::NAMES.iter().find(|kind| **kind == other) {
                Some(kind) => Ok(Clicks::Kind(kind)),
                None => {
                    let wrong = Wrong::NoSuchChoice { choice: name, there: Do::NAMES };
                    Err(at.mistake(tree, wrong))
                }
            },
        }
    }
}

impl Clicks {
    /// Whether that is what is done in a run.
    pub fn are_in(&self, run: &Run, told: &Told) -> bool {
        match self {
            Clicks::Own => told.has_clicks(run),
            Clicks::Any => true,
            Clicks::Kind(kind) => {
                let is_one = |click: &Do| click.name() == *kind;
                !run.clicks.is_empty() && run.clicks.iter().all(|click| is_one(&click.r#do))
            }
        }
    }
}

table! {
    /// What is to be found out in a run: what each of these measures comes to there.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Found {
        /// In which.
        pub about: About,
        /// What, all in one run.
        pub so: Vec<Claim>,
    }
}

table! {
    /// That a measure comes to something.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Claim {
        /// What is measured.
        pub asks: Measure,
        /// What it has to come to.
        pub is: Expected,
    }
}
