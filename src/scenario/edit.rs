//! A scenario set otherwise, a value or a worker at a time: for whoever builds one by
//! hand. Nothing is cut to fit; what cannot be is told, and changes nothing.

use crate::actors::consul;
use crate::actors::worker::config::Recipe;
use crate::content::{At, Choice, Read, Tree, Value, Write};
use crate::scenario::clicks::ClickSpec;
use crate::scenario::error::{Problem, ScenarioError};
use crate::scenario::names::Service;
use crate::scenario::read;
use crate::scenario::run::Scenario;
use crate::scenario::validate::{is_set, says_nothing_of};

/// Which lock service there is, and how a lock is taken from it.
pub const SERVICE: &str = "lock.service";
const RECIPE: &str = "lock.recipe";

/// What tells of the run: its clicks, and the other runs that are told of beside it.
const STORY: [&str; 2] = ["click", "variant"];

/// The list of the workers.
const WORKERS: &str = "worker";

/// How long after the last one a worker that is added begins.
const LATER_MS: i64 = 1_000;

impl Scenario {
    /// What it says, as a tree with every default filled in.
    pub fn filled_in(&self) -> Tree {
        self.spec().write().expect("a table")
    }

    /// What its file says of a path, if it says anything.
    pub fn said(&self, path: &str) -> Option<&Tree> {
        read::get(self.tree(), path)
    }

    /// The same scenario with one thing set otherwise. Of its own clicks those stay that
    /// can still be made; the others, and its variants where one no longer fits, are let
    /// go: they tell of the run as it was.
    ///
    /// # Errors
    /// When the path leads nowhere or the value cannot be.
    pub fn edited(&self, path: &str, value: Tree) -> Result<Scenario, ScenarioError> {
        self.with_what_fits(self.with_its_service(path, value))
    }

    /// The same with the story of the scenario that it was made of, as far as that fits:
    /// what was let go for a setting comes back when that is set back.
    pub fn telling_of(self, base: &Scenario) -> Scenario {
        let mut settings = Vec::new();
        for story in STORY {
            let told = base.said(story);
            if told != self.said(story) {
                let told = told.cloned().unwrap_or(Tree::new(Value::Nothing));
                settings.push((story.to_owned(), told));
            }
        }
        if settings.is_empty() {
            return self;
        }
        self.with_what_fits(settings).unwrap_or(self)
    }

    /// With settings, which can be of the story itself, and what of the story fits them.
    fn with_what_fits(&self, settings: Vec<(String, Tree)>) -> Result<Scenario, ScenarioError> {
        let mut settings = settings;
        let first = match self.with_values(&settings) {
            Err(error) if is_of_story(&error) => error,
            done => return done,
        };
        let none = || Tree::new(Value::List(Vec::new()));
        settings.push(("variant".to_owned(), none()));
        match self.with_values(&settings) {
            Err(error) if is_of_story(&error) => {}
            done => return done,
        }
        let set = settings.iter().find(|(path, _)| path == "click").map(|(_, told)| told);
        let told = set.or(self.said("click")).and_then(Tree::list).unwrap_or_default().to_vec();
        settings.push(("click".to_owned(), none()));
        let bare = match self.with_values(&settings) {
            Err(error) if is_of_story(&error) => return Err(first),
            done => done?,
        };
        let fits = |click: &&Tree| {
            let click = ClickSpec::read(click, &At::TOP);
            click.is_ok_and(|click| bare.actions(&click).is_ok())
        };
        let kept = told.iter().filter(fits).cloned().collect();
        bare.with_values(&[("click".to_owned(), Tree::new(Value::List(kept)))])
    }

    /// The scenario that this one was made of, with what is set otherwise here but for what
    /// another lock service brought with it: the way back to its own.
    ///
    /// # Errors
    /// When the rest cannot be with it.
    pub fn back_at_its_service(&self, base: &Scenario) -> Result<Scenario, ScenarioError> {
        let mut settings = self.settings_on(base);
        let left_out = says_nothing_of(base.spec().lock.service);
        let is_of_other =
            |path: &str| path.rsplit_once('.').is_some_and(|(_, field)| left_out.contains(&field));
        settings.retain(|(path, value)| match path.as_str() {
            SERVICE | RECIPE => false,
            path if STORY.contains(&path) => false,
            "lock.ttl_s" => value.value != Value::Whole(consul::config::MIN_TTL_S),
            path if path.starts_with("worker.") => {
                value.value != Value::Nothing && !is_of_other(path)
            }
            _ => true,
        });
        base.with_values(&settings)
    }

