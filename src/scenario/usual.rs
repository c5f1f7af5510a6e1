//! What is usual in a scenario, for the signals of its runs.

use super::Scenario;
use super::names::{Role, Service};
use crate::actors::etcd::EtcdConfig;
use crate::actors::worker::config::{RenewalCheck, half, third};
use crate::actors::worker::session::RECONNECT;
use crate::actors::zookeeper::ZkConfig;
use crate::properties::signals::Usual;
use crate::sim::order;
use crate::sim::time::Span;

impl Scenario {
    /// What is usual in its runs.
    pub fn usual(&self) -> Usual {
        let (spec, names) = (self.spec(), self.names());
        let service = spec.lock.service;
        let is_etcd = service == Service::Etcd;
        let has_end = spec.lock.recipe.has_end();
        let members: Vec<_> = names.with(Role::Member).collect();
        // etcd grants no lease for less than this.
        let least_s = members.first().filter(|_| is_etcd).map_or(0, |id| {
            let election_timeout = Span::from_ms(spec.etcd.election_timeout_ms);
            EtcdConfig { election_timeout, ..EtcdConfig::new(*id, &members) }.min_ttl_s()
        });
        let asked = Span::from_s(spec.lock.ttl_s.max(least_s));
        let ttl = match (spec.lock.service, members.first()) {
            (Service::ZooKeeper, Some(id)) => {
                let tick = Span::from_ms(spec.zookeeper.tick_ms);
                ZkConfig { tick, ..ZkConfig::new(*id, &members) }.negotiated(asked)
            }
            _ => asked,
        };
        let every = if service == Service::Consul { half(ttl) } else { third(ttl) };
        let renewal = names.with(Role::Worker).zip(&spec.workers).filter_map(|(id, worker)| {
            let renews = has_end
                && (!(service.has_keys()
                    || matches!(service, Service::Postgres | Service::Objects))
                    || worker.renewal != RenewalCheck::None);
            renews.then(|| (id, worker.renew_ms.map_or(every, Span::from_ms)))
        });
        let looks_every = if is_etcd { RECONNECT } else { Span::from_us(0) };
        let locks = names.with(Role::Worker).zip(&spec.workers);
        let locks = order::map(locks.map(|(id, worker)| (id, spec.lock_of(worker))));
        Usual { wait: ttl, renewal: order::map(renewal), locks, looks_every }
    }
}
