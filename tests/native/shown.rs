//! What a run shows: its facts in words, taken from typed events, with exact times.

use fencepost::actors::etcd::api::LeaseId;
use fencepost::actors::note::{
    CheckOutcome, ConsulNote, Count, EtcdNote, LeaseEnd, LockNote, PostgresNote, RedisNote,
    SessionEnd, StoreNote, WorkerNote,
};
use fencepost::actors::store::api::{Refusal, StoreOp};
use fencepost::actors::{Actor, Message, Note};
use fencepost::properties::{Judge, Judged, PropertyId, why};
use fencepost::scenario::names::Role;
use fencepost::scenario::{Run, Scenario, library};
use fencepost::sim::event::{Event, EventId, What};
use fencepost::sim::process::{Message as _, NodeId};
use fencepost::sim::replay::Replay;
use fencepost::text::{Who, effects};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A run that was run to its end.
pub struct Shown {
    pub run: Run,
    pub replay: Replay<Actor, Judge>,
    facts: Vec<Fact>,
}

/// One thing that happened.
#[derive(Clone, Debug)]
struct Fact {
    event: EventId,
    at_us: i64,
    says: String,
}

/// A scenario, or a variant as in "reconcile.stop-work", run to its end.
pub fn shown(name: &str) -> Shown {
    let (id, variant) = name.split_once('.').map_or((name, None), |(id, v)| (id, Some(v)));
    let scenario = Scenario::built_in(id).expect("a built-in scenario");
    let scenario = match variant {
        Some(variant) => scenario.variant(variant).expect("a variant of it"),
        None => scenario,
    };
    Shown::of(scenario.run())
}

/// That something happened at exactly these microseconds, and at no other. What never
/// happens here has to happen in some built-in run, or nobody would notice a slip of
/// the pen.
#[track_caller]
pub fn check(shown: &Shown, says: &str, at_us: &[i64]) {
    assert_eq!(shown.times(says), at_us, "“{says}” in\n{}", shown.told());
    assert!(!at_us.is_empty() || all_facts().contains(says), "no run ever says “{says}”");
}

/// That these properties are broken at the end, and no others.
#[track_caller]
pub fn check_broken(shown: &Shown, expected: &[PropertyId]) {
    assert_eq!(shown.broken(), expected);
}

/// That an event, told by its one fact, rests on others.
#[track_caller]
pub fn check_rests_on(shown: &Shown, effect: &str, causes: &[&str]) {
    let [effect] = shown.events(effect)[..] else {
        panic!("“{effect}” does not happen once in\n{}", shown.told())
    };
    check_among(shown, &why::causes(shown.replay.past(), effect), causes);
}

/// That these facts are among the events given.
#[track_caller]
pub fn check_among(shown: &Shown, events: &[EventId], facts: &[&str]) {
    for fact in facts {
        let found = shown.events(fact).iter().any(|event| events.contains(event));
        let told: Vec<&str> = shown
            .facts
            .iter()
            .filter(|fact| events.contains(&fact.event))
            .map(|fact| fact.says.as_str())
            .collect();
        assert!(found, "“{fact}” is not among\n{}", told.join("\n"));
    }
}

fn all_facts() -> &'static BTreeSet<String> {
    static ALL: OnceLock<BTreeSet<String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let runs = library::runs().expect("built-in scenarios are right");
        let facts = runs.into_iter().flat_map(|(_, run)| Shown::of(run).facts);
        facts.map(|fact| fact.says).collect()
    })
}

impl Shown {
    /// Runs a run to its end.
    pub fn of(run: Run) -> Shown {
        let replay = run.to_end().expect("the clicks of the run are right");
        let who = Who::of(run.scenario.names(), replay.past());
        let fact = |event: &Event<Actor>| {
            Some(Fact { event: event.id, at_us: event.at.0, says: says(event, &who)? })
        };
        let facts = replay.past().iter().filter_map(fact).collect();
        Shown { run, replay, facts }
    }

