//! What a store checks: each rule's answer to a claim and to a write, from the
//! mark and the data alone. Nothing here changes anything.

use super::api::{Refusal, Rule, Token, Version, Write};
use super::{Data, Mark, Owner};

/// What the check of a write says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// It may be stored.
    Passes,
    /// It was stored before and made this version: answer so again.
    Repeats(Version),
    /// It may not be stored.
    Fails(Refusal),
}

/// When a rule checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CheckTime {
    /// When the write arrives, and not again.
    Arrival,
    /// In the step that stores it.
    Storing,
}

impl Rule {
    /// Whether the rule looks at the mark and raises it.
    pub(super) fn keeps_mark(self) -> bool {
        !matches!(self, Rule::None | Rule::CompareAndSet | Rule::DedupeKey)
    }

    /// When a write in one call is checked.
    pub(super) fn checks_put(self) -> CheckTime {
        match self {
            Rule::CheckAtStart | Rule::SameTransaction => CheckTime::Arrival,
            _ => CheckTime::Storing,
        }
    }

    /// When a write of two calls is checked: `Arrival` is that of its beginning.
    pub(super) fn checks_slow(self) -> CheckTime {
        match self {
            Rule::CheckThenPut | Rule::CheckAtStart | Rule::SameTransaction => CheckTime::Arrival,
            _ => CheckTime::Storing,
        }
    }

    /// Whether a claim is accepted.
    pub(super) fn check_claim(
        self,
        mark: Option<&Mark>,
        token: Token,
        owner: Owner,
    ) -> Result<(), Refusal> {
        let Some(mark) = mark.filter(|_| self.keeps_mark()) else { return Ok(()) };
        let passes = match self {
            Rule::None | Rule::CompareAndSet | Rule::DedupeKey => true,
            Rule::AtLeast => token >= mark.token,
            Rule::StrictlyGreater => token > mark.token,
            Rule::LastSeen => token == mark.token,
            Rule::OwnerAndSequence
            | Rule::SameTransaction
            | Rule::CheckThenPut
            | Rule::CheckAtStart
            | Rule::TermAndKey => {
                token > mark.token || (token == mark.token && owner == mark.owner)
            }
        };
        if passes { Ok(()) } else { Err(Refusal::Token { mark: mark.token }) }
    }

    /// Whether a write may be stored, by the mark and the data there are.
    pub(super) fn check_write(self, mark: Option<&Mark>, data: &Data, write: &Write) -> Checked {
        match self {
            Rule::CompareAndSet => check_version(data, write),
            Rule::DedupeKey => check_job(data, write),
            Rule::TermAndKey => check_term_and_key(mark, data, write),
            Rule::OwnerAndSequence
            | Rule::SameTransaction
            | Rule::CheckThenPut
            | Rule::CheckAtStart => check_sequence(mark, write),
            Rule::None | Rule::AtLeast | Rule::StrictlyGreater | Rule::LastSeen => {
                match self.check_claim(mark, write.token, write.owner) {
                    Ok(()) => Checked::Passes,
                    Err(refusal) => Checked::Fails(refusal),
                }
            }
        }
    }
}

/// `token > mark`, or equal with the same owner and a higher sequence.
fn check_sequence(mark: Option<&Mark>, write: &Write) -> Checked {
    let Some(mark) = mark.filter(|mark| write.token <= mark.token) else { return Checked::Passes };
    if (write.token, write.owner) != (mark.token, mark.owner) {
        return Checked::Fails(Refusal::Token { mark: mark.token });
    }
    match mark.last {
        Some(last) if write.sequence == last.sequence => Checked::Repeats(last.made),
        Some(last) if write.sequence < last.sequence => {
            Checked::Fails(Refusal::Token { mark: mark.token })
        }
        _ => Checked::Passes,
    }
}

/// Who may not append is refused whatever the key; a key that is known is not applied again.
fn check_term_and_key(mark: Option<&Mark>, data: &Data, write: &Write) -> Checked {
    match (check_sequence(mark, write), data.done.get(&write.key())) {
        (Checked::Passes, Some(done)) => Checked::Repeats(done.made),
        (checked, _) => checked,
    }
}

/// The version read must be the version there is, the write stored last aside.
fn check_version(data: &Data, write: &Write) -> Checked {
    // Versions are the store's: what was read of one object may be newer than its last write.
    let current = data.version_of(&write.object);
    if data.was_stored_last(write) {
        Checked::Repeats(current)
    } else if write.read_version >= current {
        Checked::Passes
    } else {
        Checked::Fails(Refusal::Version { current })
    }
}

/// A job is done once to each object.
fn check_job(data: &Data, write: &Write) -> Checked {
    match data.done.get(&write.key()) {
        None => Checked::Passes,
        Some(done) if (done.owner, done.sequence) == (write.owner, write.sequence) => {
            Checked::Repeats(done.made)
        }
        Some(_) => Checked::Fails(Refusal::JobDone),
    }
}
