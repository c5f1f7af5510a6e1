//! Who holds a lock, read from the keys, and the notes that tell of its changes.
//! Nothing here influences a step.

use super::api::{Body, DATA, DataOp, LeaseId, Op, Revision, Text};
use super::kv::KeySpace;
use super::replicated::Replicated;
use crate::actors::Actor;
use crate::actors::fact::Fact;
use crate::actors::note::{EtcdNote, GrantEnd, Lasts, LockNote};
use crate::actors::store::api::{Refusal, Version};
use crate::sim::order;
use crate::sim::process::{NodeId, Out};

/// A key for a lock: of the holder, or of one who waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claimant {
    /// The key.
    pub key: Text,
    /// Its lease.
    pub lease: LeaseId,
    /// Its create revision: the fencing token that goes with it.
    pub create_revision: Revision,
}

impl Claimant {
    fn is_same_key_as(&self, other: &Claimant) -> bool {
        self.create_revision == other.create_revision && self.key == other.key
    }
}

/// The keys for a lock, oldest first: the lock's own, and those that begin with it
/// and a slash. The first one's lease holds the lock.
pub fn claimants(kv: &KeySpace, lock: &str) -> Vec<Claimant> {
    let is_for = |key: &str| {
        key.strip_prefix(lock).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let mut all: Vec<Claimant> = kv
        .keys()
        .iter()
        .filter(|kv| is_for(&kv.key))
        .map(|kv| Claimant {
            key: kv.key.clone(),
            lease: kv.lease,
            create_revision: kv.create_revision,
        })
        .collect();
    order::by_key(&mut all, |claimant| claimant.create_revision);
    all
}

/// Notes what a change of the keys has made of a lock. `how` says how a key that is
/// gone went, `by` who asked for the change.
pub fn tell(
    lock: &Text,
    before: &[Claimant],
    after: &[Claimant],
    how: GrantEnd,
    by: NodeId,
    out: &mut Out<Actor>,
) {
    let held = before.first();
    let kept = held.and_then(|held| after.iter().find(|claimant| claimant.is_same_key_as(held)));
    let end = match (held, kept) {
        (Some(held), None) => Some((held.lease, how)),
        (Some(held), Some(kept)) if kept.lease != held.lease => {
            Some((held.lease, GrantEnd::Overwritten { by }))
        }
        _ => None,
    };
    if let Some((lease, how)) = end {
        out.note(LockNote::Ended { lock: lock.clone(), lease, how })
            .because(Fact::Lock(lock.clone()))
            .sets(Fact::Lock(lock.clone()));
    }
    for waiter in after.iter().skip(1) {
        if !before.iter().any(|claimant| claimant.is_same_key_as(waiter)) {
            let Claimant { lease, create_revision, .. } = *waiter;
            out.note(EtcdNote::Queued { lock: lock.clone(), lease, create_revision })
                .sets(Fact::Queued(lease));
        }
    }
    if let Some(holder) = after.first().filter(|_| held.is_none() || end.is_some()) {
        let Claimant { lease, create_revision: token, .. } = *holder;
        let lasts = Lasts::Lease;
        out.note(LockNote::Granted { lock: lock.clone(), lease, token, lasts })
            .because(Fact::Lock(lock.clone()))
            .because(Fact::Queued(lease))
            .sets(Fact::Lock(lock.clone()));
    }
}

/// Notes what became of a call on the data. The member that applies it speaks as the store.
pub fn tell_data(
    data: &DataOp,
    body: &Body,
    state: &Replicated,
    locks: &[Text],
    out: &mut Out<Actor>,
) {
    let version = state.kv.get(DATA).map_or(0, |kv| kv.version as Version);
    let booked = state.books.unwrap_or_default().booked;
    let is_done = body.was_carried_out();
    let done = if is_done { Ok(()) } else { Err(Refusal::Compare) };
    let mut note = out.note(data.means.told(done, version, booked));
    if matches!(data.op, Op::Txn(_)) {
        note = locks.iter().fold(note, |note, lock| note.because(Fact::Lock(lock.clone())));
    }
    if is_done {
        note.sets(Fact::Version);
    }
}

#[cfg(test)]
#[path = "observe_tests.rs"]
mod tests;
