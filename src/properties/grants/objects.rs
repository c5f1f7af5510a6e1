//! Leases in a lock's object.
//!
//! How long one is promised is counted in true time: from when its holder sent the put where a
//! time is written into it, since that time was read then; else from when the store had it,
//! since nobody can see its ETag before.

use super::Grants;
use crate::actors::Message;
use crate::actors::etcd::api::Text;
use crate::actors::note::ObjectLease;
use crate::actors::objects::api::{Op, Put, Record, Request};
use crate::actors::store::api::Owner;
use crate::properties::grant::Standing;
use crate::sim::time::{Span, TrueTime, Wall};
use serde::Serialize;

/// A put on its way that writes a time into a lock's object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SentLease {
    owner: Owner,
    /// What is written, which no other put of this owner says.
    until: Wall,
    /// When it is over.
    ends: TrueTime,
}

impl Grants {
    /// Somebody sends a message. Of interest is a time on its way into a lock's object.
    pub(super) fn of_sent(&mut self, body: &Message, at: TrueTime) {
        let Message::Objects(Request { op: Op::Put(Put { record: Some(record), .. }), .. }) = body
        else {
            return;
        };
        let Record { owner, lease, until: Some(until), .. } = *record else { return };
        // One that is over before it arrives is promised for no time.
        self.sent.retain(|sent| sent.ends > at);
        self.sent.push(SentLease { owner, until, ends: at + lease });
    }

    /// How long a lease that is stored now is promised; none for good.
    pub(super) fn left(&self, owner: Owner, lease: ObjectLease, now: TrueTime) -> Option<Span> {
        let of_sent = |until| {
            let its = |sent: &&SentLease| sent.owner == owner && sent.until == until;
            self.sent.iter().rfind(its).map_or(Span::ZERO, |sent| sent.ends - now)
        };
        match lease {
            ObjectLease { length: Span::ZERO, .. } => None,
            ObjectLease { until: Some(until), .. } => Some(of_sent(until)),
            ObjectLease { length, until: None } => Some(length),
        }
    }

    /// A holder has put its object anew.
    pub(super) fn renewed_object(
        &mut self,
        (lock, owner): (&Text, Owner),
        lease: ObjectLease,
        at: TrueTime,
    ) {
        let left = self.left(owner, lease, at);
        let its = self.of_lease(lock, owner).filter(|grant| grant.standing == Standing::Stands);
        its.for_each(|grant| grant.promise(at, left));
    }
}
