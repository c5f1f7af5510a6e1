//! What is stored: rows with at most one change that is not committed yet, as a row has at
//! most one writer, and sequences, which no rollback takes back.

use super::api::{RequestId, ResRow, Sequence, Text};
use super::session::Pid;
use crate::actors::store::api::Token;
use crate::sim::process::NodeId;
use crate::sim::time::{Span, Wall};
use litemap::LiteMap;
use serde::Serialize;

/// A row, as others see it, and as the transaction sees it that has changed it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Versioned<T> {
    committed: Option<T>,
    /// Whose session has changed it, and to what; nothing where it is deleted.
    pending: Option<(Pid, Option<T>)>,
}

impl<T> Versioned<T> {
    fn of(committed: T) -> Versioned<T> {
        Versioned { committed: Some(committed), pending: None }
    }

    /// A row that others do not see.
    pub(super) fn absent() -> Versioned<T> {
        Versioned { committed: None, pending: None }
    }

    /// The row as this session sees it.
    pub(super) fn seen_by(&self, pid: Pid) -> Option<&T> {
        match &self.pending {
            Some((by, row)) if *by == pid => row.as_ref(),
            _ => self.committed.as_ref(),
        }
    }

    /// The row as all others see it.
    pub(super) fn committed(&self) -> Option<&T> {
        self.committed.as_ref()
    }

    /// Changes it for this session, until its transaction ends.
    pub(super) fn change(&mut self, pid: Pid, row: Option<T>) {
        self.pending = Some((pid, row));
    }

    fn end(&mut self, pid: Pid, how: End) {
        if self.pending.as_ref().is_none_or(|(by, _)| *by != pid) {
            return;
        }
        if let (End::Commit, Some((_, row))) = (how, self.pending.take()) {
            self.committed = row;
        }
    }

    fn is_gone(&self) -> bool {
        self.committed.is_none() && self.pending.is_none()
    }
}

/// How a transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Commit,
    /// As its client asks.
    Rollback,
    /// A statement has failed: a rollback.
    Failure,
    /// Its session ends: a rollback.
    OfSession,
}

/// The row of `leases`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lease {
    /// `owner`.
    pub owner: Option<Text>,
    /// `token`, raised with each acquisition.
    pub token: Token,
    /// `expires_at`.
    pub expires: Option<Wall>,
    /// What its owner was given, where the clients' clocks say when that is over: the server
    /// does not know. Nothing but notes goes by it.
    pub(super) given: Option<Given>,
}

/// The time that a client wrote into a row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Given {
    /// How long from then on.
    pub ttl: Span,
    /// Which of its machine's requests wrote it.
    pub by: RequestId,
    /// Whose machine. Told to people.
    #[serde(skip)]
    pub node: NodeId,
}

/// A sequence: it writes ahead how far it may have come, and a session may take several
/// numbers at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Numbers {
    /// How many numbers a session takes at once.
    cache: i64,
    /// The last number given out; 0 before the first.
    last: i64,
    /// How many more there are up to what was written ahead.
    left: i64,
    /// What was written ahead: after a crash it goes on behind it.
    logged: i64,
}

/// So many numbers are written ahead (`SEQ_LOG_VALS`).
const AHEAD: i64 = 32;

/// Numbers that a session has taken.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Drawn {
    /// What it was given last.
    pub last: i64,
    /// The last of those it has taken.
    to: i64,
}

impl Numbers {
    fn new(cache: i64) -> Numbers {
        Numbers { cache, last: 0, left: 0, logged: 0 }
    }

    /// The next number for a session that has taken these.
    pub(super) fn next(&mut self, drawn: Option<Drawn>) -> Drawn {
        if let Some(Drawn { last, to }) = drawn.filter(|drawn| drawn.last < drawn.to) {
            return Drawn { last: last + 1, to };
        }
        // The very first is there without being fetched.
        let fetch = if self.last == 0 { self.cache - 1 } else { self.cache };
        if self.left < fetch || self.last == 0 {
            self.logged = self.last + self.cache + AHEAD;
            self.left = fetch + AHEAD;
        }
        let first = self.last + 1;
        self.last += self.cache;
        self.left -= fetch;
        Drawn { last: first, to: self.last }
    }

