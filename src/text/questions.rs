//! English: an event as a question for its causes. A click has none but the person.

use crate::actors::note::{
    ConsulNote, Count, EffectNote, EtcdNote, LockNote, PostgresNote, RedisNote, StoreNote,
    WorkerNote,
};
use crate::actors::{Actor, Note};
use crate::scenario::names::Service;
use crate::sim::event::{Event, What};
use crate::text::kinds::kind;
use crate::text::service::numbered_of;
use crate::text::service::token as token_words;
use crate::text::who::Who;
use crate::text::{en, objects};

/// "Why was PUT 42 refused?"
pub fn why(event: &Event<Actor>, who: &Who) -> String {
    let name = who.machine(event.node);
    let asked = match &event.what {
        What::Note(Note::Store(note)) => of_store(note),
        What::Note(Note::Lock(note)) => of_lock(note, name, who),
        What::Note(Note::Etcd(note)) => of_etcd(note, name, who),
        What::Note(Note::Redis(note)) => of_redis(note, name, who),
        What::Note(Note::Postgres(note)) => of_postgres(note, who),
        What::Note(Note::Consul(ConsulNote::Delayed { lease, .. })) => {
            Some(format!("Why was the lock refused to {}?", who.acquisition(*lease)))
        }
        What::Note(Note::Worker(WorkerNote::FoundOver { lease, .. })) => {
            Some(format!("Why does {name} find the lease of {} over?", who.acquisition(*lease)))
        }
        What::Note(Note::Worker(WorkerNote::HoldOver { .. })) if objects::has_the_lock(who) => {
            Some(format!("Why is {name}’s hold on the object over?"))
        }
        What::Note(Note::Worker(note)) => of_worker(note, name),
        What::Note(Note::Effect(EffectNote::Booked { job, object, .. })) => {
            Some(format!("Why does the partner book {}?", numbered_of(job, 0, object)))
        }
        What::Note(Note::Effect(EffectNote::RowGiven { row })) => {
            Some(format!("Why does {name} give row {row}?"))
        }
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
            Some(format!("Why was {} from {name} to {to} lost?", kind(message.kind)))
        }
        _ => None,
    };
    asked.unwrap_or_else(|| format!("Why this? {name}: {}", en::event(event, who)))
}

fn of_store(note: &StoreNote) -> Option<String> {
    Some(match note {
        StoreNote::Claimed { token, object, .. } => {
            format!("Why was {} accepted?", numbered_of("claim", *token, object))
        }
        StoreNote::ClaimRefused { token, object, .. } => {
            format!("Why was {} refused?", numbered_of("claim", *token, object))
        }
        StoreNote::Accepted { token, object, .. } => {
            format!("Why was {} accepted?", numbered_of("PUT", *token, object))
        }
        StoreNote::Refused { token, object, .. } => {
            format!("Why was {} refused?", numbered_of("PUT", *token, object))
        }
        StoreNote::Repeated { token, object, .. } => {
            format!("Why was {} not applied again?", numbered_of("PUT", *token, object))
        }
        StoreNote::MarkLost => "Why did the store lose its mark?".to_owned(),
        StoreNote::RolledBack { token, object, .. } => {
            format!("Why was {} rolled back?", numbered_of("PUT", *token, object))
        }
        _ => return None,
    })
}

fn of_lock(note: &LockNote, name: &str, who: &Who) -> Option<String> {
    Some(match note {
        LockNote::Granted { lease, .. } => {
            format!("Why was the lock granted to {}?", who.acquisition(*lease))
        }
        LockNote::Ended { lease, .. } => {
            format!("Why does {} hold the lock no more?", who.acquisition(*lease))
        }
        LockNote::TakenOver { .. } => format!("Why does {name} answer for the lock?"),
        LockNote::Refused { client, .. } => {
            format!("Why does {name} refuse {}?", who.machine(*client))
        }
        LockNote::Renewed { lease, .. } => {
            format!("Why was the lease of {} renewed?", who.acquisition(*lease))
        }
        LockNote::HandedOver { .. } => format!("Why does {name} answer for the lock no more?"),
    })
}

fn of_redis(note: &RedisNote, name: &str, who: &Who) -> Option<String> {
    Some(match note {
        RedisNote::Expired { lease, .. } => {
            format!("Why did the key of {} expire?", who.acquisition(*lease))
        }
        RedisNote::Promoted => format!("Why was {name} promoted?"),
        RedisNote::Follows { .. } => format!("Why does {name} follow?"),
        RedisNote::Voted { lease, .. } => {
            format!("Why does {name} vote for {}?", who.acquisition(*lease))
        }
        RedisNote::VoteEnded { lease, .. } => {
            format!("Why is {name}’s vote for {} gone?", who.acquisition(*lease))
        }
        RedisNote::Loaded { .. } | RedisNote::Renewed { .. } => return None,
    })
}

fn of_postgres(note: &PostgresNote, who: &Who) -> Option<String> {
    Some(match note {
        PostgresNote::SessionEnded { client: Some(client), .. } => {
            format!("Why did the session of {} end?", who.machine(*client))
        }
        PostgresNote::Counted { lease, .. } => {
            format!("Why does the session that serves {} hold the lock?", who.acquisition(*lease))
        }
        PostgresNote::NotHeld { lease, .. } => {
            format!("Why was {} told false?", who.acquisition(*lease))
        }
        PostgresNote::WaitsForPool { client } => {
            format!("Why does {} wait for the pooler?", who.machine(*client))
        }
        PostgresNote::RowIsOver { lease, .. } => {
            format!("Why is the row of {} over?", who.acquisition(*lease))
        }
        _ => return None,
    })
}

fn of_etcd(note: &EtcdNote, name: &str, who: &Who) -> Option<String> {
    Some(match note {
        EtcdNote::LeaseEnded { lease, .. }
            if matches!(who.names().service(), Service::ZooKeeper | Service::Consul) =>
        {
            format!("Why did the session of {} end?", who.acquisition(*lease))
        }
        EtcdNote::Reaped { path } => format!("Why did {path} go?"),
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
        WorkerNote::Writes { token: 0, .. } => format!("Why did {name} send its write?"),
        WorkerNote::Writes { token, .. } => {
            format!("Why did {name} send its write with {}?", token_words(*token))
        }
        WorkerNote::Suspended { .. } => format!("Why is {name}'s connection suspended?"),
        WorkerNote::WriteAcknowledged { .. } => {
            format!("Why was {name} told that its write was accepted?")
        }
        WorkerNote::Refused { .. } => format!("Why was {name} told 412?"),
        WorkerNote::SessionClosed { .. } => format!("Why is {name}'s session over?"),
        WorkerNote::Counted { result: Count::Granted, .. } => {
            format!("Why does {name} have the lock by its count?")
        }
        WorkerNote::Counted { .. } => format!("Why does {name} not have the lock by its count?"),
        WorkerNote::HoldOver { .. } => format!("Why is {name}'s hold on the key over?"),
        WorkerNote::RenewalFailed => format!("Why could {name} not renew its lease?"),
        WorkerNote::Stopped { .. } => format!("Why did {name} stop before its end?"),
        WorkerNote::Finished => format!("Why has {name}'s program come to its end?"),
        WorkerNote::Exits => format!("Why did {name} exit?"),
        _ => return None,
    })
}
