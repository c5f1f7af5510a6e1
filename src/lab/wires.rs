//! What the page shows between the machines at one moment: links, and messages in
//! flight.

use super::Open;
use crate::actors::store::api::{StoreOp, Token};
use crate::actors::worker::config::Step;
use crate::actors::{Actor, Message, etcd};
use crate::scenario::Scenario;
use crate::scenario::names::{Names, Role, Service};
use crate::sim::event::MessageRef;
use crate::sim::network::{Flight, Leg, LinkState};
use crate::sim::order;
use crate::sim::process::{Message as _, NodeId};
use crate::sim::time::{Span, TrueTime};
use crate::sim::world::World;
use std::rc::Rc;

/// One end of a link as people name it: a machine, or all members together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// One machine.
    One(NodeId),
    /// The lock service.
    Service,
}

/// Whether a way carries messages. One to the lock service is several links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It does.
    Up,
    /// Some of its links are cut.
    Partly,
    /// It is cut.
    Cut,
}

/// A link in both directions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wire {
    /// One end.
    pub from: End,
    /// The other.
    pub to: End,
    /// From the one to the other.
    pub there: Way,
    /// And back.
    pub back: Way,
}

/// Where a message in flight stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// It arrives after so long.
    Arrives(Span),
    /// It comes back to its sender after so long: nothing ran where it went.
    ComesBack(Span),
    /// A click holds it.
    Held,
    /// It waits for a process that does not run.
    Waits,
}

/// A message in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFlight {
    /// Its name.
    pub name: MessageRef,
    /// Counts the copies of one message from 0: one doubled has two.
    pub copy: usize,
    /// Where it stands.
    pub stands: Stands,
    /// How much of its way lies behind it, in thousandths.
    pub gone: i64,
    /// The token it carries.
    pub token: Option<Token>,
    /// Whether it only serves renewals.
    pub is_routine: bool,
}

impl End {
    /// Its name as a click says it.
    pub fn name(&self, open: &Open) -> Rc<str> {
        match self {
            End::One(node) => open.scenario().names().shared(*node),
            End::Service => open.scenario().names().all_nodes().into(),
        }
    }

    /// The machines it stands for.
    fn nodes(&self, open: &Open) -> Vec<NodeId> {
        match self {
            End::One(node) => vec![*node],
            End::Service => open.scenario().names().with(Role::Member).collect(),
        }
    }
}

/// All links that something is sent over: of each worker, then between members.
pub fn wires(open: &Open) -> Vec<Wire> {
    let names = open.scenario().names();
    let mut ends = Vec::new();
    for worker in names.with(Role::Worker) {
        ends.extend(asks_service(open.scenario(), worker).then_some((worker, End::Service)));
        let others = asked_besides(open.scenario(), worker);
        ends.extend(others.into_iter().map(|other| (worker, End::One(other))));
    }
    for relay in names.with(Role::Relay) {
        let asked = asked_besides(open.scenario(), relay);
        ends.extend(asked.into_iter().map(|other| (relay, End::One(other))));
    }
    for one in names.with(Role::Member) {
        let others = other_members(names, one).filter(|other| *other > one);
        ends.extend(others.map(|other| (one, End::One(other))));
    }
    ends.into_iter().map(|(from, to)| wire(open, End::One(from), to)).collect()
}

/// Whom a worker or a relay asks besides the lock service.
pub fn asked_besides(scenario: &Scenario, node: NodeId) -> Vec<NodeId> {
    let names = scenario.names();
    let is_worker = names.role(node) == Role::Worker;
    let books = takes_step(scenario, node, Step::Book);
    let is_asked = |other: &NodeId| match names.role(*other) {
        Role::Store => true,
        Role::Orchestrator => is_worker,
        Role::Partner => books || !is_worker,
        Role::Member | Role::Worker | Role::Relay => false,
    };
    names.ids().filter(is_asked).collect()
}

/// Whether a worker ever asks the lock service: those without a lock do not.
pub fn asks_service(scenario: &Scenario, worker: NodeId) -> bool {
    takes_step(scenario, worker, Step::Acquire)
}

fn takes_step(scenario: &Scenario, worker: NodeId, step: Step) -> bool {
    let all = scenario.names().with(Role::Worker).zip(&scenario.spec().workers);
    all.into_iter().any(|(id, spec)| id == worker && spec.program.contains(&step))
}

/// The members that a member speaks to. Nodes that vote know nothing of each other.
pub fn other_members(names: &Names, member: NodeId) -> impl Iterator<Item = NodeId> {
    let all = names.with(Role::Member).filter(|_| names.service() != Service::Redlock);
    all.filter(move |other| *other != member)
}

