//! Applying committed entries. Every member does it alike; the leader also notes
//! what changed, tells the others and answers.

use super::Member;
use super::api::{Body, EtcdError, Keys, LeaseId, Op};
use super::log::{Command, Origin};
use super::observe::{self, Claimant};
use super::replicated::Replicated;
use crate::actors::Actor;
use crate::actors::fact::Fact;
use crate::actors::note::{EtcdNote, GrantEnd, LeaseEnd};
use crate::sim::process::{NodeId, Now, Out};
use crate::sim::time::Mono;

impl Member {
    /// Applies the first entry of the tail.
    pub(super) fn apply_next(&mut self, now: Now, out: &mut Out<Actor>) {
        let entry = self.durable.take_next();
        let index = self.durable.applied.index;
        let leads = self.leading().is_some();
        let before = if leads { self.all_claimants() } else { Vec::new() };
        match &entry.command {
            Command::Lead | Command::Confirm => {
                self.count_empty(&entry.command);
                if entry.command == Command::Lead && self.is_primary() {
                    self.promote(now, out);
                }
                self.tell_commit(out);
            }
            Command::Expire(lease) => {
                let ended = Replicated::end_lease(&mut self.durable.state, *lease);
                if leads && ended {
                    let by = self.config.place;
                    out.about_entry(index, |out| {
                        self.note_lease_end(*lease, LeaseEnd::Expired, by, &before, out);
                    });
                }
                self.tell_commit(out);
                self.forget_lease(*lease, out);
            }
            Command::Client { op, origin } => {
                let result = self.apply_op(op, origin.client);
                if let Some(Ok(body)) = result.as_ref().filter(|_| leads) {
                    out.about_entry(index, |out| {
                        self.note_op(op, body, origin.client, &before, out);
                    });
                }
                self.tell_commit(out);
                // Only the leader that appended the entry knows that somebody waits.
                if leads && entry.term == self.durable.term {
                    self.conclude(op, origin, result, now, out);
                }
            }
            Command::Consul { change, origin } => {
                let appended = leads && entry.term == self.durable.term;
                self.apply_consul(index, change, origin.as_ref(), appended);
                self.tell_commit(out);
            }
        }
        self.feed_watches(out);
    }

    /// A leader tells the others how far the log is committed.
    fn tell_commit(&self, out: &mut Out<Actor>) {
        if self.leading().is_some() {
            self.send_commit(out);
        }
    }

    fn all_claimants(&self) -> Vec<Vec<Claimant>> {
        let kv = &self.state().kv;
        self.config.locks.iter().map(|lock| observe::claimants(kv, lock)).collect()
    }

    /// Changes what is replicated; none for what only a leader can answer.
    fn apply_op(&mut self, op: &Op, client: NodeId) -> Option<Result<Body, EtcdError>> {
        match op {
            Op::LeaseKeepAlive { .. } | Op::LeaseTimeToLive { .. } => None,
            op => {
                let min_ttl_s = self.config.min_ttl_s();
                Some(Replicated::apply(&mut self.durable.state, op, client, min_ttl_s))
            }
        }
    }

    /// What the leader that appended a client's entry does once it is applied.
    fn conclude(
        &mut self,
        op: &Op,
        origin: &Origin,
        result: Option<Result<Body, EtcdError>>,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let Some(result) = result else {
            return self.serve_from_memory(op, *origin, now, out);
        };
        match (op, &result) {
            (Op::LeaseGrant { lease, .. }, Ok(_)) => {
                self.set_deadline(*lease, origin.client, now, out);
            }
            (Op::LeaseRevoke { lease }, Ok(_)) => self.forget_lease(*lease, out),
            _ => {}
        }
        self.answer(origin, result, out);
    }

    /// A lease has ended: the leader forgets its deadline.
    fn forget_lease(&mut self, lease: LeaseId, out: &mut Out<Actor>) {
        let Some(leading) = self.leading_mut() else { return };
        leading.deadlines.remove(&lease);
        self.wait_for_expiry(out);
        self.answer_late_renewals(lease, out);
    }

    /// What is left of a lease, cut to whole seconds.
    pub(super) fn time_to_live(&self, lease: LeaseId, keys: Keys, now: Mono) -> Body {
        let deadlines = self.leading().map(|leading| &leading.deadlines);
        let deadline = deadlines.and_then(|deadlines| deadlines.get(&lease));
        let (Some(deadline), Some(granted)) = (deadline, self.state().leases.get(&lease)) else {
            return Body::TimeToLive { lease, ttl_s: -1, granted_ttl_s: 0, keys: Vec::new() };
        };
        let keys = match keys {
            Keys::Wanted => self.state().kv.leased(lease),
            Keys::NotWanted => Vec::new(),
        };
        let ttl_s = (deadline.at - now).us().max(0) / 1_000_000;
        Body::TimeToLive { lease, ttl_s, granted_ttl_s: granted.ttl_s, keys }
    }

    fn note_op(
        &self,
        op: &Op,
        body: &Body,
        client: NodeId,
        before: &[Vec<Claimant>],
        out: &mut Out<Actor>,
    ) {
        match (op, body) {
            (Op::LeaseGrant { lease, .. }, Body::Lease { ttl_s, .. }) => {
                out.note(EtcdNote::LeaseGranted { lease: *lease, ttl_s: *ttl_s })
                    .sets(Fact::Lease(*lease));
            }
            (Op::LeaseRevoke { lease }, _) => {
                self.note_lease_end(*lease, LeaseEnd::Revoked, client, before, out);
            }
            (Op::Data(data), _) => {
                let state = self.state();
                observe::tell_data(data, body, state, &self.config.locks, out);
                self.note_locks(before, GrantEnd::Deleted { by: client }, client, out);
            }
            (Op::Put(_) | Op::Delete(_) | Op::Txn(_), _) => {
                self.note_locks(before, GrantEnd::Deleted { by: client }, client, out);
            }
            _ => {}
        }
    }

    fn note_lease_end(
        &self,
        lease: LeaseId,
        why: LeaseEnd,
        by: NodeId,
        before: &[Vec<Claimant>],
        out: &mut Out<Actor>,
    ) {
        let revision = self.revision();
        out.note(EtcdNote::LeaseEnded { lease, why, revision }).because(Fact::Lease(lease));
        self.note_locks(before, GrantEnd::Lease(why), by, out);
    }

    fn note_locks(
        &self,
        before: &[Vec<Claimant>],
        how: GrantEnd,
        by: NodeId,
        out: &mut Out<Actor>,
    ) {
        for (lock, before) in self.config.locks.iter().zip(before) {
            let after = observe::claimants(&self.state().kv, lock);
            observe::tell(lock, before, &after, how, by, out);
        }
    }
}
