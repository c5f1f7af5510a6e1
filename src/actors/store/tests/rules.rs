//! What each rule says beyond the vectors.

use super::super::api::{JobKey, MarkScope, Rule, StoreReply};
use super::super::{Open, StoreConfig};
use super::bench::{Bench, check, slowly, with};

#[test]
fn without_a_rule_every_write_passes_and_claims_keep_no_mark() {
    check(
        with(Rule::None),
        "B claim 34          => B data 0
         B write 34.1 from 0 => B ok 1
         A write 33.1 from 0 => A ok 2
         A write 33.1 from 0 => A ok 3",
    );
}

#[test]
fn compare_and_set_looks_at_the_version_read_and_answers_the_last_write_again() {
    check(
        with(Rule::CompareAndSet),
        "B claim 34          => B data 0
         A write 33.1 from 0 => A ok 1
         A write 33.1 from 0 => A again 1
         B write 34.1 from 0 => B version 1
         B write 34.2 from 1 => B ok 2
         A write 33.1 from 0 => A version 2",
    );
}

#[test]
fn a_dedupe_key_refuses_a_job_that_is_done_whatever_the_token() {
    check(
        with(Rule::DedupeKey),
        "A write 33.1 job a => A ok 1
         B write 34.1 job b => B ok 2
         A write 33.1 job a => A again 1
         B write 34.2 job a => B job done
         A write 32.2 job c => A ok 3",
    );
}

#[test]
fn equality_with_the_number_seen_last_allows_no_hand_over() {
    check(
        with(Rule::LastSeen),
        "A claim 33   => A data 0
         A write 33.1 => A ok 1
         B claim 34   => B mark 33
         B write 34.1 => B mark 33",
    );
}

#[test]
fn a_higher_sequence_of_another_owner_with_the_same_token_is_refused() {
    check(
        with(Rule::OwnerAndSequence),
        "A write 33.1 => A ok 1
         B write 33.2 => B mark 33
         A claim 33   => A data 1
         A write 33.1 => A again 1",
    );
}

#[test]
fn a_slow_write_is_checked_in_the_step_that_stores_it() {
    for rule in [Rule::AtLeast, Rule::OwnerAndSequence, Rule::StrictlyGreater] {
        check(
            with(rule),
            "A begin 33.1 from 0    => A begun
             A begin 33.1 from 0    => A begun
             B claim 34             => B data 0
             A complete 33.1 from 0 => A mark 34
             A complete 33.1 from 0 => A mark 34",
        );
    }
}

#[test]
fn a_completion_is_answered_again_and_needs_a_beginning() {
    for rule in [Rule::None, Rule::StrictlyGreater, Rule::CheckThenPut, Rule::SameTransaction] {
        check(
            with(rule),
            "A begin 33.1    => A begun
             A complete 33.1 => A ok 1
             A complete 33.1 => A again 1
             A begin 33.1    => A begun
             A complete 33.1 => A again 1
             A complete 34.2 => A not begun
             A begin 35.3    => A begun
             store restarts  => -
             A complete 35.3 => A not begun",
        );
    }
}

#[test]
fn a_check_at_the_start_lets_a_slow_write_end_after_the_next_claim() {
    check(
        slowly(Rule::CheckAtStart),
        "A write 33.1 from 0 => -
         until 1s            => -
         B claim 34          => B data 0
         A write 33.2 from 0 => A mark 34
         until 2s            => A ok 1
         B write 34.1 from 0 => -
         until 4s            => B ok 2
         A begin 35.3 from 2 => A begun
         B claim 36          => B data 2
         A complete 35.3 from 2 => -
         until 6s            => A ok 3",
    );
}

#[test]
fn other_rules_check_at_the_end_of_the_time_a_write_takes() {
    check(
        slowly(Rule::OwnerAndSequence),
        "A write 33.1 from 0 => -
         until 1s            => -
         A write 33.1 from 0 => -
         B claim 34          => B data 0
         B write 34.1 from 0 => -
         until 2s            => A mark 34
         until 3s            => A mark 34, B ok 1
         B write 34.1 from 0 => -
         B write 34.1 from 0 => -
         until 5s            => B again 1, B again 1",
    );
}

#[test]
fn a_check_in_the_same_transaction_makes_a_claim_wait() {
    check(
        with(Rule::SameTransaction),
        "A claim 33             => A data 0
         A begin 33.1 from 0    => A begun
         A begin 33.1 from 0    => A begun
         B claim 34             => B waits
         B read                 => B data 0
         C write 30.1 from 0    => C waits
         A write 33.2 from 1    => A waits
         A complete 33.1 from 0 => A ok 1, B data 1, C mark 34, A mark 34
         B write 34.1 from 1    => B ok 2",
    );
}

#[test]
fn the_next_transaction_in_line_holds_the_row_for_those_behind_it() {
    check(
        with(Rule::SameTransaction),
        "A begin 33.1    => A begun
         B begin 34.1    => B waits
         C claim 35      => C waits
         A complete 33.1 => A ok 1, B begun
         B complete 34.1 => B ok 2, C data 2",
    );
}

#[test]
fn a_put_that_takes_its_time_is_a_transaction_too() {
    check(
        slowly(Rule::SameTransaction),
        "A write 33.1    => -
         A write 33.1    => A waits
         B claim 34      => B waits
         until 2s        => A ok 1, A again 1, B data 1
         until 4s        => -",
    );
}

#[test]
fn a_restart_gives_up_the_row_and_forgets_who_waits() {
    check(
        with(Rule::SameTransaction),
        "A begin 33.1    => A begun
         B claim 34      => B waits
         store restarts  => -
         B claim 34      => B data 0
         A complete 33.1 => A mark 34",
    );
}

