//! Free work on a run: what can be changed in it, as data.
//!
//! ```text
//!   Run ──Edit──► Run            what cannot be is told, and changes nothing
//!    │              │
//!    └─► History ◄──┘            every run that a tab has held, to go back and forth
//! ```
//!
//! A run that is edited is another one, with a number of its own; it stays in its tab, and
//! the moment one looks at stays where it is, unless it is another scenario or lock service,
//! which begins at its start. What was before is one step back, whoever
//! changed it: a click made on a machine can be undone too.

pub mod clicks;
pub mod fields;
mod history;
pub mod shown;
#[cfg(test)]
mod story_tests;
#[cfg(test)]
mod tests;

pub use history::{History, Past};

use super::{Lab, Open, Playing};
use crate::actors::store::api::Rule;
use crate::content::{Choice, Tree, Value};
use crate::scenario::change::Change;
use crate::scenario::clicks::{ClickSpec, Do};
use crate::scenario::edit::SERVICE;
use crate::scenario::{Problem, Run, Scenario, ScenarioError, library};
use crate::sim::time::TrueTime;

/// One change of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Take another built-in scenario, as it is and without clicks.
    Scenario {
        /// Its id.
        id: String,
    },
    /// Take one of its variants, or none; what is set otherwise stays so.
    Variant(Option<String>),
    /// Set a value by its path; [`Value::Nothing`] leaves it to its default.
    Set {
        /// As in `store.rule`.
        path: String,
        /// To which.
        value: Tree,
    },
    /// Set a value as the scenario has it.
    Reset {
        /// As in `store.rule`.
        path: String,
    },
    /// Draw other random numbers.
    Seed(u64),
    /// One more worker.
    AddWorker {
        /// The one it is a copy of.
        like: String,
    },
    /// One worker less.
    RemoveWorker {
        /// Which.
        name: String,
    },
    /// One more click.
    AddClick(ClickSpec),
    /// Make a click at another moment.
    MoveClick {
        /// Its place among the run's.
        click: usize,
        /// When.
        at: TrueTime,
    },
    /// Do something else at a click's moment.
    ChangeClick {
        /// Its place among the run's.
        click: usize,
        /// What.
        action: Do,
    },
    /// One click less.
    DeleteClick {
        /// Its place among the run's.
        click: usize,
    },
    /// The clicks of which the scenario tells, in place of the run's.
    OwnClicks,
    /// Everything but the clicks as the scenario has it.
    ResetAll,
}

/// The built-in scenario, or the variant of one, that a run goes back to; none for one
/// that is not built in.
pub fn base(run: &Run) -> Option<Scenario> {
    let scenario = Scenario::built_in(&run.scenario.spec().id).ok()?;
    match run.scenario.variant_id() {
        Some(id) => scenario.variant(id).ok(),
        None => Some(scenario),
    }
}

/// The run after an edit.
///
/// # Errors
/// When it cannot be: what, and where.
pub fn edited(run: &Run, edit: &Edit) -> Result<Run, ScenarioError> {
    let mut next = run.clone();
    match edit {
        Edit::Scenario { id } => next = Scenario::built_in(id)?.run_without_clicks(),
        Edit::Variant(variant) => next.scenario = with_variant(run, variant.as_deref())?,
        Edit::Set { path, value } => {
            let back = (path == SERVICE)
                .then(|| base(run))
                .flatten()
                .filter(|base| value.text() == Some(base.spec().lock.service.name()));
            next.scenario = match back {
                Some(base) => run.scenario.back_at_its_service(&base)?,
                None => set(&run.scenario, path, value.clone())?,
            };
        }
        Edit::Reset { path } => {
            let said = base(run).and_then(|base| base.said(path).cloned());
            let value = said.unwrap_or(Tree::new(Value::Nothing));
            next.scenario = set(&run.scenario, path, value)?;
        }
        Edit::Seed(seed) => next.seed = *seed,
        Edit::AddWorker { like } => next.scenario = run.scenario.with_worker_like(like)?,
        Edit::RemoveWorker { name } => next.scenario = run.scenario.without_worker(name)?,
        Edit::AddClick(click) => next.clicks.push(click.clone()),
        Edit::MoveClick { click, at } => the_click(&mut next, *click)?.at_us = at.0,
        Edit::ChangeClick { click, action } => {
            the_click(&mut next, *click)?.r#do = action.clone();
        }
        Edit::DeleteClick { click } => {
            the_click(&mut next, *click)?;
            next.clicks.remove(*click);
        }
        Edit::OwnClicks => next.clicks.clone_from(&run.scenario.spec().clicks),
        Edit::ResetAll => {
            if let Some(base) = base(run) {
                next.seed = base.spec().seed;
                next.scenario = base;
            }
        }
    }
    if next.scenario != run.scenario
        && let Some(base) = base(&next)
    {
        next.scenario = next.scenario.telling_of(&base);
    }
    // The clicks have to name what is there.
    next.world()?;
    Ok(next)
}

