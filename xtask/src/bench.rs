//! `cargo xtask bench`: how fast the engine is, built for speed, and how much work a
//! frame of the page is, as it is published.

use crate::error::Result;
use crate::page;
use crate::process;
use crate::setup::{self, environment::Environment};

/// Builds and runs the measurements in `src/bin/measure.rs`, and the one in
/// `tests/e2e/tests/frames.rs`.
pub fn run() -> Result<()> {
    let mut command = Environment::default().command("cargo");
    command.args(["run", "--quiet", "--profile", "fast", "-p", "xtask", "--bin", "measure"]);
    process::run(&mut command)?;
    frames()
}

fn frames() -> Result<()> {
    let bench = setup::for_tests()?;
    page::build_in(&bench.environment)?;
    let mut command = bench.environment.command("cargo");
    command.args(["test", "--quiet", "-p", "e2e", "--test", "frames", "--"]);
    command.args(["--ignored", "--nocapture"]);
    command.env("CHROMEDRIVER", &bench.chrome.driver);
    if let Some(program) = &bench.chrome.program {
        command.env("CHROME", program);
    }
    process::run(&mut command)
}