#[test]
fn a_transaction_whose_client_has_gone_is_rolled_back_and_frees_the_row() {
    check(
        with(Rule::SameTransaction),
        "A begin 33.1    => A begun
         B claim 34      => B waits
         C write 35.1    => C waits
         A hangs up      => A rolled back, B data 0, C ok 1
         A complete 33.1 => A mark 35",
    );
}

#[test]
fn a_beginning_that_arrives_after_its_client_hung_up_holds_no_row() {
    check(
        with(Rule::SameTransaction),
        "A hangs up      => -
         A begin 33.1    => -
         B claim 34      => B data 0
         B begin 34.1    => B begun
         A claim 33      => -
         B complete 34.1 => B ok 1
         total           => version 1, booked 10, refused 0",
    );
}

#[test]
fn a_claim_whose_client_has_gone_is_not_accepted_when_the_row_is_free() {
    check(
        with(Rule::SameTransaction),
        "A begin 33.1    => A begun
         B claim 34      => B waits
         B hangs up      => -
         A complete 33.1 => A ok 1
         A write 33.2    => A ok 2",
    );
}

#[test]
fn a_write_being_stored_needs_its_client_no_more() {
    check(
        slowly(Rule::SameTransaction),
        "A begin 33.1    => A begun
         A complete 33.1 => -
         A hangs up      => -
         B claim 34      => B waits
         until 2s        => A ok 1, B data 1
         B write 34.1    => -
         B hangs up      => -
         until 4s        => B ok 2",
    );
}

#[test]
fn an_upload_outside_a_transaction_can_be_completed_over_another_connection() {
    for rule in [Rule::None, Rule::OwnerAndSequence, Rule::CheckThenPut, Rule::CheckAtStart] {
        check(
            with(rule),
            "A begin 33.1    => A begun
             A hangs up      => -
             A complete 33.1 => A ok 1",
        );
    }
}

#[test]
fn a_transaction_that_is_refused_holds_no_row() {
    check(
        with(Rule::SameTransaction),
        "B claim 34   => B data 0
         A begin 33.1 => A mark 34
         B write 34.1 => B ok 1",
    );
}

#[test]
fn a_check_switched_off_neither_looks_at_the_mark_nor_raises_it() {
    check(
        with(Rule::OwnerAndSequence),
        "B claim 34              => B data 0
         rule none               => -
         A write 33.1            => A ok 1
         C claim 35              => C data 1
         C write 35.1            => C ok 2
         rule owner-and-sequence => -
         A write 33.2            => A mark 34
         B write 34.1            => B ok 3",
    );
}

#[test]
fn a_write_under_way_is_checked_by_the_rule_in_force_when_it_is_stored() {
    check(
        slowly(Rule::CheckAtStart),
        "A write 33.1            => -
         B claim 34              => B data 0
         rule owner-and-sequence => -
         until 2s                => A mark 34",
    );
}

#[test]
fn the_separate_counter_survives_a_restart() {
    check(
        StoreConfig { first_number: 41, ..with(Rule::AtLeast) },
        "A number       => A number 41
         store restarts => -
         B number       => B number 42",
    );
}

#[test]
fn a_job_is_known_by_the_object_that_it_is_done_to() {
    let script = "A claim 33                         => A data 0
                  A write 33.1 job refund of fees    => A ok 1
                  A write 33.2 job refund of bills   => A ok 2
                  A write 33.2 job refund of bills   => A again 2";
    for (rule, other) in [
        (Rule::DedupeKey, "job done"),
        (Rule::TermAndKey, "again 1"),
        (Rule::OwnerAndSequence, "ok 3"),
    ] {
        let later = format!("{script}\n B write 34.1 job refund of fees => B {other}");
        check(with(rule), &later);
    }
}

#[test]
fn a_write_is_known_again_though_its_job_was_done_to_another_object_since() {
    check(
        with(Rule::CompareAndSet),
        "A write 33.1 job refund of fees  => A ok 1
         A write 33.2 job refund of bills => A ok 2
         A write 33.1 job refund of fees  => A again 1",
    );
}

#[test]
fn the_data_without_a_name_is_apart_from_every_object() {
    check(
        with(Rule::CompareAndSet),
        "B write 34.1 of fees           => B ok 1
         A write 33.1                   => A ok 2
         C write 35.1 of fees from 1    => C ok 3
         D write 36.1                   => D version 2",
    );
    check(
        StoreConfig { scope: MarkScope::Object, ..with(Rule::OwnerAndSequence) },
        "B claim 34 of fees   => B data 0
         A claim 33           => A data 0
         A write 33.1 of fees => A mark 34
         A write 33.2         => A ok 1",
    );
}

#[test]
fn data_names_the_jobs_done() {
    let mut bench = Bench::new(with(Rule::None));
    bench.take("A write 1.1 job night");
    bench.take("A write 1.2 job day");
    bench.take("A write 1.3 job day of fees");
    let done = |job: &str, object: &str| JobKey::new(&job.into(), &object.into());
    assert_eq!(bench.store.jobs_done(), [done("day", ""), done("day", "fees"), done("night", "")]);
    let StoreReply::Data { jobs_done, .. } = bench.store.all_data() else { panic!("data") };
    assert_eq!(jobs_done, bench.store.jobs_done());
}

#[test]
fn a_finished_exchange_leaves_nothing_open() {
    for rule in [Rule::OwnerAndSequence, Rule::SameTransaction, Rule::CheckAtStart] {
        let mut bench = Bench::new(slowly(rule));
        for line in ["A begin 33.1", "A complete 33.1", "until 2s", "A write 33.2", "until 4s"] {
            bench.take(line);
        }
        assert_eq!((bench.store.version(), &bench.store.open), (2, &Open::default()));
    }
}
