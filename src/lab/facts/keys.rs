//! What the page shows of a lock's key in Redis.

use super::{Machine, Open, judge, machine, rounded, world};
use crate::actors::etcd::api::Text;
use crate::actors::{Actor, redis};
use crate::sim::process::NodeId;
use crate::sim::time::Span;
use std::rc::Rc;

/// What is shown of a lock's key on a Redis node.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyFacts {
    /// Which node.
    pub node: NodeId,
    /// Which lock's, where there are several.
    pub lock: Option<Text>,
    /// Whose it is, if the value says so.
    pub owner: Option<NodeId>,
    /// Its value.
    pub value: Rc<str>,
    /// What is left of its time by that node's wall clock; none lives on.
    pub left: Option<Span>,
}

/// The locks' keys on the nodes that run and have them.
pub(super) fn keys(open: &Open, nodes: &[NodeId]) -> Vec<KeyFacts> {
    let locks = open.scenario().spec().locks();
    let mut keys = Vec::new();
    for node in nodes {
        keys.extend(locks.iter().filter_map(|lock| key(open, *node, lock)));
    }
    if locks.len() == 1 {
        keys.iter_mut().for_each(|key: &mut KeyFacts| key.lock = None);
    }
    keys
}

fn key(open: &Open, node: NodeId, lock: &Text) -> Option<KeyFacts> {
    let world = world(open);
    let Actor::Redis(redis) = &world.node(node).process else { return None };
    let entry = redis.key(lock)?;
    if machine(world, node) == Machine::Down {
        return None;
    }
    let owner = judge(open).node_of(redis::lease_of(&entry.value)?);
    let left = entry.expires.map(|at| rounded(at - world.clocks(node).wall));
    Some(KeyFacts { node, lock: Some(lock.clone()), owner, value: entry.value.clone(), left })
}
