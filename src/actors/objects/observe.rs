//! What is told of the store's doings. Nothing here decides a step; what the partner books
//! is kept here too, since it goes by what a report means.

use super::Objects;
use super::api::{Means, ObjectError, Put, PutIf, Reply};
use crate::actors::etcd::api::Text;
use crate::actors::note::StoreNote;
use crate::actors::store::api::{Refusal, Version, Write};
use crate::actors::{Actor, Fact};
use crate::sim::process::Out;

impl Objects {
    fn version(&self, key: &Text) -> Version {
        self.objects.get(key).map_or(0, |object| object.version)
    }

    pub(super) fn tell_read(&self, key: &Text, out: &mut Out<Actor>) {
        // A lock that is looked at is no data that is read.
        if self.told.is_some() {
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
        let is_claim = matches!(means, Means::Claim { .. });
        let note = match (means, result) {
            (Means::Claim { token, owner }, Ok(_)) => {
                let (token, owner, object) = (*token, *owner, "".into());
                StoreNote::Claimed { token, owner, version, object }
            }
            (Means::Claim { token, owner }, Err(error)) => {
                self.refused += 1;
                let (token, owner, refusal) = (*token, *owner, Refusal::Condition(*error));
                StoreNote::ClaimRefused { token, owner, refusal, object: "".into() }
            }
            (Means::Report(write), Ok(_)) => {
                self.booked += write.amount;
                self.accepted_note(write, version)
            }
            (Means::Report(write), Err(error)) => {
                self.refused += 1;
                let Write { token, owner, sequence, .. } = *write;
                let (refusal, object) = (Refusal::Condition(*error), write.object.clone());
                StoreNote::Refused { token, owner, sequence, refusal, object }
            }
        };
        let looked = put.only != PutIf::Always;
        let mut note = out.note(note);
        if looked {
            note = note.because(Fact::Version);
        }
        if result.is_ok() {
            note = note.sets(Fact::Version);
            if is_claim {
                note.sets(Fact::Mark);
            }
        }
    }

    fn accepted_note(&self, write: &Write, version: Version) -> StoreNote {
        let Write { token, owner, sequence, read_version, amount, .. } = *write;
        StoreNote::Accepted {
            token,
            owner,
            sequence,
            read_version,
            version,
            job: write.job.clone(),
            amount,
            booked: self.booked,
            object: write.object.clone(),
        }
    }
}
