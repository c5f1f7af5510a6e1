//! An ensemble of ZooKeeper servers: leader changes, sessions, reads that are behind, and
//! that nothing that was acknowledged is lost whatever is done to the servers.

use crate::zk_party::{Act, Answer, Ensemble, Party, client, server};
use fencepost::actors::etcd::Part;
use fencepost::actors::zookeeper::api::{
    Ask, Mode, Op, Read, Reply, Response, Text, Watch, What, Write, Zxid,
};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::Event;
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;

const TICK: Span = Span::from_s(2);

fn connect(ms: i64, timeout_s: i64) -> (Span, Act) {
    (Span::from_ms(ms), Act::Connect(Span::from_s(timeout_s), None))
}

fn create(ms: i64, path: &str, mode: Mode) -> (Span, Act) {
    let write = Write::Create { path: path.into(), data: "".into(), mode };
    (Span::from_ms(ms), Act::Call(Ask::Op(Op::Write(write))))
}

fn read(ms: i64, what: What, path: &str, watch: Watch) -> (Span, Act) {
    let read = Read { what, path: path.into(), watch };
    (Span::from_ms(ms), Act::Call(Ask::Op(Op::Read(read))))
}

fn at(ms: i64, action: Action<Party>) -> Click<Party> {
    Click { at: TrueTime(ms * 1_000), action }
}

fn crash(ms: i64, node: u8) -> Click<Party> {
    at(ms, Action::Crash { node: NodeId(node), restart_after: None })
}

/// Cuts a machine's links with others, both ways.
fn cut(ms: i64, node: u8, others: &[u8]) -> Vec<Click<Party>> {
    let pair = |other: &u8| [(NodeId(node), NodeId(*other)), (NodeId(*other), NodeId(node))];
    let pairs = others.iter().flat_map(pair);
    pairs.map(|(from, to)| at(ms, Action::Cut { from, to, lasting: None })).collect()
}

fn run(ensemble: Ensemble, ms: i64) -> World<Party> {
    let mut world = ensemble.world();
    to(&mut world, ms);
    world
}

fn to(world: &mut World<Party>, ms: i64) {
    world.run_until(TrueTime(ms * 1_000), &mut |_| {});
}

fn leaders(world: &World<Party>, servers: u8) -> Vec<u8> {
    (0..servers).filter(|place| server(world, NodeId(*place)).part() == Part::Leader).collect()
}

fn stat_at(world: &World<Party>, place: u8, path: &str) -> Option<Zxid> {
    server(world, NodeId(place)).tree().stat(path).map(|stat| stat.czxid)
}

#[test]
fn a_dead_leaders_sessions_get_their_whole_time_again() {
    let holder = vec![connect(100, 10), create(300, "/held", Mode::Ephemeral)];
    let mut ensemble = Ensemble::new(3, TICK, vec![holder]);
    // The holder dies, and its time is nearly over when the leader dies too.
    ensemble.clicks = vec![crash(1_000, 3), crash(9_000, 0)];
    let mut world = run(ensemble, 9_900);
    assert_eq!(leaders(&world, 3), [0, 2].map(|_| 2)[..1], "the highest of equals leads");
    for ms in [12_500, 18_900] {
        to(&mut world, ms);
        assert!(stat_at(&world, 2, "/held").is_some(), "a second life at {ms} ms");
    }
    to(&mut world, 22_000);
    assert_eq!((stat_at(&world, 1, "/held"), stat_at(&world, 2, "/held")), (None, None));
    assert_eq!(server(&world, NodeId(2)).zxid().epoch(), 2);
}

#[test]
fn without_a_leader_change_a_dead_holder_is_gone_after_its_timeout_and_up_to_a_tick() {
    let holder = vec![connect(100, 10), create(300, "/held", Mode::Ephemeral)];
    let mut ensemble = Ensemble::new(3, TICK, vec![holder]);
    ensemble.clicks = vec![crash(1_000, 3)];
    let mut world = run(ensemble, 10_200);
    assert!(stat_at(&world, 0, "/held").is_some());
    to(&mut world, 12_400);
    assert_eq!(stat_at(&world, 0, "/held"), None);
}

