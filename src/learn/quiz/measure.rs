//! What is measured in a run that is over.

use crate::actors::note::{EtcdNote, LeaseEnd, StoreNote, WorkerNote};
use crate::actors::store::api::Owner;
use crate::actors::{Actor, Note};
use crate::content::{Choice, choices, tagged};
use crate::learn::outcome::{Outcome, of_write};
use crate::properties::{Judge, Judged, PropertyId, Verdict};
use crate::scenario::Scenario;
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use crate::sim::replay::Replay;
use litemap::LiteMap;

tagged! {
    /// What is measured.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Measure {
        /// What becomes of a worker's write: `accepted`, `refused`, `none`.
        Write as "write" {
            /// The worker.
            of: String,
        },
        /// Whether a property holds at the run's end: `kept`, `broken`.
        Verdict as "verdict" {
            /// Which.
            property: PropertyId,
        },
        /// Whether all that the scenario promises holds at the run's end: `kept`, `broken`.
        Safe as "safe" {},
        /// The token of a worker's grant: the create revision of its key, whatever number
        /// its program uses.
        Token as "token" {
            /// The worker.
            of: String,
            /// Of its first grant, its second.
            nth: u32 = 1,
        },
        /// When something happens, in whole milliseconds of true time.
        Moment as "moment" {
            /// The worker.
            of: String,
            /// What.
            what: Happening,
            /// The first time, the second.
            nth: u32 = 1,
        },
        /// How often something happens.
        Count as "count" {
            /// The worker.
            of: String,
            /// What.
            what: Happening,
        },
        /// What the partner has booked at the run's end.
        Booked as "booked" {},
        /// The event in which something happens.
        Event as "event" {
            /// The worker.
            of: String,
            /// What.
            what: Happening,
            /// The first time, the second.
            nth: u32 = 1,
        },
        /// The event that breaks a property.
        Break as "break" {
            /// Which.
            property: PropertyId,
        },
    }
}

/// What can happen to a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Its program begins.
    Begins,
    /// Its key is put at the end of the queue.
    Queues,
    /// It is granted the lock.
    Granted,
    /// It comes to believe that it holds the lock.
    Believes,
    /// Its client's session is over.
    SessionOver,
    /// Its lease is renewed at etcd.
    Renewed,
    /// Its lease expires at etcd.
    Expires,
    /// Its lease is revoked at etcd.
    Revoked,
    /// The store accepts its claim.
    Claims,
    /// It sends its report.
    Writes,
    /// The store accepts its report.
    Accepted,
    /// The store refuses its report.
    Refused,
    /// It wakes from a pause.
    Wakes,
    /// Its program exits.
    Exits,
    /// Its program stops before its end.
    Stops,
    /// Its program comes to its end.
    Finishes,
}

choices! {
    Happening {
        Begins = "begins",
        Queues = "queues",
        Granted = "granted",
        Believes = "believes",
        SessionOver = "session-over",
        Renewed = "renewed",
        Expires = "expires",
        Revoked = "revoked",
        Claims = "claims",
        Writes = "writes",
        Accepted = "accepted",
        Refused = "refused",
        Wakes = "wakes",
        Exits = "exits",
        Stops = "stops",
        Finishes = "finishes",
    }
}

/// What a measurement comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measured {
    /// One of a few words.
    Word(&'static str),
    /// A number, in the measure's own unit.
    Number(i64),
    /// An event.
    Event(EventId),
    /// It does not happen.
    Never,
}

impl Measure {
    /// Measures a run that was played to its end.
    pub fn take(&self, scenario: &Scenario, replay: &Replay<Actor, Judge>) -> Measured {
        let trace = replay.past();
        let judge = &replay.moment().observer;
        let verdict = |property| judge.verdict(property, Judged::AtTheEnd);
        let event = self.event(scenario, replay);
        match self {
            Measure::Write { of } => {
                let worker = scenario.names().find(of);
                let decision = worker.and_then(|worker| of_write(worker, trace));
                Measured::Word(decision.map_or(Outcome::None, |d| d.outcome).name())
            }
            Measure::Verdict { property } => Measured::Word(kept(verdict(*property).holds())),
            Measure::Safe {} => {
                let mut promised = scenario.spec().promises.iter();
                Measured::Word(kept(promised.all(|property| verdict(*property).holds())))
            }
            Measure::Token { .. } => {
                let token = event.and_then(|id| token(&trace[id.index()]));
                token.map_or(Measured::Never, Measured::Number)
            }
            Measure::Moment { .. } => event.map_or(Measured::Never, |id| {
                Measured::Number(trace[id.index()].at.0.div_euclid(1_000))
            }),
            Measure::Count { of, what } => {
                let worker = scenario.names().find(of);
                Measured::Number(happenings(trace, worker, *what).len() as i64)
            }
            Measure::Booked {} => Measured::Number(booked(trace)),
            Measure::Event { .. } | Measure::Break { .. } => {
                event.map_or(Measured::Never, Measured::Event)
            }
        }
    }

