//! What the bench shows of the run one looks at.

use super::Edit;
use super::clicks::{self, Row};
use super::fields::{Field, GROUPS, Group, Kind, WORKER};
use crate::content::Tree;
use crate::lab::Open;
use crate::scenario::clicks::ClickSpec;
use crate::scenario::{MAX_WORKERS, Problem, Scenario, ScenarioError, read};
use crate::text::ui::ui;

/// A field with what it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The whole way to it, as in `worker.W1.job`.
    pub path: String,
    /// Which.
    pub field: Field,
    /// What stands in its control.
    pub typed: String,
    /// What the scenario has there, where that is something else.
    pub was: Option<String>,
    /// The clicks of which the scenario tells that cannot be made with it, in words.
    pub loses: Vec<String>,
}

/// A group of fields with what they hold.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownGroup {
    /// Which.
    pub id: &'static str,
    /// Its fields.
    pub fields: Vec<Shown>,
}

/// A worker with what is set for it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownWorker {
    /// What people call it.
    pub name: String,
    /// Its place, from 0.
    pub place: usize,
    /// Whether the scenario has it.
    pub is_added: bool,
    /// What is set.
    pub groups: Vec<ShownGroup>,
}

/// All that the bench shows. Equal ones look equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Bench {
    /// The scenario's id.
    pub scenario: String,
    /// Its goal.
    pub goal: String,
    /// Its variants, by id and title.
    pub variants: Vec<(String, String)>,
    /// The one it is.
    pub variant: Option<String>,
    /// What is set for all.
    pub groups: Vec<ShownGroup>,
    /// The workers.
    pub workers: Vec<ShownWorker>,
    /// Whether there may be one more.
    pub has_room: bool,
    /// The clicks in the order of time.
    pub clicks: Vec<Row>,
    /// Whether the scenario tells of clicks, and of others than the run has.
    pub has_own_clicks: bool,
    /// Those of which the scenario tells that cannot be made in the run, in words.
    pub lost_clicks: Vec<String>,
    /// How many fields are set otherwise than in the scenario, workers aside.
    pub changed: usize,
    /// Whether there is anything to undo.
    pub can_undo: bool,
    /// Whether there is anything to do again.
    pub can_redo: bool,
}

/// What the bench shows of a run.
pub fn bench(open: &Open) -> Bench {
    let run = open.run();
    let (mut groups, mut workers) = values(open);
    let lost = lost(open.base(), &run.scenario);
    if !lost.is_empty() {
        let of_workers = workers.iter_mut().flat_map(|worker| &mut worker.groups);
        let all = groups.iter_mut().chain(of_workers).flat_map(|group| &mut group.fields);
        all.filter(|shown| shown.was.is_some()).for_each(|shown| shown.loses = loses(open, shown));
    }
    let all = groups.iter().chain(workers.iter().flat_map(|worker| &worker.groups));
    let changed = all.flat_map(|group| &group.fields).filter(|shown| shown.was.is_some()).count();
    let told = open.base().unwrap_or(&run.scenario);
    let variants = told.spec().variants.iter();
    let own_clicks = &run.scenario.spec().clicks;
    Bench {
        scenario: run.scenario.spec().id.clone(),
        goal: told.spec().goal.clone(),
        variants: variants.map(|variant| (variant.id.clone(), variant.title.clone())).collect(),
        variant: run.scenario.variant_id().map(str::to_owned),
        has_room: workers.len() < MAX_WORKERS,
        groups,
        workers,
        clicks: clicks::rows(run),
        lost_clicks: lost.iter().map(|click| clicks::told(click)).collect(),
        has_own_clicks: !own_clicks.is_empty() && *own_clicks != run.clicks,
        changed,
        can_undo: open.history().can_undo(),
        can_redo: open.history().can_redo(),
    }
}

/// The clicks of which a scenario tells that cannot be made in one made of it.
fn lost<'a>(base: Option<&'a Scenario>, made: &Scenario) -> Vec<&'a ClickSpec> {
    let told = base.map(|base| base.spec().clicks.as_slice()).unwrap_or_default();
    told.iter().filter(|click| !made.spec().clicks.contains(click)).collect()
}

/// Those that are lost to one setting alone.
fn loses(open: &Open, shown: &Shown) -> Vec<String> {
    let made = || {
        let value = shown.field.kind.value(&shown.typed).ok()?;
        open.base()?.edited(&shown.path, value).ok()
    };
    let made = made();
    let lost = made.map(|made| lost(open.base(), &made).into_iter().map(clicks::told).collect());
    lost.unwrap_or_default()
}

