//! Three servers and a client, without a network in between: what is sent arrives at once.

use super::api::{
    Ask, Behavior, ConsulError, Get, Kv, NewSession, Reads, Reply, Request, RequestId, SessionId,
    Verb,
};
use super::{ConsulConfig, Server};
use crate::actors::etcd::Part;
use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{Command, Draws, Hearing, Input, NodeId, Now, Out};
use crate::sim::time::{Mono, Span, Wall};
use std::collections::VecDeque;

const CLIENT: NodeId = NodeId(9);
const KEY: &str = "job";
const ALL: [NodeId; 3] = [NodeId(0), NodeId(1), NodeId(2)];

struct Cluster {
    servers: Vec<Server>,
    /// Which do not run, or hear nobody and are heard by nobody.
    down: Vec<NodeId>,
    cut: Vec<NodeId>,
    now: Mono,
    draws: Draws,
    timers: Vec<(NodeId, Timer, Mono)>,
    mail: VecDeque<(NodeId, NodeId, Message)>,
    answers: Vec<(RequestId, Result<Reply, ConsulError>)>,
    asked: u32,
}

impl Cluster {
    fn new() -> Cluster {
        let config =
            |place| ConsulConfig { lock: Some(KEY.into()), ..ConsulConfig::new(place, &ALL) };
        let mut cluster = Cluster {
            servers: ALL.iter().map(|place| Server::new(config(*place))).collect(),
            down: Vec::new(),
            cut: Vec::new(),
            now: Mono(0),
            draws: Draws::new(1),
            timers: Vec::new(),
            mail: VecDeque::new(),
            answers: Vec::new(),
            asked: 0,
        };
        ALL.iter().for_each(|place| cluster.take(*place, Input::Start));
        cluster
    }

    /// A server takes an input, and all take what follows from it.
    fn take(&mut self, at: NodeId, input: Input<Actor>) {
        self.step(at, input);
        while let Some((from, to, message)) = self.mail.pop_front() {
            match message {
                Message::ConsulAnswer(response) if to == CLIENT => {
                    self.answers.push((response.id, response.result));
                }
                _ if to == CLIENT => {}
                message if self.down.contains(&to) => {
                    if !self.down.contains(&from) {
                        self.step(from, Input::Unreachable { to, message });
                    }
                }
                _ if from != CLIENT && [from, to].iter().any(|one| self.cut.contains(one)) => {}
                message => self.step(to, Input::Message { from, message }),
            }
        }
    }

    fn step(&mut self, at: NodeId, input: Input<Actor>) {
        let now = Now { mono: self.now, wall: Wall(self.now.0) };
        let mut out = Out::new(at, now, &mut self.draws);
        self.servers[at.index()].handle(input, now, &mut out);
        for command in out.into_commands() {
            match command {
                Command::Send { to, message } => self.mail.push_back((at, to, message)),
                Command::SetTimer { timer, at: due } => {
                    self.timers.retain(|(whose, other, _)| (*whose, other) != (at, &timer));
                    self.timers.push((at, timer, due));
                }
                Command::CancelTimer(timer) => {
                    self.timers.retain(|(whose, other, _)| (*whose, other) != (at, &timer));
                }
                _ => {}
            }
        }
    }

    /// Lets time pass up to a second.
    fn at(&mut self, second: i64) -> &mut Cluster {
        let until = Mono(second * 1_000_000);
        let due = |cluster: &Cluster| {
            let timers = cluster.timers.iter().filter(|(_, _, due)| *due <= until);
            timers.min_by_key(|(_, _, due)| *due).cloned()
        };
        while let Some((whose, timer, due)) = due(self) {
            self.timers.retain(|(at, other, _)| (*at, other) != (whose, &timer));
            self.now = due;
            self.take(whose, Input::Timer(timer));
        }
        self.now = until;
        self
    }

    /// Whether others hear a server, and it them, has changed.
    fn tell(&mut self, place: NodeId, hearing: Hearing) {
        for other in ALL.into_iter().filter(|other| *other != place) {
            for (listener, peer) in [(other, place), (place, other)] {
                if !self.down.contains(&listener) {
                    self.take(listener, Input::Hears { peer, hearing });
                }
            }
        }
    }

