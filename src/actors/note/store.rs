//! What a store says.

use crate::actors::etcd::api::Text;
use crate::actors::store::api::{Owner, Refusal, Rule, Token, Version, Write};
use serde::Serialize;

/// What happened at a store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum StoreNote {
    /// A claim was accepted.
    Claimed {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// The version read with it.
        version: Version,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// A claim was refused.
    ClaimRefused {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// Why.
        refusal: Refusal,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// The data was read plainly.
    Read {
        /// The version read.
        version: Version,
    },
    /// A write was accepted. Where effects are part of the step the partner booked it too.
    Accepted {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// Counts the owner's writes.
        sequence: u32,
        /// The version it was computed from.
        read_version: Version,
        /// The version it made.
        version: Version,
        /// The job it does.
        job: Text,
        /// What the partner booked for it in this step: 0 where effects happen elsewhere.
        amount: i64,
        /// What it has booked so in all.
        booked: i64,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// A write was a repeat of an accepted one: answered again, not applied.
    Repeated {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// Counts the owner's writes.
        sequence: u32,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// A write, or the beginning of a slow one, was refused.
    Refused {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// Counts the owner's writes.
        sequence: u32,
        /// Why.
        refusal: Refusal,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// A slow write passed its check and has begun.
    Begun {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// A claim waits for the row that a slow write holds.
    ClaimWaits {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// A write waits for the row that a slow write holds.
    WriteWaits {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// Counts the owner's writes.
        sequence: u32,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// The separate counter gave a number.
    NumberTaken {
        /// Which.
        number: Token,
    },
    /// The rule was switched.
    RuleSet {
        /// To which.
        rule: Rule,
    },
    /// The store started again without its mark.
    MarkLost,
    /// A slow write was undone and its row is free: its client has closed the
    /// connection.
    RolledBack {
        /// With this token.
        token: Token,
        /// Whose.
        owner: Owner,
        /// Of which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
}

impl StoreNote {
    /// A write was accepted and made this version; with it so much was booked, and so much is
    /// booked in all.
    pub fn accepted(write: &Write, version: Version, amount: i64, booked: i64) -> StoreNote {
        let Write { token, owner, sequence, read_version, .. } = *write;
        let (job, object) = (write.job.clone(), write.object.clone());
        StoreNote::Accepted {
            token,
            owner,
            sequence,
            read_version,
            version,
            job,
            amount,
            booked,
            object,
        }
    }

    /// A write, or its beginning, was refused.
    pub fn refused(write: &Write, refusal: Refusal) -> StoreNote {
        let Write { token, owner, sequence, .. } = *write;
        StoreNote::Refused { token, owner, sequence, refusal, object: write.object.clone() }
    }
}
