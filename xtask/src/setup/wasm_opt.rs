//! `wasm-opt`, which makes the page smaller: from npm where there is one.

use super::environment::Environment;
use super::npm;
use super::version::Match;
use crate::error::Result;
use crate::process::say;
use crate::workspace;

/// Brings it, or says that the page will be somewhat larger.
pub fn provide(environment: &mut Environment) -> Result<()> {
    let pin = workspace::pinned_tool("wasm_opt")?;
    let major = pin.trim_start_matches("version_");
    let version = format!("{major}.0.0");
    if !answers(environment, major) {
        environment.prefer(npm::provide(environment, "binaryen", &version)?.join(".bin"));
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
