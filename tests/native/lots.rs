//! Random numbers from a seed, and random clicks made of them.

use fencepost::actors::Actor;
use fencepost::actors::worker::Heartbeat;
use fencepost::properties::Judge;
use fencepost::scenario::Run;
use fencepost::scenario::clicks::{ClickSpec, Do, MessageSpec, Way};
use fencepost::scenario::names::{Role, Service};
use fencepost::sim::click::WallOnWake;
use fencepost::sim::event::Event;
use fencepost::sim::network::{Leg, LinkState};
use fencepost::sim::replay::Moment;
use fencepost::sim::time::TrueTime;
use fencepost::sim::world::Status;

/// Random numbers (splitmix64): the same seed gives the same ones everywhere.
pub struct Lots(u64);

impl Lots {
    pub fn new(seed: u64) -> Lots {
        Lots(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize].clone()
    }

    /// A length of time in milliseconds, often round and seldom long.
    fn ms(&mut self) -> i64 {
        let round = [0, 1, 10, 500, 1_000, 5_000, 20_000, 45_000];
        if self.below(2) == 0 { self.of(&round) } else { self.below(60_000) as i64 }
    }

    fn lasting(&mut self) -> Option<i64> {
        (self.below(4) > 0).then(|| self.ms())
    }
}

