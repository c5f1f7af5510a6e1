//! Sends the rows of a store's outbox to the partner, one after the other: a row is marked
//! as sent when the partner has answered, so that none is forgotten. What comes between the
//! two, as a crash, has the row sent again.
//!
//! ```text
//!   next row? ──► a row ──► book it at the partner ──► answered ──► mark it ──► next row?
//! ```

use crate::actors::etcd::api::RequestId;
use crate::actors::note::{EffectNote, Note};
use crate::actors::store::api::{
    OutboxRow, RowId, StoreOp, StoreReply, StoreRequest, StoreResponse,
};
use crate::actors::{Actor, Message, Timer};
use crate::sim::in_full::InFull;
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::Span;
use serde::Serialize;

/// After so long without a row it asks for one again: the answer may have been lost.
const NOTHING_HEARD: Span = Span::from_s(30);

/// A relay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Relay {
    store: NodeId,
    partner: NodeId,
    /// How long after a request that was not answered it asks again.
    every: Span,
    /// No two requests of this machine for different things have the same number.
    last_id: u32,
    doing: Doing,
}

/// What it waits for. A crash forgets it.
#[derive(Clone, Debug, PartialEq, Serialize)]
enum Doing {
    /// A row.
    Looks,
    /// The partner's answer.
    Sends(OutboxRow),
    /// That the store has marked it.
    Marks(RowId),
}

/// A relay's timers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum RelayTimer {
    /// To look for a row again.
    Look,
    /// To ask again for what was not answered.
    Again,
}

impl Relay {
    /// A relay that has sent nothing.
    pub fn new(store: NodeId, partner: NodeId, every: Span) -> Relay {
        Relay { store, partner, every, last_id: 0, doing: Doing::Looks }
    }

    /// The row that is with the partner, or being marked as sent.
    pub fn row(&self) -> Option<RowId> {
        match &self.doing {
            Doing::Looks => None,
            Doing::Sends(OutboxRow { row, .. }) | Doing::Marks(row) => Some(*row),
        }
    }

