//! The compiler's WebAssembly target: from rustup, or built from a distribution's source.

use std::path::Path;

use super::environment::Environment;
use super::sysroot;
use crate::error::{Error, Result};
use crate::process::{self, say};

pub const TRIPLE: &str = "wasm32-unknown-unknown";

/// Makes `cargo build --target wasm32-unknown-unknown` work in this environment.
pub fn provide(environment: &mut Environment) -> Result<()> {
    if is_there(environment) {
        return Ok(());
    }
    if let Some(programs) = sysroot::ready(environment)? {
        return use_own_compiler(environment, &programs);
    }
    say(&format!("adding the target {TRIPLE} with rustup"));
    let mut add = environment.command("rustup");
    add.args(["target", "add", TRIPLE]);
    if process::run_quietly(&mut add).is_ok() && is_there(environment) {
        return Ok(());
    }
    say("rustup cannot add it here: turning to the distribution's compiler and library source");
    let programs = sysroot::build(environment)?;
    use_own_compiler(environment, &programs)
}

fn use_own_compiler(environment: &mut Environment, programs: &Path) -> Result<()> {
    environment.prefer(programs.to_path_buf());
    environment.own_compiler = true;
    if is_there(environment) {
        return Ok(());
    }
    Err(Error::Missing {
        what: format!("the compiler in {} has no {TRIPLE}", programs.display()),
        next: "remove that folder's parent and run this again".to_owned(),
    })
}

/// Whether the compiler that comes first has the target's standard library.
pub fn is_there(environment: &Environment) -> bool {
    let mut ask = environment.command("rustc");
    ask.args(["--print", "target-libdir", "--target", TRIPLE]);
    let Some(folder) = process::answer(&mut ask) else {
        return false;
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-"))
}
