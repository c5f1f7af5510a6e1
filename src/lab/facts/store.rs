//! What the page shows of the store.

use super::{Machine, is_token, machine, member_of, world};
use crate::actors::Actor;
use crate::actors::etcd::api::{Revision, Text};
use crate::actors::objects::Objects;
use crate::actors::objects::api::ETag;
use crate::actors::store::api::{JobKey, Rule, Token};
use crate::actors::worker::config::Step;
use crate::actors::worker::objects::{KEY, token_in};
use crate::lab::Open;
use crate::scenario::names::{Role, Service};
use crate::scenario::spec::{Books, WorkerSpec};
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::text::postgres;

/// What is shown of the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreFacts {
    /// Which machine.
    pub id: NodeId,
    /// Whether it runs.
    pub machine: Machine,
    /// The rule in force.
    pub rule: Rule,
    /// The highest token seen.
    pub mark: Option<Token>,
    /// The same of each object that has a mark of its own.
    pub marks: Vec<(Text, Token)>,
    /// Writes accepted.
    pub accepted: u32,
    /// Claims and writes refused.
    pub refused: u32,
    /// What the partner has booked.
    pub booked: i64,
    /// What the partner ought to book in all.
    pub owed: i64,
    /// Of an object store: the object's ETag, if there is one.
    pub etag: Option<Option<ETag>>,
    /// Of data in etcd: its version, and the revision of its last change; else none.
    pub data: Option<Option<(i64, Revision)>>,
    /// Whether the partner books in the step in which the store accepts a write.
    pub books: Books,
    /// How many rows of its outbox wait to be sent, if it has one.
    pub rows: Option<usize>,
    /// Beside PostgreSQL: the rule as a statement.
    pub sql: Option<&'static str>,
}

/// What is shown of the store.
pub fn store(open: &Open) -> StoreFacts {
    let world = world(open);
    let Some(id) = open.scenario().names().with(Role::Store).next() else {
        return in_etcd(open, super::newest_member(open));
    };
    let store = match &world.node(id).process {
        Actor::Store(store) => store,
        Actor::Objects(objects) => return of_objects(open, id, objects),
        other => unreachable!("the store is a store: {}", InFull(&other)),
    };
    StoreFacts {
        id,
        machine: machine(world, id),
        rule: store.rule(),
        mark: store.mark().map(|mark| mark.token).filter(is_token),
        marks: store.marks_of_objects().map(|(of, mark)| (of.clone(), mark.token)).collect(),
        accepted: store.accepted(),
        refused: store.refused(),
        booked: partner(open).unwrap_or(store.booked()),
        owed: owed(open),
        etag: None,
        data: None,
        books: open.scenario().spec().partner.books,
        rows: store.rows(),
        sql: is_beside_postgres(open).then(|| postgres::rule(store.rule())),
    }
}

fn is_beside_postgres(open: &Open) -> bool {
    open.scenario().names().service() == Service::Postgres
}

fn of_objects(open: &Open, id: NodeId, objects: &Objects) -> StoreFacts {
    let object = objects.object(KEY);
    StoreFacts {
        id,
        machine: machine(world(open), id),
        rule: Rule::None,
        mark: object.and_then(|object| token_in(&object.metadata)),
        marks: Vec::new(),
        accepted: objects.accepted(),
        refused: objects.refused(),
        booked: objects.booked(),
        owed: owed(open),
        etag: Some(object.map(|object| object.etag)),
        data: None,
        books: Books::WithStore,
        rows: None,
        sql: None,
    }
}

/// As the member that leads knows it, or else the one that is furthest.
fn in_etcd(open: &Open, id: NodeId) -> StoreFacts {
    let member = member_of(world(open), id);
    let (data, books) = (member.data(), member.books());
    StoreFacts {
        id,
        machine: Machine::Runs,
        rule: Rule::None,
        mark: None,
        marks: Vec::new(),
        accepted: data.map_or(0, |kv| kv.version as u32),
        refused: books.refused,
        booked: books.booked,
        owed: owed(open),
        etag: None,
        data: Some(data.map(|kv| (kv.version, kv.mod_revision))),
        books: Books::WithStore,
        rows: None,
        sql: None,
    }
}

/// What the partner has booked, where it is a machine of its own.
fn partner(open: &Open) -> Option<i64> {
    let id = open.scenario().names().with(Role::Partner).next()?;
    match &world(open).node(id).process {
        Actor::Partner(partner) => Some(partner.booked()),
        _ => None,
    }
}

/// Each job is owed once, whoever does it, and to each object that is written by it, unless
/// its worker asks for it to be booked; of a load every transfer that has arrived.
fn owed(open: &Open) -> i64 {
    let spec = open.scenario().spec();
    let workers = &spec.workers;
    if spec.load.is_some() {
        let world = &open.replay().moment().world;
        let arrived = |(id, worker): (NodeId, &WorkerSpec)| match &world.node(id).process {
            Actor::Worker(process) => i64::from(process.transfers_arrived()) * worker.amount,
            _ => 0,
        };
        return open.scenario().names().with(Role::Worker).zip(workers).map(arrived).sum();
    }
    let mut owed: Vec<(JobKey, i64)> = Vec::new();
    let world = &open.replay().moment().world;
    for id in open.scenario().names().with(Role::Worker) {
        let Actor::Worker(worker) = &world.node(id).process else { continue };
        let config = worker.config();
        let objects = match config.program.contains(&Step::Book) {
            true => vec!["".into()],
            false => config.objects_written(),
        };
        for key in objects.iter().map(|object| JobKey::new(&config.job, object)) {
            if owed.iter().all(|(other, _)| *other != key) {
                owed.push((key, config.amount));
            }
        }
    }
    owed.iter().map(|(_, amount)| amount).sum()
}