#[test]
fn a_client_takes_its_session_to_another_server() {
    let holder = vec![connect(100, 10), create(300, "/held", Mode::Ephemeral)];
    let mut ensemble = Ensemble::new(3, TICK, vec![holder]);
    ensemble.clicks = vec![crash(1_000, 0)];
    let mut world = run(ensemble, 40_000);
    let calls = client(&world, NodeId(3));
    assert!(calls.is_connected() && !calls.expired);
    assert!(calls.session().is_some_and(|(session, _)| session.0 >> 56 == 1), "as it was opened");
    assert!(stat_at(&world, 1, "/held").is_some());
    to(&mut world, 41_000);
    assert_eq!(leaders(&world, 3).len(), 1);
}

#[test]
fn a_follower_that_is_cut_off_answers_reads_from_what_it_has_and_then_closes_its_clients() {
    // The second client is connected to the second server, since the first is cut off
    // from it: it gives that up after a third of its timeout.
    let writer = vec![connect(100, 20), create(10_000, "/new", Mode::Persistent)];
    let reader = vec![
        connect(100, 20),
        read(11_000, What::Exists, "/new", Watch::No),
        read(15_000, What::Exists, "/new", Watch::No),
    ];
    let mut ensemble = Ensemble::new(3, TICK, vec![writer, reader]);
    ensemble.clicks = [cut(50, 4, &[0]), cut(9_000, 1, &[0, 2])].concat();
    let mut world = run(ensemble, 16_000);
    let answers = &client(&world, NodeId(4)).answers;
    let absent = |answer: &&(u32, Answer)| {
        matches!(&answer.1, Answer::Of(Response { result: Ok(Reply::Stat(None)), .. }))
    };
    assert_eq!(answers.iter().filter(absent).count(), 2, "{answers:?}");
    assert!(stat_at(&world, 0, "/new").is_some(), "though it has been there");
    assert!(client(&world, NodeId(4)).is_connected());
    to(&mut world, 19_300);
    assert_eq!(server(&world, NodeId(1)).part(), Part::Candidate, "syncLimit ticks have passed");
    to(&mut world, 30_000);
    let reader = client(&world, NodeId(4));
    assert!(reader.is_connected() && !reader.expired, "at the third server");
}

#[test]
fn a_leader_that_is_cut_off_gives_up_and_takes_over_what_was_decided_without_it() {
    let writer = vec![connect(100, 40), create(3_000, "/lost", Mode::Persistent)];
    let mut ensemble = Ensemble::new(3, TICK, vec![writer]);
    let healed = |ms: i64| {
        let pairs = [(0, 1), (1, 0), (0, 2), (2, 0)];
        pairs.map(|(from, to)| at(ms, Action::Heal { from: NodeId(from), to: NodeId(to) }))
    };
    ensemble.clicks = [cut(2_000, 0, &[1, 2]), healed(30_000).to_vec()].concat();
    let mut world = run(ensemble, 11_900);
    assert_eq!(leaders(&world, 3), [0], "so long it does not know");
    to(&mut world, 13_500);
    assert_eq!(leaders(&world, 3), [2]);
    to(&mut world, 35_000);
    assert_eq!(leaders(&world, 3), [2]);
    let zxids = [0, 1, 2].map(|place| server(&world, NodeId(place)).zxid());
    assert!(zxids[0] == zxids[2] && zxids[1] == zxids[2], "{zxids:?}");
    assert_eq!(stat_at(&world, 0, "/lost"), None, "it never had a majority");
}

