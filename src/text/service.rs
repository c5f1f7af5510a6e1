//! English: what happens at the lock service.

use crate::actors::etcd::api::{LeaseId, Text};
use crate::actors::note::{
    Change, Count, EtcdNote, GrantEnd, LeaseEnd, LockNote, RedisNote, SessionEnd, Vote, WorkerNote,
};
use crate::actors::store::api::{Refusal, Token};
use crate::actors::worker::Heartbeat;
use crate::scenario::names::Service;
use crate::sim::in_full::InFull;
use crate::sim::time::Span;
use crate::text::en::{lease, refusal};
use crate::text::who::Who;
use crate::text::{amounts, consul, objects};

/// A token. One of ZooKeeper's is written as it writes them, in hexadecimal: the epoch
/// stands in the high 32 bits.
pub fn token(token: Token) -> String {
    if token >> 32 == 0 { token.to_string() } else { format!("{token:#x}") }
}

/// A thing and its token; 0 stands for none.
pub fn numbered(what: &str, token: Token) -> String {
    match token {
        0 => what.to_owned(),
        _ => format!("{what} {}", self::token(token)),
    }
}

/// The same of an object, where the data is told apart.
pub fn numbered_of(what: &str, token: Token, object: &str) -> String {
    let words = numbered(what, token);
    if object.is_empty() { words } else { format!("{words} of {object}") }
}

/// The highest tokens seen, each of its object.
pub fn marks(marks: &[(Text, Token)]) -> String {
    let each = |(object, token): &(Text, Token)| numbered_of(&self::token(*token), 0, object);
    marks.iter().map(each).collect::<Vec<_>>().join(", ")
}

/// How a client knows that its session is over.
pub fn session_end(why: SessionEnd) -> &'static str {
    match why {
        SessionEnd::Deadline => "its deadline passed without an answer",
        SessionEnd::LeaseGone => "the service says the lease is gone",
        SessionEnd::Closed => "it closed it",
        SessionEnd::Disconnected => "its connection is closed",
        SessionEnd::GivenUp => "it gave it up",
    }
}

/// How a client knows that its hold on a key is over.
pub(super) fn hold_end(why: SessionEnd) -> &'static str {
    match why {
        SessionEnd::Deadline => "its time has passed",
        SessionEnd::LeaseGone => "the service says the key is not its own",
        SessionEnd::Closed | SessionEnd::GivenUp => "it gives it up",
        SessionEnd::Disconnected => "its connection is closed",
    }
}

/// How a worker’s heartbeat is.
pub(super) fn heartbeat(heartbeat: Heartbeat) -> &'static str {
    match heartbeat {
        Heartbeat::Blocked => "Its heartbeat is blocked; its program runs on",
        Heartbeat::Runs => "Its heartbeat runs",
    }
}

/// What became of a lock.
pub fn lock(note: &LockNote, who: &Who) -> String {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    match note {
        LockNote::Granted { lock, lease: id, token: 0, .. } => {
            format!("{} is granted {lock} without a token", of(id))
        }
        // etcd's number is told by its name there; a script's counter has none.
        LockNote::Granted { lock, lease: id, token, .. }
            if who.names().service() == Service::Redis =>
        {
            format!("{} is granted {lock} with the counter at {token}", of(id))
        }
        LockNote::Granted { lock, lease: id, token, .. } if is_postgres(who) => {
            format!("{} is granted {lock} with its row’s token {token}", of(id))
        }
        LockNote::Granted { lock, lease: id, token, .. } => {
            let (number, token) = (created(who), self::token(*token));
            format!("{} is granted {lock} with {number} {token}", of(id))
        }
        LockNote::Ended { lock, lease: id, how } => {
            format!("{} holds {lock} no more: {}", of(id), grant_end(*how, who))
        }
        LockNote::Renewed { lock, lease: id, .. } => {
            format!("{} has put {lock} anew: its lease begins again", of(id))
        }
        LockNote::TakenOver { lock, lease: Some(id), .. } => {
            format!("Answers for {lock} from now on; as far as it knows {} holds it", of(id))
        }
        LockNote::TakenOver { lock, lease: None, .. } => {
            format!("Answers for {lock} from now on; as far as it knows nobody holds it")
        }
        LockNote::Refused { lock, client, asked, error } => {
            let (whose, status) = (who.machine(*client), error.status());
            let why = refusal(Refusal::Condition(*error));
            let asked = match asked {
                Change::Put => "put",
                Change::Delete => "delete",
            };
            format!("Refuses {whose} a {asked} of {lock}, {status}: {why}")
        }
        LockNote::HandedOver { lock, lease: id } => {
            format!("Answers for {lock} no more and forgets that {} holds it", of(id))
        }
    }
}

fn is_postgres(who: &Who) -> bool {
    who.names().service() == Service::Postgres
}

