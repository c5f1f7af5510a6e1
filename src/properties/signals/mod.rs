//! What an operator would have of a run: waits, renewals missed, refusals, tokens out of
//! order, time without a holder, holders believed.
//!
//! A [`Record`] says that something has changed, and whether that is to wake somebody.
//! Records come from the trace alone, in the order of time. Some come because time passes:
//! a wait that grows long, a renewal that does not come. Properties say what went wrong;
//! signals say what could have been seen of it, and when.

mod open;

use super::Grants;
use super::two_believe::TwoBelieve;
use crate::actors::etcd::api::Text;
use crate::actors::note::{
    BeliefEnd, EtcdNote, GrantEnd, LockNote, PostgresNote, RedisNote, SessionEnd, StoreNote,
    WorkerNote,
};
use crate::actors::store::api::{Owner, Token};
use crate::actors::worker::config::Step;
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use crate::sim::time::{Span, TrueTime};
use litemap::LiteMap;
use open::{Holding, Renewing, Waiting};

/// What is usual in a run: what deviates is told.
#[derive(Clone, Debug, PartialEq)]
pub struct Usual {
    /// A wait for the lock of this length is an alarm: the lock's TTL. As long can a dead
    /// holder keep others waiting; longer means that a holder lives and does not finish.
    pub wait: Span,
    /// How long after an answer the next renewal is due, by worker. One who is not here
    /// renews nothing.
    pub renewal: LiteMap<NodeId, Span>,
    /// Which lock each worker takes.
    pub locks: LiteMap<NodeId, Text>,
    /// A client that looks only so often whether one is due sends it as much later.
    pub looks_every: Span,
}

/// A change of a signal.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// When.
    pub at: TrueTime,
    /// The event that it rests on: the last one before, where nothing happened but that
    /// time passed.
    pub event: EventId,
    /// What changed.
    pub signal: Signal,
}

/// A signal, as it has changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Signal {
    /// A worker begins to ask for the lock.
    Asks {
        /// Which.
        node: NodeId,
    },
    /// It asks no more: its process has ended.
    AsksNoMore {
        /// Which.
        node: NodeId,
    },
    /// A worker got the lock, as far as it knows.
    Acquired {
        /// Which.
        node: NodeId,
        /// After how long.
        waited: Span,
    },
    /// A worker waits longer than is usual.
    WaitsLong {
        /// Which.
        node: NodeId,
        /// How long by now.
        waited: Span,
    },
    /// A worker gave up waiting: nobody answered it, or its session was over.
    TimedOut {
        /// Which.
        node: NodeId,
        /// After how long.
        waited: Span,
    },
    /// A renewal is overdue by half of what lies between two.
    RenewalMissed {
        /// Whose.
        node: NodeId,
        /// How many in a row.
        in_a_row: u32,
    },
    /// A store refused a claim or a write.
    Refused {
        /// With which token.
        token: Token,
    },
    /// A store was asked with a token lower than one of that lock that it had accepted.
    OutOfOrder {
        /// The token.
        token: Token,
        /// The highest one of that lock that it had accepted.
        highest: Token,
        /// What it did.
        answer: Answer,
    },
    /// Nobody holds the lock, and somebody waits for it; of several locks, any of them.
    NoHolder,
    /// Somebody holds it again, or nobody waits any more; of several, each that is waited for.
    HolderAgain {
        /// After how long.
        after: Span,
    },
    /// So many believe that they hold the lock; of several, that of which most do.
    Believe {
        /// How many.
        count: usize,
    },
    /// A client waits for a connection of the pooler's pool.
    WaitsForPool {
        /// Whose.
        node: NodeId,
    },
}

/// What a store did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It accepted.
    Accepted,
    /// It refused.
    Refused,
}

impl Signal {
    /// Whether somebody should look at once.
    pub fn is_alarm(&self) -> bool {
        match self {
            Signal::WaitsLong { .. } | Signal::TimedOut { .. } => true,
            Signal::RenewalMissed { in_a_row, .. } => *in_a_row > 1,
            Signal::OutOfOrder { answer, .. } => *answer == Answer::Accepted,
            Signal::Believe { count } => *count > 1,
            Signal::Asks { .. }
            | Signal::AsksNoMore { .. }
            | Signal::Acquired { .. }
            | Signal::Refused { .. }
            | Signal::NoHolder
            | Signal::HolderAgain { .. }
            | Signal::WaitsForPool { .. } => false,
        }
    }
}

