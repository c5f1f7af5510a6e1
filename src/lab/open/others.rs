//! Other runs that are told of beside an open one. It takes runs to find them, so that is done
//! when somebody says so; what is drawn only reads what was found.

use super::Open;
use crate::lab::compare::proof;
use crate::lab::cure;
use crate::learn::SameClicks;

impl Open {
    /// The run of the same scenario in which the same clicks break no promise, where some
    /// were broken in this one, once it was looked for.
    pub fn cure(&self) -> Option<&SameClicks> {
        self.cure.as_ref()?.as_ref()
    }

    /// Looks for the cure once, by running others.
    pub(in crate::lab) fn find_cure(&mut self) {
        if self.cure.is_none() {
            self.cure = Some(cure::of(self));
        }
    }

    /// The run that is told of in which other clicks break what is promised here, once it was
    /// looked for.
    pub fn broken_elsewhere(&self) -> Option<&SameClicks> {
        self.broken_elsewhere.as_ref()?.as_ref()
    }

    /// Looks once, by running others, for one that breaks what this one has not.
    pub(in crate::lab) fn look_elsewhere(&mut self) {
        if self.broken_elsewhere.is_none() && proof::tried(self).is_some() {
            self.broken_elsewhere = Some(proof::told_of(self));
        }
    }
}
