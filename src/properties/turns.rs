//! Which events are turns of events: what a person would tell of a run. The rest is
//! routine (renewals, messages on their way) and can be hidden.

use crate::actors::note::{ConsulNote, EtcdNote, LockNote, PostgresNote, RedisNote, WorkerNote};
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::sim::process::Message;

/// How much an event matters to somebody who wants to know what happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Renewals, scans, messages on their way.
    Routine,
    /// A step on the way from one turn to the next.
    Detail,
    /// A turn of events.
    Turn,
}

/// How much an event matters.
pub fn weight(what: &What<Actor>) -> Weight {
    match what {
        What::Clicked { .. }
        | What::ClickMissed { .. }
        | What::Resumed
        | What::Woke
        | What::Crashed
        | What::LinkHealed { .. }
        | What::Released { .. } => Weight::Turn,
        What::Note(note) => of_note(note),
        What::Lost { .. } | What::Returned { .. } => Weight::Detail,
        What::Sent { body, .. } | What::Delivered { body, .. } if !body.is_routine() => {
            Weight::Detail
        }
        What::RunBegins
        | What::Started
        | What::Paused
        | What::Suspended
        | What::Exited
        | What::LinkCut { .. }
        | What::WorkDone
        | What::Hears { .. } => Weight::Detail,
        What::Sent { .. }
        | What::Delivered { .. }
        | What::Waits { .. }
        | What::TimerFired { .. } => Weight::Routine,
    }
}

fn of_note(note: &Note) -> Weight {
    match note {
        Note::Etcd(EtcdNote::LeaseRenewed { .. })
        | Note::Redis(RedisNote::Renewed { .. })
        | Note::Postgres(PostgresNote::Renewed { .. })
        | Note::Lock(LockNote::Renewed { .. })
        | Note::Worker(WorkerNote::Renewed { .. }) => Weight::Routine,
        Note::Etcd(EtcdNote::LeaseGranted { .. } | EtcdNote::LeaseOverdue { .. })
        | Note::Consul(ConsulNote::NoLeader)
        | Note::Lock(LockNote::TakenOver { .. } | LockNote::HandedOver { .. })
        | Note::Worker(
            WorkerNote::Step(_)
            | WorkerNote::Waits { .. }
            | WorkerNote::SessionOpened { .. }
            | WorkerNote::DrewValue { .. }
            | WorkerNote::HeardVote { .. }
            | WorkerNote::Reconnected { .. }
            | WorkerNote::Unanswered { .. },
        ) => Weight::Detail,
        _ => Weight::Turn,
    }
}

/// Events, with what one click does to several machines or links told once: the first of
/// it, and how much more there is.
pub fn once_a_click<'a>(
    events: impl IntoIterator<Item = &'a Event<Actor>>,
) -> Vec<(&'a Event<Actor>, usize)> {
    let mut all: Vec<(&Event<Actor>, usize)> = Vec::new();
    for event in events {
        let same = |click| all.iter().rposition(|(before, _)| click_of(before) == Some(click));
        match click_of(event).and_then(same) {
            Some(place) => all[place].1 += 1,
            None => all.push((event, 0)),
        }
    }
    all
}

/// The click that an event is, by its place among the run's.
pub fn click_of(event: &Event<Actor>) -> Option<u32> {
    match event.what {
        What::Clicked { click, .. } | What::ClickMissed { click, .. } => Some(click),
        _ => None,
    }
}

/// Whether an event is a turn of events.
pub fn is_turn(what: &What<Actor>) -> bool {
    weight(what) == Weight::Turn
}