    fn stop(&mut self, place: NodeId) {
        let words = self.servers[place.index()].last_words();
        self.servers[place.index()].crash();
        self.timers.retain(|(whose, _, _)| *whose != place);
        self.down.push(place);
        for (to, message) in words {
            match to == CLIENT {
                true => {}
                false => self.take(to, Input::Message { from: place, message }),
            }
        }
        self.tell(place, Hearing::Silent);
    }

    fn start(&mut self, place: NodeId) {
        self.down.retain(|down| *down != place);
        self.take(place, Input::Start);
        self.tell(place, Hearing::Heard);
    }

    fn cut_off(&mut self, place: NodeId) {
        self.cut.push(place);
        self.tell(place, Hearing::Silent);
    }

    fn send(&mut self, to: NodeId, ask: Ask) -> RequestId {
        self.asked += 1;
        let id = RequestId(self.asked);
        let message = Message::Consul(Request { id, ask });
        self.take(to, Input::Message { from: CLIENT, message });
        id
    }

    fn answer_to(&self, id: RequestId) -> Option<Result<Reply, ConsulError>> {
        self.answers.iter().find(|(other, _)| *other == id).map(|(_, result)| result.clone())
    }

    #[track_caller]
    fn ask(&mut self, to: NodeId, ask: Ask) -> Result<Reply, ConsulError> {
        let id = self.send(to, ask);
        self.answer_to(id).expect("it is answered at once")
    }

    fn session(&mut self, at: NodeId) -> SessionId {
        let (ttl, lock_delay) = (Span::from_s(10), Span::from_s(15));
        let made = NewSession { ttl, lock_delay, behavior: Behavior::Release };
        match self.ask(at, Ask::Create(made)) {
            Ok(Reply::Created(session)) => session,
            other => panic!("{other:?}"),
        }
    }

    fn acquire(&mut self, at: NodeId, session: SessionId) -> Result<Reply, ConsulError> {
        self.ask(at, acquire(session))
    }

    fn leader(&self) -> Option<NodeId> {
        let leads = |place: &NodeId| self.servers[place.index()].part() == Part::Leader;
        ALL.into_iter().filter(|place| !self.down.contains(place)).find(leads)
    }

    /// The first whole second from now on at which this holds.
    fn first(&mut self, holds: impl Fn(&mut Cluster) -> bool) -> i64 {
        let begin = self.now.0 / 1_000_000;
        let found = (begin..begin + 200).find(|second| holds(self.at(*second)));
        found.expect("it comes to be")
    }
}

fn acquire(session: SessionId) -> Ask {
    Ask::Kv(Kv { key: KEY.into(), verb: Verb::Acquire("".into(), session) })
}

fn get(index: i64, mode: Reads) -> Ask {
    Ask::Get(Get { key: KEY.into(), index, wait: Span::from_s(15), mode })
}

#[test]
fn the_next_leader_gives_a_session_its_whole_time_anew() {
    let mut cluster = Cluster::new();
    let holder = cluster.session(ALL[0]);
    assert_eq!(cluster.acquire(ALL[1], holder), Ok(Reply::Is(true)));
    cluster.at(15).stop(ALL[0]);
    let led = cluster.first(|cluster| cluster.leader().is_some());
    assert!((21..=26).contains(&led), "an election timeout, and up to one more: {led}");
    let next = cluster.leader().expect("one leads");
    let is_there = |cluster: &mut Cluster| {
        matches!(cluster.ask(next, Ask::Info(holder)), Ok(Reply::Session(Some(_))))
    };
    let ended = cluster.first(|cluster| !is_there(cluster));
    assert_eq!(ended, led + 20, "twice the TTL after it began to lead");
    let other = cluster.session(next);
    let taken = cluster.first(|cluster| {
        cluster.ask(next, Ask::Renew(other)).expect("it is there");
        cluster.acquire(next, other) == Ok(Reply::Is(true))
    });
    assert_eq!(taken, ended + 15);
}