fn grant_end(how: GrantEnd, who: &Who) -> String {
    if let Some(end) = consul::grant_end(how, who).or_else(|| objects::grant_end(how, who)) {
        return end;
    }
    let is_postgres = is_postgres(who);
    let is_znode = who.names().service() == Service::ZooKeeper;
    match how {
        GrantEnd::Lease(LeaseEnd::Expired) if is_znode => {
            "its session expired, and its znode went with it".to_owned()
        }
        GrantEnd::Lease(LeaseEnd::Revoked) if is_znode => {
            "its session was closed, and its znode went with it".to_owned()
        }
        GrantEnd::Deleted { by } if is_znode => format!("{} deleted its znode", who.machine(by)),
        GrantEnd::KeyExpired if is_postgres => "its row is over".to_owned(),
        GrantEnd::Deleted { by } if is_postgres => format!("let go by {}", who.machine(by)),
        GrantEnd::Overwritten { by } if is_postgres => {
            format!("{} took its row before its time was over", who.machine(by))
        }
        GrantEnd::Lease(LeaseEnd::Expired) => "its lease expired".to_owned(),
        GrantEnd::Lease(LeaseEnd::Revoked) => "its lease was revoked".to_owned(),
        GrantEnd::KeyExpired => "its key expired".to_owned(),
        GrantEnd::Deleted { by } => format!("{} deleted the key", who.machine(by)),
        GrantEnd::SetFree { .. } => unreachable!("only an object is set free"),
        GrantEnd::Overwritten { by } => format!("{} overwrote the key", who.machine(by)),
        GrantEnd::Session => "the session that held it has ended".to_owned(),
        GrantEnd::Transaction => "the transaction that held it has failed".to_owned(),
    }
}

/// What a worker notes of its client of Redis, of one node or of several.
#[inline(never)]
pub fn key_client(note: &WorkerNote, who: &Who) -> String {
    match note {
        WorkerNote::DrewValue { lease: id } => {
            format!("Draws the value {} for the lock’s key", lease(*id))
        }
        WorkerNote::HeardVote { from, vote } => {
            format!("{}: {}", who.machine(*from), self::vote(*vote))
        }
        WorkerNote::Counted { votes, quorum, validity, result, .. } => {
            counted((*votes, *quorum), *validity, *result)
        }
        WorkerNote::HoldOver { lease: id, why } => {
            let why = hold_end(*why);
            format!("For its client its hold on the key (value {}) is over: {why}", lease(*id))
        }
        note => unreachable!("another client notes it: {}", InFull(&note)),
    }
}

/// How a node votes.
fn vote(vote: Vote) -> &'static str {
    match vote {
        Vote::Yes => "yes",
        Vote::No => "no",
        Vote::Gone => "does not run",
    }
}

/// What a client makes of so many votes, where so many are a majority.
fn counted((votes, quorum): (u8, u8), validity: Span, result: Count) -> String {
    let is_over = validity <= Span::ZERO;
    match result {
        Count::TooFew => format!("Counts {votes} votes, and it takes {quorum}"),
        Count::TooLate => format!("Counts {votes} votes, and they have come too late"),
        Count::Granted if is_over => {
            format!("Counts {votes} votes, and does not look how late it is")
        }
        Count::Granted => {
            format!("Counts {votes} votes: the lock is its own for {}", amounts::span(validity))
        }
    }
}

/// What the number is called that the holder's key has had since it was created.
fn created(who: &Who) -> &'static str {
    match who.names().service() {
        Service::ZooKeeper => "czxid",
        Service::Etcd | Service::Redis | Service::Redlock | Service::Postgres => "create revision",
        Service::Consul => "ModifyIndex",
        Service::Objects => "epoch",
    }
}

/// What a worker notes of its client of ZooKeeper, where that is told otherwise than of
/// other clients.
pub fn zookeeper_client(note: &WorkerNote, who: &Who) -> Option<String> {
    if who.names().service() != Service::ZooKeeper {
        return None;
    }
    Some(match note {
        WorkerNote::SessionOpened { lease: id } => format!("Has session 0x{}", lease(*id)),
        WorkerNote::SessionClosed { lease: id, why } => {
            let session = format!("session 0x{}", lease(*id));
            match why {
                SessionEnd::Deadline => {
                    format!("LOST: {session} has had no connection for its whole timeout")
                }
                SessionEnd::LeaseGone => format!("LOST: {session} has expired, the server says"),
                SessionEnd::Closed => format!("Its client closes {session}"),
                SessionEnd::Disconnected => unreachable!("a session outlives its connection"),
                SessionEnd::GivenUp => format!(
                    "Its client gives {session} up without a connection: nothing tells the ensemble"
                ),
            }
        }
        WorkerNote::Renewed { lease: id } => {
            format!("Session 0x{}: a ping is answered", lease(*id))
        }
        WorkerNote::Waits { create_revision } => {
            format!("Waits for the znode before its own, czxid {}", token(*create_revision))
        }
        WorkerNote::RenewalFailed => "Its connection is gone".to_owned(),
        WorkerNote::Suspended { .. } => {
            "SUSPENDED: its client has lost its connection, and the session may live on".to_owned()
        }
        WorkerNote::Reconnected { .. } => {
            "RECONNECTED: its client has a connection for the same session again".to_owned()
        }
        _ => return None,
    })
}

