//! What the page shows of a lock's key in Redis.

use super::{Machine, Open, judge, machine, rounded, world};
use crate::actors::{Actor, redis};
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use std::rc::Rc;

/// What is shown of a lock's key on a Redis node.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyFacts {
    /// Which node.
    pub node: NodeId,
    /// Whose it is, if the value says so.
    pub owner: Option<NodeId>,
    /// Its value.
    pub value: Rc<str>,
    /// What is left of its time by that node's wall clock; none lives on.
    pub left: Option<Span>,
}

/// The lock's key on a node that runs and has it.
pub(super) fn key(open: &Open, node: NodeId) -> Option<KeyFacts> {
    let world = world(open);
    let Actor::Redis(redis) = &world.node(node).process else { return None };
    let entry = redis.key(&open.scenario().spec().lock.key)?;
    if machine(world, node) == Machine::Down {
        return None;
    }
    let owner = judge(open).node_of(redis::lease_of(&entry.value)?);
    let left = entry.expires.map(|at| rounded(at - world.clocks(node).wall));
    Some(KeyFacts { node, owner, value: entry.value.clone(), left })
}