    /// Takes one input.
    #[inline(never)]
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start => self.goes_on(Doing::Looks, now, out),
            Input::Timer(Timer::Relay(timer)) => {
                if timer == RelayTimer::Again {
                    let asked = self.asks().0;
                    out.note(Note::Effect(EffectNote::AsksAgain)).silence_of(asked);
                }
                self.ask(now, out);
            }
            Input::Message {
                message: Message::StoreAnswer(StoreResponse { id, result }), ..
            } if id == RequestId(self.last_id) => {
                let next = match (&self.doing, result) {
                    (Doing::Looks, Ok(StoreReply::Row(row))) => Doing::Sends(row),
                    (Doing::Sends(sent), Ok(StoreReply::Booked)) => Doing::Marks(sent.row),
                    (Doing::Marks(_), Ok(StoreReply::Marked)) => Doing::Looks,
                    (doing, reply) => {
                        unreachable!("{} is not answered with {}", InFull(doing), InFull(&reply))
                    }
                };
                self.goes_on(next, now, out);
            }
            // Whom it asks does not run, or does so no more.
            Input::Unreachable { .. } | Input::Message { message: Message::Closed, .. } => {
                out.set_timer(Timer::Relay(RelayTimer::Again), now.mono + self.every);
            }
            // An answer to what it does not ask any more.
            _ => {}
        }
    }

    /// Forgets what it was at: the store knows which rows are marked.
    pub fn crash(&mut self) {
        self.doing = Doing::Looks;
    }

    fn goes_on(&mut self, doing: Doing, now: Now, out: &mut Out<Actor>) {
        self.doing = doing;
        self.last_id += 1;
        self.ask(now, out);
    }

    /// Whom it asks, and what.
    fn asks(&self) -> (NodeId, StoreOp) {
        match &self.doing {
            Doing::Looks => (self.store, StoreOp::NextRow),
            Doing::Marks(row) => (self.store, StoreOp::MarkSent { row: *row }),
            Doing::Sends(OutboxRow { row, job, amount }) => {
                // A row's id is its effect's, however often it is sent.
                let key = format!("row {row}").into();
                (self.partner, StoreOp::Book { key, job: job.clone(), amount: *amount })
            }
        }
    }

    fn ask(&self, now: Now, out: &mut Out<Actor>) {
        let (to, op) = self.asks();
        let (timer, other, after) = match self.doing {
            Doing::Looks => (RelayTimer::Look, RelayTimer::Again, NOTHING_HEARD),
            Doing::Sends(_) | Doing::Marks(_) => (RelayTimer::Again, RelayTimer::Look, self.every),
        };
        out.send(to, Message::Store(StoreRequest { id: RequestId(self.last_id), op }));
        out.cancel_timer(Timer::Relay(other));
        out.set_timer(Timer::Relay(timer), now.mono + after);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::store::api::JobKey;
    use crate::sim::process::{Command, Draws};
    use crate::sim::time::{Mono, Wall};

    const STORE: NodeId = NodeId(1);
    const PARTNER: NodeId = NodeId(2);

    /// Gives one input; what it asks for, of whom and under which number.
    #[track_caller]
    fn check(relay: &mut Relay, input: Input<Actor>, expected: &[&str]) {
        let mut draws = Draws::new(1);
        let now = Now { mono: Mono(0), wall: Wall(0) };
        let mut out = Out::new(NodeId(3), now, &mut draws);
        relay.handle(input, now, &mut out);
        let said = |command: Command<Actor>| match command {
            Command::Send { to, message: Message::Store(StoreRequest { id, op }) } => {
                Some(format!("{} {} of {}", id.0, op.kind(), to.0))
            }
            Command::SetTimer { timer: Timer::Relay(timer), at } => {
                Some(format!("{timer:?} at {}", at.0 / 1_000_000))
            }
            _ => None,
        };
        let said: Vec<String> = out.into_commands().into_iter().filter_map(said).collect();
        assert_eq!(said, expected);
    }

    fn relay() -> Relay {
        Relay::new(STORE, PARTNER, Span::from_s(2))
    }

    fn answer(id: u32, reply: StoreReply) -> Input<Actor> {
        let response = StoreResponse { id: RequestId(id), result: Ok(reply) };
        Input::Message { from: STORE, message: Message::StoreAnswer(response) }
    }

    fn row() -> StoreReply {
        StoreReply::Row(OutboxRow {
            row: 7,
            job: JobKey::new(&"payout".into(), &"".into()),
            amount: 5,
        })
    }

    #[test]
    fn a_row_is_marked_when_the_partner_has_answered_and_the_next_is_asked_for() {
        let mut relay = relay();
        check(&mut relay, Input::Start, &["1 next-row of 1", "Look at 30"]);
        check(&mut relay, answer(1, row()), &["2 book of 2", "Again at 2"]);
        check(&mut relay, answer(1, row()), &[]);
        assert_eq!(relay.row(), Some(7));
        check(&mut relay, answer(2, StoreReply::Booked), &["3 mark-sent of 1", "Again at 2"]);
        check(&mut relay, answer(3, StoreReply::Marked), &["4 next-row of 1", "Look at 30"]);
        assert_eq!(relay.row(), None);
    }

    #[test]
    fn what_is_not_answered_is_asked_again_under_its_number() {
        let mut relay = relay();
        check(&mut relay, Input::Start, &["1 next-row of 1", "Look at 30"]);
        check(&mut relay, answer(1, row()), &["2 book of 2", "Again at 2"]);
        let again = Input::Timer(Timer::Relay(RelayTimer::Again));
        check(&mut relay, again, &["2 book of 2", "Again at 2"]);
    }

    #[test]
    fn after_a_crash_it_begins_by_asking_and_takes_no_old_answer() {
        let mut relay = relay();
        check(&mut relay, Input::Start, &["1 next-row of 1", "Look at 30"]);
        check(&mut relay, answer(1, row()), &["2 book of 2", "Again at 2"]);
        relay.crash();
        check(&mut relay, Input::Start, &["3 next-row of 1", "Look at 30"]);
        check(&mut relay, answer(2, StoreReply::Booked), &[]);
    }
}
