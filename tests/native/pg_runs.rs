//! Workers with a lock in PostgreSQL, through the scenario format: recipes, timeouts, lost
//! answers, a server that starts again, releases, a pooler.

use crate::redis_runs::run_of;
use crate::shown::{Shown, check_broken, check_rests_on};
use fencepost::actors::Actor;
use fencepost::properties::PropertyId::{
    GrantedToTwo, NeverFinished, NeverReleased, TokenNotRising, TwoBelieve, WrongLockReleased,
};
use fencepost::sim::event::{Event, What};

pub const TEXT: &str = include_str!("../../static/scenarios/schema-migrations.toml");

/// Migrations with a token from a sequence that the shard checks.
pub fn shown(settings: &[(&str, &str)], clicks: &str) -> Shown {
    let mut all = vec![
        ("variant", "[]"),
        ("store.rule", "owner-and-sequence"),
        ("postgres.token", "sequence"),
    ];
    all.extend(settings);
    Shown::of(run_of(TEXT, &all, clicks))
}

#[test]
fn each_recipe_lets_one_migrate_and_the_next_find_it_done() {
    for recipe in ["advisory", "try-advisory", "advisory-xact", "row-lock", "lock-row"] {
        let shown = shown(&[("lock.recipe", recipe)], "");
        assert_eq!(shown.times("W2 finds the job done").len(), 1, "{recipe}\n{}", shown.told());
        assert_eq!(shown.booked(), 1_000_000, "{recipe}");
        check_broken(&shown, &[]);
    }
}

#[test]
fn a_mere_try_asks_again_and_a_queue_tells_at_once() {
    let granted = |recipe: &str| {
        let shown = shown(&[("lock.recipe", recipe)], "");
        (shown.only("W1 finishes"), shown.only("W2 believes, with 2"))
    };
    let (done, queued) = granted("advisory");
    assert!(queued <= done + 20_000, "{done} {queued}");
    let (done, tried) = granted("try-advisory");
    assert!((done + 20_000..done + 1_000_000).contains(&tried), "{done} {tried}");
}

#[test]
fn a_waiter_with_a_lock_timeout_is_refused_and_asks_anew() {
    let shown = shown(&[("postgres.lock_timeout_ms", "5000")], "");
    let failed = shown.times("a statement of W2 fails with 55P03");
    assert_eq!(failed, [5_130_000, 11_170_000, 17_210_000]);
    check_broken(&shown, &[]);
}

#[test]
fn a_server_that_starts_again_has_no_session_and_its_clients_learn_of_it() {
    let crash = r#"{ at_us = 5_000_000, do.crash = { node = "P1", restart_after_ms = 1_000 } }"#;
    let carries_on = shown(&[], crash);
    assert_eq!(carries_on.times("the server starts again"), [6_000_000]);
    // The number behind those that were written ahead.
    let next = carries_on.only("W2 believes, with 34");
    assert!((6_000_000..7_000_000).contains(&next), "{next}");
    assert_eq!(carries_on.times("PUT 1 is refused: 34 was seen").len(), 1);
    check_broken(&carries_on, &[TwoBelieve]);
    let stops = shown(&[("worker.W1.on_renewal_failure", "stop-work")], crash);
    assert_eq!(stops.times("W1 stops"), [5_010_000]);
    check_broken(&stops, &[]);
    check_rests_on(&carries_on, "W2 believes, with 34", &["the server starts again"]);
    let shut_down = r#"{ at_us = 5_000_000, do.shut-down = { node = "P1" } },
        { at_us = 6_000_000, do.restart = { node = "P1" } }"#;
    let ordered = shown(&[("worker.W1.on_renewal_failure", "stop-work")], shut_down);
    assert_eq!(ordered.times("a session of W1 ends by 57P01"), [5_000_000]);
    // After a fast shutdown no number is left out.
    assert_eq!(ordered.times("W2 believes, with 2").len(), 1, "{}", ordered.told());
}

