//! The part of the format that is about locks that are objects.

use crate::actors::worker::config::{LeaseUntil, ObjectRelease, Settle};
use crate::content::record;

record! {
    /// What a client makes of an object store in which an object is the lock.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ObjectsSpec {
        /// When another's lease is over.
        pub until: LeaseUntil = LeaseUntil::Timestamp,
        /// What a release makes of the object of a lease; of `object-create` it says nothing,
        /// whose object is deleted.
        pub release: ObjectRelease = ObjectRelease::Free,
        /// What a worker makes of a 412 that may come of its own success.
        pub settle: Settle = Settle::Look,
    }
}
