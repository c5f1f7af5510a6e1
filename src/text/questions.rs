//! English: an event as a question for its causes. A click has none but the person.

use crate::actors::note::{EtcdNote, StoreNote, WorkerNote};
use crate::actors::{Actor, Note};
use crate::sim::event::{Event, What};
use crate::text::en;
use crate::text::who::Who;

/// "Why was PUT 42 refused?"
pub fn why(event: &Event<Actor>, who: &Who) -> String {
    let name = who.machine(event.node);
    let asked = match &event.what {
        What::Note(Note::Store(note)) => of_store(note),
        What::Note(Note::Etcd(note)) => of_service(note, name, who),
        What::Note(Note::Worker(note)) => of_worker(note, name),
        What::Clicked { action, .. } => {
            Some(format!("Somebody clicked: {}", en::action(action, who)))
        }
        What::ClickMissed { action, .. } => {
            Some(format!("Somebody clicked, without effect: {}", en::action(action, who)))
        }
        What::Resumed | What::Woke => Some(format!("Why did {name} wake?")),
        What::Crashed | What::Exited => Some(format!("Why did {name}'s process end?")),
        What::Paused | What::Suspended => Some(format!("Why did {name} stand still?")),
        What::Lost { message, .. } => {
            let to = who.machine(message.to);
            Some(format!("Why was {} from {name} to {to} lost?", message.kind))
        }
        _ => None,
    };
    asked.unwrap_or_else(|| format!("Why this? {name}: {}", en::event(event, who)))
}

fn of_store(note: &StoreNote) -> Option<String> {
    Some(match note {
        StoreNote::Claimed { token, .. } => format!("Why was claim {token} accepted?"),
        StoreNote::ClaimRefused { token, .. } => format!("Why was claim {token} refused?"),
        StoreNote::Accepted { token, .. } => format!("Why was PUT {token} accepted?"),
        StoreNote::Refused { token, .. } => format!("Why was PUT {token} refused?"),
        StoreNote::Repeated { token, .. } => format!("Why was PUT {token} not applied again?"),
        StoreNote::MarkLost => "Why did the store lose its mark?".to_owned(),
        StoreNote::RolledBack { token, .. } => format!("Why was PUT {token} rolled back?"),
        _ => return None,
    })
}

fn of_service(note: &EtcdNote, name: &str, who: &Who) -> Option<String> {
    Some(match note {
        EtcdNote::LockGranted { lease, .. } => {
            format!("Why was the lock granted to {}?", who.acquisition(*lease))
        }
        EtcdNote::LockEnded { lease, .. } => {
            format!("Why does {} hold the lock no more?", who.acquisition(*lease))
        }
        EtcdNote::LeaseEnded { lease, .. } => {
            format!("Why did the lease of {} end?", who.acquisition(*lease))
        }
        EtcdNote::Leads { .. } => format!("Why does {name} lead?"),
        EtcdNote::SteppedDown { .. } => format!("Why does {name} lead no more?"),
        _ => return None,
    })
}

fn of_worker(note: &WorkerNote, name: &str) -> Option<String> {
    Some(match note {
        WorkerNote::Believes { .. } => format!("Why does {name} believe that it holds the lock?"),
        WorkerNote::BelievesNoMore { .. } => {
            format!("Why does {name} no longer believe that it holds the lock?")
        }
        WorkerNote::Writes { token, .. } => format!("Why did {name} send its report with {token}?"),
        WorkerNote::WriteAcknowledged { .. } => {
            format!("Why was {name} told that its report was accepted?")
        }
        WorkerNote::Refused { .. } => format!("Why was {name} told 412?"),
        WorkerNote::SessionClosed { .. } => format!("Why is {name}'s session over?"),
        WorkerNote::RenewalFailed => format!("Why could {name} not renew its lease?"),
        WorkerNote::Stopped { .. } => format!("Why did {name} stop before its end?"),
        WorkerNote::Finished => format!("Why has {name}'s program come to its end?"),
        WorkerNote::Exits => format!("Why did {name} exit?"),
        _ => return None,
    })
}
