//! Two servers that each have the lock to give, since one was promoted and the other runs on:
//! which promises that does away with, and which are held against such a run too.

use crate::pg_runs::{self, CUT_OFF};
use crate::redis_grants;
use crate::redis_runs::run_of;
use fencepost::properties::Judged;
use fencepost::properties::PropertyId::{self, GrantedToTwo, StaleWriteAccepted, TwoBelieve};
use fencepost::scenario::Run;
use fencepost::scenario::clicks::{ClickSpec, Do};
use fencepost::scenario::names::Role;

/// What two servers do away with that each have a lock of their own to give: it is had twice. A
/// store that compares numbers keeps what it promises all the same.
const VOID_WITH_TWO_MASTERS: [PropertyId; 2] = [TwoBelieve, GrantedToTwo];

/// Whether a promise stands in a run.
pub fn stands(promise: PropertyId, run: &Run) -> bool {
    !VOID_WITH_TWO_MASTERS.contains(&promise) || !has_two_masters(run)
}

fn is_order(click: &ClickSpec) -> bool {
    matches!(click.r#do, Do::Promote { .. } | Do::Follow { .. })
}

/// Of two servers one was given another part.
fn has_two_masters(run: &Run) -> bool {
    run.scenario.names().with(Role::Member).count() > 1 && run.clicks.iter().any(is_order)
}

/// Which of the promises a run breaks.
pub fn broken_of(run: &Run, promises: &[PropertyId]) -> Vec<PropertyId> {
    let replay = run.to_end().expect("the run is right");
    let verdicts = replay.moment().observer.verdicts(Judged::AtTheEnd);
    let ids = verdicts.filter(|(_, verdict)| !verdict.holds()).map(|(id, _)| id);
    ids.filter(|id| promises.contains(id)).collect()
}

/// The services that have a second server to promote.
#[derive(Clone, Copy, Debug)]
enum Of {
    Postgres,
    Redis,
}

const BOTH: [Of; 2] = [Of::Postgres, Of::Redis];

/// Two workers, each with a job of its own, a long one and a short one that begins within it, and
/// a store that checks a number which no failover gives out again.
fn run(of: Of, more: &[(&str, &str)], clicks: &str) -> Run {
    let common = [
        ("store.rule", "owner-and-sequence"),
        ("worker.W1.compute_ms", "60_000"),
        ("worker.W1.job", "\"mine\""),
        ("worker.W1.on_renewal_failure", "carry-on"),
        ("worker.W2.starts_ms", "5_000"),
        ("worker.W2.compute_ms", "1_000"),
        ("worker.W2.job", "\"yours\""),
    ];
    let numbered = r#"["draw-number", "acquire", "claim", "compute", "write", "release"]"#;
    let (text, own) = match of {
        Of::Postgres => {
            let own = [
                ("variant", "[]"),
                ("postgres.standbys", "1"),
                ("postgres.token", "sequence"),
                ("postgres.idle_session_ms", "86400000"),
            ];
            (pg_runs::TEXT, own.to_vec())
        }
        Of::Redis => {
            let own = [("worker.W1.program", numbered), ("worker.W2.program", numbered)];
            (redis_grants::TEXT, own.to_vec())
        }
    };
    run_of(text, &[&common[..], &own, more].concat(), clicks)
}

/// The first server is cut off from the second and from the second worker, and runs on; the
/// second is promoted.
fn cut_off(of: Of) -> String {
    match of {
        Of::Postgres => CUT_OFF.to_owned(),
        Of::Redis => CUT_OFF.replace("\"P", "\"R"),
    }
}

/// The same run without the order.
fn with_one(run: &Run) -> Run {
    let mut one = run.clone();
    one.clicks.retain(|click| !is_order(click));
    one
}

#[test]
fn each_promise_that_two_masters_void_is_broken_by_them_and_kept_by_one() {
    for of in BOTH {
        let two = run(of, &[], &cut_off(of));
        let one = with_one(&two);
        assert!(has_two_masters(&two) && !has_two_masters(&one), "{of:?}");
        for promise in VOID_WITH_TWO_MASTERS {
            assert_eq!(broken_of(&two, &[promise]), [promise], "{of:?}");
            assert_eq!(broken_of(&one, &[promise]), [], "{of:?}");
            assert!(!stands(promise, &two) && stands(promise, &one), "{of:?} {promise:?}");
        }
    }
}

/// Who has been given a lock twice over need not believe it, and the other way round.
#[test]
fn each_promise_that_two_masters_void_is_broken_by_them_without_the_other() {
    // W1 does not learn that the first server has given it the lock, and stands still.
    let unheard = r#"{ at_us = 25_000, do.cut = { from = "P1", to = "W1", way = "one" } },
        { at_us = 1_000_000, do.pause = { node = "W1", for_ms = 100_000 } }, "#;
    let unheard = run(Of::Postgres, &[], &format!("{unheard}{CUT_OFF}"));
    assert_eq!(broken_of(&unheard, &VOID_WITH_TWO_MASTERS), [GrantedToTwo]);
    // The first server ends, and its sessions with it; W1 carries on.
    let ends = r#"{ at_us = 3_000_000, do.crash = { node = "P1" } },
        { at_us = 4_000_000, do.promote = { node = "P2" } }"#;
    assert_eq!(broken_of(&run(Of::Postgres, &[], ends), &VOID_WITH_TWO_MASTERS), [TwoBelieve]);
}

#[test]
fn two_masters_break_no_promises_but_those_that_they_void() {
    for of in BOTH {
        let broken = broken_of(&run(of, &[], &cut_off(of)), &PropertyId::ALL);
        assert_eq!(broken, VOID_WITH_TWO_MASTERS, "{of:?}");
    }
}

#[test]
fn what_two_masters_do_not_void_is_held_against_them() {
    for of in BOTH {
        let unfenced = run(of, &[("store.rule", "none")], &cut_off(of));
        let broken = broken_of(&unfenced, &PropertyId::ALL);
        let others = PropertyId::ALL.into_iter().filter(|id| !VOID_WITH_TWO_MASTERS.contains(id));
        assert!(others.clone().all(|id| stands(id, &unfenced)), "{of:?}");
        assert!(broken.contains(&StaleWriteAccepted), "{of:?} {broken:?}");
    }
}
