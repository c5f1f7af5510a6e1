//! Three servers: what the next leader knows, and who answers meanwhile.

use super::api::{Ask, ConsulError, Get, Kv, Reads, Reply, SessionId, Verb};
use super::bench::{ALL, Bench, KEY};
use crate::sim::time::Span;

fn acquire(session: SessionId) -> Ask {
    Ask::Kv(Kv { key: KEY.into(), verb: Verb::Acquire("".into(), session) })
}

fn get(index: i64, mode: Reads) -> Ask {
    Ask::Get(Get { key: KEY.into(), index, wait: Span::from_s(15), mode })
}

#[test]
fn the_next_leader_gives_a_session_its_whole_time_anew() {
    let mut cluster = Bench::of(3);
    let holder = cluster.session_at(ALL[0]);
    assert_eq!(cluster.acquire_at(ALL[1], holder), Ok(true));
    cluster.at(15).stop(ALL[0]);
    let led = cluster.first(|cluster| cluster.leader().is_some());
    assert!((21..=26).contains(&led), "an election timeout, and up to one more: {led}");
    let next = cluster.leader().expect("one leads");
    let ended = cluster.first(|cluster| !cluster.is_there_at(next, holder));
    assert_eq!(ended, led + 20, "twice the TTL after it began to lead");
    let other = cluster.session_at(next);
    let taken = cluster.first(|cluster| {
        cluster.ask_at(next, Ask::Renew(other)).expect("it is there");
        cluster.acquire_at(next, other) == Ok(true)
    });
    assert_eq!(taken, ended + 15);
}

#[test]
fn the_next_leader_has_the_lock_delay_unless_it_has_started_again_since() {
    for restarts in [false, true] {
        let mut cluster = Bench::of(3);
        let holder = cluster.session_at(ALL[0]);
        assert_eq!(cluster.acquire_at(ALL[0], holder), Ok(true));
        cluster.at(21);
        if restarts {
            for place in [ALL[1], ALL[2]] {
                cluster.stop(place);
                cluster.start(place);
            }
        }
        cluster.stop(ALL[0]);
        let led = cluster.first(|cluster| cluster.leader().is_some());
        assert!(led <= 31);
        let next = cluster.leader().expect("one leads");
        let other = cluster.session_at(next);
        let taken = cluster.first(|cluster| {
            cluster.ask_at(next, Ask::Renew(other)).expect("it is there");
            cluster.acquire_at(next, other) == Ok(true)
        });
        assert_eq!(taken, if restarts { led } else { 20 + 15 });
    }
}

#[test]
fn a_follower_passes_on_what_it_is_asked_and_answers_a_stale_read_from_its_own() {
    let mut cluster = Bench::of(3);
    let holder = cluster.session_at(ALL[2]);
    cluster.cut_off(ALL[1]);
    assert_eq!(cluster.acquire_at(ALL[2], holder), Ok(true));
    assert_eq!(cluster.ask_at(ALL[1], get(0, Reads::Default)), Err(ConsulError::NoLeader));
    assert_eq!(cluster.ask_at(ALL[1], get(0, Reads::Stale)), Ok(Reply::Entry(None, 1)));
    let Ok(Reply::Entry(Some(entry), _)) = cluster.ask_at(ALL[2], get(0, Reads::Stale)) else {
        panic!("it has applied the change")
    };
    assert_eq!(entry.session, Some(holder));
    assert_eq!(cluster.ask_at(ALL[2], Ask::Renew(holder)), Ok(Reply::Renewed));
}

#[test]
fn a_leader_that_is_cut_off_commits_nothing_and_gives_up_half_an_election_timeout_later() {
    let mut cluster = Bench::of(3);
    let holder = cluster.session_at(ALL[0]);
    cluster.at(1).cut_off(ALL[0]);
    let asked = cluster.send_to(ALL[0], acquire(holder));
    // It answers from its memory until then.
    assert_eq!(cluster.at(3).ask_at(ALL[0], Ask::Renew(holder)), Ok(Reply::Renewed));
    assert_eq!(cluster.answer_to(asked), None);
    let refused = cluster.at(4).ask_at(ALL[0], Ask::Renew(holder));
    assert_eq!(refused, Err(ConsulError::NoLeader));
    assert_eq!(cluster.answer_to(asked), Some(Err(ConsulError::NoLeader)));
    cluster.at(12);
    let next = cluster.leader().expect("another leads");
    assert_ne!(next, ALL[0]);
    let other = cluster.session_at(next);
    assert_eq!(cluster.acquire_at(next, other), Ok(true));
}

#[test]
fn who_waits_through_a_follower_is_told_when_the_leader_ends() {
    let mut cluster = Bench::of(3);
    let holder = cluster.session_at(ALL[0]);
    assert_eq!(cluster.acquire_at(ALL[0], holder), Ok(true));
    let waits = cluster.send_to(ALL[1], get(3, Reads::Default));
    assert_eq!(cluster.answer_to(waits), None);
    cluster.at(5).stop(ALL[0]);
    assert_eq!(cluster.answer_to(waits), Some(Err(ConsulError::NoLeader)));
}

#[test]
fn the_index_goes_on_with_the_next_leader() {
    let mut cluster = Bench::of(3);
    let holder = cluster.session_at(ALL[0]);
    assert_eq!(cluster.acquire_at(ALL[0], holder), Ok(true));
    cluster.stop(ALL[0]);
    cluster.at(12);
    let next = cluster.leader().expect("one leads");
    assert_eq!(cluster.kv_at(next, Verb::Release("".into(), holder)), Ok(true));
    let entry = cluster.servers[next.index()].entry(KEY).expect("it is there").clone();
    // A session, an acquisition, a new leader, a release.
    assert_eq!((entry.create_index, entry.modify_index, entry.lock_index), (2, 4, 1));
    cluster.start(ALL[0]);
    assert_eq!(cluster.servers[0].entry(KEY), Some(&entry), "it is told what it has missed");
}
