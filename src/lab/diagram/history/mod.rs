//! What has been run, as stretches, marks and arrows in time: no window, no screen.
//!
//! ```text
//!   events ──► Holds    who holds, believes, waits     ──► stretches
//!          ──► Machines pauses, ends, cut links        ──► stretches, marks
//!          ──► Flights  messages                       ──► arrows
//!          ──► Sessions when Consul's may end          ──► stretches
//!          ──► marks    claims, writes, leases, leaders
//! ```
//!
//! It is built event by event, so that a run that goes on costs only what is new.

mod flights;
mod holds;
mod machines;
mod marks;
mod sessions;
pub mod timed;

use super::lanes::{Lane, Lanes};
use crate::actors::Actor;
use crate::properties::Judge;
use crate::sim::event::{Event, EventId};
use crate::sim::replay::Observer;
use crate::sim::time::TrueTime;
use crate::text::Who;
use crate::text::short::{Extent, Still};
use litemap::LiteMap;
use timed::{Lasts, Timed};

/// What holds on a lane for a while.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// On which lane.
    pub lane: Lane,
    /// Since when.
    pub from: TrueTime,
    /// Until when; none while it lasts.
    pub to: Option<TrueTime>,
    /// What.
    pub what: Span,
    /// The event it began with.
    pub event: EventId,
}

/// What can hold for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// It waits for the lock, with its key's create revision, or 0 without one.
    Queued(i64),
    /// It believes that it holds the lock, and does.
    Holds {
        /// The grant's create revision.
        revision: i64,
        /// The token it uses.
        token: i64,
    },
    /// It believes so and does not.
    Outdated {
        /// The token it uses.
        token: i64,
    },
    /// It holds the lock by this create revision and does not believe so.
    Unaware(i64),
    /// After a session's end nobody can acquire the lock, for so long.
    Delay(crate::sim::time::Span),
    /// The session that holds the lock has not been renewed for its TTL: it may be
    /// invalidated at any time.
    MayEnd,
    /// Its process or machine stands still.
    Still(Still),
    /// Links to another lane are cut.
    Cut {
        /// Which.
        other: Lane,
        /// How much of it.
        extent: Extent,
    },
}

/// Which stretches of a lane exclude each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Hold,
    Still,
    Cut(Lane),
}

/// What happens at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// On which lane.
    pub lane: Lane,
    /// When.
    pub at: TrueTime,
    /// Which event.
    pub event: EventId,
    /// How it looks.
    pub shape: Shape,
    /// What it says.
    pub words: String,
}

/// How a mark looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// Refused: a cross in a circle.
    Refused,
    /// Accepted and should not have been: an exclamation mark in a triangle.
    Alarm,
    /// A lease or grant that ends: a strong upright line.
    End,
    /// Accepted: a tick in a circle.
    Accepted,
    /// A process ends: a cross.
    Crash,
    /// Who leads: a flag.
    Flag,
    /// What somebody did to the run: a triangle above the lane.
    Click,
    /// Something else: a dot.
    Dot,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// The sender's lane.
    pub from: Lane,
    /// The receiver's lane.
    pub to: Lane,
    /// When it was sent.
    pub sent: TrueTime,
    /// What became of it.
    pub end: ArrowEnd,
    /// The event of its sending.
    pub event: EventId,
    /// What it is to the run.
    pub kind: ArrowKind,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArrowEnd {
    /// It is on its way still, or waits.
    Open,
    /// It was taken up.
    Taken(TrueTime),
    /// It was lost.
    Lost(TrueTime),
    /// It came back: nothing ran there.
    Returned(TrueTime),
}

impl ArrowEnd {
    /// When that was.
    pub fn at(self) -> Option<TrueTime> {
        match self {
            ArrowEnd::Open => None,
            ArrowEnd::Taken(at) | ArrowEnd::Lost(at) | ArrowEnd::Returned(at) => Some(at),
        }
    }
}

/// What a message is to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrowKind {
    /// It only renews.
    Routine,
    /// Any other.
    Plain,
    /// A claim or write on its way to the store.
    Claim,
    /// One that is going to be refused, as far as that has been run.
    RefusedClaim,
    /// The answer that refuses it.
    Refusal,
}

