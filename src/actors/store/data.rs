//! What is stored, and which jobs that does.

use super::api::{JobKey, Owner, Version, Write};
use crate::actors::etcd::api::Text;
use litemap::LiteMap;
use serde::Serialize;

/// What the store is for. A restart keeps it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Data {
    /// One more with each accepted write.
    pub version: Version,
    /// What the partner has booked.
    pub booked: i64,
    /// The jobs whose reports are there, each with the newest write that did it.
    pub done: LiteMap<JobKey, Done>,
    /// The version that the newest write of each object made. What has no name is one more;
    /// where it is all there is, this says no more than `version`.
    #[serde(skip_serializing_if = "is_of_one")]
    pub objects: LiteMap<Text, Version>,
}

/// The newest write that did a job.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Done {
    pub owner: Owner,
    pub sequence: u32,
    pub made: Version,
}

fn is_of_one(objects: &LiteMap<Text, Version>) -> bool {
    objects.keys().all(|object| object.is_empty())
}

impl Data {
    /// The version that there is of an object: the one that its newest write made.
    pub(super) fn version_of(&self, object: &Text) -> Version {
        self.objects.get(object).copied().unwrap_or(0)
    }

    /// Whether this very write is the one stored last.
    pub(super) fn was_stored_last(&self, write: &Write) -> bool {
        let version = self.version_of(&write.object);
        self.done.get(&write.key()).is_some_and(|done| {
            (done.owner, done.sequence, done.made) == (write.owner, write.sequence, version)
        })
    }
}