/// Its locks were in its memory; a row with an end is on its disk.
#[test]
fn with_a_server_that_crashes_for_good_its_locks_end_and_its_rows_do_not() {
    let crashes = r#"{ at_us = 5_000_000, do.crash = { node = "W1" } },
        { at_us = 5_000_001, do.crash = { node = "P1" } }"#;
    for recipe in ["advisory", "advisory-xact", "row-lock"] {
        check_broken(&shown(&[("lock.recipe", recipe)], crashes), &[NeverFinished]);
    }
    // A row whose end is behind the run's.
    let own = [("lock.recipe", "lock-row"), ("lock.ttl_s", "9_999")];
    check_broken(&shown(&own, crashes), &[NeverReleased, NeverFinished]);
}

#[test]
fn a_session_without_its_client_keeps_the_lock_until_a_timeout_ends_it() {
    let cut = r#"{ at_us = 5_000_000, do.cut = { from = "W1", to = "postgres" } },
        { at_us = 6_000_000, do.crash = { node = "W1" } }"#;
    let ended = shown(&[], cut);
    assert_eq!(ended.times("a session of W1 ends by 57P05"), [30_050_000]);
    assert_eq!(ended.times("W2 finishes").len(), 1);
    let kept = shown(&[("postgres.idle_session_ms", "86400000")], cut);
    assert_eq!(kept.times("W2 believes, with 2"), [0_i64; 0], "{}", kept.told());
    check_broken(&kept, &[NeverReleased, NeverFinished]);
}

#[test]
fn a_row_is_renewed_by_its_owner_and_can_be_set_free_by_anybody() {
    let pause = r#"{ at_us = 5_000_000, do.pause = { node = "W1", for_ms = 40_000 } }"#;
    let row = [("lock.recipe", "lock-row"), ("postgres.idle_session_ms", "86400000")];
    let over = shown(&row, pause);
    assert_eq!(over.times("the row of W1 is over"), [30_030_000]);
    assert_eq!(over.times("PUT 1 is refused: 2 was seen").len(), 1, "{}", over.told());
    check_broken(&over, &[TwoBelieve]);
    // It wakes while W2 works, and sets its row free.
    let by_name =
        [&row[..], &[("worker.W1.release", "name-only"), ("worker.W2.compute_ms", "40000")]];
    let by_name = shown(&[&by_name.concat()[..], &[("store.rule", "none")]].concat(), pause);
    let broken = by_name.broken();
    assert!(broken.contains(&WrongLockReleased), "{broken:?}\n{}", by_name.told());
}

#[test]
fn behind_a_pooler_two_have_a_sessions_lock_and_a_transactions_lock_waits_for_a_connection() {
    // Both come through the same session, which has the lock already.
    let pooled = [("postgres.pool", "5"), ("worker.W2.compute_ms", "5000")];
    let shared = shown(&pooled, "");
    let broken = shared.broken();
    assert!(broken.contains(&GrantedToTwo) && !broken.contains(&TokenNotRising), "{broken:?}");
    // One connection for all: W2's transaction cannot begin while W1's is open.
    let one = [("postgres.pool", "1"), ("lock.recipe", "advisory-xact")];
    let waits = shown(&one, "");
    assert_eq!(waits.times("W2 waits at the server"), [0_i64; 0]);
    assert_eq!(waits.times("W2 waits for the pool").len(), 1, "{}", waits.told());
    let served = waits.only("the pool serves W2");
    assert!(served > waits.only("W1 finishes") - 20_000, "{served}");
    check_rests_on(&waits, "the pool serves W2", &["W2 waits for the pool"]);
    check_broken(&waits, &[]);
}

#[test]
fn a_lost_answer_to_the_lock_is_answered_again() {
    let drop = r#"{ at_us = 35_000, do.drop = { message = { from = "P1", to = "W1", kind = "sql-answer", nth = 2 } } }"#;
    let shown = shown(&[("lock.recipe", "try-advisory")], drop);
    assert_eq!(shown.times("the lock is granted to W1 with 0"), [30_000]);
    let believes = shown.only("W1 believes, with 1");
    assert!((2_000_000..2_200_000).contains(&believes), "{believes}");
    check_broken(&shown, &[]);
}

