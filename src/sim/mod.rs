//! Time, clocks, network, processes, events, causes, replay. Knows nothing of locks.

pub mod click;
pub mod clock;
pub mod encode;
pub mod event;
pub mod in_full;
pub mod network;
pub mod order;
pub mod process;
pub mod replay;

pub mod time;
pub mod world;

#[cfg(test)]
mod tests;
