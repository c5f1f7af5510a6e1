//! What the page shows of each machine at one moment: what it believes beside what
//! is true, its clocks, where it stands. Equal facts look equal, so that a page
//! draws anew only what has changed; lengths of time are rounded to what is shown.

mod consul;
mod database;
mod ensemble;
mod keys;
mod lock_object;
mod store;
#[cfg(test)]
mod tests;

pub use consul::ConsulFacts;
pub use database::{RowFacts, SessionFacts};
pub use keys::KeyFacts;
pub use lock_object::LockObjectFacts;
pub use store::{StoreFacts, store};

use super::Open;
use super::wires::{self, Way};
use crate::actors::etcd::api::Text;
use crate::actors::etcd::{Claimant, LeaseView, Part};
use crate::actors::store::api::Token;
use crate::actors::worker::config::{Policies, Step};
use crate::actors::worker::{self, Heartbeat, SessionState, Worker};
use crate::actors::{Actor, etcd, postgres, redis};
use crate::properties::{Grant, Judge, Judged, PropertyId, Standing, Verdict, Witness, most_alike};
use crate::scenario::names::{Role, Service};
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use crate::sim::world::{Status, World};

/// To so much a time is rounded down before it is shown.
const SHOWN: Span = Span::from_ms(100);

/// Whether a machine's process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// It does.
    Runs,
    /// It is paused.
    Paused,
    /// The machine is suspended.
    Suspended,
    /// No process runs.
    Down,
}

/// A machine's clocks beside the right ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockFacts {
    /// How far the wall clock is ahead of the right time.
    pub ahead: Span,
    /// Parts per million; 0 while the machine is suspended.
    pub rate_ppm: i64,
}

/// What a worker believes of the lock, and what is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// It believes so, and it is so.
    Rightly,
    /// It believes so, and it is not so.
    Wrongly,
    /// It does not believe so, and yet the lock is granted to it.
    Unknowing,
    /// Neither.
    Not,
}

/// What is shown of a worker.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerFacts {
    /// Which machine.
    pub id: NodeId,
    /// Its place among the workers, from 0.
    pub place: usize,
    /// Whether it runs.
    pub machine: Machine,
    /// Belief and truth.
    pub holds: Holds,
    /// The token of its belief.
    pub token: Option<Token>,
    /// Its clocks.
    pub clock: ClockFacts,
    /// What is left of its lease by its own clock; below zero once it has passed.
    pub lease_left: Option<Span>,
    /// The lease's whole time.
    pub ttl: Span,
    /// The lock service whose client it has.
    pub service: Service,
    /// Its client's session, or its hold on a key in Redis.
    pub session: Option<SessionState>,
    /// Where its program stands.
    pub program: worker::Status,
    /// The step it is at, if it is at one.
    pub step: Option<Step>,
    /// How much running time its work still needs.
    pub work_left: Option<Span>,
    /// Whether its heartbeat runs.
    pub heartbeat: Heartbeat,
    /// Its policies.
    pub policies: Policies,
    /// Whether its program takes the lock at all.
    pub lock: Lock,
}

/// Whether a program takes a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lock {
    /// It does.
    Taken,
    /// It does, and no time ends the lock.
    Endless,
    /// It works without.
    None,
}

/// What is shown of a member of the lock service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberFacts {
    /// Which machine.
    pub id: NodeId,
    /// Whether it runs.
    pub machine: Machine,
    /// Its part in the cluster; a Redis node that takes writes leads, and its replica
    /// follows.
    pub part: Part,
    /// Whether it and the other members reach each other.
    pub others: Way,
    /// Its clocks.
    pub clock: ClockFacts,
}

/// What is shown of the lock service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceFacts {
    /// Its members.
    pub members: Vec<MemberFacts>,
    /// The revision of the last change, or its zxid.
    pub revision: i64,
    /// To whom the lock is granted: the simulator's own truth.
    pub granted: Vec<Held>,
    /// Whose grants it has forgotten while they go by them: to the simulator's eye the lock
    /// is granted to them too.
    pub forgotten: Vec<NodeId>,
    /// The tokens of those who wait, in their order.
    pub waiting: Vec<Token>,
    /// What is left of the holder's lease, by the leader's clock.
    pub lease_left: Option<Span>,
    /// Of Redis: the lock's key, on each node that has it.
    pub keys: Vec<KeyFacts>,
    /// Of PostgreSQL: its sessions.
    pub sessions: Vec<SessionFacts>,
    /// Of PostgreSQL: the lock's row, where the lock is one.
    pub row: Option<RowFacts>,
    /// Of Consul: the lock's key.
    pub consul: Option<ConsulFacts>,
    /// Of an object store: the lock's object.
    pub lock_object: Option<LockObjectFacts>,
}

/// A grant that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Whose it is; none until its session has said so.
    pub node: Option<NodeId>,
    /// The token its holder uses.
    pub token: Option<Token>,
}

