//! Refusals, each by its SQLSTATE and in the server's own words.

use super::api::Sequence;
use serde::Serialize;
use std::fmt;

/// A refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SqlError {
    /// `NOWAIT`, and the row is locked.
    RowLocked,
    /// `lock_timeout`.
    LockTimeout,
    /// `statement_timeout`.
    StatementTimeout,
    /// The session waited in a circle.
    Deadlock,
    /// The transaction has failed before.
    Aborted,
    /// The key is there.
    UniqueViolation,
    /// The session has drawn nothing from this sequence.
    NothingDrawn(Sequence),
    /// The database has no such table or sequence.
    NoSuchTable,
    /// `pg_terminate_backend`, or a fast shutdown.
    Terminated,
    /// `idle_in_transaction_session_timeout`.
    IdleInTransaction,
    /// `idle_session_timeout`.
    IdleSession,
    /// A standby that serves nobody.
    NotAccepting,
}

impl SqlError {
    /// Its SQLSTATE.
    pub fn code(self) -> &'static str {
        match self {
            SqlError::RowLocked | SqlError::LockTimeout => "55P03",
            SqlError::StatementTimeout => "57014",
            SqlError::Deadlock => "40P01",
            SqlError::Aborted => "25P02",
            SqlError::UniqueViolation => "23505",
            SqlError::NothingDrawn(_) => "55000",
            SqlError::NoSuchTable => "42P01",
            SqlError::Terminated => "57P01",
            SqlError::IdleInTransaction => "25P03",
            SqlError::IdleSession => "57P05",
            SqlError::NotAccepting => "57P03",
        }
    }
}

impl fmt::Display for SqlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SqlError::RowLocked => "could not obtain lock on row in relation \"res\"",
            SqlError::LockTimeout => "canceling statement due to lock timeout",
            SqlError::StatementTimeout => "canceling statement due to statement timeout",
            SqlError::Deadlock => "deadlock detected",
            SqlError::Aborted => {
                "current transaction is aborted, commands ignored until end of transaction block"
            }
            SqlError::UniqueViolation => {
                "duplicate key value violates unique constraint \"dedup_pkey\""
            }
            SqlError::NothingDrawn(Sequence::Fence) => {
                "currval of sequence \"fence\" is not yet defined in this session"
            }
            SqlError::NothingDrawn(Sequence::Cached) => {
                "currval of sequence \"fence_cached\" is not yet defined in this session"
            }
            SqlError::NoSuchTable => "relation does not exist",
            SqlError::Terminated => "terminating connection due to administrator command",
            SqlError::IdleInTransaction => {
                "terminating connection due to idle-in-transaction timeout"
            }
            SqlError::IdleSession => "terminating connection due to idle-session timeout",
            SqlError::NotAccepting => "the database system is not accepting connections",
        })
    }
}
