//! Every fault that can be made at one moment, each from the thing it is done to,
//! with what the scenario itself does as the preset. A fault keeps its place when it
//! turns into its undoing, as *Pause* does into *Resume*, so that keys stay on it.

use super::wires::{self, End, Wire};
use super::{Open, facts, guide};
use crate::actors::Actor;
use crate::actors::redis::Part;
use crate::actors::store::api::Rule;
use crate::actors::worker::Heartbeat;
use crate::actors::worker::config::{DeadlineFrom, OnRenewalFailure, Policies, ReleaseCheck};
use crate::lab::facts::Machine;
use crate::scenario::clicks::{Do, MessageSpec, Way};
use crate::scenario::names::Role;
use crate::scenario::spec::StoreKind;
use crate::sim::click::WallOnWake;
use crate::sim::clock::RIGHT_RATE_PPM;
use crate::sim::event::{MessageRef, Missed};
use crate::sim::process::NodeId;
use std::rc::Rc;

/// A fault's place on its thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slot {
    /// Pause or resume; wake or start what is down.
    Pause,
    /// Suspend or wake.
    Suspend,
    /// Crash or start.
    Crash,
    /// Step the wall clock.
    StepWall,
    /// Set the wall clock.
    SetWall,
    /// The clocks' rate.
    SetRate,
    /// Block the heartbeat or let it run.
    Heartbeat,
    /// What happens when renewing fails.
    OnRenewalFailure,
    /// What the deadline is counted from.
    DeadlineFrom,
    /// How the lock is released.
    ReleaseCheck,
    /// A Redis node's part, or a PostgreSQL server's.
    Replication,
    /// Sessions at a PostgreSQL server.
    Sessions,
    /// The store's rule.
    Rule,
    /// Cut a link.
    Cut,
    /// Heal it.
    Heal,
    /// Hold a message or release it.
    Hold,
    /// Drop a message.
    Drop,
    /// Delay a message.
    Delay,
    /// Double a message.
    Duplicate,
}

/// One way of making a fault. A time in it is a preset.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What is done.
    pub action: Do,
    /// Why it cannot be done now, if it cannot.
    pub why_not: Option<Missed>,
}

/// A fault and the ways of making it, at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Its place.
    pub slot: Slot,
    /// The ways.
    pub choices: Vec<Choice>,
    /// The way to begin with.
    pub chosen: usize,
    /// The way that is in force already, for rules and policies.
    pub in_force: Option<usize>,
}

impl Fault {
    fn new(open: &Open, slot: Slot, actions: Vec<Do>) -> Fault {
        let choice = |action: Do| Choice { why_not: open.why_not(&action), action };
        let choices: Vec<Choice> = actions.into_iter().map(choice).collect();
        let chosen = choices.iter().position(|choice| choice.why_not.is_none()).unwrap_or(0);
        Fault { slot, choices, chosen, in_force: None }
    }

    fn setting<T: PartialEq + Copy>(
        open: &Open,
        slot: Slot,
        (all, is): (&[T], T),
        action: impl Fn(T) -> Do,
    ) -> Fault {
        let fault = Fault::new(open, slot, all.iter().map(|one| action(*one)).collect());
        let in_force = all.iter().position(|one| *one == is);
        Fault { chosen: in_force.unwrap_or(0), in_force, ..fault }
    }
}

/// Pause or resume a process; where none runs, start it or wake its machine.
pub fn pause(open: &Open, id: NodeId) -> Fault {
    let node = name(open, id);
    let action = match machine(open, id) {
        Machine::Runs => Do::Pause { for_ms: preset(open, &node).or(Some(45_000)), node },
        Machine::Paused => Do::Resume { node },
        Machine::Suspended => Do::Wake { node },
        Machine::Down => Do::Restart { node },
    };
    Fault::new(open, Slot::Pause, vec![action])
}

