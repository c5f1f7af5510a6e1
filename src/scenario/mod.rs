//! Scenarios: the file format, its validation, the built-in library, and the run
//! that a scenario, settings and clicks make.
//!
//! ```text
//!   text ──read──► Spec ──build──► World<Actor> ──► Replay<Actor, Judge>
//!          ▲ settings                ▲ clicks, seed
//! ```

pub mod actions;
pub mod build;
pub mod change;
mod choices;
pub mod clicks;
mod differences;
pub mod edit;
pub mod error;
pub mod library;
pub mod names;
pub mod promise;
pub mod read;
pub mod run;
pub mod spec;
pub mod usual;
mod validate;

pub use change::Change;
pub use error::{Problem, ScenarioError};
pub use run::{Run, Scenario};
pub use validate::MAX_WORKERS;