    /// When something happened, in microseconds.
    pub fn times(&self, says: &str) -> Vec<i64> {
        self.facts.iter().filter(|fact| fact.says == says).map(|fact| fact.at_us).collect()
    }

    /// When something that happened once happened.
    #[track_caller]
    pub fn only(&self, says: &str) -> i64 {
        let [at_us] = self.times(says)[..] else {
            panic!("“{says}” does not happen once in\n{}", self.told())
        };
        at_us
    }

    /// The last time that something happened.
    #[track_caller]
    pub fn last(&self, says: &str) -> i64 {
        *self.times(says).last().unwrap_or_else(|| panic!("no “{says}” in\n{}", self.told()))
    }

    fn events(&self, says: &str) -> Vec<EventId> {
        self.facts.iter().filter(|fact| fact.says == says).map(|fact| fact.event).collect()
    }

    /// What is broken at the end.
    pub fn broken(&self) -> Vec<PropertyId> {
        let verdicts = self.replay.moment().observer.verdicts(Judged::AtTheEnd);
        verdicts.filter(|(_, verdict)| !verdict.holds()).map(|(id, _)| id).collect()
    }

    /// What the partner has booked at the end.
    pub fn booked(&self) -> i64 {
        let names = self.run.scenario.names();
        let store = names.find("store").unwrap_or(NodeId(0));
        let partner = names.with(Role::Partner).next().unwrap_or(store);
        match &self.replay.moment().world.node(partner).process {
            Actor::Partner(partner) => partner.booked(),
            Actor::Store(store) => store.booked(),
            Actor::Objects(objects) => objects.booked(),
            // Cut off from the others, the first knows of less.
            Actor::Etcd(_) => {
                let members = names.with(Role::Member);
                let booked = members.map(|id| match &self.replay.moment().world.node(id).process {
                    Actor::Etcd(member) => member.books().booked,
                    other => panic!("a member is a member, and not {other:?}"),
                });
                booked.max().expect("a cluster has members")
            }
            other => panic!("the store is a store, and not {other:?}"),
        }
    }

    pub fn told(&self) -> String {
        let line = |fact: &Fact| format!("{:>11}  {}\n", fact.at_us, fact.says);
        self.facts.iter().map(line).collect()
    }
}

fn says(event: &Event<Actor>, who: &Who) -> Option<String> {
    let node = who.machine(event.node);
    Some(match &event.what {
        What::Clicked { click, .. } => format!("click {} is made", click + 1),
        What::Sent { body, .. } => sent(node, body)?,
        What::Note(Note::Lock(note)) => lock(note, who)?,
        What::Note(Note::Etcd(note)) => etcd(note, who)?,
        What::Note(Note::Redis(note)) => redis(note, node, who)?,
        What::Note(Note::Postgres(note)) => postgres(note, who)?,
        What::Note(Note::Consul(note)) => consul(note, who),
        What::Note(Note::Worker(note)) => worker(note, event.node, who)?,
        What::Note(Note::Store(note)) => store(note)?,
        What::Note(Note::Effect(note)) => effects::note(note),
        What::Note(Note::Replaced { ended, begins }) => {
            format!("{} replaces {}", who.machine(*begins), who.machine(*ended))
        }
        _ => return None,
    })
}

fn sent(node: &str, body: &Message) -> Option<String> {
    Some(match body {
        Message::Etcd(request) => format!("{node} sends {}", request.op.kind()),
        Message::Store(request) => match &request.op {
            StoreOp::Put(write) => format!("{node} sends PUT {}", write.token),
            StoreOp::Complete(write) => format!("{node} completes PUT {}", write.token),
            _ => format!("{node} sends {}", body.kind()),
        },
        _ => return None,
    })
}

