//! Members under many random faults: what has to hold, holds at every step.

use crate::etcd_party::{Cluster, Party, Sent, member};
use fencepost::actors::etcd::Part;
use fencepost::actors::etcd::api::{KeyValue, LeaseId, Op, Put, RequestId, Revision};
use fencepost::actors::note::{EtcdNote, LeaseEnd};
use fencepost::actors::{Message, Note};
use fencepost::sim::click::{Action, Click, WallOnWake};
use fencepost::sim::event::{Event, What};
use fencepost::sim::network::Link;
use fencepost::sim::process::{Draws, NodeId, Stream};
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;
use std::collections::{BTreeMap, BTreeSet};

const MEMBERS: u8 = 3;
/// Faults end here, pauses and cuts that began before a little later.
const FAULTS_MS: u64 = 20_000;
const END: TrueTime = TrueTime(40_000_000);
const TTL_S: i64 = 3;
const LEASES: u64 = 3;

/// Which cuts are made.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Cuts {
    BothWays,
    OneWay,
}

/// Whether links lose, double and reorder messages.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Links {
    Reliable,
    Bad,
}

struct Dice(Draws);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0.draw(Stream::Node(NodeId(200)), "faults", below)
    }

    fn member(&mut self) -> NodeId {
        NodeId(self.roll(u64::from(MEMBERS)) as u8)
    }

    fn lasting(&mut self) -> Option<Span> {
        Some(Span::from_ms(self.roll(4_000) as i64 + 1))
    }

    fn clicks(&mut self, cuts: Cuts) -> Vec<Click<Party>> {
        let mut clicks = Vec::new();
        for _ in 0..12 {
            let at = TrueTime(self.roll(FAULTS_MS * 1_000) as i64);
            let (node, lasting) = (self.member(), self.lasting());
            let to = NodeId((node.0 + 1 + self.roll(2) as u8) % MEMBERS);
            let wall = WallOnWake::Right;
            let actions = match self.roll(5) {
                0 => vec![Action::Crash { node, restart_after: lasting }],
                1 => vec![Action::Pause { node, lasting }],
                2 => vec![Action::Suspend { node, lasting, wall }],
                _ if cuts == Cuts::OneWay => vec![Action::Cut { from: node, to, lasting }],
                _ => vec![
                    Action::Cut { from: node, to, lasting },
                    Action::Cut { from: to, to: node, lasting },
                ],
            };
            clicks.extend(actions.into_iter().map(|action| Click { at, action }));
        }
        clicks.sort_by_key(|click| click.at);
        clicks
    }

    /// Every client grants a lease, renews it often for a while and puts keys of its own.
    fn calls(&mut self, client: u64) -> Vec<(Span, NodeId, Op)> {
        let lease = LeaseId(100 + client);
        let mut calls = vec![(Span::ZERO, self.member(), Op::LeaseGrant { ttl_s: TTL_S, lease })];
        let stops_ms = self.roll(FAULTS_MS);
        for tick in 1..FAULTS_MS / 400 {
            let at = Span::from_ms((tick * 400 + self.roll(400)) as i64);
            if at.ms() < stops_ms as i64 {
                calls.push((at, self.member(), Op::LeaseKeepAlive { lease }));
            }
            let key = format!("{client}/{tick}");
            let put = Put::new(key, "", LeaseId::NONE);
            calls.push((at, self.member(), Op::Put(put)));
        }
        calls
    }
}

/// What was seen of a run, and what has to hold of it.
#[derive(Default)]
struct Seen {
    /// What the log has made up to an index: the same on every member.
    states: BTreeMap<u64, (Revision, Vec<KeyValue>)>,
    leaders: BTreeMap<u64, NodeId>,
    /// Until when a lease cannot end by itself.
    alive: BTreeMap<LeaseId, TrueTime>,
    ended: BTreeSet<LeaseId>,
    acknowledged: BTreeSet<(NodeId, RequestId)>,
}

impl Seen {
    fn event(&mut self, event: &Event<Party>) {
        match &event.what {
            What::Note(Note::Etcd(note)) => self.note(event, note),
            What::Delivered { body: Sent(Message::EtcdAnswer(response)), .. }
                if response.result.is_ok() =>
            {
                self.acknowledged.insert((event.node, response.id));
            }
            _ => {}
        }
    }

