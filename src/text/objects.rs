//! English: object stores, and work that arrives.

use crate::actors::note::WorkerNote;
use crate::actors::store::api::{Refusal, Rule};
use crate::actors::worker::config::Puts;
use crate::sim::in_full::InFull;
use crate::text::amounts::span;
use crate::text::en;

/// What a client saw in an object store, and what became of transfers.
pub(super) fn worker_note(note: &WorkerNote) -> String {
    match note {
        WorkerNote::FoundHigher { token } => {
            let token = crate::text::service::token(*token);
            format!("Finds token {token} with the object, which its own does not beat")
        }
        WorkerNote::FoundOwn { .. } => {
            "Finds that the object is its own put: only the answer was lost".to_owned()
        }
        WorkerNote::TookTransfer { number, waited } => {
            format!("Takes transfer {number}, which has waited {}", span(*waited))
        }
        WorkerNote::SettledTransfer { number, took } => {
            format!("Transfer {number} is settled, {} after it arrived", span(*took))
        }
        note => unreachable!("told in `en`: {}", InFull(&note)),
    }
}

/// The HTTP status of a refusal.
pub fn status(refusal: Refusal) -> u16 {
    match refusal {
        Refusal::Condition(error) => error.status(),
        _ => 412,
    }
}

/// What a client puts into an object store, and on what condition.
pub fn puts(puts: Puts) -> &'static str {
    match puts {
        Puts::Plain => "puts without a condition",
        Puts::IfMatch => "puts if the ETag is as it was read",
        Puts::IfMatchOwnMark => {
            "puts if the ETag is as it was read, each body with a mark of its own"
        }
        Puts::TokenInMetadata => "fences with a token in the metadata alone (wrong)",
        Puts::TokenInBody => "fences with a token in metadata and body",
    }
}

/// What a store does: an object store has no rule.
pub fn store_does(rule: Rule, is_objects: bool) -> &'static str {
    if is_objects { "compares ETags, knows no tokens" } else { en::rule(rule) }
}
