//! Who holds what, and who waits for whom.
//!
//! Waiters queue: one that comes later waits behind an earlier one with whose lock its own
//! would conflict. It goes first only if the earlier one waits for what it holds itself.

use super::api::{Database, Key, Level, Strength, Text};
use super::session::{Pid, Session};
use crate::actors::store::api::Owner;
use serde::Serialize;

/// What can be locked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) enum Tag {
    /// An advisory lock's key: each database has its own.
    Advisory(Database, Key),
    /// The row of `res` with this id.
    Res(i64),
    /// A key of `dedup`, there or not.
    Once(Text),
    /// The row of `leases`.
    Lease,
}

/// A lock that is held.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Held {
    pub pid: Pid,
    pub tag: Tag,
    pub strength: Strength,
    pub level: Level,
    /// For which acquisition it was taken, each time that it was.
    pub taken_for: Vec<Owner>,
}

/// A lock that is waited for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Waiting {
    pub tag: Tag,
    pub strength: Strength,
    /// A lower one came earlier.
    pub ticket: u32,
}

/// Whether somebody waits for a lock or only tries to have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Insists {
    Waits,
    Tries,
}

/// The locks that are held. Who waits stands with each session.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Locks {
    pub held: Vec<Held>,
}

impl Locks {
    fn of<'a>(&'a self, tag: &'a Tag) -> impl Iterator<Item = &'a Held> {
        self.held.iter().filter(move |held| held.tag == *tag)
    }

    /// Who keeps a session from having a lock: those that hold it, and those that have
    /// waited for longer than it has.
    pub(super) fn blockers(
        &self,
        sessions: &[Session],
        own: Pid,
        tag: &Tag,
        strength: Strength,
        insists: Insists,
    ) -> Vec<Pid> {
        if self.of(tag).any(|held| held.pid == own && held.strength == strength) {
            return Vec::new();
        }
        let holders = self.of(tag).filter(|held| held.pid != own);
        let mut blockers: Vec<Pid> =
            holders.filter(|held| held.strength.conflicts(strength)).map(|held| held.pid).collect();
        let waits = |pid: Pid| sessions.iter().find(|s| s.pid == pid).and_then(Session::waits_for);
        let own_ticket = waits(own).map(|waiting| waiting.ticket);
        for session in sessions.iter().filter(|session| session.pid != own) {
            let Some(waiting) = session.waits_for().filter(|waiting| waiting.tag == *tag) else {
                continue;
            };
            let is_earlier = own_ticket.is_none_or(|own| waiting.ticket < own);
            let waits_for_own = insists == Insists::Waits
                && self
                    .of(tag)
                    .any(|held| held.pid == own && held.strength.conflicts(waiting.strength));
            if is_earlier && !waits_for_own && waiting.strength.conflicts(strength) {
                blockers.push(session.pid);
            }
        }
        blockers
    }

    /// A session has a lock, once more if it has it already.
    pub(super) fn take(
        &mut self,
        pid: Pid,
        tag: Tag,
        (strength, level): (Strength, Level),
        owner: Owner,
    ) {
        let same = |held: &&mut Held| {
            held.pid == pid && held.tag == tag && (held.strength, held.level) == (strength, level)
        };
        match (self.held.iter_mut().find(same), level) {
            (Some(held), Level::Session) => held.taken_for.push(owner),
            // How often does not matter where the end of the transaction ends them all.
            (Some(_), Level::Transaction) => {}
            (None, _) => {
                self.held.push(Held { pid, tag, strength, level, taken_for: vec![owner] });
            }
        }
    }

    /// Unlocks an advisory lock of a session once; tells for whom it had been taken. The
    /// server only counts: which of several it was is told as kindly as it can be.
    pub(super) fn unlock(
        &mut self,
        pid: Pid,
        tag: &Tag,
        strength: Strength,
        owner: Owner,
    ) -> Option<Owner> {
        let place = self.held.iter().position(|held| {
            (held.pid, held.strength, held.level) == (pid, strength, Level::Session)
                && held.tag == *tag
        })?;
        let taken_for = &mut self.held[place].taken_for;
        let own = taken_for.iter().rposition(|other| *other == owner);
        let freed = taken_for.remove(own.unwrap_or(taken_for.len() - 1));
        if taken_for.is_empty() {
            self.held.remove(place);
        }
        Some(freed)
    }

    /// Lets go of what fits, and gives it back.
    pub(super) fn let_go(&mut self, which: impl Fn(&Held) -> bool) -> Vec<Held> {
        let (gone, kept) = std::mem::take(&mut self.held).into_iter().partition(|h| which(h));
        self.held = kept;
        gone
    }

    /// Whether a session waits in a circle.
    pub(super) fn waits_in_a_circle(&self, sessions: &[Session], own: Pid) -> bool {
        let mut seen: Vec<Pid> = Vec::new();
        let mut next = vec![own];
        while let Some(pid) = next.pop() {
            let session = sessions.iter().find(|session| session.pid == pid);
            let Some(Waiting { tag, strength, .. }) = session.and_then(Session::waits_for) else {
                continue;
            };
            for blocker in self.blockers(sessions, pid, tag, *strength, Insists::Waits) {
                if blocker == own {
                    return true;
                }
                if !seen.contains(&blocker) {
                    seen.push(blocker);
                    next.push(blocker);
                }
            }
        }
        false
    }
}
