//! The program: its steps in order, what it knows of its acquisition, and its ends.

use super::calls::{Ask, Call, EtcdAsk, ObjectsAsk, RedisAsk, StoreAsk};
use super::config::{ReleaseCheck, Step};
use super::consul::ConsulAsk;
use super::guard::data_ask;
use super::objects::Seen;
use super::postgres::PgAsk;
use super::recipe::Watch;
use super::redlock::{For, Round};
use super::session::Session;
use super::{Begun, Outbox, Worker};
use crate::actors::etcd::api::{LeaseId, Revision, Text};
use crate::actors::fact::Fact;
use crate::actors::note::{BeliefEnd, SessionEnd, StopReason, WorkerNote};
use crate::actors::store::api::{
    JobKey, Owner, Refusal, StoreReply, StoreResponse, Token, Version, Write,
};
use crate::sim::in_full::InFull;
use crate::sim::process::NodeId;
use crate::sim::time::{Mono, Span};
use litemap::LiteMap;
use serde::Serialize;

/// Where the program stands and what it knows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Program {
    /// The present step's place; the program's length past the last one.
    pub at: u8,
    pub doing: Doing,
    /// A number drawn before the lock is taken.
    drawn: Option<Token>,
    /// The create revision of the own key, once it is known; else 0.
    pub key_revision: Revision,
    grant: Option<Grant>,
    pub holds: Holds,
    /// The version that was read, or made by the last write.
    pub read_version: Version,
    /// The same of each object.
    #[serde(skip_serializing_if = "LiteMap::is_empty")]
    pub versions: LiteMap<Text, Version>,
    /// Counts the writes of this acquisition.
    pub sequence: u32,
    /// What was seen in an object store, or put there, last.
    pub seen: Option<Seen>,
}

/// What the main thread does.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) enum Doing {
    NotBegun,
    Calls(Call),
    Waits(Watch),
    Works,
    /// It waits for the votes of independent nodes.
    Votes(Round),
    Finished,
    Stopped(StopReason),
    Exited,
    /// It waits until it asks again for a lock that is held.
    Polls,
    /// It waits for the next transfer.
    Idles,
}

/// The last acquisition.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Grant {
    pub token: Token,
    pub owner: Owner,
}

/// Above this are names of tries without a lock: below are those of acquisitions.
const WITHOUT_A_LOCK: u64 = 1 << 56;

/// Whose try it is, if it is a try without a lock.
pub fn who_tries(owner: Owner) -> Option<NodeId> {
    let node = (owner.0.checked_sub(WITHOUT_A_LOCK)? >> 32) as u8;
    Some(NodeId(node))
}

/// Whether the program believes that the last acquisition still stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum Holds {
    Believes,
    No,
}

impl Program {
    /// Knows nothing yet.
    pub(super) fn new(doing: Doing) -> Program {
        Program {
            at: 0,
            doing,
            drawn: None,
            key_revision: 0,
            grant: None,
            holds: Holds::No,
            read_version: 0,
            versions: LiteMap::new(),
            sequence: 0,
            seen: None,
        }
    }

    /// The acquisition that it believes in.
    pub(super) fn believed(&self) -> Option<Grant> {
        self.grant.filter(|_| self.holds == Holds::Believes)
    }

    /// The token and the owner that calls carry: the last acquisition's; without
    /// one, a token that beats none.
    pub(super) fn credentials(&self) -> Grant {
        self.grant.unwrap_or(Grant { token: 0, owner: Owner::NONE })
    }

    /// The same for the whole of a write, however often it is sent.
    pub(super) fn write(&self, job: Text, amount: i64, object: Text) -> Write {
        let Grant { token, owner } = self.credentials();
        let (sequence, known) = (self.sequence, self.versions.get(&object));
        let read_version = known.copied().unwrap_or(self.read_version);
        Write { token, owner, sequence, read_version, job, amount, object }
    }
}

