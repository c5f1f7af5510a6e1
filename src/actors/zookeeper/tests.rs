//! The tree by itself: numbers, errors, `multi`.

use super::api::{EventKind, Mode, Op, Reply, SessionId, Text, Write, ZkError, Zxid};
use super::tree::{Session, Tree};
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use std::rc::Rc;

const SESSION: SessionId = SessionId(7);

struct Bench {
    tree: Rc<Tree>,
    zxid: Zxid,
    told: Vec<(Text, EventKind)>,
}

impl Bench {
    fn new() -> Bench {
        let mut tree = Tree::new();
        let session = Session { timeout: Span::from_s(4), password: 1, client: NodeId(9) };
        tree.sessions.insert(SESSION, session);
        Bench { tree: Rc::new(tree), zxid: Zxid::default(), told: Vec::new() }
    }

    fn apply(&mut self, op: Op) -> Result<Reply, super::api::Failure> {
        self.zxid = self.zxid.next();
        Tree::apply(&mut self.tree, &op, SESSION, self.zxid, &mut self.told)
    }

    fn create(&mut self, path: &str, mode: Mode) -> Result<Text, ZkError> {
        let write = Write::Create { path: path.into(), data: "".into(), mode };
        match self.apply(Op::Write(write)) {
            Ok(Reply::Created { path, .. }) => Ok(path),
            Err(failure) => Err(failure.error),
            Ok(other) => panic!("{other:?}"),
        }
    }

    fn delete(&mut self, path: &str) -> Result<(), ZkError> {
        let write = Write::Delete { path: path.into(), version: -1 };
        self.apply(Op::Write(write)).map(drop).map_err(|failure| failure.error)
    }
}

#[test]
fn a_suffix_counts_the_children_ever_created_and_begins_anew_with_the_parent() {
    let mut bench = Bench::new();
    bench.create("/lock", Mode::Container).expect("absent");
    for expected in ["/lock/n-0000000000", "/lock/n-0000000001"] {
        let own = bench.create("/lock/n-", Mode::EphemeralSequential);
        assert_eq!(own.as_deref(), Ok(expected));
        bench.delete(expected).expect("it is there");
    }
    let before = bench.tree.stat("/lock").expect("it is there");
    assert_eq!((before.cversion, before.children), (4, 0));
    assert_eq!(bench.tree.empty_containers(), ["/lock".into()]);
    assert!(Tree::reap(&mut bench.tree, &"/lock".into(), Zxid(99), &mut bench.told));
    bench.zxid = Zxid(99);
    bench.create("/lock", Mode::Container).expect("it was reaped");
    assert!(bench.tree.empty_containers().is_empty(), "it never had a child");
    let own = bench.create("/lock/n-", Mode::EphemeralSequential).expect("created");
    assert_eq!(&*own, "/lock/n-0000000000");
    assert_eq!(bench.tree.stat(&own).map(|stat| stat.czxid), Some(Zxid(101)));
}

#[test]
fn a_session_takes_its_ephemeral_nodes_with_it_and_nothing_else() {
    let mut bench = Bench::new();
    bench.create("/stays", Mode::Persistent).expect("absent");
    bench.create("/stays/goes", Mode::Ephemeral).expect("absent");
    let below = bench.create("/stays/goes/no", Mode::Persistent);
    assert_eq!(below, Err(ZkError::NoChildrenForEphemerals));
    bench.told.clear();
    assert!(Tree::close(&mut bench.tree, SESSION, Zxid(50), &mut bench.told));
    assert_eq!(bench.told, [("/stays/goes".into(), EventKind::Deleted)]);
    assert_eq!(bench.tree.stat("/stays").map(|stat| stat.pzxid), Some(Zxid(50)));
    assert_eq!(bench.create("/late", Mode::Persistent), Err(ZkError::SessionExpired));
}

#[test]
fn a_multi_that_fails_has_changed_nothing_and_says_which_operation_failed() {
    let mut bench = Bench::new();
    bench.create("/lock", Mode::Persistent).expect("absent");
    let before = bench.tree.clone();
    bench.told.clear();
    let set = |version| Write::Set { path: "/lock".into(), data: "x".into(), version };
    let check = Write::Check { path: "/lock".into(), version: 0 };
    let failed = bench.apply(Op::Multi(vec![set(0), check.clone(), set(-1)]));
    let failure = failed.expect_err("the check comes after the set");
    let results = [ZkError::RolledBack, ZkError::BadVersion, ZkError::RuntimeInconsistency];
    assert_eq!((failure.error, &failure.results[..]), (ZkError::BadVersion, &results[..]));
    assert_eq!(results.map(ZkError::code), [0, -103, -2]);
    assert!(bench.tree == before && bench.told.is_empty());
    let done = bench.apply(Op::Multi(vec![check, set(0)])).expect("the version is right");
    let Reply::Multi(replies) = done else { panic!("a multi answers one") };
    assert_eq!(replies[0], Reply::Done);
    assert!(matches!(&replies[1], Reply::Stat(Some(stat)) if stat.version == 1));
}
