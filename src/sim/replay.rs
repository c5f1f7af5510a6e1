//! A run that can be looked at from any of its moments, in either direction.
//!
//! The trace grows only at its end and is never thrown away: going back takes the
//! world from the nearest checkpoint before, and steps.

use super::click::Click;
use super::encode::{self, Encoder, Frame};
use super::event::{Event, EventId};
use super::process::Process;
use super::time::TrueTime;
use super::world::{Sink, World};
use serde::Serialize;

/// Steps between two checkpoints.
const CHECKPOINT_STEPS: u32 = 64;

/// Watches a run and remembers: the properties' memory.
pub trait Observer<P: Process>: Clone + Serialize {
    /// Takes in one event; `world` is not shown, so that only events count.
    fn observe(&mut self, event: &Event<P>);
}

/// An observer that sees nothing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Blind;

impl<P: Process> Observer<P> for Blind {
    fn observe(&mut self, _event: &Event<P>) {}
}

/// A moment of a run.
#[derive(Clone, Debug)]
pub struct Moment<P: Process, O: Observer<P>> {
    /// The world.
    pub world: World<P>,
    /// What the observer remembers.
    pub observer: O,
    steps: u32,
}

impl<P: Process, O: Observer<P>> Moment<P, O> {
    /// The moment before anything has happened.
    pub fn new(world: World<P>, observer: O) -> Moment<P, O> {
        Moment { world, observer, steps: 0 }
    }

    /// Lets the next thing happen; every event goes to the observer and to `sink`.
    pub fn step(&mut self, sink: &mut impl Sink<P>) -> bool {
        let observer = &mut self.observer;
        let stepped = self.world.step(&mut |event: Event<P>| {
            observer.observe(&event);
            sink.event(event);
        });
        self.steps += u32::from(stepped);
        stepped
    }

    /// The state as bytes: the world's and the observer's.
    pub fn state(&self) -> Vec<u8> {
        let mut encoder = Encoder::new(Frame::default());
        self.world.encode(&mut encoder);
        encoder.set_frame(Frame {
            now: self.world.now(),
            mono: super::time::Mono(0),
            wall: self.world.right_wall(),
        });
        encoder.put(&self.observer);
        encoder.into_bytes()
    }

    /// A hash of the state.
    pub fn state_hash(&self) -> u128 {
        encode::hash(&self.state())
    }
}

/// A run with its trace so far and a moment at which one looks.
#[derive(Clone, Debug)]
pub struct Replay<P: Process, O: Observer<P>> {
    at: Moment<P, O>,
    trace: Vec<Event<P>>,
    checkpoints: Vec<Moment<P, O>>,
}

impl<P: Process, O: Observer<P>> Replay<P, O> {
    /// A run of which nothing has been seen yet.
    pub fn new(world: World<P>, observer: O) -> Replay<P, O> {
        let at = Moment::new(world, observer);
        Replay { checkpoints: vec![at.clone()], at, trace: Vec::new() }
    }

    /// The moment at which one looks.
    pub fn moment(&self) -> &Moment<P, O> {
        &self.at
    }

    /// Now, in true time.
    pub fn now(&self) -> TrueTime {
        self.at.world.now()
    }

    /// Everything that has ever been run, also what lies after this moment.
    pub fn trace(&self) -> &[Event<P>] {
        &self.trace
    }

    /// What has happened up to this moment.
    pub fn past(&self) -> &[Event<P>] {
        &self.trace[..self.at.world.events() as usize]
    }

    /// Whether nothing but renewals and scans is left.
    pub fn is_over(&self) -> bool {
        self.at.world.is_over()
    }

    /// Lets the next thing happen.
    pub fn step(&mut self) -> bool {
        let trace = &mut self.trace;
        let stepped = self.at.step(&mut |event: Event<P>| match trace.get(event.id.index()) {
            Some(before) => debug_assert_eq!(*before, event, "a run repeats itself"),
            None => trace.push(event),
        });
        let last = self.checkpoints.last().expect("there is always the first one").steps;
        if stepped && self.at.steps >= last + CHECKPOINT_STEPS {
            self.checkpoints.push(self.at.clone());
        }
        stepped
    }

    /// Goes to a moment in time, after everything due at it.
    pub fn seek(&mut self, to: TrueTime) {
        self.jump(|moment| moment.world.now() <= to);
        while self.at.world.next_due().is_some_and(|due| due <= to) {
            self.step();
        }
        if to > self.now() {
            self.at.world.advance(to);
        }
    }

    /// Goes to the moment just after the step that made event number `events - 1`:
    /// so many events have happened then, or a few more of the same step.
    pub fn seek_events(&mut self, events: u32) {
        // Also when so many have happened now: time may have passed since, and steps
        // without an event.
        self.jump(|moment| moment.world.events() < events);
        while self.at.world.events() < events && self.step() {}
    }

    /// The moments before and after the step that made an event, without going there.
    ///
    /// # Panics
    /// When the event is not in the trace.
    pub fn around(&self, event: EventId) -> (Moment<P, O>, Moment<P, O>) {
        assert!(event.index() < self.trace.len(), "one looks only at what has been run");
        let place = self.checkpoints.iter().rposition(|m| m.world.events() <= event.0).unwrap_or(0);
        let mut after = self.checkpoints[place].clone();
        let mut steps = 0;
        while after.world.events() <= event.0 && after.step(&mut |_: Event<P>| {}) {
            steps += 1;
        }
        let mut before = self.checkpoints[place].clone();
        for _ in 1..steps {
            before.step(&mut |_: Event<P>| {});
        }
        (before, after)
    }

    /// Runs to the end: until nothing but renewals and scans is left, or to `limit`.
    pub fn run_to_end(&mut self, limit: TrueTime) {
        while !self.is_over() && self.at.world.next_due().is_some_and(|due| due <= limit) {
            self.step();
        }
    }

    /// The same run with one more click of a person, which may be several actions and
    /// is made at this moment or later. What lies before is shared, what was run after
    /// it is not.
    pub fn with_clicks(&self, index: u32, actions: &[Click<P>]) -> Replay<P, O> {
        let events = self.at.world.events();
        let before = |moment: &&Moment<P, O>| moment.world.events() <= events;
        let mut next = Replay {
            at: self.at.clone(),
            trace: self.past().to_vec(),
            checkpoints: self.checkpoints.iter().filter(before).cloned().collect(),
        };
        for moment in next.checkpoints.iter_mut().chain([&mut next.at]) {
            for action in actions {
                moment.world.add_click(index, action.clone());
            }
        }
        next
    }

    /// Goes to the last checkpoint that is not past what is looked for, unless this
    /// moment is not past it either and nearer.
    fn jump(&mut self, is_not_past: impl Fn(&Moment<P, O>) -> bool) {
        let place = self.checkpoints.partition_point(&is_not_past).saturating_sub(1);
        let found = &self.checkpoints[place];
        if !is_not_past(&self.at) || self.at.steps < found.steps {
            self.at = found.clone();
        }
    }
}
