//! How the lock is taken and given back.

use super::*;
use crate::actors::etcd::api::{
    Compare, CompareOp, Delete, KeyRange, Prev, Request, Target, Txn, TxnOp,
};
use crate::actors::note::BeliefEnd;

/// One that only takes the lock and computes.
fn taker(recipe: Recipe) -> WorkerConfig {
    WorkerConfig {
        recipe,
        program: vec![Step::Acquire, Step::Compute, Step::Release],
        compute: Span::from_s(100),
        ..config()
    }
}

#[track_caller]
fn check_token(rig: &Rig, token: Token) {
    assert_eq!(rig.worker.belief().map(|belief| belief.token), Some(token));
}

fn kinds(rig: &Rig) -> Vec<&'static str> {
    rig.etcd_ops().into_iter().map(Op::kind).collect()
}

#[test]
fn the_first_in_the_queue_holds_the_lock_after_one_transaction() {
    let rig = Rig::at(taker(Recipe::Queue), 1_000);
    assert_eq!(kinds(&rig), ["lease-grant", "txn"]);
    assert_eq!(&*rig.etcd.keys[0].key, "lock/a1");
    check_token(&rig, 2);
    rig.check_notes(&["Began", "acquire", "SessionOpened", "Believes", "compute"]);
}

/// A worker that waits behind two others, whose keys came at revisions 2 and 3.
fn third_in_the_queue() -> Rig {
    let mut rig = Rig::new(taker(Recipe::Queue));
    rig.etcd.put("lock/1", 1);
    rig.etcd.put("lock/2", 2);
    rig.run_to(1_000);
    rig
}

#[test]
fn a_waiter_watches_the_key_before_its_own_and_no_other() {
    let mut rig = third_in_the_queue();
    assert_eq!(kinds(&rig), ["lease-grant", "txn", "range", "watch"]);
    assert_eq!(rig.worker.status(), Status::Waiting);
    assert_eq!(rig.noted_at(&WorkerNote::Waits { create_revision: 4 }), Some(40));
    rig.delete("lock/1");
    rig.run_to(2_000);
    assert_eq!(kinds(&rig).len(), 4, "whoever is first is not its concern");
    rig.delete("lock/2");
    rig.run_to(3_000);
    check_token(&rig, 4);
    let after_the_watch = &kinds(&rig)[4..];
    assert_eq!(after_the_watch, ["watch-cancel", "range", "range"]);
    assert_eq!(rig.etcd.watches(), 0);
}

#[test]
fn a_waiter_whose_predecessor_gave_up_waits_for_the_one_before() {
    let mut rig = third_in_the_queue();
    rig.delete("lock/2");
    rig.run_to(2_000);
    assert_eq!(rig.worker.status(), Status::Waiting);
    rig.delete("lock/1");
    rig.run_to(3_000);
    check_token(&rig, 4);
}

#[test]
fn a_waiter_whose_own_key_is_gone_does_not_believe() {
    let mut rig = third_in_the_queue();
    rig.etcd.keys.retain(|kv| kv.create_revision != 4);
    rig.etcd.leases.clear();
    rig.delete("lock/1");
    rig.delete("lock/2");
    rig.run_to(3_000);
    assert_eq!(rig.belief_end(), None);
    rig.check_at_rest(Status::Stopped(StopReason::SessionOver));
}

#[test]
fn joining_the_queue_twice_is_joining_it_once() {
    let mut rig = Rig::new(taker(Recipe::Queue));
    rig.fault("txn", Some(MEMBERS[0]), Fate::AnswerLost);
    rig.run_to(3_000);
    let txns = rig.sent_of("txn");
    assert_eq!(txns[0].2, txns[1].2, "the same request");
    assert_eq!((txns[0].1, txns[1].1), (MEMBERS[0], MEMBERS[1]));
    let unanswered = WorkerNote::Unanswered { step: Step::Acquire, attempts: 1 };
    assert_eq!(rig.noted_at(&unanswered), Some(2_020));
    check_token(&rig, 2);
}

