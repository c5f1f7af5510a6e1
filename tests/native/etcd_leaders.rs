//! Members that fail each other: leader change, restarts, cuts, pauses, lost messages.

use crate::etcd_party::LATENCY;
use crate::etcd_run::{
    C1, LEASE, M1, M2, M3, at, call, click, crash, cut, cut_off, grant, keepalive, pause, play, put,
};
use fencepost::actors::etcd::Part;
use fencepost::actors::etcd::api::{Body, EtcdError, LeaseId, Op, Range, Reads};
use fencepost::actors::note::EtcdNote;
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{MessageRef, What};
use fencepost::sim::process::{Hearing, NodeId};
use fencepost::sim::time::{Span, TrueTime};

#[test]
fn e2_a_new_leader_gives_every_lease_an_election_timeout_and_a_whole_ttl() {
    // Nobody renews the lease. The leader ends so that another leads at about 8 s.
    let calls = vec![call(0, M1, grant(10, LEASE)), call(10, M1, put("lock", LEASE))];
    let run = play(vec![calls], vec![click(6_700, crash(M1))], 25_000);
    let (leads, new) = run.when(|note| matches!(note, EtcdNote::Leads { .. }));
    assert!(leads >= at(7_700) && leads <= at(8_710), "elected at {leads:?}");
    let is_end = |note: &EtcdNote| matches!(note, EtcdNote::LeaseEnded { .. });
    let (ended, by) = run.when(is_end);
    assert_eq!(by, new);
    let late = ended - leads - Span::from_s(1 + 10);
    assert!(late >= Span::ZERO, "ended {late:?} after the re-armed deadline");
    assert!(late <= Span::from_ms(500) + LATENCY + LATENCY, "ended {late:?} late");
    assert_eq!(run.member(new).keys(), []);
}

#[test]
fn a_leader_that_is_cut_off_gives_up_and_renews_nothing_meanwhile() {
    let calls = vec![
        call(0, M1, grant(10, LEASE)),
        call(1_100, M1, keepalive()),
        call(1_200, M1, put("a", LeaseId::NONE)),
        call(2_500, M1, put("b", LeaseId::NONE)),
        call(4_000, M2, put("c", LeaseId::NONE)),
    ];
    let run = play(vec![calls], cut_off(M1, 1_000, 5_000), 7_000);
    let (stepped_down, by) = run.when(|note| matches!(note, EtcdNote::SteppedDown { .. }));
    assert_eq!((stepped_down, by), (at(2_000), M1));
    let renewed = |note: &EtcdNote| matches!(note, EtcdNote::LeaseRenewed { .. });
    assert!(!run.notes().iter().any(|(_, _, note)| renewed(note)));
    for request in [1, 2] {
        assert_eq!(run.answer(C1, request), (at(2_000) + LATENCY, Err(EtcdError::LeaderChanged)));
    }
    assert_eq!(run.answer(C1, 3).1, Err(EtcdError::NoLeader));
    assert_eq!(run.answer(C1, 4).1, Ok(Body::Put(None)));
    run.check_agreement();
    let keys: Vec<&str> = run.member(M1).keys().iter().map(|kv| &*kv.key).collect();
    assert_eq!(keys, ["c"], "what the old leader could not commit is gone");
    assert_eq!(run.member(M1).term(), 2);
}

#[test]
fn a_follower_that_was_cut_off_disturbs_nobody_when_it_returns() {
    let calls = vec![call(3_000, M1, put("a", LeaseId::NONE))];
    let run = play(vec![calls], cut_off(M3, 1_000, 5_000), 9_000);
    run.check_agreement();
    assert_eq!((run.member(M1).part(), run.member(M1).term()), (Part::Leader, 1));
    assert_eq!(run.member(M3).revision(), 42);
}

