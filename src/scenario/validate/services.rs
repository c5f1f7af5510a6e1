//! What a lock service can be told, and what says nothing of it.

use super::bounds;
use crate::actors::consul::config::MAX_LOCK_DELAY;
use crate::actors::worker::config::{
    DeadlineFrom, ReleaseCheck, RenewWithoutProgress, RenewalCheck, StopsAt,
};
use crate::scenario::actions::span_of;
use crate::scenario::error::Problem;
use crate::scenario::names::Service;
use crate::scenario::spec::{Spec, WorkerSpec};

fn servers(number: u8) -> Result<(), Problem> {
    if number.is_multiple_of(2) || number > 5 {
        let value = i64::from(number);
        return Err(Problem::Bounds { field: "servers", value, bounds: "1, 3 or 5" });
    }
    Ok(())
}

pub(super) fn zookeeper(spec: &Spec) -> Result<(), Problem> {
    let zookeeper = &spec.zookeeper;
    servers(zookeeper.servers)?;
    // Two ticks and twenty are whole seconds, as timeouts are told.
    bounds("tick_ms", zookeeper.tick_ms, 500, 10_000, "from 500 to 10,000")?;
    if zookeeper.tick_ms % 500 != 0 {
        let (field, bounds) = ("tick_ms", "a multiple of 500");
        return Err(Problem::Bounds { field, value: zookeeper.tick_ms, bounds });
    }
    let check = zookeeper.container_check_ms;
    bounds("container_check_ms", check, 1_000, 86_400_000, "from 1,000 to 86,400,000")
}

/// A worker's settings that say nothing of a lock service, by name. A client that counts
/// votes counts its time from before the first question, and a renewal of its has failed
/// when too few nodes have answered; the connection of ZooKeeper's renews by itself.
pub(in crate::scenario) fn says_nothing_of(service: Service) -> &'static [&'static str] {
    match service {
        Service::Etcd => &["renewal", "stops_at"],
        Service::Redis => &["stops_at"],
        Service::Objects => &["stops_at", "lock"],
        // Their servers tell of one lock only.
        Service::Postgres | Service::Consul => &["renewal", "stops_at", "lock"],
        Service::Redlock => &["renewal_unanswered_ms", "deadline_from", "stops_at"],
        Service::ZooKeeper => &[
            "renew_ms",
            "renewal",
            "renewal_unanswered_ms",
            "renew_without_progress",
            "deadline_from",
            "release",
        ],
    }
}

/// Whether such a setting is another than the one that is left out.
pub(in crate::scenario) fn is_set(worker: &WorkerSpec, service: Service, field: &str) -> bool {
    match field {
        // A row is renewed as the own one or not at all.
        "renewal" if service == Service::Postgres => worker.renewal == RenewalCheck::NameOnly,
        "renew_ms" => worker.renew_ms.is_some(),
        "renewal" => worker.renewal != RenewalCheck::Owner,
        "renewal_unanswered_ms" => worker.renewal_unanswered_ms.is_some(),
        "renew_without_progress" => worker.renew_without_progress != RenewWithoutProgress::Always,
        "deadline_from" => worker.deadline_from != DeadlineFrom::Answer,
        "release" => worker.release != ReleaseCheck::Owner,
        "lock" => !worker.lock.is_empty(),
        "stops_at" => worker.stops_at != StopsAt::Suspended,
        field => unreachable!("no service leaves out {field}"),
    }
}

pub(super) fn redis(spec: &Spec) -> Result<(), Problem> {
    let redis = &spec.redis;
    bounds("replicas", i64::from(redis.replicas), 0, 1, "0 or 1")?;
    span_of("promote_after_ms", redis.promote_after_ms)?;
    if let Some(wait_ms) = redis.wait_ms {
        bounds("wait_ms", wait_ms, 1, 86_400_000, "from 1 to 86,400,000")?;
    }
    if spec.lock.service == Service::Redis && redis.replicas == 0 {
        let promotes = redis.promote_after_ms.map(|_| "promote_after_ms");
        let field = promotes.or(redis.wait_ms.map(|_| "wait_ms"));
        if let Some(field) = field {
            return Err(Problem::NeedsReplica { field });
        }
    }
    Ok(())
}

pub(super) fn redlock(spec: &Spec) -> Result<(), Problem> {
    let redlock = &spec.redlock;
    if redlock.nodes.is_multiple_of(2) || redlock.nodes > 7 {
        let value = i64::from(redlock.nodes);
        return Err(Problem::Bounds { field: "nodes", value, bounds: "1, 3, 5 or 7" });
    }
    let timeout_ms = redlock.node_timeout_ms;
    bounds("node_timeout_ms", timeout_ms, 1, 86_400_000, "from 1 to 86,400,000")
}

pub(super) fn postgres(spec: &Spec) -> Result<(), Problem> {
    let postgres = &spec.postgres;
    bounds("pool", i64::from(postgres.pool), 0, 100, "from 0 to 100")?;
    bounds("standbys", i64::from(postgres.standbys), 0, 1, "0 or 1")?;
    let times = [
        ("lock_timeout_ms", postgres.lock_timeout_ms),
        ("idle_in_transaction_ms", postgres.idle_in_transaction_ms),
        ("idle_session_ms", postgres.idle_session_ms),
    ];
    for (field, ms) in times {
        if let Some(ms) = ms {
            // 0 is off, as in PostgreSQL.
            bounds(field, ms, 0, 86_400_000, "from 0 to 86,400,000")?;
        }
    }
    Ok(())
}

pub(super) fn consul(spec: &Spec) -> Result<(), Problem> {
    let consul = &spec.consul;
    servers(consul.servers)?;
    bounds("lock_delay_ms", consul.lock_delay_ms, 0, MAX_LOCK_DELAY.ms(), "from 0 to 60,000")?;
    let timeout_ms = consul.election_timeout_ms;
    bounds("election_timeout_ms", timeout_ms, 100, 86_400_000, "from 100 to 86,400,000")
}

pub(super) fn etcd(spec: &Spec) -> Result<(), Problem> {
    let etcd = &spec.etcd;
    if etcd.members.is_multiple_of(2) || etcd.members > 7 {
        let value = i64::from(etcd.members);
        return Err(Problem::Bounds { field: "members", value, bounds: "1, 3, 5 or 7" });
    }
    bounds("revision", etcd.revision, 1, 1 << 40, "from 1 to 2^40")?;
    bounds("heartbeat_ms", etcd.heartbeat_ms, 1, 10_000, "from 1 to 10,000")?;
    bounds(
        "election_timeout_ms",
        etcd.election_timeout_ms,
        5 * etcd.heartbeat_ms,
        50_000,
        "from 5 heartbeats to 50,000",
    )
}
