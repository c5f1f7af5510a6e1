//! Runs told in words, to judge. A line is an event or a few; `!` at its end says
//! that it breaks the property, and nothing before it does.
//!
//! ```text
//!   A opens                    its session; acquisition A is machine 1's, B 2's...
//!   granted A [of other]       the lock service's truth; or in memory, that of machine 9
//!   ended A expired            or revoked, deleted by 2, overwritten by 2
//!   lease A ends
//!   granted A at 7 for 40      by a node with keys of its own, for so many ms
//!   ended A expired at 7       and there
//!   renewed A at 7 for 40
//!   7 takes over with A        or without; for 40 if that is what its key has
//!   7 hands over A
//!   7 starts                   after it crashed
//!   7 votes for A              where two votes grant the lock, for 90 ms; or: no more
//!   A counts for 40            the votes: the lock is its own for so many ms; or: in vain
//!   A believes 33 [of other]   and: A believes no more
//!   1 begins                   and: finishes, stops, crashes, exits,
//!                              is replaced by 2
//! ```
//!
//! Every other line is done to a real store, in the notation of its own tests, and
//! what the store notes is judged.

use super::{Judge, Judged, PropertyId, Verdict};
use crate::actors::etcd::api::{LeaseId, Text};
use crate::actors::note::{
    BeliefEnd, Count, EtcdNote, GrantEnd, Lasts, LeaseEnd, LockNote, RedisNote, StopReason,
    WorkerNote,
};
use crate::actors::store::StoreConfig;
use crate::actors::store::api::{MarkKept, Rule};
use crate::actors::store::tests::bench::{Bench, with};
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, EventId, What};
use crate::sim::process::NodeId;
use crate::sim::replay::Observer;
use crate::sim::time::{Span, TrueTime};

/// Tells the script to a judge, with a store of this rule, and compares verdicts.
#[track_caller]
pub fn check(property: PropertyId, rule: Rule, script: &str) {
    Tale::new(rule).check(property, script);
}

/// A run so far.
pub struct Tale {
    /// Who judges it.
    pub judge: Judge,
    store: Bench,
    next: u32,
}

impl Tale {
    /// Nothing told yet.
    pub fn new(rule: Rule) -> Tale {
        Tale::beginning_at(rule, 1)
    }

    /// The first event has this number.
    pub fn beginning_at(rule: Rule, next: u32) -> Tale {
        Tale { judge: Judge::new(), store: Bench::new(with(rule)), next }
    }

    /// The store keeps its mark in memory only.
    pub fn with_mark_in_memory(rule: Rule) -> Tale {
        let config = StoreConfig { mark: MarkKept::InMemory, ..with(rule) };
        Tale { store: Bench::new(config), ..Tale::new(rule) }
    }

    /// Tells the script and compares the verdict with its `!`.
    #[track_caller]
    pub fn check(&mut self, property: PropertyId, script: &str) {
        let mut breaking = None;
        for line in script.lines() {
            let before = self.next;
            self.tell(line.trim_end_matches('!'));
            if line.ends_with('!') {
                breaking = Some((before..self.next, line.trim()));
            }
        }
        match (breaking, self.judge.verdict(property, Judged::AtTheEnd)) {
            (None, verdict) => assert_eq!(verdict, Verdict::Holds, "in {script}"),
            (Some((events, line)), Verdict::Broken { witness }) => {
                assert!(events.contains(&witness.event.0), "{line} breaks it, not {witness:?}");
                assert_eq!(witness.at, time_of(witness.event.0));
            }
            (Some((_, line)), Verdict::Holds) => panic!("{line} does not break it"),
        }
    }

    /// Tells the script.
    pub fn tell(&mut self, script: &str) {
        for line in script.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            match of_node(&words).or_else(|| of_service(&words)).or_else(|| of_worker(&words)) {
                Some((node, what)) => self.event(node, what),
                None => {
                    self.store.take(line);
                    for noted in std::mem::take(&mut self.store.notes) {
                        self.event(NodeId(0), What::Note(noted.note));
                    }
                }
            }
        }
    }

    fn event(&mut self, node: NodeId, what: What<Actor>) {
        let at = time_of(self.next);
        let event = Event { id: EventId(self.next), at, node, what, causes: Vec::new() };
        self.judge.observe(&event);
        self.next += 1;
    }
}

fn time_of(event: u32) -> TrueTime {
    TrueTime(i64::from(event) * 1_000)
}

fn of_service(words: &[&str]) -> Option<(NodeId, What<Actor>)> {
    let note = match *words {
        ["granted", who] => granted("job", who, Lasts::Lease),
        ["granted", who, "of", lock] => granted(lock, who, Lasts::Lease),
        ["granted", who, "in", "memory"] => granted("job", who, Lasts::Process),
        ["ended", who, ref how @ ..] => {
            let how = match *how {
                ["expired"] => GrantEnd::Lease(LeaseEnd::Expired),
                ["revoked"] => GrantEnd::Lease(LeaseEnd::Revoked),
                ["deleted", "by", node] => GrantEnd::Deleted { by: machine(node)? },
                ["overwritten", "by", node] => GrantEnd::Overwritten { by: machine(node)? },
                _ => panic!("how is {how:?}?"),
            };
            LockNote::Ended { lock: "job".into(), lease: lease(who), how }.into()
        }
        ["lease", who, "ends"] => {
            let why = LeaseEnd::Expired;
            EtcdNote::LeaseEnded { lease: lease(who), why, revision: 9 }.into()
        }
        _ => return None,
    };
    Some((NodeId(9), What::Note(note)))
}