#[test]
fn a_follower_that_alone_does_not_hear_the_leader_gives_up_asking_for_votes() {
    let calls = vec![call(3_000, M3, put("a", LeaseId::NONE)), call(9_500, M3, keepalive())];
    let run = play(vec![calls], vec![click(1_000, cut(M1, M3, 8_000))], 10_000);
    let votes = run.events.iter().filter(|event| match &event.what {
        What::Sent { message, .. } => message.kind == "vote",
        _ => false,
    });
    // It asks the one that it hears, once.
    assert_eq!(votes.count(), 1);
    assert_eq!(run.answer(C1, 0).1, Err(EtcdError::NoLeader));
    assert_eq!(run.answer(C1, 1).1, Ok(Body::Lease { lease: LEASE, ttl_s: 0 }));
    run.check_agreement();
    assert_eq!(run.member(M1).term(), 1);
}

#[test]
fn a_leader_that_hears_but_is_not_heard_is_told_that_another_leads() {
    let calls = vec![call(0, M1, grant(10, LEASE)), call(4_000, M1, keepalive())];
    let cuts = [M2, M3].map(|to| click(1_000, cut(M1, to, 5_000)));
    let run = play(vec![calls], cuts.to_vec(), 8_000);
    let renewed = |note: &EtcdNote| matches!(note, EtcdNote::LeaseRenewed { .. });
    assert!(!run.notes().iter().any(|(_, _, note)| renewed(note)));
    let (stepped_down, by) = run.when(|note| matches!(note, EtcdNote::SteppedDown { .. }));
    assert!(stepped_down < at(3_001) && by == M1);
    run.check_agreement();
    assert_eq!(run.member(M1).term(), 2);
}

#[test]
fn a_paused_leader_does_not_answer_waiting_renewals_as_if_it_still_led() {
    let calls = vec![call(0, M1, grant(10, LEASE)), call(1_100, M1, keepalive())];
    let run = play(vec![calls], vec![click(1_000, pause(M1, 4_000))], 7_000);
    let renewed = |note: &EtcdNote| matches!(note, EtcdNote::LeaseRenewed { .. });
    assert!(!run.notes().iter().any(|(_, _, note)| renewed(note)));
    assert_eq!(run.answer(C1, 1).1, Err(EtcdError::LeaderChanged));
    run.check_agreement();
    assert_eq!(run.member(M1).part(), Part::Follower);
}

#[test]
fn a_leader_paused_for_less_than_an_election_goes_on_leading() {
    let calls = vec![call(0, M1, grant(10, LEASE)), call(1_100, M1, keepalive())];
    let run = play(vec![calls], vec![click(1_000, pause(M1, 500))], 4_000);
    assert_eq!(run.answer(C1, 1).1, Ok(Body::Lease { lease: LEASE, ttl_s: 10 }));
    run.check_agreement();
    assert_eq!((run.member(M1).part(), run.member(M1).term()), (Part::Leader, 1));
}

#[test]
fn a_leader_that_restarts_before_anybody_misses_it_leads_no_more_until_elected() {
    let calls = vec![
        call(0, M1, grant(10, LEASE)),
        call(10, M1, put("lock", LEASE)),
        call(1_500, M2, Op::Range(Range::key("lock"))),
        call(5_000, M2, Op::Range(Range::key("lock"))),
    ];
    let restart = Action::Crash { node: M1, restart_after: Some(Span::from_ms(100)) };
    let run = play(vec![calls], vec![click(1_000, restart)], 8_000);
    assert_eq!(run.answer(C1, 2).1, Err(EtcdError::NoLeader));
    assert!(matches!(run.answer(C1, 3).1, Ok(Body::Range(reply)) if reply.count == 1));
    run.check_agreement();
    assert_eq!(run.member(M1).term(), 2);
}

/// A put through `via` while one message is dropped is answered and reaches all.
#[track_caller]
fn check_dropped(from: NodeId, to: NodeId, kind: &'static str, via: NodeId) {
    let message = MessageRef { from, to, kind, nth: 1 };
    let drop = |us| Click { at: TrueTime(us), action: Action::Drop { message: message.clone() } };
    // Some time after it was sent and before it arrives.
    let clicks: Vec<_> = (0..8).map(|hop| drop(10_000 + 250 + 500 * hop)).collect();
    let run = play(vec![vec![call(10, via, put("a", LeaseId::NONE))]], clicks, 1_000);
    let lost = run.events.iter().any(|event| match &event.what {
        What::Lost { message: lost, .. } => *lost == message,
        _ => false,
    });
    assert!(lost, "the message was to be dropped");
    assert_eq!(run.answer(C1, 0).1, Ok(Body::Put(None)));
    run.check_agreement();
}

