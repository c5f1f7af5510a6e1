//! An object store with conditional puts, as S3 has them: one bucket without versioning.
//!
//! ```text
//!   Put ──► (upload) ──► condition + store, one step
//!   Get, Head, Delete ──► at once
//! ```
//!
//! It compares ETags and knows nothing of tokens: what fences, if anything does, is what its
//! clients make of conditions. Objects survive a crash; puts under way do not.
//!
//! It is a kind of store, and a lock service too: then one of its objects is the lock
//! ([`lock`]), and it tells what becomes of that.

pub mod api;
pub mod lock;
mod observe;
#[cfg(test)]
mod tests;

use crate::actors::etcd::api::{RequestId, Text};
use crate::actors::note::Change;
use crate::actors::store::StoreTimer;
use crate::actors::{Actor, Message, Timer};
use crate::sim::order;
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::Span;
use api::{Condition, ETag, GetIf, ObjectError, Op, Put, PutIf, Reply, Request, Response};
use litemap::LiteMap;
use serde::Serialize;

pub use api::Object;

/// An object store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Objects {
    /// How long a put needs, from its arrival.
    write: Span,
    objects: LiteMap<Text, Object>,
    /// Puts under way, each with its timer. A crash loses them.
    storing: Vec<Storing>,
    /// What the partner has booked.
    booked: i64,
    /// Told to people only.
    #[serde(skip)]
    refused: u32,
    /// Of a lock service: its lock, by the object's key. Whose it is stands in the object.
    #[serde(skip)]
    lock: Option<Text>,
}

/// A put under way.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Storing {
    ticket: u32,
    from: NodeId,
    id: RequestId,
    put: Put,
    meanwhile: Meanwhile,
}

/// What has happened to the key of a put under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Meanwhile {
    Nothing,
    /// Another operation has changed it.
    Changed,
}

impl Objects {
    /// An empty store, which needs so long for a put.
    pub fn new(write: Span) -> Objects {
        Objects {
            write,
            objects: LiteMap::new(),
            storing: Vec::new(),
            booked: 0,
            refused: 0,
            lock: None,
        }
    }

    /// An object.
    pub fn object(&self, key: &str) -> Option<&Object> {
        self.objects.get(key)
    }

    /// What the partner has booked in all, in whole units of money.
    pub fn booked(&self) -> i64 {
        self.booked
    }

    /// How many reports were stored.
    pub fn accepted(&self) -> u32 {
        self.objects.values().map(|object| object.version).sum()
    }

    /// How many puts were refused.
    pub fn refused(&self) -> u32 {
        self.refused
    }

