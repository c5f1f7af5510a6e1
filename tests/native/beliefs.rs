//! A process changes only by what it is given, and a belief only by what its process
//! can know.

use crate::interventions::random_run;
use fencepost::actors::Actor;
use fencepost::actors::worker::config::Step;
use fencepost::properties::Judge;
use fencepost::scenario::{Run, Scenario, library};
use fencepost::sim::click::Action;
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::replay::Moment;
use fencepost::sim::world::Status;

/// How an event bears on the process of its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bearing {
    /// The process was given something: a message, an own timer, own work done, a message
    /// that came back, a setting; or it crashed or ended itself.
    Given,
    /// It started, or hears a peer or hears it no more: it knows more, and nothing of
    /// its lock.
    Told,
    /// Nothing.
    None,
}

fn bearing(what: &What<Actor>) -> Bearing {
    match what {
        What::Delivered { .. }
        | What::TimerFired { .. }
        | What::WorkDone
        | What::Returned { .. }
        | What::Crashed
        | What::Exited
        | What::Clicked { action: Action::Set { .. }, .. } => Bearing::Given,
        What::Started | What::Hears { .. } => Bearing::Told,
        _ => Bearing::None,
    }
}

/// What a worker believes and knows of its session.
fn beliefs(actor: &Actor) -> Option<String> {
    match actor {
        Actor::Worker(worker) => Some(format!("{:?} {:?}", worker.belief(), worker.session())),
        _ => None,
    }
}

/// Steps through a run; gives back how often a belief changed.
#[track_caller]
fn check(told: &str, run: &Run) -> u32 {
    let mut moment = Moment::new(run.world().expect("the run is right"), Judge::new());
    let limit = run.scenario.limit();
    let ids: Vec<NodeId> = run.scenario.names().ids().collect();
    let mut changes = 0;
    while !moment.world.is_over() && moment.world.next_due().is_some_and(|due| due <= limit) {
        let before: Vec<_> = ids.iter().map(|id| moment.world.node(*id).clone()).collect();
        let mut events = Vec::new();
        moment.step(&mut |event: Event<Actor>| events.push(event));
        for (id, before) in ids.iter().zip(&before) {
            let after = moment.world.node(*id);
            let on_it: Vec<Bearing> =
                events.iter().filter(|e| e.node == *id).map(|e| bearing(&e.what)).collect();
            if before.process != after.process {
                let reached = on_it.iter().any(|bearing| *bearing != Bearing::None);
                assert!(reached, "{id:?} changes by itself: {told} {events:?}");
            }
            if beliefs(&before.process) != beliefs(&after.process) {
                changes += 1;
                let given = on_it.contains(&Bearing::Given);
                assert!(given, "{id:?} changes its belief by itself: {told} {events:?}");
                let slept = matches!(before.status, Status::Paused | Status::Suspended { .. });
                let ended = events.iter().any(|event| event.what == What::Crashed);
                assert!(!slept || ended, "{id:?} believes anew in its sleep: {told} {events:?}");
            }
        }
    }
    changes
}

#[test]
fn in_every_scenario_beliefs_change_only_by_what_their_process_was_given() {
    for (name, run) in library::runs().expect("built-in scenarios are right") {
        let changes = check(&name, &run);
        let mut workers = run.scenario.spec().workers.iter();
        if workers.any(|worker| worker.program.contains(&Step::Acquire)) {
            assert!(changes > 1, "in {name} something is believed");
        } else {
            assert_eq!(changes, 0, "in {name} nobody takes a lock, and nothing is believed");
        }
    }
}

#[test]
fn whatever_is_clicked_beliefs_change_only_by_what_their_process_was_given() {
    let scenario = Scenario::built_in("reconcile").expect("it is built in");
    for seed in 0..200 {
        check(&format!("seed {seed}"), &random_run(&scenario, seed));
    }
}
