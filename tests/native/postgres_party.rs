//! A world of a PostgreSQL server and clients that do what they are told to do. A client
//! looks at its connection only when it uses it, as drivers do that have no thread for it.

use crate::etcd_party::say;
use fencepost::actors::postgres::api::{
    Ask, Connection, Database, Fatal, Request, RequestId, Response, SqlError, Statement,
};
use fencepost::actors::postgres::{Order, PostgresConfig, Server};
use fencepost::actors::store::api::Owner;
use fencepost::actors::{Actor, Fact, Message, Note, Setting, Timer};
use fencepost::sim::click::Click;
use fencepost::sim::clock::RIGHT_RATE_PPM;
use fencepost::sim::event::Event;
use fencepost::sim::network::Link;
use fencepost::sim::process::{Command, Draws, Input, NodeId, Now, Out, Process};
use fencepost::sim::time::{Mono, Span, TrueTime, Wall};
use fencepost::sim::world::{NodeSetup, Setup, WakeFirst, World};
use serde::Serialize;

/// How long a message takes.
pub const LATENCY: Span = Span::from_us(500);

/// What the right clock shows at the start.
pub const START: Wall = Wall(1_774_980_000_000_000);

/// What every machine's other clock shows at the start.
const BOOT: Mono = Mono(77_000_000);

/// The server.
pub const SERVER: NodeId = NodeId(0);

/// What a client does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Does {
    /// Opens a connection.
    Connect(Database),
    /// Closes it.
    Close,
    /// Runs a statement.
    Run(Statement),
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Came {
    /// It was done, and needs no answer.
    Done,
    /// The server answered.
    Answer(Response),
    /// The connection is closed, and this is what was said.
    Closed(Option<SqlError>),
}

/// A client.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Client {
    /// The acquisition that its connections are for.
    pub application: Owner,
    /// When after its start it does what.
    pub does: Vec<(Span, Does)>,
    /// What came of what, and when.
    pub log: Vec<(u32, Span, Came)>,
    connection: Connection,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
enum State {
    Ready,
    Waits(u32),
    Closed(Option<SqlError>),
}

impl Client {
    /// A client that is not connected, with what it is to do.
    pub fn new(does: Vec<(Span, Does)>) -> Client {
        Client {
            application: Owner::NONE,
            does,
            log: Vec::new(),
            connection: Connection(0),
            state: State::Closed(None),
        }
    }

    fn done(&mut self, place: u32, now: Now, came: Came) {
        self.log.push((place, now.mono - BOOT, came));
    }

    fn begin(&mut self, place: u32, now: Now, out: &mut Out<Party>) {
        let does = self.does[place as usize].1.clone();
        let ask = match (does, self.state.clone()) {
            (Does::Connect(database), _) => {
                self.connection.0 += 1;
                Ask::Connect { database, application: self.application }
            }
            (Does::Close, state) => {
                if let State::Waits(waits) = state {
                    self.done(waits, now, Came::Closed(None));
                }
                self.state = State::Closed(None);
                self.done(place, now, Came::Done);
                Ask::Close
            }
            (Does::Run(_), State::Closed(error)) => {
                self.state = State::Closed(None);
                return self.done(place, now, Came::Closed(error));
            }
            (Does::Run(statement), State::Ready | State::Waits(_)) => Ask::Run(statement),
        };
        if ask != Ask::Close {
            self.state = State::Waits(place);
        }
        let request = Request { connection: self.connection, id: RequestId(place + 1), ask };
        out.send(SERVER, Sent(Message::Postgres(request)));
    }

    fn closed(&mut self, error: Option<SqlError>, now: Now) {
        match self.state {
            State::Waits(place) => {
                self.state = State::Closed(None);
                self.done(place, now, Came::Closed(error));
            }
            State::Ready => self.state = State::Closed(error),
            // What was said first is read first.
            State::Closed(_) => {}
        }
    }

