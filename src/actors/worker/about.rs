//! Which object a step is about, where a store tells its data apart.

use super::Worker;
use super::config::{Step, WorkerConfig};
use crate::actors::etcd::api::Text;
use crate::actors::store::api::Version;

fn is_write(step: &Step) -> bool {
    matches!(step, Step::Write | Step::SlowWrite)
}

impl WorkerConfig {
    /// Which object the step at a place of the program is about.
    pub fn object_at(&self, place: usize) -> Option<&Text> {
        let is_read = |step: &Step| matches!(step, Step::Claim | Step::Read);
        let step = self.program.get(place)?;
        let alike = |other: &&Step| match is_write(step) {
            true => is_write(other),
            false => is_read(step) && is_read(other),
        };
        let nth = self.program[..place].iter().filter(alike).count();
        let objects = self.objects.get(nth).or(self.objects.last());
        objects.filter(|_| is_write(step) || is_read(step))
    }

    /// The objects that its writes are about, each once: what its job is done to.
    pub fn objects_written(&self) -> Vec<Text> {
        let places = (0..self.program.len()).filter(|place| is_write(&self.program[*place]));
        let mut objects: Vec<Text> = Vec::new();
        for place in places {
            let object = self.object_at(place).cloned().unwrap_or_else(|| "".into());
            if !objects.contains(&object) {
                objects.push(object);
            }
        }
        if objects.is_empty() { vec!["".into()] } else { objects }
    }
}

impl Worker {
    /// Whether no write comes after the step it is in: with it its job is done.
    pub(super) fn is_last_write(&self) -> bool {
        let later = self.config.program.iter().skip(usize::from(self.program.at) + 1);
        !later.into_iter().any(is_write)
    }

    /// Which object its step is about.
    pub(super) fn object(&self) -> Text {
        let object = self.config.object_at(usize::from(self.program.at));
        object.cloned().unwrap_or_else(|| "".into())
    }

    /// The version that was made of what its step is about. Of other objects it says
    /// nothing: what was read of them is as old as it was.
    pub(super) fn made_version(&mut self, version: Version) {
        let object = self.object();
        if object.is_empty() {
            self.program.read_version = version;
        } else {
            self.program.versions.insert(object, version);
        }
    }

    /// The version that was read of what its step is about.
    pub(super) fn knows_version(&mut self, version: Version) {
        self.program.read_version = version;
        self.made_version(version);
    }
}
