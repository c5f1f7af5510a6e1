//! Notes about locks.

use super::super::api::{Delete, KeyRange, Prev, Put};
use super::*;
use crate::actors::note::{LeaseEnd, Note};
use crate::sim::process::{Command, Draws, Now};
use crate::sim::time::{Mono, Wall};

const BY: NodeId = NodeId(5);
const GONE: GrantEnd = GrantEnd::Lease(LeaseEnd::Expired);

fn lock() -> Text {
    "lock".into()
}

fn put(kv: &mut KeySpace, key: &str, lease: u64) {
    kv.put(&Put::new(key, "", LeaseId(lease)));
}

fn granted(lease: u64, token: Revision) -> Note {
    LockNote::Granted { lock: lock(), lease: LeaseId(lease), token, lasts: Lasts::Lease }.into()
}

fn ended(lease: u64, how: GrantEnd) -> Note {
    LockNote::Ended { lock: lock(), lease: LeaseId(lease), how }.into()
}

fn queued(lease: u64, create_revision: Revision) -> Note {
    EtcdNote::Queued { lock: lock(), lease: LeaseId(lease), create_revision }.into()
}

/// Compares the notes that a change brings forth.
#[track_caller]
fn check(kv: &mut KeySpace, change: impl FnOnce(&mut KeySpace), expected: &[Note]) {
    let before = claimants(kv, "lock");
    change(kv);
    let mut draws = Draws::new(0);
    let now = Now { mono: Mono(0), wall: Wall(0) };
    let mut out = Out::new(NodeId(0), now, &mut draws);
    tell(&lock(), &before, &claimants(kv, "lock"), GONE, BY, &mut out);
    let notes: Vec<Note> = out
        .into_commands()
        .into_iter()
        .map(|command| match command {
            Command::Note(noted) => noted.note,
            other => panic!("only notes are told, not {other:?}"),
        })
        .collect();
    assert_eq!(notes, expected);
}

fn delete(key: &str) -> impl FnOnce(&mut KeySpace) {
    let delete = Delete { keys: KeyRange::Key(key.into()), prev: Prev::NotWanted };
    move |kv: &mut KeySpace| {
        kv.delete(&delete);
    }
}

#[test]
fn the_oldest_key_holds_a_queue_and_the_next_follows_it() {
    let mut kv = KeySpace::new(41);
    check(&mut kv, |kv| put(kv, "lock/b", 2), &[granted(2, 42)]);
    check(&mut kv, |kv| put(kv, "lock/a", 1), &[queued(1, 43)]);
    check(&mut kv, |kv| put(kv, "lock/c", 3), &[queued(3, 44)]);
    check(&mut kv, delete("lock/a"), &[]);
    check(&mut kv, delete("lock/b"), &[ended(2, GONE), granted(3, 44)]);
    check(&mut kv, delete("lock/c"), &[ended(3, GONE)]);
    check(&mut kv, |kv| put(kv, "lock/a", 1), &[granted(1, 48)]);
}

#[test]
fn an_overwritten_key_changes_hands_but_keeps_its_token() {
    let mut kv = KeySpace::new(41);
    check(&mut kv, |kv| put(kv, "lock", 1), &[granted(1, 42)]);
    check(&mut kv, |kv| put(kv, "lock", 1), &[]);
    let overwritten = ended(1, GrantEnd::Overwritten { by: BY });
    check(&mut kv, |kv| put(kv, "lock", 2), &[overwritten, granted(2, 42)]);
}

#[test]
fn keys_that_only_begin_alike_are_not_the_locks() {
    let mut kv = KeySpace::new(41);
    check(&mut kv, |kv| put(kv, "locks", 1), &[]);
    check(&mut kv, |kv| put(kv, "loc", 1), &[]);
    check(&mut kv, |kv| put(kv, "lock/", 1), &[granted(1, 44)]);
}
