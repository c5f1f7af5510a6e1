//! What is measured in a run, once it is over or as soon as it is decided.

use super::file::Expected;
use crate::actors::note::{
    EffectNote, EtcdNote, LeaseEnd, LockNote, PostgresNote, RedisNote, StoreNote, WorkerNote,
};
use crate::actors::store::api::Owner;
use crate::actors::worker::who_tries;
use crate::actors::{Actor, Note};
use crate::content::{Choice, choices, tagged};
use crate::learn::outcome::{Outcome, of_write};
use crate::properties::{Grants, Judge, Judged, PropertyId, Verdict};
use crate::scenario::Scenario;
use crate::scenario::names::Role;
use crate::sim::event::{Event, EventId, What};
use crate::sim::order;
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
        /// The worker to which something happens before it does to any other; `nobody`.
        First as "first" {
            /// What.
            what: Happening,
        },
        /// Whose the lock is at etcd when something happens to a worker; `nobody`.
        Holder as "holder" {
            /// The worker.
            of: String,
            /// What.
            what: Happening,
            /// The first time, the second.
            nth: u32 = 1,
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
    /// Its lease expires at etcd; its session is ended by PostgreSQL's server.
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
    /// A machine's name.
    Name(String),
    /// A number, in the measure's own unit.
    Number(i64),
    /// An event.
    Event(EventId),
    /// It does not happen.
    Never,
}

impl Measured {
    /// As a file says it; an event is said by none.
    pub fn expected(&self) -> Option<Expected> {
        Some(match self {
            Measured::Word(word) => Expected::Word((*word).to_owned()),
            Measured::Name(name) => Expected::Word(name.clone()),
            Measured::Number(number) => Expected::Number(*number),
            Measured::Never => Expected::Word(NEVER.to_owned()),
            Measured::Event(_) => return None,
        })
    }

    /// Whether it is what a file expects.
    pub fn is(&self, expected: &Expected) -> bool {
        match (self, expected) {
            (Measured::Word(found), Expected::Word(said)) => found == said,
            (Measured::Name(found), Expected::Word(said)) => found == said,
            (Measured::Number(found), Expected::Number(said)) => found == said,
            (Measured::Never, Expected::Word(said)) => said == NEVER,
            _ => false,
        }
    }
}

impl Measure {
    /// Measures a run that was played to its end.
    pub fn take(&self, scenario: &Scenario, replay: &Replay<Actor, Judge>) -> Measured {
        let judge = &replay.moment().observer;
        let taken = self.so_far(scenario, replay.past(), Some(judge));
        taken.map_or(Measured::Never, |(measured, _)| measured)
    }

    /// The event that is measured, or that decides what is, once it has happened.
    pub fn event(&self, scenario: &Scenario, replay: &Replay<Actor, Judge>) -> Option<EventId> {
        let trace = replay.past();
        match self {
            // What stands only at the end of a run is decided by none of its events.
            Measure::Verdict { .. }
            | Measure::Safe {}
            | Measure::Count { .. }
            | Measure::Booked {} => None,
            Measure::Write { of } => {
                let worker = scenario.names().find(of)?;
                of_write(worker, trace).map(|decision| decision.event)
            }
            _ => {
                let judge = &replay.moment().observer;
                let (measured, event) = self.so_far(scenario, trace, Some(judge))?;
                (measured != Measured::Never).then_some(event)
            }
        }
    }

    /// Measures a run as far as it has been run: what it comes to, and the event that
    /// decided it; none while it is open. There is a judge once the run is over.
    pub fn so_far(
        &self,
        scenario: &Scenario,
        trace: &[Event<Actor>],
        judge: Option<&Judge>,
    ) -> Option<(Measured, EventId)> {
        let last = trace.last()?.id;
        let names = scenario.names();
        let at_end = |measured| judge.map(|_| (measured, last));
        let seen = |of: &str, what| happenings(trace, names.find(of), what);
        let at = |of: &str, what, nth: u32, measured: &dyn Fn(&Event<Actor>) -> Measured| {
            let mut all = seen(of, what).into_iter();
            let place = (nth as usize).checked_sub(1);
            match place.and_then(|place| all.nth(place)) {
                Some(id) => Some((measured(&trace[id.index()]), id)),
                None => at_end(Measured::Never),
            }
        };
        match self {
            Measure::Write { of } => {
                let decision = names.find(of).and_then(|worker| of_write(worker, trace));
                let word = |outcome: Outcome| Measured::Word(outcome.name());
                let decided = decision.map(|d| (word(d.outcome), d.event));
                decided.or_else(|| at_end(word(Outcome::None)))
            }
            Measure::Verdict { property } => Some(verdict(judge?, &[*property], last)),
            Measure::Safe {} => Some(verdict(judge?, &scenario.spec().promises, last)),
            Measure::Token { of, nth } => at(of, Happening::Granted, *nth, &|event| {
                token(event).map_or(Measured::Never, Measured::Number)
            }),
            Measure::Moment { of, what, nth } => {
                at(of, *what, *nth, &|event| Measured::Number(event.at.0.div_euclid(1_000)))
            }
            Measure::Count { of, what } => at_end(Measured::Number(seen(of, *what).len() as i64)),
            Measure::Booked {} => at_end(Measured::Number(booked(trace))),
            Measure::Event { of, what, nth } => {
                at(of, *what, *nth, &|event| Measured::Event(event.id))
            }
            Measure::Break { property } => {
                Some(match judge?.verdict(*property, Judged::AtTheEnd) {
                    Verdict::Broken { witness } => (Measured::Event(witness.event), witness.event),
                    Verdict::Holds => (Measured::Never, last),
                })
            }
            Measure::First { what } => {
                let first =
                    |worker| Some((*happenings(trace, Some(worker), *what).first()?, worker));
                match names.with(Role::Worker).filter_map(first).min() {
                    Some((id, worker)) => Some((Measured::Name(names.of(worker).to_owned()), id)),
                    None => at_end(Measured::Word(NOBODY)),
                }
            }
            Measure::Holder { of, what, nth } => at(of, *what, *nth, &|event| {
                let holder = holder(&trace[..event.id.index()]);
                let name = |worker| Measured::Name(names.of(worker).to_owned());
                holder.map_or(Measured::Word(NOBODY), name)
            }),
        }
    }
}

