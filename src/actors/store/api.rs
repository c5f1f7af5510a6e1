//! What a worker can ask of a fenced store and what it is answered.
//!
//! No public object store compares tokens; this one does, in the step in which
//! the data changes (or, under a rule named as wrong, not quite there).

use crate::actors::etcd::api::{LeaseId, RequestId, Text};
use crate::actors::objects::api::ObjectError;
use serde::Serialize;

/// A fencing token.
pub type Token = i64;

/// Who presents a token: one acquisition, not a host. A worker takes a new lease
/// for each acquisition, so the lease's number names it.
pub type Owner = LeaseId;

/// The version of the stored report: 0 before the first.
pub type Version = u32;

/// A call to the store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoreRequest {
    /// Repeated in the answer; a retry has the same number.
    pub id: RequestId,
    /// What is asked.
    pub op: StoreOp,
}

/// The store's operations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum StoreOp {
    /// Registers a token and returns the data in one step: a fenced read.
    Claim {
        /// The token.
        token: Token,
        /// Whose it is.
        owner: Owner,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// Reads the data; no token is looked at.
    Read,
    /// Writes a report in one step.
    Put(Write),
    /// Begins a slow write: under some rules the token is checked here.
    Begin(Write),
    /// Completes the slow write begun under the same owner and sequence.
    Complete(Write),
    /// Takes the next number of a counter that has nothing to do with the lock.
    NextNumber,
    /// A relay asks for the first row of the outbox that is not marked as sent; it is answered
    /// when there is one.
    NextRow,
    /// A relay has sent a row: it is marked.
    MarkSent {
        /// Which.
        row: RowId,
    },
    /// Asked of the partner: to book.
    Book {
        /// The idempotency key.
        key: Text,
        /// The job it does.
        job: JobKey,
        /// How much, in whole units of money.
        amount: i64,
    },
}

/// A row of an outbox: the version that the write made with which it was stored.
pub type RowId = Version;

/// What a relay has to send.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutboxRow {
    /// Its id.
    pub row: RowId,
    /// The job it does.
    pub job: JobKey,
    /// What the partner shall book for it, in whole units of money.
    pub amount: i64,
}

/// Where the effect of a write happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Effects {
    /// At the partner, in the step that stores.
    InStep,
    /// Elsewhere: whoever writes sees to it.
    Elsewhere,
    /// Elsewhere, by a relay: the step that stores writes a row for it.
    Outbox,
}

/// A report on its way into the store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Write {
    /// The token it carries.
    pub token: Token,
    /// Whose token.
    pub owner: Owner,
    /// Counts an owner's writes from 1; a retry has the same number.
    pub sequence: u32,
    /// The version it was computed from.
    pub read_version: Version,
    /// The job it does (a day's report, a refund): two effects of one job on one object
    /// are one too many.
    pub job: Text,
    /// What the partner books for it, in whole units of money.
    pub amount: i64,
    /// Which object it is of; none where the data is not told apart.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub object: Text,
}

/// What is done once: a job, and to which object, as one job may be done to several.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct JobKey {
    /// The job.
    pub job: Text,
    /// The object; none where the data is not told apart.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub object: Text,
}

impl JobKey {
    /// A job, done to an object.
    pub fn new(job: &Text, object: &Text) -> JobKey {
        JobKey { job: job.clone(), object: object.clone() }
    }
}

impl Write {
    /// What it does.
    pub fn key(&self) -> JobKey {
        JobKey::new(&self.job, &self.object)
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoreResponse {
    /// The request's.
    pub id: RequestId,
    /// What came of it.
    pub result: Result<StoreReply, Refusal>,
}

/// A good answer: 200.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum StoreReply {
    /// To a claim or a read.
    Data {
        /// The version there is.
        version: Version,
        /// The jobs whose reports are there.
        jobs_done: Vec<JobKey>,
    },
    /// To a put or the completion of a slow write.
    Accepted {
        /// The version it made.
        version: Version,
    },
    /// To the beginning of a slow write.
    Begun,
    /// To `NextNumber`.
    Number(Token),
    /// To `NextRow`.
    Row(OutboxRow),
    /// To `MarkSent`.
    Marked,
    /// To `Book`, from the partner.
    Booked,
}

/// A bad answer: 412.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Refusal {
    /// The token is too low, or equal with another owner or a lower sequence.
    Token {
        /// The highest token seen.
        mark: Token,
    },
    /// The version read is not the version there is.
    Version {
        /// The version there is.
        current: Version,
    },
    /// The job is done already.
    JobDone,
    /// There is no slow write begun under this owner and sequence.
    NotBegun,
    /// An object store's condition does not hold.
    Condition(ObjectError),
    /// A comparison of a transaction in etcd does not hold.
    Compare,
}

/// What a store checks, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Rule {
    /// Nothing: every write is accepted, claims keep no mark.
    None,
    /// `token >= mark`, whoever sends it.
    AtLeast,
    /// `token > mark`, or equal with the same owner and a higher sequence.
    OwnerAndSequence,
    /// The version read must be the version there is.
    CompareAndSet,
    /// A job that is done is refused, whatever its token.
    DedupeKey,
    /// As `OwnerAndSequence`; a slow write checks and holds the row from its
    /// beginning to its end, so that a claim in between waits.
    SameTransaction,
    /// Wrong: `token > mark` for writes too, so a holder's own second step is refused.
    StrictlyGreater,
    /// Wrong: only the number seen last passes, so no hand-over ever works.
    LastSeen,
    /// Wrong: the check is one call and the put another.
    CheckThenPut,
    /// Wrong: a slow write is checked when it begins, not when it is stored.
    CheckAtStart,
    /// As `OwnerAndSequence`, and a job that is done is answered as it was the first time: a
    /// log with a leader, whose terms are the tokens and whose table of keys is the log's.
    TermAndKey,
}

/// Where a store keeps its mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum MarkKept {
    /// With the data: it survives a restart.
    Durable,
    /// Wrong: in memory only.
    InMemory,
}

/// What one mark is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum MarkScope {
    /// All data that the store has.
    Store,
    /// Each object has a mark of its own.
    Object,
}

impl Effects {
    /// Whether they are part of the step that stores.
    pub fn are_in_step(&self) -> bool {
        *self == Effects::InStep
    }
}

impl StoreOp {
    /// The kind of call, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match self {
            StoreOp::Claim { .. } => "claim",
            StoreOp::Read => "read",
            StoreOp::Put(_) => "report",
            StoreOp::Begin(_) => "begin",
            StoreOp::Complete(_) => "complete",
            StoreOp::NextNumber => "next-number",
            StoreOp::NextRow => "next-row",
            StoreOp::MarkSent { .. } => "mark-sent",
            StoreOp::Book { .. } => "book",
        }
    }
}

impl StoreResponse {
    /// The kind of answer, as people name it in a click.
    pub fn kind(&self) -> &'static str {
        match &self.result {
            Err(_) => "refusal",
            Ok(StoreReply::Data { .. }) => "data",
            Ok(StoreReply::Accepted { .. }) => "accepted",
            Ok(StoreReply::Begun) => "begun",
            Ok(StoreReply::Number(_)) => "number",
            Ok(StoreReply::Row(_)) => "row",
            Ok(StoreReply::Marked) => "marked",
            Ok(StoreReply::Booked) => "booked",
        }
    }
}
