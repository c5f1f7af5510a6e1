//! The machines, their links and messages in flight.

use crate::actors::consul::api::Entry;
use crate::actors::note::{SessionEnd, StopReason};
use crate::actors::objects::api::Record;
use crate::actors::postgres::SessionView;
use crate::scenario::names::Service;
use crate::text::{endings, service};

/// The machines, their links and messages in flight.
#[derive(Debug)]
pub struct Stage {
    /// On a card: the event selected happened on that machine.
    pub selected_here: &'static str,
    /// Narrows the list of events to those of a machine.
    pub events_of: fn(thing: &str) -> String,
    /// Belief and truth agree.
    pub holds: &'static str,
    /// It believes what is not so.
    pub holds_wrongly: &'static str,
    /// It was granted the lock and does not know.
    pub holds_unknowing: &'static str,
    /// It releases the lock, which still stands.
    pub gives_back: &'static str,
    /// It waits for the lock.
    pub waits: fn(Service) -> &'static str,
    /// Its program has not begun.
    pub not_begun: &'static str,
    /// Its process has ended in the middle of it.
    pub ended: &'static str,
    /// Its program takes no lock.
    pub needs_no_lock: &'static str,
    /// It works without holding the lock.
    pub without: &'static str,
    /// Its program came to its end.
    pub finished: &'static str,
    /// Its program stopped before, and why.
    pub stopped: fn(StopReason, Service) -> String,
    /// Its process ended itself.
    pub exited: &'static str,
    /// A process is paused.
    pub paused: &'static str,
    /// A machine is suspended.
    pub suspended: &'static str,
    /// No process runs.
    pub down: &'static str,
    /// Its heartbeat is blocked.
    pub heartbeat_blocked: &'static str,
    /// Before a token.
    pub token: &'static str,
    /// Before a clock's offset and rate.
    pub clock: &'static str,
    /// A clock that stands still.
    pub stands_still: &'static str,
    /// Before where a program stands.
    pub at: &'static str,
    /// A program past its end, or before its beginning.
    pub nowhere: &'static str,
    /// How much running time work still needs.
    pub work_left: fn(span: &str) -> String,
    /// Before the state of its client's session, or of its hold on a key.
    pub session: fn(Service) -> &'static str,
    /// A hold that is asked for and not had.
    pub session_asked: &'static str,
    /// A session that is open.
    pub session_open: fn(Service) -> &'static str,
    /// A session of ZooKeeper's with a connection.
    pub session_connected: &'static str,
    /// One without.
    pub session_suspended: &'static str,
    /// A session that is over, and why.
    pub session_over: fn(Service, SessionEnd) -> &'static str,
    /// There is none.
    pub session_none: &'static str,
    /// What is left of the lease by its own clock, or until a silent connection is given
    /// up.
    pub lease_left: fn(Service) -> &'static str,
    /// It has passed by its own clock, so long ago.
    pub lease_passed: fn(span: &str) -> String,
    /// The lock service.
    pub service: &'static str,
    /// What kind it is.
    pub kind: fn(Service) -> &'static str,
    /// Before how many Redis nodes run.
    pub nodes: &'static str,
    /// Before which Redis node takes writes.
    pub primary: &'static str,
    /// A Redis node takes writes.
    pub writes: &'static str,
    /// A node that runs, where each is for itself.
    pub runs: &'static str,
    /// Before what stands in the lock's key.
    pub key: &'static str,
    /// The same, on which node.
    pub key_at: fn(lock: Option<&str>, node: &str) -> String,
    /// Whose the lock's row in PostgreSQL is, its token, and what is left of its time: nothing
    /// once it is over.
    pub row_is: fn(owner: Option<&str>, token: i64, left: Option<Option<String>>) -> String,
    /// Before that.
    pub row: &'static str,
    /// The numbers of the lock's key in Consul.
    pub entry_is: fn(entry: &Entry) -> String,
    /// Before the place of the last change in a Consul server's log.
    pub index: &'static str,
    /// Before what stands in the lock's object.
    pub object: &'static str,
    /// Whether it is anybody's, and its epoch.
    pub record_is: fn(&Record) -> String,
    /// Before how far the time in it is ahead of the right one.
    pub time_in_it: &'static str,
    /// Before how long the lock cannot be acquired.
    pub lock_delay: &'static str,
    /// Before how one of PostgreSQL's sessions stands.
    pub session_at: fn(pid: u32) -> String,
    /// How it stands.
    pub session_is: fn(client: Option<&str>, &SessionView) -> String,
    /// Before a store's rule as a statement.
    pub as_sql: &'static str,
    /// Before that there is no session.
    pub sessions: &'static str,
    /// The value of a key, whose it is, and what is left of its time.
    pub key_is: fn(value: &str, owner: &str, left: Option<&str>) -> String,
    /// Before who holds the lock.
    pub granted_to: &'static str,
    /// Nobody.
    pub nobody: &'static str,
    /// Somebody whose session has not said whose it is.
    pub somebody: &'static str,
    /// Before the revision.
    pub revision: &'static str,
    /// Before how many members run.
    pub members: &'static str,
    /// So many of so many.
    pub of: fn(run: usize, all: usize) -> String,
    /// Before who leads.
    pub leader: &'static str,
    /// Before the tokens.
    pub tokens: &'static str,
    /// A token whose holder has the lock.
    pub token_held: fn(token: i64) -> String,
    /// A token that waits.
    pub token_waits: fn(token: i64) -> String,
    /// There are none.
    pub none: &'static str,
    /// Before what is left of the holder's lease.
    pub lease_at_leader: &'static str,
    /// Before how many ZooKeeper servers run.
    pub servers: &'static str,
    /// Before the last change of a ZooKeeper ensemble.
    pub zxid: &'static str,
    /// Before what is left of the holder's session, by the leader.
    pub session_at_leader: &'static str,
    /// A member leads.
    pub leads: &'static str,
    /// A member follows.
    pub follows: &'static str,
    /// A member stands for election.
    pub stands: &'static str,
    /// Before the highest token seen.
    pub highest_seen: &'static str,
    /// Before the token in an object's metadata.
    pub token_beside: &'static str,
    /// Of data in etcd: at which version it is.
    pub data_at: &'static str,
    /// Its version and the revision of its last change.
    pub version_at: fn((i64, i64)) -> String,
    /// Before how many writes were accepted.
    pub accepted: &'static str,
    /// Before how many were refused.
    pub refused: &'static str,
    /// Before what the partner has booked.
    pub booked: &'static str,
    /// Amount booked, amount owed.
    pub booked_of: fn(booked: &str, owed: &str) -> String,
    /// Before how many rows of the outbox wait to be sent.
    pub rows: &'static str,
    /// Before the row that a relay is at.
    pub row_sent: &'static str,
    /// The list of links.
    pub links: &'static str,
    /// A link between two.
    pub link: fn(from: &str, to: &str) -> String,
    /// Nothing of it is cut.
    pub link_up: &'static str,
    /// It is cut both ways.
    pub link_cut: &'static str,
    /// Only from the one to the other is cut.
    pub link_cut_one: fn(from: &str, to: &str) -> String,
    /// Some links to the members are cut.
    pub link_partly: &'static str,
    /// A member that no other one reaches, and that reaches none.
    pub cut_off: &'static str,
    /// The members of the lock service.
    pub parts: &'static str,
    /// The word on a cut link in the picture.
    pub cut: &'static str,
    /// The picture of the links.
    pub picture: &'static str,
    /// The list of messages in flight.
    pub in_flight: &'static str,
    /// There are none.
    pub none_in_flight: &'static str,
    /// How to get one.
    pub none_in_flight_why: &'static str,
    /// While the run plays: how many.
    pub in_flight_count: fn(usize) -> String,
    /// A message: kind with token, sender, receiver.
    pub message: fn(what: &str, from: &str, to: &str) -> String,
    /// The second and further copies of a message.
    pub copy: fn(copy: usize) -> String,
    /// It arrives after so long.
    pub arrives: fn(span: &str) -> String,
    /// It comes back after so long.
    pub comes_back: fn(span: &str) -> String,
    /// It is held.
    pub held: &'static str,
    /// It waits at its receiver.
    pub waits_there: &'static str,
}

