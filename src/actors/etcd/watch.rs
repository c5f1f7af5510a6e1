//! Watches: they live in the memory of the member to which their client is
//! connected, and tell of a change once that member has learned of it.

use super::Member;
use super::api::{
    Body, EtcdError, KeyRange, Prev, Request, RequestId, Response, Revision, WatchCreate,
    WatchEvents,
};
use super::kv::Change;
use crate::actors::{Actor, Message};
use crate::sim::process::{NodeId, Out};
use serde::Serialize;

/// A watch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Watch {
    /// Whose.
    pub client: NodeId,
    /// The client's number for it.
    pub watch: u32,
    /// The request that asked for it, so that its end can be answered.
    pub request: RequestId,
    /// Which keys.
    pub keys: KeyRange,
    /// The first revision not told of yet.
    pub next: Revision,
    /// Whether it tells what was there before.
    pub prev: Prev,
}

impl Watch {
    fn is(&self, client: NodeId, watch: u32) -> bool {
        self.client == client && self.watch == watch
    }
}

impl Member {
    pub(super) fn create_watch(
        &mut self,
        client: NodeId,
        request: RequestId,
        create: WatchCreate,
        out: &mut Out<Actor>,
    ) {
        let WatchCreate { watch, keys, start_revision, prev } = create;
        self.cancel_watch(client, watch);
        let next = match start_revision {
            0 => self.revision() + 1,
            start => start,
        };
        if self.state().kv.is_compacted(next) {
            return self.answer_client(client, request, Err(EtcdError::Compacted), out);
        }
        self.answer_client(client, request, Ok(Body::WatchCreated { watch }), out);
        let watches = &mut self.volatile.watches;
        let place = watches.partition_point(|w| (w.client, w.watch) < (client, watch));
        watches.insert(place, Watch { client, watch, request, keys, next, prev });
        self.feed_watches(out);
    }

    pub(super) fn cancel_watch(&mut self, client: NodeId, watch: u32) {
        self.volatile.watches.retain(|w| !w.is(client, watch));
    }

    /// Forgets a client whose connection is broken, and its watches.
    pub(super) fn drop_client(&mut self, client: NodeId) {
        self.volatile.clients.remove(&client);
        self.volatile.watches.retain(|w| w.client != client);
        self.volatile.serving.retain(|serving| serving.client != client);
    }

    /// Tells every watch of the changes that it has not been told of. One that has
    /// fallen behind what is kept is ended.
    pub(super) fn feed_watches(&mut self, out: &mut Out<Actor>) {
        let state = self.durable.state.clone();
        let revision = state.kv.revision();
        self.volatile.watches.retain_mut(|watch| {
            if watch.next > revision {
                return true;
            }
            if state.kv.is_compacted(watch.next) {
                let result = Err(EtcdError::Compacted);
                let end = Response { id: watch.request, result };
                out.send(watch.client, Message::EtcdAnswer(end));
                return false;
            }
            let mut changes: Vec<&Change> = state
                .kv
                .changes(watch.next)
                .filter(|change| watch.keys.contains(change.event.key()))
                .collect();
            while let Some(first) = changes.first() {
                let at = first.event.mod_revision();
                let together = changes.partition_point(|it| it.event.mod_revision() == at);
                let later = changes.split_off(together);
                let events = changes.iter().map(|change| change.event.clone()).collect();
                let prev_kvs = match watch.prev {
                    Prev::Wanted => changes.iter().map(|change| change.prev.clone()).collect(),
                    Prev::NotWanted => Vec::new(),
                };
                let told = WatchEvents { watch: watch.watch, revision, events, prev_kvs };
                out.send(watch.client, Message::EtcdWatch(told));
                changes = later;
            }
            watch.next = revision + 1;
            true
        });
    }

    /// Whether a request is about a watch, and so this member's own business.
    pub(super) fn take_watch_request(
        &mut self,
        client: NodeId,
        request: Request,
        out: &mut Out<Actor>,
    ) -> Option<Request> {
        use super::api::Op;
        match request.op {
            Op::WatchCreate(create) => self.create_watch(client, request.id, create, out),
            Op::WatchCancel { watch } => self.cancel_watch(client, watch),
            _ => return Some(request),
        }
        None
    }
}
