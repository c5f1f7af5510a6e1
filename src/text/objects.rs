//! English: object stores, as stores and as lock services, data in etcd and how a write to it
//! is guarded, and work that arrives.

use crate::actors::etcd::api::LeaseId;
use crate::actors::note::{GrantEnd, LockNote, SessionEnd, WorkerNote};
use crate::actors::store::api::{Refusal, Rule};
use crate::actors::worker::config::{Guard, LeaseUntil, Puts};
use crate::actors::{Actor, Note};
use crate::scenario::names::Service;
use crate::scenario::spec::StoreKind;
use crate::sim::event::{Event, What};
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::text::amounts::span;
use crate::text::en;
use crate::text::service::hold_end;
use crate::text::who::Who;

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

pub(super) fn has_the_lock(who: &Who) -> bool {
    who.names().service() == Service::Objects
}

/// What a worker notes of a lock that is an object, where that is told otherwise than of other
/// locks.
pub(super) fn client(note: &WorkerNote, who: &Who) -> Option<String> {
    if !has_the_lock(who) {
        return None;
    }
    Some(match note {
        WorkerNote::DrewValue { lease } => {
            format!("Draws the nonce {} for the lock’s object", en::lease(*lease))
        }
        WorkerNote::HoldOver { lease, why } => {
            let why = match why {
                SessionEnd::LeaseGone => {
                    "the store’s answer says that the object is not as it put it"
                }
                why => hold_end(*why),
            };
            let nonce = en::lease(*lease);
            format!("For its client its hold on the object (nonce {nonce}) is over: {why}")
        }
        WorkerNote::Renewed { .. } => {
            "Its lease is renewed: the object has another ETag".to_owned()
        }
        WorkerNote::Waits { .. } => "The lock’s object is another’s: it waits".to_owned(),
        _ => return None,
    })
}

/// That a client, at `node`, finds over what it takes for another's lease.
pub(super) fn found_over(lease: LeaseId, until: LeaseUntil, node: NodeId, who: &Who) -> String {
    let found = match who.holder(lease) == Some(node) {
        true => "Finds its own earlier lease over, which it takes for another’s".to_owned(),
        false => format!("Finds the lease of {} over", who.acquisition(lease)),
    };
    let by = match until {
        LeaseUntil::Timestamp => "by its own wall clock its time has passed",
        LeaseUntil::Unchanged => "by its own clock the ETag has stayed for a whole lease",
    };
    format!("{found}: {by}")
}

/// How a grant ended.
pub(super) fn grant_end(how: GrantEnd, who: &Who) -> Option<String> {
    if !has_the_lock(who) {
        return None;
    }
    Some(match how {
        GrantEnd::Deleted { by } => {
            format!("{} deleted its object", who.machine(by))
        }
        GrantEnd::SetFree { by } => format!("{} set its object free", who.machine(by)),
        _ => return None,
    })
}

/// That another put its own object in a holder's place, and whether it was too early: the store
/// cannot tell, so the note alone does not say so.
pub(super) fn taken_over(event: &Event<Actor>, who: &Who) -> Option<String> {
    let What::Note(Note::Lock(LockNote::Ended { lock, lease, how })) = &event.what else {
        return None;
    };
    let GrantEnd::Overwritten { by } = how else { return None };
    let (of, by) = (who.acquisition(*lease), who.machine(*by));
    has_the_lock(who).then(|| match who.was_over(event.id) {
        true => format!(
            "{of} holds {lock} no more: its lease was over, and {by} put its own object in its place"
        ),
        false => format!(
            "{of} holds {lock} no more: {by} put its own object in its place before the lease was over"
        ),
    })
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
