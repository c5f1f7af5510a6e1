//! The lock and the election service of etcd's members, in a cluster of three, and what a
//! transaction that looks at a lock's key is worth.

use crate::etcd_run::{C1, LEASE, M1, M2, M3, Run, at, call, click, crash, grant, play};
use fencepost::actors::etcd::api::{
    Body, Compare, CompareOp, EtcdError, LeaderKey, LeaseId, Op, Put, Range, Revision,
    ServiceError, ServiceOp, ServiceReply, Target, Txn, TxnOp,
};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::Span;

const OTHER: LeaseId = LeaseId(8);

fn lock(lease: LeaseId) -> Op {
    Op::Service(ServiceOp::Lock { name: "lock".into(), lease })
}

fn campaign(lease: LeaseId, value: &str) -> Op {
    Op::Service(ServiceOp::Campaign { name: "lock".into(), lease, value: value.into() })
}

fn revoke(lease: LeaseId) -> Op {
    Op::LeaseRevoke { lease }
}

fn locked(key: &str) -> Result<Body, EtcdError> {
    Ok(Body::Service(ServiceReply::Locked { key: key.into() }))
}

fn refused(error: ServiceError) -> Result<Body, EtcdError> {
    Err(EtcdError::Service(error))
}

/// Plays the calls after two leases were granted at the first member, at 0 and 10 ms.
fn played(ttl_s: i64, calls: Vec<(Span, NodeId, Op)>, until_ms: i64) -> Run {
    let grants = [call(0, M1, grant(ttl_s, LEASE)), call(10, M1, grant(60, OTHER))];
    play(vec![grants.into_iter().chain(calls).collect()], vec![], until_ms)
}

#[test]
fn a_lock_call_at_any_member_waits_until_the_lease_before_it_is_over() {
    let calls = vec![call(100, M2, lock(LEASE)), call(200, M3, lock(OTHER))];
    let run = played(2, calls, 10_000);
    assert_eq!(run.answer(C1, 2).1, locked("lock/7"));
    let (when, result) = run.answer(C1, 3);
    assert_eq!(result, locked("lock/8"));
    // The first lease lasts 2 s, and is looked at every 500 ms.
    assert!(at(2_000) <= when && when <= at(2_600), "{when:?}");
    run.check_agreement();
}

#[test]
fn who_comes_first_is_told_once_all_before_it_are_gone_and_not_at_the_first_end() {
    let third = LeaseId(9);
    let calls = vec![
        call(20, M1, grant(60, third)),
        call(100, M1, lock(LEASE)),
        call(200, M2, lock(OTHER)),
        call(300, M3, lock(third)),
        // The one in the middle gives up: the last one still waits for the first.
        call(1_000, M1, revoke(OTHER)),
        call(2_000, M1, revoke(LEASE)),
    ];
    let run = played(60, calls, 5_000);
    let (when, result) = run.answer(C1, 5);
    assert_eq!(result, locked("lock/9"));
    assert!(at(2_000) < when && when < at(2_000) + Span::from_ms(12), "{when:?}");
}

#[test]
fn a_waiter_whose_own_lease_is_over_is_refused_a_lock_but_not_an_election() {
    let calls = |op: fn(LeaseId) -> Op| {
        vec![
            call(100, M1, op(LEASE)),
            call(200, M2, op(OTHER)),
            call(1_000, M1, revoke(OTHER)),
            call(2_000, M1, revoke(LEASE)),
        ]
    };
    let run = played(60, calls(lock), 5_000);
    assert!(run.answer(C1, 3).0 > at(2_000), "it waits for those before it all the same");
    assert_eq!(run.answer(C1, 3).1, refused(ServiceError::SessionExpired));
    // `Campaign` looks at nobody's key but those before its own.
    let run = played(60, calls(|lease| campaign(lease, "me")), 5_000);
    let elected = LeaderKey { name: "lock".into(), key: "lock/8".into(), rev: 43, lease: OTHER };
    assert_eq!(run.answer(C1, 3).1, Ok(Body::Service(ServiceReply::Elected(elected))));
}

#[test]
fn a_service_passes_on_what_etcd_refuses_it() {
    let run = played(60, vec![call(100, M2, lock(LeaseId(99)))], 1_000);
    let (_, result) = run.answer(C1, 2);
    assert_eq!(result, refused(ServiceError::LeaseNotFound));
    let error = result.expect_err("it was refused");
    assert_eq!(error.code(), "UNKNOWN");
    assert_eq!(error.to_string(), "etcdserver: requested lease not found");
}

#[test]
fn a_call_that_is_sent_again_is_one_call_and_dies_with_its_member() {
    let calls = vec![
        call(0, M1, grant(60, LEASE)),
        call(10, M1, grant(60, OTHER)),
        call(100, M1, lock(LEASE)),
        call(200, M2, lock(OTHER)),
        call(3_000, M1, revoke(LEASE)),
    ];
    let run = play(vec![calls], vec![click(1_000, crash(M2))], 6_000);
    assert!(!run.is_answered(3), "nobody is left who could answer");
    // The key stays in the queue, and first in it, as long as its lease.
    assert_eq!(run.member(M1).holder("lock").map(|holder| holder.lease), Some(OTHER));
}

#[test]
fn a_candidate_that_stands_again_says_what_it_says_now() {
    let calls = vec![
        call(100, M2, campaign(LEASE, "one")),
        call(200, M2, campaign(LEASE, "two")),
        call(300, M3, Op::Service(ServiceOp::Leader { name: "lock".into() })),
    ];
    let run = played(60, calls, 1_000);
    let Ok(Body::Service(ServiceReply::Leader(kv))) = run.answer(C1, 4).1 else {
        panic!("there is a leader")
    };
    assert_eq!((&*kv.value, kv.create_revision, kv.mod_revision), ("two", 42, 43));
}

