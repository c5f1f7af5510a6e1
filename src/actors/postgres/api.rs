//! What a client can ask of a PostgreSQL server and what it is answered, in the parts that
//! locks use: a connection with one statement after the other, over a small schema. There
//! is no SQL: each statement is one by its meaning.
//!
//! The schema is `res(id, value, version, token)`, `dedup(key, owner)`, `leases(name, owner,
//! token, expires_at)` with one row, and two sequences.

pub use super::answer::{Fatal, LockRow, Outcome, Reply, ResRow, Response, Status, Warning};
pub use super::error::SqlError;
pub use crate::actors::etcd::api::{RequestId, Text};

use crate::actors::store::api::{Owner, Token};
use crate::sim::process::NodeId;
use crate::sim::time::{Span, Wall};
use serde::Serialize;

/// One of a client machine's connections: a higher number is a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Connection(pub u32);

/// What comes in on a connection.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Request {
    /// On which.
    pub connection: Connection,
    /// Repeated in the answer. What TCP sends again has the same number.
    pub id: RequestId,
    /// What is asked.
    pub ask: Ask,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Ask {
    /// A new connection.
    Connect {
        /// To which database.
        database: Database,
        /// `application_name`: names the acquisition for which the connection is there.
        /// Nothing but notes goes by it.
        application: Owner,
    },
    /// A statement.
    Run(Statement),
    /// A statement, after whose answer the client closes the connection.
    Last(Statement),
    /// The connection is closed, by the client or by the machine of one that is gone.
    Close,
}

/// A database of the server. Only one of them has the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Database {
    /// The one with the schema.
    Main,
    /// Another, which shares nothing but the server.
    Other,
}

/// An advisory lock's key: one number of 64 bits, or two of 32. They share no lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Key {
    /// `(bigint)`.
    One(i64),
    /// `(int, int)`.
    Two(i32, i32),
}

/// How strong a lock is. An advisory one is `Share` or `Update`, which is exclusive; a row
/// has all four.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum Strength {
    /// `FOR KEY SHARE`.
    KeyShare,
    /// `FOR SHARE`; a shared advisory lock.
    Share,
    /// `FOR NO KEY UPDATE`, and what `UPDATE` takes.
    NoKeyUpdate,
    /// `FOR UPDATE`, and what `DELETE` takes; an exclusive advisory lock.
    Update,
}

impl Strength {
    /// Whether two transactions cannot have both.
    pub fn conflicts(self, other: Strength) -> bool {
        match self.max(other) {
            Strength::Update => true,
            Strength::NoKeyUpdate => self.min(other) >= Strength::Share,
            Strength::Share | Strength::KeyShare => false,
        }
    }
}

/// How long a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Level {
    /// Until it is unlocked as often as it was locked, or the session ends.
    Session,
    /// Until the transaction ends.
    Transaction,
}

/// What is done about a row that another has locked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Wait {
    /// It is waited for.
    Wait,
    /// `NOWAIT`: the statement fails.
    Nowait,
    /// `SKIP LOCKED`: the row counts as absent.
    Skip,
}

/// An advisory lock, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Advisory {
    /// Its key.
    pub key: Key,
    /// `Share` or `Update`.
    pub strength: Strength,
    /// How long it is to be held.
    pub level: Level,
}

/// Which rows an `UPDATE res … WHERE id = … AND …` fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Condition {
    /// The row.
    Always,
    /// `version = …`.
    Version(i64),
    /// `token < …`; the update sets the token.
    TokenBelow(Token),
    /// `token <= …`; the update sets the token.
    TokenAtMost(Token),
}

/// What is done about a key that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum OnConflict {
    /// `ON CONFLICT DO NOTHING`.
    Nothing,
    /// The statement fails.
    Error,
}

/// Whose clock says what time it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Clock {
    /// `now()`: the server's, at the start of the transaction.
    Database,
    /// The client's, which puts its own time into the statement.
    Client(Wall),
}

/// A sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Sequence {
    /// `fence`.
    Fence,
    /// `fence_cached`, with `CACHE 10`.
    Cached,
}