/// TCP would send it again.
#[test]
fn a_lost_answer_to_one_who_waits_is_asked_for_again_in_proportion_to_the_wait() {
    let granted = shown(&[], "").only("the lock is granted to W2 with 0");
    let drop = r#"{ at_us = 10_000_000, do.cut = { from = "P1", to = "W2" } }"#;
    let heal =
        format!("{{ at_us = {}, do.heal = {{ from = \"P1\", to = \"W2\" }} }}", granted + 500_000);
    let shown = shown(&[], &format!("{drop}, {heal}"));
    let believes = shown.only("W2 believes, with 2");
    // It asks after 5 s, and then after 10 and 20.
    assert!((40_100_000..40_200_000).contains(&believes), "{granted} {believes}");
    check_broken(&shown, &[]);
}

#[test]
fn a_server_that_crashes_and_starts_within_a_round_trip_panics_at_nothing() {
    // What its machine sent to the client that was gone comes back to the new process.
    let clicks = r#"{ at_us = 2_995_000, do.crash = { node = "W1" } },
        { at_us = 3_000_000, do.crash = { node = "P1", restart_after_ms = 1 } }"#;
    assert_eq!(shown(&[], clicks).times("W2 finishes").len(), 1);
}

#[test]
fn the_late_end_of_an_old_connection_ends_no_later_one() {
    let clicks = r#"{ at_us = 5_500_000, do.crash = { node = "P1", restart_after_ms = 1 } },
        { at_us = 5_505_000, do.delay = { message = { from = "P1", to = "W2", kind = "fatal", nth = 1 }, by_ms = 36_000 } }"#;
    let own = [("worker.W2.compute_ms", "40_000"), ("worker.W1.on_renewal_failure", "stop-work")];
    let shown = shown(&own, clicks);
    assert_eq!(shown.times("click 2 is made"), [5_505_000]);
    assert!(
        shown.only("W2 believes, with 34") < 20_000_000 && !shown.times("W2 finishes").is_empty()
    );
    check_broken(&shown, &[]);
}

#[test]
fn a_row_that_is_over_rests_on_what_kept_its_owner_from_renewing_or_set_the_servers_clock() {
    let row = [("lock.recipe", "lock-row"), ("lock.ttl_s", "5")];
    for click in [
        r#"do.cut = { from = "W1", to = "postgres" }"#,
        r#"do.heartbeat = { node = "W1", is = "blocked" }"#,
        r#"do.step-wall = { node = "P1", by_ms = 60_000 }"#,
        r#"do.set-rate = { node = "P1", rate_ppm = 10_000_000 }"#,
    ] {
        let shown = shown(&row, &format!("{{ at_us = 1_000_000, {click} }}"));
        check_rests_on(&shown, "the row of W1 is over", &["click 1 is made"]);
    }
}

/// Also one that was set long before the row was taken.
#[test]
fn a_row_that_is_taken_too_early_rests_on_what_set_a_clients_clock() {
    let row = [("lock.recipe", "lock-row"), ("lock.ttl_s", "30"), ("postgres.clock", "client")];
    for set in [
        r#"do.step-wall = { node = "W2", by_ms = 60_000 }"#,
        r#"do.step-wall = { node = "W1", by_ms = -60_000 }"#,
        r#"do.set-rate = { node = "W2", rate_ppm = 100_000_000 }"#,
    ] {
        let shown = shown(&row, &format!("{{ at_us = 1_000, {set} }}"));
        assert!(shown.broken().contains(&GrantedToTwo), "{set}\n{}", shown.told());
        check_rests_on(&shown, "W2 believes, with 2", &["click 1 is made"]);
    }
}

#[test]
fn a_row_of_a_client_whose_clock_is_ahead_keeps_others_from_it_after_its_time() {
    let ahead = [
        ("lock.recipe", "lock-row"),
        ("lock.ttl_s", "5"),
        ("postgres.clock", "client"),
        ("worker.W1.wall_ahead_ms", "600_000"),
        ("limit_ms", "120_000"),
    ];
    let crash = r#"{ at_us = 3_000_000, do.crash = { node = "W1" } }"#;
    let shown = shown(&ahead, crash);
    assert_eq!(shown.times("the row of W1 is over"), [0_i64; 0]);
    check_broken(&shown, &[NeverReleased, NeverFinished]);
}

