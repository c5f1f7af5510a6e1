//! (h) A slow clock deceives the worker, not the store; a wall clock deceives nobody.

use super::reconcile::check_expiry;
use crate::shown::{Shown, check, check_broken, shown};
use fencepost::actors::Actor;
use fencepost::properties::PropertyId::TwoBelieve;
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::TrueTime;

#[test]
fn a_slow_clock_sees_a_deadline_far_away_that_has_passed() {
    let shown = shown("slow-clock");
    check(&shown, "W1 sends keepalive", &[22_000]);
    check_expiry(&shown, "W1", 30_000_000);
    check(&shown, "the lease of W1 expires", &[30_502_000]);
    check(&shown, "claim 43 is accepted", &[30_566_000]);
    check(&shown, "W1 checks and finds its time not over", &[40_064_000]);
    check(&shown, "PUT 42 is refused: 43 was seen", &[40_074_000]);
    check(&shown, "PUT 43 is accepted", &[58_586_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

/// What happened when and where, but for the click itself.
fn all_but_clicks(shown: &Shown) -> Vec<(TrueTime, NodeId, What<Actor>)> {
    let others = |event: &&Event<Actor>| !matches!(event.what, What::Clicked { .. });
    let told = |event: &Event<Actor>| (event.at, event.node, event.what.clone());
    shown.replay.past().iter().filter(others).map(told).collect()
}

#[test]
fn a_stepped_wall_clock_changes_nothing() {
    let stepped = shown("slow-clock.wall-clock");
    check(&stepped, "click 1 is made", &[1_000_000]);
    check(&stepped, "W1 checks and finds its time not over", &[40_064_000]);
    check(&stepped, "PUT 42 is accepted", &[40_074_000]);
    check_broken(&stepped, &[]);
    let plain = Shown::of(stepped.run.scenario.run_without_clicks());
    assert_eq!(all_but_clicks(&stepped), all_but_clicks(&plain));
}
