//! `cargo xtask bench`: how fast the engine is, natively and in a browser.

use crate::browser_suite;
use crate::error::{Error, Result};
use crate::process;
use crate::setup;
use crate::setup::environment::Environment;

/// Runs the measurements of `tests/bench`: natively, built for speed, and in Chromium,
/// built as the page is.
pub fn run() -> Result<()> {
    let mut command = Environment::default().command("cargo");
    command.args(["run", "--quiet", "--profile", "fast", "-p", "xtask", "--bin", "measure"]);
    process::run(&mut command)?;
    let lines = browser_suite::measure_in_chrome(&setup::for_tests()?)?;
    if lines.is_empty() {
        return Err(Error::Input("the browser told no measurement".to_owned()));
    }
    lines.iter().for_each(|line| println!("{line}"));
    Ok(())
}