#[test]
fn taking_a_lock_is_tried_without_limit() {
    let mut rig = Rig::new(taker(Recipe::Queue));
    rig.cut_etcd();
    rig.run_to(60_000);
    assert_eq!(rig.sent_at("lease-grant").len(), 31);
    rig.faults.clear();
    rig.run_to(63_000);
    check_token(&rig, 2);
}

#[test]
fn a_member_that_errs_or_does_not_run_is_left_half_a_second_later() {
    for fate in [Fate::Down, Fate::Error(EtcdError::LeaderChanged)] {
        let mut rig = Rig::new(taker(Recipe::Queue));
        rig.fault("lease-grant", Some(MEMBERS[0]), fate);
        rig.run_to(1_000);
        assert_eq!(rig.sent_at("lease-grant"), [0, 520]);
        check_token(&rig, 2);
        let unanswered = |note: &WorkerNote| matches!(note, WorkerNote::Unanswered { .. });
        assert!(!rig.notes.iter().any(|(_, note)| unanswered(note)));
    }
}

#[track_caller]
fn check_missed_deletion(fate: Fate, expected_ms: i64) {
    let mut rig = third_in_the_queue();
    rig.delete("lock/1");
    // Nobody tells the waiter of this one.
    rig.etcd.delete("lock/2");
    rig.fault("", Some(MEMBERS[0]), fate);
    rig.run_to(60_000);
    let granted = rig.notes.iter().find(|(_, note)| matches!(note, WorkerNote::Believes { .. }));
    assert_eq!(granted.map(|(at, _)| at.0 / 1_000), Some(expected_ms));
}

#[test]
fn a_waiter_whose_member_falls_silent_reads_again_at_the_next_one() {
    check_missed_deletion(Fate::Lost, 13_560);
    check_missed_deletion(Fate::Down, 10_580);
}

#[test]
fn a_waiter_that_hears_nothing_reads_again_after_half_a_minute() {
    let mut rig = third_in_the_queue();
    rig.etcd.delete("lock/1");
    rig.etcd.delete("lock/2");
    rig.run_to(30_000);
    assert_eq!(rig.worker.status(), Status::Waiting);
    rig.run_to(31_000);
    check_token(&rig, 4);
}

#[test]
fn a_watch_that_etcd_ended_is_followed_by_reading_again() {
    let mut rig = third_in_the_queue();
    rig.etcd.delete("lock/1");
    rig.etcd.delete("lock/2");
    let Message::Etcd(Request { id, .. }) = rig.sent_of("watch")[0].2 else { panic!() };
    let ended = Response { id, result: Err(EtcdError::Compacted) };
    rig.give(Input::Message { from: MEMBERS[0], message: Message::EtcdAnswer(ended) });
    rig.run_to(2_000);
    check_token(&rig, 4);
}

#[test]
fn a_key_that_is_absent_is_created_and_its_create_revision_is_the_token() {
    let rig = Rig::at(taker(Recipe::CreateIfAbsent), 1_000);
    assert_eq!(kinds(&rig), ["lease-grant", "txn"]);
    assert_eq!(&*rig.etcd.keys[0].key, "lock");
    check_token(&rig, 2);
}

#[test]
fn a_key_that_is_there_is_watched_and_created_once_it_goes() {
    let mut rig = Rig::new(taker(Recipe::CreateIfAbsent));
    rig.etcd.put("lock", 1);
    rig.run_to(1_000);
    assert_eq!(rig.worker.status(), Status::Waiting);
    assert_eq!(rig.noted_at(&WorkerNote::Waits { create_revision: 0 }), Some(40));
    rig.delete("lock");
    rig.run_to(2_000);
    check_token(&rig, 4);
    assert_eq!(kinds(&rig), ["lease-grant", "txn", "watch", "watch-cancel", "txn"]);
}

