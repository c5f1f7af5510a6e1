//! A world of ZooKeeper servers and clients that do what they are told to do. A client
//! keeps its connection as the engine's own client does.

use crate::etcd_party::say;
use fencepost::actors::zookeeper::api::{Ask, Event, RequestId, Response, SessionId, ZkError};
use fencepost::actors::zookeeper::client::{Change, Client, Sends, Standing};
use fencepost::actors::zookeeper::{Server, ZkConfig, api};
use fencepost::actors::{Actor, Fact, Message, Note, Timer};
use fencepost::sim::click::Click;
use fencepost::sim::clock::RIGHT_RATE_PPM;
use fencepost::sim::network::Link;
use fencepost::sim::process::{Command, Draws, Input, NodeId, Now, Out, Process};
use fencepost::sim::time::{Mono, Span, TrueTime, Wall};
use fencepost::sim::world::{NodeSetup, Setup, WakeFirst, World};
use serde::Serialize;

/// How long a message takes.
pub const LATENCY: Span = Span::from_us(500);

/// What the clocks of all machines show at the start.
pub const BEGINS: Mono = Mono(77_000_000);

/// A server, or a client with what it is to do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Party {
    /// A server; its draws are its own here.
    Server(Box<Server>, Draws),
    /// A client.
    Client(Box<Calls>),
}

/// A client and what it does: when after the start, and what.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calls {
    servers: Vec<NodeId>,
    acts: Vec<(Span, Act)>,
    last_id: u32,
    client: Client,
    /// What the process knows of a session that is over.
    pub expired: bool,
    /// Calls under way: their number, and which of the acts.
    sent: Vec<(RequestId, u32)>,
    /// What came of the acts.
    pub answers: Vec<(u32, Answer)>,
    /// What the watches told.
    pub told: Vec<Event>,
}

/// What came of an act.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Answer {
    /// The server's answer.
    Of(Response),
    /// The connection is that of a session, with its timeout.
    Connected(SessionId, Span),
    /// The client knows by itself.
    Own(ZkError),
}

/// What a client does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Act {
    /// Connects: for a new session, or for one with its password.
    Connect(Span, Option<(SessionId, u64)>),
    /// Calls.
    Call(Ask),
}

/// A server's timer, that an act is due, or that the connection wants something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PartyTimer {
    /// A server's.
    Server(Timer),
    /// The act at this place of the list.
    Act(u32),
    /// The connection's.
    Wake,
}

/// What is sent: the engine's own messages.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sent(pub Message);

impl fencepost::sim::process::Message for Sent {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }
}

impl Process for Party {
    type Message = Sent;
    type Timer = PartyTimer;
    type Setting = ();
    type Note = Note;
    type Fact = Fact;

    fn handle(&mut self, input: Input<Party>, now: Now, out: &mut Out<Party>) {
        match self {
            Party::Server(server, draws) => {
                let mut inner = Out::new(out.node(), now, draws);
                server.handle(for_server(input), now, &mut inner);
                for command in inner.into_commands() {
                    pass_on(command, out);
                }
            }
            Party::Client(calls) => calls.handle(input, now.mono, out),
        }
    }

    fn crash(&mut self) {
        match self {
            Party::Server(server, _) => server.crash(),
            Party::Client(calls) => {
                calls.client.stop();
                calls.sent.clear();
            }
        }
    }

    fn last_words(&self) -> Vec<(NodeId, Sent)> {
        match self {
            Party::Server(server, _) => {
                server.last_words().into_iter().map(|(to, message)| (to, Sent(message))).collect()
            }
            Party::Client(calls) => {
                let connection = calls.client.farewell(&calls.servers).into_iter();
                connection.map(|(to, number)| (to, Sent(Message::ZkClosed(number)))).collect()
            }
        }
    }

    fn listens_to(&self) -> &[NodeId] {
        match self {
            Party::Server(server, _) => server.peers(),
            Party::Client(_) => &[],
        }
    }
}

fn for_server(input: Input<Party>) -> Input<Actor> {
    match input {
        Input::Start => Input::Start,
        Input::Message { from, message } => Input::Message { from, message: message.0 },
        Input::Unreachable { to, message } => Input::Unreachable { to, message: message.0 },
        Input::Timer(PartyTimer::Server(timer)) => Input::Timer(timer),
        Input::Hears { peer, hearing } => Input::Hears { peer, hearing },
        other => unreachable!("a server is not given {other:?}"),
    }
}

fn pass_on(command: Command<Actor>, out: &mut Out<Party>) {
    match command {
        Command::Send { to, message } => out.send(to, Sent(message)),
        Command::SetTimer { timer, at } => out.set_timer(PartyTimer::Server(timer), at),
        Command::CancelTimer(timer) => out.cancel_timer(PartyTimer::Server(timer)),
        Command::Note(noted) => say(noted, out),
        other => unreachable!("a server does not do {other:?}"),
    }
}

impl Calls {
    /// A client of these servers.
    pub fn new(servers: &[NodeId], acts: Vec<(Span, Act)>) -> Calls {
        Calls {
            servers: servers.to_vec(),
            acts,
            last_id: 0,
            client: Client::new(Span::from_s(1)),
            expired: false,
            sent: Vec::new(),
            answers: Vec::new(),
            told: Vec::new(),
        }
    }

    /// Whether it is connected, as it knows.
    pub fn is_connected(&self) -> bool {
        self.client.standing() == Standing::Connected
    }

    /// Its session and the password.
    pub fn session(&self) -> Option<(SessionId, u64)> {
        self.client.session().zip(self.client.password())
    }

