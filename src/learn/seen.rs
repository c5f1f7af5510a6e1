//! How far a reader has come, from the runs that are open and the answers given.

use super::outcome::of_write;
use super::told::{About, Claim, Found, Told};
use super::{Choice, Condition, Decision, Lesson, Part, Question, Step};
use crate::actors::note::{GrantEnd, LeaseEnd, LockNote};
use crate::actors::{Actor, Note};
use crate::properties::{Grants, Judge};
use crate::scenario::Run;
use crate::scenario::clicks::{ClickSpec, Do};
use crate::scenario::names::Role;
use crate::sim::event::{Event, EventId, What};
use litemap::LiteMap;

/// A run as far as it has been run.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The run.
    pub run: &'a Run,
    /// Its events.
    pub trace: &'a [Event<Actor>],
    /// What its properties came to, once it is over.
    pub judge: Option<&'a Judge>,
}

/// How near a run is to those of which a lesson tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It is one of them, as far as it has been clicked in: all numbers are true of it.
    On,
    /// The same happens in it, with other numbers.
    Beside,
    /// The lesson asks for runs of the reader's own, and it is one.
    Own,
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
    /// Whether it makes a click of the same kind to the same machine as a run of the
    /// lesson, at another moment or by another amount, and with the same effect: a lock
    /// was lost while its holder could not know. Its story is the lesson's, but for the
    /// numbers.
    fn is_like(&self, told: &Told) -> bool {
        let Some(own) = told.scenario().spec().clicks.first() else { return false };
        let alike = |click: &ClickSpec| subject(&click.r#do) == subject(&own.r#do);
        let undone = |click: &ClickSpec| matches!(click.r#do, Do::Resume { .. });
        let clicks = &self.run.clicks;
        subject(&own.r#do).is_some()
            && clicks.iter().filter(|click| alike(click)).count() == 1
            && clicks.iter().all(|click| alike(click) || undone(click))
            && has_expired(self.trace)
    }

    fn fits(&self, told: &Told, fit: Fit) -> bool {
        let fits = told.has_clicks(self.run) || fit == Fit::Like && self.is_like(told);
        fits && told.has_setup(self.run)
    }

    fn is_meant(&self, about: &About, lesson: &Lesson) -> bool {
        let meant = |told: &Told| told.has_setup(self.run) && about.clicks.are_in(self.run, told);
        lesson.run(&about.run).is_some_and(meant)
    }

    /// Whether it is decided what becomes of the report that the lesson tells of first:
    /// in a run that is only like its own that need not be the first one sent.
    fn first_is_decided(&self, told: &Told) -> bool {
        if told.has_clicks(self.run) {
            return self.decided().contains(&true);
        }
        let own = told.scenario().spec().clicks.first().and_then(|click| subject(&click.r#do));
        own.is_some_and(|(_, worker)| self.decision(worker).is_some())
    }

    fn decision(&self, worker: &str) -> Option<Decision> {
        of_write(self.run.scenario.names().find(worker)?, self.trace)
    }

    /// Of which workers' reports it is decided what becomes of them.
    fn decided(&self) -> Vec<bool> {
        let names = self.run.scenario.names();
        names.with(Role::Worker).map(|worker| of_write(worker, self.trace).is_some()).collect()
    }

    fn is_so(&self, claim: &Claim) -> bool {
        let measured = claim.asks.so_far(&self.run.scenario, self.trace, self.judge);
        measured.is_some_and(|(measured, _)| measured.is(&claim.is))
    }

    fn has_found(&self, found: &Found, lesson: &Lesson) -> bool {
        self.is_meant(&found.about, lesson) && found.so.iter().all(|claim| self.is_so(claim))
    }
}

/// What kind of click it is and to whom, where a run of the reader's can be like it.
fn subject(click: &Do) -> Option<(&'static str, &str)> {
    match click {
        Do::Pause { node, .. } | Do::SetRate { node, .. } | Do::Cut { from: node, .. } => {
            Some((click.name(), node))
        }
        _ => None,
    }
}

/// How nearly a run has to be the one that the lesson tells of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// With exactly its clicks: for what states numbers.
    Exact,
    /// Or with one like it and the same effect: for what was to be done and understood.
    Like,
}

/// Whether the time of a grant ran out. A lease in an object stays when it is over, until
/// another takes the lock.
fn has_expired(trace: &[Event<Actor>]) -> bool {
    let mut grants = Grants::default();
    trace.iter().any(|event| {
        grants.observe(event);
        let What::Note(Note::Lock(LockNote::Ended { how, .. })) = &event.what else { return false };
        matches!(how, GrantEnd::Lease(LeaseEnd::Expired) | GrantEnd::KeyExpired)
            || grants.was_over(event)
    })
}

impl Condition {
    /// Whether it holds, by any of the runs.
    fn holds(&self, lesson: &Lesson, fit: Fit, runs: &[(usize, Seen)]) -> bool {
        let any = |holds: &dyn Fn(&Seen) -> bool| runs.iter().any(|(_, seen)| holds(seen));
        let of = |run: &str, holds: &dyn Fn(&Seen, &Told) -> bool| {
            let told = lesson.run(run);
            told.is_some_and(|told| any(&|seen| seen.fits(told, fit) && holds(seen, told)))
        };
        match self {
            Condition::Begun => any(&|seen| !seen.trace.is_empty()),
            Condition::Clicked => lesson.runs.iter().any(|told| any(&|seen| seen.fits(told, fit))),
            Condition::FirstDecided(run) => of(run, &|seen, told| seen.first_is_decided(told)),
            Condition::Decided(run) => of(run, &|seen, _| !seen.decided().contains(&false)),
            Condition::Found(found) => any(&|seen| seen.has_found(found, lesson)),
        }
    }
}

impl Lesson {
    /// The runs that belong to it, with their places.
    fn own<'a>(&self, runs: &[Seen<'a>]) -> Vec<(usize, Seen<'a>)> {
        let own = |seen: &Seen| self.place(seen).is_some();
        runs.iter().copied().enumerate().filter(|(_, seen)| own(seen)).collect()
    }

    /// The place of a run among those of which the lesson tells: of the one it is, or
    /// else of the first one that is set up alike.
    fn place(&self, seen: &Seen) -> Option<usize> {
        let alike = |told: &Told| told.has_setup(seen.run);
        let exact = self.runs.iter().position(|told| alike(told) && told.has_clicks(seen.run));
        exact.or_else(|| self.runs.iter().position(alike))
    }

    /// The part that is told beside a run: no later one than it gives reason for, since
    /// what is said of the check would contradict a board without one. Beside a run of
    /// the reader's own, or one of another scenario, it is the last one reached.
    pub fn part(&self, runs: &[Seen], beside: &Seen) -> &Part {
        let mut own = self.own(runs);
        let place = self.place(beside).filter(|_| !self.is_own_run(&own, beside));
        let last = place.unwrap_or(self.runs.len());
        own.retain(|(_, seen)| self.place(seen).is_some_and(|place| place <= last));
        let told =
            |part: &&Part| part.from.as_ref().is_none_or(|from| from.holds(self, Fit::Like, &own));
        self.parts.iter().rfind(told).expect("the first part is told from the start")
    }

    /// Whether it is a run in which the reader looks for a click, or is about to.
    fn is_own_run(&self, own: &[(usize, Seen)], seen: &Seen) -> bool {
        let is_first = own.first().is_some_and(|(_, first)| std::ptr::eq(first.run, seen.run));
        let is_told = self.runs.iter().any(|told| seen.fits(told, Fit::Exact));
        self.steps.iter().any(|step| step.own_run.is_some()) && !is_first && !is_told
    }

    /// Its steps, and how they stand.
    pub fn progress(&self, runs: &[Seen]) -> Vec<(&Step, Progress)> {
        let own = self.own(runs);
        let done: Vec<bool> =
            self.steps.iter().map(|step| step.done.holds(self, Fit::Like, &own)).collect();
        let now = done.iter().position(|done| !done);
        let progress = |place: usize| match (done[place], now == Some(place)) {
            (true, _) => Progress::Done,
            (false, true) => Progress::Now,
            (false, false) => Progress::Later,
        };
        self.steps.iter().enumerate().map(|(place, step)| (step, progress(place))).collect()
    }

    /// How near a run is to those of which the lesson tells, with its steps so far.
    pub fn course(&self, seen: &Seen, steps: &[(&Step, Progress)]) -> Course {
        let is_asked_for = steps
            .iter()
            .any(|(step, progress)| step.own_run.is_some() && *progress != Progress::Later);
        let exact = |told: &Told| seen.fits(told, Fit::Exact);
        if self.place(seen).is_none() {
            Course::Off
        } else if seen.run.clicks.is_empty() || self.runs.iter().any(exact) {
            Course::On
        } else if is_asked_for {
            Course::Own
        } else if self.runs.iter().any(|told| seen.fits(told, Fit::Like)) {
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
        answers: &LiteMap<String, String>,
    ) -> Asked<'a> {
        let own = self.own(runs);
        let chosen = answers.get(&question.id).and_then(|id| question.option(id));
        let met = own.iter().rev().find_map(|(run, seen)| {
            let is_about = seen.is_meant(&question.about, self);
            let (right, event) = is_about.then(|| question.right(seen))??;
            Some(Asked::Met(Met { chosen, right, run: *run, event }))
        });
        match met {
            Some(met) => met,
            None if question.asked.holds(self, Fit::Exact, &own) => Asked::Open(chosen),
            None => Asked::NotYet,
        }
    }
}

impl Question {
    /// What is right by a run, and the event that decided it, once it is decided.
    pub fn right(&self, seen: &Seen) -> Option<(&Choice, EventId)> {
        let (found, event) = self.asks.so_far(&seen.run.scenario, seen.trace, seen.judge)?;
        let right = self.options.iter().find(|option| found.is(&option.is))?;
        Some((right, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_a_grant_ran_out_unless_another_took_the_lock_before() {
        for (scenario, expected) in [
            ("reconcile", true),
            ("object-lock", true),
            ("object-lock.skewed", false),
            ("object-lock.fast-clock", false),
        ] {
            let run = super::super::told::scenario(scenario).expect("built in").run();
            let replay = run.to_end().expect("a run");
            assert_eq!(has_expired(replay.trace()), expected, "{scenario}");
        }
    }
}
