//! The native tests in their other two uses.

use crate::error::Result;
use crate::process;
use crate::setup::environment::Environment;

/// Writes the expected results anew; git shows what changed.
pub fn golden() -> Result<()> {
    let mut command = Environment::default().command("cargo");
    command.args(["test", "--no-default-features"]);
    command.env("FENCEPOST_GOLDEN", "write");
    process::run(&mut command)
}

/// Runs the tests that are too long for every day.
pub fn soak() -> Result<()> {
    let mut command = Environment::default().command("cargo");
    command.args(["test", "--profile", "fast", "--no-default-features", "--", "--ignored"]);
    process::run(&mut command)
}