    fn handle(&mut self, input: Input<Party>, now: Mono, out: &mut Out<Party>) {
        match input {
            Input::Start => {
                for (place, (after, _)) in (0..).zip(&self.acts) {
                    if BEGINS + *after >= now {
                        out.set_timer(PartyTimer::Act(place), BEGINS + *after);
                    }
                }
            }
            Input::Timer(PartyTimer::Act(place)) => self.act(place, now, out),
            Input::Timer(_) => {
                let (sends, change) = self.client.wake(&self.servers, now);
                self.send(sends, out);
                self.changed(change);
            }
            Input::Message { from, message: Sent(message) } => self.hear(from, message, now),
            Input::Unreachable { to, message: Sent(Message::Zk(request)) } => {
                let change = self.client.closed(to, request.id, &self.servers, now);
                self.changed(change);
            }
            _ => {}
        }
        match self.client.next_wake() {
            Some(at) => out.set_timer(PartyTimer::Wake, at),
            None => out.cancel_timer(PartyTimer::Wake),
        }
    }

    fn act(&mut self, place: u32, now: Mono, out: &mut Out<Party>) {
        let sends = match self.acts[place as usize].1.clone() {
            Act::Connect(timeout, session) => {
                self.expired = false;
                self.client = match session {
                    Some((session, password)) => Client::of_session(timeout, session, password),
                    None => Client::new(timeout),
                };
                self.client.connect(&self.servers, now)
            }
            Act::Call(_) if self.expired => {
                return self.answers.push((place, Answer::Own(ZkError::SessionExpired)));
            }
            Act::Call(ask) => Sends::Call(self.client.server(&self.servers), ask),
        };
        self.client.sends(now);
        self.send(Some(sends), out);
        self.sent.push((RequestId(self.last_id), place));
    }

    fn send(&mut self, sends: Option<Sends>, out: &mut Out<Party>) {
        match sends {
            Some(Sends::Call(to, ask)) => {
                self.last_id += 1;
                if let Ask::Connect(_) = ask {
                    self.client.began(RequestId(self.last_id));
                }
                let request = api::Request { id: RequestId(self.last_id), ask };
                out.send(to, Sent(Message::Zk(request)));
            }
            Some(Sends::Hangup(to, connection)) => {
                out.send(to, Sent(Message::ZkClosed(connection)));
            }
            None => {}
        }
    }

    fn changed(&mut self, change: Option<Change>) {
        self.expired |= change == Some(Change::Expired);
    }

    fn hear(&mut self, from: NodeId, message: Message, now: Mono) {
        match message {
            Message::ZkReply(response) => {
                let change = self.client.answered(from, &response, &self.servers, now);
                self.changed(change);
                let Some(at) = self.sent.iter().position(|(id, _)| *id == response.id) else {
                    return;
                };
                let (_, place) = self.sent.remove(at);
                let answer = match change {
                    Some(Change::Opened | Change::Reattached) => {
                        let session = self.client.session().expect("it has just come");
                        Answer::Connected(session, self.client.timeout())
                    }
                    Some(Change::Expired) => Answer::Own(ZkError::SessionExpired),
                    _ => Answer::Of(response),
                };
                self.answers.push((place, answer));
            }
            Message::ZkEvent(event) => {
                self.client.hears(from, &self.servers, now);
                self.told.push(event);
            }
            Message::ZkClosed(call) => {
                let change = self.client.closed(from, call, &self.servers, now);
                self.changed(change);
            }
            other => panic!("nobody sends this to a client: {other:?}"),
        }
    }
}

/// What a world of servers and clients is made of.
pub struct Ensemble {
    /// Each server's settings; the servers come first.
    pub servers: Vec<ZkConfig>,
    /// Each client's acts.
    pub clients: Vec<Vec<(Span, Act)>>,
    /// What is done to them.
    pub clicks: Vec<Click<Party>>,
}

impl Ensemble {
    /// So many servers with ticks of this length, and clients.
    pub fn new(servers: u8, tick: Span, clients: Vec<Vec<(Span, Act)>>) -> Ensemble {
        let all: Vec<NodeId> = (0..servers).map(NodeId).collect();
        let config = |server: &NodeId| ZkConfig {
            tick,
            locks: vec!["/lock".into()],
            ..ZkConfig::new(*server, &all)
        };
        Ensemble { servers: all.iter().map(config).collect(), clients, clicks: Vec::new() }
    }

    /// The world at the start.
    pub fn world(self) -> World<Party> {
        let node = |process| NodeSetup {
            name: "party".into(),
            process,
            mono: BEGINS,
            wall_ahead: Span::ZERO,
            rate_ppm: RIGHT_RATE_PPM,
            wake_first: WakeFirst::Timers,
        };
        let all: Vec<NodeId> = self.servers.iter().map(|config| config.place).collect();
        let server =
            |(seed, config)| Party::Server(Box::new(Server::new(config)), Draws::new(seed));
        let servers = (0..).zip(self.servers).map(server);
        let clients = self.clients.into_iter();
        let clients = clients.map(|acts| Party::Client(Box::new(Calls::new(&all, acts))));
        World::new(Setup {
            start: TrueTime(0),
            wall: Wall(1_774_980_000_000_000),
            nodes: servers.chain(clients).map(node).collect(),
            links: litemap::LiteMap::new(),
            default_link: Link::reliable(LATENCY),
            seed: 1,
            clicks: (0..).zip(self.clicks).collect(),
        })
    }
}

/// A server of a world.
pub fn server(world: &World<Party>, place: NodeId) -> &Server {
    match &world.node(place).process {
        Party::Server(server, _) => server,
        Party::Client(_) => panic!("{place:?} is a client"),
    }
}

/// A client of a world.
pub fn client(world: &World<Party>, place: NodeId) -> &Calls {
    match &world.node(place).process {
        Party::Client(calls) => calls,
        Party::Server(..) => panic!("{place:?} is a server"),
    }
}
