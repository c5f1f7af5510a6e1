//! English: effects outside the store, the outbox that stands for them, and who sees to them.

use crate::actors::note::EffectNote;
use crate::scenario::names::Role;
use crate::text::amounts::{money, whole};
use crate::text::service::numbered_of;

/// What became of an effect.
#[inline(never)]
pub fn note(note: &EffectNote) -> String {
    match note {
        EffectNote::RowAdded { row, job, object } => {
            format!("Row {row} stands in the outbox: {}", numbered_of(job, 0, object))
        }
        EffectNote::RowGiven { row } => format!("Gives row {row}, which is not marked as sent"),
        EffectNote::RowSent { row } => format!("Row {row} is marked as sent"),
        EffectNote::AsksAgain => "Has no answer, and asks again".to_owned(),
        EffectNote::Booked { key, job, object, amount, booked } => format!(
            "Books {} for {}, {} in all; the key is “{key}”",
            whole(*amount),
            numbered_of(job, 0, object),
            money(*booked)
        ),
        EffectNote::KeyKnown { key } => {
            format!("Knows the key “{key}”: answered again, not booked")
        }
    }
}

/// The same at its mark in the diagram, where it has one.
pub fn mark(note: &EffectNote) -> Option<String> {
    Some(match note {
        EffectNote::RowAdded { row, .. } => format!("row {row}"),
        EffectNote::RowSent { row } => format!("row {row} sent"),
        EffectNote::Booked { amount, .. } => format!("books {}", money(*amount)),
        EffectNote::KeyKnown { .. } => "key known".to_owned(),
        EffectNote::RowGiven { .. } | EffectNote::AsksAgain => return None,
    })
}

/// What people call a machine that is neither of the lock service nor a worker nor the store.
pub fn title(name: &str) -> &'static str {
    match name {
        "orchestrator" => "Orchestrator",
        "partner" => "Partner",
        "relay" => "Relay",
        _ => "Relay 2",
    }
}

/// What such a machine does.
pub fn does(role: Role) -> &'static str {
    match role {
        Role::Partner => "Books what it is asked to. It compares no tokens.",
        Role::Relay => "Sends the outbox’s rows to the partner, one after the other.",
        _ => "Starts the next worker when one exits.",
    }
}