/// What files say of what does not happen.
const NEVER: &str = "never";
/// What they say where no worker is meant.
const NOBODY: &str = "nobody";

/// Whether all of them hold, and the event that broke one.
fn verdict(judge: &Judge, all: &[PropertyId], last: EventId) -> (Measured, EventId) {
    let witness = all.iter().find_map(|id| match judge.verdict(*id, Judged::AtTheEnd) {
        Verdict::Broken { witness } => Some(witness.event),
        Verdict::Holds => None,
    });
    (Measured::Word(kept(witness.is_none())), witness.unwrap_or(last))
}

/// Whose the lock is at the end of these events.
fn holder(trace: &[Event<Actor>]) -> Option<NodeId> {
    let mut grants = Grants::default();
    trace.iter().for_each(|event| grants.observe(event));
    let lease = grants.standing().next_back().map(|grant| grant.owner);
    owners(trace).get(&lease?).copied()
}

fn kept(holds: bool) -> &'static str {
    if holds { "kept" } else { "broken" }
}

fn token(event: &Event<Actor>) -> Option<i64> {
    match event.what {
        What::Note(Note::Lock(LockNote::Granted { token, .. })) => Some(token),
        _ => None,
    }
}

fn booked(trace: &[Event<Actor>]) -> i64 {
    let last = trace.iter().rev().find_map(|event| match event.what {
        // Where the partner is asked to book, a store's write says of none.
        What::Note(Note::Store(StoreNote::Accepted { booked: 0, .. })) => None,
        What::Note(
            Note::Store(StoreNote::Accepted { booked, .. })
            | Note::Effect(EffectNote::Booked { booked, .. }),
        ) => Some(booked),
        _ => None,
    });
    last.unwrap_or(0)
}

/// Every time that something happens to a worker, in order.
fn happenings(trace: &[Event<Actor>], worker: Option<NodeId>, what: Happening) -> Vec<EventId> {
    let Some(worker) = worker else { return Vec::new() };
    let owners = owners(trace);
    let is_own =
        |owner: &Owner| owners.get(owner) == Some(&worker) || who_tries(*owner) == Some(worker);
    let happens = |event: &&Event<Actor>| match &event.what {
        What::Resumed => event.node == worker && what == Happening::Wakes,
        What::Note(Note::Worker(note)) => event.node == worker && of_worker(note) == Some(what),
        What::Note(Note::Etcd(note)) => {
            of_etcd(note).is_some_and(|(lease, found)| found == what && is_own(&lease))
        }
        What::Note(Note::Lock(LockNote::Granted { lease, .. })) => {
            what == Happening::Granted && is_own(lease)
        }
        What::Note(Note::Redis(note)) => {
            of_redis(note).is_some_and(|(lease, found)| found == what && is_own(&lease))
        }
        What::Note(Note::Postgres(note)) => {
            of_postgres(note).is_some_and(|(lease, found)| found == what && is_own(&lease))
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
        What::Note(Note::Worker(
            WorkerNote::SessionOpened { lease } | WorkerNote::DrewValue { lease },
        )) => Some((lease, event.node)),
        _ => None,
    };
    order::map(trace.iter().filter_map(session))
}

fn of_worker(note: &WorkerNote) -> Option<Happening> {
    Some(match note {
        WorkerNote::Began => Happening::Begins,
        WorkerNote::Believes { .. } => Happening::Believes,
        WorkerNote::SessionClosed { .. } | WorkerNote::HoldOver { .. } => Happening::SessionOver,
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
        EtcdNote::LeaseRenewed { lease } => (*lease, Happening::Renewed),
        EtcdNote::LeaseEnded { lease, why: LeaseEnd::Expired, .. } => (*lease, Happening::Expires),
        EtcdNote::LeaseEnded { lease, why: LeaseEnd::Revoked, .. } => (*lease, Happening::Revoked),
        _ => return None,
    })
}

fn of_redis(note: &RedisNote) -> Option<(Owner, Happening)> {
    Some(match note {
        RedisNote::Renewed { lease, .. } => (*lease, Happening::Renewed),
        RedisNote::Expired { lease, .. } => (*lease, Happening::Expires),
        _ => return None,
    })
}

fn of_postgres(note: &PostgresNote) -> Option<(Owner, Happening)> {
    Some(match note {
        PostgresNote::Queued { lease, .. } => (*lease, Happening::Queues),
        PostgresNote::Renewed { lease, .. } => (*lease, Happening::Renewed),
        PostgresNote::RowIsOver { lease, .. }
        | PostgresNote::SessionEnded { lease, why: Some(_), .. } => (*lease, Happening::Expires),
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
