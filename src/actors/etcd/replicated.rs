//! What is replicated: keys and leases, and how a committed operation changes them.
//! It is the same on every member that has applied the same entries, and knows no
//! time: when a lease ends is the leader's business alone.

use super::api::{Body, EtcdError, IgnoreLease, LeaseId, Op, Put, Revision, TxnOp, TxnReply};
use super::config::MAX_TTL_S;
use super::kv::KeySpace;
use crate::actors::consul;
use crate::actors::objects::api::Means;
use crate::sim::process::NodeId;
use litemap::LiteMap;
use serde::Serialize;
use std::rc::Rc;

/// Keys and leases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Replicated {
    /// The keys.
    pub kv: KeySpace,
    /// The leases that have not ended.
    pub leases: LiteMap<LeaseId, Lease>,
    /// What came of the calls on the data, once there was one. Not in the state of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub books: Option<Books>,
    /// What Consul's servers replicate instead. No part of etcd's state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consul: Option<consul::State>,
}

/// What came of the calls on the data that a lock guards. etcd knows nothing of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Books {
    /// What the partner has booked, who books each report that is put.
    pub booked: i64,
    /// How many claims and reports were refused. Told to people only.
    #[serde(skip)]
    pub refused: u32,
}

/// A lease, as every member knows it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lease {
    /// Its TTL in seconds, after the minimum was applied.
    pub ttl_s: i64,
    /// Who asked for it. Serves the causes in the trace.
    #[serde(skip)]
    pub granted_to: NodeId,
}

impl Replicated {
    /// Nothing, at a revision.
    pub fn new(revision: Revision) -> Replicated {
        Replicated {
            kv: KeySpace::new(revision),
            leases: LiteMap::new(),
            books: None,
            consul: None,
        }
    }

    /// Applies an operation of the log. Copies the state only to change it.
    ///
    /// # Panics
    /// When the operation is none that goes through the log.
    pub fn apply(
        this: &mut Rc<Replicated>,
        op: &Op,
        client: NodeId,
        min_ttl_s: i64,
    ) -> Result<Body, EtcdError> {
        match op {
            Op::LeaseGrant { ttl_s, lease } => {
                if *ttl_s > MAX_TTL_S {
                    return Err(EtcdError::LeaseTtlTooLarge);
                }
                if this.leases.contains_key(lease) {
                    return Err(EtcdError::LeaseExists);
                }
                let ttl_s = min_ttl_s.max(*ttl_s);
                let granted = Lease { ttl_s, granted_to: client };
                Rc::make_mut(this).leases.insert(*lease, granted);
                Ok(Body::Lease { lease: *lease, ttl_s })
            }
            Op::LeaseRevoke { lease } => {
                let ended = Replicated::end_lease(this, *lease);
                ended.then_some(Body::Revoked).ok_or(EtcdError::LeaseNotFound)
            }
            Op::Put(put) => {
                this.check_put(put)?;
                Ok(Body::Put(Rc::make_mut(this).kv.put(put)))
            }
            Op::Range(range) => {
                this.kv.check_revision(range.revision)?;
                Ok(Body::Range(this.kv.range(range)))
            }
            Op::Delete(delete) => {
                let (deleted, prev_kvs) = Rc::make_mut(this).kv.delete(delete);
                Ok(Body::Deleted { deleted, prev_kvs })
            }
            Op::Txn(txn) => {
                let succeeded = this.kv.holds(&txn.compare);
                let branch = if succeeded { &txn.success } else { &txn.failure };
                let responses = Replicated::branch(this, branch)?;
                Ok(Body::Txn { succeeded, responses })
            }
            Op::Data(data) => {
                let body = Replicated::apply(this, &data.op, client, min_ttl_s)?;
                Rc::make_mut(this).keep_books(&data.means, &body);
                Ok(body)
            }
            Op::Compact { revision } => {
                Rc::make_mut(this).kv.compact(*revision)?;
                Ok(Body::Compacted)
            }
            Op::LeaseKeepAlive { .. }
            | Op::LeaseLeases
            | Op::Service(_)
            | Op::LeaseTimeToLive { .. }
            | Op::WatchCreate(_)
            | Op::WatchCancel { .. } => unreachable!("these change nothing that is replicated"),
        }
    }

    fn keep_books(&mut self, means: &Means, body: &Body) {
        let books = self.books.get_or_insert_default();
        match means {
            _ if !body.was_carried_out() => books.refused += 1,
            Means::Report(write) => books.booked += write.amount,
            Means::Claim { .. } => {}
        }
    }

    /// Ends a lease and deletes its keys in one revision; false when there is none.
    pub fn end_lease(this: &mut Rc<Replicated>, lease: LeaseId) -> bool {
        if !this.leases.contains_key(&lease) {
            return false;
        }
        let state = Rc::make_mut(this);
        state.leases.remove(&lease);
        state.kv.delete_leased(lease);
        true
    }

    /// etcd looks at all puts and reads of the branch before it carries out any of it.
    fn branch(this: &mut Rc<Replicated>, ops: &[TxnOp]) -> Result<Vec<TxnReply>, EtcdError> {
        let mut only_reads = true;
        for op in ops {
            only_reads &= matches!(op, TxnOp::Range(_));
            match op {
                TxnOp::Put(put) => this.check_put(put)?,
                TxnOp::Range(range) => this.kv.check_revision(range.revision)?,
                TxnOp::Delete(_) => {}
            }
        }
        if !only_reads {
            return Ok(Rc::make_mut(this).kv.branch(ops));
        }
        let read = |op: &TxnOp| match op {
            TxnOp::Range(range) => TxnReply::Range(this.kv.range(range)),
            _ => unreachable!("all of them only read"),
        };
        Ok(ops.iter().map(read).collect())
    }

