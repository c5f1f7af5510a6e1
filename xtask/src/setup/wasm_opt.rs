//! `wasm-opt`, which makes the page smaller: from npm where there is one.

use super::cache;
use super::environment::Environment;
use super::version::Match;
use crate::error::Result;
use crate::process::{self, say};
use crate::workspace;

/// Brings it, or says that the page will be somewhat larger.
pub fn provide(environment: &mut Environment) -> Result<()> {
    let pin = workspace::pinned_tool("wasm_opt")?;
    let major = pin.trim_start_matches("version_").to_owned();
    let found = environment.find(&["wasm-opt"]).and_then(|path| environment.version_line(&path));
    environment.wasm_opt = found.is_some_and(|line| Match::Exact.fits(&line, &major))
        || from_npm(environment, &major)?;
    if !environment.wasm_opt {
        say("going without wasm-opt: the page is somewhat larger. Install npm to have it");
    }
    Ok(())
}

fn from_npm(environment: &mut Environment, major: &str) -> Result<bool> {
    let version = format!("{major}.0.0");
    let folder = cache::tool("binaryen", &version)?;
    let programs = folder.join("node_modules/.bin");
    if !programs.join("wasm-opt").exists() {
        if environment.find(&["npm"]).is_none() {
            return Ok(false);
        }
        say(&format!("getting wasm-opt {major} with npm"));
        let got = cache::fill(&folder, |unfinished| {
            let mut command = environment.command("npm");
            command.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
            command.arg(unfinished).arg(format!("binaryen@{version}"));
            process::run_quietly(&mut command).map(drop)
        });
        if got.is_err() {
            return Ok(false);
        }
    }
    environment.prefer(programs);
    Ok(true)
}
