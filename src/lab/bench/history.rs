//! What a tab has held before, and what was undone. Runs are data and small, so they are
//! kept as they were.

use crate::scenario::Run;
use crate::sim::time::TrueTime;
use std::rc::Rc;

/// A run that was looked at, and the moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// The run's number: whatever is set otherwise makes another run.
    pub number: u32,
    /// The run.
    pub run: Run,
    /// The moment.
    pub now: TrueTime,
}

/// What there is to undo and to do again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    before: Vec<Rc<Past>>,
    after: Vec<Rc<Past>>,
    /// The click that was moved by a step last, where nothing was done since.
    nudged: Option<usize>,
}

impl History {
    /// Something else is done: what was undone is no longer to be had.
    pub fn push(&mut self, was: Past) {
        self.before.push(Rc::new(was));
        self.after.clear();
        self.nudged = None;
    }

    /// A click is moved by a step: all such steps in a row are undone at once.
    pub fn nudge(&mut self, was: Past, click: usize) {
        if self.nudged == Some(click) {
            return self.after.clear();
        }
        self.push(was);
        self.nudged = Some(click);
    }

    /// One step back from a run.
    pub fn undo(&mut self, from: Past) -> Option<Past> {
        let past = self.before.pop()?;
        self.nudged = None;
        self.after.push(Rc::new(from));
        Some(Rc::unwrap_or_clone(past))
    }

    /// One step forth from a run.
    pub fn redo(&mut self, from: Past) -> Option<Past> {
        let past = self.after.pop()?;
        self.before.push(Rc::new(from));
        Some(Rc::unwrap_or_clone(past))
    }

    /// Whether there is anything to undo.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Whether there is anything to do again.
    pub fn can_redo(&self) -> bool {
        !self.after.is_empty()
    }
}