/// How long the scenario itself pauses that machine.
fn preset(open: &Open, name: &str) -> Option<i64> {
    open.scenario().spec().clicks.iter().find_map(|click| match &click.r#do {
        Do::Pause { node, for_ms } if node == name => *for_ms,
        _ => None,
    })
}

/// End a process, or start it.
pub fn crash(open: &Open, id: NodeId) -> Fault {
    let node = name(open, id);
    let action = match machine(open, id) {
        Machine::Down => Do::Restart { node },
        _ => Do::Crash { node, restart_after_ms: Some(1_000) },
    };
    Fault::new(open, Slot::Crash, vec![action])
}

/// Stop a member of the lock service for good, or start it.
pub fn stop(open: &Open, id: NodeId) -> Fault {
    let mut fault = crash(open, id);
    if let Do::Crash { restart_after_ms, .. } = &mut fault.choices[0].action {
        *restart_after_ms = None;
    }
    fault
}

fn suspend(open: &Open, id: NodeId) -> Fault {
    let node = || name(open, id);
    let asleep = |wall| Do::Suspend { node: node(), for_ms: Some(45_000), wall };
    let actions = match machine(open, id) {
        Machine::Suspended => vec![Do::Wake { node: node() }],
        _ => vec![asleep(WallOnWake::Right), asleep(WallOnWake::Behind)],
    };
    Fault::new(open, Slot::Suspend, actions)
}

/// What can be done to any machine's process, but for pausing it.
pub fn process(open: &Open, id: NodeId) -> Vec<Fault> {
    vec![suspend(open, id), crash(open, id)]
}

/// What can be done to a machine's clocks.
pub fn clocks(open: &Open, id: NodeId) -> Vec<Fault> {
    let node = || name(open, id);
    let step = Do::StepWall { node: node(), by_ms: 60_000 };
    let set = Do::SetWall { node: node(), ahead_ms: 0 };
    let rate = Do::SetRate { node: node(), rate_ppm: RIGHT_RATE_PPM / 5 };
    vec![
        Fault::new(open, Slot::StepWall, vec![step]),
        Fault::new(open, Slot::SetWall, vec![set]),
        Fault::new(open, Slot::SetRate, vec![rate]),
    ]
}

/// What can be done to a worker's program.
pub fn program(open: &Open, worker: &facts::WorkerFacts) -> Vec<Fault> {
    let node = || name(open, worker.id);
    let Policies { on_renewal_failure, deadline_from, release, .. } = worker.policies;
    let heartbeat = match worker.heartbeat {
        Heartbeat::Runs => Heartbeat::Blocked,
        Heartbeat::Blocked => Heartbeat::Runs,
    };
    let renewal = [OnRenewalFailure::Exit, OnRenewalFailure::StopWork, OnRenewalFailure::CarryOn];
    let deadline = [DeadlineFrom::Answer, DeadlineFrom::BeforeRequest];
    let releases = [ReleaseCheck::Owner, ReleaseCheck::NameOnly];
    let beat = Do::Heartbeat { node: node(), is: heartbeat };
    let service = worker.service;
    let mut all = vec![
        Fault::new(open, Slot::Heartbeat, vec![beat]),
        Fault::setting(open, Slot::OnRenewalFailure, (&renewal, on_renewal_failure), |is| {
            Do::OnRenewalFailure { node: node(), is }
        }),
    ];
    if service.counts_deadline() {
        let from = |is| Do::DeadlineFrom { node: node(), is };
        all.push(Fault::setting(open, Slot::DeadlineFrom, (&deadline, deadline_from), from));
    }
    if service.releases_by_name() {
        let release_check = |is| Do::ReleaseCheck { node: node(), is };
        all.push(Fault::setting(open, Slot::ReleaseCheck, (&releases, release), release_check));
    }
    all
}

