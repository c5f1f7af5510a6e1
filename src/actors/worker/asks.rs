//! What a client asks. With what else the worker knows it gives a request's content.

use super::consul::ConsulAsk;
use super::lock_object::LockAsk;
use super::postgres::PgAsk;
use super::zookeeper::ZkAsk;
use crate::actors::etcd::api::{Revision, Text};
use serde::Serialize;

/// What is asked. With what else the worker knows it gives the request's content,
/// which does not change as long as the answer is waited for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) enum Ask {
    Etcd(EtcdAsk),
    Store(StoreAsk),
    Redis(RedisAsk),
    Zk(ZkAsk),
    Objects(ObjectsAsk),
    Postgres(PgAsk),
    Consul(ConsulAsk),
    Lock(LockAsk),
}

/// What is asked of Redis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum RedisAsk {
    /// The lock's key, if it is absent.
    Take,
    /// The same, by one who waits.
    TakeAgain,
    /// The key's end, as a second call.
    Expire,
    /// That a replica has the key.
    Wait,
    /// The key's end at once, since no replica has it.
    GiveBack,
    /// The key's end at once.
    Delete,
}

/// What is asked of an object store.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum ObjectsAsk {
    /// The object, to see under which token it stands.
    Look,
    /// What was seen, put under the own token.
    Claim,
    /// The object.
    Read,
    /// The report.
    Write,
    /// What stands there after a put that was refused.
    Settle,
}

/// What is asked of etcd.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) enum EtcdAsk {
    /// A lease for a new session.
    Grant,
    /// The own key in the queue, and who is first.
    Queue,
    /// The newest key before the own one.
    Newest,
    /// The own key, once nobody is before it.
    OwnKey,
    /// The lock's key, if it is absent.
    Create,
    /// The lock's key, to see whether it is absent.
    Get,
    /// The same, by a waiter that has heard nothing for long.
    Look,
    /// The lock's key, overwriting what may be there.
    Put,
    /// To be told when a key goes.
    Watch {
        key: Text,
        /// The first revision whose events are wanted.
        from: Revision,
    },
    /// The own key's end, if it is still the own one.
    DeleteOwn,
    /// The own key's end by its name, whoever's it is.
    DeleteByName,
    /// The lease's end.
    Revoke,
    /// The newest key before the own one, by a candidate that has just stood.
    Rival,
    /// The data that the lock guards.
    ReadData,
    /// The same, and in the own key what it is at, while the key is the own one.
    Proclaim,
    /// The own key, to see whether it is still the own one before it writes.
    OwnBefore,
    /// The report.
    WriteData,
}

/// What is asked of the store.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) enum StoreAsk {
    /// A number of a separate counter.
    Number,
    Claim,
    Read,
    /// The whole write in one call.
    Write,
    /// The beginning of a slow write.
    Begin,
    /// Its completion.
    Complete,
    /// Asked of the partner: that it books.
    Book,
}
