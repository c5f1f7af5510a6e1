//! Fencepost: a laboratory for distributed locks.
//!
//! Layers, lowest first; each may use those below it and nothing above.
//!
//! - [`content`]: files that people write, read into typed values; knows no file's fields.
//! - [`sim`]: time, clocks, network, processes, events, causes, replay; knows nothing of
//!   locks.
//! - [`actors`]: who takes part: lock services, workers, stores, helpers, one a folder.
//! - [`properties`]: what must not happen, one property a file, and the why-chain.
//! - [`scenario`]: the file format, its validation, the built-in library, and the run.
//! - [`search`]: tries every click there is, and merges equal states.
//! - [`learn`]: chapters, what is done of them, predictions met by what happens.
//! - [`text`]: sentences from typed values, one table a language.
//! - [`lab`]: the lab as data: open runs, play and step, what is selected.
//! - `host`: the browser: storage, timers, the panel for failures.
//! - `app`: the page.

pub mod actors;
#[cfg(feature = "page")]
pub mod app;
pub mod content;
#[cfg(feature = "page")]
pub mod host;
pub mod lab;
pub mod learn;
pub mod properties;
pub mod scenario;
pub mod search;
pub mod sim;
pub mod text;
