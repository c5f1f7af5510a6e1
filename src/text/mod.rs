//! Sentences from typed values: one table a language. Used by the page, `play` and
//! the golden files. Pure.

pub mod amounts;
mod consul;
pub mod effects;
pub mod en;
pub mod endings;
pub mod entry;
pub mod kinds;
pub mod measured;
#[cfg(test)]
pub mod numbers;
pub mod objects;
pub mod postgres;
pub mod program;
pub mod questions;
pub mod report;
pub mod service;
pub mod short;
pub mod signals;
pub mod state;
pub mod ui;
pub mod who;

pub use who::Who;
