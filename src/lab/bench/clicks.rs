//! The clicks of a run as a list in the order of time, and what a click can be.

use super::Edit;
use crate::actors::store::api::Rule;
use crate::actors::worker::Heartbeat;
use crate::actors::worker::config::{DeadlineFrom, OnRenewalFailure, ReleaseCheck};
use crate::content::Choice;
use crate::lab::faults::{Amount, amount, with_amount};
use crate::lab::wires;
use crate::scenario::clicks::{ClickSpec, Do, Way};
use crate::scenario::names::{Names, Role, Service};
use crate::scenario::spec::StoreKind;
use crate::scenario::{Run, Scenario};
use crate::sim::click::WallOnWake;
use crate::sim::order;
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};
use crate::text::entry;
use crate::text::ui::ui;

/// How far *earlier* and *later* go.
pub const STEP: Span = Span::from_ms(500);

/// How far a key moves a flag that is to go far.
pub const FAR: Span = Span::from_s(5);

/// A click as the list shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its place among the run's.
    pub click: usize,
    /// When.
    pub at: TrueTime,
    /// What is done.
    pub action: Do,
    /// The same in words, with what it is done to.
    pub says: String,
    /// What of it can be changed.
    pub amount: Option<Amount>,
}

/// The clicks of a run in the order in which they are carried out.
pub fn rows(run: &Run) -> Vec<Row> {
    let row = |(click, spec): (usize, &ClickSpec)| Row {
        click,
        at: TrueTime(spec.at_us),
        says: says(&spec.r#do),
        amount: amount(&spec.r#do),
        action: spec.r#do.clone(),
    };
    let mut rows: Vec<Row> = run.clicks.iter().enumerate().map(row).collect();
    order::by_key(&mut rows, |row| (row.at, row.click));
    rows
}

/// A click of which a scenario tells: what, to what, when.
pub(super) fn told(click: &ClickSpec) -> String {
    (ui().bench.click_at)(&says(&click.r#do), &moment_text(TrueTime(click.at_us)))
}

/// What is done, and to what: without how long.
pub fn says(action: &Do) -> String {
    let text = &ui().bench;
    let what = kind(action);
    match action {
        // Their way names both machines.
        Do::Cut { .. } | Do::Heal { .. } => what,
        Do::Hold { message, .. }
        | Do::Release { message }
        | Do::Drop { message }
        | Do::Delay { message, .. }
        | Do::Duplicate { message, .. } => (text.on_message)(&what, message),
        _ => (text.on)(&what, action.node().unwrap_or_default()),
    }
}

/// What is done, in words: "Pause", "Suspend: behind, as after a snapshot".
pub fn kind(action: &Do) -> String {
    let text = &ui().faults;
    let (button, way) = ((text.button)(action), (text.way)(action));
    if way == button { way } else { format!("{button}: {way}") }
}

/// What clicks can be done to: each machine, all members together, each link.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// What people call it.
    pub name: String,
    /// All that can be done to it at some moment, each with a preset.
    pub actions: Vec<Do>,
}

/// All targets of a run. A message is one only while it is in flight, so what is done to
/// one is done on the stage.
pub fn targets(run: &Run) -> Vec<Target> {
    let names = run.scenario.names();
    let mut all: Vec<Target> = names
        .ids()
        .map(|id| {
            let name = names.of(id).to_owned();
            Target { actions: on_machine(&name, names.role(id), &run.scenario), name }
        })
        .collect();
    let service = names.all_nodes();
    // One machine alone stands there already.
    all.extend(names.find(service).is_none().then(|| Target {
        name: service.to_owned(),
        actions: on_machine(service, Role::Member, &run.scenario),
    }));
    all.extend(pairs(&run.scenario).into_iter().map(|(from, to)| {
        let name = (ui().stage.link)(&from, &to);
        Target { name, actions: on_link(&from, &to) }
    }));
    all
}

/// The links that something is sent over; to the lock service all together, and each.
fn pairs(scenario: &Scenario) -> Vec<(String, String)> {
    let names = scenario.names();
    let group = || names.all_nodes().to_owned();
    let name = |id: NodeId| names.of(id).to_owned();
    let members = || names.with(Role::Member);
    let mut pairs = Vec::new();
    for worker in names.with(Role::Worker) {
        let asks = wires::asks_service(scenario, worker);
        pairs.extend(asks.then(|| (name(worker), group())));
        let others = wires::asked_besides(scenario, worker);
        let each = members().filter(|_| asks && members().count() > 1);
        let others = others.into_iter().chain(each);
        pairs.extend(others.map(|other| (name(worker), name(other))));
    }
    for relay in names.with(Role::Relay) {
        let asked = wires::asked_besides(scenario, relay);
        pairs.extend(asked.into_iter().map(|other| (name(relay), name(other))));
    }
    let has_others = |one: &NodeId| wires::other_members(names, *one).next().is_some();
    pairs.extend(members().filter(has_others).map(|one| (name(one), group())));
    for one in members() {
        let others = wires::other_members(names, one).filter(|other| *other > one);
        pairs.extend(others.map(|other| (name(one), name(other))));
    }
    pairs
}

/// The click that an edit moves by a step, as a key does.
pub(super) fn nudged(run: &Run, edit: &Edit) -> Option<usize> {
    let Edit::MoveClick { click, at } = *edit else { return None };
    let by = (at.0 - run.clicks.get(click)?.at_us).abs();
    [STEP.us(), FAR.us()].contains(&by).then_some(click)
}

/// How long a fault lasts that is not told otherwise.
const LASTING_MS: i64 = 10_000;

fn on_machine(name: &str, role: Role, scenario: &Scenario) -> Vec<Do> {
    let names = scenario.names();
    let node = || name.to_owned();
    let for_ms = Some(LASTING_MS);
    let mut all = vec![
        Do::Pause { node: node(), for_ms },
        Do::Resume { node: node() },
        Do::Suspend { node: node(), for_ms, wall: WallOnWake::Right },
        Do::Suspend { node: node(), for_ms, wall: WallOnWake::Behind },
        Do::Wake { node: node() },
        Do::Crash { node: node(), restart_after_ms: Some(1_000) },
        Do::Restart { node: node() },
        Do::StepWall { node: node(), by_ms: 60_000 },
        Do::SetWall { node: node(), ahead_ms: 0 },
        Do::SetRate { node: node(), rate_ppm: 200_000 },
    ];
    match role {
        Role::Worker => {
            all.extend(Heartbeat::ALL.iter().map(|is| Do::Heartbeat { node: node(), is: *is }));
            let policies = OnRenewalFailure::ALL.iter();
            all.extend(policies.map(|is| Do::OnRenewalFailure { node: node(), is: *is }));
            let from = DeadlineFrom::ALL.iter().filter(|_| names.service().counts_deadline());
            all.extend(from.map(|is| Do::DeadlineFrom { node: node(), is: *is }));
            let checks = ReleaseCheck::ALL.iter().filter(|_| names.service().releases_by_name());
            all.extend(checks.map(|is| Do::ReleaseCheck { node: node(), is: *is }));
        }
        Role::Store => {
            let is_fenced = scenario.spec().store.kind == StoreKind::Fenced;
            let rules = Rule::ALL.iter().filter(|_| is_fenced);
            all.extend(rules.map(|is| Do::Rule { node: node(), is: *is }));
        }
        Role::Member => all.extend(replication(name, names)),
        Role::Orchestrator | Role::Partner | Role::Relay => {}
    }
    all
}

/// What part a Redis node can be given; all of them together cannot be given one. What
/// sessions a PostgreSQL server can be told to end.
fn replication(name: &str, names: &Names) -> Vec<Do> {
    if names.service() == Service::Postgres {
        let servers = names.with(Role::Member).count();
        if servers > 1 && names.find(name).is_none() {
            return Vec::new();
        }
        let node = || name.to_owned();
        let workers = names.with(Role::Worker).map(|id| names.of(id).to_owned());
        let ends = workers.map(|client| Do::Terminate { node: node(), client });
        let all = ends.chain([Do::ShutDown { node: node() }]);
        let promote = || Do::Promote { node: node() };
        return all.chain((servers > 1).then(promote)).collect();
    }
    let nodes: Vec<&str> = names.with(Role::Member).map(|id| names.of(id)).collect();
    if names.service() != Service::Redis || nodes.len() < 2 || !nodes.contains(&name) {
        return Vec::new();
    }
    let node = || name.to_owned();
    let others = nodes.iter().filter(|other| **other != name);
    let follow = others.map(|other| Do::Follow { node: node(), primary: (*other).to_owned() });
    std::iter::once(Do::Promote { node: node() }).chain(follow).collect()
}

fn on_link(from: &str, to: &str) -> Vec<Do> {
    let ways = [(from, to, Way::Both), (from, to, Way::One), (to, from, Way::One)];
    let ways = ways.map(|(from, to, way)| (from.to_owned(), to.to_owned(), way));
    let cut = |(from, to, way)| Do::Cut { from, to, way, for_ms: Some(LASTING_MS) };
    let heal = |(from, to, way)| Do::Heal { from, to, way };
    ways.clone().into_iter().map(cut).chain(ways.into_iter().map(heal)).collect()
}

/// What stands in the field for an amount.
pub fn amount_text(amount: Amount) -> String {
    match amount {
        Amount::Lasting(None) => String::new(),
        Amount::Lasting(Some(ms)) | Amount::Time(ms) | Amount::Shift(ms) => entry::from_ms(ms),
        Amount::Rate(ppm) => entry::from_ppm(ppm),
    }
}

/// The same action with the amount that was typed.
///
/// # Errors
/// When that is none: what it has to be.
pub fn with_text(action: &Do, typed: &str) -> Result<Do, &'static str> {
    let text = &ui().bench;
    let time = || entry::seconds(typed).ok_or(text.no_time);
    let amount = match amount(action) {
        None => return Ok(action.clone()),
        Some(Amount::Lasting(_)) if typed.trim().is_empty() => Amount::Lasting(None),
        Some(Amount::Lasting(_)) => match time()? {
            0 => return Err(ui().faults.no_length),
            ms => Amount::Lasting(Some(ms)),
        },
        Some(Amount::Time(_)) => Amount::Time(time()?),
        Some(Amount::Shift(_)) => Amount::Shift(time()?),
        Some(Amount::Rate(_)) => Amount::Rate(entry::rate_ppm(typed).ok_or(text.no_factor)?),
    };
    Ok(with_amount(action.clone(), amount))
}

/// So many digits has a second in microseconds.
const MICROS: usize = 6;

/// What stands in the field for a moment.
pub fn moment_text(at: TrueTime) -> String {
    entry::typed(at.0, MICROS)
}

/// The moment that was typed, in seconds.
///
/// # Errors
/// When it is none.
pub fn moment(typed: &str) -> Result<TrueTime, &'static str> {
    entry::decimal(typed, MICROS).map(TrueTime).ok_or(ui().bench.no_time)
}
