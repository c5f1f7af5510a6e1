//! One member, message by message: what needs two things to cross on their way.

use super::api::{Op, Put, Request, RequestId};
use super::log::{Command as Entered, Entry, Place};
use super::*;
use crate::sim::process::{Command, Draws, Hearing};
use crate::sim::time::{Mono, Span, Wall};

const M1: NodeId = NodeId(0);
const M2: NodeId = NodeId(1);
const M3: NodeId = NodeId(2);
const CLIENT: NodeId = NodeId(3);

/// The second of three members; the first leads.
struct Bench {
    member: Member,
    draws: Draws,
    now: Now,
}

impl Bench {
    fn new() -> Bench {
        let member = Member::new(EtcdConfig::new(M2, &[M1, M2, M3]));
        let now = Now { mono: Mono(5_000_000), wall: Wall(0) };
        let mut bench = Bench { member, draws: Draws::new(1), now };
        bench.give(Input::Start);
        bench
    }

    fn give(&mut self, input: Input<Actor>) -> Vec<Command<Actor>> {
        let mut out = Out::new(M2, self.now, &mut self.draws);
        self.member.handle(input, self.now, &mut out);
        out.into_commands()
    }

    /// What the member says to other members when one tells it something.
    fn tell(&mut self, from: NodeId, message: PeerMessage) -> Vec<(NodeId, PeerMessage)> {
        let commands = self.give(Input::Message { from, message: Message::Peer(message) });
        said(&commands)
    }

    fn hear(&mut self, peer: NodeId, hearing: Hearing) -> Vec<(NodeId, PeerMessage)> {
        said(&self.give(Input::Hears { peer, hearing }))
    }

    fn ask(&mut self, from: NodeId, term: u64) -> Vote {
        let last = Place { index: 1, term: 1 };
        let said = self.tell(from, PeerMessage::Vote { term, last });
        match said.as_slice() {
            [(to, PeerMessage::VoteAck { term: of, vote })] if *to == from && *of == term => *vote,
            other => panic!("a vote is answered by one message, not {other:?}"),
        }
    }

    /// The first member goes silent, and this one is elected by the third.
    fn elected() -> Bench {
        let mut bench = Bench::new();
        bench.tell(M1, append(1, &[1]));
        bench.hear(M1, Hearing::Silent);
        bench.now.mono = bench.now.mono + Span::from_s(2);
        bench.give(Input::Timer(Timer::Etcd(EtcdTimer::Election)));
        bench.tell(M3, PeerMessage::VoteAck { term: 2, vote: Vote::Granted });
        assert_eq!((bench.member.part(), bench.member.term()), (Part::NewLeader, 2));
        bench
    }
}

fn said(commands: &[Command<Actor>]) -> Vec<(NodeId, PeerMessage)> {
    let sent = commands.iter().filter_map(|command| match command {
        Command::Send { to, message: Message::Peer(message) } => Some((*to, message.clone())),
        _ => None,
    });
    sent.collect()
}

/// The log of a leader of `term`: the first entry committed, entries of these terms
/// after it, each a put.
fn append(term: u64, tail: &[u64]) -> PeerMessage {
    let put = Put::new("a", "", api::LeaseId::NONE);
    let origin = Origin { via: M1, client: CLIENT, request: RequestId(0) };
    let command = Entered::Client { op: Op::Put(put), origin };
    let entry = |term: &u64| Rc::new(Entry { term: *term, command: command.clone() });
    let committed = Place { index: 1, term: 1 };
    PeerMessage::Append { term, committed, tail: tail.iter().map(entry).collect() }
}

fn refused(term: u64, leader: Option<NodeId>) -> Vote {
    Vote::Refused { term, leader }
}

#[test]
fn a_member_that_hears_its_leader_votes_for_nobody() {
    let mut bench = Bench::new();
    assert_eq!(bench.ask(M3, 2), refused(1, Some(M1)));
    bench.hear(M1, Hearing::Silent);
    assert_eq!(bench.ask(M3, 2), Vote::Granted);
}

