//! The same run gives the same states and the same trace, whenever it is started.

use fencepost::actors::Actor;
use fencepost::properties::Judge;
use fencepost::scenario::build::{START_WALL, Start};
use fencepost::scenario::{Run, library};
use fencepost::sim::encode::{Encoder, Frame};
use fencepost::sim::event::Event;
use fencepost::sim::replay::Moment;
use fencepost::sim::time::{Mono, Span, TrueTime};

/// A run that is being stepped through, with its trace.
struct Stepped {
    moment: Moment<Actor, Judge>,
    start: TrueTime,
    trace: Vec<Event<Actor>>,
}

impl Stepped {
    fn from(run: &Run, start: Start) -> Stepped {
        let world = run.world_from(start).expect("the clicks of the run are right");
        Stepped { moment: Moment::new(world, Judge::new()), start: start.at, trace: Vec::new() }
    }

    fn step(&mut self) {
        let trace = &mut self.trace;
        self.moment.step(&mut |event: Event<Actor>| trace.push(event));
    }

    fn now(&self) -> Span {
        self.moment.world.now() - self.start
    }

    fn goes_on(&self, limit: TrueTime) -> bool {
        let world = &self.moment.world;
        !world.is_over()
            && world.next_due().is_some_and(|due| due - self.start <= limit - TrueTime(0))
    }
}

/// Steps two runs side by side and compares times and states after each step; gives
/// back the traces.
#[track_caller]
fn check_alike(name: &str, run: &Run, other: Start) -> (Vec<Event<Actor>>, Vec<Event<Actor>>) {
    let (mut one, mut two) = (Stepped::from(run, Start::default()), Stepped::from(run, other));
    let limit = run.scenario.limit();
    for step in 0.. {
        assert_eq!(one.now(), two.now(), "{name} after {step} steps");
        assert!(one.moment.state() == two.moment.state(), "states of {name} after {step} steps");
        assert_eq!(one.goes_on(limit), two.goes_on(limit), "{name} after {step} steps");
        if !one.goes_on(limit) {
            break;
        }
        one.step();
        two.step();
    }
    assert!(one.trace.len() > 40, "{name} goes on for a while");
    (one.trace, two.trace)
}

#[test]
fn a_run_repeats_itself_step_by_step() {
    for (name, run) in library::runs().expect("built-in scenarios are right") {
        let (one, two) = check_alike(&name, &run, Start::default());
        assert!(one == two, "the traces of {name} differ");
    }
}

#[test]
fn a_run_started_later_by_clocks_moved_has_equal_states_throughout() {
    let later = Start {
        at: TrueTime(7_123_457),
        wall: START_WALL + Span::from_us(7_123_457) + Span::from_s(3 * 3_600),
    };
    for (name, run) in library::runs().expect("built-in scenarios are right") {
        let (one, two) = check_alike(&name, &run, later);
        // What says a time of day, as what a Redis node tells its replica, says it
        // relative to the right clock.
        let told = |trace: &[Event<Actor>], start: Start| -> Vec<_> {
            let one = |event: &Event<Actor>| {
                let since = event.at - start.at;
                let frame = Frame { now: event.at, mono: Mono(0), wall: start.wall + since };
                let mut encoder = Encoder::new(frame);
                encoder.put(&event.what);
                (since, event.node, encoder.into_bytes(), event.causes.clone())
            };
            trace.iter().map(one).collect()
        };
        let same = told(&one, Start::default()) == told(&two, later);
        assert!(same, "the traces of {name} differ in more than the start");
    }
}

#[test]
fn another_seed_is_another_run_once_something_is_drawn() {
    let scenario = fencepost::scenario::Scenario::built_in("reconcile").expect("it is built in");
    let jitter = ("network.jitter_ms".to_owned(), "20".to_owned());
    let run = scenario.with(&[jitter]).expect("it can be set").run();
    let other = Run { seed: run.seed + 1, ..run.clone() };
    let trace = |run: &Run| run.to_end().expect("it can be run").past().to_vec();
    assert!(trace(&run) == trace(&run));
    assert!(trace(&run) != trace(&other));
}
