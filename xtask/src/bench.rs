//! `cargo xtask bench`: how fast the engine is, natively and in a browser, and how much
//! work a frame of the page is.

use crate::browser_suite;
use crate::e2e;
use crate::error::{Error, Result};
use crate::process;
use crate::setup;
use crate::setup::environment::Environment;

/// Runs the measurements of `tests/bench`, natively, built for speed, and in Chromium,
/// built as the page is; then the one in `tests/e2e/tests/frames.rs`.
pub fn run() -> Result<()> {
    let mut command = Environment::default().command("cargo");
    command.args(["run", "--quiet", "--profile", "fast", "-p", "xtask", "--bin", "measure"]);
    process::run(&mut command)?;
    let bench = setup::for_tests()?;
    let lines = browser_suite::measure_in_chrome(&bench)?;
    if lines.is_empty() {
        return Err(Error::Input("the browser told no measurement".to_owned()));
    }
    lines.iter().for_each(|line| println!("{line}"));
    let frames = ["--quiet", "--test", "frames", "--", "--ignored", "--nocapture"];
    process::run(&mut e2e::over_the_page(&bench, &frames)?)
}
