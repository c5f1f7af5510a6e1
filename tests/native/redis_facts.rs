//! What is known of Redis, by itself and with a replica: what a trace cannot show, since
//! it needs clocks that are wrong or instants that are exact.

use crate::redis_party::{LATENCY, Nodes, Party, Sent, node, run};
use fencepost::actors::note::{GrantEnd, Lasts, LockNote, RedisNote};
use fencepost::actors::redis::api::{Ask, Call, RedisError, Reply, RequestId, Script};
use fencepost::actors::redis::{Part, Persistence, Replication};
use fencepost::actors::{Message, Note};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};

pub const R1: NodeId = NodeId(0);
pub const R2: NodeId = NodeId(1);

/// A call of a single client: when, to which node, which words.
pub type Line<'a> = (i64, NodeId, &'a str);

/// One client's calls and the faults among them, played to the end.
pub struct Play {
    events: Vec<Event<Party>>,
    pub world: fencepost::sim::world::World<Party>,
    client: NodeId,
}

fn ask(words: &str) -> Ask {
    let words: Vec<&str> = words.split(' ').collect();
    match words[..] {
        ["del-if-own", key, own] => script(Script::CompareAndDelete, &[key], &[own]),
        ["pexpire-if-own", key, own, ms] => script(Script::CompareAndPexpire, &[key], &[own, ms]),
        ["take", key, own, ms] => script(Script::AcquireWithToken, &[key, "fence"], &[own, ms]),
        _ => Ask::command(&words),
    }
}

fn script(script: Script, keys: &[&str], argv: &[&str]) -> Ask {
    let texts = |list: &[&str]| list.iter().map(|text| (*text).into()).collect();
    Ask::Eval(Call { script, keys: texts(keys), argv: texts(argv) })
}

pub fn at(ms: i64) -> TrueTime {
    TrueTime(ms * 1_000)
}

pub fn click(ms: i64, action: Action<Party>) -> Click<Party> {
    Click { at: at(ms), action }
}

pub fn crash(node: NodeId) -> Action<Party> {
    Action::Crash { node, restart_after: None }
}

fn step_wall(node: NodeId, s: i64) -> Action<Party> {
    Action::StepWall { node, by: Span::from_s(s) }
}

fn cut(one: NodeId, other: NodeId, ms: i64) -> Vec<Click<Party>> {
    let ways = [(one, other), (other, one)];
    ways.map(|(from, to)| click(ms, Action::Cut { from, to, lasting: None })).to_vec()
}

pub fn promote(node: NodeId) -> Action<Party> {
    Action::Set { node, setting: Replication::Primary }
}

fn play(replicas: u8, lines: &[Line], clicks: Vec<Click<Party>>) -> Play {
    play_on(Nodes::replicated(replicas, Vec::new()), lines, clicks)
}

pub fn play_on(mut nodes: Nodes, lines: &[Line], clicks: Vec<Click<Party>>) -> Play {
    let client = NodeId(nodes.nodes.len() as u8);
    let calls = lines.iter().map(|(ms, to, words)| (Span::from_ms(*ms), *to, ask(words)));
    nodes.clients = vec![calls.collect()];
    nodes.clicks = clicks;
    let last = lines.iter().map(|(ms, ..)| *ms).max().unwrap_or(0);
    let mut world = nodes.world();
    let events = run(&mut world, at(last + 5_000));
    Play { events, world, client }
}

impl Play {
    /// The reply to a call, by its place.
    #[track_caller]
    pub fn reply(&self, call: u32) -> (TrueTime, Reply) {
        let mut replies = self.events.iter().filter_map(|event| match &event.what {
            What::Delivered { body: Sent(Message::RedisReply(response)), .. }
                if event.node == self.client && response.id == RequestId(call) =>
            {
                Some((event.at, response.reply.clone()))
            }
            _ => None,
        });
        let reply = replies.next().expect("the call was answered");
        assert_eq!(replies.next(), None, "a call is answered once");
        reply
    }

    /// All replies, without their times.
    #[track_caller]
    pub fn check(&self, expected: &[Reply]) {
        let replies: Vec<Reply> =
            (0..expected.len() as u32).map(|call| self.reply(call).1).collect();
        assert_eq!(replies, expected);
    }

