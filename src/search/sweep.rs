//! Every single click, just before and just after every event.

use crate::actors::Actor;
use crate::properties::{Judge, Judged, PropertyId};
use crate::scenario::run::EVENTS_AT_MOST;
use crate::scenario::{Scenario, ScenarioError};
use crate::search::faults::{self, Kind};
use crate::sim::click::{Action, Click};
use crate::sim::event::Event;
use crate::sim::replay::Moment;
use crate::sim::time::{Span, TrueTime};
use crate::sim::world::World;
use std::collections::BTreeMap;

/// Whether runs that reach a state reached before are cut short there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merging {
    /// They are: what follows is known.
    Equal,
    /// Every run is run to its end.
    None,
}

/// A click and the moment at which it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// When.
    pub at: TrueTime,
    /// What: actions made at once.
    pub actions: Vec<Action<Actor>>,
}

/// What a sweep has seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Runs made.
    pub runs: u64,
    /// Steps made in them.
    pub steps: u64,
    /// Different states remembered.
    pub states: u64,
    /// Runs that reached a state reached before, and were cut short.
    pub merged: u64,
    /// How many runs broke each property.
    pub broken: BTreeMap<PropertyId, u64>,
    /// The first click that broke each property.
    pub first: BTreeMap<PropertyId, Tried>,
}

/// How a run ends from a state on: what is broken then, and how long and how many events
/// it takes.
#[derive(Clone, Copy, Debug)]
struct Ending {
    broken: u16,
    takes: Span,
    events: u32,
}

impl Ending {
    /// Whether it is reached from here before any limit.
    fn is_reached(&self, world: &World<Actor>, limit: TrueTime) -> bool {
        world.now() + self.takes <= limit && world.events() + self.events <= EVENTS_AT_MOST
    }
}

/// A sweep that can be advanced click by click.
pub struct Sweep {
    scenario: Scenario,
    kinds: Vec<Kind>,
    merging: Merging,
    /// The moment at which clicks are tried next; its world has made every step due.
    base: Moment<Actor, Judge>,
    /// Clicks left to try at this moment.
    open: Vec<Vec<Action<Actor>>>,
    /// Clicks are tried at each moment whose number this divides.
    nth: u32,
    moments: u32,
    over: bool,
    known: BTreeMap<u128, Ending>,
    tally: Tally,
}

impl Sweep {
    /// A sweep of a scenario without its clicks.
    ///
    /// # Errors
    /// When the scenario is wrong.
    pub fn new(
        scenario: &Scenario,
        kinds: &[Kind],
        merging: Merging,
    ) -> Result<Sweep, ScenarioError> {
        let world = scenario.run_without_clicks().world()?;
        Ok(Sweep {
            scenario: scenario.clone(),
            kinds: kinds.to_vec(),
            merging,
            base: Moment::new(world, Judge::new()),
            open: Vec::new(),
            nth: 1,
            moments: 0,
            over: false,
            known: BTreeMap::new(),
            tally: Tally::default(),
        })
    }

    /// Tries clicks at every `nth` moment only, from the first on: the work of a sweep grows
    /// with the square of a run's length.
    ///
    /// # Panics
    /// When `nth` is 0.
    #[must_use]
    pub fn at_every(mut self, nth: u32) -> Sweep {
        assert!(nth > 0, "every 0th moment is none");
        self.nth = nth;
        self
    }

    /// How many clicks there are to try, and how many events the run without one has. None
    /// is tried.
    ///
    /// # Errors
    /// When the run without a click makes more events than a run may.
    pub fn extent(mut self) -> Result<(u64, u32), ScenarioError> {
        let mut clicks = 0;
        while !self.over {
            self.next_moment()?;
            clicks += self.open.len() as u64;
        }
        Ok((clicks, self.base.world.events()))
    }

    /// What has been seen so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Tries the next click; false when there is none left.
    ///
    /// # Errors
    /// When its run makes more events than a run may.
    pub fn advance(&mut self) -> Result<bool, ScenarioError> {
        loop {
            if let Some(actions) = self.open.pop() {
                self.try_click(actions)?;
                return Ok(true);
            }
            if self.over {
                return Ok(false);
            }
            self.next_moment()?;
        }
    }

