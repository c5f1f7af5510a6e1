//! What a mark is for: all that one lock guards, one object of several, or more than one
//! lock's data.

use crate::redis_runs::run_of;
use crate::shown::{Shown, check, check_broken, shown};
use fencepost::properties::PropertyId::{RightfulHolderRefused, StaleWriteAccepted, TwoBelieve};

#[test]
fn a_claim_of_one_object_leaves_the_other_one_of_its_lock_open() {
    let shown = shown("mark-scopes");
    check(&shown, "claim 43 is accepted", &[51_566_000]);
    check(&shown, "PUT 42 is accepted", &[73_074_000]);
    check_broken(&shown, &[StaleWriteAccepted, TwoBelieve]);
}

#[test]
fn one_mark_for_all_that_the_lock_guards_refuses_what_is_stale() {
    let shown = shown("mark-scopes.one-mark");
    check(&shown, "claim 43 is accepted", &[51_566_000]);
    check(&shown, "PUT 42 is refused: 43 was seen", &[73_074_000]);
    // Computed anew, from the new fees.
    check(&shown, "PUT 46 is accepted", &[101_158_000]);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn whoever_claims_all_that_its_lock_guards_needs_no_mark_for_all() {
    let shown = shown("mark-scopes.both-claimed");
    check(&shown, "claim 43 is accepted", &[51_566_000, 51_586_000]);
    check(&shown, "PUT 42 is refused: 43 was seen", &[73_074_000]);
    check_broken(&shown, &[TwoBelieve]);
}

#[test]
fn one_mark_for_two_locks_refuses_a_rightful_holder_until_its_number_is_higher() {
    let shown = shown("mark-scopes.two-locks");
    check(&shown, "PUT 42 is refused: 43 was seen", &[28_074_000]);
    check(&shown, "PUT 46 is accepted", &[56_158_000]);
    check_broken(&shown, &[RightfulHolderRefused]);
}

#[test]
fn numbers_of_two_counters_refuse_each_other_without_any_sense() {
    let shown = shown("mark-scopes.two-counters");
    check(&shown, "claim 1 is accepted", &[30_000]);
    check(&shown, "claim 1 is refused: 1 was seen", &[130_000]);
    check(&shown, "PUT 1 is refused: 2 was seen", &[28_050_000]);
    check(&shown, "claim 2 is refused: 2 was seen", &[28_090_000]);
    check(&shown, "PUT 3 is accepted", &[56_150_000]);
    check_broken(&shown, &[RightfulHolderRefused]);
}

#[test]
fn a_mark_for_what_each_of_two_locks_guards_refuses_nobody() {
    let shown = shown("mark-scopes.two-marks");
    check(&shown, "claim 1 is accepted", &[30_000, 130_000]);
    check(&shown, "PUT 1 is accepted", &[10_150_000, 28_050_000]);
    check_broken(&shown, &[]);
}

const TWO_OBJECTS: &str = r#"
format = 1
id = "two-objects"
title = "Two objects"
goal = "One write is late."
limit_ms = 200_000
promises = ["acknowledged-write-lost"]
[lock]
key = "k"
recipe = "queue"
ttl_s = 5
[store]
rule = "compare-and-set"
[[worker]]
name = "W1"
starts_ms = 0
program = ["acquire", "claim", "compute", "write", "write", "release"]
objects = ["a", "b"]
compute_ms = 2_000
job = "j"
amount = 1
[[worker]]
name = "W2"
starts_ms = 100
program = ["acquire", "claim", "compute", "write", "release"]
objects = ["b"]
compute_ms = 1_000
job = "j2"
amount = 1
"#;

#[test]
fn what_a_worker_made_of_one_object_says_nothing_of_another_that_it_has_not_read() {
    let paused = "{ at_us = 1_000_000, do.pause = { node = \"W1\", for_ms = 20_000 } }";
    let shown = Shown::of(run_of(TWO_OBJECTS, &[], paused));
    // Its own write of the first made version 2; of the second it has read none.
    check(&shown, "PUT 42 is refused: the version is 1", &[22_094_000]);
}
