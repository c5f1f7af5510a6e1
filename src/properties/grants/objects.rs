//! Leases in a lock's object, and in a row that ends by the clients' clocks.
//!
//! How long one is promised is counted in true time: from when its holder sent the put where a
//! time is written into it, since that time was read then; else from when the store had it,
//! since nobody can see its ETag before.

use super::Grants;
use crate::actors::etcd::api::Text;
use crate::actors::note::ObjectLease;
use crate::actors::objects::api::{Op, Put, Record, Request};
use crate::actors::postgres::api::{self as sql, Clock, Statement};
use crate::actors::postgres::named_by;
use crate::actors::store::api::Owner;
use crate::actors::{Actor, Message};
use crate::properties::grant::Standing;
use crate::sim::event::Event;
use crate::sim::time::{Span, TrueTime, Wall};
use serde::Serialize;

/// A put or a statement on its way that writes a time into a lock's object or row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct SentLease {
    owner: Owner,
    /// Which of its machine's requests it is. One that is sent again is the same.
    put: u32,
    /// What is written. A wall clock that was set may say it for another put too.
    until: Wall,
    /// When it is over.
    ends: TrueTime,
}

impl SentLease {
    fn of(body: &Message, at: TrueTime) -> Option<SentLease> {
        match body {
            Message::Objects(Request { op: Op::Put(Put { record, .. }), .. }) => {
                let Record { owner, lease, until, put, .. } = (*record)?;
                Some(SentLease { owner, put, until: until?, ends: at + lease })
            }
            Message::Postgres(sql::Request { id, ask: sql::Ask::Run(statement), .. }) => {
                let (owner, ttl, clock) = match statement {
                    Statement::LeaseAcquire { owner, ttl, clock }
                    | Statement::LeaseRenew { owner, ttl, clock, .. } => (owner, *ttl, *clock),
                    _ => return None,
                };
                let Clock::Client(time) = clock else { return None };
                let (owner, until) = (named_by(owner)?, time + ttl);
                Some(SentLease { owner, put: id.0, until, ends: at + ttl })
            }
            _ => None,
        }
    }
}

impl Grants {
    /// Somebody sends a message. Of interest is a time on its way into a lock.
    pub(super) fn of_sent(&mut self, body: &Message, at: TrueTime) {
        self.sent.extend(SentLease::of(body, at));
    }

    /// One that is over before it arrives is promised for no time.
    pub(super) fn forget_sent(&mut self, now: TrueTime) {
        self.sent.retain(|sent| sent.ends > now);
    }

    /// How long a lease that is stored now is promised; none for good.
    pub(super) fn left(&self, owner: Owner, lease: ObjectLease, now: TrueTime) -> Option<Span> {
        let of_sent = |put, until| {
            let its = |sent: &&SentLease| {
                (sent.owner, sent.put, sent.until) == (owner, put, until) && sent.ends > now
            };
            self.sent.iter().rfind(its).map_or(Span::ZERO, |sent| sent.ends - now)
        };
        match lease {
            ObjectLease { length: Span::ZERO, .. } => None,
            ObjectLease { until: Some(until), put, .. } => Some(of_sent(put, until)),
            ObjectLease { length, until: None, .. } => Some(length),
        }
    }

    /// A holder has put its object anew, or its row at this server.
    pub(super) fn renewed_object(
        &mut self,
        (lock, owner): (&Text, Owner),
        lease: ObjectLease,
        event: &Event<Actor>,
    ) {
        let left = self.left(owner, lease, event.at);
        let Some(grant) = self.of_lease(lock, owner).last() else { return };
        // Another server may have given the row to somebody else.
        grant.upheld_by(event.node);
        if grant.standing == Standing::Stands {
            grant.promise(event.at, left);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::etcd::api::{LeaseId, RequestId};
    use crate::actors::objects::api::{Metadata, PutIf};
    use crate::sim::event::{EventId, What};
    use crate::sim::process::NodeId;

    const OWNER: Owner = LeaseId(7);
    const LEASE: Span = Span::from_s(15);

    /// The put with this number, which says that the lease ends in second `until`.
    fn put(number: u32, until: i64) -> Message {
        let until = Some(Wall(until * 1_000_000));
        let (by, epoch, put) = (NodeId(1), 1, number);
        let record = Some(Record { owner: OWNER, epoch, lease: LEASE, until, put, by });
        let (key, body, metadata) = ("lock".into(), "".into(), Metadata::new());
        let put = Put { key, body, metadata, only: PutIf::Absent, means: None, record };
        Message::Objects(Request { id: RequestId(number), op: Op::Put(put) })
    }

    fn second(second: i64) -> TrueTime {
        TrueTime(second * 1_000_000)
    }

    /// How long the lease is promised that this put has written, as it is stored.
    fn left(grants: &Grants, (put, until): (u32, i64), now: i64) -> Option<Span> {
        let until = Some(Wall(until * 1_000_000));
        grants.left(OWNER, ObjectLease { length: LEASE, until, put }, second(now))
    }

    #[test]
    fn of_two_puts_that_write_the_same_time_each_is_promised_from_when_it_was_sent() {
        let mut grants = Grants::default();
        grants.of_sent(&put(1, 25), second(10));
        // Its holder's wall clock was set back meanwhile.
        grants.of_sent(&put(2, 25), second(15));
        assert_eq!(left(&grants, (1, 25), 16), Some(Span::from_s(9)));
        assert_eq!(left(&grants, (2, 25), 16), Some(Span::from_s(14)));
    }

    #[test]
    fn of_one_put_that_is_sent_twice_the_one_counts_that_is_stored() {
        let mut grants = Grants::default();
        grants.of_sent(&put(1, 25), second(10));
        grants.of_sent(&put(1, 27), second(12));
        assert_eq!(left(&grants, (1, 25), 13), Some(Span::from_s(12)));
        assert_eq!(left(&grants, (1, 27), 13), Some(Span::from_s(14)));
    }

    #[test]
    fn a_lease_that_is_over_is_in_no_state_whether_another_is_put_or_not() {
        let mut grants = Grants::default();
        grants.of_sent(&put(1, 25), second(10));
        let (id, node, causes) = (EventId(0), NodeId(0), Vec::new());
        let mut event = Event { id, at: second(24), node, what: What::Paused, causes };
        grants.observe(&event);
        assert_ne!(grants, Grants::default());
        event.at = second(25);
        grants.observe(&event);
        assert_eq!(grants, Grants::default());
    }
}
