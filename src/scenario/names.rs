//! The machines of a scenario by name, in the order of their ids: etcd members,
//! workers, the store, the orchestrator.

use crate::scenario::clicks::{MessageSpec, Way};
use crate::scenario::error::Problem;
use crate::sim::event::MessageRef;
use crate::sim::process::NodeId;
use std::rc::Rc;

/// The name that stands for all etcd members.
pub const ETCD: &str = "etcd";
/// The store's name.
pub const STORE: &str = "store";
/// The orchestrator's name.
pub const ORCHESTRATOR: &str = "orchestrator";

/// What a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An etcd member.
    Member,
    /// A worker.
    Worker,
    /// The store.
    Store,
    /// The orchestrator.
    Orchestrator,
}

/// The machines by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    list: Vec<(Rc<str>, Role)>,
}

impl Names {
    /// The machines of a scenario with so many members, these workers and so many
    /// orchestrators (none or one).
    pub fn new<'a>(
        members: u8,
        workers: impl Iterator<Item = &'a str>,
        orchestrators: usize,
    ) -> Names {
        let members = (1..=members).map(|n| (Rc::from(format!("M{n}")), Role::Member));
        let workers = workers.map(|name| (Rc::from(name), Role::Worker));
        let store = [(Rc::from(STORE), Role::Store)];
        let last = [(Rc::from(ORCHESTRATOR), Role::Orchestrator)];
        let list = members.chain(workers).chain(store);
        Names { list: list.chain(last.into_iter().take(orchestrators)).collect() }
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

    /// The machine of that name.
    pub fn find(&self, name: &str) -> Option<NodeId> {
        self.ids().find(|id| self.of(*id) == name)
    }

    /// The store.
    pub fn store(&self) -> NodeId {
        self.find(STORE).expect("every scenario has a store")
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

    /// One machine, or all members for "etcd".
    pub(super) fn group(&self, field: &'static str, name: &str) -> Result<Vec<NodeId>, Problem> {
        if name == ETCD {
            return Ok(self.with(Role::Member).collect());
        }
        let not_there = || Problem::NoSuchMachine {
            field,
            name: name.to_owned(),
            there: self.list.iter().map(|(name, _)| name.to_string()).collect(),
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
