//! The lock and the election service of a member (`server/etcdserver/api/v3lock`,
//! `v3election`): code of `client/v3/concurrency` that runs within the member, as a client
//! of its own.
//!
//! ```text
//!   Lock, Campaign   own key in the queue ─► oldest? ─► answered
//!                      └─► newest before it ─► there: wait until it goes ─┐
//!                               ▲    └─ none ─► (Lock: own key there?) ─► answered
//!                               └─────────────────────────────────────────┘
//! ```
//!
//! A call has one question at the keys under way at a time. What it comes to is heard at
//! the end of the step (`serve_on`), never in the middle of it.

use super::Member;
use super::api::{
    Body, Compare, CompareOp, Delete, EtcdError, KeyRange, KeyValue, LeaderKey, LeaseId, Op, Order,
    Prev, Put, Range, RangeReply, Reply, Request, RequestId, Response, Revision, ServiceError,
    ServiceOp, ServiceReply, Target, Text, Txn, TxnOp, TxnReply,
};
use crate::actors::{Actor, Message};
use crate::sim::process::{NodeId, Now, Out};
use serde::Serialize;

/// A call that one of the services has not answered yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Serving {
    /// Whose.
    pub client: NodeId,
    /// The client's number for it.
    request: RequestId,
    /// What is asked.
    op: ServiceOp,
    /// How far it is.
    at: Stage,
    /// The header's revision and the create revision, once the own key is in the queue.
    queued: Option<Queued>,
}

/// The own key in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Queued {
    /// Its create revision.
    own: Revision,
    /// That of the header of the answer that told so.
    header: Revision,
}

/// For what a call waits.
#[derive(Clone, Debug, PartialEq, Serialize)]
enum Stage {
    /// For the answer to this question at the keys.
    Asks(RequestId, Asked),
    /// Until a key goes that was there, so created, at a revision.
    Waits { key: Text, created: Revision, seen_at: Revision },
}

/// What was asked at the keys.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Asked {
    /// To be in the queue.
    Queue,
    /// That the own key says what is wanted, which it did not when it was found.
    Value,
    /// For the newest key before the own one.
    Newest,
    /// For the own key.
    Own,
    /// All that is asked.
    All,
}

/// What a call does next.
enum Next {
    Ask(Asked, Op),
    Wait(KeyValue, Revision),
    Answer(Revision, Result<ServiceReply, ServiceError>),
}

impl Member {
    /// Begins a call to one of the services. One that is sent again begins again.
    pub(super) fn begin_service(
        &mut self,
        client: NodeId,
        request: RequestId,
        op: ServiceOp,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        self.volatile.serving.retain(|it| (it.client, it.request) != (client, request));
        let (asked, first) = first_question(&op);
        let at = Stage::Asks(RequestId(0), asked);
        let serving = Serving { client, request, op, at, queued: None };
        self.ask_for(serving, asked, first, now, out);
    }

    fn ask_for(&mut self, serving: Serving, asked: Asked, op: Op, now: Now, out: &mut Out<Actor>) {
        self.durable.asked += 1;
        let id = RequestId(self.durable.asked);
        self.await_more(Serving { at: Stage::Asks(id, asked), ..serving });
        self.route(self.config.place, Request { id, op }, now, out);
    }

    fn await_more(&mut self, serving: Serving) {
        let all = &mut self.volatile.serving;
        let key = |it: &Serving| (it.client, it.request);
        let place = all.partition_point(|it| key(it) < key(&serving));
        all.insert(place, serving);
    }

    /// Goes on with the calls to the services, as far as what was asked is answered and
    /// what is waited for has come.
    pub(super) fn serve_on(&mut self, now: Now, out: &mut Out<Actor>) {
        loop {
            if !self.volatile.told.is_empty() {
                let told = self.volatile.told.remove(0);
                self.service_told(told, now, out);
                continue;
            }
            let gone = self.volatile.serving.iter().position(|it| self.is_gone(it));
            let Some(place) = gone else { return };
            let serving = self.volatile.serving.remove(place);
            let next = serving.newest_before();
            self.go_on(serving, next, now, out);
        }
    }

    /// Whether the key that a call waits for is gone, as far as this member has applied.
    fn is_gone(&self, serving: &Serving) -> bool {
        let Stage::Waits { key, created, seen_at } = &serving.at else { return false };
        let kv = &self.state().kv;
        kv.revision() >= *seen_at
            && kv.get(key).is_none_or(|there| there.create_revision != *created)
    }

