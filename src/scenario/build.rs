//! From a scenario to the world at the start of a run.

use crate::actors::consul::ConsulConfig;
use crate::actors::etcd::config::EtcdConfig;
use crate::actors::objects::Objects;
use crate::actors::orchestrator::Orchestrator;
use crate::actors::partner::Partner;
use crate::actors::postgres::api::key_of;
use crate::actors::postgres::config::{LockIs, PostgresConfig, Timeouts};
use crate::actors::redis::{RedisConfig, Says};
use crate::actors::relay::Relay;
use crate::actors::store::api::Effects;
use crate::actors::store::{Store, StoreConfig};
use crate::actors::worker::Worker;
use crate::actors::worker::config::{
    Begins, ConsulClient, ObjectsClient, Policies, PostgresClient, Recipe, RedlockConfig, Step,
    WorkerConfig,
};
use crate::actors::worker::inbox::Arrivals;
use crate::actors::zookeeper::{Server, ZkConfig};
use crate::actors::{Actor, consul, etcd, postgres, redis};
use crate::scenario::names::{Names, Role, Service};
use crate::scenario::run::Scenario;
use crate::scenario::spec::{Books, LoadSpec, Spec, StoreKind, WorkerSpec};
use crate::sim::click::Click;
use crate::sim::clock::RIGHT_RATE_PPM;
use crate::sim::network::Link;
use crate::sim::order;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span, TrueTime, Wall};
use crate::sim::world::{NodeSetup, Setup, WakeFirst};
use litemap::LiteMap;

/// What the right clock shows at the start of a run: 2026-03-31 18:00:00 UTC.
pub const START_WALL: Wall = Wall(1_774_980_000_000_000);

/// When a run starts. Nothing but the clocks' numbers may depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// In true time.
    pub at: TrueTime,
    /// By the right wall clock.
    pub wall: Wall,
}

impl Default for Start {
    fn default() -> Start {
        Start { at: TrueTime(0), wall: START_WALL }
    }
}

/// The world at the start.
pub(super) fn setup(
    scenario: &Scenario,
    seed: u64,
    clicks: Vec<(u32, Click<Actor>)>,
    start: Start,
) -> Setup<Actor> {
    let (spec, names) = (scenario.spec(), scenario.names());
    let shifted = |(index, click): (u32, Click<Actor>)| {
        (index, Click { at: click.at + (start.at - TrueTime(0)), ..click })
    };
    Setup {
        start: start.at,
        wall: start.wall,
        nodes: names.ids().map(|id| node(spec, names, id)).collect(),
        links: member_links(spec, names),
        default_link: link(spec, spec.network.latency_ms),
        seed,
        clicks: clicks.into_iter().map(shifted).collect(),
    }
}

fn link(spec: &Spec, latency_ms: i64) -> Link {
    Link {
        jitter: Span::from_ms(spec.network.jitter_ms),
        loss_ppm: spec.network.loss_ppm,
        duplicate_ppm: spec.network.duplicate_ppm,
        ..Link::reliable(Span::from_ms(latency_ms))
    }
}

/// Members talk to each other over streams that lose and double nothing.
fn member_links(spec: &Spec, names: &Names) -> LiteMap<(NodeId, NodeId), Link> {
    let between = Link::reliable(Span::from_ms(spec.network.member_latency_ms));
    let members = || names.with(Role::Member);
    order::map(members().flat_map(|from| members().map(move |to| ((from, to), between))))
}

fn node(spec: &Spec, names: &Names, id: NodeId) -> NodeSetup<Actor> {
    let worker = || {
        let first = names.with(Role::Worker).next().expect("a scenario has a worker");
        &spec.workers[id.index() - first.index()]
    };
    let (process, wake_first, wall_ahead_ms, rate_ppm) = match names.role(id) {
        Role::Worker => {
            let worker = worker();
            let process = Actor::Worker(Box::new(Worker::new(worker_config(spec, names, worker))));
            (process, worker.wake_first, worker.wall_ahead_ms, worker.rate_ppm)
        }
        role => (other(spec, names, role, id), WakeFirst::Work, 0, RIGHT_RATE_PPM),
    };
    NodeSetup {
        name: names.shared(id),
        process,
        // Every machine has been up for a different time.
        mono: Mono(0) + Span::from_s(1_000 * (1 + i64::from(id.0))),
        wall_ahead: Span::from_ms(wall_ahead_ms),
        rate_ppm,
        wake_first,
    }
}