/// One to five clicks at random moments of a run of which they become a part. Rules and
/// policies are left as they are.
pub fn clicks(lots: &mut Lots, run: &Run) -> Vec<ClickSpec> {
    let limit = run.scenario.limit();
    let mut moments: Vec<i64> =
        (0..=lots.below(5)).map(|_| lots.below(90_000_000) as i64).collect();
    moments.sort_unstable();
    let mut moment = Moment::new(run.world().expect("the run is right"), Judge::new());
    let mut clicks = Vec::new();
    for at_us in moments {
        advance(&mut moment, TrueTime(at_us.min(limit.0)), lots);
        if moment.world.now() > limit {
            break;
        }
        let click = ClickSpec { at_us: moment.world.now().0, r#do: action(lots, run, &moment) };
        let actions = click.actions(run.scenario.names()).expect("it names what is there");
        for action in actions {
            moment.world.add_click(0, action);
        }
        clicks.push(click);
    }
    clicks
}

/// To a moment, and every other time on to one at which a message is in flight.
fn advance(moment: &mut Moment<Actor, Judge>, to: TrueTime, lots: &mut Lots) {
    let mut ignore = |_: Event<Actor>| {};
    while moment.world.next_due().is_some_and(|due| due <= to) {
        moment.step(&mut ignore);
    }
    if to > moment.world.now() {
        moment.world.advance(to);
    }
    if lots.below(2) == 0 {
        let (mut steps, wanted) = (0, lots.below(40));
        while steps < wanted && moment.step(&mut ignore) {
            steps += 1;
        }
        // A click comes after all else that happens at its instant.
        let now = moment.world.now();
        while moment.world.next_due() == Some(now) {
            moment.step(&mut ignore);
        }
    }
}

/// Every other time, if something can be undone, that; else, as a rule, what can be done.
fn action(lots: &mut Lots, run: &Run, moment: &Moment<Actor, Judge>) -> Do {
    let undone = undone(run, moment);
    if !undone.is_empty() && lots.below(2) == 0 {
        return lots.of(&undone);
    }
    for _ in 0..5 {
        let action = any_action(lots, run, moment);
        let click = ClickSpec { at_us: moment.world.now().0, r#do: action };
        let actions = click.actions(run.scenario.names()).expect("it names what is there");
        if actions.iter().all(|click| moment.world.why_not(&click.action).is_none()) {
            return click.r#do;
        }
    }
    any_action(lots, run, moment)
}

/// What undoes something that was done.
fn undone(run: &Run, moment: &Moment<Actor, Judge>) -> Vec<Do> {
    let (names, world) = (run.scenario.names(), &moment.world);
    let of_nodes = names.ids().filter_map(|id| {
        let node = names.of(id).to_owned();
        match world.node(id).status {
            Status::Running => None,
            Status::Paused => Some(Do::Resume { node }),
            Status::Suspended { .. } => Some(Do::Wake { node }),
            Status::Down => Some(Do::Restart { node }),
        }
    });
    let held = world.flights().iter().filter(|flight| flight.leg == Leg::Held);
    let of_messages = held.map(|flight| Do::Release { message: names.message_spec(&flight.name) });
    let links = names.ids().flat_map(|from| names.ids().map(move |to| (from, to)));
    let cut = links.filter(|(from, to)| world.link(*from, *to).state == LinkState::Cut);
    let of_links = cut.map(|(from, to)| {
        let (from, to) = (names.of(from).to_owned(), names.of(to).to_owned());
        Do::Heal { from, to, way: Way::One }
    });
    of_nodes.chain(of_messages).chain(of_links).collect()
}

fn any_action(lots: &mut Lots, run: &Run, moment: &Moment<Actor, Judge>) -> Do {
    let names = run.scenario.names();
    let all: Vec<String> = names.ids().map(|id| names.of(id).to_owned()).collect();
    let workers: Vec<String> = names.with(Role::Worker).map(|id| names.of(id).to_owned()).collect();
    let flights = moment.world.flights().iter();
    let in_flight: Vec<MessageSpec> = flights
        .filter(|flight| matches!(flight.leg, Leg::Out { .. } | Leg::Held))
        .map(|flight| names.message_spec(&flight.name))
        .collect();
    if !in_flight.is_empty() && lots.below(2) == 0 {
        let message = lots.of(&in_flight);
        return on_message(lots, message);
    }
    if let Some(order) = order(lots, run, &workers) {
        return order;
    }
    let node = if lots.below(2) == 0 { lots.of(&workers) } else { lots.of(&all) };
    if lots.below(4) == 0 {
        // A node that is all of the lock service has no link to it.
        let mut members = names.with(Role::Member);
        let is_service = members.next() == names.find(&node) && members.next().is_none();
        let service = (!is_service).then(|| names.service().group().to_owned());
        let others: Vec<String> =
            all.into_iter().chain(service).filter(|name| *name != node).collect();
        let (to, way) = (lots.of(&others), lots.of(&[Way::One, Way::Both]));
        return Do::Cut { from: node, to, way, for_ms: lots.lasting() };
    }
    on_node(lots, node, &workers)
}

/// Now and then what an operator can have a server do.
fn order(lots: &mut Lots, run: &Run, workers: &[String]) -> Option<Do> {
    let names = run.scenario.names();
    let all: Vec<String> = names.with(Role::Member).map(|id| names.of(id).to_owned()).collect();
    let of_postgres = match names.service() {
        Service::Postgres => true,
        Service::Redis => false,
        Service::Etcd
        | Service::Redlock
        | Service::ZooKeeper
        | Service::Consul
        | Service::Objects => return None,
    };
    if lots.below(6) > 0 {
        return None;
    }
    let node = lots.of(&all);
    let other = all.iter().find(|name| **name != node).cloned();
    Some(match (of_postgres, lots.below(3), other) {
        (true, 0, _) => Do::ShutDown { node },
        (true, 1, _) => Do::Terminate { node, client: lots.of(workers) },
        (false, 0, Some(primary)) => Do::Follow { node, primary },
        _ => Do::Promote { node },
    })
}

fn on_message(lots: &mut Lots, message: MessageSpec) -> Do {
    match lots.below(4) {
        0 => Do::Hold { message, for_ms: lots.lasting() },
        1 => Do::Drop { message },
        2 => Do::Delay { message, by_ms: lots.ms() },
        _ => Do::Duplicate { message, after_ms: lots.ms() },
    }
}

fn on_node(lots: &mut Lots, node: String, workers: &[String]) -> Do {
    match lots.below(8) {
        0 | 1 => Do::Pause { node, for_ms: lots.lasting() },
        2 => {
            let wall = lots.of(&[WallOnWake::Right, WallOnWake::Behind]);
            Do::Suspend { node, for_ms: lots.lasting(), wall }
        }
        3 => Do::Crash { node, restart_after_ms: lots.lasting() },
        4 => Do::StepWall { node, by_ms: lots.ms() - 10_000 },
        5 => Do::SetWall { node, ahead_ms: lots.ms() - 10_000 },
        6 => {
            let rates = [1, 200_000, 999_999, 1_000_000, 1_000_050, 4_000_000, 100_000_000];
            Do::SetRate { node, rate_ppm: lots.of(&rates) }
        }
        _ => {
            let is = lots.of(&[Heartbeat::Blocked, Heartbeat::Blocked, Heartbeat::Runs]);
            Do::Heartbeat { node: lots.of(workers), is }
        }
    }
}