/// The signals of a run, as far as they were taken in.
#[derive(Clone, Debug)]
pub struct Signals {
    usual: Usual,
    records: Vec<Record>,
    /// How many events were taken in.
    seen: usize,
    waiting: Vec<Waiting>,
    renewing: Vec<Renewing>,
    grants: Grants,
    holding: Holding,
    /// The highest token accepted, by whose it is: a worker has one lock.
    highest: LiteMap<Text, Token>,
    beliefs: TwoBelieve,
    /// How many believe of one lock that they hold it, of whichever the most do.
    believe: usize,
    last: EventId,
}

impl Signals {
    /// Nothing yet.
    pub fn new(usual: Usual) -> Signals {
        Signals {
            usual,
            records: Vec::new(),
            seen: 0,
            waiting: Vec::new(),
            renewing: Vec::new(),
            grants: Grants::default(),
            holding: Holding::default(),
            highest: LiteMap::new(),
            beliefs: TwoBelieve::default(),
            believe: 0,
            last: EventId(0),
        }
    }

    /// Takes in what has been added to a trace, which has been run up to a moment.
    pub fn take_in(&mut self, trace: &[Event<Actor>], until: TrueTime) {
        for event in trace.iter().skip(self.seen) {
            self.pass(event.at);
            self.observe(event);
        }
        self.seen = self.seen.max(trace.len());
        self.pass(until);
    }

    /// How many events were taken in.
    pub fn seen(&self) -> usize {
        self.seen
    }

    /// What has changed, in the order of time.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// What comes because time passes, up to a moment and without it.
    fn pass(&mut self, until: TrueTime) {
        loop {
            let waits = self.waiting.iter().filter_map(|it| it.due(self.usual.wait));
            let renews = self.renewing.iter().map(Renewing::due);
            let all = waits.chain(renews).chain(self.holding.due());
            let Some(at) = all.filter(|due| *due < until).min() else { return };
            let mut told: Vec<Signal> = self.holding.tell(at).into_iter().collect();
            for waiting in &mut self.waiting {
                told.extend(waiting.tell(at, self.usual.wait));
            }
            told.extend(self.renewing.iter_mut().filter_map(|it| it.tell(at)));
            for signal in told {
                self.records.push(Record { at, event: self.last, signal });
            }
        }
    }

    fn record(&mut self, event: &Event<Actor>, signal: Signal) {
        self.records.push(Record { at: event.at, event: event.id, signal });
    }

    fn observe(&mut self, event: &Event<Actor>) {
        self.last = event.id;
        self.grants.observe(event);
        match &event.what {
            What::Crashed | What::Exited => self.ends(event),
            What::Note(Note::Worker(note)) => self.of_worker(event, note),
            What::Note(Note::Store(note)) => self.of_store(event, note),
            What::Note(Note::Lock(note)) => self.of_lock(note),
            What::Note(Note::Postgres(PostgresNote::WaitsForPool { client })) => {
                self.record(event, Signal::WaitsForPool { node: *client });
            }
            What::Note(Note::Redis(RedisNote::VoteEnded { lease, .. })) => self.lost(*lease),
            What::Note(Note::Redis(RedisNote::Voted { .. })) => {}
            What::Note(Note::Etcd(EtcdNote::LeaseEnded { lease, .. })) => self.not_renewed(*lease),
            What::Started => {}
            _ => return,
        }
        self.beliefs.observe(event);
        let believe = self.beliefs.most_of_one_lock();
        if std::mem::replace(&mut self.believe, believe) != believe {
            self.record(event, Signal::Believe { count: believe });
        }
        let is_free = |lock: &Text| self.grants.standing().all(|grant| grant.lock != *lock);
        let is_missed = self.waiting.iter().any(|it| is_free(&it.lock));
        if let Some(signal) = self.holding.turn(is_missed, event.at) {
            self.record(event, signal);
        }
    }

    /// A process has ended: it waits for nothing, renews nothing, believes nothing.
    fn ends(&mut self, event: &Event<Actor>) {
        if self.waits_no_more(event).is_some() {
            self.record(event, Signal::AsksNoMore { node: event.node });
        }
        self.renewing.retain(|it| it.node != event.node);
    }