fn member(spec: &Spec, names: &Names, id: NodeId) -> Actor {
    let members: Vec<NodeId> = names.with(Role::Member).collect();
    match names.service() {
        Service::Redlock => {
            let config = RedisConfig {
                persistence: spec.redis.persistence,
                says: Says::ItsVote { quorum: spec.redlock.nodes / 2 + 1 },
                locks: spec.locks(),
                ..RedisConfig::new(id, &[id])
            };
            Actor::Redis(Box::new(redis::Node::new(config)))
        }
        Service::Redis => {
            let config = RedisConfig {
                persistence: spec.redis.persistence,
                promote_after: spec.redis.promote_after_ms.map(Span::from_ms),
                locks: spec.locks(),
                ..RedisConfig::new(id, &members)
            };
            Actor::Redis(Box::new(redis::Node::new(config)))
        }
        Service::ZooKeeper => {
            let config = ZkConfig {
                tick: Span::from_ms(spec.zookeeper.tick_ms),
                reaps_every: Span::from_ms(spec.zookeeper.container_check_ms),
                locks: spec.locks(),
                ..ZkConfig::new(id, &members)
            };
            Actor::Zk(Box::new(Server::new(config)))
        }
        Service::Postgres => database(spec, id, members),
        Service::Consul => {
            let config = ConsulConfig {
                election_timeout: Span::from_ms(spec.consul.election_timeout_ms),
                lock: Some(spec.lock()),
                ..ConsulConfig::new(id, &members)
            };
            Actor::Consul(Box::new(consul::Server::new(config)))
        }
        Service::Objects => Actor::Objects(Box::new(Objects::with_lock(spec.lock()))),
        Service::Etcd => {
            let config = EtcdConfig {
                revision: spec.etcd.revision,
                election_timeout: Span::from_ms(spec.etcd.election_timeout_ms),
                heartbeat: Span::from_ms(spec.etcd.heartbeat_ms),
                locks: spec.locks(),
                ..EtcdConfig::new(id, &members)
            };
            Actor::Etcd(Box::new(etcd::Member::new(config)))
        }
    }
}

fn other(spec: &Spec, names: &Names, role: Role, id: NodeId) -> Actor {
    match role {
        Role::Member => member(spec, names, id),
        Role::Store if spec.store.kind == StoreKind::Objects => {
            Actor::Objects(Box::new(Objects::new(Span::from_ms(spec.store.write_ms))))
        }
        Role::Store => Actor::Store(Box::new(Store::new(StoreConfig {
            rule: spec.store.rule,
            mark: spec.store.mark,
            scope: spec.store.scope,
            write: Span::from_ms(spec.store.write_ms),
            first_number: spec.store.first_number,
            effects: match spec.partner.books {
                Books::WithStore => Effects::InStep,
                Books::WhenAsked if spec.partner.relays == 0 => Effects::Elsewhere,
                Books::WhenAsked => Effects::Outbox,
            },
        }))),
        Role::Partner => Actor::Partner(Partner::new(spec.partner.keys)),
        Role::Relay => {
            let partner = names.with(Role::Partner).next().expect("a relay has a partner");
            let every = Span::from_ms(spec.partner.relay_ms);
            Actor::Relay(Relay::new(names.store(), partner, every))
        }
        Role::Orchestrator => {
            let orchestrator = spec.orchestrator.as_ref().expect("it has a name, so it is there");
            let waiting = names
                .with(Role::Worker)
                .zip(&spec.workers)
                .filter(|(_, worker)| worker.starts_ms.is_none())
                .map(|(id, _)| id);
            let after = Span::from_ms(orchestrator.restart_after_ms);
            Actor::Orchestrator(Orchestrator::new(after, waiting.collect()))
        }
        Role::Worker => unreachable!("workers are made above"),
    }
}

