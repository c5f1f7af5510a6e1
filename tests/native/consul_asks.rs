//! A client of a Consul server that asks for what no worker asks for.

use crate::etcd_party::say;
use fencepost::actors::consul::api::{
    Ask, Behavior, Kv, NewSession, Request, RequestId, SessionId, TxnOp, Verb,
};
use fencepost::actors::consul::{ConsulConfig, Server};
use fencepost::actors::{Actor, Fact, Message, Note, Setting, Timer};
use fencepost::sim::clock::RIGHT_RATE_PPM;
use fencepost::sim::event::Event;
use fencepost::sim::network::Link;
use fencepost::sim::process::{Command, Draws, Input, NodeId, Now, Out, Process};
use fencepost::sim::time::{Mono, Span, TrueTime, Wall};
use fencepost::sim::world::{NodeSetup, Setup, WakeFirst, World};
use serde::Serialize;

/// The server, or who asks it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Party {
    /// The server.
    Server(Box<Server>),
    /// Who asks, one after the other.
    Client(Vec<Ask>),
}

/// What is sent: the engine's own messages.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sent(Message);

impl fencepost::sim::process::Message for Sent {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }
}

impl Process for Party {
    type Message = Sent;
    type Timer = Timer;
    type Setting = Setting;
    type Note = Note;
    type Fact = Fact;

    fn handle(&mut self, input: Input<Party>, now: Now, out: &mut Out<Party>) {
        let server = match (self, &input) {
            (Party::Server(server), _) => server,
            (Party::Client(asks), Input::Start) => {
                for (id, ask) in (1..).zip(asks) {
                    let request = Request { id: RequestId(id), ask: ask.clone() };
                    out.send(NodeId(0), Sent(Message::Consul(request)));
                }
                return;
            }
            (Party::Client(_), _) => return,
        };
        let input: Input<Actor> = match input {
            Input::Start => Input::Start,
            Input::Message { from, message } => Input::Message { from, message: message.0 },
            Input::Timer(timer) => Input::Timer(timer),
            other => panic!("a server is not told {other:?}"),
        };
        let mut draws = Draws::new(1);
        let mut inner = Out::new(out.node(), now, &mut draws);
        server.handle(input, now, &mut inner);
        for command in inner.into_commands() {
            match command {
                Command::Send { to, message } => out.send(to, Sent(message)),
                Command::SetTimer { timer, at } => out.set_timer(timer, at),
                Command::CancelTimer(timer) => out.cancel_timer(timer),
                Command::Note(noted) => say(noted, out),
                other => panic!("a server has no {other:?}"),
            }
        }
    }

    fn crash(&mut self) {}
}

/// A client sends each kind of request that there is.
pub fn a_client_asks_for_all() -> Vec<Event<Party>> {
    let session = SessionId(7);
    let kv = |verb| Kv { key: "key".into(), verb };
    let (ttl, behavior) = (Span::from_s(10), Behavior::Release);
    let client = Party::Client(vec![
        Ask::Create(NewSession { ttl, lock_delay: Span::ZERO, behavior }),
        Ask::Info(session),
        Ask::Renew(session),
        Ask::Kv(kv(Verb::Set("a".into()))),
        Ask::Kv(kv(Verb::Cas("b".into(), 0))),
        Ask::Kv(kv(Verb::Acquire("c".into(), session))),
        Ask::Kv(kv(Verb::Release("d".into(), session))),
        Ask::Kv(kv(Verb::Delete)),
        Ask::Txn(vec![TxnOp::Kv(kv(Verb::DeleteCas(0)))]),
    ]);
    let server = Party::Server(Box::new(Server::new(ConsulConfig::new(NodeId(0), &[NodeId(0)]))));
    let node = |process| NodeSetup {
        name: "party".into(),
        process,
        mono: Mono(0),
        wall_ahead: Span::ZERO,
        rate_ppm: RIGHT_RATE_PPM,
        wake_first: WakeFirst::Work,
    };
    let mut world = World::new(Setup {
        start: TrueTime(0),
        wall: Wall(0),
        nodes: vec![node(server), node(client)],
        links: litemap::LiteMap::new(),
        default_link: Link::reliable(Span::from_ms(1)),
        seed: 1,
        clicks: Vec::new(),
    });
    let mut events = Vec::new();
    world.run_until(TrueTime(1_000_000), &mut |event: Event<Party>| events.push(event));
    events
}
