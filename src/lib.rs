//! Fencepost: a laboratory for distributed locks.
//!
//! - [`sim`]: time, clocks, network, processes, events, causes, replay; knows nothing of locks.
//! - [`actors`]: who takes part: lock services, workers, stores, helpers.
//! - [`properties`]: what must not happen, judged from a run's notes.

pub mod actors;
#[cfg(feature = "page")]
pub mod app;
#[cfg(feature = "page")]
pub mod host;
pub mod properties;
pub mod sim;