/// How the run stands, in five facts.
#[derive(Clone, Debug, PartialEq)]
pub struct VerdictFacts {
    /// Who believes that it holds the lock.
    pub believe: Vec<NodeId>,
    /// How many of them believe so of one lock, at most.
    pub most_believe: usize,
    /// To whom it is granted.
    pub granted: Vec<Held>,
    /// To how many of them it is one lock, at most.
    pub most_granted: usize,
    /// Whose grants the service has forgotten while they go by them.
    pub forgotten: Vec<NodeId>,
    /// How many stale writes were accepted.
    pub stale: u32,
    /// How many writes were accepted late.
    pub late: u32,
    /// What the partner has booked.
    pub booked: i64,
    /// What the partner ought to book in all.
    pub owed: i64,
    /// The promises that are broken, each with what broke it first.
    pub broken: Vec<(PropertyId, Witness)>,
    /// Whether the run has ended.
    pub judged: Judged,
}

/// What is shown of every worker, in the scenario's order.
pub fn workers(open: &Open) -> impl Iterator<Item = WorkerFacts> {
    let ids = open.scenario().names().with(Role::Worker);
    ids.enumerate().map(|(place, id)| worker(open, id, place))
}

fn worker(open: &Open, id: NodeId, place: usize) -> WorkerFacts {
    let (world, judge) = (world(open), judge(open));
    let Actor::Worker(worker) = &world.node(id).process else {
        unreachable!("a worker is a worker")
    };
    let session = worker.session();
    let mono = world.clocks(id).mono;
    WorkerFacts {
        id,
        place,
        machine: machine(world, id),
        holds: holds(worker, id, judge),
        token: worker.belief().map(|belief| belief.token).filter(is_token),
        clock: clock(world, id),
        lease_left: session.and_then(|s| s.deadline).map(|at| rounded(at - mono)),
        ttl: Span::from_s(worker.config().ttl_s),
        service: open.scenario().names().service(),
        session: session.map(|session| session.state),
        program: worker.status(),
        step: worker.program().get(worker.step_index()).copied(),
        work_left: world.work_left(id).map(rounded),
        heartbeat: worker.heartbeat(),
        policies: worker.config().policies,
        lock: match worker.program().contains(&Step::Acquire) {
            false => Lock::None,
            true if worker.config().recipe.has_end() => Lock::Taken,
            true => Lock::Endless,
        },
    }
}

fn holds(worker: &Worker, id: NodeId, judge: &Judge) -> Holds {
    match worker.belief() {
        Some(belief) if standing(judge).any(|grant| grant.owner == belief.owner) => Holds::Rightly,
        Some(_) => Holds::Wrongly,
        None if standing(judge).any(|grant| grant.node == Some(id)) => Holds::Unknowing,
        None => Holds::Not,
    }
}

fn standing(judge: &Judge) -> impl Iterator<Item = &Grant> {
    judge.grants().iter().filter(|grant| grant.standing == Standing::Stands)
}

/// What is shown of the lock service.
pub fn service(open: &Open) -> ServiceFacts {
    let (world, judge) = (world(open), judge(open));
    let ids: Vec<NodeId> = open.scenario().names().with(Role::Member).collect();
    let members: Vec<MemberFacts> = ids.iter().map(|id| member(world, *id, &ids)).collect();
    if open.scenario().names().service().has_keys() {
        let keys = keys::keys(open, &ids);
        let lease_left = keys.first().and_then(|key| key.left);
        return ServiceFacts { lease_left, keys, ..of_any(judge, members) };
    }
    if open.scenario().names().service() == Service::Postgres {
        return database::facts(open, members);
    }
    if open.scenario().names().service() == Service::Objects {
        return lock_object::facts(open, members);
    }
    let leader = leaders(&members).next();
    if open.scenario().names().service() == Service::ZooKeeper {
        return ensemble::facts(open, members, leader);
    }
    if open.scenario().names().service() == Service::Consul {
        return consul::facts(open, members, leader);
    }
    let best = Some(newest_of(world, leader, &ids));
    let claimants =
        |lock: &Text| best.map(|id| member_of(world, id).claimants(lock)).unwrap_or_default();
    ServiceFacts {
        revision: best.map_or(0, |id| member_of(world, id).revision()),
        waiting: waiting(open, claimants),
        lease_left: leader.and_then(|leader| lease_left(world, leader, judge)),
        ..of_any(judge, members)
    }
}

/// The member of etcd that leads, or else the one that is furthest.
fn newest_member(open: &Open) -> NodeId {
    let world = world(open);
    let ids: Vec<NodeId> = open.scenario().names().with(Role::Member).collect();
    let members: Vec<MemberFacts> = ids.iter().map(|id| member(world, *id, &ids)).collect();
    newest_of(world, leaders(&members).next(), &ids)
}

fn newest_of(world: &World<Actor>, leader: Option<NodeId>, ids: &[NodeId]) -> NodeId {
    let newest = |id: &&NodeId| member_of(world, **id).revision();
    let furthest = || ids.iter().max_by_key(newest).copied();
    leader.or_else(furthest).expect("a cluster has members")
}

