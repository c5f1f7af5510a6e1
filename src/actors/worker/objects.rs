//! What a client makes of an object store's conditions: plain puts, compare-and-set, and a
//! fence.
//!
//! ```text
//!   claim   get ─► token higher: stop
//!            ▲└──► put what was read under the own token, If-Match ─► claimed
//!            └────────────────── 412, 409 ◄─┘
//!   write   put If-Match ─► stored
//!            └─► 412, 409 ─► head ─► it is my own: stored
//!                              └───► it is not: stop
//! ```
//!
//! The store decides by the ETag alone; that a higher token stops a client is the client's
//! own doing, and a client that does not look is stopped by nothing but the ETag.

use super::calls::{Ask, ObjectsAsk};
use super::config::Puts;
use super::program::Grant;
use super::{Outbox, Worker};
use crate::actors::etcd::api::Text;
use crate::actors::fact::Fact;
use crate::actors::note::{BeliefEnd, StopReason, WorkerNote};
use crate::actors::objects::api::{
    Condition, ETag, GetIf, Means, Metadata, ObjectError, Op, Put, PutIf, Reply, Response,
};
use crate::actors::store::api::{Refusal, Token, Version};
use crate::sim::in_full::InFull;
use crate::sim::time::Mono;
use serde::Serialize;

/// The object that the workers write.
pub const KEY: &str = "report";

/// In the metadata: under which token an object was put.
pub const TOKEN: &str = "fence-token";

/// In the metadata: by which put of whose.
const PUT_BY: &str = "put-by";

/// Parts a body's report from the mark that makes it unlike all others.
pub(super) const MARK: &str = " #";

/// An object as a client knows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Seen {
    etag: ETag,
    /// The report in its body.
    report: Text,
}

/// The report in a body.
pub fn report_in(body: &str) -> &str {
    body.split(MARK).next().unwrap_or_default()
}

/// The token in an object's metadata.
pub fn token_in(metadata: &Metadata) -> Option<Token> {
    metadata.get(TOKEN).and_then(|token| token.parse().ok())
}

impl Worker {
    fn puts(&self) -> Puts {
        self.config.puts.expect("only a client of an object store asks one")
    }

    /// What names this put among all others: whose it is, and which of its writes. A claim
    /// is number 0.
    pub(super) fn put_by(&self, sequence: u32) -> Text {
        format!("{:x}.{sequence}", self.program.credentials().owner.0).into()
    }

    /// The content of a request.
    #[inline(never)]
    pub(super) fn objects_op(&self, ask: ObjectsAsk) -> Op {
        let key: Text = KEY.into();
        let Grant { token, owner } = self.program.credentials();
        match ask {
            ObjectsAsk::Look | ObjectsAsk::Read => Op::Get { key, only: GetIf::Always },
            ObjectsAsk::Settle => Op::Head { key },
            ObjectsAsk::Claim => {
                let report = self.program.seen.as_ref().map_or("".into(), |it| it.report.clone());
                self.put(&report, 0, Means::Claim { token, owner })
            }
            ObjectsAsk::Write => {
                let write = self.write();
                self.put(&write.job.clone(), write.sequence, Means::Report(write))
            }
        }
    }

    fn put(&self, report: &str, sequence: u32, means: Means) -> Op {
        let (puts, put_by) = (self.puts(), self.put_by(sequence));
        let mut metadata = Metadata::new();
        if puts.is_fence() {
            metadata.insert(TOKEN.into(), self.program.credentials().token.to_string().into());
        }
        if self.knows_its_own() {
            metadata.insert(PUT_BY.into(), put_by.clone());
        }
        let only = match &self.program.seen {
            _ if puts == Puts::Plain => PutIf::Always,
            None => PutIf::Absent,
            Some(seen) => PutIf::Match(seen.etag),
        };
        let body: Text = match puts {
            Puts::Plain | Puts::IfMatch | Puts::TokenInMetadata => report.into(),
            Puts::IfMatchOwnMark => format!("{report}{MARK}{put_by}").into(),
            Puts::TokenInBody => {
                format!("{report}{MARK}{}.{put_by}", self.program.credentials().token).into()
            }
        };
        Op::Put(Put { key: KEY.into(), body, metadata, only, means: Some(means), record: None })
    }

    /// Whether it can tell its own put from another's.
    fn knows_its_own(&self) -> bool {
        !matches!(self.puts(), Puts::Plain | Puts::IfMatch)
    }

