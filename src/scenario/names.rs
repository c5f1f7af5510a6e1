//! The machines of a scenario by name, in the order of their ids: the nodes of the lock
//! service, workers, the store, the orchestrator, the partner, relays.

use crate::actors::worker::config::Recipe;
use crate::scenario::clicks::{MessageSpec, Way};
use crate::scenario::error::Problem;
use crate::sim::event::MessageRef;
use crate::sim::process::NodeId;
use serde::Serialize;
use std::rc::Rc;

/// The store's name.
pub const STORE: &str = "store";
/// The orchestrator's name.
pub const ORCHESTRATOR: &str = "orchestrator";
/// The partner's name.
pub const PARTNER: &str = "partner";
/// The relays' names.
pub const RELAYS: [&str; 2] = ["relay", "relay-2"];

/// Which lock service there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Service {
    /// An etcd cluster.
    Etcd,
    /// A Redis node, with a replica or without.
    Redis,
    /// Several Redis nodes that know nothing of each other and vote.
    Redlock,
    /// A ZooKeeper ensemble.
    ZooKeeper,
    /// A PostgreSQL server, with a pooler before it or without.
    Postgres,
    /// Consul servers.
    Consul,
    /// An object store, in which an object is the lock.
    Objects,
}

impl Service {
    /// The one that a way of taking a lock is for.
    pub fn of(recipe: Recipe) -> Service {
        match recipe {
            Recipe::Queue | Recipe::CreateIfAbsent | Recipe::GetThenPut | Recipe::Election => {
                Service::Etcd
            }
            Recipe::SetNx | Recipe::SetnxExpire | Recipe::SetAndCount => Service::Redis,
            Recipe::Redlock | Recipe::RedlockAndCount => Service::Redlock,
            Recipe::EphemeralSequential => Service::ZooKeeper,
            Recipe::Advisory
            | Recipe::TryAdvisory
            | Recipe::AdvisoryXact
            | Recipe::RowLock
            | Recipe::LockRow => Service::Postgres,
            Recipe::KvAcquire => Service::Consul,
            Recipe::ObjectCreate | Recipe::ObjectLease => Service::Objects,
        }
    }

    /// Whether a lock is a key at each node, with a time of its own.
    pub fn has_keys(self) -> bool {
        matches!(self, Service::Redis | Service::Redlock)
    }

    /// Whether a client counts its deadline from one moment or another. That of Redlock is
    /// counted from before the first question, and ZooKeeper's client has none; that of
    /// PostgreSQL has one for a row alone.
    pub fn counts_deadline(self) -> bool {
        matches!(self, Service::Etcd | Service::Redis | Service::Consul | Service::Objects)
    }

    /// Whether a lock can be given back by its name, whoever's it is. A znode cannot, and
    /// of PostgreSQL's locks a row alone.
    pub fn releases_by_name(self) -> bool {
        !matches!(self, Service::ZooKeeper | Service::Postgres)
    }

    /// The name that stands for all of its nodes.
    pub fn group(self) -> &'static str {
        match self {
            Service::Etcd => "etcd",
            Service::Redis => "redis",
            Service::Redlock => "redlock",
            Service::ZooKeeper => "zookeeper",
            Service::Postgres => "postgres",
            Service::Consul => "consul",
            Service::Objects => "objects",
        }
    }

    /// What the names of its nodes begin with, before their number.
    pub fn letter(self) -> char {
        match self {
            Service::Etcd => 'M',
            Service::Redis | Service::Redlock => 'R',
            Service::ZooKeeper => 'Z',
            Service::Postgres => 'P',
            Service::Consul => 'C',
            Service::Objects => 'O',
        }
    }
}

/// What a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A node of the lock service, as a member of etcd.
    Member,
    /// A worker.
    Worker,
    /// The store.
    Store,
    /// The orchestrator.
    Orchestrator,
    /// The partner, where it is a machine of its own.
    Partner,
    /// A relay.
    Relay,
}

/// The machines by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    service: Service,
    list: Vec<(Rc<str>, Role)>,
}

