//! English: object stores, data in etcd and how a write to it is guarded, and work that arrives.

use crate::actors::note::WorkerNote;
use crate::actors::store::api::{Refusal, Rule};
use crate::actors::worker::config::{Guard, Puts};
use crate::scenario::spec::StoreKind;
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

/// What a refusal is answered with: an HTTP status, or a transaction's field.
pub fn status(refusal: Refusal) -> String {
    match refusal {
        Refusal::Condition(error) => error.status().to_string(),
        Refusal::Compare => "succeeded=false".to_owned(),
        _ => "412".to_owned(),
    }
}

/// What a client asks of etcd when it writes.
pub fn guard(guard: Guard) -> &'static str {
    match guard {
        Guard::CreateRevision => {
            "puts if its key’s create revision is its own (wrong with get-then-put)"
        }
        Guard::ModRevision => "puts if its key’s mod revision is its own (wrong)",
        Guard::KeyExists => "puts if there is a key (wrong where its name is shared)",
        Guard::ReadFirst => "reads its key, then puts (wrong)",
        Guard::ReadFirstSerializable => "reads its key from one member, then puts (wrong)",
        Guard::None => "puts without looking at its key (wrong)",
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

/// What a store does: of these only one has a rule.
pub fn store_does(rule: Rule, kind: StoreKind) -> &'static str {
    match kind {
        StoreKind::Fenced => en::rule(rule),
        StoreKind::Objects => "compares ETags, knows no tokens",
        StoreKind::Etcd => "is a key in etcd, beside the lock",
    }
}