fn etcd(note: &EtcdNote, who: &Who) -> Option<String> {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    Some(match note {
        EtcdNote::LeaseRenewed { lease } => format!("the lease of {} is renewed", of(lease)),
        EtcdNote::LeaseEnded { lease, why: LeaseEnd::Expired, .. } => {
            format!("the lease of {} expires", of(lease))
        }
        EtcdNote::LeaseEnded { lease, why: LeaseEnd::Revoked, .. } => {
            format!("the lease of {} is revoked", of(lease))
        }
        EtcdNote::Queued { lease, create_revision, .. } => {
            format!("{} queues with {create_revision}", of(lease))
        }
        EtcdNote::Reaped { path } => format!("{path} is reaped"),
        _ => return None,
    })
}

fn redis(note: &RedisNote, node: &str, who: &Who) -> Option<String> {
    Some(match note {
        RedisNote::Renewed { lease, .. } => {
            format!("the key of {} gets another end", who.acquisition(*lease))
        }
        RedisNote::Expired { lease, .. } => {
            format!("the key of {} expires", who.acquisition(*lease))
        }
        RedisNote::Voted { lease, .. } => format!("{node} votes for {}", who.acquisition(*lease)),
        RedisNote::VoteEnded { lease, .. } => {
            format!("{node} votes for {} no more", who.acquisition(*lease))
        }
        RedisNote::Promoted => format!("{node} is promoted"),
        RedisNote::Follows { primary } => format!("{node} follows {}", who.machine(*primary)),
        RedisNote::Loaded { keys } => format!("{node} starts again with {keys} keys"),
    })
}

fn postgres(note: &PostgresNote, who: &Who) -> Option<String> {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    Some(match note {
        PostgresNote::Queued { lease, .. } => format!("{} waits at the server", of(lease)),
        PostgresNote::Counted { lease, held, .. } => {
            format!("the session that serves {} counts to {held}", of(lease))
        }
        PostgresNote::NotHeld { lease, .. } => format!("{} unlocks nothing", of(lease)),
        PostgresNote::Failed { lease, error } => {
            format!("a statement of {} fails with {}", of(lease), error.code())
        }
        PostgresNote::SessionEnded { client, why, .. } => {
            let whose = client.map_or("the pool", |client| who.machine(client));
            let code = why.map_or("its connection", |error| error.code());
            format!("a session of {whose} ends by {code}")
        }
        PostgresNote::RowIsOver { lease, .. } => format!("the row of {} is over", of(lease)),
        PostgresNote::WaitsForPool { client } => {
            format!("{} waits for the pool", who.machine(*client))
        }
        PostgresNote::LentByPool { client } => format!("the pool serves {}", who.machine(*client)),
        PostgresNote::Restarted => "the server starts again".to_owned(),
        PostgresNote::NoSessions { .. } => "the standby has no session and no lock".to_owned(),
        PostgresNote::IsPrimary => "it is a primary already".to_owned(),
        PostgresNote::Renewed { .. } => return None,
    })
}

fn consul(note: &ConsulNote, who: &Who) -> String {
    match note {
        ConsulNote::DelayBegins { .. } => "a lock-delay begins".to_owned(),
        ConsulNote::Delayed { lease, .. } => {
            format!("the lock-delay keeps {} away", who.acquisition(*lease))
        }
        ConsulNote::Restarted => "the server starts again".to_owned(),
        ConsulNote::NoLeader => "the server does not lead".to_owned(),
        ConsulNote::DelayOver { .. } => "the lock-delay is over".to_owned(),
    }
}

fn lock(note: &LockNote, who: &Who) -> Option<String> {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    Some(match note {
        LockNote::Granted { lease, token, .. } => {
            format!("the lock is granted to {} with {token}", of(lease))
        }
        LockNote::Ended { lease, .. } => format!("{} holds the lock no more", of(lease)),
        LockNote::Refused { client, .. } => {
            format!("the object store refuses {}", who.machine(*client))
        }
        LockNote::TakenOver { .. } | LockNote::HandedOver { .. } | LockNote::Renewed { .. } => {
            return None;
        }
    })
}