    /// A setting, and what another lock service brings with it: its own first way of
    /// taking a lock, and no renewal that says nothing of it.
    fn with_its_service(&self, path: &str, value: Tree) -> Vec<(String, Tree)> {
        let (service, is) = (value.text().map(str::to_owned), self.spec().lock.service);
        let mut settings = vec![(path.to_owned(), value)];
        let Some(service) = service.filter(|it| path == SERVICE && *it != is.name()) else {
            return settings;
        };
        // Of a service that is not there the value says so.
        let Some(service) = Service::ALL.iter().find(|it| it.name() == service) else {
            return settings;
        };
        let mut recipes = Recipe::ALL.iter().filter(|recipe| Service::of(**recipe) == *service);
        let first = recipes.next().expect("each service has a recipe");
        settings.push((RECIPE.to_owned(), Tree::new(Value::Text(first.name().to_owned()))));
        // Consul creates no session for less.
        let least_s = consul::config::MIN_TTL_S;
        if *service == Service::Consul && self.spec().lock.ttl_s < least_s {
            settings.push(("lock.ttl_s".to_owned(), Tree::new(Value::Whole(least_s))));
        }
        for worker in &self.spec().workers {
            let left_out = says_nothing_of(*service).iter();
            let left_out = left_out.filter(|field| is_set(worker, *service, field));
            let path = |field: &&str| format!("worker.{}.{field}", worker.name);
            settings.extend(left_out.map(|field| (path(field), Tree::new(Value::Nothing))));
        }
        settings
    }

    /// The same with what is set otherwise in a scenario than in what it was made of, but
    /// for the story.
    ///
    /// # Errors
    /// When a value cannot be.
    pub fn set_as(&self, run: &Scenario, base: &Scenario) -> Result<Scenario, ScenarioError> {
        let mut settings = run.settings_on(base);
        settings.retain(|(path, _)| !STORY.contains(&path.as_str()));
        self.with_what_fits(settings)
    }

    /// One more worker: a copy of another, under the next free name, that begins after
    /// the last.
    ///
    /// # Errors
    /// When there are as many as there can be, or none of that name.
    pub fn with_worker_like(&self, name: &str) -> Result<Scenario, ScenarioError> {
        let mut all = self.worker_trees();
        let place = self.place_of(name)?;
        let mut copy = all[place].clone();
        let table = copy.table_mut().expect("a worker is a table");
        table.insert("name".to_owned(), Tree::new(Value::Text(self.free_name())));
        let starts = self.spec().workers.iter().filter_map(|worker| worker.starts_ms);
        if let (Some(_), Some(last)) = (self.spec().workers[place].starts_ms, starts.max()) {
            let starts = Tree::new(Value::Whole(last.saturating_add(LATER_MS)));
            table.insert("starts_ms".to_owned(), starts);
        }
        all.push(copy);
        self.edited(WORKERS, Tree::new(Value::List(all)))
    }

    /// The same without one of its workers.
    ///
    /// # Errors
    /// When it is the last, or there is none of that name.
    pub fn without_worker(&self, name: &str) -> Result<Scenario, ScenarioError> {
        let mut all = self.worker_trees();
        all.remove(self.place_of(name)?);
        self.edited(WORKERS, Tree::new(Value::List(all)))
    }

    fn worker_trees(&self) -> Vec<Tree> {
        let list = self.said(WORKERS).and_then(Tree::list);
        list.expect("every scenario has workers").to_vec()
    }

    fn place_of(&self, name: &str) -> Result<usize, ScenarioError> {
        let place = self.spec().workers.iter().position(|worker| worker.name == name);
        place.ok_or_else(|| {
            let there = self.spec().workers.iter().map(|worker| worker.name.clone()).collect();
            let problem = Problem::NoSuchMachine { field: "worker", name: name.to_owned(), there };
            ScenarioError::new("workers", problem)
        })
    }

    fn free_name(&self) -> String {
        let names = (1..).map(|number| format!("W{number}"));
        let mut free = names.filter(|name| self.names().find(name).is_none());
        free.next().expect("there are few workers and many numbers")
    }
}

/// Whether something is wrong with the clicks or the variants of the scenario itself.
fn is_of_story(error: &ScenarioError) -> bool {
    error.place.starts_with("click ") || error.place.starts_with("variant ")
}