fn granted(lock: &str, who: &str, lasts: Lasts) -> Note {
    LockNote::Granted { lock: lock.into(), lease: lease(who), token: 9, lasts }.into()
}

/// What a node says that has keys of its own.
fn of_node(words: &[&str]) -> Option<(NodeId, What<Actor>)> {
    let job = || Text::from("job");
    let ms = |count: &str| Some(Span::from_ms(count.parse().expect("milliseconds")));
    let voted =
        |lease, left| RedisNote::Voted { lock: job(), lease, left: ms(left), quorum: 2 }.into();
    let taken_over = |lease, left| {
        let lasts = Lasts::Key { left };
        LockNote::TakenOver { lock: job(), lease, lasts }.into()
    };
    let (node, note): (_, Note) = match *words {
        ["granted", who, "at", node, "for", count] => {
            (node, granted("job", who, Lasts::Key { left: ms(count) }))
        }
        ["granted", who, "at", node] => (node, granted("job", who, Lasts::Key { left: None })),
        ["ended", who, "expired", "at", node] => {
            let how = GrantEnd::KeyExpired;
            (node, LockNote::Ended { lock: job(), lease: lease(who), how }.into())
        }
        ["renewed", who, "at", node, "for", count] => {
            let left = ms(count);
            (node, RedisNote::Renewed { lock: job(), lease: lease(who), left }.into())
        }
        [node, "takes", "over", "without"] => (node, taken_over(None, None)),
        [node, "takes", "over", "with", who] => (node, taken_over(Some(lease(who)), None)),
        [node, "takes", "over", "with", who, "for", count] => {
            (node, taken_over(Some(lease(who)), ms(count)))
        }
        [node, "hands", "over", who] => {
            (node, LockNote::HandedOver { lock: job(), lease: lease(who) }.into())
        }
        [node, "votes", "for", who] => (node, voted(lease(who), "90")),
        [node, "votes", "for", who, "for", count] => (node, voted(lease(who), count)),
        [node, "votes", "for", who, "no", "more", "by", other] => {
            let how = GrantEnd::Deleted { by: machine(other)? };
            (node, RedisNote::VoteEnded { lock: job(), lease: lease(who), how }.into())
        }
        [node, "votes", "for", who, "no", "more"] => {
            let (lock, lease, how) = (job(), lease(who), GrantEnd::KeyExpired);
            (node, RedisNote::VoteEnded { lock, lease, how }.into())
        }
        [node, "starts"] => return Some((machine(node)?, What::Started)),
        _ => return None,
    };
    Some((machine(node)?, What::Note(note)))
}

fn of_worker(words: &[&str]) -> Option<(NodeId, What<Actor>)> {
    let counted = |who, result, ms: &str| {
        let (lease, validity) = (lease(who), Span::from_ms(ms.parse().expect("milliseconds")));
        let note = WorkerNote::Counted { lease, votes: 2, quorum: 2, validity, result };
        of_acquisition(who, note)
    };
    let believes = |lock: &str, who, token: &str| {
        let (lock, token): (Text, _) = (lock.into(), token.parse().expect("a token"));
        of_acquisition(who, WorkerNote::Believes { lock, token, owner: lease(who) })
    };
    let (node, what) = match *words {
        [who, "opens"] => of_acquisition(who, WorkerNote::SessionOpened { lease: lease(who) }),
        [who, "draws"] => of_acquisition(who, WorkerNote::DrewValue { lease: lease(who) }),
        [node, "draws", who] => {
            (machine(node)?, What::Note(WorkerNote::DrewValue { lease: lease(who) }.into()))
        }
        [who, "counts", "for", ms] => counted(who, Count::Granted, ms),
        [who, "counts", "in", "vain"] => counted(who, Count::TooFew, "0"),
        [who, "believes", "no", "more"] => {
            let (lock, owner, why) = ("job".into(), lease(who), BeliefEnd::SessionOver);
            of_acquisition(who, WorkerNote::BelievesNoMore { lock, owner, why })
        }
        [who, "believes", token] => believes("job", who, token),
        [who, "believes", token, "of", lock] => believes(lock, who, token),
        [node, "crashes"] => (machine(node)?, What::Crashed),
        [node, "exits"] => (machine(node)?, What::Exited),
        [node, "begins"] => (machine(node)?, What::Note(WorkerNote::Began.into())),
        [node, "finishes"] => (machine(node)?, What::Note(WorkerNote::Finished.into())),
        [node, "stops"] => {
            let why = StopReason::Unanswered;
            (machine(node)?, What::Note(WorkerNote::Stopped { why }.into()))
        }
        [node, "is", "replaced", "by", other] => {
            let (ended, begins) = (machine(node)?, machine(other)?);
            (NodeId(8), What::Note(Note::Replaced { ended, begins }))
        }
        _ => return None,
    };
    Some((node, what))
}

fn of_acquisition(who: &str, note: WorkerNote) -> (NodeId, What<Actor>) {
    (NodeId(lease(who).0 as u8), What::Note(note.into()))
}

fn lease(who: &str) -> LeaseId {
    LeaseId(u64::from(who.as_bytes()[0] - b'A' + 1))
}

fn machine(number: &str) -> Option<NodeId> {
    number.parse().ok().map(NodeId)
}
