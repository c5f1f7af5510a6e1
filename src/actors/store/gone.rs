//! Clients that are gone: what they had open is undone.

use super::api::StoreOp;
use super::{Pending, Row, Store, WriteId};
use crate::actors::Actor;
use crate::actors::etcd::api::RequestId;
use crate::actors::fact::Fact;
use crate::actors::note::StoreNote;
use crate::sim::process::{NodeId, Now, Out};

impl Store {
    /// A client hangs up: what waits for the row on its behalf is cancelled, and a
    /// transaction that it would have to complete is rolled back. A write that is
    /// being stored needs its client no more.
    pub(super) fn hung_up(
        &mut self,
        client: NodeId,
        last: RequestId,
        now: Now,
        out: &mut Out<Actor>,
    ) {
        let known = self.open.gone.entry(client).or_insert(last);
        *known = last.max(*known);
        self.open.waiting.retain(|pending| pending.from != client || pending.request.id > last);
        let theirs = |row: &Row| row.client == client && row.request <= last;
        let Some(Row { write, .. }) = self.open.row.as_ref().filter(|row| theirs(row)) else {
            return;
        };
        if self.is_stored_now(*write) {
            return;
        }
        let Some(Row { write, token, object, .. }) = self.open.row.take() else { return };
        self.open.begun.remove(&write);
        let owner = write.0;
        out.note(StoreNote::RolledBack { token, owner, object }).because(Fact::Begun(owner));
        self.serve_waiting(now, out);
    }

    fn is_stored_now(&self, id: WriteId) -> bool {
        self.open.storing.iter().any(|(.., pending)| match &pending.request.op {
            StoreOp::Put(write) | StoreOp::Complete(write) => super::id_of(write) == id,
            _ => false,
        })
    }

    /// Whether a request was made over a connection that is closed by now. What needs
    /// no more than to arrive is carried out all the same; it gets no row.
    pub(super) fn has_gone(&self, pending: &Pending) -> bool {
        self.open.gone.get(&pending.from).is_some_and(|last| pending.request.id <= *last)
    }
}
