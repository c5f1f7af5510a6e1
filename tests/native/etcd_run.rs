//! Whole runs of three members, and what the tests look at in them.

use crate::etcd_party::{Cluster, Party, Sent, member, run};
use fencepost::actors::etcd::api::{Body, EtcdError, LeaseId, Op, Put, RequestId, Response};
use fencepost::actors::etcd::{Member, Part};
use fencepost::actors::note::EtcdNote;
use fencepost::actors::{Message, Note};
use fencepost::sim::click::{Action, Click};
use fencepost::sim::event::{Event, What};
use fencepost::sim::process::NodeId;
use fencepost::sim::time::{Span, TrueTime};
use fencepost::sim::world::World;

pub const M1: NodeId = NodeId(0);
pub const M2: NodeId = NodeId(1);
pub const M3: NodeId = NodeId(2);
pub const C1: NodeId = NodeId(3);
/// A lease of a number that the client chose.
pub const LEASE: LeaseId = LeaseId(7);

pub fn at(ms: i64) -> TrueTime {
    TrueTime(ms * 1_000)
}

pub fn call(ms: i64, to: NodeId, op: Op) -> (Span, NodeId, Op) {
    (Span::from_ms(ms), to, op)
}

pub fn grant(ttl_s: i64, lease: LeaseId) -> Op {
    Op::LeaseGrant { ttl_s, lease }
}

pub fn put(key: &str, lease: LeaseId) -> Op {
    Op::Put(Put::new(key, "v", lease))
}

pub fn keepalive() -> Op {
    Op::LeaseKeepAlive { lease: LEASE }
}

pub fn click(ms: i64, action: Action<Party>) -> Click<Party> {
    Click { at: at(ms), action }
}

pub fn crash(node: NodeId) -> Action<Party> {
    Action::Crash { node, restart_after: None }
}

pub fn pause(node: NodeId, ms: i64) -> Action<Party> {
    Action::Pause { node, lasting: Some(Span::from_ms(ms)) }
}

pub fn cut(from: NodeId, to: NodeId, ms: i64) -> Action<Party> {
    Action::Cut { from, to, lasting: Some(Span::from_ms(ms)) }
}

/// Cuts a member from the other two, both ways.
pub fn cut_off(node: NodeId, from_ms: i64, lasting_ms: i64) -> Vec<Click<Party>> {
    let others = [M1, M2, M3].into_iter().filter(|other| *other != node);
    let links = others.flat_map(|other| [(node, other), (other, node)]);
    links.map(|(from, to)| click(from_ms, cut(from, to, lasting_ms))).collect()
}

/// A finished run of three members.
pub struct Run {
    pub world: World<Party>,
    pub events: Vec<Event<Party>>,
}

pub fn play(clients: Vec<Vec<(Span, NodeId, Op)>>, clicks: Vec<Click<Party>>, until: i64) -> Run {
    let mut world = Cluster { clicks, ..Cluster::new(3, clients) }.world();
    let events = run(&mut world, at(until));
    Run { world, events }
}

impl Run {
    pub fn member(&self, place: NodeId) -> &Member {
        member(&self.world, place)
    }

    /// The answer to a client's request, and when it came.
    #[track_caller]
    pub fn answer(&self, client: NodeId, request: u32) -> (TrueTime, Result<Body, EtcdError>) {
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

    pub fn is_answered(&self, request: u32) -> bool {
        self.events.iter().any(|event| match &event.what {
            What::Delivered { body: Sent(Message::EtcdAnswer(response)), .. } => {
                response.id == RequestId(request)
            }
            _ => false,
        })
    }

    /// The members' notes, with when and where.
    pub fn notes(&self) -> Vec<(TrueTime, NodeId, EtcdNote)> {
        let notes = self.all_notes().into_iter().filter_map(|(at, node, note)| match note {
            Note::Etcd(note) => Some((at, node, note)),
            _ => None,
        });
        notes.collect()
    }

    /// The same with what became of locks.
    pub fn all_notes(&self) -> Vec<(TrueTime, NodeId, Note)> {
        let notes = self.events.iter().filter_map(|event| match &event.what {
            What::Note(note) => Some((event.at, event.node, note.clone())),
            _ => None,
        });
        notes.collect()
    }

    #[track_caller]
    pub fn when(&self, is_meant: impl Fn(&EtcdNote) -> bool) -> (TrueTime, NodeId) {
        let notes = self.notes();
        let found = notes.iter().find(|(_, _, note)| is_meant(note));
        found.map(|(at, node, _)| (*at, *node)).expect("the note was made")
    }

    pub fn event(&self, is_meant: impl Fn(&EtcdNote) -> bool) -> &Event<Party> {
        let found = self.events.iter().find(|event| match &event.what {
            What::Note(Note::Etcd(note)) => is_meant(note),
            _ => false,
        });
        found.expect("the note was made")
    }

    /// All members have applied the same, and one of them leads.
    #[track_caller]
    pub fn check_agreement(&self) {
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