    fn of_worker(&mut self, event: &Event<Actor>, note: &WorkerNote) {
        let node = event.node;
        match note {
            WorkerNote::Step(Step::Acquire) => self.waits(event),
            WorkerNote::Believes { owner, .. } => {
                if let Some(waited) = self.waits_no_more(event) {
                    self.record(event, Signal::Acquired { node, waited });
                }
                self.renews(event, *owner);
            }
            WorkerNote::SessionOpened { lease } => self.renews(event, *lease),
            WorkerNote::Renewed { lease } => {
                for it in self.renewing.iter_mut().filter(|it| it.owner == *lease) {
                    it.answered(event.at);
                }
            }
            WorkerNote::SessionClosed { lease, why } => {
                self.not_renewed(*lease);
                if !matches!(why, SessionEnd::Closed | SessionEnd::GivenUp) {
                    self.times_out(event);
                }
            }
            WorkerNote::HoldOver { lease, .. } => self.not_renewed(*lease),
            WorkerNote::BelievesNoMore { why: BeliefEnd::Released, owner, .. } => {
                self.not_renewed(*owner);
            }
            WorkerNote::Stopped { .. } => self.times_out(event),
            _ => {}
        }
    }

    fn waits(&mut self, event: &Event<Actor>) {
        if !self.waiting.iter().any(|it| it.node == event.node) {
            let lock = self.usual.locks.get(&event.node).cloned().unwrap_or_default();
            self.waiting.push(Waiting::since(event.node, lock, event.at));
            self.record(event, Signal::Asks { node: event.node });
        }
    }

    fn of_store(&mut self, event: &Event<Actor>, note: &StoreNote) {
        match note {
            StoreNote::Claimed { token, owner, .. } | StoreNote::Accepted { token, owner, .. } => {
                let lock = self.asked(event, (*owner, *token), Answer::Accepted);
                let highest = self.highest.entry(lock).or_default();
                *highest = (*token).max(*highest);
            }
            StoreNote::ClaimRefused { token, owner, .. }
            | StoreNote::Refused { token, owner, .. } => {
                self.record(event, Signal::Refused { token: *token });
                self.asked(event, (*owner, *token), Answer::Refused);
            }
            _ => {}
        }
    }

    /// A store was asked by an acquisition; of which lock, if it is one.
    fn asked(
        &mut self,
        event: &Event<Actor>,
        (owner, token): (Owner, Token),
        answer: Answer,
    ) -> Text {
        let place = self.grants.place_of(owner);
        let lock = place.map(|place| self.grants.in_order()[place].lock.clone());
        let lock = lock.unwrap_or_default();
        // What comes without a lock is compared with all there is.
        let is_alike = |of: &Text| lock.is_empty() || of.is_empty() || *of == lock;
        let alike = self.highest.iter().filter(|(of, _)| is_alike(of));
        let highest = alike.map(|(_, highest)| *highest).max().unwrap_or(0);
        if token < highest {
            self.record(event, Signal::OutOfOrder { token, highest, answer });
        }
        lock
    }

    fn of_lock(&mut self, note: &LockNote) {
        let LockNote::Ended { lease, how, .. } = note else { return };
        match how {
            GrantEnd::Lease(_) | GrantEnd::KeyExpired => self.lost(*lease),
            // A lease in an object is over when another takes it.
            GrantEnd::Overwritten { .. } if self.grants.has_ended(*lease) => self.lost(*lease),
            _ => {}
        }
    }

    /// What does not stand any more is not renewed either.
    fn lost(&mut self, owner: Owner) {
        if !self.grants.standing().any(|grant| grant.owner == owner) {
            self.not_renewed(owner);
        }
    }

    /// From now on a worker renews what it has, if it is one who renews.
    fn renews(&mut self, event: &Event<Actor>, owner: Owner) {
        let Some(interval) = self.usual.renewal.get(&event.node) else { return };
        if !self.renewing.iter().any(|it| it.owner == owner) {
            let late = Span::from_us(self.usual.looks_every.us() + interval.us() / 2);
            self.renewing.push(Renewing::since((event.node, owner), event.at, *interval, late));
        }
    }

    fn not_renewed(&mut self, owner: Owner) {
        self.renewing.retain(|it| it.owner != owner);
    }

    fn times_out(&mut self, event: &Event<Actor>) {
        if let Some(waited) = self.waits_no_more(event) {
            self.record(event, Signal::TimedOut { node: event.node, waited });
        }
    }

    /// How long it has waited, if it did.
    fn waits_no_more(&mut self, event: &Event<Actor>) -> Option<Span> {
        let place = self.waiting.iter().position(|it| it.node == event.node)?;
        Some(event.at - self.waiting.remove(place).since)
    }
}