    fn note(&mut self, event: &Event<Party>, note: &EtcdNote) {
        match note {
            EtcdNote::Leads { term } => {
                let leader = *self.leaders.entry(*term).or_insert(event.node);
                assert_eq!(leader, event.node, "term {term} has one leader");
            }
            EtcdNote::LeaseGranted { lease, ttl_s } => {
                self.alive.insert(*lease, event.at + Span::from_s(*ttl_s));
            }
            EtcdNote::LeaseRenewed { lease } => {
                self.alive.insert(*lease, event.at + Span::from_s(TTL_S));
            }
            // A new leader may apply, and tell, what the old one told before it died.
            EtcdNote::LeaseEnded { lease, why: LeaseEnd::Expired, .. }
                if self.ended.insert(*lease) =>
            {
                assert!(event.at >= self.alive[lease], "{lease:?} ended before its time");
            }
            _ => {}
        }
    }

    fn members(&mut self, world: &World<Party>) {
        for place in (0..MEMBERS).map(NodeId) {
            let member = member(world, place);
            let state = (member.revision(), member.keys().to_vec());
            let first = self.states.entry(member.applied_index()).or_insert_with(|| state.clone());
            assert_eq!(*first, state, "{place:?} differs at {}", member.applied_index());
        }
    }
}

type Calls = Vec<(Span, NodeId, Op)>;

fn cluster(seed: u64, cuts: Cuts, links: Links) -> Cluster {
    let mut dice = Dice(Draws::new(seed));
    let clients: Vec<Calls> = (0..LEASES).map(|client| dice.calls(client)).collect();
    let reliable = Link::reliable(Span::from_us(700));
    let bad =
        Link { jitter: Span::from_ms(3), loss_ppm: 50_000, duplicate_ppm: 50_000, ..reliable };
    let link = if links == Links::Bad { bad } else { reliable };
    Cluster { clicks: dice.clicks(cuts), link, seed, ..Cluster::new(MEMBERS, clients) }
}

fn play(cluster: Cluster) -> (World<Party>, Seen) {
    let (mut world, mut seen) = (cluster.world(), Seen::default());
    let mut steps = 0;
    while world.next_due().is_some_and(|due| due <= END) {
        let mut events = Vec::new();
        world.step(&mut |event: Event<Party>| events.push(event));
        events.iter().for_each(|event| seen.event(event));
        seen.members(&world);
        steps += 1;
        assert!(steps < 20_000, "members go round in circles");
    }
    (world, seen)
}

#[track_caller]
fn check(seed: u64, cuts: Cuts, links: Links) {
    let cluster = cluster(seed, cuts, links);
    let clients = cluster.clients.clone();
    let (world, seen) = play(cluster);
    let members: Vec<_> = (0..MEMBERS).map(|place| member(&world, NodeId(place))).collect();
    let leaders = members.iter().filter(|member| member.part() == Part::Leader);
    assert_eq!(leaders.count(), 1, "one leads in the end");
    let leader = members.iter().find(|member| member.part() == Part::Leader).expect("it leads");
    assert!(members.iter().all(|member| member.leader() == leader.leader()));
    for (client, calls) in (0..).zip(&clients) {
        let client = NodeId(MEMBERS + client);
        for (request, (_, _, op)) in (0..).zip(calls) {
            if let Op::Put(put) = op
                && seen.acknowledged.contains(&(client, RequestId(request)))
            {
                let there = leader.keys().iter().any(|kv| kv.key == put.key);
                assert!(there, "{} was acknowledged", put.key);
            }
        }
    }
    if links == Links::Reliable {
        let applied = members.iter().map(|member| member.applied_index());
        assert_eq!(applied.collect::<BTreeSet<_>>().len(), 1, "all have applied the same");
        assert_eq!(leader.leases().count(), 0, "leases that nobody renews end");
    }
}

#[test]
fn members_agree_and_lose_nothing_under_faults_of_every_kind() {
    for seed in 0..60 {
        check(seed, Cuts::BothWays, Links::Reliable);
        check(seed, Cuts::BothWays, Links::Bad);
    }
}

#[test]
fn members_agree_and_lose_nothing_when_cuts_are_one_way() {
    for seed in 100..160 {
        check(seed, Cuts::OneWay, Links::Reliable);
        check(seed, Cuts::OneWay, Links::Bad);
    }
}

#[test]
fn a_run_of_members_that_begins_later_has_equal_states_throughout() {
    for seed in 200..206 {
        let begin = |later| {
            let cluster = cluster(seed, Cuts::BothWays, Links::Bad);
            Cluster { later, ..cluster }.world()
        };
        let (mut early, mut late) = (begin(Span::ZERO), begin(Span(7_123_457)));
        let mut ignore = |_: Event<Party>| {};
        while early.next_due().is_some_and(|due| due <= END) {
            assert_eq!(early.state(), late.state(), "seed {seed} at {:?}", early.now());
            assert!(early.step(&mut ignore) && late.step(&mut ignore));
        }
    }
}