#[test]
fn a_key_created_by_a_try_that_went_unanswered_is_the_own_one() {
    let mut rig = Rig::new(taker(Recipe::CreateIfAbsent));
    rig.fault("txn", Some(MEMBERS[0]), Fate::AnswerLost);
    rig.run_to(3_000);
    check_token(&rig, 2);
}

#[test]
fn get_then_put_takes_a_lock_that_another_took_between_the_two() {
    let mut rig = Rig::new(taker(Recipe::GetThenPut));
    rig.run_to(35);
    // The read is answered; the put is on its way from 40 ms on.
    rig.etcd.put("lock", 1);
    rig.run_to(1_000);
    assert_eq!(kinds(&rig), ["lease-grant", "range", "put"]);
    assert_eq!(rig.etcd.keys[0].create_revision, 2);
    check_token(&rig, 3);
}

#[test]
fn a_key_put_over_another_is_not_released_by_who_put_it_last() {
    let config = WorkerConfig { compute: Span::from_s(1), ..taker(Recipe::GetThenPut) };
    let mut rig = Rig::at(config, 35);
    rig.etcd.put("lock", 1);
    rig.run_to(1_070);
    assert_eq!(rig.sent_at("txn"), [1_060], "a release that looks at the owner");
    assert_eq!(rig.etcd.keys.len(), 1, "it deleted nothing");
    rig.run_to(3_000);
    assert_eq!(rig.etcd.keys.len(), 0, "the lease took the key along");
}

#[test]
fn get_then_put_waits_while_the_key_is_there() {
    let mut rig = Rig::new(taker(Recipe::GetThenPut));
    rig.etcd.put("lock", 1);
    rig.run_to(1_000);
    assert_eq!(rig.worker.status(), Status::Waiting);
    rig.delete("lock");
    rig.run_to(2_000);
    check_token(&rig, 4);
}

#[test]
fn single_keys_are_looked_at_again_after_half_a_minute_too() {
    for recipe in [Recipe::CreateIfAbsent, Recipe::GetThenPut] {
        let mut rig = Rig::new(taker(recipe));
        rig.etcd.put("lock", 1);
        rig.run_to(1_000);
        rig.etcd.delete("lock");
        rig.run_to(31_000);
        check_token(&rig, 4);
        let waits = |note: &WorkerNote| matches!(note, WorkerNote::Waits { .. });
        assert_eq!(rig.notes.iter().filter(|(_, note)| waits(note)).count(), 1);
    }
}

#[test]
fn a_lock_cannot_be_taken_with_a_lease_that_is_gone() {
    for recipe in [Recipe::Queue, Recipe::CreateIfAbsent, Recipe::GetThenPut, Recipe::Election] {
        let mut rig = Rig::new(taker(recipe));
        rig.fault("keepalive", None, Fate::Lost);
        rig.run_to(15);
        rig.etcd.leases.clear();
        rig.run_to(1_000);
        rig.check_at_rest(Status::Stopped(StopReason::SessionOver));
    }
}

fn delete(key: &str) -> Delete {
    Delete { keys: KeyRange::Key(key.into()), prev: Prev::NotWanted }
}

#[track_caller]
fn check_release(recipe: Recipe, release: ReleaseCheck, expected: &Op) {
    let mut config = WorkerConfig { compute: Span::from_s(1), ..taker(recipe) };
    config.policies.release = release;
    let rig = Rig::at(config, 3_000);
    let ops = rig.etcd_ops();
    let [.., delete, revoke] = &ops[..] else { panic!("it releases and closes: {ops:?}") };
    assert_eq!(*delete, expected);
    assert_eq!(**revoke, Op::LeaseRevoke { lease: LeaseId(0xa1) });
    assert_eq!((rig.etcd.keys.len(), rig.etcd.leases.len()), (0, 0));
    rig.check_at_rest(Status::Finished);
}