    /// The event that is measured, or that decides what is, once it has happened.
    pub fn event(&self, scenario: &Scenario, replay: &Replay<Actor, Judge>) -> Option<EventId> {
        let trace = replay.past();
        let node = |name: &str| scenario.names().find(name);
        let nth = |of: &str, what, nth: u32| {
            let mut all = happenings(trace, node(of), what);
            let place = (nth as usize).checked_sub(1).filter(|place| *place < all.len());
            place.map(|place| all.swap_remove(place))
        };
        match self {
            Measure::Write { of } => of_write(node(of)?, trace).map(|decision| decision.event),
            Measure::Token { of, nth: which } => nth(of, Happening::Granted, *which),
            Measure::Moment { of, what, nth: which } | Measure::Event { of, what, nth: which } => {
                nth(of, *what, *which)
            }
            Measure::Break { property } => {
                match replay.moment().observer.verdict(*property, Judged::AtTheEnd) {
                    Verdict::Broken { witness } => Some(witness.event),
                    Verdict::Holds => None,
                }
            }
            Measure::Verdict { .. }
            | Measure::Safe {}
            | Measure::Count { .. }
            | Measure::Booked {} => None,
        }
    }
}

fn kept(holds: bool) -> &'static str {
    if holds { "kept" } else { "broken" }
}

fn token(event: &Event<Actor>) -> Option<i64> {
    match event.what {
        What::Note(Note::Etcd(EtcdNote::LockGranted { create_revision, .. })) => {
            Some(create_revision)
        }
        _ => None,
    }
}

fn booked(trace: &[Event<Actor>]) -> i64 {
    let last = trace.iter().rev().find_map(|event| match event.what {
        What::Note(Note::Store(StoreNote::Accepted { booked, .. })) => Some(booked),
        _ => None,
    });
    last.unwrap_or(0)
}

/// Every time that something happens to a worker, in order.
fn happenings(trace: &[Event<Actor>], worker: Option<NodeId>, what: Happening) -> Vec<EventId> {
    let Some(worker) = worker else { return Vec::new() };
    let owners = owners(trace);
    let is_own = |owner: &Owner| owners.get(owner) == Some(&worker);
    let happens = |event: &&Event<Actor>| match &event.what {
        What::Resumed => event.node == worker && what == Happening::Wakes,
        What::Note(Note::Worker(note)) => event.node == worker && of_worker(note) == Some(what),
        What::Note(Note::Etcd(note)) => {
            of_etcd(note).is_some_and(|(lease, found)| found == what && is_own(&lease))
        }
        What::Note(Note::Store(note)) => {
            of_store(note).is_some_and(|(owner, found)| found == what && is_own(&owner))
        }
        _ => false,
    };
    trace.iter().filter(happens).map(|event| event.id).collect()
}

/// Whose sessions there were.
fn owners(trace: &[Event<Actor>]) -> LiteMap<Owner, NodeId> {
    let session = |event: &Event<Actor>| match event.what {
        What::Note(Note::Worker(WorkerNote::SessionOpened { lease })) => Some((lease, event.node)),
        _ => None,
    };
    trace.iter().filter_map(session).collect()
}

fn of_worker(note: &WorkerNote) -> Option<Happening> {
    Some(match note {
        WorkerNote::Began => Happening::Begins,
        WorkerNote::Believes { .. } => Happening::Believes,
        WorkerNote::SessionClosed { .. } => Happening::SessionOver,
        WorkerNote::Writes { .. } => Happening::Writes,
        WorkerNote::Exits => Happening::Exits,
        WorkerNote::Stopped { .. } => Happening::Stops,
        WorkerNote::Finished => Happening::Finishes,
        _ => return None,
    })
}

fn of_etcd(note: &EtcdNote) -> Option<(Owner, Happening)> {
    Some(match note {
        EtcdNote::Queued { lease, .. } => (*lease, Happening::Queues),
        EtcdNote::LockGranted { lease, .. } => (*lease, Happening::Granted),
        EtcdNote::LeaseRenewed { lease } => (*lease, Happening::Renewed),
        EtcdNote::LeaseEnded { lease, why: LeaseEnd::Expired, .. } => (*lease, Happening::Expires),
        EtcdNote::LeaseEnded { lease, why: LeaseEnd::Revoked, .. } => (*lease, Happening::Revoked),
        _ => return None,
    })
}

fn of_store(note: &StoreNote) -> Option<(Owner, Happening)> {
    Some(match note {
        StoreNote::Claimed { owner, .. } => (*owner, Happening::Claims),
        StoreNote::Accepted { owner, .. } => (*owner, Happening::Accepted),
        StoreNote::Refused { owner, .. } => (*owner, Happening::Refused),
        _ => return None,
    })
}
