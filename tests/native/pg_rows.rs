//! A lock that is a row with an end, through the scenario format: whose clock says when it is
//! over. By the database's own clock that is the server's wall clock; else it is the clients',
//! and no clock of the server's has a say.

use crate::pg_runs::shown;
use crate::shown::{Shown, check_broken, check_rests_on};
use fencepost::properties::PropertyId::{GrantedToTwo, NeverFinished, NeverReleased, TwoBelieve};

/// A row of 15 s, by this clock.
fn row(clock: &str, more: &[(&str, &str)], clicks: &str) -> Shown {
    let row = [("lock.recipe", "lock-row"), ("lock.ttl_s", "15"), ("postgres.clock", clock)];
    let idle = [("postgres.idle_session_ms", "86400000")];
    shown(&[&row[..], &idle, more].concat(), clicks)
}

const PAUSE: &str = r#"{ at_us = 11_000_000, do.pause = { node = "W1", for_ms = 40_000 } }"#;

#[test]
fn a_step_of_the_databases_clock_takes_a_row_from_its_holder_or_keeps_it_from_all_others() {
    let step = |ms: i64| {
        format!(r#"{{ at_us = 5_000_000, do.step-wall = {{ node = "P1", by_ms = {ms} }} }}"#)
    };
    let ahead = row("database", &[], &step(60_000));
    assert_eq!(ahead.times("the row of W1 is over"), [5_000_000], "{}", ahead.told());
    let next = ahead.only("W2 believes, with 2");
    assert!((5_000_000..6_100_000).contains(&next), "{next}");
    check_broken(&ahead, &[TwoBelieve]);
    check_rests_on(&ahead, "W2 believes, with 2", &["click 1 is made"]);
    let crash = r#"{ at_us = 4_900_000, do.crash = { node = "W1" } }"#;
    let in_time = row("database", &[], crash).only("W2 believes, with 2");
    let back = row("database", &[], &format!("{crash}, {}", step(-60_000)));
    let next = back.only("W2 believes, with 2");
    assert!((59_000_000..61_100_000).contains(&(next - in_time)), "{in_time} {next}");
}

/// What is done to the server's clocks.
const SERVERS: [&str; 4] = [
    r#"do.step-wall = { node = "P1", by_ms = 60_000 }"#,
    r#"do.step-wall = { node = "P1", by_ms = -60_000 }"#,
    r#"do.set-rate = { node = "P1", rate_ppm = 4_000_000 }"#,
    r#"do.set-rate = { node = "P1", rate_ppm = 100_000 }"#,
];

#[test]
fn where_the_clients_clocks_decide_none_of_the_servers_hides_or_makes_a_verdict() {
    let ahead = r#"{ at_us = 11_000_000, do.step-wall = { node = "W2", by_ms = 60_000 } }"#;
    let plain = [ahead, PAUSE].map(|clicks| row("client", &[], clicks));
    let taken = plain.each_ref().map(|shown| shown.only("W2 believes, with 2"));
    assert!(taken[0] < 12_100_000 && taken[1] > 20_000_000, "{taken:?}");
    for of_server in SERVERS {
        for at_us in [5_000_000, 11_200_000] {
            let also = |clicks: &str| {
                row("client", &[], &format!("{{ at_us = {at_us}, {of_server} }}, {clicks}"))
            };
            let [early, in_time] = [ahead, PAUSE].map(also);
            assert_eq!(early.only("W2 believes, with 2"), taken[0], "{of_server}");
            check_broken(&early, &[TwoBelieve, GrantedToTwo]);
            assert_eq!(in_time.only("W2 believes, with 2"), taken[1], "{of_server}");
            check_broken(&in_time, &[TwoBelieve]);
        }
    }
}

/// The time in the row counts from when it was read: a statement that is long on its way is
/// promised for less, so that who takes the row in time has not taken it early.
#[test]
fn a_row_by_the_clients_clocks_is_promised_from_when_its_holder_wrote_its_time() {
    let held = r#"{ at_us = 25_000, do.hold = { message = { from = "W1", to = "P1", kind = "take-row", nth = 1 }, for_ms = 1_500 } }, { at_us = 3_000_000, do.crash = { node = "W1" } }"#;
    let own = [("worker.W2.starts_ms", "3_000"), ("postgres.standbys", "0")];
    let right = row("client", &own, held);
    let next = right.only("W2 believes, with 2");
    assert!((15_020_000..16_500_000).contains(&next), "{next}");
    check_broken(&right, &[NeverFinished]);
    let fast = r#"{ at_us = 14_000_000, do.step-wall = { node = "W2", by_ms = 1_500 } }"#;
    check_broken(&row("client", &own, &format!("{held}, {fast}")), &[GrantedToTwo, NeverFinished]);
}

/// The server does not know, so nobody is told before another takes it.
#[test]
fn of_a_row_by_the_clients_clocks_it_is_said_whether_it_was_over_when_another_took_it() {
    let over = row("client", &[], PAUSE);
    assert_eq!(over.times("the row of W1 is over"), [0_i64; 0]);
    let said = |shown: &Shown, words: &str| {
        let sentences = shown.replay.past().iter();
        let who = fencepost::text::Who::of(shown.run.scenario.names(), shown.replay.past());
        sentences.filter(|event| fencepost::text::en::event(event, &who).ends_with(words)).count()
    };
    assert_eq!(said(&over, "its row was over, and W2 took it"), 1, "{}", over.told());
    check_rests_on(&over, "W2 believes, with 2", &["click 1 is made"]);
    let ahead = r#"{ at_us = 11_000_000, do.step-wall = { node = "W2", by_ms = 60_000 } }"#;
    let early = row("client", &[], ahead);
    assert_eq!(said(&early, "W2 took its row before its time was over"), 1, "{}", early.told());
    let alone = [("worker.W2.starts_ms", "100_000"), ("limit_ms", "90_000")];
    let crash = r#"{ at_us = 4_900_000, do.crash = { node = "W1" } }"#;
    assert!(row("client", &alone, crash).broken().contains(&NeverReleased), "nobody took it");
}