#[test]
fn a_release_deletes_the_key_only_while_it_is_the_own_one_or_by_its_name() {
    for (recipe, key) in [(Recipe::Queue, "lock/a1"), (Recipe::CreateIfAbsent, "lock")] {
        let own =
            Compare { key: key.into(), target: Target::CreateRevision(2), op: CompareOp::Equal };
        let checked = Txn {
            compare: vec![own],
            success: vec![TxnOp::Delete(delete(key))],
            failure: Vec::new(),
        };
        check_release(recipe, ReleaseCheck::Owner, &Op::Txn(checked));
        check_release(recipe, ReleaseCheck::NameOnly, &Op::Delete(delete(key)));
    }
}

#[test]
fn a_release_by_name_deletes_the_next_holders_key() {
    for (release, keys_left) in [(ReleaseCheck::Owner, 1), (ReleaseCheck::NameOnly, 0)] {
        let mut config = WorkerConfig { compute: Span::from_s(1), ..taker(Recipe::CreateIfAbsent) };
        config.policies.release = release;
        let mut rig = Rig::at(config, 500);
        rig.etcd.leases.clear();
        rig.etcd.delete("lock");
        rig.etcd.put("lock", 9);
        rig.run_to(3_000);
        assert_eq!(rig.etcd.keys.len(), keys_left);
        rig.check_at_rest(Status::Finished);
    }
}

#[test]
fn a_releaser_stops_believing_before_it_asks() {
    let mut rig = Rig::new(WorkerConfig { compute: Span::from_s(1), ..taker(Recipe::Queue) });
    rig.run_to(900);
    rig.cut_etcd();
    rig.run_to(20_000);
    assert_eq!(rig.belief_end(), Some((1_040, BeliefEnd::Released)));
    rig.check_notes(&[
        "Began",
        "acquire",
        "SessionOpened",
        "Believes",
        "compute",
        "release",
        "Releases",
        "BelievesNoMore",
        "Unanswered",
        "Unanswered",
        "Unanswered",
        "SessionClosed",
        "Unanswered",
        "Unanswered",
        "Unanswered",
        "Finished",
    ]);
    rig.check_at_rest(Status::Finished);
}

/// A candidate behind another, whose key came at revision 2.
fn second_candidate() -> Rig {
    let mut rig = Rig::new(taker(Recipe::Election));
    rig.etcd.put("lock/1", 1);
    rig.run_to(1_000);
    rig
}

#[test]
fn a_candidate_asks_for_rivals_before_it_and_leads_when_there_are_none() {
    let rig = Rig::at(taker(Recipe::Election), 1_000);
    assert_eq!(kinds(&rig), ["lease-grant", "txn", "range"]);
    check_token(&rig, 2);
    rig.check_notes(&["Began", "acquire", "SessionOpened", "Believes", "compute"]);
    let mut rig = second_candidate();
    assert_eq!(rig.worker.status(), Status::Waiting);
    assert_eq!(rig.noted_at(&WorkerNote::Waits { create_revision: 3 }), Some(60));
    rig.delete("lock/1");
    rig.run_to(3_000);
    check_token(&rig, 3);
    assert_eq!(&kinds(&rig)[4..], ["watch-cancel", "range"]);
}

#[test]
fn a_candidate_whose_own_key_is_gone_is_elected_all_the_same() {
    let mut rig = second_candidate();
    rig.fault("keepalive", None, Fate::Lost);
    rig.etcd.keys.retain(|kv| kv.create_revision != 3);
    rig.etcd.leases.clear();
    rig.delete("lock/1");
    rig.run_to(2_000);
    check_token(&rig, 3);
}

#[test]
fn to_resign_is_to_delete_the_own_key_while_it_is_the_own_one() {
    let own =
        Compare { key: "lock/a1".into(), target: Target::CreateRevision(2), op: CompareOp::Equal };
    let success = vec![TxnOp::Delete(delete("lock/a1"))];
    let resign = Txn { compare: vec![own], success, failure: Vec::new() };
    check_release(Recipe::Election, ReleaseCheck::Owner, &Op::Txn(resign));
}
