//! The vectors that every fenced store is held to, by their numbers.

use super::super::StoreConfig;
use super::super::api::{MarkKept, Rule};
use super::bench::{by_object, check, with};

#[test]
fn f1_equal_tokens_pass_because_a_holder_writes_more_than_once() {
    check(with(Rule::AtLeast), "A write 33.1 => A ok 1\n A write 33.2 => A ok 2");
    check(with(Rule::OwnerAndSequence), "A write 33.1 => A ok 1\n A write 33.2 => A ok 2");
}

#[test]
fn f2_strictly_greater_refuses_a_holders_second_step() {
    check(with(Rule::StrictlyGreater), "A write 33.1 => A ok 1\n A write 33.2 => A mark 33");
    check(with(Rule::StrictlyGreater), "A claim 33 => A data 0\n A write 33.1 => A mark 33");
}

#[test]
fn f3_a_lower_token_is_refused_with_the_mark() {
    for rule in [Rule::AtLeast, Rule::OwnerAndSequence, Rule::StrictlyGreater] {
        check(
            with(rule),
            "B write 34.1 from 0 => B ok 1
             A write 33.1 from 0 => A mark 34
             total               => version 1, booked 10, refused 1",
        );
    }
}

#[test]
fn f4_checking_alone_lets_a_33_pass_that_arrives_before_the_first_34() {
    check(
        with(Rule::AtLeast),
        "until 1s                   => -
         A read                     => A data 0
         until 12s                  => -
         B read                     => B data 0
         until 13s                  => -
         A write 33.1 from 0 for 10 => A ok 1
         until 14s                  => -
         B write 34.1 from 0 for 20 => B ok 2
         total                      => version 2, booked 30, refused 0",
    );
}

#[test]
fn f5_claiming_first_refuses_the_33() {
    check(
        with(Rule::OwnerAndSequence),
        "until 1s                   => -
         A read                     => A data 0
         until 12s                  => -
         B claim 34                 => B data 0
         until 13s                  => -
         A write 33.1 from 0 for 10 => A mark 34
         until 14s                  => -
         B write 34.1 from 0 for 20 => B ok 1
         total                      => version 1, booked 20, refused 1",
    );
}

#[test]
fn f6_a_33_that_arrives_before_the_claim_is_seen_by_the_claim() {
    check(
        with(Rule::OwnerAndSequence),
        "A read                     => A data 0
         until 11s                  => -
         A write 33.1 from 0 for 10 => A ok 1
         until 12s                  => -
         B claim 34                 => B data 1
         until 14s                  => -
         B write 34.1 from 1 for 20 => B ok 2
         total                      => version 2, booked 30, refused 0",
    );
}

#[test]
fn f7_a_mark_in_memory_is_gone_after_a_restart_and_the_data_is_not() {
    let script = "B write 34.1 from 0 => B ok 1
                  store restarts      => mark lost
                  A write 33.1 from 0 => A ok 2
                  store restarts      => mark lost
                  store restarts      => -";
    let config = with(Rule::OwnerAndSequence);
    check(StoreConfig { mark: MarkKept::InMemory, ..config }, script);
    check(
        config,
        "B write 34.1 from 0 => B ok 1
         store restarts      => -
         A write 33.1 from 0 => A mark 34",
    );
}

#[test]
fn f8_a_mark_for_each_object_does_not_fence_the_other_object_of_one_lock() {
    let script = "A claim 33 of y => A data 0
                  B claim 34 of x => B data 0
                  A write 33.1 of x => A mark 34
                  A write 33.2 of y => A ok 1
                  total => version 1, booked 10, refused 1";
    check(by_object(Rule::OwnerAndSequence), script);
    // One mark for both, or a claim of both.
    check(
        with(Rule::OwnerAndSequence),
        &script
            .replace("ok 1", "mark 34")
            .replace("version 1, booked 10, refused 1", "version 0, booked 0, refused 2"),
    );
    check(
        by_object(Rule::OwnerAndSequence),
        "B claim 34 of x => B data 0
         B claim 34 of y => B data 0
         A write 33.1 of y => A mark 34",
    );
}

#[test]
fn f9_one_mark_for_two_locks_refuses_a_rightful_holder() {
    // A holds one lock with 100 and B another with 200; neither is in the other's way.
    let script = "B write 200.1 of y => B ok 1\n A write 100.1 of x => A mark 200";
    check(with(Rule::AtLeast), script);
    check(by_object(Rule::AtLeast), &script.replace("mark 200", "ok 2"));
}

#[test]
fn marks_of_objects_that_are_in_memory_are_gone_after_a_restart() {
    let script = "B claim 34 of x => B data 0
                  store restarts => mark lost
                  A write 33.1 of x => A ok 1";
    let config = by_object(Rule::OwnerAndSequence);
    check(StoreConfig { mark: MarkKept::InMemory, ..config }, script);
    check(config, &script.replace("mark lost", "-").replace("ok 1", "mark 34"));
}

#[test]
fn a_version_read_is_out_of_date_by_writes_of_that_object_alone() {
    check(
        by_object(Rule::CompareAndSet),
        "A write 0.1 of x from 0 => A ok 1
         B write 0.1 of y from 0 => B ok 2
         B write 0.1 of y from 0 => B again 2
         A write 0.2 of y from 1 => A version 2
         A write 0.3 of x from 1 => A ok 3",
    );
}

#[test]
fn f10_two_claims_with_one_number_collide_unless_the_owner_is_not_looked_at() {
    check(
        with(Rule::OwnerAndSequence),
        "A claim 5 => A data 0
         A claim 5 => A data 0
         B claim 5 => B mark 5
         total     => version 0, booked 0, refused 1",
    );
    check(with(Rule::AtLeast), "A claim 5 => A data 0\n B claim 5 => B data 0");
}

#[test]
fn f11_a_late_duplicate_of_the_first_write_is_not_applied_after_the_second() {
    check(
        with(Rule::OwnerAndSequence),
        "A write 34.1 => A ok 1
         A write 34.2 => A ok 2
         A write 34.1 => A mark 34
         A write 34.2 => A again 2
         total        => version 2, booked 20, refused 1",
    );
    check(
        with(Rule::AtLeast),
        "A write 34.1 => A ok 1
         A write 34.2 => A ok 2
         A write 34.1 => A ok 3",
    );
}

#[test]
fn f12_an_epoch_before_the_number_outlasts_a_lock_service_that_is_built_anew() {
    // The epoch in millions: (1, 900), and then (2, 1) of the new service.
    check(
        with(Rule::AtLeast),
        "A write 1000900.1 => A ok 1
         B write 2000001.1 => B ok 2
         A write 1000900.2 => A mark 2000001",
    );
    check(with(Rule::AtLeast), "A write 900.1 => A ok 1\n B write 1.1 => B mark 900");
}

#[test]
fn f14_a_check_in_one_call_and_the_put_in_another_lets_stale_data_win() {
    check(
        with(Rule::CheckThenPut),
        "A begin 33.1 from 0    => A begun
         B write 34.1 from 0    => B ok 1
         A complete 33.1 from 0 => A ok 2
         A begin 33.2 from 1    => A mark 34
         B write 34.2 from 1    => B ok 3",
    );
}
