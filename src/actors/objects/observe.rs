//! What is told of the store's doings. Nothing here decides a step; what the partner books
//! is kept here too, since it goes by what a report means.

use super::Objects;
use super::api::{Means, ObjectError, Put, PutIf, Reply};
use crate::actors::etcd::api::Text;
use crate::actors::note::StoreNote;
use crate::actors::store::api::{Refusal, Version};
use crate::actors::{Actor, Fact};
use crate::sim::process::Out;

impl Objects {
    fn version(&self, key: &Text) -> Version {
        self.objects.get(key).map_or(0, |object| object.version)
    }

    pub(super) fn tell_read(&self, key: &Text, out: &mut Out<Actor>) {
        // A lock that is looked at is no data that is read.
        if self.has_lock() {
            return;
        }
        let version = self.version(key);
        out.note(StoreNote::Read { version }).because(Fact::Version);
    }

    /// What a put came to. A report that is stored is booked in the same step.
    pub(super) fn tell_put(
        &mut self,
        put: &Put,
        result: &Result<Reply, ObjectError>,
        out: &mut Out<Actor>,
    ) {
        let Some(means) = &put.means else { return };
        let version = self.version(&put.key);
        match (means, result) {
            (_, Err(_)) => self.refused += 1,
            (Means::Report(write), Ok(_)) => self.booked += write.amount,
            (Means::Claim { .. }, Ok(_)) => {}
        }
        let done = result.as_ref().map(|_| ()).map_err(|error| Refusal::Condition(*error));
        let mut note = out.note(means.told(done, version, self.booked));
        if put.only != PutIf::Always {
            note = note.because(Fact::Version);
        }
        if result.is_ok() {
            note = note.sets(Fact::Version);
            if let Means::Claim { .. } = means {
                note.sets(Fact::Mark);
            }
        }
    }
}