impl Worker {
    /// The program begins, for the first time or anew.
    pub(super) fn begin(&mut self, now: Mono, out: &mut Outbox) {
        self.begun = Begun::Before;
        self.program = Program::new(Doing::NotBegun);
        out.note(WorkerNote::Began);
        if self.config.program.contains(&Step::Take) {
            self.let_arrive(now, out);
        }
        if !self.config.program.contains(&Step::Acquire) {
            self.name_attempt(out);
        }
        self.take_step(now, out);
    }

    /// Without a lock there is no acquisition that could name what it writes: each try has
    /// a number of its own, and no token.
    pub(super) fn name_attempt(&mut self, out: &Outbox) {
        let number = u64::from(self.next_id().0) + (u64::from(out.node().0) << 32);
        let owner = LeaseId(WITHOUT_A_LOCK + number);
        self.program.grant = Some(Grant { token: 0, owner });
    }

    /// The step it is in; past the last one it only gives the lock back.
    pub(super) fn step(&self) -> Step {
        let step = self.config.program.get(usize::from(self.program.at));
        step.copied().unwrap_or(Step::Release)
    }

    fn past_the_end(&self) -> bool {
        usize::from(self.program.at) >= self.config.program.len()
    }

    /// Goes to the next step.
    pub(super) fn advance(&mut self, now: Mono, out: &mut Outbox) {
        if !self.past_the_end() {
            self.program.at += 1;
        }
        self.take_step(now, out);
    }

    fn take_step(&mut self, now: Mono, out: &mut Outbox) {
        if self.past_the_end() {
            match self.next_transfer() {
                Some(place) => self.program.at = place,
                None => return self.end(now, out),
            }
        }
        let step = self.step();
        self.note_step(step, out);
        match step {
            Step::DrawNumber => self.call(Ask::Store(StoreAsk::Number), now, out),
            Step::Acquire => {
                // Each acquisition has a session of its own.
                self.give_up_session(out);
                if self.config.recipe.is_for_redis() {
                    self.draw_value(out);
                    if self.goes_by_votes() {
                        return self.ask_all(For::Taking, now, out);
                    }
                    return self.call(Ask::Redis(RedisAsk::Take), now, out);
                }
                if self.config.recipe.is_for_zookeeper() {
                    return self.open_zk(now, out);
                }
                if self.config.recipe.is_for_consul() {
                    return self.open_consul(now, out);
                }
                if self.config.recipe.is_for_objects() {
                    return self.open_object(now, out);
                }
                if self.config.recipe.is_for_postgres() {
                    self.draw_value(out);
                    return self.call(Ask::Postgres(PgAsk::Connect), now, out);
                }
                self.call(Ask::Etcd(EtcdAsk::Grant), now, out);
            }
            Step::Claim => self.ask_store(StoreAsk::Claim, ObjectsAsk::Look, now, out),
            Step::Read => self.ask_store(StoreAsk::Read, ObjectsAsk::Read, now, out),
            Step::Compute => self.work(self.config.compute, now, out),
            Step::Check => self.check(now, out),
            Step::Write => {
                self.program.sequence += 1;
                self.ask_store(StoreAsk::Write, ObjectsAsk::Write, now, out);
            }
            Step::SlowWrite => {
                self.program.sequence += 1;
                // An object is uploaded in one request: its condition is looked at when
                // all of it is there.
                if self.config.puts.is_some() || self.config.guard.is_some() {
                    return self.work(self.config.upload, now, out);
                }
                self.call(Ask::Store(StoreAsk::Begin), now, out);
            }
            Step::Release => self.release(now, out),
            Step::Take => self.take_transfer(now, out),
            Step::Book => self.call(Ask::Store(StoreAsk::Book), now, out),
        }
    }

    /// No transfer is left: the program is past its last step.
    pub(super) fn past_all_transfers(&mut self, now: Mono, out: &mut Outbox) {
        self.program.at = self.program_length();
        self.end(now, out);
    }

    /// Asks the store there is.
    fn ask_store(&mut self, store: StoreAsk, objects: ObjectsAsk, now: Mono, out: &mut Outbox) {
        let ask = match (self.config.puts, self.config.guard) {
            (_, Some(guard)) => Ask::Etcd(data_ask(store, guard)),
            (None, None) => Ask::Store(store),
            (Some(_), None) => Ask::Objects(objects),
        };
        self.call(ask, now, out);
    }

