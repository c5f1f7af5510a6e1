//! The key space.

use super::super::api::Delete;
use super::*;

fn put(key: &str, value: &str) -> Put {
    Put::new(key, value, LeaseId::NONE)
}

/// `b`, `a/1`, `a/2` and `a/3` at revisions 42 to 45, then `a/1` again at 46.
fn space() -> KeySpace {
    let mut space = KeySpace::new(41);
    for key in ["b", "a/1", "a/2", "a/3", "a/1"] {
        space.put(&put(key, "v"));
    }
    space
}

fn prefix(order: Order, limit: u32, max_create_revision: Revision) -> Range {
    let keys = KeyRange::Prefix("a/".into());
    Range { max_create_revision, order, limit, ..Range::of(keys) }
}

#[track_caller]
fn check_range(range: Range, expected: &[&str], count: u32) {
    let reply = space().range(&range);
    let keys: Vec<&str> = reply.kvs.iter().map(|kv| &*kv.key).collect();
    assert_eq!(keys, expected);
    assert_eq!(reply.count, count);
}

#[test]
fn a_range_is_ordered_bounded_and_cut_but_counts_all() {
    check_range(prefix(Order::Key, 0, 0), &["a/1", "a/2", "a/3"], 3);
    check_range(prefix(Order::OldestFirst, 1, 0), &["a/1"], 3);
    check_range(prefix(Order::NewestFirst, 2, 0), &["a/3", "a/2"], 3);
    check_range(prefix(Order::NewestFirst, 1, 44), &["a/2"], 3);
    check_range(Range::key("b"), &["b"], 1);
    check_range(Range::key("a/"), &[], 0);
}

#[test]
fn a_key_has_its_revisions_and_its_version_and_begins_anew_after_a_delete() {
    let mut space = space();
    let kv = space.get("a/1").expect("it was put");
    assert_eq!((kv.create_revision, kv.mod_revision, kv.version), (43, 46, 2));
    let delete = Delete { keys: KeyRange::Key("a/1".into()), prev: Prev::NotWanted };
    assert_eq!(space.delete(&delete), (1, vec![]));
    assert_eq!(space.revision(), 47);
    space.put(&put("a/1", "v"));
    let kv = space.get("a/1").expect("it was put again");
    assert_eq!((kv.create_revision, kv.mod_revision, kv.version), (48, 48, 1));
}

#[track_caller]
fn check_compare(key: &str, target: Target, op: CompareOp, expected: bool) {
    let compare = Compare { key: key.into(), target, op };
    assert_eq!(space().holds(&[compare]), expected);
}

#[test]
fn comparisons_put_the_keys_number_on_the_left() {
    check_compare("a/1", Target::CreateRevision(43), CompareOp::Equal, true);
    check_compare("a/1", Target::CreateRevision(44), CompareOp::Equal, false);
    check_compare("a/1", Target::ModRevision(45), CompareOp::Greater, true);
    check_compare("a/1", Target::ModRevision(45), CompareOp::Less, false);
    check_compare("a/1", Target::Version(3), CompareOp::Less, true);
    check_compare("a/1", Target::Version(2), CompareOp::NotEqual, false);
    check_compare("a/1", Target::Lease(LeaseId(1)), CompareOp::NotEqual, true);
    check_compare("a/1", Target::Value("v".into()), CompareOp::Equal, true);
    check_compare("a/1", Target::Value("u".into()), CompareOp::Greater, true);
}

#[test]
fn an_absent_key_counts_as_0_and_fails_every_comparison_of_its_value() {
    check_compare("x", Target::CreateRevision(0), CompareOp::Equal, true);
    check_compare("x", Target::ModRevision(1), CompareOp::Less, true);
    check_compare("x", Target::Version(0), CompareOp::Greater, false);
    check_compare("x", Target::Lease(LeaseId::NONE), CompareOp::Equal, true);
    for op in [CompareOp::Equal, CompareOp::NotEqual, CompareOp::Less, CompareOp::Greater] {
        check_compare("x", Target::Value("".into()), op, false);
    }
}

#[test]
fn a_transaction_gets_one_revision_and_reads_what_it_has_written() {
    let mut space = space();
    let all = Delete { keys: KeyRange::Prefix("a/".into()), prev: Prev::NotWanted };
    let replies = space.branch(&[
        TxnOp::Put(put("c", "1")),
        TxnOp::Delete(all),
        TxnOp::Range(prefix(Order::Key, 0, 0)),
        TxnOp::Range(Range::key("c")),
    ]);
    assert_eq!(space.revision(), 47);
    assert!(space.changes(47).all(|change| change.event.mod_revision() == 47));
    assert_eq!(space.changes(47).count(), 4);
    assert_eq!(replies[1], TxnReply::Deleted { deleted: 3, prev_kvs: vec![] });
    assert_eq!(replies[2], TxnReply::Range(RangeReply { kvs: vec![], count: 0 }));
    assert!(matches!(&replies[3], TxnReply::Range(reply) if reply.kvs[0].mod_revision == 47));
}