fn worker(note: &WorkerNote, node: NodeId, who: &Who) -> Option<String> {
    let node = who.machine(node);
    Some(match note {
        WorkerNote::Counted { votes, result: Count::Granted, .. } => {
            format!("{node} counts {votes} votes and has the lock")
        }
        WorkerNote::Counted { votes, result: Count::TooLate, .. } => {
            format!("{node} counts {votes} votes too late")
        }
        WorkerNote::Counted { votes, .. } => format!("{node} counts {votes} votes"),
        WorkerNote::Began => format!("{node} begins"),
        WorkerNote::Believes { token, .. } => format!("{node} believes, with {token}"),
        WorkerNote::BelievesNoMore { .. } => format!("{node} believes no more"),
        WorkerNote::Checked { outcome: CheckOutcome::StillMine } => {
            format!("{node} checks and finds its time not over")
        }
        WorkerNote::Checked { outcome: CheckOutcome::KeyIsOwn } => {
            format!("{node} is told that its key is there")
        }
        WorkerNote::Checked { outcome: CheckOutcome::KeyIsNotOwn } => {
            format!("{node} is told that its key is gone")
        }
        WorkerNote::Checked { outcome: CheckOutcome::NoDeadline } => {
            format!("{node} has no deadline to check")
        }
        WorkerNote::Checked { outcome: CheckOutcome::Connected } => {
            format!("{node} checks and is connected")
        }
        WorkerNote::Checked { outcome: CheckOutcome::NotConnected } => {
            format!("{node} checks and is not connected")
        }
        WorkerNote::Checked { .. } => format!("{node} checks and finds its time over"),
        WorkerNote::Suspended { .. } => format!("{node} is suspended"),
        WorkerNote::SessionClosed { why: SessionEnd::Closed, .. } => {
            format!("{node} closes its session")
        }
        WorkerNote::SessionClosed { why: SessionEnd::GivenUp, .. } => {
            format!("{node} gives its session up")
        }
        WorkerNote::DrewToken { token } => format!("{node} draws {token}"),
        WorkerNote::FoundDone { .. } => format!("{node} finds the job done"),
        WorkerNote::FoundHigher { token } => format!("{node} finds {token} with the object"),
        WorkerNote::FoundOwn { .. } => format!("{node} finds its own put"),
        WorkerNote::FoundOver { lease, .. } => {
            format!("{node} finds the lease of {} over", who.acquisition(*lease))
        }
        WorkerNote::Writes { attempt: attempt @ 2.., .. } => {
            format!("{node} writes in try {attempt}")
        }
        WorkerNote::HoldOver { .. } => format!("{node} has its hold no more"),
        WorkerNote::RenewalFailed => format!("{node} cannot renew"),
        WorkerNote::Exits => format!("{node} exits"),
        WorkerNote::Stopped { .. } => format!("{node} stops"),
        WorkerNote::Finished => format!("{node} finishes"),
        _ => return None,
    })
}

fn store(note: &StoreNote) -> Option<String> {
    Some(match note {
        StoreNote::Claimed { token, .. } => format!("claim {token} is accepted"),
        StoreNote::ClaimRefused { token, refusal, .. } => {
            format!("claim {token} is refused: {}", refused(*refusal))
        }
        StoreNote::Read { version } => format!("version {version} is read"),
        StoreNote::Accepted { token, .. } => format!("PUT {token} is accepted"),
        StoreNote::Refused { token, refusal, .. } => {
            format!("PUT {token} is refused: {}", refused(*refusal))
        }
        StoreNote::Begun { token, .. } => format!("a slow PUT {token} begins"),
        _ => return None,
    })
}

fn refused(refusal: Refusal) -> String {
    match refusal {
        Refusal::Token { mark } => format!("{mark} was seen"),
        Refusal::Version { current } => format!("the version is {current}"),
        Refusal::JobDone => "the job is done".to_owned(),
        Refusal::NotBegun => "it was not begun".to_owned(),
        Refusal::Condition(error) => error.code().to_owned(),
        Refusal::Compare => "a comparison fails".to_owned(),
    }
}
