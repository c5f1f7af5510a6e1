//! What is told of effects outside the store: rows of an outbox, and what a partner books.

use crate::actors::etcd::api::Text;
use crate::actors::store::api::RowId;
use serde::Serialize;

/// What became of an effect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum EffectNote {
    /// The store wrote a row into its outbox, in the step in which it accepted a write.
    RowAdded {
        /// Which.
        row: RowId,
        /// The job it does.
        job: Text,
        /// To which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
    },
    /// The store gave the first row that is not marked as sent.
    RowGiven {
        /// Which.
        row: RowId,
    },
    /// The store marked a row as sent.
    RowSent {
        /// Which.
        row: RowId,
    },
    /// A relay had no answer in time, and asks again.
    AsksAgain,
    /// The partner booked.
    Booked {
        /// The idempotency key that came with it.
        key: Text,
        /// The job it does.
        job: Text,
        /// To which object; none where the data is not told apart.
        #[serde(skip_serializing_if = "str::is_empty")]
        object: Text,
        /// How much.
        amount: i64,
        /// What it has booked in all.
        booked: i64,
    },
    /// The partner knew the idempotency key: answered again, not booked.
    KeyKnown {
        /// The key.
        key: Text,
    },
}