/// What part a Redis node or a PostgreSQL server can be given, where there are two, and
/// whose session the latter can be told to end.
pub fn replication(open: &Open, id: NodeId) -> Vec<Fault> {
    let names = open.scenario().names();
    let node = || name(open, id);
    let redis = match &open.replay().moment().world.node(id).process {
        Actor::Redis(redis) => redis,
        Actor::Postgres(server) => {
            let workers = names.with(Role::Worker).map(|worker| name(open, worker));
            let ends = workers.map(|client| Do::Terminate { node: node(), client });
            let all = ends.chain([Do::ShutDown { node: node() }]).collect();
            let sessions = Fault::new(open, Slot::Sessions, all);
            let promote =
                || Fault::new(open, Slot::Replication, vec![Do::Promote { node: node() }]);
            let promotes = (!server.peers().is_empty()).then(promote);
            return promotes.into_iter().chain([sessions]).collect();
        }
        _ => return Vec::new(),
    };
    let Some(other) = wires::other_members(names, id).next() else {
        return Vec::new();
    };
    let follow = Do::Follow { node: node(), primary: name(open, other) };
    let fault = Fault::new(open, Slot::Replication, vec![Do::Promote { node: node() }, follow]);
    let in_force = match redis.part() {
        Part::Primary => 0,
        Part::Replica { .. } => 1,
    };
    vec![Fault { chosen: in_force, in_force: Some(in_force), ..fault }]
}

/// All rules a store can have, the right ones first.
const RULES: [Rule; 11] = [
    Rule::None,
    Rule::AtLeast,
    Rule::OwnerAndSequence,
    Rule::CompareAndSet,
    Rule::DedupeKey,
    Rule::SameTransaction,
    Rule::TermAndKey,
    Rule::StrictlyGreater,
    Rule::LastSeen,
    Rule::CheckThenPut,
    Rule::CheckAtStart,
];

/// Switch the store to any rule; an object store has none.
pub fn rule(open: &Open) -> Option<Fault> {
    let node = || name(open, open.scenario().names().store());
    let is = guide::rule_in_force(open);
    let fault =
        || Fault::setting(open, Slot::Rule, (&RULES, is), |is| Do::Rule { node: node(), is });
    (open.scenario().spec().store.kind == StoreKind::Fenced).then(fault)
}

/// Cut and heal a link, whichever way; to the lock service, to all members or one.
pub fn wire(open: &Open, wire: &Wire) -> Vec<Fault> {
    let mut pairs = vec![(wire.from.name(open), wire.to.name(open))];
    if let (End::One(node), End::Service) = (&wire.from, &wire.to) {
        let names = open.scenario().names();
        let members = names.with(Role::Member);
        pairs.extend(members.map(|member| (names.shared(*node), names.shared(member))));
    }
    links(open, &pairs)
}

/// Cut a member of the lock service off from the others, from one of them, or from a
/// worker, and heal that: all that something is sent over.
pub fn member_links(open: &Open, id: NodeId) -> Vec<Fault> {
    let names = open.scenario().names();
    let others: Vec<Rc<str>> =
        wires::other_members(names, id).map(|other| names.shared(other)).collect();
    let group = (!others.is_empty()).then(|| names.service().group().into());
    let asks = |worker: &NodeId| wires::asks_service(open.scenario(), *worker);
    let workers = names.with(Role::Worker).filter(asks);
    let of_workers = workers.map(|worker| (names.shared(worker), names.shared(id)));
    let of_members = group.into_iter().chain(others).map(|other| (names.shared(id), other));
    let pairs: Vec<_> = of_members.chain(of_workers).collect();
    if pairs.is_empty() { Vec::new() } else { links(open, &pairs) }
}

