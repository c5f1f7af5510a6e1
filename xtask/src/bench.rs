//! `cargo xtask bench`: how fast the engine is, built for speed.

use crate::error::Result;
use crate::process;
use crate::setup::environment::Environment;

/// Builds and runs the measurements in `src/bin/measure.rs`.
pub fn run() -> Result<()> {
    let mut command = Environment::default().command("cargo");
    command.args(["run", "--quiet", "--profile", "fast", "-p", "xtask", "--bin", "measure"]);
    process::run(&mut command)
}