/// What a ZooKeeper server notes.
fn zookeeper(note: &EtcdNote, who: &Who) -> String {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    match note {
        EtcdNote::LeaseGranted { lease: id, ttl_s } => {
            format!("Session 0x{} opened for {}, timeout {ttl_s} s", lease(*id), of(id))
        }
        EtcdNote::LeaseRenewed { lease: id } => format!("Session of {} heard of", of(id)),
        EtcdNote::LeaseOverdue { lease: id } => {
            format!("Session of {} has run out and will be closed", of(id))
        }
        EtcdNote::LeaseEnded { lease: id, why, revision } => {
            let why = match why {
                LeaseEnd::Expired => "expired",
                LeaseEnd::Revoked => "was closed",
            };
            format!("Session of {} {why}, zxid {}", of(id), token(*revision))
        }
        EtcdNote::Queued { lease: id, create_revision, .. } => {
            format!("{} queues with czxid {}", of(id), token(*create_revision))
        }
        EtcdNote::Leads { term } => {
            format!("Leads in epoch {term}; every session gets its whole timeout anew")
        }
        EtcdNote::SteppedDown { term } => format!("Leads no more (epoch {term})"),
        EtcdNote::ReadAlone { .. } => {
            unreachable!("a server is asked no such read: {}", InFull(&note))
        }
        EtcdNote::Reaped { path } => {
            format!("{path} is an empty container and goes: its suffixes begin again at 0000000000")
        }
    }
}

/// What an etcd member notes.
pub fn etcd(note: &EtcdNote, who: &Who) -> String {
    if who.names().service() == Service::ZooKeeper {
        return zookeeper(note, who);
    }
    if consul::is_it(who) {
        return consul::sessions(note, who);
    }
    let of = |lease: &LeaseId| who.acquisition(*lease);
    match note {
        EtcdNote::LeaseGranted { lease: id, ttl_s } => {
            format!("Lease {} granted to {} for {ttl_s} s", lease(*id), of(id))
        }
        EtcdNote::LeaseRenewed { lease: id } => format!("Lease of {} renewed", of(id)),
        EtcdNote::LeaseOverdue { lease: id } => {
            format!("Lease of {} is past its deadline and will be revoked", of(id))
        }
        EtcdNote::LeaseEnded { lease: id, why, revision } => {
            let why = match why {
                LeaseEnd::Expired => "expired",
                LeaseEnd::Revoked => "was revoked",
            };
            format!("Lease of {} {why}; the store is at revision {revision}", of(id))
        }
        EtcdNote::Queued { lease: id, create_revision, .. } => {
            format!("{} queues with create revision {create_revision}", of(id))
        }
        EtcdNote::Leads { term } => {
            format!("Leads in term {term}; every lease gets election timeout plus TTL anew")
        }
        EtcdNote::SteppedDown { term } => {
            format!("Leads no more (term {term})")
        }
        EtcdNote::ReadAlone { revision } => {
            format!("Answers a serializable read by itself, as of revision {revision}")
        }
        EtcdNote::Reaped { path } => {
            unreachable!("etcd has no containers, and {path} is none")
        }
    }
}

/// What a Redis node notes.
#[inline(never)]
pub fn redis(note: &RedisNote, who: &Who) -> String {
    match note {
        RedisNote::Renewed { lock, lease, .. } => {
            format!("{lock} of {} gets another end", who.acquisition(*lease))
        }
        RedisNote::Expired { lock, lease } => {
            format!(
                "{lock} of {} has expired by this machine’s wall clock",
                who.acquisition(*lease)
            )
        }
        RedisNote::Voted { lock, lease, .. } => {
            format!("Has the key {lock} for {}: a vote", who.acquisition(*lease))
        }
        RedisNote::VoteEnded { lock, lease, how } => {
            let (of, how) = (who.acquisition(*lease), grant_end(*how, who));
            format!("Has the key {lock} for {of} no more: {how}")
        }
        RedisNote::Loaded { keys: 0 } => "Starts again with no keys".to_owned(),
        RedisNote::Loaded { keys: 1 } => "Starts again with one key".to_owned(),
        RedisNote::Loaded { keys } => format!("Starts again with {keys} keys"),
        RedisNote::Promoted => "Is promoted: it takes writes from now on".to_owned(),
        RedisNote::Follows { primary } => {
            format!("Follows {} from now on and gives up what it has", who.machine(*primary))
        }
    }
}
