//! Fencepost: a laboratory for distributed locks.
//!
//! - [`sim`]: time, clocks, network, processes, events, causes, replay; knows nothing of locks.
//! - [`actors`]: who takes part: lock services, workers, stores, helpers.

pub mod actors;
#[cfg(feature = "page")]
pub mod app;
#[cfg(feature = "page")]
pub mod host;
pub mod sim;