    fn service_told(&mut self, response: Response, now: Now, out: &mut Out<Actor>) {
        let asks = |it: &Serving| matches!(it.at, Stage::Asks(id, _) if id == response.id);
        let Some(place) = self.volatile.serving.iter().position(asks) else { return };
        let mut serving = self.volatile.serving.remove(place);
        let Stage::Asks(_, asked) = serving.at else { unreachable!("it was just looked at") };
        let next = match response.result {
            Ok(reply) => serving.told(asked, reply),
            Err(error) => Next::Answer(self.revision(), Err(passed_on(error))),
        };
        self.go_on(serving, next, now, out);
    }

    fn go_on(&mut self, serving: Serving, next: Next, now: Now, out: &mut Out<Actor>) {
        match next {
            Next::Ask(asked, op) => self.ask_for(serving, asked, op, now, out),
            Next::Wait(KeyValue { key, create_revision: created, .. }, seen_at) => {
                self.await_more(Serving { at: Stage::Waits { key, created, seen_at }, ..serving });
            }
            Next::Answer(revision, result) => {
                let result = match result {
                    Ok(reply) => Ok(Reply { revision, body: Body::Service(reply) }),
                    Err(error) => Err(EtcdError::Service(error)),
                };
                let response = Response { id: serving.request, result };
                out.send(serving.client, Message::EtcdAnswer(response));
            }
        }
    }
}

impl Serving {
    /// What it does after a good answer.
    fn told(&mut self, asked: Asked, Reply { revision, body }: Reply) -> Next {
        match (asked, body) {
            (Asked::Queue, Body::Txn { succeeded, responses }) => {
                self.in_queue(succeeded, responses, revision)
            }
            (Asked::Value, Body::Txn { succeeded: true, .. }) => self.newest_before(),
            (Asked::Newest, Body::Range(RangeReply { kvs, .. })) => match kvs.into_iter().next() {
                Some(before) => Next::Wait(before, revision),
                None => self.is_first(),
            },
            (Asked::Own, Body::Range(RangeReply { kvs, .. })) => {
                let there = kvs.first().ok_or(ServiceError::SessionExpired);
                let locked = there.map(|own| ServiceReply::Locked { key: own.key.clone() });
                Next::Answer(revision, locked)
            }
            (_, body) => Next::Answer(revision, self.outcome(body)),
        }
    }

    /// The own key is in the queue, or was there already.
    fn in_queue(&mut self, succeeded: bool, responses: Vec<TxnReply>, revision: Revision) -> Next {
        let mut first = responses.into_iter().map(|reply| match reply {
            TxnReply::Range(RangeReply { kvs, .. }) => kvs.into_iter().next(),
            TxnReply::Put(_) | TxnReply::Deleted { .. } => None,
        });
        let found = first.next().flatten().filter(|_| !succeeded);
        let own = found.as_ref().map_or(revision, |own| own.create_revision);
        self.queued = Some(Queued { own, header: revision });
        match &self.op {
            ServiceOp::Campaign { name, lease, value } => match found {
                Some(found) if found.value != *value => {
                    let key = own_key(name, *lease);
                    let put = Put::new(key.clone(), value.clone(), *lease);
                    Next::Ask(Asked::Value, guarded(&key, own, TxnOp::Put(put)))
                }
                _ => self.newest_before(),
            },
            _ => match first.next().flatten() {
                Some(oldest) if oldest.create_revision != own => self.newest_before(),
                _ => {
                    let key = self.own_key();
                    Next::Answer(revision, Ok(ServiceReply::Locked { key }))
                }
            },
        }
    }

    fn newest_before(&self) -> Next {
        let queued = self.queued.expect("only who is in the queue looks at who is before");
        let range = Range {
            max_create_revision: queued.own - 1,
            order: Order::NewestFirst,
            limit: 1,
            ..Range::of(queue(self.name()))
        };
        Next::Ask(Asked::Newest, Op::Range(range))
    }

    /// Nobody is before it. The header of an election's answer is that of the beginning.
    fn is_first(&self) -> Next {
        let ServiceOp::Campaign { name, lease, .. } = &self.op else {
            return Next::Ask(Asked::Own, Op::Range(Range::key(self.own_key())));
        };
        let Queued { own: rev, header } = self.queued.expect("it is in the queue");
        let (name, key, lease) = (name.clone(), self.own_key(), *lease);
        Next::Answer(header, Ok(ServiceReply::Elected(LeaderKey { name, key, rev, lease })))
    }

