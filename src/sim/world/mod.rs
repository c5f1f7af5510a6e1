//! The world: machines, clocks, processes, timers, messages in flight and clicks
//! to come, and the one function that lets the next thing happen.
//!
//! ```text
//!   due things ──► World::step ──► one input to one process ──► its commands
//!                       └────────► events, in order, into a sink
//! ```
//!
//! At one instant timers and finished work come first, then deliveries, then what
//! earlier clicks scheduled (the end of a pause), then clicks.

mod causes;
mod clicks;
mod commands;
mod due;
mod state;

pub use causes::Provenance;

use super::click::Click;
use super::clock::Clock;
use super::event::{Event, EventId, What};
use super::network::{Flight, Link};
use super::process::{Draws, Hearing, Input, LogPlace, NodeId, Now, Out, Process};
use super::time::{Mono, Span, TrueTime, Wall};
use litemap::LiteMap;
use serde::Serialize;
use std::collections::VecDeque;
use std::rc::Rc;

/// How long after waking the second and the third kind of things are taken up
/// when a process wakes: long enough for what goes first to do something.
pub const WAKE_GAP: Span = Span::from_ms(1);

/// What a woken process does first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum WakeFirst {
    /// Its work, then its overdue timers, then its waiting messages.
    Work,
    /// Its overdue timers, then its waiting messages, then its work.
    Timers,
    /// Its waiting messages, then its overdue timers, then its work.
    Messages,
}

/// Whether and how a machine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Status {
    /// The process runs.
    Running,
    /// The process is paused; clocks run, messages wait.
    Paused,
    /// The machine is suspended; its monotonic clock stands still.
    Suspended {
        /// Since when.
        since: TrueTime,
        /// What its wall clock shows on waking.
        wall: super::click::WallOnWake,
        /// The rate its clock had, in parts per million.
        rate_ppm: i64,
    },
    /// No process runs.
    Down,
}

/// A machine with its one process.
#[derive(Clone, Debug)]
pub struct Node<P: Process> {
    /// What people call it.
    pub name: Rc<str>,
    /// The process.
    pub process: P,
    /// Whether and how it runs.
    pub status: Status,
    /// The machine's clocks.
    pub clock: Clock,
    /// What it does first on waking.
    pub wake_first: WakeFirst,
    work: Option<Work>,
    wake: Option<Wake>,
    told: Vec<(NodeId, Hearing)>,
}

/// Work begun. While its process runs, `done` says when it will be done; while it
/// does not, `left` says how much is left.
#[derive(Clone, Debug)]
enum Work {
    Running { done: TrueTime, cause: EventId },
    Stopped { left: Span, cause: EventId },
}

/// A process that has just woken takes its timers and its messages up not before.
#[derive(Clone, Copy, Debug)]
struct Wake {
    timers_at: TrueTime,
    messages_at: TrueTime,
}

/// A timer that is set.
#[derive(Clone, Debug)]
struct Timer<P: Process> {
    node: NodeId,
    timer: P::Timer,
    at: At,
    cause: EventId,
}

/// When a timer fires, by one of its machine's clocks. Those by the wall clock stand
/// behind the others in the list, since a step moves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    Mono(Mono),
    Wall(Wall),
}

/// What an earlier click scheduled.
#[derive(Clone, Debug, PartialEq, Serialize)]
enum Ending {
    Start(NodeId),
    Resume(NodeId),
    Wake(NodeId),
    Heal(NodeId, NodeId),
    Release,
}

#[derive(Clone, Debug)]
struct Scheduled {
    at: TrueTime,
    ending: Ending,
    /// Of `Release`: the message.
    message: Option<super::event::MessageRef>,
    cause: EventId,
}