/// What is set for all, and for each worker.
fn values(open: &Open) -> (Vec<ShownGroup>, Vec<ShownWorker>) {
    let run = open.run();
    let views = Views {
        own: run.scenario.filled_in(),
        base: open.base().map(Scenario::filled_in),
        seed: run.seed,
    };
    let workers = run.scenario.spec().workers.iter().enumerate();
    (
        GROUPS.iter().map(|group| views.group("", group)).collect(),
        workers.map(|(place, worker)| views.worker(place, &worker.name)).collect(),
    )
}

/// What is set otherwise than in its scenario, in words; but for its lock service and how
/// that is asked, which its title tells.
pub fn differs(open: &Open) -> Vec<String> {
    let Some(base) = open.base().filter(|_| !open.is_as_built_in()) else { return Vec::new() };
    let ((groups, workers), text) = (values(open), &ui().bench);
    let is_other = base.spec().lock.service != open.scenario().spec().lock.service;
    let of_all = groups.iter().flat_map(|group| &group.fields).map(|shown| (None, shown));
    let workers = workers.iter().flat_map(|worker| {
        let fields = worker.groups.iter().flat_map(|group| &group.fields);
        fields.map(|shown| (Some(worker.name.as_str()), shown))
    });
    let told = |(worker, shown): (Option<&str>, &Shown)| {
        let path = shown.field.path;
        let is_told = is_other && matches!(path, "lock.service" | "lock.recipe");
        if shown.was.is_none() || is_told {
            return None;
        }
        let words = (text.field)(path);
        let value = match (text.choice)(path, &shown.typed) {
            Some((label, _)) => label.to_owned(),
            None => format!("{} {}", shown.typed, words.unit).trim_end().to_owned(),
        };
        Some((text.differs)(worker, words.label, &value))
    };
    of_all.chain(workers).filter_map(told).collect()
}

/// Why an edit cannot be. Files count in milliseconds, and the page in seconds.
pub fn refused(error: &ScenarioError) -> String {
    let text = &ui().bench;
    let said = (text.refused)(&error.to_string());
    match error.problem {
        Problem::Bounds { field, .. } if field.ends_with("_ms") => format!("{said} {}", text.in_ms),
        _ => said,
    }
}

/// The run's own values and those of its scenario.
struct Views {
    own: Tree,
    base: Option<Tree>,
    seed: u64,
}

impl Views {
    fn group(&self, way: &str, group: &Group) -> ShownGroup {
        let fields = group.fields.iter().map(|field| self.field(way, *field)).collect();
        ShownGroup { id: group.id, fields }
    }

    fn worker(&self, place: usize, name: &str) -> ShownWorker {
        let way = format!("worker.{name}");
        let is_there = |base: &Tree| read::get(base, &way).is_some();
        ShownWorker {
            name: name.to_owned(),
            place,
            is_added: !self.base.as_ref().is_some_and(is_there),
            groups: WORKER.iter().map(|group| self.group(&format!("{way}."), group)).collect(),
        }
    }

    fn field(&self, way: &str, field: Field) -> Shown {
        let path = format!("{way}{}", field.path);
        let typed = match field.kind {
            Kind::Seed => self.seed.to_string(),
            kind => kind.typed(read::get(&self.own, &path)),
        };
        let base = self.base.as_ref().filter(|base| {
            // What is not in the scenario is not set otherwise than there.
            way.is_empty() || read::get(base, way.trim_end_matches('.')).is_some()
        });
        let was = base.map(|base| field.kind.typed(read::get(base, &path)));
        Shown { was: was.filter(|was| *was != typed), typed, path, field, loses: Vec::new() }
    }
}

impl Shown {
    /// The edit that sets it to what was typed.
    ///
    /// # Errors
    /// When that is no value: what it has to be.
    pub fn edit(&self, typed: &str) -> Result<Edit, &'static str> {
        if self.field.kind == Kind::Seed {
            let seed = typed.trim().parse();
            return seed.map(Edit::Seed).map_err(|_| crate::text::ui::ui().bench.no_seed);
        }
        Ok(Edit::Set { path: self.path.clone(), value: self.field.kind.value(typed)? })
    }

    /// The edit that sets it as the scenario has it.
    pub fn reset(&self) -> Option<Edit> {
        let was = self.was.as_ref()?;
        Some(match self.field.kind {
            Kind::Seed => Edit::Seed(was.parse().ok()?),
            _ => Edit::Reset { path: self.path.clone() },
        })
    }
}
