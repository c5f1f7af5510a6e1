//! A store of one report that may check tokens.
//!
//! It keeps data, a mark (the highest token seen, and whose) and a [`Rule`]: what it
//! checks, and when. One mark is right for what one lock guards; a [`MarkScope`] says what
//! a mark is for. In the step in which it accepts a report, the partner books it, or a row
//! for a relay is written into its [`outbox`].
//!
//! ```text
//!   Put       ──────────────►  check + store          (wrong: check ──► store)
//!   Begin ──► (upload) ──► Complete: check + store    (wrong: check in Begin)
//! ```
//!
//! Durable: the data, the counter of [`StoreOp::NextNumber`] and, as told by
//! [`MarkKept`], the mark. A crash loses the slow writes begun, those being stored,
//! the row held and the requests that wait for it; none of them is answered. A client
//! that hangs up loses its own of these, but not a write being stored ([`gone`]).

pub mod api;
mod data;
mod gone;
mod marks;
mod outbox;
mod rule;
#[cfg(test)]
pub(crate) mod tests;
mod write;

use crate::actors::etcd::api::{RequestId, Text};
use crate::actors::fact::Fact;
use crate::actors::note::StoreNote;
use crate::actors::{Actor, Message, Setting, Timer};
use crate::sim::order;
use crate::sim::process::{Input, NodeId, Now, Out};
use crate::sim::time::Span;
use api::{
    Effects, JobKey, MarkKept, MarkScope, OutboxRow, Owner, Refusal, Rule, StoreOp, StoreReply,
    StoreRequest, StoreResponse, Token, Version, Write,
};
use data::{Data, Done};
use litemap::LiteMap;
use serde::Serialize;
use write::id_of;

/// All a store is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreConfig {
    /// What it checks.
    pub rule: Rule,
    /// Where it keeps its mark.
    pub mark: MarkKept,
    /// What one mark is for.
    pub scope: MarkScope,
    /// How long it needs to store a write, from the arrival of a `Put` or a
    /// `Complete`; with none it stores on arrival.
    pub write: Span,
    /// The first number its separate counter gives.
    pub first_number: Token,
    /// Where the effect of a write happens.
    pub effects: Effects,
}

/// A store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Store {
    rule: Rule,
    kept: MarkKept,
    write: Span,
    mark: Option<Mark>,
    /// Not in the state of a store with one mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_objects: Option<LiteMap<Text, Mark>>,
    /// Between a crash that lost the mark and the start that says so.
    mark_lost: bool,
    data: Data,
    next_number: Token,
    /// Told to people only.
    #[serde(skip)]
    refused: u32,
    open: Open,
    #[serde(skip_serializing_if = "Effects::are_in_step")]
    effects: Effects,
    /// Of an outbox what is not marked as sent, the oldest first. As durable as the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<OutboxRow>>,
}

/// The highest token seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// The token.
    pub token: Token,
    /// The acquisition that brought it first.
    pub owner: Owner,
    /// That owner's write with the highest sequence, if it wrote.
    pub last: Option<LastWrite>,
}

/// A write that was accepted, and what it was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LastWrite {
    /// Counts the owner's writes.
    pub sequence: u32,
    /// The version it made.
    pub made: Version,
}

/// What is under way. A crash loses it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Open {
    /// Slow writes begun, and whether they have been checked.
    begun: LiteMap<WriteId, Progress>,
    /// Whose row it is, while a transaction is open.
    row: Option<Row>,
    /// Writes being stored, each with its timer.
    storing: Vec<(u32, Progress, Pending)>,
    /// Requests that wait for the row, in order of arrival.
    waiting: Vec<Pending>,
    /// The clients that have hung up, each with the last request that it made before.
    gone: LiteMap<NodeId, RequestId>,
    /// Relays that wait for a row.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    relays: Vec<Pending>,
}

/// The row, held by an open transaction.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row {
    write: WriteId,
    token: Token,
    /// Over whose connection the transaction was begun.
    client: NodeId,
    /// By which request.
    request: RequestId,
    /// Which object is written; none where the data is not told apart.
    #[serde(skip_serializing_if = "str::is_empty")]
    object: Text,
}

/// A write by its owner and the owner's count.
type WriteId = (Owner, u32);

/// How far a write under way has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum Progress {
    /// It is yet to be checked.
    Unchecked,
    /// It passed the check of a rule that checks on arrival.
    Passed,
}

/// A request that is yet to be answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Pending {
    from: NodeId,
    request: StoreRequest,
    /// Serves the causes in the trace only.
    #[serde(skip)]
    came: Came,
}

