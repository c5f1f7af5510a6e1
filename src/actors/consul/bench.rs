//! Servers, one or three, and a client, without a network in between: what is sent arrives at
//! once.

use super::api::{
    Ask, Behavior, ConsulError, Entry, Kv, NewSession, Reply, Request, RequestId, SessionId, Verb,
};
use super::{ConsulConfig, Server};
use crate::actors::etcd::Part;
use crate::actors::{Actor, Message, Timer};
use crate::sim::process::{Command, Draws, Hearing, Input, NodeId, Now, Out};
use crate::sim::time::{Mono, Span, Wall};
use std::collections::VecDeque;

pub(super) const CLIENT: NodeId = NodeId(9);
pub(super) const KEY: &str = "job";
pub(super) const ALL: [NodeId; 3] = [NodeId(0), NodeId(1), NodeId(2)];

/// Servers and what is under way between them.
pub(super) struct Bench {
    places: Vec<NodeId>,
    pub servers: Vec<Server>,
    /// Which do not run, or hear nobody and are heard by nobody.
    down: Vec<NodeId>,
    cut: Vec<NodeId>,
    pub now: Mono,
    draws: Draws,
    timers: Vec<(NodeId, Timer, Mono)>,
    mail: VecDeque<(NodeId, NodeId, Message)>,
    answers: Vec<(RequestId, Result<Reply, ConsulError>)>,
    asked: u32,
}

impl Bench {
    /// So many servers, which have started.
    pub fn of(servers: usize) -> Bench {
        let places = &ALL[..servers];
        let config =
            |place| ConsulConfig { lock: Some(KEY.into()), ..ConsulConfig::new(place, places) };
        let mut bench = Bench {
            places: places.to_vec(),
            servers: places.iter().map(|place| Server::new(config(*place))).collect(),
            down: Vec::new(),
            cut: Vec::new(),
            now: Mono(0),
            draws: Draws::new(1),
            timers: Vec::new(),
            mail: VecDeque::new(),
            answers: Vec::new(),
            asked: 0,
        };
        places.iter().for_each(|place| bench.take(*place, Input::Start));
        bench
    }

    /// A server takes an input, and all take what follows from it.
    pub fn take(&mut self, at: NodeId, input: Input<Actor>) {
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
    pub fn at(&mut self, second: i64) -> &mut Bench {
        let until = Mono(second * 1_000_000);
        let due = |bench: &Bench| {
            let timers = bench.timers.iter().filter(|(_, _, due)| *due <= until);
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
        for other in self.places.clone().into_iter().filter(|other| *other != place) {
            for (listener, peer) in [(other, place), (place, other)] {
                if !self.down.contains(&listener) {
                    self.take(listener, Input::Hears { peer, hearing });
                }
            }
        }
    }

    pub fn stop(&mut self, place: NodeId) {
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

    pub fn start(&mut self, place: NodeId) {
        self.down.retain(|down| *down != place);
        self.take(place, Input::Start);
        self.tell(place, Hearing::Heard);
    }

    pub fn cut_off(&mut self, place: NodeId) {
        self.cut.push(place);
        self.tell(place, Hearing::Silent);
    }

    /// Asks the first server.
    pub fn send(&mut self, ask: Ask) -> RequestId {
        self.send_to(ALL[0], ask)
    }

    pub fn send_to(&mut self, to: NodeId, ask: Ask) -> RequestId {
        self.asked += 1;
        let id = RequestId(self.asked);
        let message = Message::Consul(Request { id, ask });
        self.take(to, Input::Message { from: CLIENT, message });
        id
    }

    pub fn answer_to(&self, id: RequestId) -> Option<Result<Reply, ConsulError>> {
        self.answers.iter().find(|(other, _)| *other == id).map(|(_, result)| result.clone())
    }

    /// Asks the first server, which answers at once.
    pub fn ask(&mut self, ask: Ask) -> Result<Reply, ConsulError> {
        self.ask_at(ALL[0], ask)
    }

    #[track_caller]
    pub fn ask_at(&mut self, to: NodeId, ask: Ask) -> Result<Reply, ConsulError> {
        let id = self.send_to(to, ask);
        self.answer_to(id).expect("it is answered at once")
    }

    pub fn session(&mut self, ttl_s: i64, lock_delay_s: i64, behavior: Behavior) -> SessionId {
        self.new_session(ALL[0], ttl_s, lock_delay_s, behavior)
    }

    /// A session of 10 s with the lock-delay that is there by default.
    pub fn session_at(&mut self, place: NodeId) -> SessionId {
        self.new_session(place, 10, 15, Behavior::Release)
    }

    fn new_session(
        &mut self,
        at: NodeId,
        ttl_s: i64,
        lock_delay_s: i64,
        behavior: Behavior,
    ) -> SessionId {
        let (ttl, lock_delay) = (Span::from_s(ttl_s), Span::from_s(lock_delay_s));
        match self.ask_at(at, Ask::Create(NewSession { ttl, lock_delay, behavior })) {
            Ok(Reply::Created(session)) => session,
            other => panic!("{other:?}"),
        }
    }

    pub fn kv(&mut self, verb: Verb) -> Result<bool, ConsulError> {
        self.kv_at(ALL[0], verb)
    }

    #[track_caller]
    pub fn kv_at(&mut self, place: NodeId, verb: Verb) -> Result<bool, ConsulError> {
        match self.ask_at(place, Ask::Kv(Kv { key: KEY.into(), verb })) {
            Ok(Reply::Is(done)) => Ok(done),
            Err(error) => Err(error),
            other => panic!("{other:?}"),
        }
    }

    pub fn acquire(&mut self, session: SessionId) -> Result<bool, ConsulError> {
        self.acquire_at(ALL[0], session)
    }

    #[track_caller]
    pub fn acquire_at(&mut self, place: NodeId, session: SessionId) -> Result<bool, ConsulError> {
        self.kv_at(place, Verb::Acquire("".into(), session))
    }

    pub fn is_there(&mut self, session: SessionId) -> bool {
        self.is_there_at(ALL[0], session)
    }

    pub fn is_there_at(&mut self, place: NodeId, session: SessionId) -> bool {
        matches!(self.ask_at(place, Ask::Info(session)), Ok(Reply::Session(Some(_))))
    }

    /// The first server.
    pub fn server(&self) -> &Server {
        &self.servers[0]
    }

    /// The lock's key, as the first server has it.
    pub fn entry(&self) -> Entry {
        self.server().entry(KEY).expect("it is there").clone()
    }

    /// The first server's process ends, and starts.
    pub fn restart(&mut self) {
        self.stop(ALL[0]);
        self.start(ALL[0]);
    }

    pub fn leader(&self) -> Option<NodeId> {
        let leads = |place: &NodeId| self.servers[place.index()].part() == Part::Leader;
        self.places.iter().copied().filter(|place| !self.down.contains(place)).find(leads)
    }

    /// The first whole second from now on at which this holds.
    pub fn first(&mut self, holds: impl Fn(&mut Bench) -> bool) -> i64 {
        let begin = self.now.0 / 1_000_000;
        let found = (begin..begin + 200).find(|second| holds(self.at(*second)));
        found.expect("it comes to be")
    }
}
