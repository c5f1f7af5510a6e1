//! Tries every click there is, one at a time, and merges equal states.
//!
//! The question: *is there any single click that breaks this property?* A [`Sweep`]
//! takes a scenario without its clicks, makes every click of a list of kinds just
//! before and just after every event, and runs each to its end. It advances in
//! slices, so that a page stays alive.

pub mod faults;
pub mod sweep;

pub use faults::Kind;
pub use sweep::{Merging, Sweep, Tally};