/// Everything there is at one moment.
#[derive(Clone, Debug)]
pub struct World<P: Process> {
    now: TrueTime,
    right_wall: i64,
    nodes: Vec<Node<P>>,
    links: Vec<Link>,
    flights: Vec<Flight<P>>,
    timers: Vec<Timer<P>>,
    scheduled: Vec<Scheduled>,
    clicks: VecDeque<(u32, Click<P>)>,
    draws: Draws,
    sent: LiteMap<(NodeId, NodeId, &'static str), u32>,
    /// The last note on a replicated log that was heard.
    told: Option<LogPlace>,
    next_event: u32,
    provenance: Provenance<P>,
}

/// What a world is made of.
pub struct Setup<P: Process> {
    /// When the run begins, in true time.
    pub start: TrueTime,
    /// The right wall time at the start.
    pub wall: Wall,
    /// The machines, in the order of their [`NodeId`]s.
    pub nodes: Vec<NodeSetup<P>>,
    /// The links that are not `default_link`, by sender and receiver.
    pub links: LiteMap<(NodeId, NodeId), Link>,
    /// All other links.
    pub default_link: Link,
    /// Keys all random draws.
    pub seed: u64,
    /// What is done to the run, each with its place among the run's clicks: one
    /// click of a person can be several actions.
    pub clicks: Vec<(u32, Click<P>)>,
}

/// A machine at the start.
pub struct NodeSetup<P: Process> {
    /// What people call it.
    pub name: Rc<str>,
    /// Its process.
    pub process: P,
    /// What its monotonic clock shows.
    pub mono: Mono,
    /// How far its wall clock is ahead of the right time.
    pub wall_ahead: Span,
    /// Its clocks' rate, in parts per million.
    pub rate_ppm: i64,
    /// What it does first on waking.
    pub wake_first: WakeFirst,
}

/// Takes the events of a step in order.
pub trait Sink<P: Process> {
    /// Takes one.
    fn event(&mut self, event: Event<P>);
}

impl<P: Process, F: FnMut(Event<P>)> Sink<P> for F {
    fn event(&mut self, event: Event<P>) {
        self(event);
    }
}

impl<P: Process> World<P> {
    /// A world in which nothing has happened yet; every process starts at once.
    pub fn new(setup: Setup<P>) -> World<P> {
        let count = setup.nodes.len();
        assert!(count <= usize::from(u8::MAX), "at most 255 machines");
        let (start, wall) = (setup.start, setup.wall);
        let nodes: Vec<Node<P>> =
            setup.nodes.into_iter().map(|n| Node::new(n, start, wall)).collect();
        let ids = || (0..count as u8).map(NodeId);
        let links = ids()
            .flat_map(|from| ids().map(move |to| (from, to)))
            .map(|pair| setup.links.get(&pair).copied().unwrap_or(setup.default_link))
            .collect();
        let scheduled = ids()
            .map(|id| Scheduled {
                at: start,
                ending: Ending::Start(id),
                message: None,
                cause: EventId(0),
            })
            .collect();
        let mut world = World {
            now: start,
            right_wall: wall.0 - start.0,
            nodes,
            links,
            flights: Vec::new(),
            timers: Vec::new(),
            scheduled,
            clicks: VecDeque::new(),
            draws: Draws::new(setup.seed),
            sent: LiteMap::new(),
            told: None,
            next_event: 0,
            provenance: Provenance::new(count),
        };
        for (index, click) in setup.clicks {
            world.add_click(index, click);
        }
        world
    }

    /// Adds a click that is still to come; `index` is its place among the run's.
    ///
    /// # Panics
    /// When its time has passed.
    pub fn add_click(&mut self, index: u32, click: Click<P>) {
        assert!(click.at >= self.now, "a click is made now or later");
        let place = self.clicks.partition_point(|(_, other)| other.at <= click.at);
        self.clicks.insert(place, (index, click));
    }

    /// Now, in true time.
    pub fn now(&self) -> TrueTime {
        self.now
    }

    /// What a clock that is right would show.
    pub fn right_wall(&self) -> Wall {
        Wall(self.now.0 + self.right_wall)
    }

    /// The machines.
    pub fn nodes(&self) -> &[Node<P>] {
        &self.nodes
    }

    /// One machine.
    pub fn node(&self, id: NodeId) -> &Node<P> {
        &self.nodes[id.index()]
    }

    /// What a machine's clocks show.
    pub fn clocks(&self, id: NodeId) -> Now {
        self.node(id).clock.read(self.now)
    }

    /// A one-way link.
    pub fn link(&self, from: NodeId, to: NodeId) -> Link {
        self.links[from.index() * self.nodes.len() + to.index()]
    }

    fn link_mut(&mut self, from: NodeId, to: NodeId) -> &mut Link {
        let count = self.nodes.len();
        &mut self.links[from.index() * count + to.index()]
    }

