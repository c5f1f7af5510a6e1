//! A run as data: a scenario, settings, a seed and clicks. Everything on screen is
//! computed from one, and the same run gives the same trace everywhere.

use crate::actors::Actor;
use crate::properties::Judge;
use crate::scenario::clicks::ClickSpec;
use crate::scenario::error::{Problem, ScenarioError};
use crate::scenario::names::Names;
use crate::scenario::read::{self, Setting};
use crate::scenario::spec::Spec;
use crate::scenario::{build, library, validate};
use crate::sim::replay::Replay;
use crate::sim::time::TrueTime;
use crate::sim::world::World;

/// A scenario that has been read and found right.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    table: toml::Table,
    spec: Spec,
    names: Names,
}

/// A scenario, settings, a seed and clicks.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The scenario with the settings applied.
    pub scenario: Scenario,
    /// Keys all random draws.
    pub seed: u64,
    /// What is done, in any order of time.
    pub clicks: Vec<ClickSpec>,
}

impl Scenario {
    /// A built-in scenario.
    ///
    /// # Errors
    /// When there is none of that name.
    pub fn built_in(id: &str) -> Result<Scenario, ScenarioError> {
        Scenario::from_text(library::text(id)?)
    }

    /// A scenario from the text of its file.
    ///
    /// # Errors
    /// When something in it is wrong: what, and where.
    pub fn from_text(text: &str) -> Result<Scenario, ScenarioError> {
        Scenario::from_table(read::table(text)?)
    }

    fn from_table(table: toml::Table) -> Result<Scenario, ScenarioError> {
        let spec = read::spec(&table)?;
        validate::check(&spec)?;
        let workers = spec.workers.iter().map(|worker| worker.name.as_str());
        let names = Names::new(spec.etcd.members, workers, spec.orchestrator.iter().count());
        let scenario = Scenario { table, spec, names };
        scenario.check_clicks("click", &scenario.spec.clicks)?;
        for (place, variant) in scenario.spec.variants.iter().enumerate() {
            let clicks = variant.clicks.as_deref().unwrap_or_default();
            scenario.check_clicks(&format!("variant {}, click", place + 1), clicks)?;
        }
        Ok(scenario)
    }

    fn check_clicks(&self, place: &str, clicks: &[ClickSpec]) -> Result<(), ScenarioError> {
        for (index, click) in clicks.iter().enumerate() {
            click
                .actions(&self.names)
                .map_err(|problem| ScenarioError::new(format!("{place} {}", index + 1), problem))?;
        }
        Ok(())
    }

    /// What the file says, with every default filled in.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The machines by name.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The same scenario with other settings.
    ///
    /// # Errors
    /// When a path leads nowhere or a value cannot be.
    pub fn with(&self, settings: &[Setting]) -> Result<Scenario, ScenarioError> {
        let mut table = self.table.clone();
        for (path, text) in settings {
            read::set(&mut table, path, read::value(text))?;
        }
        Scenario::from_table(table)
    }

    /// One of the scenario's variants, with its clicks.
    ///
    /// # Errors
    /// When there is none of that name, or it sets what cannot be.
    pub fn variant(&self, id: &str) -> Result<Scenario, ScenarioError> {
        let found = self.spec.variants.iter().find(|variant| variant.id == id);
        let variant = found.ok_or_else(|| {
            ScenarioError::new("variant", Problem::NoSuchVariant { id: id.to_owned() })
        })?;
        let mut table = self.table.clone();
        read::apply(&mut table, &variant.set)?;
        let mut scenario = Scenario::from_table(table)?;
        if let Some(clicks) = &variant.clicks {
            scenario.spec.clicks = clicks.clone();
        }
        Ok(scenario)
    }

    /// The run that the scenario's file describes, with its clicks.
    pub fn run(&self) -> Run {
        Run { seed: self.spec.seed, clicks: self.spec.clicks.clone(), scenario: self.clone() }
    }

    /// The run without any click.
    pub fn run_without_clicks(&self) -> Run {
        Run { clicks: Vec::new(), ..self.run() }
    }

    /// When a run ends at the latest.
    pub fn limit(&self) -> TrueTime {
        TrueTime(self.spec.limit_ms * 1_000)
    }
}

impl Run {
    /// The world at the start of the run.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn world(&self) -> Result<World<Actor>, ScenarioError> {
        self.world_from(build::Start::default())
    }

    /// The world at another start.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn world_from(&self, start: build::Start) -> Result<World<Actor>, ScenarioError> {
        let mut clicks = Vec::new();
        for (index, click) in self.clicks.iter().enumerate() {
            let actions = click
                .actions(self.scenario.names())
                .map_err(|problem| ScenarioError::new(format!("click {}", index + 1), problem))?;
            clicks.extend(actions.into_iter().map(|action| (index as u32, action)));
        }
        Ok(World::new(build::setup(&self.scenario, self.seed, clicks, start)))
    }

    /// The run, to be looked at from its start.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn replay(&self) -> Result<Replay<Actor, Judge>, ScenarioError> {
        Ok(Replay::new(self.world()?, Judge::new()))
    }

    /// The run, to its end.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn to_end(&self) -> Result<Replay<Actor, Judge>, ScenarioError> {
        let mut replay = self.replay()?;
        replay.run_to_end(self.scenario.limit());
        Ok(replay)
    }
}