    /// An object store answered.
    pub(super) fn objects_answered(&mut self, response: Response, now: Mono, out: &mut Outbox) {
        let Some(Ask::Objects(ask)) = self.answered(response.id, out) else { return };
        match (ask, response.result) {
            (ObjectsAsk::Look | ObjectsAsk::Read, Ok(Reply::Object(object))) => {
                let report = report_in(&object.body).into();
                self.program.seen = Some(Seen { etag: object.etag, report });
                self.saw(ask, &object.metadata, object.version, now, out);
            }
            (ObjectsAsk::Look | ObjectsAsk::Read, Err(ObjectError::NoSuchKey)) => {
                self.program.seen = None;
                self.saw(ask, &Metadata::new(), 0, now, out);
            }
            (ObjectsAsk::Claim, Ok(Reply::Stored { etag, .. })) => {
                let report = self.program.seen.take().map_or("".into(), |seen| seen.report);
                self.program.seen = Some(Seen { etag, report });
                self.has_data(now, out);
            }
            // Somebody was faster: what there is now has to be looked at first.
            (ObjectsAsk::Claim, Err(_)) => self.call(Ask::Objects(ObjectsAsk::Look), now, out),
            (ObjectsAsk::Write, Ok(Reply::Stored { etag, version })) => {
                self.stored(etag, version, now, out);
            }
            (ObjectsAsk::Write, Err(_)) if self.knows_its_own() => {
                self.call(Ask::Objects(ObjectsAsk::Settle), now, out);
            }
            (ObjectsAsk::Write, Err(error)) => self.refused(Refusal::Condition(error), now, out),
            (ObjectsAsk::Settle, Ok(Reply::Head { etag, metadata, version })) => {
                self.settled(etag, &metadata, version, now, out);
            }
            (ObjectsAsk::Settle, Err(error)) => self.refused(Refusal::Condition(error), now, out),
            (ask, result) => {
                unreachable!(
                    "an object store does not answer {} so: {}",
                    InFull(&ask),
                    InFull(&result)
                )
            }
        }
    }

    /// Knows what there is: a claim goes on with its put, unless it stands already.
    fn saw(
        &mut self,
        ask: ObjectsAsk,
        metadata: &Metadata,
        version: Version,
        now: Mono,
        out: &mut Outbox,
    ) {
        self.program.read_version = version;
        if ask == ObjectsAsk::Read || !self.puts().is_fence() {
            return self.has_data(now, out);
        }
        if metadata.get(PUT_BY) == Some(&self.put_by(0)) {
            self.found_own(out);
            return self.has_data(now, out);
        }
        match token_in(metadata) {
            Some(token) if token >= self.program.credentials().token => {
                self.found_higher(token, now, out);
            }
            _ => self.call(Ask::Objects(ObjectsAsk::Claim), now, out),
        }
    }

    /// After a put that was refused: whose is what stands there.
    fn settled(
        &mut self,
        etag: ETag,
        metadata: &Metadata,
        version: Version,
        now: Mono,
        out: &mut Outbox,
    ) {
        if metadata.get(PUT_BY) == Some(&self.put_by(self.program.sequence)) {
            self.found_own(out);
            return self.stored(etag, version, now, out);
        }
        let own = self.program.credentials().token;
        match token_in(metadata).filter(|token| self.puts().is_fence() && *token > own) {
            Some(token) => self.found_higher(token, now, out),
            None => {
                let refusal = ObjectError::PreconditionFailed(Condition::IfMatch);
                self.refused(Refusal::Condition(refusal), now, out);
            }
        }
    }

    fn found_own(&self, out: &mut Outbox) {
        let token = self.program.credentials().token;
        out.note(WorkerNote::FoundOwn { token }).because(Fact::Call);
    }

    /// Another is entitled: what was computed is out of date.
    fn found_higher(&mut self, token: Token, now: Mono, out: &mut Outbox) {
        out.note(WorkerNote::FoundHigher { token }).because(Fact::Belief);
        self.stop(BeliefEnd::FoundHigher, StopReason::FoundHigher, now, out);
    }

    fn has_data(&mut self, now: Mono, out: &mut Outbox) {
        let job = self.job();
        let is_done = self.program.seen.as_ref().is_some_and(|seen| seen.report == job);
        self.data_read(is_done, now, out);
    }

    fn stored(&mut self, etag: ETag, version: Version, now: Mono, out: &mut Outbox) {
        self.program.seen = Some(Seen { etag, report: self.job() });
        self.acknowledged(version, now, out);
    }

    /// What it writes next.
    pub(super) fn write(&self) -> crate::actors::store::api::Write {
        let mut write = self.program.write(self.job(), self.config.amount, self.object());
        // Without a fence no put carries a token.
        let is_bare = self.config.puts.is_some_and(|puts| !puts.is_fence())
            || self.config.guard.is_some_and(|guard| !guard.carries_revision());
        if is_bare {
            write.token = 0;
        }
        write
    }
}