/// How a request came to be taken up in this step.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Came {
    /// It arrived, or its own timer fell due.
    ByItself,
    /// It had waited for the row.
    Waited,
}

/// A store's timers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum StoreTimer {
    /// A write has taken its time and is stored now.
    Stored {
        /// Which of those being stored.
        ticket: u32,
    },
}

impl Store {
    /// A store without a report and without a mark.
    pub fn new(config: StoreConfig) -> Store {
        Store {
            rule: config.rule,
            kept: config.mark,
            write: config.write,
            mark: None,
            of_objects: (config.scope == MarkScope::Object).then(LiteMap::new),
            mark_lost: false,
            data: Data::default(),
            next_number: config.first_number,
            refused: 0,
            open: Open::default(),
            effects: config.effects,
            rows: (config.effects == Effects::Outbox).then(Vec::new),
        }
    }

    /// The rule in force.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The highest token seen, if a rule that keeps a mark has seen one.
    pub fn mark(&self) -> Option<Mark> {
        self.mark
    }

    /// The version of the report there is.
    pub fn version(&self) -> Version {
        self.data.version
    }

    /// What the partner has booked in all, in whole units of money.
    pub fn booked(&self) -> i64 {
        self.data.booked
    }

    /// How many writes were accepted, repeats aside. Each makes a version.
    pub fn accepted(&self) -> u32 {
        self.data.version
    }

    /// How many claims, beginnings and writes were refused.
    pub fn refused(&self) -> u32 {
        self.refused
    }

    /// The jobs whose reports are there, sorted.
    pub fn jobs_done(&self) -> Vec<JobKey> {
        self.data.done.keys().cloned().collect()
    }

    /// Where the effect of a write happens.
    pub fn effects(&self) -> Effects {
        self.effects
    }

    /// How many rows of its outbox wait to be sent, if it has one.
    pub fn rows(&self) -> Option<usize> {
        self.rows.as_ref().map(Vec::len)
    }

    /// Whose transaction holds the row, if one is open.
    pub fn row_held_by(&self) -> Option<Owner> {
        self.open.row.as_ref().map(|row| row.write.0)
    }

    /// Takes one input.
    pub fn handle(&mut self, input: Input<Actor>, now: Now, out: &mut Out<Actor>) {
        match input {
            Input::Start if self.mark_lost => {
                self.mark_lost = false;
                out.note(StoreNote::MarkLost).sets(Fact::Mark);
            }
            Input::Message { from, message: Message::Store(request) } => {
                self.take(Pending { from, request, came: Came::ByItself }, now, out);
            }
            Input::Message { from, message: Message::HangsUp(last) } => {
                self.hung_up(from, last, now, out);
            }
            Input::Timer(Timer::Store(StoreTimer::Stored { ticket })) => {
                let storing = &mut self.open.storing;
                let place = storing
                    .iter()
                    .position(|(number, ..)| *number == ticket)
                    .unwrap_or_else(|| unreachable!("every timer belongs to a write under way"));
                let (_, progress, pending) = storing.remove(place);
                self.store(pending, progress, now, out);
            }
            Input::Set(Setting::Rule(rule)) => {
                self.rule = rule;
                out.note(StoreNote::RuleSet { rule }).sets(Fact::Rule);
            }
            // A first start has nothing to say, and whoever sent something else, or
            // cannot be reached with an answer, gets no second one.
            _ => {}
        }
    }

    /// Forgets what is not durable.
    pub fn crash(&mut self) {
        self.open = Open::default();
        if self.kept == MarkKept::InMemory {
            self.mark_lost |= self.mark.take().is_some();
            let marks = self.of_objects.as_mut();
            self.mark_lost |= marks.is_some_and(|marks| !std::mem::take(marks).is_empty());
        }
    }

    /// Its machine closes the connections on which answers are waited for.
    pub fn last_words(&self) -> Vec<(NodeId, Message)> {
        let storing = self.open.storing.iter().map(|(.., pending)| pending.from);
        let waiting = self.open.waiting.iter().map(|pending| pending.from);
        let relays = self.open.relays.iter().map(|pending| pending.from);
        let mut clients: Vec<NodeId> = storing.chain(waiting).chain(relays).collect();
        order::by(&mut clients, Ord::cmp);
        clients.dedup();
        clients.into_iter().map(|client| (client, Message::Closed)).collect()
    }

