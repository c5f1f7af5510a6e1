//! A lock that is a row with an end, through the scenario format: whose clock says when it is
//! over. By the database's own clock that is the server's wall clock; else it is the clients',
//! and no clock of the server's has a say.

use crate::pg_runs::{CUT_OFF, shown};
use crate::shown::{Shown, check_broken, check_rests_on};
use fencepost::properties::PropertyId::{
    self, GrantedToTwo, NeverFinished, NeverReleased, TwoBelieve,
};

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

/// W1's statement that takes the row is 1.5 s on its way.
const HELD: &str = r#"{ at_us = 25_000, do.hold = { message = { from = "W1", to = "P1", kind = "take-row", nth = 1 }, for_ms = 1_500 } }"#;

/// W2's clock is ahead by that.
const FAST: &str = r#"{ at_us = 14_000_000, do.step-wall = { node = "W2", by_ms = 1_500 } }"#;

/// Its holder ends, or stands still and believes.
const HOLDER_IS_GONE: [(&str, &[PropertyId]); 2] = [
    (r#"{ at_us = 3_000_000, do.crash = { node = "W1" } }"#, &[NeverFinished]),
    (r#"{ at_us = 3_000_000, do.pause = { node = "W1", for_ms = 90_000 } }"#, &[TwoBelieve]),
];

/// The same, and the row was promised to two.
fn and_granted_to_two(broken: &[PropertyId]) -> Vec<PropertyId> {
    PropertyId::ALL.into_iter().filter(|id| *id == GrantedToTwo || broken.contains(id)).collect()
}

/// The time in the row counts from when it was read: a statement that is long on its way is
/// promised for less, so that who takes the row in time has not taken it early.
#[test]
fn a_row_by_the_clients_clocks_is_promised_from_when_its_holder_wrote_its_time() {
    for standbys in ["0", "1"] {
        let own = [("worker.W2.starts_ms", "3_000"), ("postgres.standbys", standbys)];
        for (gone, broken) in HOLDER_IS_GONE {
            let right = row("client", &own, &format!("{HELD}, {gone}"));
            let next = right.only("W2 believes, with 2");
            assert!((15_020_000..16_500_000).contains(&next), "{standbys} {next}");
            check_broken(&right, broken);
            let early = row("client", &own, &format!("{HELD}, {gone}, {FAST}"));
            check_broken(&early, &and_granted_to_two(broken));
        }
    }
}

/// The standby's clocks are right, or plainly wrong.
const STANDBYS_CLOCK: [&str; 5] = [
    "",
    r#", { at_us = 1_000, do.step-wall = { node = "P2", by_ms = 60_000 } }"#,
    r#", { at_us = 1_000, do.step-wall = { node = "P2", by_ms = -60_000 } }"#,
    r#", { at_us = 1_000, do.set-rate = { node = "P2", rate_ppm = 4_000_000 } }"#,
    r#", { at_us = 1_000, do.set-rate = { node = "P2", rate_ppm = 100_000 } }"#,
];

/// A row with a standby, whatever that one's clocks say: when W2 had it first, and what is broken
/// of what its time decides. A row that is lost gives its token again, which breaks more.
#[track_caller]
fn check_whatever_its_clock(
    (starts_ms, clicks): (&str, &str),
    had: std::ops::Range<i64>,
    broken: &[PropertyId],
) {
    let own = [("worker.W2.starts_ms", starts_ms), ("postgres.standbys", "1")];
    for clock in STANDBYS_CLOCK {
        let shown = row("client", &own, &format!("{clicks}{clock}"));
        let believes = ["W2 believes, with 1", "W2 believes, with 2"].map(|it| shown.times(it));
        let next = believes.concat()[0];
        assert!(had.contains(&next), "{clock} {next}\n{}", shown.told());
        let of_time = [TwoBelieve, GrantedToTwo, NeverFinished];
        let its: Vec<_> = shown.broken().into_iter().filter(|id| of_time.contains(id)).collect();
        assert_eq!(its, broken, "{clock}\n{}", shown.told());
    }
}

/// The primary ends, and its standby takes its place.
const FAILS_OVER: &str = r#"{ at_us = 4_000_000, do.crash = { node = "P1" } },
    { at_us = 6_000_000, do.promote = { node = "P2" } }"#;

#[test]
fn after_a_promotion_a_row_by_the_clients_clocks_is_judged_by_true_time_as_before() {
    for (gone, broken) in HOLDER_IS_GONE {
        let clicks = format!("{HELD}, {gone}, {FAILS_OVER}");
        check_whatever_its_clock(("3_000", &clicks), 15_020_000..16_500_000, broken);
        let early = format!("{clicks}, {FAST}");
        let two = and_granted_to_two(broken);
        check_whatever_its_clock(("3_000", &early), 13_500_000..15_020_000, &two);
    }
}

#[test]
fn a_row_or_a_renewal_that_a_failover_loses_was_promised_to_its_holder_by_true_time() {
    let paused = r#"{ at_us = 3_000_000, do.pause = { node = "W1", for_ms = 90_000 } }"#;
    let cut =
        |at_us: i64| format!(r#"{{ at_us = {at_us}, do.cut = {{ from = "P1", to = "P2" }} }}"#);
    let no_row = format!("{}, {paused}, {FAILS_OVER}", cut(20_000));
    let two = [TwoBelieve, GrantedToTwo];
    check_whatever_its_clock(("3_000", &no_row), 6_000_000..9_000_000, &two);
    // Its time was over when it was lost.
    check_whatever_its_clock(("16_000", &no_row), 16_000_000..19_000_000, &[TwoBelieve]);
    // Renewed after 5 s and after 10 s, of which the standby knows the first.
    let later = r#"{ at_us = 11_000_000, do.pause = { node = "W1", for_ms = 90_000 } },
        { at_us = 12_000_000, do.crash = { node = "P1" } },
        { at_us = 13_000_000, do.promote = { node = "P2" } }"#;
    let no_renewal = format!("{}, {later}", cut(7_000_000));
    check_whatever_its_clock(("3_000", &no_renewal), 20_000_000..21_500_000, &two);
    check_whatever_its_clock(("3_000", later), 25_000_000..26_500_000, &[TwoBelieve]);
}

/// W2 had taken it in time, which the standby does not know either.
#[test]
fn a_row_that_was_over_and_is_a_promoted_standbys_again_is_promised_to_nobody() {
    let clicks = r#"{ at_us = 3_000_000, do.pause = { node = "W1", for_ms = 90_000 } },
        { at_us = 10_000_000, do.cut = { from = "P1", to = "P2" } },
        { at_us = 17_500_000, do.crash = { node = "W2", restart_after_ms = 4_000 } },
        { at_us = 18_000_000, do.crash = { node = "P1" } },
        { at_us = 20_000_000, do.promote = { node = "P2" } }"#;
    check_whatever_its_clock(("3_000", clicks), 15_000_000..17_500_000, &[TwoBelieve]);
}

/// The old primary runs on, and has the row still when it is over.
#[test]
fn a_row_that_is_over_binds_nobody_though_an_old_primary_has_it() {
    let paused = r#"{ at_us = 3_000_000, do.pause = { node = "W1", for_ms = 90_000 } }"#;
    let clicks = format!("{paused}, {CUT_OFF}");
    check_whatever_its_clock(("3_000", &clicks), 15_000_000..16_500_000, &[TwoBelieve]);
    let two = [TwoBelieve, GrantedToTwo];
    check_whatever_its_clock(("3_000", &format!("{clicks}, {FAST}")), 13_500_000..15_000_000, &two);
    // The standby has never had it.
    let no_row =
        format!(r#"{{ at_us = 20_000, do.cut = {{ from = "P1", to = "P2" }} }}, {clicks}"#);
    check_whatever_its_clock(("16_000", &no_row), 16_000_000..19_000_000, &[TwoBelieve]);
    check_whatever_its_clock(("5_000", &no_row), 5_000_000..8_000_000, &two);
}

/// Who had it is nobody whom the promoted server knows.
#[test]
fn that_a_promoted_standbys_row_is_taken_early_rests_on_what_set_its_holders_clock() {
    let own = [("worker.W2.starts_ms", "3_000"), ("postgres.standbys", "1")];
    let behind = r#"{ at_us = 1_000, do.step-wall = { node = "W1", by_ms = -6_000 } }"#;
    let gone = HOLDER_IS_GONE[0].0;
    let early = row("client", &own, &format!("{behind}, {gone}, {FAILS_OVER}"));
    check_broken(&early, &[GrantedToTwo, NeverFinished]);
    check_rests_on(&early, "W2 believes, with 2", &["click 1 is made"]);
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