/// Cut and heal the links of these pairs, whichever way.
fn links(open: &Open, pairs: &[(Rc<str>, Rc<str>)]) -> Vec<Fault> {
    let ways = pairs
        .iter()
        .flat_map(|(from, to)| [(from, to, Way::Both), (from, to, Way::One), (to, from, Way::One)]);
    let ways: Vec<(String, String, Way)> =
        ways.map(|(from, to, way)| (from.to_string(), to.to_string(), way)).collect();
    let cut =
        |(from, to, way): (String, String, Way)| Do::Cut { from, to, way, for_ms: Some(20_000) };
    let heal = |(from, to, way): (String, String, Way)| Do::Heal { from, to, way };
    vec![
        Fault::new(open, Slot::Cut, ways.iter().cloned().map(cut).collect()),
        Fault::new(open, Slot::Heal, ways.into_iter().map(heal).collect()),
    ]
}

/// What can be done to a message in flight.
pub fn message(open: &Open, name: &MessageRef) -> Vec<Fault> {
    let message = || -> MessageSpec { open.scenario().names().message_spec(name) };
    let release = Do::Release { message: message() };
    let hold = Do::Hold { message: message(), for_ms: None };
    let hold = if open.why_not(&release).is_none() { release } else { hold };
    let all = [
        (Slot::Hold, hold),
        (Slot::Drop, Do::Drop { message: message() }),
        (Slot::Delay, Do::Delay { message: message(), by_ms: 10_000 }),
        (Slot::Duplicate, Do::Duplicate { message: message(), after_ms: 1_000 }),
    ];
    all.into_iter().map(|(slot, action)| Fault::new(open, slot, vec![action])).collect()
}

fn name(open: &Open, id: NodeId) -> String {
    open.scenario().names().of(id).to_owned()
}

fn machine(open: &Open, id: NodeId) -> Machine {
    facts::machine(&open.replay().moment().world, id)
}

/// The time in an action that a form lets one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// How long it lasts, or none for until it is undone.
    Lasting(Option<i64>),
    /// Milliseconds, not negative.
    Time(i64),
    /// Milliseconds in either direction.
    Shift(i64),
    /// A clock's rate, parts per million.
    Rate(i64),
}

/// What of an action a form lets one change, if anything.
pub fn amount(action: &Do) -> Option<Amount> {
    Some(match action {
        Do::Pause { for_ms, .. }
        | Do::Suspend { for_ms, .. }
        | Do::Cut { for_ms, .. }
        | Do::Hold { for_ms, .. } => Amount::Lasting(*for_ms),
        Do::Crash { restart_after_ms, .. } => Amount::Lasting(*restart_after_ms),
        Do::Delay { by_ms, .. } => Amount::Time(*by_ms),
        Do::Duplicate { after_ms, .. } => Amount::Time(*after_ms),
        Do::StepWall { by_ms, .. } => Amount::Shift(*by_ms),
        Do::SetWall { ahead_ms, .. } => Amount::Shift(*ahead_ms),
        Do::SetRate { rate_ppm, .. } => Amount::Rate(*rate_ppm),
        _ => return None,
    })
}

/// The same action with another amount; one of another kind changes nothing.
pub fn with_amount(mut action: Do, amount: Amount) -> Do {
    match (&mut action, amount) {
        (
            Do::Pause { for_ms, .. }
            | Do::Suspend { for_ms, .. }
            | Do::Cut { for_ms, .. }
            | Do::Hold { for_ms, .. },
            Amount::Lasting(ms),
        ) => *for_ms = ms,
        (Do::Crash { restart_after_ms, .. }, Amount::Lasting(ms)) => *restart_after_ms = ms,
        (Do::Delay { by_ms, .. }, Amount::Time(ms)) => *by_ms = ms,
        (Do::Duplicate { after_ms, .. }, Amount::Time(ms)) => *after_ms = ms,
        (Do::StepWall { by_ms, .. }, Amount::Shift(ms)) => *by_ms = ms,
        (Do::SetWall { ahead_ms, .. }, Amount::Shift(ms)) => *ahead_ms = ms,
        (Do::SetRate { rate_ppm, .. }, Amount::Rate(ppm)) => *rate_ppm = ppm,
        _ => {}
    }
    action
}

#[cfg(test)]
#[path = "faults_tests.rs"]
mod tests;