    /// Tries all that is left.
    ///
    /// # Errors
    /// When a run makes more events than a run may.
    pub fn finish(mut self) -> Result<Tally, ScenarioError> {
        while self.advance()? {}
        Ok(self.tally)
    }

    /// Moments come in pairs: a microsecond before the next thing that happens, where
    /// nothing else is, and just after all that happens at its instant.
    fn next_moment(&mut self) -> Result<(), ScenarioError> {
        let mut ignore = |_: Event<Actor>| {};
        let goes_on = self.scenario.goes_on(&self.base.world)?;
        let world = &mut self.base.world;
        let Some(due) = world.next_due().filter(|_| goes_on) else {
            self.over = true;
            self.open.clear();
            return Ok(());
        };
        let just_before = due - Span(1);
        if world.events() > 0 && just_before > world.now() {
            world.advance(just_before);
        } else {
            while self.base.world.next_due() == Some(due) {
                self.scenario.goes_on(&self.base.world)?;
                self.base.step(&mut ignore);
            }
        }
        let is_turn = self.moments.is_multiple_of(self.nth);
        self.moments += 1;
        let names = self.scenario.names();
        let world = &self.base.world;
        let clicks = |kind: &Kind| faults::clicks(*kind, world, names);
        self.open = if is_turn { self.kinds.iter().flat_map(clicks).collect() } else { Vec::new() };
        Ok(())
    }

    fn try_click(&mut self, actions: Vec<Action<Actor>>) -> Result<(), ScenarioError> {
        let at = self.base.world.now();
        let mut moment = self.base.clone();
        for action in &actions {
            moment.world.add_click(0, Click { at, action: action.clone() });
        }
        let broken = self.run_to_end(moment)?;
        self.tally.runs += 1;
        for (place, id) in PropertyId::ALL.into_iter().enumerate() {
            if broken & (1 << place) != 0 {
                *self.tally.broken.entry(id).or_insert(0) += 1;
                let tried = Tried { at, actions: actions.clone() };
                self.tally.first.entry(id).or_insert(tried);
            }
        }
        Ok(())
    }

    /// What is broken at the end of the run from `moment` on.
    fn run_to_end(&mut self, mut moment: Moment<Actor, Judge>) -> Result<u16, ScenarioError> {
        let mut ignore = |_: Event<Actor>| {};
        let limit = self.scenario.limit();
        let mut path: Vec<(u128, TrueTime, u32)> = Vec::new();
        let mut ending = None;
        while self.scenario.goes_on(&moment.world)? {
            moment.step(&mut ignore);
            self.tally.steps += 1;
            if self.merging == Merging::Equal {
                let hash = moment.state_hash();
                // What is known holds only if the run comes to its end before the limit.
                let known = self.known.get(&hash).copied();
                if let Some(known) = known.filter(|k| k.is_reached(&moment.world, limit)) {
                    self.tally.merged += 1;
                    ending = Some(known);
                    break;
                }
                path.push((hash, moment.world.now(), moment.world.events()));
            }
        }
        let (now, events) = (moment.world.now(), moment.world.events());
        let by_itself = ending.is_some() || moment.world.is_over();
        let ending = ending.unwrap_or_else(|| Ending {
            broken: broken(&moment),
            takes: Span::ZERO,
            events: 0,
        });
        if by_itself {
            for (hash, at, before) in path {
                let takes = ending.takes + (now - at);
                let events = ending.events + (events - before);
                self.known.insert(hash, Ending { takes, events, ..ending });
            }
            self.tally.states = self.known.len() as u64;
        }
        Ok(ending.broken)
    }
}

/// The properties broken at the end, a bit each.
fn broken(moment: &Moment<Actor, Judge>) -> u16 {
    PropertyId::ALL
        .into_iter()
        .enumerate()
        .filter(|(_, id)| !moment.observer.verdict(*id, Judged::AtTheEnd).holds())
        .fold(0, |bits, (place, _)| bits | 1 << place)
}
