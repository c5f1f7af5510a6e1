//! What the page shows of a ZooKeeper ensemble: what its leader has, or else the server
//! that has most.

use super::{MemberFacts, Open, ServiceFacts, judge, of_any, rounded, standing, waiting, world};
use crate::actors::Actor;
use crate::actors::zookeeper::Server;
use crate::scenario::names::Role;
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::world::World;

/// What is shown of the ensemble.
pub(super) fn facts(
    open: &Open,
    members: Vec<MemberFacts>,
    leader: Option<NodeId>,
) -> ServiceFacts {
    let (world, judge) = (world(open), judge(open));
    let servers = || open.scenario().names().with(Role::Member).map(|id| (id, server(world, id)));
    let newest = servers().max_by_key(|(id, server)| (Some(*id) == leader, server.zxid()));
    let (at, best) = newest.expect("an ensemble has servers");
    let owner = standing(judge).last().map(|grant| grant.owner);
    let its = best.sessions().find(|truth| Some(truth.session) == owner);
    let ends = its.and_then(|truth| truth.ends).filter(|_| leader == Some(at));
    ServiceFacts {
        revision: best.zxid().0,
        waiting: waiting(open, |lock| best.claimants(lock)),
        lease_left: ends.map(|ends| rounded(ends - world.clocks(at).mono)),
        ..of_any(judge, members)
    }
}

fn server(world: &World<Actor>, id: NodeId) -> &Server {
    match &world.node(id).process {
        Actor::Zk(server) => server,
        other => unreachable!("a server is a server: {}", InFull(&other)),
    }
}