    /// What a call that asks once comes to.
    fn outcome(&self, body: Body) -> Result<ServiceReply, ServiceError> {
        match (&self.op, body) {
            (ServiceOp::Unlock { .. }, _) => Ok(ServiceReply::Unlocked),
            (ServiceOp::Resign { .. }, _) => Ok(ServiceReply::Resigned),
            (ServiceOp::Proclaim { .. }, Body::Txn { succeeded: true, .. }) => {
                Ok(ServiceReply::Proclaimed)
            }
            (ServiceOp::Leader { .. }, Body::Range(range)) => {
                let oldest = range.kvs.into_iter().next();
                oldest.map(ServiceReply::Leader).ok_or(ServiceError::NoLeader)
            }
            _ => Err(ServiceError::NotLeader),
        }
    }

    fn name(&self) -> &str {
        match &self.op {
            ServiceOp::Lock { name, .. }
            | ServiceOp::Campaign { name, .. }
            | ServiceOp::Leader { name } => name,
            ServiceOp::Unlock { .. } | ServiceOp::Proclaim { .. } | ServiceOp::Resign { .. } => {
                unreachable!("a call about a key asks once")
            }
        }
    }

    fn own_key(&self) -> Text {
        match &self.op {
            ServiceOp::Lock { name, lease } | ServiceOp::Campaign { name, lease, .. } => {
                own_key(name, *lease)
            }
            _ => unreachable!("only who queues has a key"),
        }
    }
}

/// What is asked at the keys first.
fn first_question(op: &ServiceOp) -> (Asked, Op) {
    match op {
        ServiceOp::Lock { name, lease } => (Asked::Queue, enter(name, *lease, "".into())),
        ServiceOp::Campaign { name, lease, value } => {
            (Asked::Queue, enter(name, *lease, value.clone()))
        }
        ServiceOp::Unlock { key } => (
            Asked::All,
            Op::Delete(Delete { keys: KeyRange::Key(key.clone()), prev: Prev::NotWanted }),
        ),
        ServiceOp::Proclaim { leader, value } => {
            let put = Put::new(leader.key.clone(), value.clone(), leader.lease);
            (Asked::All, guarded(&leader.key, leader.rev, TxnOp::Put(put)))
        }
        ServiceOp::Leader { name } => (Asked::All, Op::Range(oldest(name))),
        ServiceOp::Resign { leader } => {
            let keys = KeyRange::Key(leader.key.clone());
            let delete = Delete { keys, prev: Prev::NotWanted };
            (Asked::All, guarded(&leader.key, leader.rev, TxnOp::Delete(delete)))
        }
    }
}

/// The own key into the queue, unless it is there already, and who is first.
fn enter(name: &str, lease: LeaseId, value: Text) -> Op {
    let key = own_key(name, lease);
    let put = TxnOp::Put(Put::new(key.clone(), value, lease));
    let (own, first) = (TxnOp::Range(Range::key(key.clone())), TxnOp::Range(oldest(name)));
    Op::Txn(Txn {
        compare: vec![came_at(&key, 0)],
        success: vec![put, first.clone()],
        failure: vec![own, first],
    })
}

/// One change, while a key is still the one that was created at this revision.
fn guarded(key: &Text, created: Revision, change: TxnOp) -> Op {
    let (compare, success) = (vec![came_at(key, created)], vec![change]);
    Op::Txn(Txn { compare, success, failure: Vec::new() })
}

fn came_at(key: &Text, created: Revision) -> Compare {
    let target = Target::CreateRevision(created);
    Compare { key: key.clone(), target, op: CompareOp::Equal }
}

fn own_key(name: &str, lease: LeaseId) -> Text {
    format!("{name}/{:x}", lease.0).into()
}

fn queue(name: &str) -> KeyRange {
    KeyRange::Prefix(format!("{name}/").into())
}

fn oldest(name: &str) -> Range {
    Range { order: Order::OldestFirst, limit: 1, ..Range::of(queue(name)) }
}

/// What etcd refused a service, as the service passes it on.
fn passed_on(error: EtcdError) -> ServiceError {
    match error {
        EtcdError::LeaseNotFound => ServiceError::LeaseNotFound,
        _ => ServiceError::LeaderChanged,
    }
}
