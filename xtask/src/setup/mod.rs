//! Brings what a command needs and is missing, and nothing else.
//!
//! A tool of the right version on the PATH is used as it is. What is brought goes
//! into the cache of the user, by version; only a distribution's packages go elsewhere.

mod axe;
pub mod browsers;
mod cache;
mod distribution;
pub mod environment;
mod npm;
mod sysroot;
pub mod target;
mod tools;
mod version;
mod wasm_opt;

use std::path::PathBuf;

use browsers::Browser;
use environment::Environment;

use crate::error::Result;
use crate::process;
use crate::workspace;

/// For cargo with the WebAssembly target.
pub fn for_target() -> Result<Environment> {
    let mut environment = Environment::default();
    target::provide(&mut environment)?;
    Ok(environment)
}

/// For building the page.
pub fn for_page() -> Result<Environment> {
    let mut environment = for_target()?;
    tools::provide(&tools::wasm_bindgen()?, &mut environment)?;
    tools::provide(&tools::trunk()?, &mut environment)?;
    wasm_opt::provide(&mut environment)?;
    Ok(environment)
}

/// What the tests need: all that there is.
#[derive(Debug)]
pub struct TestBench {
    pub environment: Environment,
    /// The script of axe-core, where it can be had.
    pub axe: Option<PathBuf>,
    pub chrome: Browser,
    pub firefox: Browser,
}

pub fn for_tests() -> Result<TestBench> {
    let mut environment = for_page()?;
    tools::provide_wasm_pack(&mut environment)?;
    let axe = axe::provide(&environment)?;
    let chrome = browsers::chrome(&environment)?;
    let firefox = browsers::firefox(&mut environment)?;
    Ok(TestBench { environment, axe, chrome, firefox })
}

/// `cargo xtask setup`: all at once, for those who will be offline later.
pub fn everything() -> Result<()> {
    let bench = for_tests()?;
    fetch_crates(&bench.environment)?;
    process::say("everything is set up");
    Ok(())
}

/// Fetches the crates of the lock file, so that what follows can run offline.
pub fn fetch_crates(environment: &Environment) -> Result<()> {
    let manifest = workspace::root().join("Cargo.toml");
    let mut command = environment.command("cargo");
    command.args(["fetch", "--locked", "--manifest-path"]).arg(manifest);
    process::run_quietly(&mut command).map(drop)
}