#[test]
fn only_the_last_revisions_are_kept() {
    let mut space = KeySpace::new(1);
    for _ in 0..KEPT_REVISIONS + 5 {
        space.put(&put("a", "v"));
    }
    assert_eq!(space.revision(), KEPT_REVISIONS + 6);
    assert!(space.is_compacted(6));
    assert!(!space.is_compacted(7));
    assert_eq!(space.changes(0).count() as i64, KEPT_REVISIONS);
    assert_eq!(space.changes(0).next().map(|change| change.event.mod_revision()), Some(7));
}

#[test]
fn what_was_there_before_is_told_to_whoever_wants_it() {
    let mut space = space();
    let again = Put { prev: Prev::Wanted, ..put("a/2", "w") };
    let prev = space.put(&again).expect("it was there");
    assert_eq!((&*prev.value, prev.mod_revision, prev.version), ("v", 44, 1));
    assert_eq!(space.put(&put("a/2", "x")), None);
    let delete = Delete { keys: KeyRange::Prefix("a/".into()), prev: Prev::Wanted };
    let (deleted, prev_kvs) = space.delete(&delete);
    let values: Vec<&str> = prev_kvs.iter().map(|kv| &*kv.value).collect();
    assert_eq!((deleted, values), (3, vec!["v", "x", "v"]));
}

#[test]
fn a_put_that_ignores_the_lease_leaves_the_key_with_its_own() {
    let mut space = KeySpace::new(41);
    space.put(&Put::new("a", "1", LeaseId(5)));
    let keeps = Put { ignore_lease: IgnoreLease::Yes, ..put("a", "2") };
    space.put(&keeps);
    assert_eq!(space.get("a").map(|kv| kv.lease), Some(LeaseId(5)));
    space.put(&put("a", "3"));
    assert_eq!(space.get("a").map(|kv| kv.lease), Some(LeaseId::NONE));
}

#[track_caller]
fn check_at(space: &KeySpace, revision: Revision, expected: &[(&str, &str)]) {
    let range = Range { revision, ..Range::of(KeyRange::Prefix("".into())) };
    let reply = space.range(&range);
    let told: Vec<(&str, &str)> = reply.kvs.iter().map(|kv| (&*kv.key, &*kv.value)).collect();
    assert_eq!(told, expected);
    assert_eq!(reply.count as usize, expected.len());
}

#[test]
fn keys_are_read_as_they_were_at_a_revision() {
    let mut space = KeySpace::new(41);
    space.put(&put("a", "1"));
    space.put(&put("b", "1"));
    space.put(&put("a", "2"));
    let one = |key: &str| Delete { keys: KeyRange::Key(key.into()), prev: Prev::NotWanted };
    space.delete(&one("a"));
    // Put and deleted at one revision: nothing is left of it at any.
    space.branch(&[TxnOp::Put(put("c", "1")), TxnOp::Delete(one("c"))]);
    check_at(&space, 41, &[]);
    check_at(&space, 42, &[("a", "1")]);
    check_at(&space, 43, &[("a", "1"), ("b", "1")]);
    check_at(&space, 44, &[("a", "2"), ("b", "1")]);
    check_at(&space, 45, &[("b", "1")]);
    check_at(&space, 46, &[("b", "1")]);
    check_at(&space, 0, &[("b", "1")]);
}

#[test]
fn a_compaction_lets_go_of_what_was_before_and_is_refused_what_is_gone_or_to_come() {
    let mut space = space();
    assert_eq!(space.check_revision(43), Ok(()));
    assert_eq!(space.check_revision(47), Err(EtcdError::FutureRevision));
    assert_eq!(space.compact(47), Err(EtcdError::FutureRevision));
    assert_eq!(space.compact(44), Ok(()));
    assert_eq!(space.compact(44), Err(EtcdError::Compacted));
    assert_eq!(space.check_revision(43), Err(EtcdError::Compacted));
    assert_eq!(space.check_revision(44), Ok(()));
    assert!(space.is_compacted(43) && !space.is_compacted(44));
    check_at(&space, 44, &[("a/1", "v"), ("a/2", "v"), ("b", "v")]);
    assert_eq!(space.revision(), 46);
}