    /// Takes one input.
    #[inline(never)]
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Message { from, message: Message::Objects(request) } => {
                self.take(from, request, now, out);
            }
            Input::Timer(Timer::Store(StoreTimer::Stored { ticket })) => {
                let its = |storing: &Storing| storing.ticket == ticket;
                let place = self.storing.iter().position(its);
                let place = place.unwrap_or_else(|| unreachable!("a timer belongs to a put"));
                let storing = self.storing.remove(place);
                self.finish(storing, out);
            }
            _ => {}
        }
    }

    /// Forgets the puts under way.
    pub fn crash(&mut self) {
        self.storing.clear();
    }

    /// Its machine closes the connections on which answers are waited for.
    #[inline(never)]
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        let mut clients: Vec<NodeId> = self.storing.iter().map(|storing| storing.from).collect();
        order::by(&mut clients, NodeId::cmp);
        clients.dedup();
        clients.into_iter().map(|client| (client, Message::Closed)).collect()
    }

    fn take(&mut self, from: NodeId, request: Request, now: Now, out: &mut Out<Actor>) {
        let id = request.id;
        let result = match request.op {
            Op::Put(put) => return self.begin(from, id, put, now, out),
            Op::Get { key, only } => self.get(&key, only, out),
            Op::Head { key } => self.head(&key, out),
            Op::Delete { key, if_match } => {
                let result = self.delete((from, &key), if_match, out);
                if let Err(error) = &result {
                    self.tell_lock_refused(from, &key, (Change::Delete, *error), out);
                }
                result
            }
        };
        answer(from, id, result, out);
    }

    fn begin(&mut self, from: NodeId, id: RequestId, put: Put, now: Now, out: &mut Out<Actor>) {
        let mut ticket = 0;
        while self.storing.iter().any(|storing| storing.ticket == ticket) {
            ticket += 1;
        }
        let storing = Storing { ticket, from, id, put, meanwhile: Meanwhile::Nothing };
        if self.write == Span::ZERO {
            return self.finish(storing, out);
        }
        self.storing.push(storing);
        out.set_timer(Timer::Store(StoreTimer::Stored { ticket }), now.mono + self.write);
    }

    /// The step that stores, and that looks at the condition.
    fn finish(&mut self, storing: Storing, out: &mut Out<Actor>) {
        let Storing { from, id, mut put, meanwhile, .. } = storing;
        if let Some(record) = &mut put.record {
            record.by = from;
        }
        let before = self.record(&put.key);
        let result = self.check(&put, meanwhile).map(|()| self.store(&put));
        self.tell_put(&put, &result, out);
        match &result {
            Ok(_) => self.tell_lock(from, &put.key, before, out),
            Err(error) => self.tell_lock_refused(from, &put.key, (Change::Put, *error), out),
        }
        answer(from, id, result, out);
    }

    fn check(&self, put: &Put, meanwhile: Meanwhile) -> Result<(), ObjectError> {
        let there = self.objects.get(&put.key);
        match (put.only, there) {
            (PutIf::Always, _) => Ok(()),
            _ if meanwhile == Meanwhile::Changed => Err(ObjectError::ConditionalRequestConflict),
            (PutIf::Absent, None) => Ok(()),
            (PutIf::Absent, Some(_)) => {
                Err(ObjectError::PreconditionFailed(Condition::IfNoneMatch))
            }
            (PutIf::Match(_), None) => Err(ObjectError::NoSuchKey),
            (PutIf::Match(etag), Some(there)) => match_etag(etag, there),
        }
    }

    fn store(&mut self, put: &Put) -> Reply {
        let before = self.objects.get(&put.key).map_or(0, |object| object.version);
        let version = before + u32::from(matches!(put.means, Some(api::Means::Report(_))));
        let etag = ETag::of(&put.body);
        let (body, metadata) = (put.body.clone(), put.metadata.clone());
        let record = put.record;
        self.objects.insert(put.key.clone(), Object { body, metadata, etag, version, record });
        self.changed(&put.key);
        Reply::Stored { etag, version }
    }

    fn changed(&mut self, key: &Text) {
        for storing in self.storing.iter_mut().filter(|storing| storing.put.key == *key) {
            storing.meanwhile = Meanwhile::Changed;
        }
    }

    fn get(&self, key: &Text, only: GetIf, out: &mut Out<Actor>) -> Result<Reply, ObjectError> {
        self.tell_read(key, out);
        let there = self.objects.get(key).ok_or(ObjectError::NoSuchKey)?;
        match only {
            GetIf::Match(etag) => match_etag(etag, there)?,
            GetIf::NoneMatch(etag) if etag == there.etag => return Err(ObjectError::NotModified),
            GetIf::Always | GetIf::NoneMatch(_) => {}
        }
        Ok(Reply::Object(there.clone()))
    }

    fn head(&self, key: &Text, out: &mut Out<Actor>) -> Result<Reply, ObjectError> {
        self.tell_read(key, out);
        let there = self.objects.get(key).ok_or(ObjectError::NoSuchKey)?;
        let metadata = there.metadata.clone();
        Ok(Reply::Head { etag: there.etag, metadata, version: there.version })
    }

    fn delete(
        &mut self,
        (from, key): (NodeId, &Text),
        if_match: Option<ETag>,
        out: &mut Out<Actor>,
    ) -> Result<Reply, ObjectError> {
        if let Some(etag) = if_match {
            match_etag(etag, self.objects.get(key).ok_or(ObjectError::NoSuchKey)?)?;
        }
        let before = self.record(key);
        if self.objects.remove(key).is_some() {
            self.changed(key);
            self.tell_lock(from, key, before, out);
        }
        Ok(Reply::Deleted)
    }
}

fn match_etag(etag: ETag, there: &Object) -> Result<(), ObjectError> {
    if etag == there.etag {
        Ok(())
    } else {
        Err(ObjectError::PreconditionFailed(Condition::IfMatch))
    }
}

fn answer(to: NodeId, id: RequestId, result: Result<Reply, ObjectError>, out: &mut Out<Actor>) {
    out.send(to, Message::ObjectsAnswer(Response { id, result }));
}
