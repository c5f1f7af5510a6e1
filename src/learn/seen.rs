//! How far a reader has come, from the runs that are open and the answers given.

use super::outcome::of_write;
use super::{Chapter, Choice, Condition, Decision, Part, Question, Step};
use crate::actors::Actor;
use crate::actors::store::api::Rule;
use crate::scenario::Run;
use crate::scenario::names::Role;
use crate::sim::event::{Event, EventId};
use std::collections::BTreeMap;

/// A run as far as it has been run.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its events.
    pub trace: &'a [Event<Actor>],
}

/// How a step stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It is done.
    Done,
    /// It is the one to do.
    Now,
    /// It is yet to come.
    Later,
}

/// How a question stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked<'a> {
    /// It is not asked yet.
    NotYet,
    /// It is asked; this was chosen so far, if anything.
    Open(Option<&'a Choice>),
    /// It was met by what happened.
    Met(Met<'a>),
}

/// What was predicted, and what happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met<'a> {
    /// What was chosen, if anything.
    pub chosen: Option<&'a Choice>,
    /// What came true.
    pub right: &'a Choice,
    /// The place of the run among those open.
    pub run: usize,
    /// The event that decided it.
    pub event: EventId,
}

impl Seen<'_> {
    /// Whether the run makes exactly the clicks of its scenario: numbers in a text
    /// are true of no other.
    fn has_the_clicks(&self) -> bool {
        let clicks = &self.run.scenario.spec().clicks;
        !clicks.is_empty() && self.run.clicks == *clicks
    }

    /// Whether it makes those clicks under that rule.
    fn is_of(&self, rule: Rule) -> bool {
        self.rule() == rule && self.has_the_clicks()
    }

    fn rule(&self) -> Rule {
        self.run.scenario.spec().store.rule
    }

    fn decision(&self, worker: &str) -> Option<Decision> {
        of_write(self.run.scenario.names().find(worker)?, self.trace)
    }

    /// Of which workers' reports it is decided what becomes of them.
    fn decided(&self) -> Vec<bool> {
        let names = self.run.scenario.names();
        names.with(Role::Worker).map(|worker| of_write(worker, self.trace).is_some()).collect()
    }
}

impl Condition {
    /// Whether it holds, by any of the runs.
    fn holds(self, runs: &[(usize, Seen)]) -> bool {
        runs.iter().any(|(_, seen)| match self {
            Condition::Begun => !seen.trace.is_empty(),
            Condition::Clicked => seen.has_the_clicks(),
            Condition::FirstDecided(rule) => seen.is_of(rule) && seen.decided().contains(&true),
            Condition::Decided(rule) => seen.is_of(rule) && !seen.decided().contains(&false),
        })
    }
}

impl Chapter {
    /// The runs that belong to it, with their places.
    fn own<'a>(&self, runs: &[Seen<'a>]) -> Vec<(usize, Seen<'a>)> {
        let belongs = |seen: &Seen| self.scenarios.contains(&seen.run.scenario.spec().id);
        runs.iter().copied().enumerate().filter(|(_, seen)| belongs(seen)).collect()
    }

    /// The part that is told.
    pub fn part(&self, runs: &[Seen]) -> &Part {
        let own = self.own(runs);
        let told = |part: &&Part| part.from.is_none_or(|from| from.holds(&own));
        self.parts.iter().rfind(told).expect("the first part is told from the start")
    }

    /// Its steps, and how they stand.
    pub fn progress(&self, runs: &[Seen]) -> Vec<(&Step, Progress)> {
        let own = self.own(runs);
        let done: Vec<bool> = self.steps.iter().map(|step| step.done.holds(&own)).collect();
        let now = done.iter().position(|done| !done);
        let progress = |place: usize| match (done[place], now == Some(place)) {
            (true, _) => Progress::Done,
            (false, true) => Progress::Now,
            (false, false) => Progress::Later,
        };
        self.steps.iter().enumerate().map(|(place, step)| (step, progress(place))).collect()
    }

    /// Whether a run is one of which the chapter's numbers are true, as far as it has
    /// been clicked in. Others are for trying things out.
    pub fn is_on_course(&self, seen: &Seen) -> bool {
        self.scenarios.contains(&seen.run.scenario.spec().id)
            && (seen.run.clicks.is_empty() || seen.has_the_clicks())
    }

    /// How a question stands.
    pub fn asked<'a>(
        &self,
        question: &'a Question,
        runs: &[Seen],
        answers: &BTreeMap<String, String>,
    ) -> Asked<'a> {
        let own = self.own(runs);
        let chosen = answers.get(&question.id).and_then(|id| question.option(id));
        let about = own.iter().rev().find_map(|(place, seen)| {
            let is_about = seen.rule() == question.about && seen.has_the_clicks();
            let decision = is_about.then(|| seen.decision(&question.worker))??;
            Some((*place, decision))
        });
        let met = about.and_then(|(run, Decision { outcome, event })| {
            let right = question.options.iter().find(|option| option.outcome == outcome)?;
            Some(Asked::Met(Met { chosen, right, run, event }))
        });
        match met {
            Some(met) => met,
            None if question.asked.holds(&own) => Asked::Open(chosen),
            None => Asked::NotYet,
        }
    }
}
