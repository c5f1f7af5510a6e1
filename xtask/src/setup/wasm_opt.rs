//! `wasm-opt`, which makes the page smaller: from npm where there is one.

use std::path::Path;

use super::cache;
use super::environment::Environment;
use super::version::Match;
use crate::error::Result;
use crate::process::{self, say};
use crate::workspace;

/// Brings it, or says that the page will be somewhat larger.
pub fn provide(environment: &mut Environment) -> Result<()> {
    let pin = workspace::pinned_tool("wasm_opt")?;
    let major = pin.trim_start_matches("version_");
    let version = format!("{major}.0.0");
    let folder = cache::tool("binaryen", &version)?;
    let programs = folder.join("node_modules/.bin");
    if !answers(environment, major) {
        if !programs.join("wasm-opt").exists() && environment.find(&["npm"]).is_some() {
            say(&format!("getting wasm-opt {major} with npm"));
            // Without it the page can be built all the same, and that is said below.
            let _ = get(environment, &folder, &version);
        }
        environment.prefer(programs);
    }
    environment.wasm_opt = answers(environment, major);
    if !environment.wasm_opt {
        say(&format!(
            "going without wasm-opt, so the page is larger: install npm, or wasm-opt {major}, for it"
        ));
    }
    Ok(())
}

/// Whether the one that comes first is there, is of this version and can be run.
fn answers(environment: &Environment, major: &str) -> bool {
    let program = environment.find(&["wasm-opt"]);
    let line = program.and_then(|program| environment.version_line(&program));
    line.is_some_and(|line| Match::Exact.fits(&line, major))
}

fn get(environment: &Environment, folder: &Path, version: &str) -> Result<()> {
    cache::fill(folder, |unfinished| {
        let mut command = environment.command("npm");
        command.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
        command.arg(unfinished).arg(format!("binaryen@{version}"));
        process::run_quietly(&mut command).map(drop)
    })
}
