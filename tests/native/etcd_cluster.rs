//! Members that get on with each other: agreement, watches, leases and locks.

use crate::etcd_party::{LATENCY, Party, Sent};
use crate::etcd_run::{
    C1, LEASE, M1, M2, M3, Run, at, call, click, crash, grant, keepalive, play, put,
};
use fencepost::actors::etcd::api::{
    Body, Delete, EtcdError, KeyRange, LeaseId, Op, Prev, Text, WatchCreate, WatchEvent,
};
use fencepost::actors::note::{EtcdNote, GrantEnd, Lasts, LeaseEnd, LockNote};
use fencepost::actors::{Message, Note};
use fencepost::sim::click::Action;
use fencepost::sim::event::{EventId, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::Span;

/// A client puts a key through `to`; compares when the answer is there.
#[track_caller]
fn check_put(to: NodeId, expected: Span) {
    let run = play(vec![vec![call(10, to, put("a", LeaseId::NONE))]], vec![], 50);
    assert_eq!(run.answer(C1, 0), (at(10) + expected, Ok(Body::Put(None))));
    run.check_agreement();
    assert_eq!(run.member(M3).revision(), 42);
    let messages = run.events.iter().filter(|e| matches!(e.what, What::Sent { .. })).count();
    // Request and answer, two appends, their acks, two commits; and two to pass on.
    assert_eq!(messages, if to == M1 { 8 } else { 10 });
}

#[test]
fn a_command_costs_a_round_trip_to_a_majority_and_one_more_hop_each_way_by_a_follower() {
    let hops = |count: i64| Span(LATENCY.0 * count);
    check_put(M1, hops(4));
    check_put(M2, hops(6));
}

#[test]
fn e1_a_lease_of_1_s_is_granted_for_2_s_and_numbers_that_members_choose_differ() {
    let calls = [M1, M2, M2, M3].map(|to| call(10, to, grant(1, LeaseId::NONE)));
    let run = play(vec![calls.to_vec()], vec![], 100);
    let leases: Vec<LeaseId> = (0..4)
        .map(|request| match run.answer(C1, request).1 {
            Ok(Body::Lease { lease, ttl_s: 2 }) => lease,
            other => panic!("a lease of 2 s was expected, not {other:?}"),
        })
        .collect();
    for (place, lease) in leases.iter().enumerate() {
        assert_ne!(*lease, LeaseId::NONE);
        assert!(!leases[..place].contains(lease));
    }
}

#[test]
fn a_watch_tells_at_any_member_of_what_was_and_of_what_comes() {
    let watch = |watch, start_revision| {
        let keys = KeyRange::Prefix("a".into());
        Op::WatchCreate(WatchCreate { watch, keys, start_revision, prev: Prev::NotWanted })
    };
    let calls = vec![
        call(10, M1, put("a", LeaseId::NONE)),
        call(20, M1, put("b", LeaseId::NONE)),
        call(30, M3, watch(1, 42)),
        call(30, M3, watch(2, 0)),
        call(40, M2, put("ab", LeaseId::NONE)),
        call(50, M3, Op::WatchCancel { watch: 1 }),
        call(60, M1, Op::Delete(Delete { keys: KeyRange::Key("a".into()), prev: Prev::NotWanted })),
    ];
    let run = play(vec![calls], vec![], 100);
    let told = run.events.iter().filter_map(|event| match &event.what {
        What::Delivered { body: Sent(Message::EtcdWatch(told)), .. } => {
            let events = told.events.iter().map(|event| match event {
                WatchEvent::Put(kv) => format!("put {} {}", kv.key, kv.mod_revision),
                WatchEvent::Delete { key, mod_revision } => format!("delete {key} {mod_revision}"),
            });
            Some((told.watch, events.collect::<Vec<_>>().join(", ")))
        }
        _ => None,
    });
    let expected = [(1, "put a 42"), (1, "put ab 44"), (2, "put ab 44"), (2, "delete a 45")];
    let told: Vec<(u32, String)> = told.collect();
    assert_eq!(told, expected.map(|(watch, text)| (watch, text.to_owned())));
    assert_eq!(run.member(M3).watches(), 1);
}

#[test]
fn watches_end_with_the_process_and_with_the_client() {
    let keys = KeyRange::Key("a".into());
    let watch = |to| {
        let create =
            WatchCreate { watch: 1, keys: keys.clone(), start_revision: 0, prev: Prev::NotWanted };
        call(10, to, Op::WatchCreate(create))
    };
    let writer = vec![call(100, M1, put("a", LeaseId::NONE))];
    let clients = || vec![vec![watch(M2), watch(M3)], writer.clone()];
    assert_eq!(play(clients(), vec![], 200).member(M2).watches(), 1);
    let restart = Action::Crash { node: M2, restart_after: Some(Span::from_ms(20)) };
    let run = play(clients(), vec![click(50, restart)], 200);
    assert_eq!((run.member(M2).watches(), run.member(M3).watches()), (0, 1));
    let run = play(clients(), vec![click(50, crash(C1))], 200);
    assert_eq!((run.member(M2).watches(), run.member(M3).watches()), (0, 0));
}

#[test]
fn a_watch_from_before_what_is_kept_is_refused() {
    let mut calls: Vec<_> = (0..70).map(|n| call(10 + n, M1, put("a", LeaseId::NONE))).collect();
    for start_revision in [1, 200] {
        let keys = KeyRange::Key("a".into());
        let create = WatchCreate {
            watch: start_revision as u32,
            keys,
            start_revision,
            prev: Prev::NotWanted,
        };
        calls.push(call(500, M1, Op::WatchCreate(create)));
    }
    let run = play(vec![calls], vec![], 600);
    assert_eq!(run.answer(C1, 70).1, Err(EtcdError::Compacted));
    assert_eq!(run.answer(C1, 71).1, Ok(Body::WatchCreated { watch: 200 }));
}

#[test]
fn a_lock_passes_from_lease_to_lease_and_each_change_is_told_once_with_its_causes() {
    let waiter = LeaseId(8);
    let holder = vec![call(0, M1, grant(3, LEASE)), call(10, M1, put("lock/a", LEASE))];
    let next = vec![
        call(20, M2, grant(60, waiter)),
        call(30, M2, put("lock/b", waiter)),
        call(
            6_000,
            M2,
            Op::Delete(Delete { keys: KeyRange::Key("lock/b".into()), prev: Prev::NotWanted }),
        ),
    ];
    let run = play(vec![holder, next], vec![click(1_000, crash(C1))], 8_000);
    let lock: Text = "lock".into();
    let notes: Vec<Note> = run.all_notes().into_iter().map(|(_, _, note)| note).collect();
    let granted = |lease, token| {
        let lasts = Lasts::Lease;
        Note::from(LockNote::Granted { lock: lock.clone(), lease, token, lasts })
    };
    let ended = |lease, how| Note::from(LockNote::Ended { lock: lock.clone(), lease, how });
    let why = LeaseEnd::Expired;
    let how = GrantEnd::Deleted { by: NodeId(4) };
    let expected = [
        EtcdNote::LeaseGranted { lease: LEASE, ttl_s: 3 }.into(),
        granted(LEASE, 42),
        EtcdNote::LeaseGranted { lease: waiter, ttl_s: 60 }.into(),
        EtcdNote::Queued { lock: lock.clone(), lease: waiter, create_revision: 43 }.into(),
        EtcdNote::LeaseOverdue { lease: LEASE }.into(),
        EtcdNote::LeaseEnded { lease: LEASE, why, revision: 44 }.into(),
        ended(LEASE, GrantEnd::Lease(why)),
        granted(waiter, 43),
        ended(waiter, how),
    ];
    assert_eq!(notes, expected);
    let (overdue, _) = run.when(|note| matches!(note, EtcdNote::LeaseOverdue { .. }));
    assert_eq!(overdue, at(3_500), "the first scan after 3 s and a bit");
    check_causes(&run, waiter);
}

/// The lease's end rests on its client's crash, the grant on the end and the queueing.
#[track_caller]
fn check_causes(run: &Run, waiter: LeaseId) {
    let what = |id: &EventId| &run.events[id.index()].what;
    let overdue = run.event(|note| matches!(note, EtcdNote::LeaseOverdue { .. }));
    assert!(overdue.causes.iter().any(|cause| matches!(what(cause), What::Crashed)));
    let is_note = |cause: &EventId, is_meant: fn(&Note) -> bool| match what(cause) {
        What::Note(note) => is_meant(note),
        _ => false,
    };
    let granted = |note: &Note| matches!(note, Note::Etcd(EtcdNote::LeaseGranted { .. }));
    assert!(overdue.causes.iter().any(|cause| is_note(cause, granted)));
    let is_grant = |what: &What<Party>| match what {
        What::Note(Note::Lock(LockNote::Granted { lease, .. })) => *lease == waiter,
        _ => false,
    };
    let grant = run.events.iter().find(|event| is_grant(&event.what)).expect("it was granted");
    let meant: [fn(&Note) -> bool; 2] = [
        |note| matches!(note, Note::Lock(LockNote::Ended { .. })),
        |note| matches!(note, Note::Etcd(EtcdNote::Queued { .. })),
    ];
    for is_meant in meant {
        assert!(grant.causes.iter().any(|cause| is_note(cause, is_meant)));
    }
}

#[test]
fn a_keepalive_after_the_deadline_waits_for_the_revoke_and_is_answered_0() {
    let calls = vec![
        call(0, M1, grant(2, LEASE)),
        call(1_900, M2, keepalive()),
        call(3_950, M2, keepalive()),
    ];
    let run = play(vec![calls], vec![], 5_000);
    assert_eq!(run.answer(C1, 1).1, Ok(Body::Lease { lease: LEASE, ttl_s: 2 }));
    // Renewed at 1,901 ms, overdue at 3,901, scanned at 4,000.
    let (answered, result) = run.answer(C1, 2);
    assert_eq!(result, Ok(Body::Lease { lease: LEASE, ttl_s: 0 }));
    assert_eq!(answered, at(4_000) + Span(LATENCY.0 * 4));
}