/// P1 is cut off from its standby and from the second migrator, and runs on.
pub const CUT_OFF: &str = r#"{ at_us = 3_000_000, do.cut = { from = "P1", to = "P2" } },
    { at_us = 3_000_000, do.cut = { from = "P1", to = "W2" } },
    { at_us = 4_000_000, do.promote = { node = "P2" } }"#;

#[test]
fn a_primary_that_nobody_has_ended_and_a_promoted_standby_have_a_lock_each() {
    let more = [("postgres.standbys", "1"), ("worker.W2.starts_ms", "5_000")];
    let advisory = shown(&more, CUT_OFF);
    assert_eq!(advisory.times("the lock is granted to W1 with 0").len(), 1);
    assert_eq!(advisory.times("W2 believes, with 34").len(), 1, "{}", advisory.told());
    check_broken(&advisory, &[TwoBelieve, GrantedToTwo]);
}

#[test]
fn where_a_promoted_standby_has_the_row_the_next_waits_for_its_end() {
    let row = [("lock.recipe", "lock-row"), ("postgres.standbys", "1")];
    let row = shown(&[&row[..], &[("worker.W2.starts_ms", "5_000")]].concat(), CUT_OFF);
    let at = row.only("W2 believes, with 2");
    assert!(at > 12_000_000, "{at}\n{}", row.told());
    check_broken(&row, &[]);
}

#[test]
fn a_promoted_standby_says_that_it_has_no_sessions_where_the_lock_is_one_s() {
    let promoted = r#"{ at_us = 1_000_000, do.crash = { node = "P1" } },
        { at_us = 2_000_000, do.promote = { node = "P2" } }"#;
    for (recipe, times) in [("advisory", 1), ("row-lock", 1), ("lock-row", 0)] {
        let standby = [("postgres.standbys", "1"), ("worker.W1.starts_ms", "4_000")];
        let settings = [&standby[..], &[("lock.recipe", recipe)]].concat();
        let shown = shown(&settings, promoted);
        let says = shown.times("the standby has no session and no lock");
        assert_eq!(says.len(), times, "{recipe}\n{}", shown.told());
    }
}

#[test]
fn a_row_is_promised_for_its_time_whether_there_is_a_standby_or_not() {
    let restarts =
        r#"{ at_us = 3_000_000, do.crash = { node = "P1", restart_after_ms = 17_000 } }"#;
    for standbys in ["0", "1"] {
        let settings = [
            ("lock.recipe", "lock-row"),
            ("lock.ttl_s", "5"),
            ("postgres.standbys", standbys),
            ("worker.W1.compute_ms", "100_000"),
            ("worker.W1.on_renewal_failure", "carry-on"),
            ("worker.W2.starts_ms", "30_000"),
        ];
        check_broken(&shown(&settings, restarts), &[TwoBelieve]);
    }
}

/// P1 crashes, and its standby takes its place.
const FAILS_OVER: &str = r#"{ at_us = 9_000_000, do.crash = { node = "P1" } },
    { at_us = 12_000_000, do.promote = { node = "P2" } }"#;

#[test]
fn what_is_lost_on_the_way_to_a_standby_is_sent_again() {
    // The record of W1's number is lost, or cannot be sent for a while.
    for lost in [
        r#"{ at_us = 50_500, do.drop = { message = { from = "P1", to = "P2", kind = "wal", nth = 2 } } },"#,
        r#"{ at_us = 20_000, do.cut = { from = "P1", to = "P2", for_ms = 2_000 } },"#,
        r#"{ at_us = 20_000, do.cut = { from = "P2", to = "P1", for_ms = 2_000 } },"#,
        r#"{ at_us = 20_000, do.pause = { node = "P2", for_ms = 2_000 } },"#,
        r#"{ at_us = 20_000, do.crash = { node = "P2", restart_after_ms = 2_000 } },"#,
        "",
    ] {
        let shown = shown(&[("postgres.standbys", "1")], &format!("{lost} {FAILS_OVER}"));
        assert!(lost.is_empty() || !shown.times("click 1 is made").is_empty(), "{lost}");
        assert_eq!(shown.times("W1 believes, with 1").len(), 1, "{lost}\n{}", shown.told());
        assert_eq!(shown.times("W2 believes, with 34").len(), 1, "{lost}\n{}", shown.told());
    }
}