/// English.
pub const ENGLISH: Stage = Stage {
    selected_here: "The event selected happened here.",
    events_of: |thing| format!("Events of {thing}"),
    holds: "Holds the lock",
    holds_wrongly: "Wrongly believes it holds the lock",
    holds_unknowing: "Was granted the lock; does not know it",
    gives_back: "Gives the lock back",
    waits: |service| match service {
        Service::Etcd => "Waits in the queue",
        // There is no queue: it asks again and again.
        Service::Redis | Service::Redlock | Service::Objects => "Asks for the lock",
        Service::ZooKeeper => "Waits for the znode before its own",
        Service::Postgres | Service::Consul => "Waits for the lock",
    },
    not_begun: "Has not begun",
    ended: "Its process has ended",
    needs_no_lock: "Works without a lock",
    without: "Does not hold the lock",
    finished: "Finished",
    stopped: |why, service| format!("Stopped: {}", endings::stop_reason(why, service)),
    exited: "Exited",
    paused: "Paused",
    suspended: "Suspended",
    down: "Not running",
    heartbeat_blocked: "Heartbeat blocked",
    token: "token",
    clock: "its clock",
    stands_still: "stands still",
    at: "at",
    nowhere: "no step",
    work_left: |span| format!("{span} of work left"),
    session: |service| match service {
        Service::Etcd => "session",
        Service::Redis => "key, as its client knows",
        Service::Redlock => "keys, as its client knows",
        Service::ZooKeeper => "session, as its client knows",
        Service::Postgres => "lock, as its client knows",
        Service::Consul => "session, as its client knows",
        Service::Objects => "object, as its client knows",
    },
    session_asked: "not its own yet: it asks for it",
    session_open: |service| match service {
        Service::Etcd | Service::ZooKeeper | Service::Consul => "open",
        Service::Redis | Service::Redlock | Service::Objects => "its own",
        Service::Postgres => "held",
    },
    session_connected: "connected",
    session_suspended: "SUSPENDED: no connection",
    session_over: |service, end| match (service, end) {
        (Service::Redis | Service::Redlock | Service::Objects, end) => match end {
            SessionEnd::Deadline => "over: its time has passed",
            SessionEnd::LeaseGone => "over: not its own any more",
            SessionEnd::Disconnected => "over: its connection is closed",
            SessionEnd::Closed | SessionEnd::GivenUp => "given up",
        },
        (Service::ZooKeeper, SessionEnd::Deadline) => "LOST: no connection for a session timeout",
        (Service::ZooKeeper, SessionEnd::LeaseGone) => "LOST: the server says it has expired",
        (Service::ZooKeeper, SessionEnd::Closed) => "closed by itself",
        (Service::Postgres, SessionEnd::Deadline) => "over: the row’s time has passed",
        (Service::Postgres, SessionEnd::LeaseGone) => "over: not its own any more",
        (Service::Postgres, SessionEnd::Closed) => "given up",
        (Service::Consul, SessionEnd::Deadline) => "over: no answer for a TTL",
        (Service::Consul, SessionEnd::LeaseGone) => "over: 404, told that it is gone",
        (Service::Consul, SessionEnd::Closed) => "destroyed by itself",
        (_, SessionEnd::Disconnected) => "over: its connection is closed",
        (_, SessionEnd::GivenUp) => "given up",
        (Service::Etcd, SessionEnd::Deadline) => "over: no answer before its deadline",
        (Service::Etcd, SessionEnd::LeaseGone) => "over: told that the lease is gone",
        (Service::Etcd, SessionEnd::Closed) => "closed by itself",
    },
    session_none: "none",
    lease_left: |service| match service {
        Service::Etcd | Service::Redis | Service::Redlock | Service::Objects => {
            "Lease left, by its own clock"
        }
        Service::Consul => "Session left, by its own clock",
        Service::Postgres => "Row’s time left, by its own clock",
        Service::ZooKeeper => "Silence left until SUSPENDED",
    },
    lease_passed: |span| format!("passed {span} ago"),
    service: "Lock service",
    kind: |service| match service {
        Service::Etcd => "etcd",
        Service::Redis => "Redis",
        Service::Redlock => "Redlock",
        Service::ZooKeeper => "ZooKeeper",
        Service::Postgres => "PostgreSQL",
        Service::Consul => "Consul",
        Service::Objects => "Object store",
    },
    nodes: "nodes",
    primary: "takes writes",
    writes: "takes writes",
    runs: "runs",
    key: "key",
    key_at: |lock, node| format!("{} at {node}", lock.unwrap_or("key")),
    row_is: |owner, token, left| {
        let whose = owner.map_or("free".to_owned(), |owner| format!("of {owner}"));
        let left = match left {
            None => String::new(),
            Some(None) => ", over".to_owned(),
            Some(Some(left)) => format!(", {left} left"),
        };
        format!("{whose}, token {token}{left}")
    },
    entry_is: |entry| format!("ModifyIndex {}, LockIndex {}", entry.modify_index, entry.lock_index),
    object: "object",
    record_is: |record| {
        let whose = if record.holder().is_some() { "held" } else { "free" };
        if record.epoch == 0 {
            whose.to_owned()
        } else {
            format!("{whose}, epoch {}", record.epoch)
        }
    },
    time_in_it: "until, by the right time",
    index: "index",
    lock_delay: "lock-delay left",
    row: "lock’s row",
    session_at: |pid| format!("session {pid}"),
    session_is: |client, session| {
        let whose = client.unwrap_or("the pool’s, free");
        let transaction = if session.in_transaction { ", in a transaction" } else { "" };
        let lock = match (session.holds_for.len(), session.waits) {
            (_, true) => ", waits for the lock".to_owned(),
            (0, _) => String::new(),
            (1, _) => ", holds the lock".to_owned(),
            (times, _) => format!(", holds the lock {times} times"),
        };
        format!("{whose}{transaction}{lock}")
    },
    as_sql: "in SQL, refused if it changes no row:",
    sessions: "sessions",
    key_is: |value, owner, left| match left {
        Some(left) => format!("{value} of {owner}, {left} left"),
        None => format!("{value} of {owner}, without an end"),
    },
    granted_to: "granted to",
    nobody: "nobody",
    somebody: "a new session",
    revision: "revision",
    members: "members",
    of: |run, all| format!("{run} of {all}"),
    leader: "leader",
    tokens: "tokens",
    token_held: |token| format!("{} holds", service::token(token)),
    token_waits: |token| format!("{} waits", service::token(token)),
    none: "none",
    lease_at_leader: "lease left",
    servers: "servers",
    zxid: "last zxid",
    session_at_leader: "session left, at the leader",
    leads: "leads",
    follows: "follows",
    stands: "stands for election",
    highest_seen: "highest seen",
    token_beside: "token in its metadata",
    data_at: "data",
    version_at: |(version, revision)| format!("version {version}, mod revision {revision}"),
    accepted: "accepted",
    refused: "refused",
    booked: "booked in all",
    booked_of: |booked, owed| format!("{booked} of {owed}"),
    rows: "outbox rows to send",
    row_sent: "row under way",
    links: "Links",
    link: |from, to| format!("{from} – {to}"),
    link_up: "up",
    link_cut: "cut",
    link_cut_one: |from, to| format!("{from} to {to} cut"),
    link_partly: "partly cut",
    cut_off: "cut off from the others",
    parts: "Members of the lock service",
    cut: "cut",
    picture: "Links and messages in flight; the lists below say the same",
    in_flight: "Messages in flight",
    none_in_flight: "None.",
    none_in_flight_why: "They take milliseconds: step to an event that sends one.",
    in_flight_count: |count| match count {
        0 => "None.".to_owned(),
        1 => "1 message.".to_owned(),
        count => format!("{count} messages."),
    },
    message: |what, from, to| format!("{what}, {from} to {to}"),
    copy: |copy| format!("copy {copy}"),
    arrives: |span| format!("arrives in {span}"),
    comes_back: |span| format!("comes back in {span}"),
    held: "held",
    waits_there: "waits",
};