    fn after_crash(&mut self) {
        self.last = self.logged;
        self.left = 0;
    }
}

/// All that is stored.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tables {
    pub(super) res: Vec<Versioned<ResRow>>,
    pub(super) dedup: LiteMap<Text, Versioned<Text>>,
    pub(super) lease: Versioned<Lease>,
    fence: Numbers,
    cached: Numbers,
}

impl Tables {
    pub(super) fn new() -> Tables {
        let row = |id| ResRow { id, value: "init".into(), version: 1, token: 0 };
        let free = Lease { owner: None, token: 0, expires: None, given: None };
        Tables {
            res: (1..=3).map(|id| Versioned::of(row(id))).collect(),
            dedup: LiteMap::new(),
            lease: Versioned::of(free),
            fence: Numbers::new(1),
            cached: Numbers::new(10),
        }
    }

    /// Where the row of this id is, if there is one.
    pub(super) fn place_of(&self, id: i64) -> Option<usize> {
        usize::try_from(id).ok()?.checked_sub(1).filter(|place| *place < self.res.len())
    }

    pub(super) fn numbers(&mut self, sequence: Sequence) -> &mut Numbers {
        match sequence {
            Sequence::Fence => &mut self.fence,
            Sequence::Cached => &mut self.cached,
        }
    }

    /// A session's transaction has ended.
    pub(super) fn end(&mut self, pid: Pid, how: End) {
        for row in &mut self.res {
            row.end(pid, how);
        }
        for (_, row) in self.dedup.iter_mut() {
            row.end(pid, how);
        }
        self.dedup.retain(|_, row| !row.is_gone());
        self.lease.end(pid, how);
    }

    /// Nothing is left of what was not committed.
    pub(super) fn roll_all_back(&mut self) {
        for row in &mut self.res {
            row.pending = None;
        }
        for (_, row) in self.dedup.iter_mut() {
            row.pending = None;
        }
        self.dedup.retain(|_, row| !row.is_gone());
        self.lease.pending = None;
    }

    /// What is there for who reads what was written ahead.
    pub(super) fn recovered(&self) -> Tables {
        let mut all = self.clone();
        all.roll_all_back();
        all.after_crash();
        all
    }

    /// No record of a sequence takes it back: a primary that was shut down in order knows again
    /// how far it had come, and its standby only how far that was written ahead.
    pub(super) fn goes_on_behind(&mut self, before: &Tables) {
        for (numbers, before) in
            [(&mut self.fence, &before.fence), (&mut self.cached, &before.cached)]
        {
            numbers.last = numbers.last.max(before.last);
            numbers.logged = numbers.last;
        }
    }

    /// The server was ended without a checkpoint.
    pub(super) fn after_crash(&mut self) {
        self.fence.after_crash();
        self.cached.after_crash();
    }

    /// The server was shut down in order: what was written ahead counts no more.
    pub(super) fn after_checkpoint(&mut self) {
        for numbers in [&mut self.fence, &mut self.cached] {
            numbers.left = 0;
            numbers.logged = numbers.last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_writes_ahead_and_goes_on_behind_that_after_a_crash() {
        let mut numbers = Numbers::new(1);
        let mut drawn = None;
        for expected in 1..=40 {
            drawn = Some(numbers.next(drawn));
            assert_eq!(drawn.map(|drawn| drawn.last), Some(expected));
            assert_eq!(numbers.logged, if expected <= 33 { 33 } else { 66 });
        }
        numbers.after_crash();
        assert_eq!(numbers.next(None).last, 67);
    }

    #[test]
    fn a_session_takes_several_numbers_of_a_sequence_with_a_cache() {
        let mut numbers = Numbers::new(10);
        let (one, other) = (numbers.next(None), numbers.next(None));
        assert_eq!((one.last, other.last), (1, 11));
        assert_eq!((numbers.next(Some(one)).last, numbers.next(Some(other)).last), (2, 12));
        numbers.after_crash();
        assert_eq!(numbers.next(None).last, 43);
    }
}
