//! One open run: its replay, and moving through it.

mod others;

use crate::actors::Actor;
use crate::lab::Routine;
use crate::lab::bench::{self, History, Past};
use crate::lab::ending::Ended;
use crate::lab::pace::{Leg, Speed};
use crate::learn::SameClicks;
use crate::properties::Judge;
use crate::properties::turns::{Weight, weight};
use crate::scenario::clicks::{ClickSpec, Do};
use crate::scenario::{Run, Scenario, ScenarioError};
use crate::sim::event::{Event, EventId, Missed};
use crate::sim::replay::Replay;
use crate::sim::time::{Span, TrueTime};
use crate::text::Who;
use std::cell::OnceCell;
use std::rc::Rc;

/// What is told of a run that is no scenario's story, but shows one thing, as a cell of a
/// table does.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// What it is called.
    pub title: String,
    /// What it shows.
    pub shows: String,
}

/// A run, and the moment one looks at.
#[derive(Clone, Debug)]
pub struct Open {
    number: u32,
    run: Run,
    replay: Replay<Actor, Judge>,
    /// The latest moment that was ever reached.
    seen: TrueTime,
    /// Whether all that happens then has.
    seen_whole: bool,
    who: Who,
    /// The way to the next moment that matters, while it plays.
    leg: Option<Leg>,
    /// Whatever moment one looks at afterwards.
    ended: Option<Ended>,
    /// What the tab has held before.
    history: History,
    /// Where it waits for the reader, while nothing was done in it.
    waits_at: Option<TrueTime>,
    /// The built-in scenario or variant that it goes back to.
    base: Option<Rc<Scenario>>,
    /// What the properties came to at the end, once that was reached.
    judged: Option<Judge>,
    /// Words of its own, until something else is done in it.
    told: Option<Told>,
    /// Whether it is that one, whatever was clicked.
    as_built_in: bool,
    /// What is set otherwise than in its scenario, in words, once somebody asked.
    differs: OnceCell<Vec<String>>,
    /// Where the same clicks break no promise, once that was looked for.
    cure: Option<Option<SameClicks>>,
    broken_elsewhere: Option<Option<SameClicks>>,
}