fn with_variant(run: &Run, variant: Option<&str>) -> Result<Scenario, ScenarioError> {
    let scenario = Scenario::built_in(&run.scenario.spec().id)?;
    let next = match variant {
        Some(id) => scenario.variant(id)?,
        None => scenario,
    };
    match base(run) {
        Some(base) => next.set_as(&run.scenario, &base),
        None => Ok(next),
    }
}

fn set(scenario: &Scenario, path: &str, value: Tree) -> Result<Scenario, ScenarioError> {
    // Without the one thing that it is told, there is no orchestrator.
    let is_whole = path == fields::ORCHESTRATOR && value.value == Value::Nothing;
    let path = if is_whole { "orchestrator" } else { path };
    scenario.edited(path, value)
}

fn the_click(run: &mut Run, place: usize) -> Result<&mut ClickSpec, ScenarioError> {
    let count = run.clicks.len();
    run.clicks.get_mut(place).ok_or_else(|| {
        let problem = Problem::Bounds {
            field: "click",
            value: place as i64 + 1,
            bounds: "the place of a click",
        };
        ScenarioError::new(format!("{count} clicks"), problem)
    })
}

/// The built-in scenarios: id and title, in the order in which people meet them.
pub fn scenarios() -> Vec<(&'static str, String)> {
    let all = library::ALL.iter();
    all.filter_map(|(id, _)| Some((*id, Scenario::built_in(id).ok()?.spec().title.clone())))
        .collect()
}

impl Lab {
    /// Edits the run one looks at. It stays the same tab; one step back is as it was.
    #[inline(never)]
    pub(super) fn edit(&mut self, edit: &Edit) -> Result<(), ScenarioError> {
        let next = edited(self.open().run(), edit)?;
        if next == *self.open().run() {
            return Ok(());
        }
        let service = |run: &Run| run.scenario.spec().lock.service;
        // What happened with another service says nothing of where this one stands.
        let is_other =
            matches!(edit, Edit::Scenario { .. }) || service(&next) != service(self.open().run());
        let now = if is_other { TrueTime(0) } else { self.open().now() };
        let mut history = self.open().history().clone();
        match clicks::nudged(self.open().run(), edit) {
            Some(click) => history.nudge(self.open().past_run(), click),
            None => history.push(self.open().past_run()),
        }
        // Whoever remembers something of a run remembers it by its number.
        self.put(Past { number: self.opened + 1, run: next, now }, history)?;
        self.opened += 1;
        Ok(())
    }

    /// Back to the run before the last edit, or forth again.
    pub(super) fn travel(
        &mut self,
        way: fn(&mut History, Past) -> Option<Past>,
    ) -> Result<(), ScenarioError> {
        let mut history = self.open().history().clone();
        match way(&mut history, self.open().past_run()) {
            Some(past) => self.put(past, history),
            None => Ok(()),
        }
    }

    /// A second tab with the same run, at the same moment: the first one is kept.
    pub(super) fn copy(&mut self) -> Result<(), ScenarioError> {
        let now = self.open().now();
        let mut copy = Open::new(self.opened + 1, self.open().run().clone())?;
        copy.seek(now);
        self.add(copy);
        Ok(())
    }

    /// The same clicks in a tab of their own, where the store goes by another rule.
    pub(super) fn run_again(&mut self, rule: Rule) -> Result<(), ScenarioError> {
        let run = self.open().run();
        let scenario = Change::Rule(rule).made(&run.scenario)?.under_its_own_name();
        let next = Open::new(self.opened + 1, Run { scenario, ..run.clone() })?;
        self.add(next);
        let end = self.open().scenario().limit();
        self.playing = Playing::Until(end);
        Ok(())
    }

    fn put(&mut self, past: Past, history: History) -> Result<(), ScenarioError> {
        let mut next = Open::new(past.number, past.run)?;
        // At its start nothing has happened yet, as when it is newly opened.
        if past.now > TrueTime(0) {
            next.seek(past.now);
        }
        next.set_history(history);
        *self.open_mut() = next;
        self.keep_filter();
        self.playing = Playing::No;
        self.selected = None;
        Ok(())
    }
}
