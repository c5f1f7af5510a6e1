//! Members among themselves: agreement, leader change, leases and locks across it.

use crate::etcd_party::{Cluster, LATENCY, Party, Sent, member, run};
use fencepost::actors::etcd::api::{
    Body, Delete, EtcdError, KeyRange, LeaseId, Op, Put, Range, RequestId, Response, Text,
    WatchCreate, WatchEvent,
};
use fencepost::actors::etcd::{Member, Part};
use fencepost::actors::note::{EtcdNote, GrantEnd, LeaseEnd};
use fencepost::actors::{Message, Note};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event, EventId, MessageRef, What};
use fencepost::sim::process::{Hearing, NodeId};
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;

const M1: NodeId = NodeId(0);
const M2: NodeId = NodeId(1);
const M3: NodeId = NodeId(2);
const C1: NodeId = NodeId(3);
/// A lease of a number that the client chose.
const LEASE: LeaseId = LeaseId(7);

fn at(ms: i64) -> TrueTime {
    TrueTime(ms * 1_000)
}

fn call(ms: i64, to: NodeId, op: Op) -> (Span, NodeId, Op) {
    (Span::from_ms(ms), to, op)
}

fn grant(ttl_s: i64, lease: LeaseId) -> Op {
    Op::LeaseGrant { ttl_s, lease }
}

fn put(key: &str, lease: LeaseId) -> Op {
    Op::Put(Put { key: key.into(), value: "v".into(), lease })
}

fn keepalive() -> Op {
    Op::LeaseKeepAlive { lease: LEASE }
}

fn click(ms: i64, action: Action<Party>) -> Click<Party> {
    Click { at: at(ms), action }
}

fn crash(node: NodeId) -> Action<Party> {
    Action::Crash { node, restart_after: None }
}

fn pause(node: NodeId, ms: i64) -> Action<Party> {
    Action::Pause { node, lasting: Some(Span::from_ms(ms)) }
}

fn cut(from: NodeId, to: NodeId, ms: i64) -> Action<Party> {
    Action::Cut { from, to, lasting: Some(Span::from_ms(ms)) }
}

/// Cuts a member from the other two, both ways.
fn cut_off(node: NodeId, from_ms: i64, lasting_ms: i64) -> Vec<Click<Party>> {
    let others = [M1, M2, M3].into_iter().filter(|other| *other != node);
    let links = others.flat_map(|other| [(node, other), (other, node)]);
    links.map(|(from, to)| click(from_ms, cut(from, to, lasting_ms))).collect()
}

/// A finished run of three members.
struct Run {
    world: World<Party>,
    events: Vec<Event<Party>>,
}

fn play(clients: Vec<Vec<(Span, NodeId, Op)>>, clicks: Vec<Click<Party>>, until: i64) -> Run {
    let mut world = Cluster { clicks, ..Cluster::new(3, clients) }.world();
    let events = run(&mut world, at(until));
    Run { world, events }
}

impl Run {
    fn member(&self, place: NodeId) -> &Member {
        member(&self.world, place)
    }

    /// The answer to a client's request, and when it came.
    #[track_caller]
    fn answer(&self, client: NodeId, request: u32) -> (TrueTime, Result<Body, EtcdError>) {
        let mut answers = self.events.iter().filter_map(|event| match &event.what {
            What::Delivered {
                body: Sent(Message::EtcdAnswer(Response { id, result })), ..
            } if event.node == client && *id == RequestId(request) => {
                Some((event.at, result.clone().map(|reply| reply.body)))
            }
            _ => None,
        });
        let answer = answers.next().expect("the request was answered");
        assert_eq!(answers.next(), None, "a request is answered once");
        answer
    }

    fn is_answered(&self, request: u32) -> bool {
        self.events.iter().any(|event| match &event.what {
            What::Delivered { body: Sent(Message::EtcdAnswer(response)), .. } => {
                response.id == RequestId(request)
            }
            _ => false,
        })
    }

    /// The members' notes, with when and where.
    fn notes(&self) -> Vec<(TrueTime, NodeId, EtcdNote)> {
        let notes = self.events.iter().filter_map(|event| match &event.what {
            What::Note(Note::Etcd(note)) => Some((event.at, event.node, note.clone())),
            _ => None,
        });
        notes.collect()
    }

    #[track_caller]
    fn when(&self, is_meant: impl Fn(&EtcdNote) -> bool) -> (TrueTime, NodeId) {
        let notes = self.notes();
        let found = notes.iter().find(|(_, _, note)| is_meant(note));
        found.map(|(at, node, _)| (*at, *node)).expect("the note was made")
    }

    fn event(&self, is_meant: impl Fn(&EtcdNote) -> bool) -> &Event<Party> {
        let found = self.events.iter().find(|event| match &event.what {
            What::Note(Note::Etcd(note)) => is_meant(note),
            _ => false,
        });
        found.expect("the note was made")
    }

    /// All members have applied the same, and one of them leads.
    #[track_caller]
    fn check_agreement(&self) {
        let members = [M1, M2, M3].map(|place| self.member(place));
        for other in &members[1..] {
            assert_eq!(members[0].applied_index(), other.applied_index());
            assert_eq!(members[0].keys(), other.keys());
            assert_eq!(members[0].revision(), other.revision());
            assert_eq!(members[0].term(), other.term());
            assert_eq!(members[0].leader(), other.leader());
        }
        assert!(members.iter().all(|member| member.uncommitted() == 0));
        let leaders = members.iter().filter(|member| member.part() == Part::Leader);
        assert_eq!(leaders.count(), 1);
    }
}

