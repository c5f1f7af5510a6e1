//! What came of a run, in a few characters: a link carries it, so that whoever opens the
//! link learns whether the run still ends as it did.

use crate::properties::{Judged, PropertyId, turns};
use crate::scenario::{Run, ScenarioError};
use crate::sim::encode::{self, Encoder, Frame};
use std::fmt::{self, Display, Formatter};

/// The version of the model. Raised whenever runs can come to other outcomes than
/// before; a test holds it against one of each service and store.
pub const MODEL: u32 = 8;

/// A hash of a run's turns of events and verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome(pub u64);

impl Outcome {
    /// Runs a run to its end.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn of(run: &Run) -> Result<Outcome, ScenarioError> {
        let replay = run.to_end()?;
        let mut encoder = Encoder::new(Frame::default());
        for event in replay.past().iter().filter(|event| turns::is_turn(&event.what)) {
            encoder.put(&(event.at, event.node, &event.what));
        }
        let judge = &replay.moment().observer;
        for id in PropertyId::ALL {
            encoder.put(&judge.verdict(id, Judged::AtTheEnd).holds());
        }
        Ok(Outcome(encode::hash(&encoder.into_bytes()) as u64))
    }

    /// From 16 hexadecimal digits, as they are written.
    pub fn from_hex(text: &str) -> Option<Outcome> {
        let is_plain = |letter: char| matches!(letter, '0'..='9' | 'a'..='f');
        let right = text.len() == 16 && text.chars().all(is_plain);
        right.then(|| u64::from_str_radix(text, 16).ok().map(Outcome)).flatten()
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
