//! What Redis nodes say of a lock's keys, and the votes of independent ones.

use super::{Ballot, Grants};
use crate::actors::Actor;
use crate::actors::etcd::api::Text;
use crate::actors::note::RedisNote;
use crate::actors::store::api::Owner;
use crate::properties::grant::{Ends, Grant, Standing, Upheld};
use crate::sim::event::Event;
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};

impl Grants {
    pub(super) fn of_redis(&mut self, note: &RedisNote, event: &Event<Actor>) {
        match note {
            RedisNote::Renewed { lock, lease, left } => {
                self.renewed((lock, *lease), *left, event.at);
            }
            RedisNote::Voted { lock, lease, left, quorum } => {
                self.pass(event.at);
                self.vote(lock, *lease, (*left, *quorum), event);
            }
            RedisNote::VoteEnded { lock, lease, .. } => {
                self.pass(event.at);
                let (node, down) = (event.node, self.down.clone());
                self.votes.retain(|it| (&it.lock, it.owner, it.node) != (lock, *lease, node));
                for grant in self.of_lease(lock, *lease) {
                    let then = grant.when_lost();
                    grant.not_upheld_by(node, &down, then);
                }
            }
            _ => {}
        }
    }

    /// One node says how long it has promised the lock from now on.
    pub(super) fn renewed(
        &mut self,
        (lock, lease): (&Text, Owner),
        left: Option<Span>,
        at: TrueTime,
    ) {
        // Of votes the client says how long a majority has promised it the lock.
        let alone = |grant: &&mut Grant| grant.is_upheld_by_one();
        for grant in self.of_lease(lock, lease).filter(alone) {
            grant.promise(at, left);
        }
    }

    /// A vote more. One too late for its grant, which has ended, begins anew.
    fn vote(
        &mut self,
        lock: &Text,
        owner: Owner,
        (left, quorum): (Option<Span>, u8),
        event: &Event<Actor>,
    ) {
        let stands = |grant: &&mut Grant| grant.standing != Standing::Ended;
        if let Some(grant) = self.of_lease(lock, owner).find(stands) {
            return grant.upheld_by(event.node);
        }
        let ends = left.map(|left| event.at + left);
        self.votes.push(Ballot { lock: lock.clone(), owner, node: event.node, ends });
        let is_its = |it: &Ballot| it.lock == *lock && it.owner == owner;
        let its = self.votes.iter().filter(|it| is_its(it));
        let nodes: Vec<NodeId> = its.clone().map(|it| it.node).collect();
        if nodes.len() >= usize::from(quorum) {
            // The first of them to end ends the majority.
            let promised = its.filter_map(|it| it.ends).min();
            self.votes.retain(|it| !is_its(it));
            let ends = Ends::ByNodesClocks;
            self.add(lock, owner, Upheld::ByNodes { nodes, quorum, promised, ends }, event);
        }
    }
}
