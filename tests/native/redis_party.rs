//! A world of Redis nodes and clients that send what they are told to send.

use crate::etcd_party::say;
use fencepost::actors::redis::api::{Ask, Request, RequestId};
use fencepost::actors::redis::{Node, RedisConfig, Replication};
use fencepost::actors::{Actor, Fact, Message, Note, Setting, Timer};
use fencepost::sim::click::Click;
use fencepost::sim::clock::RIGHT_RATE_PPM;
use fencepost::sim::event::Event;
use fencepost::sim::network::Link;
use fencepost::sim::process::{Command, Draws, Input, NodeId, Now, Out, Process};
use fencepost::sim::time::{Mono, Span, TrueTime, Wall};
use fencepost::sim::world::{NodeSetup, Setup, WakeFirst, World};
use litemap::LiteMap;
use serde::Serialize;

/// How long a message takes where nothing else is said.
pub const LATENCY: Span = Span::from_us(500);

/// What the right clock shows at the start.
pub const START: Wall = Wall(1_774_980_000_000_000);

/// A node, or a client with its calls.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Party {
    /// A node.
    Node(Box<Node>),
    /// A client and what it sends: when after its start, to whom, what. The place in the
    /// list is the request's number.
    Client(Vec<(Span, NodeId, Ask)>),
}

/// A node's timer, or that a client's call is due.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PartyTimer {
    /// A node's.
    Node(Timer),
    /// The call at this place of the list.
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
    type Setting = Replication;
    type Note = Note;
    type Fact = Fact;

    fn handle(&mut self, input: Input<Party>, now: Now, out: &mut Out<Party>) {
        match self {
            Party::Node(node) => {
                // A node draws nothing.
                let mut draws = Draws::new(0);
                let mut inner = Out::new(out.node(), now, &mut draws);
                node.handle(for_node(input), now, &mut inner);
                for command in inner.into_commands() {
                    pass_on(command, out);
                }
            }
            Party::Client(calls) => call(calls, input, now, out),
        }
    }

    fn crash(&mut self) {
        if let Party::Node(node) = self {
            node.crash();
        }
    }

    fn last_words(&self) -> Vec<(NodeId, Sent)> {
        match self {
            Party::Node(node) => {
                node.last_words().into_iter().map(|(to, message)| (to, Sent(message))).collect()
            }
            Party::Client(_) => Vec::new(),
        }
    }

    fn listens_to(&self) -> &[NodeId] {
        match self {
            Party::Node(node) => node.peers(),
            Party::Client(_) => &[],
        }
    }
}

fn for_node(input: Input<Party>) -> Input<Actor> {
    match input {
        Input::Start => Input::Start,
        Input::Message { from, message } => Input::Message { from, message: message.0 },
        Input::Unreachable { to, message } => Input::Unreachable { to, message: message.0 },
        Input::Timer(PartyTimer::Node(timer)) => Input::Timer(timer),
        Input::Hears { peer, hearing } => Input::Hears { peer, hearing },
        Input::Set(part) => Input::Set(Setting::Replication(part)),
        Input::Timer(PartyTimer::Call(_)) | Input::WorkDone => {
            unreachable!("a node calls nobody and has no work")
        }
    }
}

fn pass_on(command: Command<Actor>, out: &mut Out<Party>) {
    match command {
        Command::Send { to, message } => out.send(to, Sent(message)),
        Command::SetTimer { timer, at } => out.set_timer(PartyTimer::Node(timer), at),
        Command::SetWallTimer { timer, at } => out.set_wall_timer(PartyTimer::Node(timer), at),
        Command::CancelTimer(timer) => out.cancel_timer(PartyTimer::Node(timer)),
        Command::Note(noted) => say(noted, out),
        Command::Work(_) | Command::StopWork | Command::Exit => {
            unreachable!("a node has no work and runs for ever")
        }
    }
}

fn call(calls: &[(Span, NodeId, Ask)], input: Input<Party>, now: Now, out: &mut Out<Party>) {
    match input {
        Input::Start => {
            for (place, (after, _, _)) in (0..).zip(calls) {
                out.set_timer(PartyTimer::Call(place), now.mono + *after);
            }
        }
        Input::Timer(PartyTimer::Call(place)) => {
            let (_, to, ask) = &calls[place as usize];
            let request = Request { id: RequestId(place), ask: ask.clone() };
            out.send(*to, Sent(Message::Redis(request)));
        }
        _ => {}
    }
}

/// What a world of nodes and clients is made of.
pub struct Nodes {
    /// Each node's settings; the nodes come first.
    pub nodes: Vec<RedisConfig>,
    /// Each client's calls.
    pub clients: Vec<Vec<(Span, NodeId, Ask)>>,
    /// What is done to them.
    pub clicks: Vec<Click<Party>>,
    /// How long a message between two machines takes, where it is not [`LATENCY`].
    pub latency: LiteMap<(NodeId, NodeId), Span>,
}

impl Nodes {
    /// A primary with so many replicas, and clients.
    pub fn replicated(replicas: u8, clients: Vec<Vec<(Span, NodeId, Ask)>>) -> Nodes {
        let all: Vec<NodeId> = (0..=replicas).map(NodeId).collect();
        let config = |node: &NodeId| RedisConfig {
            locks: vec!["lock".into()],
            ..RedisConfig::new(*node, &all)
        };
        let nodes = all.iter().map(config).collect();
        Nodes { nodes, clients, clicks: Vec::new(), latency: LiteMap::new() }
    }

    /// The world at the start.
    pub fn world(self) -> World<Party> {
        let node = |process| NodeSetup {
            name: "party".into(),
            process,
            mono: Mono(77_000_000),
            wall_ahead: Span::ZERO,
            rate_ppm: RIGHT_RATE_PPM,
            wake_first: WakeFirst::Work,
        };
        let nodes = self.nodes.into_iter().map(|config| Party::Node(Box::new(Node::new(config))));
        let links = self.latency.into_iter().map(|(pair, span)| (pair, Link::reliable(span)));
        World::new(Setup {
            start: TrueTime(0),
            wall: START,
            nodes: nodes.chain(self.clients.into_iter().map(Party::Client)).map(node).collect(),
            links: links.collect(),
            default_link: Link::reliable(LATENCY),
            seed: 1,
            clicks: (0..).zip(self.clicks).collect(),
        })
    }
}

/// A node of a world.
pub fn node(world: &World<Party>, place: NodeId) -> &Node {
    match &world.node(place).process {
        Party::Node(node) => node,
        Party::Client(_) => panic!("{place:?} is a client"),
    }
}

/// Runs to `until` and gives back the events.
pub fn run(world: &mut World<Party>, until: TrueTime) -> Vec<Event<Party>> {
    let mut events = Vec::new();
    world.run_until(until, &mut |event: Event<Party>| events.push(event));
    events
}
