//! The log: what a member has on disk. Entries that are known to be committed are
//! applied at once and dropped, so a log is a state and the entries after it.

use super::api::{LeaseId, Op, RequestId};
use super::replicated::Replicated;
use crate::actors::consul::Change;
use crate::sim::process::NodeId;
use serde::Serialize;
use std::rc::Rc;

/// A place in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Counts the entries from 1.
    pub index: u64,
    /// The term in which a leader appended the entry.
    pub term: u64,
}

impl Place {
    /// Whether a log that ends here is newer than one that ends there.
    pub fn is_newer_than(self, other: Place) -> bool {
        (self.term, self.index) > (other.term, other.index)
    }
}

/// An entry. Its index follows from where it stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The term in which a leader appended it.
    pub term: u64,
    /// What to do.
    pub command: Command,
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Command {
    /// The first entry of a new leader: empty.
    Lead,
    /// Empty: a leader that may have been deposed unawares makes sure that it leads.
    Confirm,
    /// The leader found a lease past its deadline.
    Expire(LeaseId),
    /// A client asked for something. A read goes through the log too, though it
    /// changes nothing: that costs the round trip which makes it linearizable.
    Client {
        /// What.
        op: Op,
        /// Who, and how the answer gets there.
        origin: Origin,
    },
    /// A change in Consul, whose servers agree in the same way; without an origin it is the
    /// leader's own.
    Consul {
        /// What.
        change: Change,
        /// Who, and how the answer gets there.
        origin: Option<Origin>,
    },
}

/// Who asked for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The member to which the client is connected.
    pub via: NodeId,
    /// The client.
    pub client: NodeId,
    /// Its number for the request.
    pub request: RequestId,
}

impl Origin {
    /// Whether this client asked for it, by this request.
    pub fn is_of(&self, client: NodeId, request: RequestId) -> bool {
        (self.client, self.request) == (client, request)
    }
}

/// What survives the end of a member's process.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Durable {
    /// The term of the last leader recognised, or of the last vote given.
    pub term: u64,
    /// For whom this member voted in that term.
    pub vote: Option<NodeId>,
    /// The last entry applied.
    pub applied: Place,
    /// What all entries up to it have made.
    pub state: Rc<Replicated>,
    /// The entries after it; not known to be committed.
    pub tail: Vec<Rc<Entry>>,
    /// Lease numbers this member has chosen so far.
    pub leases_chosen: u32,
    /// Questions that its services have asked at the keys so far. No real member keeps that
    /// count: its connections are new ones after a start.
    pub asked: u32,
}

/// A leader's log, as it tells it to a follower.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The last entry known to be committed.
    pub committed: Place,
    /// What the entries up to it have made, for a follower that is behind.
    pub state: Option<Rc<Replicated>>,
    /// The entries after it.
    pub tail: Vec<Rc<Entry>>,
}

/// How what a leader told fits a follower's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It holds the leader's log up to `held`; entries up to `committed` may be applied.
    Holds {
        /// An index.
        held: u64,
        /// An index.
        committed: u64,
    },
    /// It lacks entries before those told: it needs the state.
    Behind,
}

impl Durable {
    /// The log of a cluster that has just settled on its first leader.
    pub fn new(state: Replicated, leader: NodeId) -> Durable {
        Durable {
            term: 1,
            vote: Some(leader),
            applied: Place { index: 1, term: 1 },
            state: Rc::new(state),
            tail: Vec::new(),
            leases_chosen: 0,
            asked: 0,
        }
    }

    /// The last place.
    pub fn last(&self) -> Place {
        match self.tail.last() {
            Some(entry) => {
                Place { index: self.applied.index + self.tail.len() as u64, term: entry.term }
            }
            None => self.applied,
        }
    }

    /// The term of the entry at `index`, if that is not before what is applied.
    pub fn term_at(&self, index: u64) -> Option<u64> {
        match index.checked_sub(self.applied.index)? {
            0 => Some(self.applied.term),
            ahead => self.tail.get(ahead as usize - 1).map(|entry| entry.term),
        }
    }

    /// Takes the first entry of the tail as applied.
    pub fn take_next(&mut self) -> Rc<Entry> {
        assert!(!self.tail.is_empty(), "only an entry that is there is applied");
        let entry = self.tail.remove(0);
        self.applied = Place { index: self.applied.index + 1, term: entry.term };
        entry
    }