    fn notes(&self) -> Vec<(TrueTime, NodeId, &Note)> {
        self.events.iter().filter_map(note_of).collect()
    }

    /// When a lock's grant ended, and how.
    #[track_caller]
    fn ended(&self) -> (TrueTime, GrantEnd) {
        let mut ends = self.notes().into_iter().filter_map(|(at, _, note)| match note {
            Note::Lock(LockNote::Ended { how, .. }) => Some((at, *how)),
            _ => None,
        });
        ends.next().expect("a grant ended")
    }
}

fn note_of(event: &Event<Party>) -> Option<(TrueTime, NodeId, &Note)> {
    match &event.what {
        What::Note(note) => Some((event.at, event.node, note)),
        _ => None,
    }
}

pub const OK: Reply = Reply::OK;

pub fn bulk(text: &str) -> Reply {
    Reply::Bulk(text.into())
}

const EXPIRED: GrantEnd = GrantEnd::KeyExpired;

#[test]
fn r1_a_clock_set_ahead_ends_a_key_at_once() {
    let lines = [(0, R1, "SET lock a NX PX 10000"), (1_100, R1, "SET lock b NX PX 10000")];
    let play = play(0, &lines, vec![click(1_000, step_wall(R1, 20))]);
    play.check(&[OK, OK]);
    assert_eq!(play.ended(), (at(1_000), EXPIRED));
}

#[test]
fn r2_a_clock_set_back_lets_a_key_live_longer() {
    let lines = [
        (0, R1, "SET lock a NX PX 10000"),
        (29_900, R1, "SET lock b NX PX 10000"),
        (30_100, R1, "SET lock c NX PX 10000"),
    ];
    let play = play(0, &lines, vec![click(1_000, step_wall(R1, -20))]);
    play.check(&[OK, Reply::Nil, OK]);
    // Set when it was received; dead when now is after its end, and not at it.
    assert_eq!(play.ended(), (at(30_000) + LATENCY + Span(1), EXPIRED));
}

#[test]
fn a_wrong_clock_at_the_start_and_a_rate_count_as_far_as_the_clock_goes() {
    let lines = [(0, R1, "SET lock a NX PX 10000"), (6_000, R1, "PTTL lock")];
    let rate = Action::SetRate { node: R1, rate_ppm: 2_000_000 };
    let play = play(0, &lines, vec![click(0, rate)]);
    play.check(&[OK, Reply::Int(-2)]);
    assert_eq!(play.ended(), (at(5_000) + LATENCY + Span(1), EXPIRED));
}

/// R3, with the link cut as it is when a machine goes with its network: what a process
/// that only crashes has sent still arrives.
fn lost_in_failover(how: Vec<Click<Party>>) -> Play {
    let mut nodes = Nodes::replicated(1, Vec::new());
    nodes.latency.insert((R1, R2), Span::from_ms(50));
    let lines = [
        (0, R1, "SET lock a NX PX 30000"),
        (5_100, R2, "SET lock b NX PX 30000"),
        (5_200, R2, "GET lock"),
    ];
    play_on(nodes, &lines, how)
}

#[test]
fn r3_a_lock_that_no_replica_has_yet_is_granted_again_after_a_failover() {
    let mut clicks = cut(R1, R2, 20);
    clicks.extend([click(20, crash(R1)), click(5_000, promote(R2))]);
    let play = lost_in_failover(clicks);
    play.check(&[OK, OK, bulk("b")]);
    let taken_over = play.notes().into_iter().any(|(_, node, note)| {
        node == R2 && matches!(note, Note::Lock(LockNote::TakenOver { lease: None, .. }))
    });
    assert!(taken_over, "the new primary says that it knows of no holder");
    let played = lost_in_failover(vec![click(20, crash(R1)), click(5_000, promote(R2))]);
    played.check(&[OK, Reply::Nil, bulk("a")]);
}

