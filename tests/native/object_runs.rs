//! Workers whose lock is an object, through the scenario format: lost answers, releases that
//! meet a renewal, settings that look at nobody's nonce, clocks, a store that starts again.

use crate::redis_runs::run_of;
use crate::shown::{Shown, check_broken};
use fencepost::properties::PropertyId::{
    GrantedToTwo, NeverFinished, TokenNotRising, TwoBelieve, WrongLockReleased,
};
use fencepost::text::{Who, en};

const TEXT: &str = include_str!("../../static/scenarios/object-lock.toml");

const PAUSE: &str = r#"{ at_us = 11_000_000, do.pause = { node = "W1", for_ms = 40_000 } }"#;

/// The ledger checks the epoch.
fn shown(settings: &[(&str, &str)], clicks: &str) -> Shown {
    let mut all = vec![("variant", "[]"), ("store.rule", "owner-and-sequence")];
    all.extend(settings);
    Shown::of(run_of(TEXT, &all, clicks))
}

#[test]
fn each_recipe_lets_one_work_after_the_other() {
    check_broken(&shown(&[], ""), &[]);
    let created = shown(&[("lock.recipe", "object-create"), ("store.rule", "none")], "");
    assert_eq!(created.booked(), 3_000_000);
    check_broken(&created, &[TokenNotRising]);
}

#[test]
fn a_renewal_whose_answer_is_lost_is_found_to_be_the_own_one() {
    let lost = r#"{ at_us = 5_055_000, do.drop = { message = { from = "O1", to = "W1", kind = "object-stored", nth = 2 } } }"#;
    let stops = ("worker.W1.on_renewal_failure", "stop-work");
    let looks = shown(&[stops], lost);
    assert_eq!(looks.times("click 1 is made"), [5_055_000]);
    assert_eq!(looks.booked(), 3_000_000, "{}", looks.told());
    check_broken(&looks, &[]);
    let never = shown(&[stops, ("objects.settle", "never")], lost);
    assert_eq!(never.times("W1 stops"), [7_060_000], "{}", never.told());
}

/// W1's put is carried out at 30 ms, and nothing of the store reaches W1 for so long. Then the
/// link is cut for good, unless it is healed.
fn found_late(settings: &[(&str, &str)], unheard_ms: u32, then: &str) -> Shown {
    let cut = format!(
        r#"{{ at_us = 35_000, do.cut = {{ from = "O1", to = "W1", way = "one", for_ms = {unheard_ms} }} }}{then}"#
    );
    let mut all = vec![
        ("store.rule", "none"),
        ("worker.W1.compute_ms", "60000"),
        ("worker.W1.on_renewal_failure", "stop-work"),
    ];
    all.extend(settings);
    shown(&all, &cut)
}

#[test]
fn who_finds_its_own_put_late_counts_its_lease_from_when_it_sent_it() {
    let then = r#", { at_us = 12_061_000, do.cut = { from = "W1", to = "O1" } }"#;
    for until in ["timestamp", "unchanged"] {
        for from in ["before-request", "answer"] {
            let settings = [("objects.until", until), ("worker.W1.deadline_from", from)];
            let shown = found_late(&settings, 11_980, then);
            assert_eq!(shown.times("W1 finds its own put"), [12_060_000], "{}", shown.told());
            assert_eq!(shown.times("W1 stops"), [15_020_000], "{}", shown.told());
            check_broken(&shown, &[]);
            let healed = found_late(&settings, 11_980, "");
            assert_eq!(healed.booked(), 3_000_000, "{}", healed.told());
            check_broken(&healed, &[]);
        }
    }
}

#[test]
fn who_finds_its_own_put_when_its_lease_is_over_does_not_believe() {
    // After a delete the next epoch is 1 again.
    let free: (_, _, &[_]) = ("free", "before-request", &[]);
    for (release, from, broken) in [free, ("delete", "answer", &[TokenNotRising])] {
        let settings = [
            ("worker.W2.starts_ms", "20_035"),
            ("objects.release", release),
            ("worker.W1.deadline_from", from),
        ];
        let shown = found_late(&settings, 19_980, "");
        assert_eq!(shown.times("W1 finds its own put"), [20_060_000], "{}", shown.told());
        assert_eq!(shown.booked(), 3_000_000, "{}", shown.told());
        check_broken(&shown, broken);
    }
}