    /// Takes in what the leader tells of its log. Late and repeated news does no harm:
    /// entries are dropped only where the leader's differ.
    pub fn take_in(&mut self, told: Told) -> Fit {
        let Told { committed, state, tail } = told;
        if committed.index > self.applied.index
            && self.term_at(committed.index) != Some(committed.term)
        {
            let Some(state) = state else { return Fit::Behind };
            self.applied = committed;
            self.state = state;
            self.tail.clear();
        }
        let mut index = committed.index;
        for entry in tail {
            index += 1;
            let Some(ahead) = index.checked_sub(self.applied.index + 1) else { continue };
            let place = ahead as usize;
            if self.tail.get(place).is_some_and(|own| own.term != entry.term) {
                self.tail.truncate(place);
            }
            if place == self.tail.len() {
                self.tail.push(entry);
            }
        }
        Fit::Holds { held: index, committed: committed.index }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEADER: NodeId = NodeId(0);

    fn entry(term: u64) -> Rc<Entry> {
        Rc::new(Entry { term, command: Command::Confirm })
    }

    /// A log that is applied up to index 1 of term 1 and has entries of these terms.
    fn log(terms: &[u64]) -> Durable {
        let mut log = Durable::new(Replicated::new(41), LEADER);
        log.tail = terms.iter().map(|term| entry(*term)).collect();
        log
    }

    fn told(index: u64, term: u64, terms: &[u64]) -> Told {
        let tail = terms.iter().map(|term| entry(*term)).collect();
        Told { committed: Place { index, term }, state: None, tail }
    }

    #[track_caller]
    fn check(own: &[u64], told: Told, fit: Fit, then: &[u64]) {
        let mut log = log(own);
        assert_eq!(log.take_in(told), fit);
        let terms: Vec<u64> = log.tail.iter().map(|entry| entry.term).collect();
        assert_eq!(terms, then);
    }

    #[test]
    fn new_entries_are_appended_and_old_news_changes_nothing() {
        let holds = |held, committed| Fit::Holds { held, committed };
        check(&[], told(1, 1, &[1, 1]), holds(3, 1), &[1, 1]);
        check(&[1, 1], told(1, 1, &[1]), holds(2, 1), &[1, 1]);
        check(&[1, 1], told(2, 1, &[]), holds(2, 2), &[1, 1]);
        check(&[1, 1], told(2, 1, &[1, 1]), holds(4, 2), &[1, 1, 1]);
    }

    #[test]
    fn entries_that_differ_from_the_leaders_are_dropped() {
        let holds = |held, committed| Fit::Holds { held, committed };
        check(&[1, 1, 1], told(1, 1, &[1, 2]), holds(3, 1), &[1, 2]);
        check(&[1], told(1, 1, &[2]), holds(2, 1), &[2]);
    }

    #[test]
    fn a_commit_of_an_entry_that_is_not_there_needs_the_state() {
        check(&[1], told(3, 1, &[]), Fit::Behind, &[1]);
        check(&[1, 1], told(2, 2, &[2]), Fit::Behind, &[1, 1]);
    }

    #[test]
    fn a_state_replaces_what_lacks_it_and_is_not_needed_otherwise() {
        let with_state = |told: Told| Told { state: Some(Rc::new(Replicated::new(77))), ..told };
        let mut behind = log(&[1]);
        behind.take_in(with_state(told(5, 2, &[2])));
        assert_eq!(behind.applied, Place { index: 5, term: 2 });
        assert_eq!(behind.state.kv.revision(), 77);
        assert_eq!(behind.last(), Place { index: 6, term: 2 });
        let mut ahead = log(&[1, 1]);
        ahead.take_in(with_state(told(2, 1, &[])));
        assert_eq!(ahead.state.kv.revision(), 41);
        assert_eq!(ahead.last(), Place { index: 3, term: 1 });
    }

    #[test]
    fn a_log_is_newer_by_its_last_term_and_then_by_its_length() {
        let place = |term, index| Place { index, term };
        assert!(place(2, 1).is_newer_than(place(1, 9)));
        assert!(place(2, 3).is_newer_than(place(2, 2)));
        assert!(!place(2, 2).is_newer_than(place(2, 2)));
    }
}