    fn check_put(&self, put: &Put) -> Result<(), EtcdError> {
        if put.ignore_lease == IgnoreLease::Yes && self.kv.get(&put.key).is_none() {
            return Err(EtcdError::KeyNotFound);
        }
        match put.lease == LeaseId::NONE || self.leases.contains_key(&put.lease) {
            true => Ok(()),
            false => Err(EtcdError::LeaseNotFound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::api::{Delete, KeyRange, Prev, Txn};
    use super::*;

    const CLIENT: NodeId = NodeId(9);
    const LEASE: LeaseId = LeaseId(7);

    fn grant(ttl_s: i64) -> Op {
        Op::LeaseGrant { ttl_s, lease: LEASE }
    }

    fn put(key: &str, lease: LeaseId) -> Put {
        Put::new(key, "", lease)
    }

    /// Applies `ops` from revision 41 on; compares the last answer and the revision.
    #[track_caller]
    fn check(ops: &[Op], expected: Result<Body, EtcdError>, revision: Revision) -> Rc<Replicated> {
        let mut state = Rc::new(Replicated::new(41));
        let mut last = Ok(Body::Put(None));
        for op in ops {
            last = Replicated::apply(&mut state, op, CLIENT, 2);
        }
        assert_eq!(last, expected);
        assert_eq!(state.kv.revision(), revision);
        state
    }

    #[test]
    fn a_ttl_below_the_minimum_is_raised_and_one_above_the_maximum_refused() {
        check(&[grant(1)], Ok(Body::Lease { lease: LEASE, ttl_s: 2 }), 41);
        check(&[grant(-5)], Ok(Body::Lease { lease: LEASE, ttl_s: 2 }), 41);
        check(&[grant(3)], Ok(Body::Lease { lease: LEASE, ttl_s: 3 }), 41);
        check(&[grant(MAX_TTL_S)], Ok(Body::Lease { lease: LEASE, ttl_s: MAX_TTL_S }), 41);
        check(&[grant(MAX_TTL_S + 1)], Err(EtcdError::LeaseTtlTooLarge), 41);
    }

    #[test]
    fn a_lease_that_exists_is_not_granted_again() {
        check(&[grant(5), grant(9)], Err(EtcdError::LeaseExists), 41);
    }

    #[test]
    fn a_revoke_deletes_all_keys_of_the_lease_in_one_revision() {
        let (a, b, c) = (put("a", LEASE), put("b", LEASE), put("c", LeaseId::NONE));
        let revoke = Op::LeaseRevoke { lease: LEASE };
        let ops = [grant(5), Op::Put(a), Op::Put(b), Op::Put(c), revoke.clone()];
        let state = check(&ops, Ok(Body::Revoked), 45);
        assert_eq!(state.kv.keys().len(), 1);
        assert!(state.kv.changes(45).all(|change| change.event.mod_revision() == 45));
        assert_eq!(state.kv.changes(45).count(), 2);
        check(&[grant(5), revoke.clone()], Ok(Body::Revoked), 41);
        check(&[revoke], Err(EtcdError::LeaseNotFound), 41);
    }

    #[test]
    fn a_put_moves_its_key_from_lease_to_lease() {
        let other = Op::LeaseGrant { ttl_s: 5, lease: LeaseId(8) };
        let ops = [grant(5), other, Op::Put(put("a", LEASE)), Op::Put(put("a", LeaseId(8)))];
        let mut state = check(&ops, Ok(Body::Put(None)), 43);
        assert!(Replicated::end_lease(&mut state, LEASE));
        assert_eq!(state.kv.leased(LeaseId(8)), ["a".into()]);
        assert_eq!(state.kv.revision(), 43);
    }

    #[test]
    fn a_put_with_a_lease_that_is_not_there_is_refused_and_so_is_its_whole_transaction() {
        check(&[Op::Put(put("a", LEASE))], Err(EtcdError::LeaseNotFound), 41);
        let success = vec![TxnOp::Put(put("a", LeaseId::NONE)), TxnOp::Put(put("b", LEASE))];
        let txn = Txn { compare: vec![], success, failure: vec![] };
        let state = check(&[Op::Txn(txn)], Err(EtcdError::LeaseNotFound), 41);
        assert!(state.kv.keys().is_empty());
    }

    #[test]
    fn what_changes_nothing_raises_no_revision() {
        let delete = Delete { keys: KeyRange::Prefix("x".into()), prev: Prev::NotWanted };
        check(&[Op::Delete(delete)], Ok(Body::Deleted { deleted: 0, prev_kvs: vec![] }), 41);
        let txn = Txn { compare: vec![], success: vec![], failure: vec![] };
        check(&[Op::Txn(txn)], Ok(Body::Txn { succeeded: true, responses: vec![] }), 41);
    }

    #[test]
    fn a_state_that_is_shared_is_copied_before_it_changes_and_not_for_a_read() {
        let mut state = Rc::new(Replicated::new(41));
        let shared = state.clone();
        let read = Op::Range(super::super::api::Range::key("a"));
        Replicated::apply(&mut state, &read, CLIENT, 2).expect("a read is not refused");
        assert!(Rc::ptr_eq(&state, &shared));
        Replicated::apply(&mut state, &Op::Put(put("a", LeaseId::NONE)), CLIENT, 2)
            .expect("a put without a lease is not refused");
        assert_eq!(shared.kv.revision(), 41);
        assert_eq!(state.kv.revision(), 42);
    }
}
