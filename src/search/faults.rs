//! The clicks that can be made at a moment, by kind.

use crate::actors::redis::{Part, Replication};
use crate::actors::worker::Heartbeat;
use crate::actors::{Actor, Setting, postgres};
use crate::scenario::names::{Names, Role};
use crate::sim::click::{Action, WallOnWake};
use crate::sim::event::MessageRef;
use crate::sim::network::Leg;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use crate::sim::world::{Status, World};

/// A kind of click.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A process is paused for 45 s.
    Pause,
    /// A machine is suspended for 45 s; its wall clock is right or behind on waking.
    Suspend,
    /// A process crashes and starts again after 1 s.
    Crash,
    /// A member of the lock service is stopped for good.
    StopMember,
    /// A one-way link, or all links of a machine with the lock service, is cut for 45 s.
    Cut,
    /// A message in flight is held for 45 s.
    Hold,
    /// A message in flight is delayed by 45 s.
    Delay,
    /// A message in flight is lost.
    Drop,
    /// A message in flight arrives twice: at once, or the second 45 s later.
    Duplicate,
    /// A clock runs four times or a fifth as fast.
    Rate,
    /// A wall clock steps an hour forward or back.
    WallJump,
    /// A worker's heartbeat is blocked.
    Heartbeat,
    /// A Redis replica, or PostgreSQL's standby, takes writes.
    Promote,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 13] = [
        Kind::Pause,
        Kind::Suspend,
        Kind::Crash,
        Kind::StopMember,
        Kind::Cut,
        Kind::Hold,
        Kind::Delay,
        Kind::Drop,
        Kind::Duplicate,
        Kind::Rate,
        Kind::WallJump,
        Kind::Heartbeat,
        Kind::Promote,
    ];
}

const LONG: Span = Span::from_s(45);
const SOON: Span = Span::from_s(1);
const HOUR: Span = Span::from_s(3_600);

/// Every click of a kind that can be made now: each a list of actions made at once.
pub fn clicks(kind: Kind, world: &World<Actor>, names: &Names) -> Vec<Vec<Action<Actor>>> {
    let running = || names.ids().filter(|id| world.node(*id).status != Status::Down);
    let lasting = Some(LONG);
    let single: Vec<Action<Actor>> = match kind {
        Kind::Pause => running().map(|node| Action::Pause { node, lasting }).collect(),
        Kind::Suspend => running().flat_map(suspend).collect(),
        Kind::Crash => {
            let restart_after = Some(SOON);
            running().map(|node| Action::Crash { node, restart_after }).collect()
        }
        Kind::StopMember => names
            .with(Role::Member)
            .map(|node| Action::Crash { node, restart_after: None })
            .collect(),
        Kind::Cut => return cuts(names),
        Kind::Hold => in_flight(world).map(|message| Action::Hold { message, lasting }).collect(),
        Kind::Delay => {
            in_flight(world).map(|message| Action::Delay { message, by: LONG }).collect()
        }
        Kind::Drop => in_flight(world).map(|message| Action::Drop { message }).collect(),
        Kind::Duplicate => in_flight(world)
            .flat_map(|message| {
                [Span::ZERO, LONG]
                    .map(|after| Action::Duplicate { message: message.clone(), after })
            })
            .collect(),
        Kind::Rate => names
            .ids()
            .flat_map(|node| {
                [4_000_000, 200_000].map(|rate_ppm| Action::SetRate { node, rate_ppm })
            })
            .collect(),
        Kind::WallJump => names
            .ids()
            .flat_map(|node| [HOUR, Span::ZERO - HOUR].map(|by| Action::StepWall { node, by }))
            .collect(),
        Kind::Heartbeat => names
            .with(Role::Worker)
            .map(|node| Action::Set { node, setting: Setting::Heartbeat(Heartbeat::Blocked) })
            .collect(),
        Kind::Promote => {
            let is_replica = |node: &NodeId| match &world.node(*node).process {
                Actor::Redis(redis) => redis.part() != Part::Primary,
                Actor::Postgres(server) => server.part() == postgres::Part::Standby,
                _ => false,
            };
            let setting = Setting::Replication(Replication::Primary);
            running().filter(is_replica).map(|node| Action::Set { node, setting }).collect()
        }
    };
    single.into_iter().map(|action| vec![action]).collect()
}

fn suspend(node: NodeId) -> [Action<Actor>; 2] {
    [WallOnWake::Right, WallOnWake::Behind].map(|wall| Action::Suspend {
        node,
        lasting: Some(LONG),
        wall,
    })
}

fn in_flight(world: &World<Actor>) -> impl Iterator<Item = MessageRef> + '_ {
    let flying = world.flights().iter().filter(|flight| matches!(flight.leg, Leg::Out { .. }));
    flying.map(|flight| flight.name.clone())
}

/// Each one-way link on which messages go, and each machine's links with all members.
fn cuts(names: &Names) -> Vec<Vec<Action<Actor>>> {
    let cut = |from, to| Action::Cut { from, to, lasting: Some(LONG) };
    let mut all = Vec::new();
    for from in names.ids() {
        for to in names.ids().filter(|to| *to != from) {
            if talk(names.role(from), names.role(to)) {
                all.push(vec![cut(from, to)]);
            }
        }
        if !matches!(names.role(from), Role::Store | Role::Partner | Role::Relay) {
            let members = names.with(Role::Member).filter(|member| *member != from);
            all.push(members.flat_map(|to| [cut(from, to), cut(to, from)]).collect());
        }
    }
    all.retain(|click| !click.is_empty());
    all
}

fn talk(a: Role, b: Role) -> bool {
    use Role::{Member, Orchestrator, Partner, Relay, Store, Worker};
    matches!(
        (a, b),
        (Member, Member | Worker)
            | (Worker, Member | Store | Orchestrator | Partner)
            | (Store | Orchestrator | Partner, Worker)
            | (Relay, Store | Partner)
            | (Store | Partner, Relay)
    )
}