/// A client puts a key through `to`; compares when the answer is there.
#[track_caller]
fn check_put(to: NodeId, expected: Span) {
    let run = play(vec![vec![call(10, to, put("a", LeaseId::NONE))]], vec![], 50);
    assert_eq!(run.answer(C1, 0), (at(10) + expected, Ok(Body::Put)));
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
fn the_least_ttl_is_2_s_and_numbers_that_members_choose_differ() {
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
        Op::WatchCreate(WatchCreate { watch, keys, start_revision })
    };
    let calls = vec![
        call(10, M1, put("a", LeaseId::NONE)),
        call(20, M1, put("b", LeaseId::NONE)),
        call(30, M3, watch(1, 42)),
        call(30, M3, watch(2, 0)),
        call(40, M2, put("ab", LeaseId::NONE)),
        call(50, M3, Op::WatchCancel { watch: 1 }),
        call(60, M1, Op::Delete(Delete { keys: KeyRange::Key("a".into()) })),
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
        let create = WatchCreate { watch: 1, keys: keys.clone(), start_revision: 0 };
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
        let create = WatchCreate { watch: start_revision as u32, keys, start_revision };
        calls.push(call(500, M1, Op::WatchCreate(create)));
    }
    let run = play(vec![calls], vec![], 600);
    assert_eq!(run.answer(C1, 70).1, Err(EtcdError::Compacted));
    assert_eq!(run.answer(C1, 71).1, Ok(Body::WatchCreated { watch: 200 }));
}

#[test]
fn a_new_leader_gives_every_lease_an_election_timeout_and_a_whole_ttl() {
    let calls = vec![call(0, M1, grant(10, LEASE)), call(10, M1, put("lock", LEASE))];
    let run = play(vec![calls], vec![click(6_700, crash(M1))], 25_000);
    let (leads, new) = run.when(|note| matches!(note, EtcdNote::Leads { .. }));
    assert!(leads >= at(7_700) && leads <= at(8_710), "elected at {leads:?}");
    let is_end = |note: &EtcdNote| matches!(note, EtcdNote::LeaseEnded { .. });
    let (ended, by) = run.when(is_end);
    assert_eq!(by, new);
    let late = ended - leads - Span::from_s(11);
    assert!(late >= Span::ZERO, "ended {late:?} after the re-armed deadline");
    assert!(late <= Span::from_ms(500) + LATENCY + LATENCY, "ended {late:?} late");
    assert_eq!(run.member(new).keys(), []);
}

#[test]
fn a_lock_passes_from_lease_to_lease_and_each_change_is_told_once_with_its_causes() {
    let waiter = LeaseId(8);
    let holder = vec![call(0, M1, grant(3, LEASE)), call(10, M1, put("lock/a", LEASE))];
    let next = vec![
        call(20, M2, grant(60, waiter)),
        call(30, M2, put("lock/b", waiter)),
        call(6_000, M2, Op::Delete(Delete { keys: KeyRange::Key("lock/b".into()) })),
    ];
    let run = play(vec![holder, next], vec![click(1_000, crash(C1))], 8_000);
    let lock: Text = "lock".into();
    let notes: Vec<EtcdNote> = run.notes().into_iter().map(|(_, _, note)| note).collect();
    let granted = |lease, create_revision| EtcdNote::LockGranted {
        lock: lock.clone(),
        lease,
        create_revision,
    };
    let why = LeaseEnd::Expired;
    let how = GrantEnd::Deleted { by: NodeId(4) };
    let expected = [
        EtcdNote::LeaseGranted { lease: LEASE, ttl_s: 3 },
        granted(LEASE, 42),
        EtcdNote::LeaseGranted { lease: waiter, ttl_s: 60 },
        EtcdNote::Queued { lock: lock.clone(), lease: waiter, create_revision: 43 },
        EtcdNote::LeaseOverdue { lease: LEASE },
        EtcdNote::LeaseEnded { lease: LEASE, why, revision: 44 },
        EtcdNote::LockEnded { lock: lock.clone(), lease: LEASE, how: GrantEnd::Lease(why) },
        granted(waiter, 43),
        EtcdNote::LockEnded { lock: lock.clone(), lease: waiter, how },
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
    let is_note = |cause: &EventId, is_meant: fn(&EtcdNote) -> bool| match what(cause) {
        What::Note(Note::Etcd(note)) => is_meant(note),
        _ => false,
    };
    assert!(
        overdue
            .causes
            .iter()
            .any(|cause| { is_note(cause, |note| matches!(note, EtcdNote::LeaseGranted { .. })) })
    );
    let grant =
        run.event(|note| matches!(note, EtcdNote::LockGranted { lease, .. } if *lease == waiter));
    for is_meant in
        [(|note| matches!(note, EtcdNote::LockEnded { .. })) as fn(&EtcdNote) -> bool, |note| {
            matches!(note, EtcdNote::Queued { .. })
        }]
    {
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
    assert_eq!(run.answer(C1, 4).1, Ok(Body::Put));
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
    assert_eq!(run.answer(C1, 0).1, Ok(Body::Put));
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
