//! A partner that books what it is told to. Nobody can fence it: it compares no tokens. All
//! it may do is to know an idempotency key again.

use crate::actors::etcd::api::{RequestId, Text};
use crate::actors::fact::Fact;
use crate::actors::note::{EffectNote, Note};
use crate::actors::store::api::{JobKey, StoreOp, StoreReply, StoreRequest, StoreResponse};
use crate::actors::{Actor, Message};
use crate::sim::process::{Input, NodeId, Out};
use serde::Serialize;

/// What a partner makes of an idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Keys {
    /// Nothing: each request is booked.
    Ignored,
    /// A request under a key that is known is answered as the first was, and not booked.
    Checked,
}

/// The partner. All it has is durable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Partner {
    keys: Keys,
    booked: i64,
    /// The keys of what was booked, where they are looked at.
    known: Vec<Text>,
}

impl Partner {
    /// A partner that has booked nothing.
    pub fn new(keys: Keys) -> Partner {
        Partner { keys, booked: 0, known: Vec::new() }
    }

    /// What it has booked in all, in whole units of money.
    pub fn booked(&self) -> i64 {
        self.booked
    }

    /// Takes one input. It answers at once, and keeps nothing open.
    #[inline(never)]
    pub fn handle(&mut self, input: Input<Actor>, out: &mut Out<Actor>) {
        if let Input::Message { from, message: Message::Store(StoreRequest { id, op }) } = input
            && let StoreOp::Book { key, job, amount } = op
        {
            self.book(key, job, amount, out);
            answer(from, id, out);
        }
    }

    fn book(&mut self, key: Text, job: JobKey, amount: i64, out: &mut Out<Actor>) {
        if self.known.contains(&key) {
            let known = Note::Effect(EffectNote::KeyKnown { key: key.clone() });
            out.note(known).because(Fact::Booked(key));
            return;
        }
        self.booked += amount;
        let (booked, fact) = (self.booked, Fact::Booked(key.clone()));
        if self.keys == Keys::Checked {
            self.known.push(key.clone());
        }
        let JobKey { job, object } = job;
        out.note(Note::Effect(EffectNote::Booked { key, job, object, amount, booked })).sets(fact);
    }
}

fn answer(to: NodeId, id: RequestId, out: &mut Out<Actor>) {
    let result = Ok(StoreReply::Booked);
    out.send(to, Message::StoreAnswer(StoreResponse { id, result }));
}
