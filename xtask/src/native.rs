//! The tests in their other two uses.

use crate::e2e;
use crate::error::Result;
use crate::process;
use crate::setup::{self, environment::Environment};

/// Writes the expected results anew; git shows what changed.
pub fn golden() -> Result<()> {
    let mut command = Environment::default().command("cargo");
    command.args(["test", "--no-default-features"]);
    command.env("FENCEPOST_GOLDEN", "write");
    process::run(&mut command)
}

/// Runs the tests that are too long for every day: the native ones, and the monkey on the
/// built page.
pub fn soak() -> Result<()> {
    let mut command = Environment::default().command("cargo");
    command.args(["test", "--profile", "fast", "--no-default-features", "--", "--ignored"]);
    process::run(&mut command)?;
    let monkey = ["--test", "monkey", "--", "--ignored", "--nocapture"];
    process::run(&mut e2e::over_the_page(&setup::for_tests()?, &monkey)?)
}
