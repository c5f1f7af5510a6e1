//! English: Consul, its server and its client.

use crate::actors::etcd::api::LeaseId;
use crate::actors::note::{ConsulNote, EtcdNote, GrantEnd, LeaseEnd, SessionEnd, WorkerNote};
use crate::scenario::names::Service;
use crate::sim::in_full::InFull;
use crate::text::amounts::span;
use crate::text::en::lease;
use crate::text::who::Who;

pub(super) fn is_it(who: &Who) -> bool {
    who.names().service() == Service::Consul
}

/// What a worker notes of its client of Consul, where that is told otherwise than of other
/// clients.
pub(super) fn client(note: &WorkerNote, who: &Who) -> Option<String> {
    if !is_it(who) {
        return None;
    }
    Some(match note {
        WorkerNote::SessionOpened { lease: id } => format!("Has session {}", lease(*id)),
        WorkerNote::SessionClosed { lease: id, why } => {
            let why = match why {
                SessionEnd::Deadline => "a TTL has passed since its last renewal was answered",
                SessionEnd::LeaseGone => "404, the server does not know it",
                SessionEnd::Closed | SessionEnd::GivenUp => "it destroys it",
                SessionEnd::Disconnected => "its connection is closed",
            };
            format!("For its client session {} is over: {why}", lease(*id))
        }
        WorkerNote::Renewed { lease: id } => format!("Session {} is renewed", lease(*id)),
        WorkerNote::Waits { .. } => "The lock is held or delayed: it waits".to_owned(),
        WorkerNote::RenewalFailed => "Cannot renew its session".to_owned(),
        _ => return None,
    })
}

/// What a server notes of sessions and of itself.
pub(super) fn sessions(note: &EtcdNote, who: &Who) -> String {
    let of = |lease: &LeaseId| who.acquisition(*lease);
    match note {
        EtcdNote::LeaseGranted { lease: id, ttl_s } => {
            format!("Session {} created for {}, TTL {ttl_s} s", lease(*id), of(id))
        }
        EtcdNote::LeaseRenewed { lease: id } => format!("Session of {} renewed", of(id)),
        EtcdNote::LeaseOverdue { lease: id } => {
            format!("Session of {} has not been renewed for twice its TTL", of(id))
        }
        EtcdNote::LeaseEnded { lease: id, why, revision } => {
            let why = match why {
                LeaseEnd::Expired => "is invalidated",
                LeaseEnd::Revoked => "is destroyed",
            };
            format!("Session of {} {why}, index {revision}", of(id))
        }
        EtcdNote::Leads { term } => {
            format!("Leads in term {term}; every session gets twice its TTL anew")
        }
        EtcdNote::SteppedDown { term } => format!("Leads no more (term {term})"),
        EtcdNote::Queued { .. } | EtcdNote::Reaped { .. } | EtcdNote::ReadAlone { .. } => {
            unreachable!("no server of Consul notes this: {}", InFull(&note))
        }
    }
}

/// How a grant ended.
pub(super) fn grant_end(how: GrantEnd, who: &Who) -> Option<String> {
    if !is_it(who) {
        return None;
    }
    Some(match how {
        GrantEnd::Lease(LeaseEnd::Expired) => "its session was invalidated".to_owned(),
        GrantEnd::Lease(LeaseEnd::Revoked) => "its session was destroyed".to_owned(),
        GrantEnd::Deleted { by } => {
            format!("{} released it or deleted its key", who.machine(by))
        }
        _ => return None,
    })
}

/// What a server notes of a lock-delay.
pub(super) fn server(note: &ConsulNote, who: &Who) -> String {
    match note {
        ConsulNote::DelayBegins { lock, lasts } => {
            format!("Lock-delay: for {} nobody can acquire {lock}", span(*lasts))
        }
        ConsulNote::Delayed { lock, lease } => {
            format!("Refuses {lock} to {}: there is a lock-delay", who.acquisition(*lease))
        }
        ConsulNote::Restarted => {
            "Starts again with its sessions and keys; it does not lead yet".to_owned()
        }
        ConsulNote::NoLeader => "Answers 500: No cluster leader".to_owned(),
        ConsulNote::DelayOver { lock } => format!("The lock-delay of {lock} is over"),
    }
}