    fn note_step(&self, step: Step, out: &mut Outbox) {
        let rests_on: &[Fact] = match step {
            Step::Claim | Step::Read => &[Fact::Belief],
            Step::Compute | Step::Check => &[Fact::Data],
            Step::Write | Step::SlowWrite | Step::Book => &[Fact::Belief, Fact::Data],
            Step::DrawNumber | Step::Acquire | Step::Release | Step::Take => &[],
        };
        let note = out.note(WorkerNote::Step(step)).sets(Fact::Call);
        rests_on.iter().fold(note, |note, fact| note.because(fact.clone()));
    }

    pub(super) fn work(&mut self, span: Span, now: Mono, out: &mut Outbox) {
        self.program.doing = Doing::Works;
        out.work(span);
        self.main_thread_moves(now, out);
    }

    /// Work begun is done.
    pub(super) fn work_done(&mut self, now: Mono, out: &mut Outbox) {
        assert!(self.program.doing == Doing::Works, "only work begun can be done");
        match self.step() {
            Step::SlowWrite => {
                self.ask_store(StoreAsk::Complete, ObjectsAsk::Write, now, out);
            }
            Step::Compute | Step::Check => self.advance(now, out),
            step => unreachable!("no work belongs to this step: {}", InFull(&step)),
        }
    }

    /// The store answered.
    pub(super) fn store_answered(&mut self, response: StoreResponse, now: Mono, out: &mut Outbox) {
        let Some(Ask::Store(ask)) = self.answered(response.id, out) else { return };
        let reply = match response.result {
            Ok(reply) => reply,
            Err(refusal) => return self.refused(refusal, now, out),
        };
        match (ask, reply) {
            (StoreAsk::Number, StoreReply::Number(token)) => {
                out.note(WorkerNote::DrewToken { token });
                self.program.drawn = Some(token);
                self.advance(now, out);
            }
            (StoreAsk::Claim | StoreAsk::Read, StoreReply::Data { version, jobs_done }) => {
                self.knows_version(version);
                let job = self.job();
                let is_done = |object| jobs_done.contains(&JobKey::new(&job, object));
                let objects = self.config.objects_written();
                self.data_read(objects.iter().all(is_done), now, out);
            }
            (StoreAsk::Book, StoreReply::Booked) => self.advance(now, out),
            (StoreAsk::Begin, StoreReply::Begun) => self.work(self.config.upload, now, out),
            (StoreAsk::Write | StoreAsk::Complete, StoreReply::Accepted { version }) => {
                self.acknowledged(version, now, out);
            }
            (ask, reply) => {
                unreachable!("the store does not answer {} with {}", InFull(&ask), InFull(&reply))
            }
        }
    }

    pub(super) fn acknowledged(&mut self, version: Version, now: Mono, out: &mut Outbox) {
        let token = self.write().token;
        out.note(WorkerNote::WriteAcknowledged { token }).sets(Fact::Data);
        self.made_version(version);
        self.write_is_done(now, out);
    }

    fn write_is_done(&mut self, now: Mono, out: &mut Outbox) {
        if self.is_last_write() {
            self.settle_transfer(now, out);
        }
        self.advance(now, out);
    }

    /// It knows the data, and whether its job is done: whoever did it, to all it writes.
    pub(super) fn data_read(&mut self, is_done: bool, now: Mono, out: &mut Outbox) {
        if is_done {
            out.note(WorkerNote::FoundDone { job: self.job() }).sets(Fact::Data);
            self.settle_transfer(now, out);
            self.program.at = self.program_length();
            self.note_step(Step::Release, out);
            return self.release(now, out);
        }
        out.note(WorkerNote::DataRead { version: self.program.read_version }).sets(Fact::Data);
        self.advance(now, out);
    }

    fn program_length(&self) -> u8 {
        u8::try_from(self.config.program.len()).expect("a program has at most 254 steps")
    }

