//! The tests over the built page.

use std::process::Command;

use crate::error::Result;
use crate::page;
use crate::setup::TestBench;
use crate::split::Names;

/// Builds the page, and gives the command that runs tests over it.
pub fn over_the_page(bench: &TestBench, arguments: &[&str]) -> Result<Command> {
    page::build_in(&bench.environment, Names::Dropped)?;
    let mut command = bench.environment.command("cargo");
    command.args(["test", "-p", "e2e"]).args(arguments);
    command.env("CHROMEDRIVER", &bench.chrome.driver);
    if let Some(program) = &bench.chrome.program {
        command.env("CHROME", program);
    }
    if let Some(script) = &bench.axe {
        command.env("AXE", script);
    }
    Ok(command)
}
