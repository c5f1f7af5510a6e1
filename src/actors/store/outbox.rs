//! The outbox: what is to be done elsewhere for a write is stored with it, in one step, so
//! that a write that is refused leaves nothing to do. A relay takes it from here.

use super::api::{OutboxRow, RowId, StoreReply, Write};
use super::{Pending, Store, answer};
use crate::actors::Actor;
use crate::actors::fact::Fact;
use crate::actors::note::{EffectNote, Note};
use crate::sim::process::Out;

impl Store {
    /// The row of a write that is stored in this step. Who waits for one gets it.
    pub(super) fn add_row(&mut self, write: &Write, row: RowId, out: &mut Out<Actor>) {
        let Some(rows) = &mut self.rows else { return };
        let job = write.key();
        let added = EffectNote::RowAdded { row, job: job.job.clone(), object: job.object.clone() };
        out.note(Note::Effect(added)).sets(Fact::Row(row));
        rows.push(OutboxRow { row, job, amount: write.amount });
        for pending in std::mem::take(&mut self.open.relays) {
            self.give_row(pending, out);
        }
    }

    /// Gives the oldest row that is not marked, whoever has had it before. Where there is
    /// none the relay waits; one that asks once more waits once.
    pub(super) fn give_row(&mut self, pending: Pending, out: &mut Out<Actor>) {
        let Some(first) = self.rows.iter().flatten().next().cloned() else {
            self.open.relays.retain(|other| other.from != pending.from);
            self.open.relays.push(pending);
            return;
        };
        let row = first.row;
        out.note(Note::Effect(EffectNote::RowGiven { row })).because(Fact::Row(row));
        answer(&pending, Ok(StoreReply::Row(first)), out);
    }

    /// Marks a row, if it is not marked yet.
    pub(super) fn mark_sent(&mut self, pending: &Pending, row: RowId, out: &mut Out<Actor>) {
        if let Some(rows) = &mut self.rows
            && let Some(place) = rows.iter().position(|waits| waits.row == row)
        {
            rows.remove(place);
            out.note(Note::Effect(EffectNote::RowSent { row })).because(Fact::Row(row));
        }
        answer(pending, Ok(StoreReply::Marked), out);
    }
}