/// A write of the report, if something holds.
fn write(compare: Vec<Compare>) -> Op {
    let success = vec![TxnOp::Put(Put::new("report", "v", LeaseId::NONE))];
    let failure = vec![TxnOp::Range(Range::key("report"))];
    Op::Txn(Txn { compare, success, failure })
}

fn equal(key: &str, target: Target) -> Compare {
    Compare { key: key.into(), target, op: CompareOp::Equal }
}

/// That the lease's key is still the one with which the lock was granted.
fn guard(key: &str, created: Revision) -> Vec<Compare> {
    vec![equal(key, Target::CreateRevision(created))]
}

/// The first holder's lease is over at 2 to 2.5 s and its write arrives at 5 s; the second
/// is granted the lock between and writes at 4 s.
#[track_caller]
fn check_writes(first: Vec<Compare>, second: Vec<Compare>, expected: [bool; 2]) {
    let calls = vec![
        call(100, M2, lock(LEASE)),
        call(200, M3, lock(OTHER)),
        call(4_000, M3, write(second)),
        call(5_000, M2, write(first)),
    ];
    let run = played(2, calls, 10_000);
    let succeeded = |request| match run.answer(C1, request).1 {
        Ok(Body::Txn { succeeded, .. }) => succeeded,
        other => panic!("a write is a transaction, not {other:?}"),
    };
    assert_eq!([succeeded(5), succeeded(4)], expected);
}

#[test]
fn a_write_with_the_guard_in_its_own_transaction_fails_once_the_lease_is_gone() {
    check_writes(guard("lock/7", 42), guard("lock/8", 43), [false, true]);
}

#[test]
fn a_write_without_a_guard_is_carried_out_whoever_holds_the_lock() {
    check_writes(vec![], guard("lock/8", 43), [true, true]);
}

#[test]
fn equality_with_the_number_last_seen_refuses_the_rightful_holder() {
    // As the store of `contrib/lock` has it: the number seen first is written down, and all
    // that follow have to be equal. The first holder has written down its own.
    let last_seen = |lease: &str| vec![equal("last-seen", Target::Value(lease.into()))];
    let calls = vec![
        call(100, M2, lock(LEASE)),
        call(150, M2, Op::Put(Put::new("last-seen", "42", LeaseId::NONE))),
        call(200, M3, lock(OTHER)),
        call(4_000, M3, write(last_seen("43"))),
        call(5_000, M2, write(last_seen("42"))),
    ];
    let run = played(2, calls, 10_000);
    assert!(matches!(run.answer(C1, 5).1, Ok(Body::Txn { succeeded: false, .. })));
    assert!(matches!(run.answer(C1, 6).1, Ok(Body::Txn { succeeded: true, .. })));
}

#[test]
fn a_guard_that_is_asked_first_and_not_in_the_transaction_lets_a_stale_write_through() {
    let calls = vec![
        call(100, M2, lock(LEASE)),
        call(
            1_900,
            M2,
            Op::Txn(Txn { compare: guard("lock/7", 42), success: vec![], failure: vec![] }),
        ),
        call(5_000, M2, write(vec![])),
    ];
    let run = played(2, calls, 10_000);
    assert!(matches!(run.answer(C1, 3).1, Ok(Body::Txn { succeeded: true, .. })));
    assert!(matches!(run.answer(C1, 4).1, Ok(Body::Txn { succeeded: true, .. })));
}

#[test]
fn a_proclamation_changes_the_mod_revision_and_a_guard_by_it_refuses_the_leader() {
    let leader = LeaderKey { name: "lock".into(), key: "lock/7".into(), rev: 42, lease: LEASE };
    let by_mod = vec![equal("lock/7", Target::ModRevision(42))];
    let calls = vec![
        call(100, M2, campaign(LEASE, "one")),
        call(200, M2, Op::Service(ServiceOp::Proclaim { leader, value: "two".into() })),
        call(300, M2, write(by_mod)),
        call(400, M2, write(guard("lock/7", 42))),
    ];
    let run = played(60, calls, 1_000);
    assert!(matches!(run.answer(C1, 4).1, Ok(Body::Txn { succeeded: false, .. })));
    assert!(matches!(run.answer(C1, 5).1, Ok(Body::Txn { succeeded: true, .. })));
}

#[test]
fn f13_compare_and_set_of_a_random_token_lets_the_holders_pass_each_other() {
    // A fence without an order: whoever begins puts a token of its own over the one it finds,
    // and writes only while its own stands there. A stale holder that begins once more wins.
    let takes = |token: &str| Op::Put(Put::new("fence", token, LeaseId::NONE));
    let stands = |token: &str| write(vec![equal("fence", Target::Value(token.into()))]);
    let calls = vec![
        call(100, M1, takes("8f1c")),
        call(200, M2, takes("30aa")),
        call(300, M1, takes("e577")),
        call(400, M2, stands("30aa")),
        call(500, M1, stands("e577")),
    ];
    let run = played(60, calls, 1_000);
    assert!(matches!(run.answer(C1, 5).1, Ok(Body::Txn { succeeded: false, .. })), "the second");
    assert!(matches!(run.answer(C1, 6).1, Ok(Body::Txn { succeeded: true, .. })), "the first");
}