/// A setting of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Timeout {
    /// `lock_timeout`.
    Lock,
    /// `statement_timeout`.
    Statement,
    /// `idle_in_transaction_session_timeout`.
    IdleInTransaction,
    /// `idle_session_timeout`.
    IdleSession,
    /// `deadlock_timeout`.
    Deadlock,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Statement {
    /// `BEGIN`, at read committed.
    Begin,
    /// `COMMIT`.
    Commit,
    /// `ROLLBACK`.
    Rollback,
    /// `SET` a timeout; zero turns it off.
    Set(Timeout, Span),
    /// `pg_try_advisory_lock` and its like.
    TryAdvisory(Advisory),
    /// `pg_advisory_lock` and its like.
    Advisory(Advisory),
    /// `pg_advisory_unlock` and its like.
    AdvisoryUnlock(Key, Strength),
    /// `pg_advisory_unlock_all`.
    AdvisoryUnlockAll,
    /// The advisory locks in `pg_locks`, of all databases.
    AdvisoryLocks,
    /// `SELECT … FROM res WHERE id = …`.
    Read(i64),
    /// `SELECT count(*) FROM res WHERE value = …`.
    CountValue(Text),
    /// `SELECT … FROM res WHERE id = … FOR …`.
    SelectFor(i64, Strength, Wait),
    /// `SELECT … FROM res ORDER BY id LIMIT 1 FOR UPDATE …`.
    SelectFirst(Wait),
    /// `UPDATE res SET value = … WHERE id = … AND …`.
    Update {
        /// Which row.
        id: i64,
        /// The new value.
        value: Text,
        /// Only if this holds.
        when: Condition,
    },
    /// `UPDATE res SET token = token + 1 WHERE id = … RETURNING token`: the fence column.
    RaiseToken(i64),
    /// `INSERT INTO dedup`.
    InsertOnce(Text, Text, OnConflict),
    /// `SELECT … FROM dedup WHERE key = …`.
    ReadOnce(Text),
    /// `DELETE FROM dedup WHERE key = …`.
    DeleteOnce(Text),
    /// `nextval`.
    Nextval(Sequence),
    /// `currval`.
    Currval(Sequence),
    /// Takes the row of `leases` if it is free or over, raises its token and returns it.
    LeaseAcquire {
        /// Who takes it.
        owner: Text,
        /// For how long.
        ttl: Span,
        /// By which clock.
        clock: Clock,
    },
    /// Gives the own row of `leases` another end, unless it is over.
    LeaseRenew {
        /// Whose it has to be.
        owner: Text,
        /// The token it has to have.
        token: Token,
        /// For how long from now on.
        ttl: Span,
        /// By which clock.
        clock: Clock,
    },
    /// Sets the row of `leases` free.
    LeaseRelease {
        /// Whose it has to be, and with which token; none is whoever's it is.
        whose: Option<(Text, Token)>,
    },
    /// `SELECT owner, token, expires_at > now() FROM leases`.
    LeaseRead,
    /// `pg_terminate_backend` of the session of this machine's newest connection.
    TerminateBackend(NodeId),
}

impl Ask {
    /// The kind of request, as people name it in a click. Those that no worker makes have
    /// one name together.
    pub fn kind(&self) -> &'static str {
        match self {
            Ask::Connect { .. } => "connect",
            Ask::Close => "disconnect",
            Ask::Run(statement) | Ask::Last(statement) => statement.kind(),
        }
    }

    /// Whether it only renews.
    pub fn is_routine(&self) -> bool {
        self.kind() == RENEWS
    }
}

/// The kind of a request that only renews.
pub(super) const RENEWS: &str = "renew-row";

impl Statement {
    /// Whether it is about tables or sequences.
    pub(super) fn is_of_schema(&self) -> bool {
        !matches!(
            self,
            Statement::Begin
                | Statement::Commit
                | Statement::Rollback
                | Statement::Set(..)
                | Statement::TryAdvisory(_)
                | Statement::Advisory(_)
                | Statement::AdvisoryUnlock(..)
                | Statement::AdvisoryUnlockAll
                | Statement::AdvisoryLocks
                | Statement::TerminateBackend(_)
        )
    }

    fn kind(&self) -> &'static str {
        match self {
            Statement::Begin => "sql-begin",
            Statement::Commit => "sql-commit",
            Statement::Advisory(_) => "advisory-lock",
            Statement::TryAdvisory(_) => "try-advisory-lock",
            Statement::AdvisoryUnlock(..) => "advisory-unlock",
            Statement::SelectFor(..) => "select-for-update",
            Statement::RaiseToken(_) => "raise-token",
            Statement::Nextval(_) => "nextval",
            Statement::LeaseAcquire { .. } => "take-row",
            Statement::LeaseRenew { .. } => RENEWS,
            Statement::LeaseRelease { .. } => "free-row",
            _ => "statement",
        }
    }
}

/// The key that a client makes of a lock's name: 32 bits of a hash (FNV-1a), as clients do
/// that have no numbers of their own.
pub fn key_of(name: &str) -> Key {
    let hash = name
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    Key::One(i64::from(hash))
}

impl Key {
    /// As `pg_locks` shows it: `classid`, `objid`, `objsubid`.
    pub(super) fn parts(self) -> (u32, u32, u8) {
        match self {
            Key::One(key) => ((key >> 32) as u32, key as u32, 1),
            Key::Two(class, object) => (class as u32, object as u32, 2),
        }
    }
}
