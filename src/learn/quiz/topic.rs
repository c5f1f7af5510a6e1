//! What the questions are about: a file of the quiz is a topic.

use crate::content::choices;

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Fencing tokens.
    Tokens,
    /// Leases, pauses and clocks.
    Leases,
    /// Renewals, sessions and leaders.
    Renewals,
    /// What the store checks.
    Store,
    /// Messages and what cannot be taken back.
    Effects,
    /// Locks in Redis.
    Redis,
    /// Redlock.
    Redlock,
    /// Locks in ZooKeeper.
    ZooKeeper,
    /// Locks in PostgreSQL.
    Postgres,
    /// Locks in Consul.
    Consul,
    /// Data in etcd, beside its lock.
    Etcd,
    /// Conditions, keys and terms: what there is without a lock.
    NoLock,
    /// Objects as locks.
    Objects,
}

choices! {
    Topic {
        Tokens = "tokens",
        Leases = "leases",
        Renewals = "renewals",
        Store = "store",
        Effects = "effects",
        Redis = "redis",
        Redlock = "redlock",
        ZooKeeper = "zookeeper",
        Postgres = "postgres",
        Consul = "consul",
        Etcd = "etcd",
        NoLock = "no-lock",
        Objects = "objects",
    }
}
