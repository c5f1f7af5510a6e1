//! Time, clocks, network, processes, events, causes, replay. Knows nothing of locks.

pub mod process;
pub mod time;
