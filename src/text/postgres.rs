//! English: PostgreSQL, its server and its client.

use crate::actors::etcd::api::LeaseId;
use crate::actors::note::{GrantEnd, LockNote, PostgresNote, SessionEnd, WorkerNote};
use crate::actors::store::api::Rule;
use crate::actors::{Actor, Note};
use crate::scenario::names::Service;
use crate::sim::event::{Event, What};
use crate::text::en::lease;
use crate::text::who::Who;

/// That another took a holder's row when that was over: by the clients' clocks the server cannot
/// tell, so the note alone does not say so.
pub(super) fn taken_over(event: &Event<Actor>, who: &Who) -> Option<String> {
    let What::Note(Note::Lock(LockNote::Ended { lock, lease, how })) = &event.what else {
        return None;
    };
    let GrantEnd::Overwritten { by } = how else { return None };
    let is_row = who.names().service() == Service::Postgres && who.was_over(event.id);
    let (of, by) = (who.acquisition(*lease), who.machine(*by));
    is_row.then(|| format!("{of} holds {lock} no more: its row was over, and {by} took it"))
}

/// A store's rule as a statement on the row that it keeps; a refusal is that no row was
/// changed.
pub fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::None => "UPDATE, whatever the row says",
        Rule::AtLeast => "UPDATE … WHERE mark <= :token",
        Rule::OwnerAndSequence => {
            "UPDATE … WHERE mark < :token OR (mark = :token AND owner = :owner AND seq < :seq)"
        }
        Rule::CompareAndSet => "UPDATE … WHERE version = :version",
        Rule::DedupeKey => "INSERT … ON CONFLICT (job) DO NOTHING",
        Rule::SameTransaction => "BEGIN; SELECT mark … FOR UPDATE; UPDATE …; COMMIT",
        Rule::StrictlyGreater => "UPDATE … WHERE mark < :token",
        Rule::LastSeen => "UPDATE … WHERE mark = :token",
        Rule::CheckThenPut => "SELECT mark; then an UPDATE that does not ask",
        Rule::CheckAtStart => {
            "SELECT mark at the beginning; at the end an UPDATE that does not ask"
        }
        Rule::TermAndKey => "UPDATE … WHERE mark <= :token; INSERT … ON CONFLICT (key) DO NOTHING",
    }
}

/// What a worker notes of its client of PostgreSQL, where that is told otherwise than of
/// other clients.
pub(super) fn client(note: &WorkerNote, who: &Who) -> Option<String> {
    if who.names().service() != Service::Postgres {
        return None;
    }
    Some(match note {
        WorkerNote::DrewValue { lease: id } => {
            format!("Names its acquisition {} (application_name)", lease(*id))
        }
        WorkerNote::HoldOver { lease: id, why } => {
            let why = match why {
                SessionEnd::Deadline => "its row’s time has passed",
                SessionEnd::LeaseGone => "the row is not its own any more",
                SessionEnd::Closed | SessionEnd::GivenUp => "it lets it go",
                SessionEnd::Disconnected => "its connection is closed",
            };
            format!("For its client its lock (acquisition {}) is over: {why}", lease(*id))
        }
        WorkerNote::Renewed { .. } => "Its row has another end".to_owned(),
        WorkerNote::RenewalFailed => "Cannot renew its row".to_owned(),
        _ => return None,
    })
}

/// What a PostgreSQL server notes.
#[inline(never)]
pub(super) fn server(note: &PostgresNote, who: &Who) -> String {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    match note {
        PostgresNote::Queued { lock, lease } => format!("{} waits for {lock}", of(lease)),
        PostgresNote::Counted { lock, lease, held } => format!(
            "The session that serves {} holds {lock} already and counts to {held}: an advisory lock \
             is the session’s",
            of(lease)
        ),
        PostgresNote::NotHeld { lock, lease } => format!(
            "{} is told false, with a warning: the session that serves it does not hold {lock}",
            of(lease)
        ),
        PostgresNote::Failed { lease, error } => {
            format!("A statement of {} fails, {}: {error}", of(lease), error.code())
        }
        PostgresNote::SessionEnded { client, why, .. } => {
            let whose = match client {
                Some(client) => format!("The session of {}", who.machine(*client)),
                None => "A session of the pool".to_owned(),
            };
            match why {
                Some(error) => format!("{whose} ends, {}: {error}", error.code()),
                None => format!("{whose} ends: its connection is closed"),
            }
        }
        PostgresNote::Renewed { lock, lease, .. } => {
            format!("The row of {lock}, held by {}, gets another end", of(lease))
        }
        PostgresNote::RowIsOver { lock, lease } => {
            format!("The row of {lock}, held by {}, is over: who asks next has it", of(lease))
        }
        PostgresNote::WaitsForPool { client } => {
            format!(
                "{} waits for the pooler: all connections of its pool are lent",
                who.machine(*client)
            )
        }
        PostgresNote::LentByPool { client } => {
            format!("The pooler lends {} a connection that is free again", who.machine(*client))
        }
        PostgresNote::NoSessions { lock } => format!(
            "Was sent no sessions and none of their locks, which were in the other’s memory: here \
             nobody holds {lock}"
        ),
        PostgresNote::IsPrimary => {
            "Refuses, 55000: recovery is not in progress; it is a primary already".to_owned()
        }
        PostgresNote::Restarted => {
            "Starts again: what is committed is there, and no session with its locks".to_owned()
        }
    }
}
