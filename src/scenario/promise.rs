//! How what a scenario promises stands in a run, where two are compared.

/// How a promise stands in one of two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// It is kept so far.
    Kept,
    /// It is broken.
    Broken,
    /// The run's scenario does not promise it.
    NotPromised,
}

/// What was tried of a run that has broken nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tried {
    /// Nothing was promised.
    NoPromise,
    /// Nothing was done to it.
    NoClick,
    /// These clicks and no others.
    TheseClicks,
}
