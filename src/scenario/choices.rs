//! What the engine's choices are called in a scenario file.

use crate::actors::consul::api::{Behavior, Reads};
use crate::actors::partner::Keys;
use crate::actors::redis::Persistence;
use crate::actors::store::api::{MarkKept, MarkScope, Rule};
use crate::actors::worker::Heartbeat;
use crate::actors::worker::config::{
    ConsulToken, DeadlineFrom, Guard, LeaseUntil, ObjectRelease, OnRenewalFailure, PgToken, Puts,
    Recipe, ReleaseCheck, RenewWithoutProgress, RenewalCheck, RowClock, Settle, StartOver, Step,
    StopsAt, TokenFrom, ValidityCheck, ValidityClock,
};
use crate::content::choices;
use crate::properties::PropertyId;
use crate::scenario::names::Service;
use crate::scenario::spec::{Books, StoreKind};
use crate::sim::click::WallOnWake;
use crate::sim::world::WakeFirst;

choices! {
    Rule {
        None = "none",
        AtLeast = "at-least",
        OwnerAndSequence = "owner-and-sequence",
        CompareAndSet = "compare-and-set",
        DedupeKey = "dedupe-key",
        SameTransaction = "same-transaction",
        StrictlyGreater = "strictly-greater",
        LastSeen = "last-seen",
        CheckThenPut = "check-then-put",
        CheckAtStart = "check-at-start",
        TermAndKey = "term-and-key",
    }
    Books {
        WithStore = "with-store",
        WhenAsked = "when-asked",
    }
    Keys {
        Ignored = "ignored",
        Checked = "checked",
    }
    MarkKept {
        Durable = "durable",
        InMemory = "in-memory",
    }
    MarkScope {
        Store = "store",
        Object = "object",
    }
    Step {
        DrawNumber = "draw-number",
        Acquire = "acquire",
        Claim = "claim",
        Read = "read",
        Compute = "compute",
        Check = "check",
        Write = "write",
        SlowWrite = "slow-write",
        Release = "release",
        Take = "take",
        Book = "book",
    }
    Recipe {
        Queue = "queue",
        CreateIfAbsent = "create-if-absent",
        GetThenPut = "get-then-put",
        SetNx = "set-nx",
        SetnxExpire = "setnx-expire",
        SetAndCount = "set-and-count",
        Redlock = "redlock",
        RedlockAndCount = "redlock-and-count",
        EphemeralSequential = "ephemeral-sequential",
        Advisory = "advisory",
        TryAdvisory = "try-advisory",
        AdvisoryXact = "advisory-xact",
        RowLock = "row-lock",
        LockRow = "lock-row",
        KvAcquire = "kv-acquire",
        Election = "election",
        ObjectCreate = "object-create",
        ObjectLease = "object-lease",
    }
    Service {
        Etcd = "etcd",
        Redis = "redis",
        Redlock = "redlock",
        ZooKeeper = "zookeeper",
        Postgres = "postgres",
        Consul = "consul",
        Objects = "objects",
    }
    TokenFrom {
        Czxid = "czxid",
        Suffix = "suffix",
        Version = "version",
    }
    StopsAt {
        Suspended = "suspended",
        Lost = "lost",
    }
    Persistence {
        None = "none",
        Aof = "aof",
    }
    ValidityClock {
        Monotonic = "monotonic",
        Wall = "wall",
    }
    ValidityCheck {
        AfterVotes = "after-votes",
        None = "none",
    }
    StoreKind {
        Fenced = "fenced",
        Objects = "objects",
        Etcd = "etcd",
    }
    Puts {
        Plain = "plain",
        IfMatch = "if-match",
        IfMatchOwnMark = "if-match-own-mark",
        TokenInMetadata = "token-in-metadata",
        TokenInBody = "token-in-body",
    }
    Guard {
        CreateRevision = "create-revision",
        ModRevision = "mod-revision",
        KeyExists = "key-exists",
        ReadFirst = "read-first",
        ReadFirstSerializable = "read-first-serializable",
        None = "none",
    }
    PgToken {
        None = "none",
        FenceColumn = "fence-column",
        Sequence = "sequence",
    }
    ConsulToken {
        ModifyIndex = "modify-index",
        LockIndex = "lock-index",
        None = "none",
    }
    Behavior {
        Release = "release",
        Delete = "delete",
    }
    Reads {
        Default = "default",
        Stale = "stale",
    }
    LeaseUntil {
        Timestamp = "timestamp",
        Unchanged = "unchanged",
    }
    ObjectRelease {
        Free = "free",
        Delete = "delete",
    }
    Settle {
        Look = "look",
        Never = "never",
    }
    RowClock {
        Database = "database",
        Client = "client",
    }
    RenewalCheck {
        Owner = "owner",
        NameOnly = "name-only",
        None = "none",
    }
    OnRenewalFailure {
        Exit = "exit",
        StopWork = "stop-work",
        CarryOn = "carry-on",
    }
    DeadlineFrom {
        BeforeRequest = "before-request",
        Answer = "answer",
    }
    ReleaseCheck {
        Owner = "owner",
        NameOnly = "name-only",
    }
    RenewWithoutProgress {
        Always = "always",
        No = "no",
    }
    StartOver {
        No = "no",
        Yes = "yes",
    }
    Heartbeat {
        Runs = "runs",
        Blocked = "blocked",
    }
    WakeFirst {
        Work = "work",
        Timers = "timers",
        Messages = "messages",
    }
    WallOnWake {
        Right = "right",
        Behind = "behind",
    }
    PropertyId {
        StaleWriteAccepted = "stale-write-accepted",
        AcknowledgedWriteLost = "acknowledged-write-lost",
        WorkDoneTwice = "work-done-twice",
        RightfulHolderRefused = "rightful-holder-refused",
        TwoBelieve = "two-believe",
        GrantedToTwo = "granted-to-two",
        TokenNotRising = "token-not-rising",
        WrongLockReleased = "wrong-lock-released",
        NeverReleased = "never-released",
        NeverFinished = "never-finished",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Choice;

    #[test]
    fn all_properties_have_a_name_in_files_in_the_order_in_which_they_are_told() {
        assert_eq!(<PropertyId as Choice>::ALL, PropertyId::ALL);
    }
}
