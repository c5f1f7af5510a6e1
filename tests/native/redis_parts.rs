//! Who is primary after what, where a Sentinel is declared; and that what was lost between
//! two nodes is said again.

use crate::redis_facts::{Line, OK, Play, R1, R2, at, bulk, click, crash, play_on, promote};
use crate::redis_party::{Nodes, Party, node};
use fencepost::actors::redis::api::Reply;
use fencepost::actors::redis::{Part, Replication};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::Span;

const BOTH: [(NodeId, NodeId); 2] = [(R1, R2), (R2, R1)];

fn cut(ways: &[(NodeId, NodeId)], ms: i64, lasting_ms: Option<i64>) -> Vec<Click<Party>> {
    let lasting = lasting_ms.map(Span::from_ms);
    ways.iter().map(|(from, to)| click(ms, Action::Cut { from: *from, to: *to, lasting })).collect()
}

fn heal((from, to): (NodeId, NodeId), ms: i64) -> Click<Party> {
    click(ms, Action::Heal { from, to })
}

fn follow(node: NodeId, of: NodeId) -> Action<Party> {
    Action::Set { node, setting: Replication::Of(of) }
}

/// Nodes of which a silent one is replaced after 3 s, up to 5 s after the last line.
fn watched(lines: &[Line], clicks: Vec<Click<Party>>) -> Play {
    let mut nodes = Nodes::replicated(1, Vec::new());
    for config in &mut nodes.nodes {
        config.promote_after = Some(Span::from_s(3));
    }
    play_on(nodes, lines, clicks)
}

/// At 35 s one is primary and the other follows it.
#[track_caller]
fn check_parts(clicks: Vec<Click<Party>>, primary: NodeId, replica: NodeId) {
    let play = watched(&[(30_000, R1, "PING")], clicks);
    assert_eq!(node(&play.world, primary).part(), Part::Primary);
    assert_eq!(node(&play.world, replica).part(), Part::Replica { of: primary });
    assert_eq!(node(&play.world, replica).offset(), node(&play.world, primary).offset());
}

/// All ways to end a cut of both directions from 10 s on.
fn all_heals() -> Vec<Vec<Click<Party>>> {
    let one_by_one = |first, second, later| vec![heal(first, 10_000), heal(second, later)];
    let mut all = Vec::new();
    for later in [10_000, 10_001, 15_500] {
        all.push(one_by_one(BOTH[0], BOTH[1], later));
        all.push(one_by_one(BOTH[1], BOTH[0], later));
    }
    all
}

#[test]
fn who_was_replaced_follows_however_the_links_are_healed() {
    for heals in all_heals() {
        let all = || [cut(&BOTH, 1_000, None), heals.clone()].concat();
        check_parts(all(), R2, R1);
        // A primary that is made primary is what it was.
        check_parts([all(), vec![click(6_000, promote(R1))]].concat(), R2, R1);
    }
    check_parts(cut(&BOTH, 1_000, Some(9_000)), R2, R1);
    check_parts(cut(&BOTH[..1], 1_000, Some(9_000)), R2, R1);
}

#[test]
fn of_two_that_were_promoted_the_later_stays_primary() {
    for heals in all_heals() {
        let mut all = [cut(&BOTH, 1_000, None), heals].concat();
        all.extend([click(5_000, follow(R1, R2)), click(6_000, promote(R1))]);
        check_parts(all, R1, R2);
    }
}

#[test]
fn a_replica_that_is_promoted_beside_a_primary_that_runs_is_followed_by_it() {
    check_parts(vec![click(1_000, promote(R2))], R2, R1);
    // And back: what the first promotion was is known to who follows.
    check_parts(vec![click(1_000, promote(R2)), click(9_000, promote(R1))], R1, R2);
}

#[test]
fn a_promoted_node_that_starts_again_is_followed_by_the_old_primary() {
    let mut all = cut(&BOTH, 1_000, Some(20_000));
    all.extend([click(9_000, crash(R2)), click(11_000, Action::Restart { node: R2 })]);
    check_parts(all, R2, R1);
    // The link is whole again before it can hear that.
    let mut while_down = cut(&BOTH, 1_000, Some(9_000));
    while_down.extend([click(9_000, crash(R2)), click(11_000, Action::Restart { node: R2 })]);
    check_parts(while_down, R2, R1);
}

#[test]
fn who_is_told_to_follow_one_that_is_silent_already_takes_its_place_in_time() {
    let clicks = vec![click(1_000, crash(R2)), click(2_000, follow(R1, R2))];
    let lines = [(4_900, R1, "SET lock a"), (5_100, R1, "SET lock a")];
    let play = watched(&lines, clicks);
    assert!(matches!(play.reply(0).1, Reply::Error(_)));
    assert_eq!(play.reply(1).1, OK);
}

#[test]
fn a_wait_without_end_is_answered_when_the_way_back_is_whole_again() {
    let lines = [(1_100, R1, "SET lock a"), (1_200, R1, "WAIT 1 0")];
    for way in BOTH {
        let play =
            play_on(Nodes::replicated(1, Vec::new()), &lines, cut(&[way], 1_000, Some(2_000)));
        let (when, reply) = play.reply(1);
        assert_eq!(reply, Reply::Int(1));
        assert!(when > at(3_000) && when < at(4_500), "{when:?}");
    }
}

#[test]
fn a_replica_whose_question_was_lost_asks_again() {
    let mut clicks = cut(&BOTH[1..], 500, Some(3_500));
    clicks.extend([click(1_000, crash(R1)), click(2_000, Action::Restart { node: R1 })]);
    let lines = [(2_500, R1, "SET lock a"), (6_000, R2, "GET lock")];
    let play = play_on(Nodes::replicated(1, Vec::new()), &lines, clicks);
    play.check(&[OK, bulk("a")]);
}

#[test]
fn how_far_a_replica_was_in_an_older_history_is_not_counted() {
    let mut nodes = Nodes::replicated(1, Vec::new());
    nodes.latency.insert((R2, R1), Span::from_s(3));
    let lines = [
        (0, R1, "SET lock a"),
        (10, R1, "WAIT 1 100"),
        (2_000, R1, "SET lock b"),
        (3_100, R1, "WAIT 1 200"),
    ];
    let clicks = vec![click(1_000, crash(R1)), click(1_200, Action::Restart { node: R1 })];
    play_on(nodes, &lines, clicks).check(&[OK, Reply::Int(0), OK, Reply::Int(0)]);
}

#[test]
fn a_replica_whose_process_has_ended_is_not_counted_until_it_is_back() {
    let lines = [
        (0, R1, "SET lock a"),
        (10, R1, "WAIT 1 100"),
        (1_100, R1, "WAIT 1 100"),
        (3_000, R1, "WAIT 1 100"),
    ];
    let clicks = vec![click(1_000, crash(R2)), click(2_000, Action::Restart { node: R2 })];
    let play = play_on(Nodes::replicated(1, Vec::new()), &lines, clicks);
    play.check(&[OK, Reply::Int(1), Reply::Int(0), Reply::Int(1)]);
}