    /// The messages in flight and waiting.
    pub fn flights(&self) -> &[Flight<P>] {
        &self.flights
    }

    /// How many events there have been.
    pub fn events(&self) -> u32 {
        self.next_event
    }

    /// The clicks still to come, with their places among the run's.
    pub fn clicks_left(&self) -> impl Iterator<Item = &(u32, Click<P>)> {
        self.clicks.iter()
    }

    /// How much running time the work begun still needs.
    pub fn work_left(&self, id: NodeId) -> Option<Span> {
        self.node(id).work.as_ref().map(|work| match work {
            Work::Running { done, .. } => *done - self.now,
            Work::Stopped { left, .. } => *left,
        })
    }

    /// Whether nothing but renewals and scans is left, by itself and by clicks.
    pub fn is_over(&self) -> bool {
        self.clicks.is_empty()
            && self.scheduled.is_empty()
            && self.nodes.iter().all(|n| !matches!(n.work, Some(Work::Running { .. })))
            && self.timers.iter().all(|t| P::is_routine_timer(&t.timer) || !self.runs(t.node))
            && self.flights.iter().all(|f| {
                use super::process::Message;
                f.body.is_routine() || self.flight_due(f).is_none()
            })
    }

    /// Lets time pass to `at`; everything due before must have happened.
    ///
    /// # Panics
    /// When something is due at or before `at`, or `at` has passed.
    pub fn advance(&mut self, at: TrueTime) {
        assert!(at >= self.now, "time does not go back");
        assert!(self.next_due().is_none_or(|due| due > at), "nothing may be passed over");
        self.now = at;
        self.forget_wakes();
    }

    /// Lets the next thing happen, if there is one: its events go to `sink`.
    pub fn step(&mut self, sink: &mut impl Sink<P>) -> bool {
        if self.next_event == 0 {
            self.emit(sink, NodeId(0), What::RunBegins, Vec::new());
        }
        let Some((at, due)) = self.find_due() else { return false };
        assert!(at >= self.now, "nothing is due in the past");
        self.now = at;
        self.forget_wakes();
        self.happen(due, sink);
        true
    }

    /// Steps until everything due at or before `until` has happened, then lets time
    /// pass to it.
    pub fn run_until(&mut self, until: TrueTime, sink: &mut impl Sink<P>) {
        while self.next_due().is_some_and(|at| at <= until) {
            self.step(sink);
        }
        if until > self.now {
            self.advance(until);
        }
    }

    fn runs(&self, id: NodeId) -> bool {
        self.node(id).status == Status::Running
    }

    fn emit(
        &mut self,
        sink: &mut impl Sink<P>,
        node: NodeId,
        what: What<P>,
        mut causes: Vec<EventId>,
    ) -> EventId {
        let id = EventId(self.next_event);
        self.next_event += 1;
        let mut seen = 0;
        while seen < causes.len() {
            if causes[..seen].contains(&causes[seen]) {
                causes.remove(seen);
            } else {
                seen += 1;
            }
        }
        assert!(causes.iter().all(|c| *c < id), "a cause comes before its effect");
        assert!(id.0 == 0 || !causes.is_empty(), "every event has a cause");
        self.provenance.record(id, node, &what);
        sink.event(Event { id, at: self.now, node, what, causes });
        id
    }

    /// Gives one input to one process and carries out its commands.
    fn give(&mut self, node: NodeId, input: Input<P>, cause: EventId, sink: &mut impl Sink<P>) {
        let now = self.clocks(node);
        let mut out = Out::new(node, now, &mut self.draws);
        self.nodes[node.index()].process.handle(input, now, &mut out);
        let commands = out.into_commands();
        self.carry_out(node, commands, cause, sink);
    }
}

impl<P: Process> Node<P> {
    fn new(setup: NodeSetup<P>, start: TrueTime, wall: Wall) -> Node<P> {
        let mut clock = Clock::new(start, setup.mono, wall + setup.wall_ahead);
        clock.set_rate(start, setup.rate_ppm);
        Node {
            name: setup.name,
            process: setup.process,
            // Not yet started, but about to: at the start no peer seems silent.
            status: Status::Running,
            clock,
            wake_first: setup.wake_first,
            work: None,
            wake: None,
            told: Vec::new(),
        }
    }
}