    /// Takes up a request that arrived, or that has waited for its turn.
    fn take(&mut self, pending: Pending, now: Now, out: &mut Out<Actor>) {
        if self.must_wait(&pending) {
            if !self.has_gone(&pending) {
                self.wait(pending, out);
            }
            return;
        }
        match pending.request.op.clone() {
            StoreOp::Claim { token, owner, object } => {
                self.claim(&pending, (token, owner), object, out);
            }
            StoreOp::Read => {
                out.note(StoreNote::Read { version: self.data.version }).because(Fact::Version);
                answer(&pending, Ok(self.all_data()), out);
            }
            StoreOp::Put(write) => self.put(pending, &write, now, out),
            StoreOp::Begin(write) => self.begin(&pending, &write, out),
            StoreOp::Complete(_) => self.start_storing(pending, Progress::Unchecked, now, out),
            StoreOp::NextNumber => {
                let number = self.next_number;
                self.next_number += 1;
                out.note(StoreNote::NumberTaken { number });
                answer(&pending, Ok(StoreReply::Number(number)), out);
            }
            StoreOp::NextRow => self.give_row(pending, out),
            StoreOp::MarkSent { row } => self.mark_sent(&pending, row, out),
            // Nobody asks a store for what the partner does.
            StoreOp::Book { .. } => {}
        }
    }

    /// Whether a request has to wait for the end of an open transaction. Plain
    /// reads see the data as it was before, and what belongs to the transaction
    /// itself goes on.
    fn must_wait(&self, pending: &Pending) -> bool {
        let Some(row) = &self.open.row else { return false };
        match &pending.request.op {
            StoreOp::Read
            | StoreOp::NextNumber
            | StoreOp::NextRow
            | StoreOp::MarkSent { .. }
            | StoreOp::Book { .. } => false,
            StoreOp::Claim { .. } | StoreOp::Put(_) => true,
            StoreOp::Begin(write) | StoreOp::Complete(write) => id_of(write) != row.write,
        }
    }

    fn wait(&mut self, pending: Pending, out: &mut Out<Actor>) {
        let Some(holder) = self.row_held_by() else { unreachable!("one waits for a held row") };
        let (note, owner) = match &pending.request.op {
            StoreOp::Claim { token, owner, object } => {
                let (token, owner, object) = (*token, *owner, object.clone());
                (StoreNote::ClaimWaits { token, owner, object }, owner)
            }
            StoreOp::Put(write) | StoreOp::Begin(write) | StoreOp::Complete(write) => {
                let Write { token, owner, sequence, .. } = *write;
                let object = write.object.clone();
                (StoreNote::WriteWaits { token, owner, sequence, object }, owner)
            }
            _ => unreachable!("nothing else needs the row"),
        };
        out.note(note).sets(Fact::Waits(owner)).because(Fact::Begun(holder));
        self.open.waiting.push(Pending { came: Came::Waited, ..pending });
    }

    /// Takes up what waited, in order, as far as the row is free for it.
    fn serve_waiting(&mut self, now: Now, out: &mut Out<Actor>) {
        while let Some(place) =
            self.open.waiting.iter().position(|pending| !self.must_wait(pending))
        {
            let pending = self.open.waiting.remove(place);
            self.take(pending, now, out);
        }
    }

    fn all_data(&self) -> StoreReply {
        StoreReply::Data { version: self.data.version, jobs_done: self.jobs_done() }
    }

    /// Registers a token and returns the data in one step.
    fn claim(
        &mut self,
        pending: &Pending,
        (token, owner): (Token, Owner),
        object: Text,
        out: &mut Out<Actor>,
    ) {
        let mut because = self.check_rests_on(pending, owner, &object);
        if let Err(refusal) = self.rule.check_claim(self.mark_of(&object), token, owner) {
            self.refused += 1;
            let refused = StoreNote::ClaimRefused { token, owner, refusal, object };
            note(out, refused, Vec::new(), because);
            return answer(pending, Err(refusal), out);
        }
        let sets = self.raise_mark(token, owner, &object).into_iter().collect();
        because.push(Fact::Version);
        let claimed = StoreNote::Claimed { token, owner, version: self.data.version, object };
        note(out, claimed, sets, because);
        answer(pending, Ok(self.all_data()), out);
    }
}

fn note(out: &mut Out<Actor>, note: StoreNote, sets: Vec<Fact>, because: Vec<Fact>) {
    let noted = sets.into_iter().fold(out.note(note), |noted, fact| noted.sets(fact));
    because.into_iter().fold(noted, |noted, fact| noted.because(fact));
}

fn answer(pending: &Pending, result: Result<StoreReply, Refusal>, out: &mut Out<Actor>) {
    let response = StoreResponse { id: pending.request.id, result };
    out.send(pending.from, Message::StoreAnswer(response));
}
