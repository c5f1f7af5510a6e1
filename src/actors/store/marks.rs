//! Marks: one for all data, or one for each object.

use super::api::{Owner, Token, Version, Write};
use super::{Came, LastWrite, Mark, Pending, Store};
use crate::actors::etcd::api::Text;
use crate::actors::fact::Fact;
use litemap::LiteMap;

impl Store {
    /// The highest token of each object that has a mark of its own.
    pub fn marks_of_objects(&self) -> impl Iterator<Item = (&Text, Mark)> {
        self.of_objects.iter().flat_map(LiteMap::iter).map(|(object, mark)| (object, *mark))
    }

    /// What a check of an object goes by.
    pub(super) fn mark_of(&self, object: &Text) -> Option<&Mark> {
        match &self.of_objects {
            None => self.mark.as_ref(),
            Some(marks) => marks.get(object),
        }
    }

    /// Raises the mark to a higher token, under a rule that keeps one, and gives
    /// the fact that this teaches.
    pub(super) fn raise_mark(&mut self, token: Token, owner: Owner, object: &Text) -> Option<Fact> {
        let higher = self.mark_of(object).is_none_or(|mark| token > mark.token);
        if !higher || !self.rule.keeps_mark() {
            return None;
        }
        let mark = Mark { token, owner, last: None };
        match &mut self.of_objects {
            None => self.mark = Some(mark),
            Some(marks) => drop(marks.insert(object.clone(), mark)),
        }
        Some(self.mark_fact(object))
    }

    /// What teaches a check of an object its mark. Where it has none yet, that is what made
    /// the store lose it, if anything did.
    fn mark_fact(&self, object: &Text) -> Fact {
        match self.of_objects.as_ref().is_some_and(|marks| marks.contains_key(object)) {
            true => Fact::MarkOf(object.clone()),
            false => Fact::Mark,
        }
    }

    /// What a check made now rests on.
    pub(super) fn check_rests_on(
        &self,
        pending: &Pending,
        owner: Owner,
        object: &Text,
    ) -> Vec<Fact> {
        let mut because = vec![Fact::Rule];
        if self.rule.keeps_mark() {
            because.push(self.mark_fact(object));
        }
        if pending.came == Came::Waited {
            because.push(Fact::Waits(owner));
        }
        because
    }

    /// Keeps the first answer of the mark's owner's newest write.
    pub(super) fn remember_write(&mut self, write: &Write, made: Version) {
        let mark = match &mut self.of_objects {
            None => self.mark.as_mut(),
            Some(marks) => marks.get_mut(&write.object),
        };
        let Some(mark) = mark.filter(|_| self.rule.keeps_mark()) else { return };
        let newer = mark.last.is_none_or(|last| write.sequence > last.sequence);
        if newer && (mark.token, mark.owner) == (write.token, write.owner) {
            mark.last = Some(LastWrite { sequence: write.sequence, made });
        }
    }
}
