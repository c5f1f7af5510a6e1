//! `cargo xtask bench`: how fast the engine is.

use crate::error::{Error, Result};

/// There is nothing to measure yet. A measurement goes here as a function that runs
/// a fixed piece of work, takes the median time of several runs, and prints one line.
pub fn run() -> Result<()> {
    Err(Error::Missing {
        what: "there are no benchmarks yet".to_owned(),
        next: "add the first one in xtask/src/bench.rs".to_owned(),
    })
}