/// Those who take transfers share them evenly.
fn arrivals(load: &LoadSpec, spec: &Spec) -> Arrivals {
    let takes = |worker: &&WorkerSpec| worker.program.contains(&Step::Take);
    let takers = spec.workers.iter().filter(takes).count().max(1) as i64;
    let apart = |rate: &u32| Span::from_us(takers * 1_000_000 / i64::from(*rate));
    Arrivals { step: Span::from_ms(load.step_ms), apart: load.rates.iter().map(apart).collect() }
}

fn database(spec: &Spec, id: NodeId, servers: Vec<NodeId>) -> Actor {
    let off = |ms: Option<i64>| Span::from_ms(ms.unwrap_or(0));
    let config = PostgresConfig {
        timeouts: Timeouts {
            lock: off(spec.postgres.lock_timeout_ms),
            idle_in_transaction: off(spec.postgres.idle_in_transaction_ms),
            idle_session: off(spec.postgres.idle_session_ms),
            ..Timeouts::default()
        },
        pool: Some(spec.postgres.pool).filter(|pool| *pool > 0),
        lock: Some((spec.lock.key.as_str().into(), key_of(&spec.lock.key))),
        lock_is: if spec.lock.recipe == Recipe::LockRow { LockIs::Row } else { LockIs::InMemory },
        servers: if servers.len() > 1 { servers } else { Vec::new() },
        ..PostgresConfig::new(id)
    };
    Actor::Postgres(Box::new(postgres::Server::new(config)))
}

fn worker_config(spec: &Spec, names: &Names, worker: &WorkerSpec) -> WorkerConfig {
    WorkerConfig {
        members: names.with(Role::Member).collect(),
        // Where the data is kept in etcd no call goes by it.
        store: names.with(Role::Store).next().unwrap_or(NodeId(0)),
        puts: (spec.store.kind == StoreKind::Objects).then_some(worker.puts),
        guard: (spec.store.kind == StoreKind::Etcd).then_some(worker.guard),
        partner: names.with(Role::Partner).next(),
        arrivals: spec.load.as_ref().map(|load| arrivals(load, spec)),
        orchestrator: names.with(Role::Orchestrator).next(),
        begins: match worker.starts_ms {
            Some(ms) => Begins::After(Span::from_ms(ms)),
            None => Begins::WhenTold,
        },
        recipe: spec.lock.recipe,
        token_from: spec.zookeeper.token,
        lock: spec.lock_of(worker),
        ttl_s: spec.lock.ttl_s,
        retry: Span::from_ms(spec.lock.retry_ms),
        redlock: RedlockConfig {
            node_timeout: Span::from_ms(spec.redlock.node_timeout_ms),
            clock: spec.redlock.clock,
            check: spec.redlock.check,
        },
        consul: (spec.lock.service == Service::Consul).then_some(ConsulClient {
            token: spec.consul.token,
            lock_delay: Span::from_ms(spec.consul.lock_delay_ms),
            behavior: spec.consul.behavior,
            reads: spec.consul.reads,
        }),
        lock_objects: (spec.lock.service == Service::Objects).then_some(ObjectsClient {
            until: spec.objects.until,
            release: spec.objects.release,
            settle: spec.objects.settle,
        }),
        postgres: (spec.lock.service == Service::Postgres).then_some(PostgresClient {
            token: spec.postgres.token,
            row_clock: spec.postgres.clock,
        }),
        wait_for_replica: spec.redis.wait_ms.map(Span::from_ms),
        program: worker.program.clone(),
        compute: Span::from_ms(worker.compute_ms),
        check: Span::from_ms(worker.check_ms),
        upload: Span::from_ms(worker.upload_ms),
        job: worker.job.as_str().into(),
        amount: worker.amount,
        objects: worker.objects.iter().map(|object| object.as_str().into()).collect(),
        policies: Policies {
            renew_interval: worker.renew_ms.map(Span::from_ms),
            renew_without_progress: worker.renew_without_progress,
            progress: Span::from_ms(worker.progress_ms),
            on_renewal_failure: worker.on_renewal_failure,
            renewal_unanswered: worker.renewal_unanswered_ms.map(Span::from_ms),
            renewal: worker.renewal,
            deadline_from: worker.deadline_from,
            release: worker.release,
            retries: worker.retries,
            request_timeout: Span::from_ms(worker.request_timeout_ms),
            start_over: worker.start_over,
            stops_at: worker.stops_at,
        },
    }
}