#[test]
fn r4_without_a_file_a_restart_loses_the_lock_and_with_one_it_does_not() {
    let lines = [
        (0, R1, "SET lock a NX PX 10000"),
        (100, R1, "INCR fence"),
        (2_100, R1, "INCR fence"),
        (2_200, R1, "SET lock b NX PX 10000"),
    ];
    let faults = || vec![click(1_000, crash(R1)), click(2_000, Action::Restart { node: R1 })];
    let lost = play(0, &lines, faults());
    lost.check(&[OK, Reply::Int(1), Reply::Int(1), OK]);
    let mut nodes = Nodes::replicated(0, Vec::new());
    nodes.nodes[0].persistence = Persistence::Aof;
    let kept = play_on(nodes, &lines, faults());
    kept.check(&[OK, Reply::Int(1), Reply::Int(2), Reply::Nil]);
}

#[test]
fn time_runs_on_while_a_node_is_down_and_what_ended_meanwhile_is_told_as_expired() {
    let lines = [(0, R1, "SET lock a NX PX 1500"), (3_100, R1, "GET lock")];
    let mut nodes = Nodes::replicated(0, Vec::new());
    nodes.nodes[0].persistence = Persistence::Aof;
    let faults = vec![click(1_000, crash(R1)), click(3_000, Action::Restart { node: R1 })];
    let play = play_on(nodes, &lines, faults);
    play.check(&[OK, Reply::Nil]);
    assert_eq!(play.ended(), (at(3_000), EXPIRED));
}

#[test]
fn r5_a_late_del_takes_the_next_holders_lock_and_a_compared_one_does_not() {
    let lines = [
        (0, R1, "SET lock a NX PX 1000"),
        (2_000, R1, "SET lock b NX PX 9000"),
        (2_100, R1, "del-if-own lock a"),
        (2_200, R1, "GET lock"),
        (2_300, R1, "DEL lock"),
        (2_400, R1, "GET lock"),
    ];
    let play = play(0, &lines, Vec::new());
    play.check(&[OK, OK, Reply::Int(0), bulk("b"), Reply::Int(1), Reply::Nil]);
}

#[test]
fn a_replica_hides_what_is_dead_by_its_own_clock_and_deletes_it_only_when_told() {
    let lines = [
        (0, R1, "SET lock a NX PX 10000"),
        (1_000, R2, "GET lock"),
        (2_500, R2, "GET lock"),
        (2_600, R1, "GET lock"),
    ];
    let played = play(1, &lines, vec![click(2_000, step_wall(R2, 20))]);
    played.check(&[OK, bulk("a"), Reply::Nil, bulk("a")]);
    assert_eq!(node(&played.world, R2).key("lock").map(|entry| &*entry.value), Some("a"));
    let longer = play(1, &[(0, R1, "SET lock a NX PX 1000"), (8_000, R1, "PING")], Vec::new());
    assert_eq!(node(&longer.world, R2).key("lock"), None, "it was told of the end");
}

#[test]
fn after_a_promotion_the_time_left_is_shifted_by_the_skew_of_the_two_clocks() {
    let lines = [(0, R1, "SET lock a NX PX 30000"), (2_100, R2, "PTTL lock")];
    let faults =
        vec![click(1_000, step_wall(R2, 20)), click(1_500, crash(R1)), click(2_000, promote(R2))];
    let play = play(1, &lines, faults);
    assert_eq!(play.reply(1).1, Reply::Int(30_000 - 20_000 - 2_100));
}

#[test]
fn a_promoted_node_ends_at_once_what_is_dead_by_its_own_clock() {
    let lines = [(0, R1, "SET lock a NX PX 10000"), (2_100, R2, "SET lock b NX PX 10000")];
    let faults =
        vec![click(1_000, step_wall(R2, 20)), click(1_500, crash(R1)), click(2_000, promote(R2))];
    let play = play(1, &lines, faults);
    play.check(&[OK, OK]);
    assert_eq!(play.ended(), (at(2_000), EXPIRED));
}

#[test]
fn a_counter_repeats_itself_after_a_failover_that_lost_a_write() {
    let lines = [
        (0, R1, "take lock a 30000"),
        (1_000, R1, "del-if-own lock a"),
        (2_000, R1, "take lock b 30000"),
        (5_000, R2, "take lock c 30000"),
    ];
    let mut faults = cut(R1, R2, 1_500);
    faults.extend([click(3_000, crash(R1)), click(4_000, promote(R2))]);
    let play = play(1, &lines, faults);
    play.check(&[Reply::Int(1), Reply::Int(1), Reply::Int(2), Reply::Int(2)]);
}