#[test]
fn a_lost_message_between_members_is_made_up_for() {
    check_dropped(M1, M2, "append", M1);
    check_dropped(M1, M2, "append", M2);
    check_dropped(M2, M1, "append-ack", M1);
    check_dropped(M1, M3, "commit", M1);
    check_dropped(M1, M2, "commit", M2);
}

#[test]
fn a_follower_that_was_down_is_brought_up_to_date_with_the_state() {
    let calls = (0..5).map(|n| call(200 + n, M1, put("a", LeaseId::NONE))).collect();
    let restart = Action::Crash { node: M3, restart_after: Some(Span::from_ms(900)) };
    let run = play(vec![calls], vec![click(100, restart)], 1_200);
    run.check_agreement();
    assert_eq!(run.member(M3).revision(), 46);
}

#[test]
fn without_a_majority_nothing_is_committed_and_nothing_goes_round_in_circles() {
    let calls =
        vec![call(100, M3, put("a", LeaseId::NONE)), call(3_000, M3, put("b", LeaseId::NONE))];
    let run = play(vec![calls], vec![click(50, crash(M1)), click(50, crash(M2))], 60_000);
    assert_eq!(run.answer(C1, 0).1, Err(EtcdError::NoLeader));
    assert_eq!(run.answer(C1, 1).1, Err(EtcdError::NoLeader));
    assert_eq!(run.member(M3).revision(), 41);
    assert!(run.events.last().is_some_and(|event| event.at < at(3_100)));
    assert_eq!(run.world.next_due(), None);
}

#[test]
fn a_request_to_a_leader_that_has_just_died_is_answered_by_the_follower_that_passed_it_on() {
    let calls = vec![call(10, M2, put("a", LeaseId::NONE))];
    // The request leaves M2 at 10.5 ms; M1 dies before it arrives.
    let die = Click { at: TrueTime(10_700), action: crash(M1) };
    let run = play(vec![calls], vec![die], 1_000);
    assert_eq!(run.answer(C1, 0).1, Err(EtcdError::NoLeader));
    assert!(run.is_answered(0));
}

#[test]
fn members_notice_silence_and_hear_again() {
    let run = play(vec![], vec![click(1_000, pause(M1, 500))], 3_000);
    let heard = run.events.iter().filter_map(|event| match event.what {
        What::Hears { peer, hearing } => Some((event.at, event.node, peer, hearing)),
        _ => None,
    });
    let (silent, again) = (Hearing::Silent, Hearing::Heard);
    let expected = [
        (at(1_000), M2, M1, silent),
        (at(1_000), M3, M1, silent),
        (at(1_500), M1, M2, again),
        (at(1_500), M1, M3, again),
        (at(1_500), M2, M1, again),
        (at(1_500), M3, M1, again),
    ];
    assert_eq!(heard.collect::<Vec<_>>(), expected);
}

#[test]
fn a_member_that_is_cut_off_answers_a_serializable_read_from_what_it_has() {
    let read = |reads| Op::Range(Range { reads, ..Range::key("lock") });
    let calls = vec![
        call(0, M1, grant(60, LEASE)),
        call(100, M1, put("lock", LEASE)),
        call(3_000, M2, Op::LeaseRevoke { lease: LEASE }),
        call(4_000, M1, read(Reads::Serializable)),
        call(4_100, M1, read(Reads::Linearizable)),
        call(4_200, M2, read(Reads::Serializable)),
    ];
    let run = play(vec![calls], cut_off(M1, 1_000, 5_000), 8_000);
    let found = |request| match run.answer(C1, request).1 {
        Ok(Body::Range(range)) => Ok(range.count),
        Ok(other) => panic!("a read is answered with keys, not {other:?}"),
        Err(error) => Err(error),
    };
    assert_eq!(found(3), Ok(1), "it has not heard that the lease was revoked");
    assert_eq!(found(4), Err(EtcdError::NoLeader));
    assert_eq!(found(5), Ok(0));
}
