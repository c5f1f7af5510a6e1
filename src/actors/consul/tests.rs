//! The server by itself, with a client that asks: documented behaviour, and the times from a
//! holder's death to the next grant.

use super::api::{
    Ask, Behavior, ConsulError, Get, Kv, NewSession, Reads, Reply, Request, RequestId, SessionId,
    TxnOp, Verb,
};
use super::bench::{ALL, Bench, CLIENT, KEY};
use crate::actors::Message;
use crate::sim::process::{Input, NodeId};
use crate::sim::time::Span;

/// The first whole second at which another session can take the lock.
fn taken_at(bench: &mut Bench) -> i64 {
    // Without a TTL a session never ends by itself.
    let other = bench.session(0, 15, Behavior::Release);
    let begin = bench.now.0 / 1_000_000;
    let mut seconds = begin..begin + 1_000;
    let taken = seconds.find(|second| bench.at(*second).acquire(other) == Ok(true));
    taken.expect("the lock is free in the end")
}

#[test]
fn a_session_ends_after_twice_its_ttl_and_the_lock_is_free_after_the_lock_delay() {
    let mut bench = Bench::of(1);
    let holder = bench.session(10, 15, Behavior::Release);
    assert_eq!(bench.acquire(holder), Ok(true));
    assert!(bench.at(19).is_there(holder));
    assert!(!bench.at(20).is_there(holder));
    assert_eq!(bench.entry().session, None);
    assert_eq!(taken_at(&mut bench), 35);
}

#[test]
fn a_new_term_gives_every_session_its_whole_time_anew() {
    let mut bench = Bench::of(1);
    let holder = bench.session(10, 15, Behavior::Release);
    assert_eq!(bench.acquire(holder), Ok(true));
    bench.at(10).restart();
    assert_eq!(bench.at(12).ask(Ask::Renew(holder)), Err(ConsulError::NoLeader));
    // It leads from second 15 on.
    assert!(bench.at(34).is_there(holder));
    assert!(!bench.at(35).is_there(holder));
    assert_eq!(taken_at(&mut bench), 50);
}

#[test]
fn a_clean_release_leaves_no_lock_delay() {
    let mut bench = Bench::of(1);
    let holder = bench.session(10, 15, Behavior::Release);
    assert_eq!(bench.acquire(holder), Ok(true));
    assert_eq!(bench.at(5).kv(Verb::Release("".into(), holder)), Ok(true));
    assert_eq!(taken_at(&mut bench), 5);
}

#[test]
fn a_session_that_is_destroyed_while_it_holds_the_lock_leaves_a_lock_delay() {
    for (asked_s, expected_s) in [(15, 18), (0, 3), (600, 63)] {
        let mut bench = Bench::of(1);
        let holder = bench.session(10, asked_s, Behavior::Release);
        assert_eq!(bench.acquire(holder), Ok(true));
        assert_eq!(bench.at(3).ask(Ask::Destroy(holder)), Ok(Reply::Is(true)));
        assert_eq!(taken_at(&mut bench), expected_s, "asked for {asked_s} s");
    }
}

#[test]
fn a_server_that_starts_again_has_forgotten_the_lock_delay() {
    let mut bench = Bench::of(1);
    let holder = bench.session(10, 60, Behavior::Release);
    assert_eq!(bench.acquire(holder), Ok(true));
    bench.at(21).restart();
    assert_eq!(taken_at(bench.at(26)), 26);
}

#[test]
fn renewing_gives_a_session_its_whole_time_and_is_not_in_the_log() {
    let mut bench = Bench::of(1);
    let session = bench.session(10, 15, Behavior::Release);
    let index = bench.server().index();
    assert_eq!(bench.at(19).ask(Ask::Renew(session)), Ok(Reply::Renewed));
    assert_eq!(bench.server().index(), index);
    assert!(bench.at(38).is_there(session));
    assert!(!bench.at(39).is_there(session));
    assert_eq!(bench.ask(Ask::Renew(session)), Err(ConsulError::NoSession));
    assert_eq!(ConsulError::NoSession.status(), 404);
}