impl Open {
    /// Opens a run at its start.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn new(number: u32, run: Run) -> Result<Open, ScenarioError> {
        let who = Who::new(run.scenario.names().clone());
        let seen = TrueTime(0);
        let replay = run.replay()?;
        let base = bench::base(&run).map(Rc::new);
        let waits_at = waits_at(&run.scenario, base.as_deref());
        let spec = run.scenario.spec();
        let as_built_in =
            base.as_deref().is_some_and(|base| base.spec() == spec && base.spec().seed == run.seed);
        Ok(Open {
            number,
            run,
            replay,
            seen,
            seen_whole: false,
            who,
            leg: None,
            ended: None,
            history: History::default(),
            waits_at,
            base,
            judged: None,
            told: None,
            as_built_in,
            differs: OnceCell::new(),
            cure: None,
            broken_elsewhere: None,
        })
    }

    /// What people call it: the first is 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The run as data.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Words of its own, if it has any.
    pub fn told(&self) -> Option<&Told> {
        self.told.as_ref()
    }

    /// What is set otherwise than in its scenario, in words.
    pub fn differs(&self) -> &[String] {
        self.differs.get_or_init(|| bench::shown::differs(self))
    }

    pub(super) fn set_told(&mut self, told: Option<Told>) {
        self.told = told;
    }

    /// Its scenario.
    pub fn scenario(&self) -> &Scenario {
        &self.run.scenario
    }

    /// Its replay, for looking only.
    pub fn replay(&self) -> &Replay<Actor, Judge> {
        &self.replay
    }

    /// Names for what its trace speaks of.
    pub fn who(&self) -> &Who {
        &self.who
    }

    /// Now, in true time.
    pub fn now(&self) -> TrueTime {
        self.replay.now()
    }

    /// What has happened by now.
    pub fn past(&self) -> &[Event<Actor>] {
        self.replay.past()
    }

    /// How far the run has been run.
    pub fn seen_until(&self) -> TrueTime {
        self.seen
    }

    /// Whether all that happens at a moment, and before, has been run.
    pub fn has_seen_all_at(&self, at: TrueTime) -> bool {
        at < self.seen || at == self.seen && self.seen_whole
    }

    /// Whether nothing has happened yet.
    pub fn is_at_start(&self) -> bool {
        self.replay.moment().world.events() == 0
    }

    /// Whether this moment is the last that has been run.
    pub fn is_at_edge(&self) -> bool {
        self.past().len() == self.replay.trace().len()
    }

    /// Whether the run is over at this moment.
    pub fn is_at_end(&self) -> bool {
        self.replay.is_over() && !self.is_at_start() || self.now() >= self.scenario().limit()
    }

    /// The same run with one more click, now, and without those that came later.
    ///
    /// # Errors
    /// When it names what is not there.
    pub fn with_click(&self, number: u32, click: ClickSpec) -> Result<Open, ScenarioError> {
        let mut run = self.run.clone();
        if self.has_later_clicks() {
            run.clicks.retain(|other| other.at_us <= self.now().0);
            run.clicks.push(click);
            let mut next = Open::new(number, run)?;
            next.seek(self.now());
            return Ok(next);
        }
        let place = run.clicks.len();
        let actions = run
            .scenario
            .actions(&click)
            .map_err(|problem| ScenarioError::new(format!("click {}", place + 1), problem))?;
        run.clicks.push(click);
        let replay = self.replay.with_clicks(place as u32, &actions);
        let who = Who::of(run.scenario.names(), replay.trace());
        let mut history = self.history.clone();
        history.push(self.past_run());
        Ok(Open {
            waits_at: self.waits_at,
            number,
            run,
            seen: self.now(),
            seen_whole: false,
            replay,
            who,
            leg: None,
            ended: None,
            history,
            base: self.base.clone(),
            judged: None,
            told: None,
            as_built_in: self.as_built_in,
            differs: self.differs.clone(),
            cure: None,
            broken_elsewhere: None,
        })
    }

    /// Whether clicks of the run are still to come at this moment.
    pub fn has_later_clicks(&self) -> bool {
        self.run.clicks.iter().any(|click| click.at_us > self.now().0)
    }

    /// The run and the moment, to come back to.
    pub fn past_run(&self) -> Past {
        Past { number: self.number, run: self.run.clone(), now: self.now() }
    }

    /// What the tab has held before.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The same run in a tab that has held others.
    pub fn set_history(&mut self, history: History) {
        self.history = history;
    }

    /// The built-in scenario or variant that it goes back to; none where it is no run of
    /// a built-in one.
    pub fn base(&self) -> Option<&Scenario> {
        self.base.as_deref()
    }

    /// Whether it is of its scenario as that is built in, whatever was clicked, so that
    /// what the scenario tells is true of it.
    pub fn is_as_built_in(&self) -> bool {
        self.as_built_in
    }

    /// The scenario's click that comes next, as long as those before it were made and no
    /// others: also where something is set otherwise, since what a story tells of mostly
    /// has its meaning there too.
    pub fn next_click(&self) -> Option<&ClickSpec> {
        let (made, told) = (&self.run.clicks, &self.scenario().spec().clicks);
        // What costs least first: most runs have no click to come.
        let next = told.get(made.len()).filter(|_| told.starts_with(made))?;
        (made.is_empty() || self.told.is_none()).then_some(next)
    }

    /// Whether a click made now goes on with this run, and makes no other one of it.
    pub fn takes_click(&self) -> bool {
        self.is_at_edge() && !self.has_later_clicks()
    }

    /// How it ended, once it has been run to its end.
    pub fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref()
    }

    /// What its properties came to, once it has been run to its end.
    pub fn judged(&self) -> Option<&Judge> {
        self.judged.as_ref()
    }

    /// Why something could not be done now, if it could not. What is done to several
    /// machines or links can be done as long as it can to one of them.
    pub fn why_not(&self, action: &Do) -> Option<Missed> {
        let click = ClickSpec { at_us: self.now().0, r#do: action.clone() };
        let actions = click.actions(self.scenario().names()).unwrap_or_default();
        let world = &self.replay.moment().world;
        let mut whys = actions.iter().map(|click| world.why_not(&click.action));
        let first = whys.next()??;
        whys.all(|why| why.is_some()).then_some(first)
    }

    /// Where it waits for the reader, as long as nothing was done in it.
    pub fn waits_at(&self) -> Option<TrueTime> {
        self.waits_at
    }

    /// Lets it wait elsewhere, as a lesson asks.
    pub(super) fn set_waits_at(&mut self, at: TrueTime) {
        self.waits_at = Some(at);
    }

    /// Where it waits for the scenario's next click: for the first where a lesson says, if
    /// it does.
    pub fn waits_for_click(&self) -> Option<TrueTime> {
        if self.run.clicks.is_empty() {
            return self.waits_at;
        }
        self.next_click().map(|click| TrueTime(click.at_us))
    }

    /// Where *Play* stops: where the scenario waits for the reader, or the end.
    pub fn plays_until(&self) -> TrueTime {
        let waits = self.waits_for_click().filter(|at| *at > self.now());
        waits.unwrap_or(self.scenario().limit())
    }

    /// Goes to a moment.
    pub fn seek(&mut self, to: TrueTime) {
        let to = to.max(TrueTime(0)).min(self.scenario().limit());
        self.replay.seek(to);
        self.moved();
    }

    /// Goes to just after an event.
    pub fn seek_event(&mut self, event: EventId) {
        self.replay.seek_events(event.0 + 1);
        self.moved();
    }

    fn moved(&mut self) {
        self.leg = None;
        self.saw();
    }

    fn saw(&mut self) {
        let now = self.now();
        if now >= self.seen && self.is_at_edge() {
            let due = self.replay.moment().world.next_due();
            (self.seen, self.seen_whole) = (now, due.is_none_or(|due| due > now));
        }
        self.who.learn(self.replay.trace());
        if self.ended.is_none() && self.is_at_end() {
            self.ended = Some(Ended::of(self));
            self.judged = Some(self.replay.moment().observer.clone());
        }
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// When there are more events than a run may make; it is then as far as it may come.
    pub fn to_end(&mut self) -> Result<(), ScenarioError> {
        let ended = loop {
            match self.run.scenario.goes_on(&self.replay.moment().world) {
                Ok(true) => self.replay.step(),
                other => break other,
            };
        };
        if ended.is_ok() && !self.replay.is_over() {
            // What is still to come lies beyond the limit.
            self.replay.seek(self.scenario().limit());
        }
        self.moved();
        ended.map(drop)
    }

    /// Goes to the next event that is shown.
    pub fn step(&mut self, routine: Routine) {
        let limit = self.scenario().limit();
        while !self.is_at_end() {
            let before = self.past().len();
            if self.replay.moment().world.next_due().is_none_or(|due| due > limit) {
                return;
            }
            self.replay.step();
            self.moved();
            if self.past()[before..].iter().any(|event| is_shown(event, routine)) {
                return;
            }
        }
    }

    /// Goes to the shown event before the last one.
    pub fn back(&mut self, routine: Routine) {
        let here = self.past().iter().rposition(|event| is_shown(event, routine));
        let Some(here) = here else { return self.seek(TrueTime(0)) };
        // One step makes several events at once; go to one of an earlier step.
        let shown = |event: &&Event<Actor>| is_shown(event, routine);
        let earlier = self.past()[..here].iter().rev().filter(shown).map(|event| event.id);
        let candidates: Vec<EventId> = earlier.take(50).collect();
        let events = self.past().len();
        for event in candidates {
            self.seek_event(event);
            if self.past().len() < events {
                return;
            }
        }
        self.seek(TrueTime(0));
    }

    /// Plays for `elapsed` of the reader's time: quiet stretches pass quickly.
    pub fn play_on(&mut self, elapsed: Span, speed: Speed, until: TrueTime) {
        let mut left = elapsed;
        while left > Span::ZERO && self.now() < until && !self.is_at_end() {
            let leg = self.leg(until);
            let (to, used) = leg.advance(self.now(), left, speed);
            self.replay.seek(to.min(until));
            self.saw();
            left = left - used;
        }
    }

    /// The leg one is on, or the one that begins here.
    fn leg(&mut self, until: TrueTime) -> Leg {
        let now = self.now();
        if let Some(leg) = self.leg.filter(|leg| leg.turn > now) {
            return leg;
        }
        let turn = self.look_ahead().max(now + Span(1)).min(until);
        let leg = Leg { from: now, turn };
        self.leg = Some(leg);
        leg
    }

    fn look_ahead(&self) -> TrueTime {
        let now = self.now();
        let limit = self.scenario().limit();
        let mut ahead = self.replay.moment().clone();
        let mut turn = None;
        while turn.is_none() && !ahead.world.is_over() {
            if ahead.world.next_due().is_none_or(|due| due > limit) {
                return limit;
            }
            ahead.step(&mut |event: Event<Actor>| {
                if event.at > now && weight(&event.what) == Weight::Turn {
                    turn = turn.or(Some(event.at));
                }
            });
        }
        turn.unwrap_or(ahead.world.now().max(now))
    }
}

/// Where a run waits for the reader: for the first click that is told of, where the one
/// for which its scenario waits cannot be made in it.
fn waits_at(scenario: &Scenario, base: Option<&Scenario>) -> Option<TrueTime> {
    let first = scenario.spec().clicks.first();
    let is_lost = base.is_some_and(|base| base.spec().clicks.first() != first);
    if is_lost { first.map(|click| TrueTime(click.at_us)) } else { scenario.waits_at() }
}

/// Whether an event is shown in lists and stepped to.
pub fn is_shown(event: &Event<Actor>, routine: Routine) -> bool {
    routine == Routine::Shown || weight(&event.what) == Weight::Turn
}