impl Names {
    /// The machines of a scenario with so many nodes of this service, these workers and these
    /// others.
    pub fn new<'a>(
        service: Service,
        nodes: u8,
        workers: impl Iterator<Item = &'a str>,
        others: &[(&str, Role)],
    ) -> Names {
        let letter = service.letter();
        let nodes = (1..=nodes).map(|n| (Rc::from(format!("{letter}{n}")), Role::Member));
        let workers = workers.map(|name| (Rc::from(name), Role::Worker));
        let store = [(Rc::from(STORE), Role::Store)];
        let others = others.iter().map(|(name, role)| (Rc::from(*name), *role));
        Names { service, list: nodes.chain(workers).chain(store).chain(others).collect() }
    }

    /// The same without a store: the data is kept in the lock service.
    pub fn without_store(mut self) -> Names {
        self.list.retain(|(_, role)| *role != Role::Store);
        self
    }

    /// Which lock service there is.
    pub fn service(&self) -> Service {
        self.service
    }

    /// A machine's name.
    pub fn of(&self, id: NodeId) -> &str {
        &self.list[id.index()].0
    }

    /// A machine's name, shared.
    pub fn shared(&self, id: NodeId) -> Rc<str> {
        self.list[id.index()].0.clone()
    }

    /// What a machine is.
    pub fn role(&self, id: NodeId) -> Role {
        self.list[id.index()].1
    }

    /// All machines.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.list.len() as u8).map(NodeId)
    }

    /// The machines of one kind.
    pub fn with(&self, role: Role) -> impl Iterator<Item = NodeId> + '_ {
        self.ids().filter(move |id| self.role(*id) == role)
    }

    /// All that are neither of the lock service nor workers nor the store.
    pub fn others(&self) -> impl Iterator<Item = NodeId> + '_ {
        let is_other = |role| matches!(role, Role::Orchestrator | Role::Partner | Role::Relay);
        self.ids().filter(move |id| is_other(self.role(*id)))
    }

    /// The machine of that name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.ids().find(|id| self.of(*id) == name)
    }

    /// The store.
    ///
    /// # Panics
    /// When the data is kept in the lock service.
    pub fn store(&self) -> NodeId {
        self.find(STORE).expect("the scenario has a store")
    }

    /// A message's name as a file says it.
    pub fn message_spec(&self, message: &MessageRef) -> MessageSpec {
        MessageSpec {
            from: self.of(message.from).to_owned(),
            to: self.of(message.to).to_owned(),
            kind: message.kind.to_owned(),
            nth: message.nth,
        }
    }

    /// What people call the lock service: its machine, where there is one only, or all nodes
    /// together.
    pub fn all_nodes(&self) -> &str {
        let mut nodes = self.with(Role::Member);
        match (nodes.next(), nodes.next()) {
            (Some(only), None) => self.of(only),
            _ => self.service.group(),
        }
    }

    /// One machine, or all nodes of the lock service for its own name, as "etcd".
    pub(super) fn group(&self, field: &'static str, name: &str) -> Result<Vec<NodeId>, Problem> {
        if name == self.service.group() {
            return Ok(self.with(Role::Member).collect());
        }
        let not_there = || Problem::NoSuchMachine {
            field,
            name: name.to_owned(),
            there: std::iter::once(self.service.group().to_owned())
                .chain(self.list.iter().map(|(name, _)| name.to_string()))
                .collect(),
        };
        Ok(vec![self.find(name).ok_or_else(not_there)?])
    }

    pub(super) fn links(
        &self,
        from: &str,
        to: &str,
        way: Way,
    ) -> Result<Vec<(NodeId, NodeId)>, Problem> {
        let (senders, receivers) = (self.group("from", from)?, self.group("to", to)?);
        let mut links = Vec::new();
        for &sender in &senders {
            for &receiver in receivers.iter().filter(|receiver| **receiver != sender) {
                let ways = match way {
                    Way::Both => vec![(sender, receiver), (receiver, sender)],
                    Way::One => vec![(sender, receiver)],
                };
                for link in ways {
                    if !links.contains(&link) {
                        links.push(link);
                    }
                }
            }
        }
        if links.is_empty() {
            return Err(Problem::LinkToItself { name: from.to_owned() });
        }
        Ok(links)
    }

    pub(super) fn message(&self, message: &MessageSpec) -> Result<MessageRef, Problem> {
        let one = |field, name: &str| match self.group(field, name)?[..] {
            [id] => Ok(id),
            _ => Err(Problem::NotOneMachine { field, name: name.to_owned() }),
        };
        let mut known = crate::actors::MESSAGE_KINDS.iter();
        let kind = known
            .find(|kind| **kind == message.kind)
            .ok_or_else(|| Problem::NoSuchKind { kind: message.kind.clone() })?;
        if message.nth == 0 {
            return Err(Problem::NthIsZero);
        }
        let (from, to) = (one("from", &message.from)?, one("to", &message.to)?);
        Ok(MessageRef { from, to, kind, nth: message.nth })
    }

    /// One node of Redis, or one PostgreSQL server: who can be promoted.
    pub(super) fn promotable(&self, name: &str) -> Result<NodeId, Problem> {
        match self.service {
            Service::Postgres => self.postgres_server("node", name),
            _ => self.redis_node("node", name),
        }
    }

    /// One node of Redis.
    pub(super) fn redis_node(&self, field: &'static str, name: &str) -> Result<NodeId, Problem> {
        match self.group(field, name)?[..] {
            [id] if self.service == Service::Redis && self.role(id) == Role::Member => Ok(id),
            _ => Err(Problem::WrongMachine {
                field,
                name: name.to_owned(),
                wanted: "one Redis node",
            }),
        }
    }

    /// The PostgreSQL server.
    pub(super) fn postgres_server(
        &self,
        field: &'static str,
        name: &str,
    ) -> Result<NodeId, Problem> {
        match self.group(field, name)?[..] {
            [id] if self.service == Service::Postgres && self.role(id) == Role::Member => Ok(id),
            _ => Err(Problem::WrongMachine {
                field,
                name: name.to_owned(),
                wanted: "a PostgreSQL server",
            }),
        }
    }

    pub(super) fn only(
        &self,
        role: Role,
        field: &'static str,
        name: &str,
        wanted: &'static str,
    ) -> Result<(), Problem> {
        if self.group(field, name)?.iter().all(|id| self.role(*id) == role) {
            return Ok(());
        }
        Err(Problem::WrongMachine { field, name: name.to_owned(), wanted })
    }
}