/// How many times the primary has sent what it writes ahead, up to a second and after it.
fn wal_sent(shown: &Shown, until_s: i64) -> (usize, usize) {
    let is_wal = |event: &&Event<Actor>| matches!(&event.what, What::Sent { message, .. } if message.kind == "wal");
    let (before, after): (Vec<_>, Vec<_>) = shown
        .replay
        .past()
        .iter()
        .filter(is_wal)
        .partition(|event| event.at.0 <= until_s * 1_000_000);
    (before.len(), after.len())
}

/// The one way between P1 and its standby is cut from the start on.
fn cut_one_way(
    (from, to): (&str, &str),
    lasts: &str,
    settings: &[(&str, &str)],
    clicks: &str,
) -> Shown {
    let cut = format!(
        r#"{{ at_us = 20_000, do.cut = {{ from = "{from}", to = "{to}", way = "one"{lasts} }} }}"#
    );
    let standby = [("postgres.standbys", "1"), ("limit_ms", "2_000_000")];
    shown(&[&standby[..], settings].concat(), &format!("{cut}, {clicks}"))
}

#[test]
fn a_standby_that_is_cut_off_one_way_is_sent_no_more_than_its_connection_lives_through() {
    let settings = [("worker.W1.compute_ms", "200_000"), ("worker.W2.starts_ms", "300_000")];
    // The last asks again and again, and nobody hears it.
    let starts = r#"{ at_us = 30_000, do.crash = { node = "P2", restart_after_ms = 1_000 } }"#;
    for (from, to, more) in [("P1", "P2", ""), ("P2", "P1", ""), ("P2", "P1", starts)] {
        let shown = cut_one_way((from, to), "", &settings, more);
        let end = shown.replay.now();
        assert!(end.0 < 600_000_000, "{from} {to} {more}: the run ends at {end:?}");
        let (before, after) = wal_sent(&shown, 61);
        assert!((1..12).contains(&before), "{from} {to} {more}: {before} times");
        assert_eq!(after, 0, "{from} {to} {more}");
    }
}

#[test]
fn a_standby_whose_connection_was_ended_has_all_once_it_is_heard_again() {
    let lost = r#"{ at_us = 100_021_000, do.drop = { message = { from = "P2", to = "P1", kind = "start-replication", nth = 2 } } },"#;
    let fails_over = r#"{ at_us = 120_000_000, do.crash = { node = "P1" } },
        { at_us = 122_000_000, do.promote = { node = "P2" } }"#;
    // W1 draws its number at 80 s.
    let settings = [
        ("worker.W1.starts_ms", "80_000"),
        ("worker.W2.starts_ms", "125_000"),
        ("worker.W1.compute_ms", "30_000"),
    ];
    // The question for it is lost too.
    for (from, to, lost) in [("P1", "P2", ""), ("P2", "P1", ""), ("P1", "P2", lost)] {
        let clicks = format!("{lost} {fails_over}");
        let shown = cut_one_way((from, to), ", for_ms = 100_000", &settings, &clicks);
        assert_eq!(shown.times("W1 believes, with 1").len(), 1, "{}", shown.told());
        assert_eq!(shown.times("W2 believes, with 34").len(), 1, "{from}\n{}", shown.told());
    }
}

/// Either server hears the other all the time.
#[test]
fn a_standby_that_was_given_up_asks_for_what_it_has_missed_by_itself() {
    let drop = |nth: i64, at_us: i64| {
        format!(
            r#"{{ at_us = {at_us}, do.drop = {{ message = {{ from = "P1", to = "P2", kind = "wal", nth = {nth} }} }} }}"#
        )
    };
    // The record of W1's number, and all tries.
    let tries = (2..).zip([0, 1, 3, 7, 15, 31]);
    let lost: Vec<String> = tries.map(|(nth, s)| drop(nth, s * 1_000_000 + 50_500)).collect();
    let fails_over = r#"{ at_us = 70_000_000, do.crash = { node = "P1" } },
        { at_us = 72_000_000, do.promote = { node = "P2" } }"#;
    let settings = [
        ("postgres.standbys", "1"),
        ("postgres.idle_session_ms", "86400000"),
        ("worker.W1.compute_ms", "100_000"),
        ("worker.W2.starts_ms", "75_000"),
        ("limit_ms", "400_000"),
    ];
    let shown = shown(&settings, &format!("{}, {fails_over}", lost.join(", ")));
    assert_eq!(shown.times("click 6 is made"), [31_050_500], "{}", shown.told());
    assert_eq!(shown.times("W2 believes, with 34").len(), 1, "{}", shown.told());
}

