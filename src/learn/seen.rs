//! How far a reader has come, from the runs that are open and the answers given.

use super::outcome::of_write;
use super::{Chapter, Choice, Condition, Decision, Part, Question, Step};
use crate::actors::note::{EtcdNote, GrantEnd, LeaseEnd};
use crate::actors::store::api::Rule;
use crate::actors::{Actor, Note};
use crate::scenario::Run;
use crate::scenario::clicks::{ClickSpec, Do};
use crate::scenario::names::Role;
use crate::sim::event::{Event, EventId, What};
use std::collections::BTreeMap;

/// A run as far as it has been run.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its events.
    pub trace: &'a [Event<Actor>],
}

/// How near a run is to those of which a chapter tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It is one of them, as far as it has been clicked in: all numbers are true of it.
    On,
    /// The same happens in it, with other numbers.
    Beside,
    /// The reader tries something else.
    Off,
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

    /// Whether it makes a click of the same kind to the same machine, at another moment
    /// or for another time, and with the same effect: a lock was lost while its holder
    /// could not know. Its story is the chapter's, but for the numbers.
    fn is_like_it(&self) -> bool {
        let Some(paused) = self.paused() else { return false };
        let alike = |click: &ClickSpec| match &click.r#do {
            Do::Pause { node, .. } => node == paused,
            _ => false,
        };
        let undone = |click: &ClickSpec| matches!(click.r#do, Do::Resume { .. });
        let clicks = &self.run.clicks;
        clicks.iter().filter(|click| alike(click)).count() == 1
            && clicks.iter().all(|click| alike(click) || undone(click))
            && self.trace.iter().any(|event| has_expired(&event.what))
    }

    /// Whom the scenario's own click pauses, if that is what it does.
    fn paused(&self) -> Option<&str> {
        match &self.run.scenario.spec().clicks.first()?.r#do {
            Do::Pause { node, .. } => Some(node),
            _ => None,
        }
    }

    /// Whether it is decided what becomes of the report that the chapter tells of first:
    /// in a run that is only like its own that need not be the first one sent.
    fn first_is_decided(&self) -> bool {
        if self.has_the_clicks() {
            self.decided().contains(&true)
        } else {
            self.paused().is_some_and(|worker| self.decision(worker).is_some())
        }
    }

    fn fits(&self, fit: Fit) -> bool {
        self.has_the_clicks() || fit == Fit::Like && self.is_like_it()
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

/// How nearly a run has to be the one that the chapter tells of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// With exactly its clicks: for what states numbers.
    Exact,
    /// Or with one like it and the same effect: for what was to be done and understood.
    Like,
}

fn has_expired(what: &What<Actor>) -> bool {
    let expired = GrantEnd::Lease(LeaseEnd::Expired);
    matches!(what, What::Note(Note::Etcd(EtcdNote::LockEnded { how, .. })) if *how == expired)
}

impl Condition {
    /// Whether it holds, by any of the runs.
    fn holds(self, fit: Fit, runs: &[(usize, Seen)]) -> bool {
        runs.iter().any(|(_, seen)| match self {
            Condition::Begun => !seen.trace.is_empty(),
            Condition::Clicked => seen.fits(fit),
            Condition::FirstDecided(rule) => {
                seen.rule() == rule && seen.fits(fit) && seen.first_is_decided()
            }
            Condition::Decided(rule) => {
                seen.rule() == rule && seen.fits(fit) && !seen.decided().contains(&false)
            }
        })
    }
}

impl Chapter {
    /// The runs that belong to it, with their places.
    fn own<'a>(&self, runs: &[Seen<'a>]) -> Vec<(usize, Seen<'a>)> {
        let belongs = |seen: &Seen| self.scenarios.contains(&seen.run.scenario.spec().id);
        runs.iter().copied().enumerate().filter(|(_, seen)| belongs(seen)).collect()
    }

    /// The part that is told beside a run: no later one than it gives reason for, since
    /// what is said of the check would contradict a board without one. Beside a run of
    /// another scenario it is the last one reached.
    pub fn part(&self, runs: &[Seen], beside: &Seen) -> &Part {
        let place =
            |seen: &Seen| self.scenarios.iter().position(|id| *id == seen.run.scenario.spec().id);
        let last = place(beside).unwrap_or(self.scenarios.len());
        let mut own = self.own(runs);
        own.retain(|(_, seen)| place(seen).is_some_and(|place| place <= last));
        let told = |part: &&Part| part.from.is_none_or(|from| from.holds(Fit::Like, &own));
        self.parts.iter().rfind(told).expect("the first part is told from the start")
    }

    /// Its steps, and how they stand.
    pub fn progress(&self, runs: &[Seen]) -> Vec<(&Step, Progress)> {
        let own = self.own(runs);
        let done: Vec<bool> =
            self.steps.iter().map(|step| step.done.holds(Fit::Like, &own)).collect();
        let now = done.iter().position(|done| !done);
        let progress = |place: usize| match (done[place], now == Some(place)) {
            (true, _) => Progress::Done,
            (false, true) => Progress::Now,
            (false, false) => Progress::Later,
        };
        self.steps.iter().enumerate().map(|(place, step)| (step, progress(place))).collect()
    }

    /// How near a run is to those of which the chapter tells.
    pub fn course(&self, seen: &Seen) -> Course {
        if !self.scenarios.contains(&seen.run.scenario.spec().id) {
            Course::Off
        } else if seen.run.clicks.is_empty() || seen.has_the_clicks() {
            Course::On
        } else if seen.is_like_it() {
            Course::Beside
        } else {
            Course::Off
        }
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
            None if question.asked.holds(Fit::Exact, &own) => Asked::Open(chosen),
            None => Asked::NotYet,
        }
    }
}