#[test]
fn wait_answers_as_soon_as_replicas_have_what_the_client_wrote_and_else_in_time() {
    let lines = [
        (0, R1, "WAIT 1 500"),
        (1_000, R1, "SET lock a NX PX 30000"),
        (1_100, R1, "WAIT 1 500"),
        (2_100, R1, "SET other a"),
        (2_200, R1, "WAIT 1 500"),
        (3_000, R1, "WAIT 0 0"),
        (3_100, R2, "WAIT 1 500"),
        (3_200, R1, "WAIT 1 -1"),
        (3_300, R1, "WAIT 1 x"),
        (3_400, R1, "WAIT x 1"),
    ];
    let play = play(1, &lines, cut(R1, R2, 2_000));
    // Nothing written yet, so nothing has to be waited for.
    assert_eq!(play.reply(0), (at(0) + LATENCY + LATENCY, Reply::Int(1)));
    // A round trip to the replica on top.
    assert_eq!(play.reply(2), (at(1_100) + Span(LATENCY.0 * 4), Reply::Int(1)));
    assert_eq!(play.reply(4), (at(2_700) + LATENCY + LATENCY, Reply::Int(0)));
    assert_eq!(play.reply(5).1, Reply::Int(0));
    assert_eq!(play.reply(6).1, Reply::Error(RedisError::WaitAtReplica));
    assert_eq!(play.reply(7).1, Reply::Error(RedisError::NegativeTimeout));
    assert_eq!(play.reply(8).1, Reply::Error(RedisError::Timeout));
    assert_eq!(play.reply(9).1, Reply::Error(RedisError::NotAnInteger));
}

#[test]
fn a_primary_that_comes_back_empty_empties_its_replica() {
    let lines = [
        (0, R1, "SET lock a NX PX 30000"),
        (500, R2, "GET lock"),
        (3_000, R2, "GET lock"),
        (3_100, R1, "SET lock b NX PX 30000"),
    ];
    let faults = vec![click(1_000, crash(R1)), click(2_000, Action::Restart { node: R1 })];
    let play = play(1, &lines, faults);
    play.check(&[OK, bulk("a"), Reply::Nil, OK]);
}

#[test]
fn an_isolated_primary_keeps_granting_until_it_follows_and_loses_what_it_granted() {
    let lines = [
        (1_000, R1, "SET lock a NX PX 30000"),
        (2_100, R2, "SET lock b NX PX 30000"),
        (4_000, R1, "GET lock"),
        (4_100, R1, "SET lock c NX PX 30000"),
    ];
    let mut faults = cut(R1, R2, 500);
    faults.push(click(2_000, promote(R2)));
    faults.extend([(R1, R2), (R2, R1)].map(|(from, to)| click(3_000, Action::Heal { from, to })));
    let follow = Action::Set { node: R1, setting: Replication::Of(R2) };
    faults.push(click(3_500, follow));
    let play = play(1, &lines, faults);
    play.check(&[OK, OK, bulk("b"), Reply::Error(RedisError::ReadOnly)]);
    assert_eq!(node(&play.world, R1).part(), Part::Replica { of: R2 });
}

#[test]
fn a_replica_takes_its_silent_primarys_place_where_that_is_declared() {
    let mut nodes = Nodes::replicated(1, Vec::new());
    for config in &mut nodes.nodes {
        config.promote_after = Some(Span::from_s(5));
    }
    let lines = [
        (0, R1, "SET lock a NX PX 60000"),
        (5_900, R2, "SET lock b NX PX 60000"),
        (6_100, R2, "SET lock b NX PX 60000"),
        (9_000, R1, "GET lock"),
        (9_100, R1, "SET lock c NX PX 60000"),
    ];
    let mut faults = vec![click(1_000, crash(R1)), click(8_000, Action::Restart { node: R1 })];
    faults.push(click(12_000, crash(R2)));
    let play = play_on(nodes, &lines, faults);
    let read_only = || Reply::Error(RedisError::ReadOnly);
    // It comes back as a replica of the one that took its place.
    play.check(&[OK, read_only(), Reply::Nil, bulk("a"), read_only()]);
    let promoted = play
        .notes()
        .into_iter()
        .find(|(_, _, note)| matches!(note, Note::Redis(RedisNote::Promoted)));
    assert_eq!(promoted.map(|(when, node, _)| (when, node)), Some((at(6_000), R2)));
}