#[test]
fn nothing_is_sent_on_to_one_that_is_promoted_or_not_there() {
    for gone in [
        r#"{ at_us = 20_000, do.promote = { node = "P2" } }"#,
        r#"{ at_us = 20_000, do.crash = { node = "P2" } }"#,
        r#"{ at_us = 20_000, do.cut = { from = "P2", to = "P1" } }"#,
        r#"{ at_us = 20_000, do.cut = { from = "P1", to = "P2" } }"#,
    ] {
        let shown = shown(&[("postgres.standbys", "1")], gone);
        let end = shown.replay.now();
        assert!(end.0 < 60_000_000, "{gone}: the run ends at {end:?}");
    }
}

#[test]
fn a_standby_has_a_sequence_as_far_as_it_was_written_ahead_whatever_its_primary_knows_again() {
    // Shut down in order P1 goes on with 2; what it wrote ahead is with its standby all the same.
    let clicks = format!(
        r#"{{ at_us = 3_000_000, do.shut-down = {{ node = "P1" }} }},
           {{ at_us = 4_000_000, do.restart = {{ node = "P1" }} }}, {FAILS_OVER}"#
    );
    let settings = [("postgres.standbys", "1"), ("worker.W2.starts_ms", "13_000")];
    let shown = shown(&settings, &clicks);
    assert_eq!(shown.times("W1 believes, with 1").len(), 1);
    assert_eq!(shown.times("W2 believes, with 34").len(), 1, "{}", shown.told());
}

#[test]
fn after_an_orderly_shutdown_a_sequence_goes_on_with_the_next_number_and_after_a_crash_behind() {
    let at = |clicks: &str| {
        let shown = shown(&[("worker.W2.starts_ms", "6_000")], clicks);
        let with = |token: i64| shown.times(&format!("W2 believes, with {token}")).len();
        [2, 34, 35].into_iter().find(|token| with(*token) > 0)
    };
    let shut_down = r#"{ at_us = 3_000_000, do.shut-down = { node = "P1" } },
        { at_us = 4_000_000, do.restart = { node = "P1" } }"#;
    let crash = r#"{ at_us = 3_000_000, do.crash = { node = "P1", restart_after_ms = 1_000 } }"#;
    let late = r#"{ at_us = 5_000_000, do.crash = { node = "P1", restart_after_ms = 500 } }"#;
    assert_eq!(at(shut_down), Some(2));
    assert_eq!(at(crash), Some(34));
    // Nothing was drawn since the checkpoint that the shutdown made.
    assert_eq!(at(&format!("{shut_down}, {late}")), Some(2));
}

#[test]
fn a_primary_refuses_to_be_promoted() {
    let clicks = r#"{ at_us = 3_000_000, do.promote = { node = "P1" } },
        { at_us = 4_000_000, do.promote = { node = "P2" } },
        { at_us = 5_000_000, do.promote = { node = "P2" } }"#;
    let shown = shown(&[("postgres.standbys", "1")], clicks);
    assert_eq!(shown.times("it is a primary already"), [3_000_000, 5_000_000]);
    assert_eq!(shown.times("the standby has no session and no lock"), [4_000_000]);
}

#[test]
fn that_a_promoted_standby_gives_a_lock_again_rests_on_whose_session_had_it() {
    let shown = shown(&[("postgres.standbys", "1")], FAILS_OVER);
    let none = "the standby has no session and no lock";
    assert_eq!(shown.times(none), [12_000_000]);
    check_rests_on(&shown, none, &["the lock is granted to W1 with 0"]);
    check_rests_on(&shown, "the lock is granted to W2 with 0", &[none]);
}
