//! Back then forward is the identity.

use crate::interventions::random_run;
use crate::lots::Lots;
use fencepost::actors::Actor;
use fencepost::properties::Judge;
use fencepost::scenario::clicks::{ClickSpec, Do};
use fencepost::scenario::{Run, Scenario, library};
use fencepost::sim::replay::Replay;
use fencepost::sim::time::TrueTime;

/// Seeks in each run.
const SEEKS: u32 = 12;

/// Where one goes.
#[derive(Clone, Copy, Debug)]
enum To {
    Time(TrueTime),
    Events(u32),
}

fn go(replay: &mut Replay<Actor, Judge>, to: To) {
    match to {
        To::Time(time) => replay.seek(time),
        To::Events(events) => replay.seek_events(events),
    }
}

/// That a replay that was here and there is at the same moment as a fresh one.
#[track_caller]
fn check_as_fresh(told: &str, run: &Run, replay: &Replay<Actor, Judge>, to: To) {
    let mut fresh = run.replay().expect("the clicks of the run are right");
    go(&mut fresh, to);
    assert_eq!(replay.now(), fresh.now(), "{told}");
    assert!(replay.moment().state() == fresh.moment().state(), "states differ: {told}");
    assert!(replay.past() == fresh.past(), "pasts differ: {told}");
}

/// Goes to and fro at random, by time and by events.
#[track_caller]
fn check_seeks(name: &str, run: &Run, seed: u64) {
    let mut lots = Lots::new(seed);
    let mut replay = run.to_end().expect("the clicks of the run are right");
    let (events, end) = (replay.past().len() as u64, replay.now());
    for _ in 0..SEEKS {
        let to = match lots.below(3) {
            0 => To::Events(lots.below(events + 1) as u32),
            // The moment of an event and its surroundings.
            1 => {
                let event = &replay.trace()[lots.below(events) as usize];
                To::Time(TrueTime((event.at.0 + lots.below(3) as i64 - 1).max(0)))
            }
            _ => To::Time(TrueTime(lots.below(end.0 as u64 + 1) as i64)),
        };
        go(&mut replay, to);
        check_as_fresh(&format!("{name}, seed {seed}, {to:?}"), run, &replay, to);
    }
}

#[test]
fn any_moment_of_any_scenario_is_as_it_was_however_one_gets_there() {
    for (place, (name, run)) in (0..).zip(library::runs().expect("built-in scenarios are right")) {
        check_seeks(&name, &run, place);
    }
}

#[test]
fn any_moment_of_random_runs_is_as_it_was_however_one_gets_there() {
    let scenario = Scenario::built_in("reconcile").expect("it is built in");
    for seed in 0..40 {
        check_seeks("reconcile", &random_run(&scenario, seed), seed);
    }
}

#[test]
fn the_moment_of_an_event_is_reached_from_later_too_when_nothing_happened_since() {
    let run = Scenario::built_in("reconcile").expect("it is built in").run();
    let mut replay = run.replay().expect("its clicks are right");
    replay.seek(TrueTime(40_000_000));
    let events = replay.past().len() as u32;
    assert!(replay.past()[events as usize - 1].at < replay.now());
    replay.seek_events(events);
    check_as_fresh("the last event before 40 s", &run, &replay, To::Events(events));
}

#[test]
fn a_click_made_in_the_past_leaves_the_past_as_it_was() {
    for (place, (name, run)) in (0..).zip(library::runs().expect("built-in scenarios are right")) {
        let mut lots = Lots::new(1_000 + place);
        let mut replay = run.to_end().expect("the clicks of the run are right");
        let whole = replay.trace().to_vec();
        let at = TrueTime(lots.below(replay.now().0 as u64) as i64);
        let told = format!("{name}, click at {at:?}");
        replay.seek(at);
        // Where the data is kept in etcd there is no store.
        let node = run.scenario.names().find("store").map_or("M1", |_| "store").to_owned();
        let click =
            ClickSpec { at_us: at.0, r#do: Do::Crash { node, restart_after_ms: Some(5_000) } };
        let index = run.clicks.len() as u32;
        let actions = click.actions(run.scenario.names()).expect("there is such a machine");
        let mut second = replay.with_clicks(index, &actions);
        assert!(second.past() == replay.past(), "{told}");
        assert_eq!(second.trace().len(), second.past().len(), "{told}");
        // The first run is as it was, its future too.
        assert!(replay.trace() == whole, "{told}");

        let mut clicks = run.clicks.clone();
        clicks.push(click);
        let with_click = Run { clicks, ..run.clone() };
        second.seek(at);
        check_as_fresh(&told, &with_click, &second, To::Time(at));
        second.run_to_end(run.scenario.limit());
        let fresh = with_click.to_end().expect("its clicks are right");
        assert!(second.past() == fresh.past(), "{told}");
        assert!(second.past() != whole, "{told} changes what comes after it");
    }
}
