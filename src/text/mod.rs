//! Sentences from typed values: one table a language. Used by the page, `play` and
//! the golden files. Pure.

pub mod amounts;
pub mod en;
pub mod entry;
pub mod report;
pub mod ui;
pub mod who;

pub use who::Who;