/// Every kind of call, a server that comes back, and a leader that has not heard of it.
pub fn a_client_asks_for_all() -> Vec<Event<Party>> {
    let call = |ms, op| (Span::from_ms(ms), Act::Call(Ask::Op(op)));
    let set = || Write::Set { path: "/a".into(), data: "b".into(), version: -1 };
    let check = Write::Check { path: "/a".into(), version: 1 };
    let acts = vec![
        connect(100, 10),
        create(300, "/a", Mode::Persistent),
        call(400, Op::Write(set())),
        call(500, Op::Multi(vec![check, set()])),
        call(600, Op::Sync),
        read(700, What::Exists, "/a", Watch::No),
        (Span::from_ms(800), Act::Call(Ask::Close)),
    ];
    let mut ensemble = Ensemble::new(3, TICK, vec![acts]);
    let back = |node: u8| at(2_000, Action::Restart { node: NodeId(node) });
    ensemble.clicks = vec![crash(1_000, 1), back(1), crash(20_000, 0)];
    let mut events = Vec::new();
    let mut world = ensemble.world();
    world.run_until(TrueTime(30_000_000), &mut |event: Event<Party>| events.push(event));
    events
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, below: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Faults of all kinds until 60 s, and their end.
fn faults(numbers: &mut Numbers, servers: u8) -> Vec<Click<Party>> {
    let mut clicks = Vec::new();
    for _ in 0..14 {
        let ms = 1_000 + numbers.below(59_000) as i64;
        let node = NodeId(numbers.below(u64::from(servers)) as u8);
        let other = NodeId(numbers.below(u64::from(servers)) as u8);
        let lasting = Some(Span::from_ms(200 + numbers.below(15_000) as i64));
        match numbers.below(4) {
            0 => clicks.push(at(ms, Action::Crash { node, restart_after: lasting })),
            1 => clicks.push(at(ms, Action::Pause { node, lasting })),
            _ if node == other => {}
            2 => clicks.push(at(ms, Action::Cut { from: node, to: other, lasting })),
            _ => {
                clicks.push(at(ms, Action::Cut { from: node, to: other, lasting }));
                clicks.push(at(ms, Action::Cut { from: other, to: node, lasting }));
            }
        }
    }
    clicks.sort_by_key(|click| click.at);
    clicks
}

/// The nodes that were acknowledged, with their numbers.
fn acknowledged(world: &World<Party>, clients: std::ops::Range<u8>) -> Vec<(Text, Zxid)> {
    let mut all = Vec::new();
    for place in clients {
        for (_, answer) in &client(world, NodeId(place)).answers {
            if let Answer::Of(Response {
                result: Ok(Reply::Created { path, stat }), zxid, ..
            }) = answer
            {
                assert_eq!(stat.czxid, *zxid);
                all.push((path.clone(), *zxid));
            }
        }
    }
    all
}

#[track_caller]
fn check_nothing_is_lost(seed: u64, servers: u8) -> usize {
    let mut numbers = Numbers(seed);
    let calls = |client: u8| {
        let own = (0..60).map(|n| {
            let path = format!("/c{client}-");
            create(500 + n * 1_000 + i64::from(client) * 37, &path, Mode::PersistentSequential)
        });
        std::iter::once(connect(100, 30)).chain(own).collect()
    };
    let mut ensemble = Ensemble::new(servers, TICK, (0..3).map(calls).collect());
    ensemble.clicks = faults(&mut numbers, servers);
    let world = run(ensemble, 130_000);
    assert_eq!(leaders(&world, servers).len(), 1, "seed {seed}");
    let first = server(&world, NodeId(0));
    for place in 1..servers {
        let other = server(&world, NodeId(place));
        assert_eq!(other.zxid(), first.zxid(), "seed {seed}: server {place}");
        assert!(other.tree() == first.tree(), "seed {seed}: server {place}");
    }
    let all = acknowledged(&world, servers..servers + 3);
    for (path, zxid) in &all {
        assert_eq!(stat_at(&world, 0, path), Some(*zxid), "seed {seed}: {path}");
    }
    all.len()
}

#[test]
fn nothing_that_was_acknowledged_is_lost_and_all_servers_come_to_have_the_same() {
    let counts: Vec<usize> = (1..=120).map(|seed| check_nothing_is_lost(seed, 3)).collect();
    assert!(counts.iter().sum::<usize>() > 120 * 60, "most are acknowledged: {counts:?}");
    (1..=40).for_each(|seed| {
        check_nothing_is_lost(1_000 + seed, 5);
    });
}
