//! A lock that is an object: what stands in its body, and what is told of it. Nothing here
//! influences a step: who puts decides, and the store only compares ETags.
//!
//! A put that is carried out is the grant. It stands until another is put in its place, or
//! until it is set free or deleted: the store has no clock that would end it.

use super::Objects;
use super::api::ObjectError;
use crate::actors::etcd::api::Text;
use crate::actors::note::{Change, GrantEnd, Lasts, LockNote, ObjectLease};
use crate::actors::store::api::{Owner, Token};
use crate::actors::{Actor, Fact};
use crate::sim::process::{NodeId, Out};
use crate::sim::time::{Span, Wall};
use serde::Serialize;

/// What stands in a lock's object. The body has it all; a point in time is kept apart from
/// its text, since the state knows it relative to now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Record {
    /// Whose lock it is, by the nonce of the acquisition; [`Owner::NONE`] once it is free.
    pub owner: Owner,
    /// Counts the holders as long as the object is there; 0 where nobody counts.
    pub epoch: Token,
    /// How long its holder has it without a renewal; nothing where it has no end.
    pub lease: Span,
    /// Until when that is, by the wall clock of who put it, where that is written.
    pub until: Option<Wall>,
    /// Which of its machine's requests put it: no two bodies are alike.
    pub put: u32,
    /// Whose machine put it, as the store notes. Told to people, and no client looks at it.
    #[serde(skip)]
    pub by: NodeId,
}

impl Record {
    /// The body, without the point in time. What is put is another with each request, so
    /// that the ETag of this is as good as one of the whole.
    pub fn body(&self) -> Text {
        format!("{:x}.{}.{}", self.owner.0, self.epoch, self.put).into()
    }

    /// Whose lock it is, if it is anybody's.
    pub fn holder(&self) -> Option<Owner> {
        Some(self.owner).filter(|owner| *owner != Owner::NONE)
    }
}

impl Objects {
    /// An empty store of which one object is a lock.
    pub fn with_lock(lock: Text) -> Objects {
        Objects { lock: Some(lock), ..Objects::new(Span::ZERO) }
    }

    /// Whether it is a lock service.
    pub fn has_lock(&self) -> bool {
        self.lock.is_some()
    }

    /// What stands in an object that is a lock's.
    pub fn record(&self, key: &str) -> Option<Record> {
        self.objects.get(key).and_then(|object| object.record)
    }

    /// It has refused a put or a delete of the lock.
    pub(super) fn tell_lock_refused(
        &self,
        client: NodeId,
        key: &Text,
        (asked, error): (Change, ObjectError),
        out: &mut Out<Actor>,
    ) {
        if self.lock.as_ref() == Some(key) {
            let lock = key.clone();
            out.note(LockNote::Refused { lock, client, asked, error })
                .because(Fact::Lock(key.clone()));
        }
    }

    /// What a put or a delete has made of the lock. Whether the lease before was over is not
    /// said here: the store has no part in it, and its clocks decide nothing.
    pub(super) fn tell_lock(
        &self,
        by: NodeId,
        key: &Text,
        before: Option<Record>,
        out: &mut Out<Actor>,
    ) {
        if self.lock.as_ref() != Some(key) {
            return;
        }
        let (lock, fact) = (key.clone(), Fact::Lock(key.clone()));
        let after = self.record(key);
        let new = after.and_then(|record| record.holder());
        let old = before.filter(|record| record.holder().is_some_and(|it| Some(it) != new));
        if let Some(Record { owner, until, by: had, .. }) = old {
            let how = match new {
                None if after.is_some() => GrantEnd::SetFree { by },
                None => GrantEnd::Deleted { by },
                Some(_) => GrantEnd::Overwritten { by },
            };
            let note = out.note(LockNote::Ended { lock: lock.clone(), lease: owner, how });
            let note = note.because(fact.clone()).sets(fact.clone());
            // By whose clocks it was over, if it was: that of who has it, and of who had it. Or
            // nobody renewed it.
            match (how, until) {
                (GrantEnd::Overwritten { .. }, Some(_)) => {
                    note.wall_of(by).wall_of(had).silence_of(had);
                }
                (GrantEnd::Overwritten { .. }, None) => {
                    note.rate_of(by).silence_of(had);
                }
                _ => {}
            }
        }
        let Some(record) = after.filter(|_| new.is_some()) else { return };
        // Who takes its own lease for another's has a new epoch, though no new nonce.
        let stood = before.filter(|before| before.epoch == record.epoch);
        let (lease, token) = (record.owner, record.epoch);
        let Record { lease: length, until, put, .. } = record;
        let lasts = Lasts::Object(ObjectLease { length, until, put });
        if stood.and_then(|record| record.holder()) == new {
            out.note(LockNote::Renewed { lock, lease, lasts });
        } else {
            out.note(LockNote::Granted { lock, lease, token, lasts })
                .because(fact.clone())
                .sets(fact);
        }
    }
}
