//! A run as data: a scenario, settings, a seed and clicks. Everything on screen is
//! computed from one, and the same run gives the same trace everywhere.

use crate::actors::Actor;
use crate::actors::worker::config::Step;
use crate::content::{Tree, Value};
use crate::properties::{Judge, PropertyId};
use crate::scenario::clicks::{ClickSpec, Do};
use crate::scenario::error::{Problem, ScenarioError};
use crate::scenario::names::Names;
use crate::scenario::read::{self, Setting};
use crate::scenario::spec::{Spec, StoreKind, VariantSpec, WorkerSpec};
use crate::scenario::{build, differences, library, validate};
use crate::sim::click::Click;
use crate::sim::event::Event;
use crate::sim::replay::{Moment, Replay};
use crate::sim::time::TrueTime;
use crate::sim::world::World;

/// The most events that a run may make, so that none keeps a program busy for ever or
/// fills its memory. Two workers with leases of thirty seconds make fewer in a whole day.
pub const EVENTS_AT_MOST: u32 = 500_000;

/// A scenario that has been read and found right.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    tree: Tree,
    spec: Spec,
    names: Names,
    variant: Option<String>,
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

/// Hashes of a run's states, each with the number of steps taken before it.
#[derive(Clone, Debug, PartialEq)]
pub struct StateHashes {
    /// At regular distances.
    pub every: Vec<(u32, u128)>,
    /// At the run's end.
    pub last: (u32, u128),
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
        Scenario::from_tree(read::tree(text)?)
    }

    fn from_tree(tree: Tree) -> Result<Scenario, ScenarioError> {
        let scenario = Scenario::without_variants(tree)?;
        // Each has to be right by itself, with its own machines and clicks.
        for (place, variant) in scenario.spec.variants.iter().enumerate() {
            scenario.with_variant(variant).map_err(|error| {
                let place = format!("variant {}, {}", place + 1, error.place);
                ScenarioError { place, ..error }
            })?;
        }
        Ok(scenario)
    }

    /// A scenario whose variants have not been looked at.
    fn without_variants(tree: Tree) -> Result<Scenario, ScenarioError> {
        let spec = read::spec(&tree)?;
        validate::check(&spec)?;
        let names = spec.machines();
        let scenario = Scenario { tree, spec, names, variant: None };
        scenario.check_clicks("click", &scenario.spec.clicks)?;
        Ok(scenario)
    }

    fn with_variant(&self, variant: &VariantSpec) -> Result<Scenario, ScenarioError> {
        let mut tree = self.tree.clone();
        read::apply(&mut tree, &variant.set)?;
        let has_none = variant.clicks.as_ref().is_some_and(Vec::is_empty);
        if has_none && !variant.set.contains_key("waits_at_ms") {
            // It waited for a click that is not made here.
            read::set(&mut tree, "waits_at_ms", Tree::new(Value::Nothing))?;
        }
        if variant.clicks.is_some() {
            // In the tree too, so that settings applied later keep them.
            let clicks = read::variant_clicks(&tree, &variant.id).expect("it was read from there");
            read::set(&mut tree, "click", clicks)?;
        }
        let variant = Some(variant.id.clone());
        Ok(Scenario { variant, ..Scenario::without_variants(tree)? })
    }

    fn check_clicks(&self, place: &str, clicks: &[ClickSpec]) -> Result<(), ScenarioError> {
        for (index, click) in clicks.iter().enumerate() {
            self.actions(click)
                .map_err(|problem| ScenarioError::new(format!("{place} {}", index + 1), problem))?;
        }
        Ok(())
    }

    /// The actions of a click on a run of this scenario.
    ///
    /// # Errors
    /// When it names what is not there, or comes after the end of every run.
    pub fn actions(&self, click: &ClickSpec) -> Result<Vec<Click<Actor>>, Problem> {
        if click.at_us > self.limit().0 {
            let limit_ms = self.spec.limit_ms;
            return Err(Problem::AfterTheEnd { at_us: click.at_us, limit_ms });
        }
        let is_rule = matches!(click.r#do, Do::Rule { .. });
        if is_rule && self.spec.store.kind == StoreKind::Objects {
            return Err(Problem::Missing("an object store has no rule that could be switched"));
        }
        click.actions(&self.names)
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// What the file says, with every default filled in.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The variant of its file that it is, if it is one.
    pub fn variant_id(&self) -> Option<&str> {
        self.variant.as_deref()
    }

    /// Its id, or that of a variant, as in "reconcile.stop-work".
    pub fn name(&self) -> String {
        let id = &self.spec.id;
        self.variant.as_ref().map_or_else(|| id.clone(), |variant| format!("{id}.{variant}"))
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
        let value = |(path, text): &Setting| (path.clone(), Tree::from_setting(text));
        self.with_values(&settings.iter().map(value).collect::<Vec<_>>())
    }

    /// The same scenario with other settings, as values.
    ///
    /// # Errors
    /// When a path leads nowhere or a value cannot be.
    pub fn with_values(&self, settings: &[(String, Tree)]) -> Result<Scenario, ScenarioError> {
        let mut tree = self.tree.clone();
        for (path, value) in settings {
            read::set(&mut tree, path, value.clone())?;
        }
        let variant = self.variant.clone();
        Ok(Scenario { variant, ..Scenario::from_tree(tree)? })
    }

    /// The settings that make this scenario of another one.
    pub fn settings_on(&self, other: &Scenario) -> Vec<(String, Tree)> {
        differences::settings(&other.tree, &self.tree)
    }

    /// In which settings it differs from another, but for what both tell of themselves.
    pub fn differences(&self, other: &Scenario) -> Vec<String> {
        const TOLD: [&str; 6] = ["title", "goal", "promises", "click", "variant", "waits_at_ms"];
        let settings = self.settings_on(other).into_iter().map(|(path, _)| path);
        settings.filter(|path| !TOLD.contains(&path.as_str())).collect()
    }

    /// The built-in scenario, or the variant of its own, that differs from this one in
    /// nothing that matters to a run, so that what it says of itself is true; else this one.
    pub fn under_its_own_name(self) -> Scenario {
        let bare = |spec: &Spec| Spec {
            id: String::new(),
            title: String::new(),
            goal: String::new(),
            variants: Vec::new(),
            ..spec.clone()
        };
        let own = bare(&self.spec);
        let same = |other: &Scenario| bare(&other.spec) == own;
        let variant = || {
            let base = Scenario::built_in(&self.spec.id).ok()?;
            let mut all = base.spec.variants.iter();
            all.find_map(|variant| base.with_variant(variant).ok().filter(same))
        };
        library::find(&|_, text| Scenario::from_text(text).ok().filter(same))
            .or_else(variant)
            .unwrap_or(self)
    }

    /// One of the scenario's variants, with its clicks.
    ///
    /// # Errors
    /// When there is none of that name, or it sets what cannot be.
    pub fn variant(&self, id: &str) -> Result<Scenario, ScenarioError> {
        let found = self.spec.variants.iter().find(|variant| variant.id == id);
        let variant = found.ok_or_else(|| {
            let there = self.spec.variants.iter().map(|variant| variant.id.clone()).collect();
            ScenarioError::new("variant", Problem::NoSuchVariant { id: id.to_owned(), there })
        })?;
        self.with_variant(variant)
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

    /// Whether a holder has a number that is to rise: from its lock, or drawn elsewhere.
    pub fn has_tokens(&self) -> bool {
        let draws = |worker: &WorkerSpec| worker.program.contains(&Step::DrawNumber);
        self.spec.gives_token() || self.spec.workers.iter().any(draws)
    }

    /// What it promises, as far as that says something: where nobody has a token none
    /// can fail to rise.
    pub fn promises(&self) -> impl Iterator<Item = PropertyId> + '_ {
        let has_tokens = self.has_tokens();
        let said = move |id: &PropertyId| has_tokens || *id != PropertyId::TokenNotRising;
        self.spec.promises.iter().copied().filter(said)
    }

    /// Where the page stops after *Start* and lets the reader act. In the millisecond of
    /// the scenario's first click it is that click's own moment: whoever does it there
    /// makes the run that is told of.
    pub fn waits_at(&self) -> Option<TrueTime> {
        let waits_at_ms = self.spec.waits_at_ms?;
        let first = self.spec.clicks.first().filter(|it| it.at_us / 1_000 == waits_at_ms);
        Some(TrueTime(first.map_or(waits_at_ms * 1_000, |click| click.at_us)))
    }

    /// Whether a run of this scenario goes on from a state of its world: something is
    /// left but renewals and scans, and the next thing is due before the limit.
    ///
    /// # Errors
    /// When it goes on, and has made as many events as a run may.
    pub fn goes_on(&self, world: &World<Actor>) -> Result<bool, ScenarioError> {
        let limit = self.limit();
        if world.is_over() || world.next_due().is_none_or(|due| due > limit) {
            return Ok(false);
        }
        if world.events() < EVENTS_AT_MOST {
            return Ok(true);
        }
        let at_ms = world.now().0 / 1_000;
        let problem = Problem::TooManyEvents { at_ms, most: EVENTS_AT_MOST };
        Err(ScenarioError::new("the run", problem))
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
            let actions = self
                .scenario
                .actions(click)
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
    /// When a click names what is not there, or there are more events than a run may make.
    pub fn to_end(&self) -> Result<Replay<Actor, Judge>, ScenarioError> {
        let mut replay = self.replay()?;
        while self.scenario.goes_on(&replay.moment().world)? {
            replay.step();
        }
        Ok(replay)
    }

    /// A hash of the state after every `steps` steps, and of the last one.
    ///
    /// # Errors
    /// When a click names what is not there, or there are more events than a run may make.
    pub fn state_hashes(&self, steps: u32) -> Result<StateHashes, ScenarioError> {
        let mut moment = Moment::new(self.world()?, Judge::new());
        let mut ignore = |_: Event<Actor>| {};
        let mut every = Vec::new();
        let mut taken = 0;
        while self.scenario.goes_on(&moment.world)? {
            moment.step(&mut ignore);
            taken += 1;
            if taken % steps == 0 {
                every.push((taken, moment.state_hash()));
            }
        }
        Ok(StateHashes { every, last: (taken, moment.state_hash()) })
    }
}