    fn take(&mut self, input: Input<Party>, now: Now, out: &mut Out<Party>) {
        match input {
            Input::Start => {
                for (place, (after, _)) in (0..).zip(&self.does) {
                    out.set_timer(PartyTimer::Call(place), now.mono + *after);
                }
            }
            Input::Timer(PartyTimer::Call(place)) => self.begin(place, now, out),
            Input::Message { message: Sent(message), .. } => match message {
                Message::PostgresAnswer(answer) => {
                    if let State::Waits(place) = self.state
                        && answer.id == RequestId(place + 1)
                    {
                        self.state = State::Ready;
                        self.done(place, now, Came::Answer(answer));
                    }
                }
                Message::PostgresFatal(Fatal { connection, error }) => {
                    if connection == self.connection {
                        self.closed(error, now);
                    }
                }
                _ => self.closed(None, now),
            },
            Input::Unreachable { .. } => self.closed(None, now),
            _ => {}
        }
    }
}

/// A server or a client.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Party {
    /// The server.
    Server(Box<Server>),
    /// A client.
    Client(Box<Client>),
}

/// The server's timer, or that a client's turn has come.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PartyTimer {
    /// The server's.
    Server(Timer),
    /// What stands at this place of the list is due.
    Call(u32),
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
    type Setting = Order;
    type Note = Note;
    type Fact = Fact;

    fn handle(&mut self, input: Input<Party>, now: Now, out: &mut Out<Party>) {
        match self {
            Party::Server(server) => {
                // A server draws nothing.
                let mut draws = Draws::new(0);
                let mut inner = Out::new(out.node(), now, &mut draws);
                server.handle(for_server(input), now, &mut inner);
                for command in inner.into_commands() {
                    pass_on(command, out);
                }
            }
            Party::Client(client) => client.take(input, now, out),
        }
    }

    fn crash(&mut self) {
        if let Party::Server(server) = self {
            server.crash();
        }
    }

    fn last_words(&self) -> Vec<(NodeId, Sent)> {
        match self {
            Party::Server(server) => {
                server.last_words().into_iter().map(|(to, message)| (to, Sent(message))).collect()
            }
            Party::Client(_) => Vec::new(),
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
        Input::Set(order) => Input::Set(Setting::Postgres(order)),
        Input::Timer(PartyTimer::Call(_)) | Input::WorkDone => {
            unreachable!("a server calls nobody and has no work")
        }
    }
}

fn pass_on(command: Command<Actor>, out: &mut Out<Party>) {
    match command {
        Command::Send { to, message } => out.send(to, Sent(message)),
        Command::SetTimer { timer, at } => out.set_timer(PartyTimer::Server(timer), at),
        Command::SetWallTimer { timer, at } => out.set_wall_timer(PartyTimer::Server(timer), at),
        Command::CancelTimer(timer) => out.cancel_timer(PartyTimer::Server(timer)),
        Command::Note(noted) => say(noted, out),
        Command::Exit => out.exit(),
        Command::Work(_) | Command::StopWork => unreachable!("a server has no work"),
    }
}

/// The world at the start: a server, and clients from machine 1 on.
pub fn world(
    config: PostgresConfig,
    clients: Vec<Client>,
    clicks: Vec<Click<Party>>,
) -> World<Party> {
    let node = |process| NodeSetup {
        name: "party".into(),
        process,
        mono: BOOT,
        wall_ahead: Span::ZERO,
        rate_ppm: RIGHT_RATE_PPM,
        wake_first: WakeFirst::Work,
    };
    let server = Party::Server(Box::new(Server::new(config)));
    let clients = clients.into_iter().map(|client| Party::Client(Box::new(client)));
    World::new(Setup {
        start: TrueTime(0),
        wall: START,
        nodes: [server].into_iter().chain(clients).map(node).collect(),
        links: litemap::LiteMap::new(),
        default_link: Link::reliable(LATENCY),
        seed: 1,
        clicks: (0..).zip(clicks).collect(),
    })
}

/// Runs to `until` and gives back the events.
pub fn run(world: &mut World<Party>, until: TrueTime) -> Vec<Event<Party>> {
    let mut events = Vec::new();
    world.run_until(until, &mut |event: Event<Party>| events.push(event));
    events
}

/// The server of a world.
pub fn server(world: &World<Party>) -> &Server {
    match &world.node(SERVER).process {
        Party::Server(server) => server,
        Party::Client(_) => panic!("the server comes first"),
    }
}

/// A client of a world.
pub fn client(world: &World<Party>, place: NodeId) -> &Client {
    match &world.node(place).process {
        Party::Client(client) => client,
        Party::Server(_) => panic!("{place:?} is the server"),
    }
}