    /// A refusal is final: the payload came from what is out of date, so it is not
    /// sent again under whatever token.
    pub(super) fn refused(&mut self, refusal: Refusal, now: Mono, out: &mut Outbox) {
        let step = self.step();
        out.note(WorkerNote::Refused { step, refusal }).because(Fact::Belief);
        // What is done is done, if by a try before a crash: on to the next transfer or object.
        let has_next = self.has_transfer() || self.config.objects.len() > 1;
        if refusal == Refusal::JobDone && has_next {
            return self.write_is_done(now, out);
        }
        self.stop(BeliefEnd::Refused, StopReason::Refused, now, out);
    }

    /// The lock is its own, so it believes.
    pub(super) fn granted(&mut self, key_revision: Revision, now: Mono, out: &mut Outbox) {
        let owner = self.session.lease().expect("a lock is taken within a session");
        let token = self.program.drawn.take().unwrap_or(key_revision);
        self.program.key_revision = key_revision;
        self.program.grant = Some(Grant { token, owner });
        self.program.holds = Holds::Believes;
        self.program.sequence = 0;
        let lock = self.config.lock.clone();
        out.note(WorkerNote::Believes { lock, token, owner }).sets(Fact::Belief);
        self.advance(now, out);
    }

    /// Gives the lock back: first its key, then its session. A releaser stops
    /// believing before it asks.
    fn release(&mut self, now: Mono, out: &mut Outbox) {
        let Some(Grant { owner, .. }) = self.program.believed() else {
            return self.close_session(now, out);
        };
        let lock = self.config.lock.clone();
        out.note(WorkerNote::Releases { lock, owner }).because(Fact::Belief);
        self.end_belief(BeliefEnd::Released, out);
        if self.config.recipe.is_for_redis() {
            // The watchdog ends first.
            self.give_up_hold(out);
            if self.goes_by_votes() {
                return self.ask_all(For::Release, now, out);
            }
            return self.call(Ask::Redis(RedisAsk::Delete), now, out);
        }
        if self.config.recipe.is_for_zookeeper() {
            return self.release_zk(now, out);
        }
        if self.config.recipe.is_for_consul() {
            return self.call(Ask::Consul(ConsulAsk::Release), now, out);
        }
        if self.config.recipe.is_for_postgres() {
            return self.release_postgres(now, out);
        }
        if self.config.recipe.is_for_objects() {
            return self.release_object(now, out);
        }
        let ask = match self.config.policies.release {
            ReleaseCheck::Owner => EtcdAsk::DeleteOwn,
            ReleaseCheck::NameOnly => EtcdAsk::DeleteByName,
        };
        self.call(Ask::Etcd(ask), now, out);
    }

    /// Closes the session and waits for the answer, as `Session.Close` does.
    pub(super) fn close_session(&mut self, now: Mono, out: &mut Outbox) {
        if self.config.recipe.is_for_zookeeper() {
            return self.close_zk(now, out);
        }
        if self.config.recipe.is_for_consul() {
            return self.close_consul(now, out);
        }
        match self.session {
            Session::Open(_) => self.session_closes(SessionEnd::Closed, &[], out),
            // A key has no session: it stays until its time is over.
            _ if self.config.recipe.is_for_redis() || self.config.recipe.is_for_objects() => {
                self.give_up_hold(out);
                return self.session_is_closed(now, out);
            }
            _ if self.config.recipe.is_for_postgres() => {
                self.give_up_connection(out);
                return self.session_is_closed(now, out);
            }
            Session::Key(_) | Session::Zk(_) => unreachable!("each service has its own"),
            // The client gave up on it; the server may not have.
            Session::Closed { why: SessionEnd::Deadline, .. } => {}
            Session::Closed { .. } | Session::None => return self.session_is_closed(now, out),
        }
        self.call(Ask::Etcd(EtcdAsk::Revoke), now, out);
    }

    /// Nothing is left of the session, as far as the program can bring about.
    pub(super) fn session_is_closed(&mut self, now: Mono, out: &mut Outbox) {
        self.session = Session::None;
        self.advance(now, out);
    }
}