fn wire(open: &Open, from: End, to: End) -> Wire {
    let (there, back) = (way(open, &from, &to), way(open, &to, &from));
    Wire { from, to, there, back }
}

fn way(open: &Open, from: &End, to: &End) -> Way {
    let (from, to) = (from.nodes(open), to.nodes(open));
    let links = from.iter().flat_map(|from| to.iter().map(|to| (*from, *to)));
    state(&open.replay().moment().world, links)
}

/// How several links stand together.
pub fn state(world: &World<Actor>, links: impl Iterator<Item = (NodeId, NodeId)>) -> Way {
    let links = links.map(|(from, to)| world.link(from, to));
    let (all, cut) = links.fold((0, 0), |(all, cut), link| {
        (all + 1, cut + usize::from(link.state == LinkState::Cut))
    });
    match cut {
        0 => Way::Up,
        cut if cut == all => Way::Cut,
        _ => Way::Partly,
    }
}

/// The messages in flight, those that matter first.
pub fn in_flight(open: &Open) -> Vec<InFlight> {
    let flights = open.replay().moment().world.flights();
    let one = |(place, flight): (usize, &Flight<Actor>)| {
        let copy = flights[..place].iter().filter(|other| other.name == flight.name).count();
        let (stands, gone) = stands(open, flight);
        InFlight {
            name: flight.name.clone(),
            copy,
            stands,
            gone,
            token: token(&flight.body),
            is_routine: flight.body.is_routine(),
        }
    };
    let mut all: Vec<InFlight> = flights.iter().enumerate().map(one).collect();
    order::by_key(&mut all, |flight| flight.is_routine);
    all
}

fn stands(open: &Open, flight: &Flight<Actor>) -> (Stands, i64) {
    let now = open.now();
    let last = flight.causes.iter().rev().find_map(|cause| open.past().get(cause.index()));
    let sent = flight.causes.first().and_then(|cause| open.past().get(cause.index()));
    let since = |event: Option<&crate::sim::event::Event<Actor>>| event.map_or(now, |e| e.at);
    match flight.leg {
        Leg::Out { due } => (Stands::Arrives(due - now), part(since(sent), now, due)),
        Leg::Back { due } => (Stands::ComesBack(due - now), 1_000 - part(since(last), now, due)),
        Leg::Held => (Stands::Held, 500),
        Leg::Waiting { at } => (Stands::Waits, if at == flight.to { 1_000 } else { 0 }),
    }
}

/// How much of the time from `begun` to `due` has passed, in thousandths.
fn part(begun: TrueTime, now: TrueTime, due: TrueTime) -> i64 {
    let whole = (due - begun).us().max(1);
    ((now - begun).us() * 1_000 / whole).clamp(0, 1_000)
}

fn token(body: &Message) -> Option<Token> {
    let request = match body {
        Message::Store(request) => request,
        Message::Objects(request) => return request.op.token(),
        Message::Etcd(request) => match &request.op {
            etcd::api::Op::Data(data) => return Some(data.means.token()),
            _ => return None,
        },
        _ => return None,
    };
    match &request.op {
        StoreOp::Claim { token, .. } => Some(*token),
        StoreOp::Put(write) | StoreOp::Begin(write) | StoreOp::Complete(write) => Some(write.token),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Lab, Msg};
    use crate::scenario::clicks::{self, Do};

    #[test]
    fn a_way_to_the_lock_service_is_cut_when_all_its_links_are() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Step);
        let cut = |to: &str| Do::Cut {
            from: "W1".to_owned(),
            to: to.to_owned(),
            way: clicks::Way::One,
            for_ms: None,
        };
        lab.update(Msg::Click(cut("M2")));
        let ways = |lab: &Lab| (wires(lab.open())[0].there, wires(lab.open())[0].back);
        assert_eq!(ways(&lab), (Way::Partly, Way::Up));
        lab.update(Msg::Click(cut("etcd")));
        assert_eq!(ways(&lab), (Way::Cut, Way::Up));
    }

    #[test]
    fn a_message_is_shown_from_its_sending_to_its_arrival() {
        let mut lab = Lab::new().expect("built in");
        let claim = |lab: &Lab| in_flight(lab.open()).into_iter().find(|f| f.name.kind == "claim");
        while claim(&lab).is_none() {
            lab.update(Msg::Step);
        }
        let flight = claim(&lab).expect("in flight");
        assert_eq!((flight.token, flight.gone, flight.copy), (Some(42), 0, 0));
        let Stands::Arrives(after) = flight.stands else { panic!("{:?}", flight.stands) };
        let half = TrueTime(lab.open().now().0 + after.us() / 2);
        lab.update(Msg::Seek(half));
        assert_eq!(claim(&lab).map(|flight| flight.gone), Some(500));
    }
}
