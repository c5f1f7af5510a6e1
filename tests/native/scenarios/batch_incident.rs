//! The batch incident behind a Redis lock without a token, the same clicks after the
//! migration to etcd with tokens; and what a failover does to a counter in Redis.

use crate::shown::{check, check_broken, check_rests_on, shown};
use fencepost::lab::{Lab, Msg, Playing, Speed};
use fencepost::properties::PropertyId::{
    AcknowledgedWriteLost, GrantedToTwo, RightfulHolderRefused, TokenNotRising, TwoBelieve,
    WorkDoneTwice, WrongLockReleased,
};
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::Span;

#[test]
fn a_lock_without_a_token_lets_both_nodes_upload_and_the_first_deletes_the_seconds_lock() {
    let shown = shown("batch-incident");
    check(&shown, "the lock is granted to W1 with 0", &[10_000]);
    // Sixty seconds after the node received it, whatever its holder does.
    check(&shown, "the key of W1 expires", &[60_010_001]);
    check(&shown, "the lock is granted to W2 with 0", &[60_290_000]);
    check(&shown, "PUT 0 is accepted", &[95_050_000, 100_330_000]);
    check(&shown, "W2 holds the lock no more", &[95_070_000]);
    check_rests_on(&shown, "the key of W1 expires", &["click 1 is made"]);
    assert_eq!(shown.booked(), 4_000_000);
    let broken =
        [AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve, TokenNotRising, WrongLockReleased];
    check_broken(&shown, &broken);
}

#[test]
fn after_the_migration_the_same_clicks_are_harmless() {
    let shown = shown("batch-incident.etcd-tokens");
    check(&shown, "click 1 is made", &[10_000_000]);
    check(&shown, "claim 43 is accepted", &[60_566_000]);
    check(&shown, "PUT 42 is refused: 43 was seen", &[95_074_000]);
    check(&shown, "PUT 43 is accepted", &[100_586_000]);
    assert_eq!(shown.booked(), 2_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn neither_a_watchdog_nor_a_release_that_compares_helps_a_node_that_stands_still() {
    let shown = shown("batch-incident.watchdog");
    assert_eq!(shown.booked(), 4_000_000);
    check_broken(&shown, &[AcknowledgedWriteLost, WorkDoneTwice, TwoBelieve, TokenNotRising]);
}

#[test]
fn a_counter_in_redis_helps_as_long_as_the_counter_lives() {
    let counted = shown("batch-incident.counter");
    check(&counted, "PUT 1 is refused: 2 was seen", &[95_050_000]);
    assert_eq!(counted.booked(), 2_000_000);
    check_broken(&counted, &[TwoBelieve]);
    let repeated = shown("redis-failover");
    check(&repeated, "the lock is granted to W1 with 1", &[2_010_000]);
    check(&repeated, "R2 is promoted", &[15_000_000]);
    check(&repeated, "the lock is granted to W2 with 1", &[15_310_000]);
    let broken = [RightfulHolderRefused, TwoBelieve, GrantedToTwo, TokenNotRising];
    check_broken(&repeated, &broken);
}

/// Plays as the page does, until it waits for the reader or the run is over.
fn play(lab: &mut Lab) {
    lab.update(Msg::Play);
    while lab.playing() != Playing::No {
        lab.update(Msg::Tick { elapsed: Span::from_ms(500) });
    }
}

/// Plays the incident on the page at a speed, pausing W1 where it waits; what is booked.
#[track_caller]
fn check_played(speed: Speed, variant: Option<&str>, booked: i64) {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Load { scenario: "batch-incident".to_owned() });
    if let Some(variant) = variant {
        lab.update(Msg::Edit(fencepost::lab::bench::Edit::Variant(Some(variant.to_owned()))));
    }
    lab.update(Msg::SetSpeed(speed));
    play(&mut lab);
    assert_eq!(lab.open().now().0, 10_000_000, "it waits for the reader");
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(55_000) }));
    play(&mut lab);
    assert!(lab.open().is_at_end());
    let facts = fencepost::lab::facts::verdict(lab.open());
    assert_eq!((facts.booked, facts.owed), (booked, 2_000_000), "{speed:?}, {variant:?}");
}

#[test]
fn on_the_page_it_comes_to_its_announced_end_at_every_speed() {
    for speed in Speed::ALL {
        check_played(speed, None, 4_000_000);
        check_played(speed, Some("etcd-tokens"), 2_000_000);
    }
}