/// The history of one run, as far as it has been run.
pub struct History {
    lanes: Lanes,
    who: Who,
    seen: usize,
    judge: Judge,
    holds: holds::Holds,
    machines: machines::Machines,
    flights: flights::Flights,
    sessions: sessions::Sessions,
    pub(super) drawn: Drawn,
}

/// What there is to draw, in time.
#[derive(Debug, Default)]
pub struct Drawn {
    /// In the order in which they were known.
    pub stretches: Timed<Stretch>,
    /// In order.
    pub points: Timed<Point>,
    /// In the order in which they were sent, or doubled.
    pub arrows: Timed<Arrow>,
    /// Stretches that last, by lane and layer.
    open: LiteMap<(Lane, Layer), usize>,
}

impl Lasts for Stretch {
    fn from(&self) -> TrueTime {
        self.from
    }

    fn to(&self) -> Option<TrueTime> {
        self.to
    }
}

impl Lasts for Point {
    fn from(&self) -> TrueTime {
        self.at
    }

    fn to(&self) -> Option<TrueTime> {
        Some(self.at)
    }
}

impl Lasts for Arrow {
    fn from(&self) -> TrueTime {
        self.sent
    }

    fn to(&self) -> Option<TrueTime> {
        self.end.at()
    }
}

impl History {
    /// Nothing yet.
    pub fn new(lanes: Lanes) -> History {
        History {
            who: Who::new(lanes.names().clone()),
            lanes,
            seen: 0,
            judge: Judge::new(),
            holds: holds::Holds::default(),
            machines: machines::Machines::default(),
            flights: flights::Flights::default(),
            sessions: sessions::Sessions::default(),
            drawn: Drawn::default(),
        }
    }

    /// The lanes.
    pub fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// What there is to draw.
    pub fn drawn(&self) -> &Drawn {
        &self.drawn
    }

    /// How many events it has taken in.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// Takes in what is new in the trace of its run.
    ///
    /// # Panics
    /// When the trace is shorter than what was taken in before.
    pub fn take_in(&mut self, trace: &[Event<Actor>]) {
        for event in &trace[self.seen..] {
            self.take(event);
        }
        self.seen = trace.len();
    }

    fn take(&mut self, event: &Event<Actor>) {
        let late_before = self.judge.late_writes();
        self.judge.observe(event);
        let standing = marks::standing(event, &self.judge, late_before);
        // Marks first: what ends here is named as it was.
        let (was_over, holds) = (self.judge.was_over(event), &self.holds);
        let known = marks::Known { holds, lanes: &self.lanes, who: &self.who, was_over };
        marks::take(event, standing, known, &mut self.drawn);
        self.holds.take(event, &self.lanes, &mut self.drawn);
        self.machines.take(event, &self.lanes, &mut self.drawn);
        self.flights.take(event, &self.lanes, &mut self.drawn);
        self.sessions.take(event, &self.lanes, &mut self.drawn);
    }
}

impl Drawn {
    /// From this event on `what` holds on a lane, and nothing else of its layer. What
    /// lasted no time is replaced.
    fn set(&mut self, lane: Lane, layer: Layer, event: &Event<Actor>, what: Option<Span>) {
        let open = self.open.get(&(lane, layer)).copied();
        if let Some(place) = open {
            let before = &self.stretches[place];
            let has_lasted = before.from != event.at;
            match what {
                Some(what) if what == before.what => return,
                Some(what) if !has_lasted => {
                    let replace = |before: &mut Stretch| {
                        (before.what, before.event) = (what, event.id);
                    };
                    return self.stretches.change(place, replace);
                }
                _ => self.stretches.change(place, |before| before.to = Some(event.at)),
            }
            self.open.remove(&(lane, layer));
        }
        if let Some(what) = what {
            self.open.insert((lane, layer), self.stretches.len());
            let (from, event) = (event.at, event.id);
            self.stretches.push(Stretch { lane, from, to: None, what, event });
        }
    }

    fn mark(&mut self, lane: Lane, event: &Event<Actor>, shape: Shape, words: impl Into<String>) {
        let (at, event) = (event.at, event.id);
        self.points.push(Point { lane, at, event, shape, words: words.into() });
    }
}