/// The tokens of those who wait for any lock, where the service keeps queues.
fn waiting(open: &Open, claimants: impl Fn(&Text) -> Vec<Claimant>) -> Vec<Token> {
    let locks = open.scenario().spec().locks();
    let behind = |lock| claimants(lock).into_iter().skip(1).map(|it| it.create_revision);
    locks.iter().flat_map(behind).collect()
}

/// What is shown of every service.
fn of_any(judge: &Judge, members: Vec<MemberFacts>) -> ServiceFacts {
    let (granted, forgotten) = (granted(judge), forgotten(judge));
    ServiceFacts { members, granted, forgotten, ..ServiceFacts::default() }
}

/// Who leads: none while an election is on, two while one has not heard of it.
pub fn leaders(members: &[MemberFacts]) -> impl Iterator<Item = NodeId> {
    let leads = |member: &&MemberFacts| {
        let runs = member.machine != Machine::Down;
        runs && matches!(member.part, Part::Leader | Part::NewLeader)
    };
    members.iter().filter(leads).map(|member| member.id)
}

fn member(world: &World<Actor>, id: NodeId, all: &[NodeId]) -> MemberFacts {
    let part = match &world.node(id).process {
        Actor::Redis(redis) => match redis.part() {
            redis::Part::Primary => Part::Leader,
            redis::Part::Replica { .. } => Part::Follower,
        },
        Actor::Zk(server) => server.part(),
        Actor::Postgres(server) => match server.part() {
            postgres::Part::Primary => Part::Leader,
            postgres::Part::Standby => Part::Follower,
        },
        Actor::Consul(server) => server.part(),
        Actor::Objects(_) => Part::Leader,
        _ => member_of(world, id).part(),
    };
    let others = all.iter().filter(|other| **other != id);
    let links = others.flat_map(|other| [(id, *other), (*other, id)]);
    let others = wires::state(world, links);
    MemberFacts { id, machine: machine(world, id), part, others, clock: clock(world, id) }
}

fn member_of(world: &World<Actor>, id: NodeId) -> &etcd::Member {
    match &world.node(id).process {
        Actor::Etcd(member) => member,
        other => unreachable!("a member is a member: {}", InFull(&other)),
    }
}

fn lease_left(world: &World<Actor>, leader: NodeId, judge: &Judge) -> Option<Span> {
    let owner = standing(judge).last()?.owner;
    let is_it = |lease: &LeaseView| lease.lease == owner;
    let deadline = member_of(world, leader).leases().find(is_it)?.deadline?;
    Some(rounded(deadline - world.clocks(leader).mono))
}

fn granted(judge: &Judge) -> Vec<Held> {
    let held = |grant: &Grant| Held { node: grant.node, token: grant.token.filter(is_token) };
    standing(judge).map(held).collect()
}

fn forgotten(judge: &Judge) -> Vec<NodeId> {
    let lost = |grant: &&Grant| matches!(grant.standing, Standing::Lost | Standing::Overwritten);
    let all = judge.grants().iter().filter(lost).filter_map(|grant| grant.node);
    all.filter(|node| judge.believers().any(|belief| belief.node == *node)).collect()
}

/// 0 stands for none: a lock of Redis has no token by itself.
fn is_token(token: &Token) -> bool {
    *token != 0
}

/// How the run stands.
pub fn verdict(open: &Open) -> VerdictFacts {
    let judge = judge(open);
    let judged = if open.is_at_end() { Judged::AtTheEnd } else { Judged::SoFar };
    let broken = |id: PropertyId| match judge.verdict(id, judged) {
        Verdict::Holds => None,
        Verdict::Broken { witness } => Some((id, witness)),
    };
    let store = store(open);
    VerdictFacts {
        believe: judge.believers().map(|belief| belief.node).collect(),
        most_believe: most_alike(judge.believers().map(|it| it.lock).collect::<Vec<Text>>().iter()),
        granted: granted(judge),
        most_granted: most_alike(
            standing(judge).map(|grant| grant.lock.clone()).collect::<Vec<Text>>().iter(),
        ),
        forgotten: forgotten(judge),
        stale: judge.stale_writes(),
        late: judge.late_writes(),
        booked: store.booked,
        owed: store.owed,
        broken: open.scenario().promises().filter_map(broken).collect(),
        judged,
    }
}

/// Whether a machine's process runs.
pub fn machine(world: &World<Actor>, id: NodeId) -> Machine {
    match world.node(id).status {
        Status::Running => Machine::Runs,
        Status::Paused => Machine::Paused,
        Status::Suspended { .. } => Machine::Suspended,
        Status::Down => Machine::Down,
    }
}

/// A machine's clocks.
pub fn clock(world: &World<Actor>, id: NodeId) -> ClockFacts {
    let ahead = world.clocks(id).wall - world.right_wall();
    ClockFacts { ahead: rounded(ahead), rate_ppm: world.node(id).clock.rate_ppm() }
}

fn rounded(span: Span) -> Span {
    Span(span.us().div_euclid(SHOWN.us()) * SHOWN.us())
}

fn world(open: &Open) -> &World<Actor> {
    &open.replay().moment().world
}

fn judge(open: &Open) -> &Judge {
    &open.replay().moment().observer
}