#[test]
fn the_next_leader_has_the_lock_delay_unless_it_has_started_again_since() {
    for restarts in [false, true] {
        let mut cluster = Cluster::new();
        let holder = cluster.session(ALL[0]);
        assert_eq!(cluster.acquire(ALL[0], holder), Ok(Reply::Is(true)));
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
        let other = cluster.session(next);
        let taken = cluster.first(|cluster| {
            cluster.ask(next, Ask::Renew(other)).expect("it is there");
            cluster.acquire(next, other) == Ok(Reply::Is(true))
        });
        assert_eq!(taken, if restarts { led } else { 20 + 15 });
    }
}

#[test]
fn a_follower_passes_on_what_it_is_asked_and_answers_a_stale_read_from_its_own() {
    let mut cluster = Cluster::new();
    let holder = cluster.session(ALL[2]);
    cluster.cut_off(ALL[1]);
    assert_eq!(cluster.acquire(ALL[2], holder), Ok(Reply::Is(true)));
    assert_eq!(cluster.ask(ALL[1], get(0, Reads::Default)), Err(ConsulError::NoLeader));
    assert_eq!(cluster.ask(ALL[1], get(0, Reads::Stale)), Ok(Reply::Entry(None, 1)));
    let Ok(Reply::Entry(Some(entry), _)) = cluster.ask(ALL[2], get(0, Reads::Stale)) else {
        panic!("it has applied the change")
    };
    assert_eq!(entry.session, Some(holder));
    assert_eq!(cluster.ask(ALL[2], Ask::Renew(holder)), Ok(Reply::Renewed));
}

#[test]
fn a_leader_that_is_cut_off_commits_nothing_and_gives_up_half_an_election_timeout_later() {
    let mut cluster = Cluster::new();
    let holder = cluster.session(ALL[0]);
    cluster.at(1).cut_off(ALL[0]);
    let asked = cluster.send(ALL[0], acquire(holder));
    // It answers from its memory until then.
    assert_eq!(cluster.at(3).ask(ALL[0], Ask::Renew(holder)), Ok(Reply::Renewed));
    assert_eq!(cluster.answer_to(asked), None);
    let refused = cluster.at(4).ask(ALL[0], Ask::Renew(holder));
    assert_eq!(refused, Err(ConsulError::NoLeader));
    assert_eq!(cluster.answer_to(asked), Some(Err(ConsulError::NoLeader)));
    cluster.at(12);
    let next = cluster.leader().expect("another leads");
    assert_ne!(next, ALL[0]);
    let other = cluster.session(next);
    assert_eq!(cluster.acquire(next, other), Ok(Reply::Is(true)));
}

#[test]
fn who_waits_through_a_follower_is_told_when_the_leader_ends() {
    let mut cluster = Cluster::new();
    let holder = cluster.session(ALL[0]);
    assert_eq!(cluster.acquire(ALL[0], holder), Ok(Reply::Is(true)));
    let waits = cluster.send(ALL[1], get(3, Reads::Default));
    assert_eq!(cluster.answer_to(waits), None);
    cluster.at(5).stop(ALL[0]);
    assert_eq!(cluster.answer_to(waits), Some(Err(ConsulError::NoLeader)));
}

#[test]
fn the_index_goes_on_with_the_next_leader() {
    let mut cluster = Cluster::new();
    let holder = cluster.session(ALL[0]);
    assert_eq!(cluster.acquire(ALL[0], holder), Ok(Reply::Is(true)));
    cluster.stop(ALL[0]);
    cluster.at(12);
    let next = cluster.leader().expect("one leads");
    let release = Kv { key: KEY.into(), verb: Verb::Release("".into(), holder) };
    assert_eq!(cluster.ask(next, Ask::Kv(release)), Ok(Reply::Is(true)));
    let entry = cluster.servers[next.index()].entry(KEY).expect("it is there").clone();
    // A session, an acquisition, a new leader, a release.
    assert_eq!((entry.create_index, entry.modify_index, entry.lock_index), (2, 4, 1));
    cluster.start(ALL[0]);
    assert_eq!(cluster.servers[0].entry(KEY), Some(&entry), "it is told what it has missed");
}