#[test]
fn who_takes_its_own_put_for_another_s_is_granted_the_lock_a_second_time() {
    let lost = r#"{ at_us = 35_000, do.drop = { message = { from = "O1", to = "W1", kind = "object-stored", nth = 1 } } }"#;
    let settings = [("objects.settle", "never"), ("worker.W2.starts_ms", "60_000")];
    let shown = shown(&settings, lost);
    shown.only("the lock is granted to W1 with 1");
    let again = shown.only("the lock is granted to W1 with 2");
    assert!(shown.only("W1 believes, with 2") > again, "{}", shown.told());
    check_said(&shown, "Finds its own earlier lease over, which it takes for another’s: by");
    check_broken(&shown, &[]);
}

/// The renewal changes the ETag that the release goes by.
#[test]
fn a_release_that_meets_a_renewal_of_the_same_holder_is_made_again() {
    let meets = ("worker.W1.renew_ms", "4992");
    for release in ["free", "delete"] {
        let release = [meets, ("objects.release", release), ("store.rule", "none")];
        let freed = shown(&release, "").times("W1 holds the lock no more");
        assert_eq!(freed, [20_130_000]);
        let kept = shown(&[&release[..], &[("objects.settle", "never")]].concat(), "");
        let freed = kept.times("W1 holds the lock no more")[0];
        assert!(freed > 35_000_000, "{freed}");
    }
}

/// That it is said once.
#[track_caller]
fn check_said(shown: &Shown, words: &str) {
    let past = shown.replay.past();
    let who = Who::of(shown.run.scenario.names(), past);
    let said: Vec<String> = past.iter().map(|event| en::event(event, &who)).collect();
    let times = said.iter().filter(|said| said.contains(words)).count();
    assert_eq!(times, 1, "{words}\n{}", said.join("\n"));
}

#[test]
fn of_an_object_it_is_said_whether_it_was_put_or_deleted_and_what_its_holder_was_told() {
    let meets = ("worker.W1.renew_ms", "4992");
    let freed = shown(&[meets], "");
    check_said(&freed, "Refuses W1 a put of locks/ledger, 412");
    check_said(&freed, "W1 holds locks/ledger no more: W1 set its object free");
    let deleted = shown(&[meets, ("objects.release", "delete"), ("store.rule", "none")], "");
    check_said(&deleted, "Refuses W1 a delete of locks/ledger, 412");
    check_said(&deleted, "W1 holds locks/ledger no more: W1 deleted its object");
    let lost = r#"{ at_us = 5_055_000, do.drop = { message = { from = "O1", to = "W1", kind = "object-stored", nth = 2 } } }"#;
    let stops = ("worker.W1.on_renewal_failure", "stop-work");
    let never = shown(&[stops, ("objects.settle", "never")], lost);
    check_said(&never, "is over: the store’s answer says that the object is not as it put it");
}

#[test]
fn of_a_takeover_it_is_said_whether_the_lease_was_over() {
    let over = "its lease was over, and W2 put its own object in its place";
    check_said(&crate::shown::shown("object-lock"), over);
    let early = "W2 put its own object in its place before the lease was over";
    check_said(&crate::shown::shown("object-lock.skewed"), early);
}

#[test]
fn a_release_by_name_takes_the_lock_of_the_next() {
    for release in ["free", "delete"] {
        let settings = [
            ("store.rule", "none"),
            ("objects.release", release),
            ("worker.W1.release", "name-only"),
            ("worker.W2.compute_ms", "40000"),
        ];
        let broken = shown(&settings, PAUSE).broken();
        assert!(broken.contains(&WrongLockReleased), "{release}: {broken:?}");
    }
}

#[test]
fn a_renewal_by_name_takes_the_lock_back_from_the_next() {
    let settings = [("worker.W1.renewal", "name-only"), ("worker.W2.compute_ms", "40000")];
    let shown = shown(&settings, PAUSE);
    assert_eq!(shown.times("the lock is granted to W1 with 1").len(), 2, "{}", shown.told());
    assert!(shown.broken().contains(&GrantedToTwo));
}