#[test]
fn a_member_votes_once_a_term_and_remembers_it_after_a_crash() {
    let mut bench = Bench::new();
    bench.hear(M1, Hearing::Silent);
    assert_eq!(bench.ask(M3, 2), Vote::Granted);
    assert_eq!(bench.ask(M1, 2), refused(2, None));
    assert_eq!(bench.ask(M3, 2), Vote::Granted, "the first answer may have been lost");
    bench.member.crash();
    bench.give(Input::Start);
    assert_eq!(bench.ask(M1, 2), refused(2, None));
    assert_eq!(bench.ask(M1, 3), Vote::Granted);
}

#[test]
fn a_candidate_votes_for_itself_until_it_cannot_win() {
    let mut bench = Bench::new();
    bench.hear(M1, Hearing::Silent);
    bench.give(Input::Timer(Timer::Etcd(EtcdTimer::Election)));
    assert_eq!(bench.member.part(), Part::Candidate);
    assert_eq!(bench.ask(M3, 2), refused(1, None));
    bench.tell(M3, PeerMessage::VoteAck { term: 2, vote: refused(1, None) });
    assert_eq!(bench.member.part(), Part::Follower);
    assert_eq!(bench.ask(M3, 2), Vote::Granted);
    // Its own candidacy is over, whatever comes in late.
    bench.tell(M1, PeerMessage::VoteAck { term: 2, vote: Vote::Granted });
    assert_eq!(bench.member.part(), Part::Follower);
}

#[test]
fn an_older_entry_is_committed_only_together_with_one_of_the_own_term() {
    let mut bench = Bench::elected();
    bench.tell(M3, PeerMessage::AppendAck { term: 2, held: Some(2) });
    assert_eq!((bench.member.part(), bench.member.applied_index()), (Part::NewLeader, 1));
    bench.tell(M3, PeerMessage::AppendAck { term: 2, held: Some(3) });
    assert_eq!((bench.member.part(), bench.member.applied_index()), (Part::Leader, 3));
    assert_eq!(bench.member.keys().len(), 1);
}

#[test]
fn a_leader_of_an_older_term_is_told_that_it_is_deposed() {
    let mut bench = Bench::elected();
    let deposed = PeerMessage::AppendAck { term: 2, held: None };
    assert_eq!(bench.tell(M1, append(1, &[1, 1])), [(M1, deposed)]);
    assert_eq!(bench.member.uncommitted(), 2, "its entries are not taken in");
}

#[test]
fn a_leader_steps_down_when_it_learns_of_a_higher_term() {
    let mut bench = Bench::elected();
    let request = Request { id: RequestId(9), op: Op::Range(api::Range::key("a")) };
    bench.give(Input::Message { from: CLIENT, message: Message::Etcd(request) });
    let higher = PeerMessage::AppendAck { term: 5, held: None };
    let commands = bench.give(Input::Message { from: M3, message: Message::Peer(higher) });
    assert_eq!((bench.member.part(), bench.member.term()), (Part::Follower, 5));
    let answers = commands.iter().filter_map(|command| match command {
        Command::Send { to, message: Message::EtcdAnswer(response) } => Some((*to, response)),
        _ => None,
    });
    let response = Response { id: RequestId(9), result: Err(EtcdError::LeaderChanged) };
    assert_eq!(answers.collect::<Vec<_>>(), [(CLIENT, &response)]);
}

#[test]
fn a_renewal_that_members_pass_on_is_routine_and_other_requests_are_not() {
    use crate::sim::process::Message as _;
    let lease = api::LeaseId(7);
    let forward = |op| {
        let request = Request { id: RequestId(1), op };
        Message::Peer(PeerMessage::Forward { client: CLIENT, request })
    };
    assert!(forward(Op::LeaseKeepAlive { lease }).is_routine());
    assert!(!forward(Op::LeaseRevoke { lease }).is_routine());
    let answer = |body| {
        let result = Ok(Reply { revision: 41, body });
        let response = Response { id: RequestId(1), result };
        Message::Peer(PeerMessage::ForwardAnswer { client: CLIENT, response })
    };
    assert!(answer(Body::Lease { lease, ttl_s: 5 }).is_routine());
    assert!(!answer(Body::Revoked).is_routine());
}