#[test]
fn a_script_is_known_by_its_hash_only_where_its_text_was_sent_since_the_start() {
    let sha = |call: Ask| match call {
        Ask::Eval(call) => Ask::EvalSha(call),
        other => other,
    };
    let mut nodes = Nodes::replicated(1, Vec::new());
    let calls = [
        (0, R1, sha(ask("del-if-own lock a"))),
        (100, R1, ask("del-if-own lock a")),
        (200, R1, sha(ask("del-if-own lock a"))),
        (300, R2, sha(ask("del-if-own lock a"))),
        (2_100, R1, sha(ask("del-if-own lock a"))),
    ];
    nodes.clients = vec![calls.map(|(ms, to, ask)| (Span::from_ms(ms), to, ask)).to_vec()];
    nodes.clicks = vec![click(1_000, crash(R1)), click(2_000, Action::Restart { node: R1 })];
    let mut world = nodes.world();
    let events = run(&mut world, at(3_000));
    let play = Play { events, world, client: NodeId(2) };
    let unknown = || Reply::Error(RedisError::NoScript);
    play.check(&[unknown(), Reply::Int(0), Reply::Int(0), unknown(), unknown()]);
}

#[test]
fn what_a_script_did_before_it_was_stopped_stays_done() {
    let lines = [(0, R1, "take lock a x"), (100, R1, "GET fence"), (200, R1, "EXISTS lock")];
    let play = play(0, &lines, Vec::new());
    let stopped = RedisError::InScript(Box::new(RedisError::NotAnInteger));
    play.check(&[Reply::Error(stopped), bulk("1"), Reply::Int(0)]);
}

#[test]
fn the_truth_about_a_lock_is_told_with_how_each_grant_ended() {
    let lines = [
        (0, R1, "SET lock a NX PX 1000"),
        (2_000, R1, "take lock b 9000"),
        (3_000, R1, "pexpire-if-own lock b 9000"),
        (4_000, R1, "SET lock c"),
        (5_000, R1, "DEL lock"),
    ];
    let play = play(0, &lines, Vec::new());
    let lock = || "lock".into();
    let of = |value: u64| fencepost::actors::etcd::api::LeaseId(value);
    let granted = |lease, token, ms: Option<i64>| {
        let lasts = Lasts::Key { left: ms.map(Span::from_ms) };
        Note::Lock(LockNote::Granted { lock: lock(), lease, token, lasts })
    };
    let ended = |lease, how| Note::Lock(LockNote::Ended { lock: lock(), lease, how });
    let by = play.client;
    let left = Some(Span::from_ms(9_000));
    let expected = [
        granted(of(0xa), 0, Some(1_000)),
        Note::Redis(RedisNote::Expired { lock: lock(), lease: of(0xa) }),
        ended(of(0xa), EXPIRED),
        granted(of(0xb), 1, Some(9_000)),
        Note::Redis(RedisNote::Renewed { lock: lock(), lease: of(0xb), left }),
        ended(of(0xb), GrantEnd::Overwritten { by }),
        granted(of(0xc), 0, None),
        ended(of(0xc), GrantEnd::Deleted { by }),
    ];
    let notes: Vec<Note> = play.notes().into_iter().map(|(_, _, note)| note.clone()).collect();
    assert_eq!(notes, expected);
}

/// What no worker asks for.
pub fn a_client_pings() -> Vec<Event<Party>> {
    play(0, &[(0, R1, "PING")], Vec::new()).events
}

/// What one node answers to commands, a tenth of a second apart.
pub fn replies(commands: &[&str]) -> Vec<Reply> {
    let lines: Vec<Line> =
        (0..).map(|n| n * 100).zip(commands).map(|(ms, w)| (ms, R1, *w)).collect();
    let play = play(0, &lines, Vec::new());
    (0..commands.len() as u32).map(|call| play.reply(call).1).collect()
}