#[test]
fn a_holder_that_does_not_renew_has_the_lock_for_one_lease() {
    let shown = shown(&[("worker.W1.renewal", "none")], "");
    let next = shown.only("the lock is granted to W2 with 2");
    assert!((15_000_000..16_500_000).contains(&next), "{next}");
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn a_holder_whose_clock_is_behind_writes_a_time_that_has_passed() {
    let behind = [("worker.W1.wall_ahead_ms", "-60000")];
    let shown_behind = shown(&behind, "");
    let next = shown_behind.only("the lock is granted to W2 with 2");
    assert!(next < 1_000_000, "{next}");
    check_broken(&shown_behind, &[TwoBelieve, GrantedToTwo]);
    let unchanged = [behind[0], ("objects.until", "unchanged")];
    check_broken(&shown(&unchanged, ""), &[]);
}

/// It sees the ETag for the first time only then, and counts a whole lease from there.
#[test]
fn a_waiter_that_goes_by_the_etag_counts_from_its_first_look() {
    let crash = r#"{ at_us = 11_000_000, do.crash = { node = "W1" } }"#;
    let settings = [("objects.until", "unchanged"), ("worker.W2.starts_ms", "24_000")];
    let next = shown(&settings, crash).only("the lock is granted to W2 with 2");
    assert!((39_000_000..40_500_000).contains(&next), "{next}");
    let timestamp = shown(&settings[1..], crash).only("the lock is granted to W2 with 2");
    assert!((25_100_000..26_500_000).contains(&timestamp), "{timestamp}");
}

#[test]
fn a_store_that_starts_again_has_the_lock_as_it_was() {
    let crash = r#"{ at_us = 6_000_000, do.crash = { node = "O1", restart_after_ms = 1_000 } }"#;
    for recipe in ["object-lease", "object-create"] {
        let settings = [("lock.recipe", recipe), ("store.rule", "none")];
        let shown = shown(&settings, crash);
        assert_eq!(shown.booked(), 3_000_000);
        let broken: &[_] = if recipe == "object-create" { &[TokenNotRising] } else { &[] };
        check_broken(&shown, broken);
    }
}

#[test]
fn who_checks_its_deadline_after_a_pause_does_not_write() {
    let program = r#"["acquire", "claim", "compute", "check", "write", "release"]"#;
    let shown = shown(&[("store.rule", "none"), ("worker.W1.program", program)], PAUSE);
    assert_eq!(shown.times("W1 checks and finds its time over").len(), 1, "{}", shown.told());
    assert_eq!(shown.booked(), 1_000_000);
    check_broken(&shown, &[TwoBelieve]);
}

/// Nobody goes by it: not who has the lock, nor who takes it.
#[test]
fn a_step_of_the_stores_own_clock_neither_hides_nor_makes_a_verdict() {
    let ahead = r#"{ at_us = 11_000_000, do.step-wall = { node = "W2", by_ms = 60_000 } }"#;
    let stores = [
        r#"do.step-wall = { node = "O1", by_ms = 60_000 }"#,
        r#"do.step-wall = { node = "O1", by_ms = -60_000 }"#,
        r#"do.set-rate = { node = "O1", rate_ppm = 4_000_000 }"#,
        r#"do.set-rate = { node = "O1", rate_ppm = 100_000 }"#,
    ];
    for of_store in stores {
        for at_us in [5_000_000, 11_200_000] {
            let also = |clicks: &str| format!("{{ at_us = {at_us}, {of_store} }}, {clicks}");
            let early = shown(&[], &also(ahead));
            assert_eq!(early.times("the lock is granted to W2 with 2"), [11_350_000], "{of_store}");
            check_broken(&early, &[TwoBelieve, GrantedToTwo]);
            let in_time = shown(&[], &also(PAUSE));
            assert_eq!(in_time.times("the lock is granted to W2 with 2"), [25_630_000]);
            check_broken(&in_time, &[TwoBelieve]);
        }
    }
}

/// The time in the object counts from when it was read, so a put that is long on its way is
/// promised for less.
#[test]
fn a_lease_is_promised_from_when_its_holder_wrote_its_time() {
    let held = r#"{ at_us = 25_000, do.hold = { message = { from = "W1", to = "O1", kind = "put-object", nth = 1 }, for_ms = 1_500 } }, { at_us = 3_000_000, do.crash = { node = "W1" } }"#;
    let settings = [("promises", r#"["granted-to-two"]"#), ("worker.W2.starts_ms", "3_000")];
    let right = shown(&settings, held);
    let next = right.only("the lock is granted to W2 with 2");
    assert!((15_020_000..16_500_000).contains(&next), "{next}");
    check_broken(&right, &[NeverFinished]);
    let fast = r#"{ at_us = 14_000_000, do.step-wall = { node = "W2", by_ms = 1_500 } }"#;
    check_broken(&shown(&settings, &format!("{held}, {fast}")), &[GrantedToTwo, NeverFinished]);
}

/// One that another has put over early is over with its own time too.
#[test]
fn a_renewal_counts_from_when_it_was_stored_where_no_time_is_written() {
    let settings = [("objects.until", "unchanged")];
    let rate = |at: u32| {
        let fast = r#"do.set-rate = { node = "W2", rate_ppm = 4_000_000 }"#;
        shown(&settings, &format!("{{ at_us = {at}, {fast} }}"))
    };
    check_broken(&rate(11_000_000), &[TwoBelieve, GrantedToTwo]);
    let crash = r#"{ at_us = 11_000_000, do.crash = { node = "W1" } }"#;
    check_broken(&shown(&settings, crash), &[NeverFinished]);
}