#[test]
fn a_ttl_is_none_or_from_ten_seconds_to_a_day() {
    for (ttl_s, expected) in [(0, true), (9, false), (10, true), (86_400, true), (86_401, false)] {
        let (ttl, behavior) = (Span::from_s(ttl_s), Behavior::Release);
        let made = NewSession { ttl, lock_delay: Span::ZERO, behavior };
        match Bench::of(1).ask(Ask::Create(made)) {
            Ok(Reply::Created(_)) => assert!(expected, "{ttl_s} s"),
            Err(ConsulError::InvalidTtl) => assert!(!expected, "{ttl_s} s"),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(ConsulError::InvalidTtl.status(), 400);
}

#[test]
fn lock_index_counts_the_holders_and_begins_again_with_a_new_key() {
    let mut bench = Bench::of(1);
    let [one, two] = [10, 10].map(|ttl_s| bench.session(ttl_s, 0, Behavior::Release));
    assert_eq!(bench.acquire(one), Ok(true));
    let first = bench.entry();
    assert_eq!((first.lock_index, first.modify_index), (1, first.create_index));
    // The holder's own acquire changes the value, and nobody's count.
    assert_eq!(bench.kv(Verb::Acquire("b".into(), one)), Ok(true));
    let again = bench.entry();
    assert_eq!((again.lock_index, again.create_index), (1, first.create_index));
    assert!(again.modify_index > first.modify_index);
    assert_eq!(bench.acquire(two), Ok(false));
    assert_eq!(bench.kv(Verb::Release("b".into(), two)), Ok(false));
    assert_eq!(bench.kv(Verb::Release("b".into(), one)), Ok(true));
    let free = bench.entry();
    assert_eq!((free.lock_index, free.session), (1, None));
    assert_eq!(bench.acquire(two), Ok(true));
    let second = bench.entry();
    assert_eq!(second.lock_index, 2);
    // Anybody deletes the key, and the count is gone with it; the place in the log is not.
    assert_eq!(bench.kv(Verb::Delete), Ok(true));
    assert_eq!(bench.acquire(one), Ok(true));
    let third = bench.entry();
    assert_eq!(third.lock_index, 1);
    assert!(third.modify_index > second.modify_index);
    assert!((third.create_index, third.lock_index) > (second.create_index, second.lock_index));
}

#[test]
fn behavior_delete_deletes_the_key_on_invalidation_alone() {
    let mut bench = Bench::of(1);
    let one = bench.session(10, 15, Behavior::Delete);
    assert_eq!(bench.acquire(one), Ok(true));
    assert_eq!(bench.kv(Verb::Release("".into(), one)), Ok(true));
    assert_eq!(bench.entry().lock_index, 1, "a release deletes nothing");
    assert_eq!(bench.acquire(one), Ok(true));
    assert_eq!(bench.entry().lock_index, 2);
    bench.at(20);
    assert_eq!(bench.server().entry(KEY), None);
    assert_eq!(taken_at(&mut bench), 35);
    assert_eq!(bench.entry().lock_index, 1);
}

#[test]
fn a_session_that_is_gone_takes_nothing() {
    let mut bench = Bench::of(1);
    assert_eq!(bench.acquire(SessionId(77)), Err(ConsulError::InvalidSession));
    assert_eq!(ConsulError::InvalidSession.status(), 500);
    assert_eq!(bench.ask(Ask::Destroy(SessionId(77))), Ok(Reply::Is(true)));
}

#[test]
fn a_change_by_index_is_made_only_at_that_index() {
    let mut bench = Bench::of(1);
    assert_eq!(bench.kv(Verb::Cas("a".into(), 0)), Ok(true));
    assert_eq!(bench.kv(Verb::Cas("b".into(), 0)), Ok(false), "the key is there");
    let index = bench.entry().modify_index;
    // The same once more changes nothing, the index neither.
    assert_eq!(bench.kv(Verb::Set("a".into())), Ok(true));
    assert_eq!(bench.entry().modify_index, index);
    assert_eq!(bench.kv(Verb::Cas("b".into(), index)), Ok(true));
    assert_eq!(bench.kv(Verb::DeleteCas(index)), Ok(false));
    let index = bench.entry().modify_index;
    assert_eq!(bench.kv(Verb::DeleteCas(index)), Ok(true));
    assert_eq!(bench.server().entry(KEY), None);
}

#[test]
fn anybody_overwrites_a_key_that_is_held_and_the_session_stays() {
    let mut bench = Bench::of(1);
    let holder = bench.session(10, 0, Behavior::Release);
    assert_eq!(bench.acquire(holder), Ok(true));
    assert_eq!(bench.kv(Verb::Set("other".into())), Ok(true));
    let entry = bench.entry();
    assert_eq!((entry.session, entry.lock_index), (Some(holder), 0));
}

#[test]
fn a_transaction_is_made_whole_or_not_at_all() {
    let mut bench = Bench::of(1);
    let [one, two] = [10, 10].map(|ttl_s| bench.session(ttl_s, 15, Behavior::Release));
    let lock = |session| TxnOp::Kv(Kv { key: KEY.into(), verb: Verb::Acquire("".into(), session) });
    let mark = TxnOp::Kv(Kv { key: "mark".into(), verb: Verb::Set("1".into()) });
    let Ok(Reply::Txn(entries)) = bench.ask(Ask::Txn(vec![lock(one)])) else {
        panic!("it is free")
    };
    assert_eq!(entries, [bench.entry()]);
    let index = bench.entry().modify_index;
    let mut check = |ops: Vec<TxnOp>, expected: Option<u8>| {
        let failed = bench.ask(Ask::Txn(ops)).err();
        assert_eq!(failed, expected.map(ConsulError::TxnFailed));
    };
    let checks = |session, index| {
        let checks =
            [TxnOp::CheckSession(KEY.into(), session), TxnOp::CheckIndex(KEY.into(), index)];
        Vec::from(checks)
    };
    check(vec![mark.clone(), lock(two)], Some(1));
    check(checks(two, index), Some(0));
    check(checks(one, index + 1), Some(1));
    check(checks(one, index), None);
    assert_eq!(bench.server().entry("mark"), None, "the first part was undone");
    assert_eq!(bench.ask(Ask::Destroy(one)), Ok(Reply::Is(true)));
    let refused = bench.ask(Ask::Txn(vec![mark, lock(two)]));
    assert_eq!(refused, Err(ConsulError::TxnFailed(1)), "there is a lock-delay");
    assert_eq!(ConsulError::TxnFailed(1).status(), 409);
}

#[test]
fn a_blocking_query_is_answered_by_a_change_or_when_it_has_waited() {
    let mut bench = Bench::of(1);
    let holder = bench.session(10, 15, Behavior::Release);
    assert_eq!(bench.acquire(holder), Ok(true));
    let index = bench.entry().modify_index;
    let get = |index| {
        Ask::Get(Get { key: KEY.into(), index, wait: Span::from_s(15), mode: Reads::Default })
    };
    assert!(bench.ask(get(0)).is_ok());
    let waits = bench.send(get(index));
    assert_eq!(bench.at(14).answer_to(waits), None);
    assert_eq!(bench.at(15).answer_to(waits), Some(Ok(Reply::Entry(Some(bench.entry()), index))));
    let waits = bench.send(get(index));
    bench.at(20);
    let Some(Ok(Reply::Entry(Some(entry), later))) = bench.answer_to(waits) else {
        panic!("the session’s end changes the key")
    };
    assert_eq!(entry.session, None);
    assert!(later > index);
}

#[test]
fn a_server_that_ends_says_so_once_to_everybody_who_waits() {
    let mut bench = Bench::of(1);
    let holder = bench.session(10, 15, Behavior::Release);
    assert_eq!(bench.acquire(holder), Ok(true));
    let index = bench.entry().modify_index;
    let other = NodeId(8);
    for (id, from) in [(90, CLIENT), (91, other), (92, CLIENT)] {
        let get = Get { key: KEY.into(), index, wait: Span::from_s(15), mode: Reads::Default };
        let message = Message::Consul(Request { id: RequestId(id), ask: Ask::Get(get) });
        bench.take(ALL[0], Input::Message { from, message });
    }
    let told: Vec<NodeId> = bench.server().last_words().into_iter().map(|(to, _)| to).collect();
    assert_eq!(told, [CLIENT, other]);
}
