//! English: what happens at the lock service.

use crate::actors::etcd::api::LeaseId;
use crate::actors::note::{
    EtcdNote, GrantEnd, LeaseEnd, LockNote, PostgresNote, RedisNote, SessionEnd,
};
use crate::actors::store::api::Token;
use crate::scenario::names::Service;
use crate::text::en::lease;
use crate::text::who::Who;

/// A thing and its token; 0 stands for none.
pub fn numbered(what: &str, token: Token) -> String {
    match token {
        0 => what.to_owned(),
        _ => format!("{what} {token}"),
    }
}

/// How a client knows that its session is over.
pub fn session_end(why: SessionEnd) -> &'static str {
    match why {
        SessionEnd::Deadline => "its deadline passed without an answer",
        SessionEnd::LeaseGone => "the service says the lease is gone",
        SessionEnd::Closed => "it closed it",
        SessionEnd::Disconnected => "its connection is closed",
    }
}

/// How a client knows that its hold on a key is over.
pub fn hold_end(why: SessionEnd) -> &'static str {
    match why {
        SessionEnd::Deadline => "its time has passed",
        SessionEnd::LeaseGone => "the service says the key is not its own",
        SessionEnd::Closed => "it gives it up",
        SessionEnd::Disconnected => "its connection is closed",
    }
}

/// What became of a lock.
pub fn lock(note: &LockNote, who: &Who) -> String {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    let is_postgres = who.names().service() == Service::Postgres;
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
        LockNote::Granted { lock, lease: id, token, .. } if is_postgres => {
            format!("{} is granted {lock} with its row’s token {token}", of(id))
        }
        LockNote::Granted { lock, lease: id, token, .. } => {
            format!("{} is granted {lock} with create revision {token}", of(id))
        }
        LockNote::Ended { lock, lease: id, how } => {
            let how = match how {
                GrantEnd::Lease(LeaseEnd::Expired) => "its lease expired".to_owned(),
                GrantEnd::Lease(LeaseEnd::Revoked) => "its lease was revoked".to_owned(),
                GrantEnd::KeyExpired if is_postgres => "its row is over".to_owned(),
                GrantEnd::KeyExpired => "its key expired".to_owned(),
                GrantEnd::Deleted { by } if is_postgres => {
                    format!("let go by {}", who.machine(*by))
                }
                GrantEnd::Deleted { by } => format!("{} deleted the key", who.machine(*by)),
                GrantEnd::Overwritten { by } if is_postgres => {
                    format!("{} took its row before its time was over", who.machine(*by))
                }
                GrantEnd::Overwritten { by } => format!("{} overwrote the key", who.machine(*by)),
                GrantEnd::Session => "the session that held it has ended".to_owned(),
            };
            format!("{} holds {lock} no more: {how}", of(id))
        }
        LockNote::TakenOver { lock, lease: Some(id), .. } => {
            format!("Answers for {lock} from now on; as far as it knows {} holds it", of(id))
        }
        LockNote::TakenOver { lock, lease: None, .. } => {
            format!("Answers for {lock} from now on; as far as it knows nobody holds it")
        }
        LockNote::HandedOver { lock, lease: id } => {
            format!("Answers for {lock} no more and forgets that {} holds it", of(id))
        }
    }
}

/// What an etcd member notes.
pub fn etcd(note: &EtcdNote, who: &Who) -> String {
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
    }
}

/// What a Redis node notes.
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
        RedisNote::Loaded { keys: 0 } => "Starts again with no keys".to_owned(),
        RedisNote::Loaded { keys: 1 } => "Starts again with one key".to_owned(),
        RedisNote::Loaded { keys } => format!("Starts again with {keys} keys"),
        RedisNote::Promoted => "Is promoted: it takes writes from now on".to_owned(),
        RedisNote::Follows { primary } => {
            format!("Follows {} from now on and gives up what it has", who.machine(*primary))
        }
    }
}

/// What a PostgreSQL server notes.
pub fn postgres(note: &PostgresNote, who: &Who) -> String {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    match note {
        PostgresNote::Queued { lock, lease } => format!("{} waits for {lock}", of(lease)),
        PostgresNote::Counted { lock, lease, held } => format!(
            "The session that serves {} holds {lock} already and counts to {held}: an advisory lock \
             is the session’s",
            of(lease)
        ),
        PostgresNote::NotHeld { lock, lease } => format!(
            "{} is told false, with a warning: the session that serves it does not hold {lock}",
            of(lease)
        ),
        PostgresNote::Failed { lease, error } => {
            format!("A statement of {} fails, {}: {error}", of(lease), error.code())
        }
        PostgresNote::SessionEnded { client, why, .. } => {
            let whose = match client {
                Some(client) => format!("The session of {}", who.machine(*client)),
                None => "A session of the pool".to_owned(),
            };
            match why {
                Some(error) => format!("{whose} ends, {}: {error}", error.code()),
                None => format!("{whose} ends: its connection is closed"),
            }
        }
        PostgresNote::Renewed { lock, lease } => {
            format!("The row of {lock}, held by {}, gets another end", of(lease))
        }
        PostgresNote::RowIsOver { lock, lease } => {
            format!("The row of {lock}, held by {}, is over: who asks next has it", of(lease))
        }
        PostgresNote::Restarted => {
            "Starts again: what is committed is there, and no session with its locks".to_owned()
        }
    }
}
