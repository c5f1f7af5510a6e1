//! English: the state of a machine that an event met, as a few facts with their names.

use crate::actors::Actor;
use crate::actors::etcd::api::Text;
use crate::actors::etcd::{Claimant, Member, Part};
use crate::actors::objects::Objects;
use crate::actors::redis::{self, Node};
use crate::actors::store::Store;
use crate::actors::store::api::Effects;
use crate::actors::worker::objects::{KEY, report_in, token_in};
use crate::actors::worker::{SessionState, Worker};
use crate::actors::zookeeper::Server;
use crate::actors::{consul, postgres};
use crate::scenario::names::Service;
use crate::sim::process::Now;
use crate::text::amounts::{money, span};
use crate::text::en;
use crate::text::service::{numbered_of, token};
use crate::text::who::Who;

/// A fact and its name.
pub type Fact = (&'static str, String);

/// What a machine's process knows, by its own clocks; `locks` are the keys of all locks.
pub fn facts(process: &Actor, now: Now, locks: &[Text], who: &Who) -> Vec<Fact> {
    match process {
        Actor::Store(store) => of_store(store, who),
        Actor::Objects(objects) if objects.has_lock() => {
            of_lock_object(objects, now, &locks[0], who)
        }
        Actor::Objects(objects) => of_objects(objects),
        Actor::Etcd(member) => of_member(member, locks, who),
        Actor::Redis(node) => of_node(node, now, locks, who),
        Actor::Zk(server) => of_server(server, locks, who),
        Actor::Postgres(server) => of_database(server, now, who),
        Actor::Consul(server) => of_consul(server, now, &locks[0], who),
        Actor::Worker(worker) => of_worker(worker, now, who),
        Actor::Orchestrator(_) => Vec::new(),
        Actor::Partner(partner) => vec![("has booked", money(partner.booked()))],
        Actor::Relay(relay) => {
            vec![("row under way", relay.row().map_or("none".to_owned(), |row| row.to_string()))]
        }
    }
}

fn of_store(store: &Store, who: &Who) -> Vec<Fact> {
    let mark = match store.mark() {
        Some(mark) if mark.token != 0 => {
            format!("{}, by {}", token(mark.token), who.acquisition(mark.owner))
        }
        _ => "none".to_owned(),
    };
    let of_objects: Vec<String> = store
        .marks_of_objects()
        .map(|(object, mark)| {
            let by = who.acquisition(mark.owner);
            format!("{}, by {by}", numbered_of("", mark.token, object).trim_start())
        })
        .collect();
    let mark = if of_objects.is_empty() { mark } else { of_objects.join("; ") };
    let mut facts = vec![
        ("highest token seen", mark),
        ("rule", en::rule(store.rule()).to_owned()),
        ("version", store.version().to_string()),
    ];
    facts.extend(match (store.rows(), store.effects()) {
        (Some(rows), _) => Some(("outbox rows to send", rows.to_string())),
        (None, Effects::InStep) => Some(("booked in all", money(store.booked()))),
        (None, _) => None,
    });
    facts
}

fn of_objects(objects: &Objects) -> Vec<Fact> {
    let none = || "none".to_owned();
    let object = objects.object(KEY);
    let shown = object.and_then(|object| token_in(&object.metadata)).filter(|token| *token != 0);
    vec![
        ("object", object.map_or(none(), |object| format!("“{}”", object.body))),
        ("its ETag", object.map_or(none(), |object| object.etag.to_string())),
        ("token in the metadata", shown.map_or(none(), token)),
        ("booked in all", money(objects.booked())),
    ]
}

fn of_lock_object(objects: &Objects, now: Now, lock: &str, who: &Who) -> Vec<Fact> {
    let none = || "none".to_owned();
    let record = objects.record(lock);
    let held = record.and_then(|record| record.holder()).map(|owner| who.acquisition(owner));
    let epoch = record.map(|record| record.epoch).filter(|epoch| *epoch != 0);
    let until = record.and_then(|record| record.until).map(|until| match until > now.wall {
        true => format!("{} ahead of this machine’s wall clock", span(until - now.wall)),
        false => format!("{} behind this machine’s wall clock", span(now.wall - until)),
    });
    vec![
        ("lock held by", held.unwrap_or_else(|| "nobody".to_owned())),
        ("epoch", epoch.map_or(none(), token)),
        ("time in the object", until.unwrap_or_else(none)),
        ("its ETag", objects.object(lock).map_or(none(), |object| object.etag.to_string())),
    ]
}

fn of_member(member: &Member, locks: &[Text], who: &Who) -> Vec<Fact> {
    let mut facts =
        vec![("this member is", part(member.part())), ("revision", member.revision().to_string())];
    facts.extend(queue(locks.iter().map(|lock| member.claimants(lock)), who));
    if let Some(data) = member.data() {
        let stands = format!("“{}”, version {}", report_in(&data.value), data.version);
        facts.push(("data", stands));
        facts.push(("booked in all", money(member.books().booked)));
    }
    facts
}

fn part(part: Part) -> String {
    let part = match part {
        Part::Follower => "follower",
        Part::Candidate => "candidate",
        Part::NewLeader => "new leader",
        Part::Leader => "leader",
    };
    part.to_owned()
}

fn of_server(server: &Server, locks: &[Text], who: &Who) -> Vec<Fact> {
    let mut facts = vec![
        ("this server is", part(server.part())),
        ("its last zxid", format!("{:#x}", server.zxid().0)),
    ];
    facts.extend(queue(locks.iter().map(|lock| server.claimants(lock)), who));
    facts
}

/// Who holds each lock, and who waits.
fn queue(locks: impl Iterator<Item = Vec<Claimant>>, who: &Who) -> [Fact; 2] {
    let (mut held, mut waiting) = (Vec::new(), Vec::new());
    for claimants in locks {
        for (place, it) in claimants.iter().enumerate() {
            let (name, number) = (who.acquisition(it.lease), token(it.create_revision));
            match place {
                0 => held.push(format!("{name}, token {number}")),
                _ => waiting.push(format!("{name} ({number})")),
            }
        }
    }
    let joined = |all: Vec<String>, between| match all.is_empty() {
        true => "nobody".to_owned(),
        false => all.join(between),
    };
    [("lock held by", joined(held, "; ")), ("waiting", joined(waiting, ", "))]
}

fn of_node(node: &Node, now: Now, locks: &[Text], who: &Who) -> Vec<Fact> {
    let part = match node.part() {
        redis::Part::Primary => "primary: it takes writes".to_owned(),
        redis::Part::Replica { of } => format!("replica of {}", who.machine(of)),
    };
    let (mut held, mut left) = (Vec::new(), Vec::new());
    for holder in locks.iter().map(|lock| node.holder(lock)) {
        let name = holder.as_ref().map(|holder| who.acquisition(holder.lease));
        held.push(name.unwrap_or_else(|| "nobody".to_owned()));
        left.push(match holder.map(|holder| holder.entry.expires) {
            None => "no key".to_owned(),
            Some(None) => "it has no end".to_owned(),
            Some(Some(at)) if at >= now.wall => {
                format!("ends in {} by this machine’s wall clock", span(at - now.wall))
            }
            Some(Some(_)) => "it has ended by this machine’s wall clock".to_owned(),
        });
    }
    vec![
        ("this node is", part),
        ("lock held by", held.join("; ")),
        ("the lock’s key", left.join("; ")),
    ]
}

fn of_database(server: &postgres::Server, now: Now, who: &Who) -> Vec<Fact> {
    let sessions = server.sessions();
    let mut held = Vec::new();
    for session in &sessions {
        held.extend(session.holds_for.iter().map(|owner| who.acquisition(*owner)));
    }
    let row = server.lease();
    let until = match row.expires.filter(|_| row.owner.is_some()) {
        None => "free".to_owned(),
        Some(at) if at > now.wall => {
            format!("ends in {} by this machine’s wall clock", span(at - now.wall))
        }
        Some(_) => "over by this machine’s wall clock".to_owned(),
    };
    let waiting = sessions.iter().filter(|session| session.waits).count();
    let held = if held.is_empty() { "nobody".to_owned() } else { held.join(", ") };
    let mut facts = vec![
        ("sessions", sessions.len().to_string()),
        ("lock held by the session of", held),
        ("sessions that wait for it", waiting.to_string()),
    ];
    // A row that nobody has ever had is not the lock.
    if row.token > 0 {
        facts = vec![("sessions", sessions.len().to_string()), ("the lock’s row", until)];
    }
    if !server.peers().is_empty() {
        let part = match server.part() {
            postgres::Part::Primary => "the primary",
            postgres::Part::Standby => "a standby",
        };
        facts.push(("this server is", part.to_owned()));
    }
    facts
}

fn of_consul(server: &consul::Server, now: Now, lock: &str, who: &Who) -> Vec<Fact> {
    let entry = server.entry(lock);
    let held = entry.and_then(|entry| entry.session).map(|session| who.acquisition(session));
    let numbers = entry.map_or("no key".to_owned(), |entry| {
        format!("ModifyIndex {}, LockIndex {}", entry.modify_index, entry.lock_index)
    });
    let delay = match server.delayed_until(lock) {
        Some(until) => format!("{} left", span(until - now.mono)),
        None => "none".to_owned(),
    };
    vec![
        ("this server is", part(server.part())),
        ("lock held by", held.unwrap_or_else(|| "nobody".to_owned())),
        ("the lock’s key", numbers),
        ("lock-delay", delay),
    ]
}

fn of_worker(worker: &Worker, now: Now, who: &Who) -> Vec<Fact> {
    let belief = match worker.belief() {
        Some(belief) if belief.token == 0 => format!("it holds {}, without a token", belief.lock),
        Some(belief) => format!("it holds {}, token {}", belief.lock, token(belief.token)),
        None => "that it holds no lock".to_owned(),
    };
    let session = match worker.session() {
        None => "none".to_owned(),
        Some(session) => match (session.state, session.deadline) {
            (SessionState::Closed(_), _) => "over".to_owned(),
            (SessionState::Asked, _) => "none: it asks for it".to_owned(),
            (SessionState::Suspended, _) => "suspended: it has no connection".to_owned(),
            (SessionState::Open, _) if worker.config().recipe.is_for_zookeeper() => {
                "connected, as its client knows".to_owned()
            }
            (SessionState::Open, None) => "open".to_owned(),
            (SessionState::Open, Some(at)) if at > now.mono => {
                format!("open, {} left by its own clock", span(at - now.mono))
            }
            (SessionState::Open, Some(at)) => {
                format!("open, {} past its deadline by its own clock", span(now.mono - at))
            }
        },
    };
    // A client of Redis has none: it holds keys.
    let service = who.names().service();
    let name =
        if service.has_keys() || service == Service::Objects { "its hold" } else { "its session" };
    vec![("it believes", belief), (name, session)]
}
