//! A world of etcd members and clients that send what they are told to send.

use fencepost::actors::etcd::api::{Op, Request, RequestId};
use fencepost::actors::etcd::{EtcdConfig, Member};
use fencepost::actors::{Actor, Fact, Message, Note, Timer};
use fencepost::sim::click::Click;
use fencepost::sim::clock::RIGHT_RATE_PPM;
use fencepost::sim::event::Event;
use fencepost::sim::network::Link;
use fencepost::sim::process::{Command, Draws, Input, NodeId, Noted, Now, Out, Process};
use fencepost::sim::time::{Mono, Span, TrueTime, Wall};
use fencepost::sim::world::{NodeSetup, Setup, WakeFirst, World};
use litemap::LiteMap;
use serde::Serialize;

/// How long a message takes where nothing else is said.
pub const LATENCY: Span = Span::from_us(500);

/// A member, or a client with its calls.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Party {
    /// A member; its draws are its own here.
    Member(Box<Member>, Draws),
    /// A client and what it sends: when after its start, to whom, what. The place in
    /// the list is the request's number.
    Client(Vec<(Span, NodeId, Op)>),
}

/// A member's timer, or that a client's call is due.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum PartyTimer {
    /// A member's.
    Member(Timer),
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
    type Setting = ();
    type Note = Note;
    type Fact = Fact;

    fn handle(&mut self, input: Input<Party>, now: Now, out: &mut Out<Party>) {
        match self {
            Party::Member(member, draws) => {
                let mut inner = Out::new(out.node(), now, draws);
                member.handle(for_member(input), now, &mut inner);
                for command in inner.into_commands() {
                    pass_on(command, out);
                }
            }
            Party::Client(calls) => call(calls, input, now, out),
        }
    }

    fn crash(&mut self) {
        if let Party::Member(member, _) = self {
            member.crash();
        }
    }

    fn listens_to(&self) -> &[NodeId] {
        match self {
            Party::Member(member, _) => member.peers(),
            Party::Client(_) => &[],
        }
    }
}

fn for_member(input: Input<Party>) -> Input<Actor> {
    match input {
        Input::Start => Input::Start,
        Input::Message { from, message } => Input::Message { from, message: message.0 },
        Input::Unreachable { to, message } => Input::Unreachable { to, message: message.0 },
        Input::Timer(PartyTimer::Member(timer)) => Input::Timer(timer),
        Input::Hears { peer, hearing } => Input::Hears { peer, hearing },
        Input::Timer(PartyTimer::Call(_)) | Input::WorkDone | Input::Set(()) => {
            unreachable!("a member calls nobody and has no work")
        }
    }
}

/// Says in a party what an actor in it says.
pub fn say<P>(noted: Noted<Actor>, out: &mut Out<P>)
where
    P: Process<Note = Note, Fact = Fact>,
{
    let Noted { note, sets, because, silence_of, silent_since, .. } = noted;
    let mut builder = out.note(note);
    for fact in sets {
        builder = builder.sets(fact);
    }
    for fact in because {
        builder = builder.because(fact);
    }
    for peer in silence_of {
        builder = builder.silence_of(peer);
    }
    if let Some(fact) = silent_since {
        builder.since(fact);
    }
}

fn pass_on(command: Command<Actor>, out: &mut Out<Party>) {
    match command {
        Command::Send { to, message } => out.send(to, Sent(message)),
        Command::SetTimer { timer, at } => out.set_timer(PartyTimer::Member(timer), at),
        Command::CancelTimer(timer) => out.cancel_timer(PartyTimer::Member(timer)),
        Command::Note(noted) => say(noted, out),
        Command::SetWallTimer { .. } | Command::Work(_) | Command::StopWork | Command::Exit => {
            unreachable!("a member heeds no wall clock, has no work and runs for ever")
        }
    }
}

fn call(calls: &[(Span, NodeId, Op)], input: Input<Party>, now: Now, out: &mut Out<Party>) {
    match input {
        Input::Start => {
            for (place, (after, _, _)) in (0..).zip(calls) {
                out.set_timer(PartyTimer::Call(place), now.mono + *after);
            }
        }
        Input::Timer(PartyTimer::Call(place)) => {
            let (_, to, op) = &calls[place as usize];
            let request = Request { id: RequestId(place), op: op.clone() };
            out.send(*to, Sent(Message::Etcd(request)));
        }
        _ => {}
    }
}

/// What a world of members and clients is made of.
pub struct Cluster {
    /// How many members; they come first.
    pub members: u8,
    /// Each client's calls.
    pub clients: Vec<Vec<(Span, NodeId, Op)>>,
    /// What is done to them.
    pub clicks: Vec<Click<Party>>,
    /// All links.
    pub link: Link,
    /// Keys the draws.
    pub seed: u64,
    /// The revision at the start.
    pub revision: i64,
    /// How much later than at 0 the run begins, by all clocks.
    pub later: Span,
}

impl Cluster {
    /// Members and clients on links of half a millisecond that lose nothing.
    pub fn new(members: u8, clients: Vec<Vec<(Span, NodeId, Op)>>) -> Cluster {
        let link = Link::reliable(LATENCY);
        Cluster {
            members,
            clients,
            clicks: Vec::new(),
            link,
            seed: 1,
            revision: 41,
            later: Span::ZERO,
        }
    }

    /// The world at the start; the lock observed is `lock`.
    pub fn world(self) -> World<Party> {
        let members: Vec<NodeId> = (0..self.members).map(NodeId).collect();
        let parties = members.iter().map(|place| {
            let config = EtcdConfig {
                revision: self.revision,
                locks: vec!["lock".into()],
                ..EtcdConfig::new(*place, &members)
            };
            Party::Member(Box::new(Member::new(config)), Draws::new(self.seed))
        });
        let clicks = self.clicks.into_iter();
        let clicks = clicks.map(|click| Click { at: click.at + self.later, ..click });
        let node = |process| NodeSetup {
            name: "party".into(),
            process,
            mono: Mono(77_000_000) + self.later,
            wall_ahead: Span::ZERO,
            rate_ppm: RIGHT_RATE_PPM,
            wake_first: WakeFirst::Work,
        };
        World::new(Setup {
            start: TrueTime(0) + self.later,
            wall: Wall(0) + self.later,
            nodes: parties.chain(self.clients.into_iter().map(Party::Client)).map(node).collect(),
            links: LiteMap::new(),
            default_link: self.link,
            seed: self.seed,
            clicks: (0..).zip(clicks).collect(),
        })
    }
}

/// A member of a world.
pub fn member(world: &World<Party>, place: NodeId) -> &Member {
    match &world.node(place).process {
        Party::Member(member, _) => member,
        Party::Client(_) => panic!("{place:?} is a client"),
    }
}

/// Runs to `until` and gives back the events.
pub fn run(world: &mut World<Party>, until: TrueTime) -> Vec<Event<Party>> {
    let mut events = Vec::new();
    world.run_until(until, &mut |event: Event<Party>| events.push(event));
    events
}
