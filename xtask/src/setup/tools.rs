//! Tools that are crates: found on the PATH or in the cache, and built into the cache.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::cache;
use super::environment::Environment;
use super::version::Match;
use crate::error::Result;
use crate::process::{self, say};
use crate::workspace;

/// A program that comes as a crate of its own.
#[derive(Debug)]
pub struct Tool {
    /// The crate.
    package: &'static str,
    /// The program that tells the version.
    program: &'static str,
    /// Others of the crate that have to lie beside it.
    others: &'static [&'static str],
    version: String,
    fit: Match,
    arguments: &'static [&'static str],
}

/// 0.22 wants a later compiler than stable. Without its features for secure
/// connections it builds in half the time, and it is only ever run offline.
pub fn trunk() -> Result<Tool> {
    Ok(Tool {
        package: "trunk",
        program: "trunk",
        others: &[],
        version: "0.21.14".to_owned(),
        fit: Match::SameMinor,
        arguments: &["--locked", "--no-default-features"],
    })
}

/// Of exactly the version of the library. Not `--locked`: its lock file is of no
/// help, and without it the build shares more with the other tools.
pub fn wasm_bindgen() -> Result<Tool> {
    Ok(Tool {
        package: "wasm-bindgen-cli",
        program: "wasm-bindgen",
        others: &["wasm-bindgen-test-runner"],
        version: workspace::locked_version("wasm-bindgen")?,
        fit: Match::Exact,
        arguments: &["--no-default-features"],
    })
}

pub fn geckodriver() -> Result<Tool> {
    Ok(Tool {
        package: "geckodriver",
        program: "geckodriver",
        others: &[],
        version: "0.37.1".to_owned(),
        fit: Match::SameMinor,
        arguments: &["--locked"],
    })
}

/// It has no features to leave out.
pub fn wasm_pack() -> Result<Tool> {
    Ok(Tool {
        package: "wasm-pack",
        program: "wasm-pack",
        others: &[],
        version: "0.15.1".to_owned(),
        fit: Match::SameMinor,
        arguments: &["--locked"],
    })
}

/// wasm-pack asks the registry once a day whether there is a newer one. When it last
/// did stands in this file beside it; a time to come keeps it from asking at all.
const LAST_ASKED: (&str, &str) = ("wasm-pack.stamp", "created 9999-01-01T00:00:00+00:00");

/// Makes wasm-pack available; what is brought asks nothing of the network.
pub fn provide_wasm_pack(environment: &mut Environment) -> Result<()> {
    let tool = wasm_pack()?;
    provide(&tool, environment)?;
    let programs = cache::tool(tool.package, &tool.version)?.join("bin");
    if program_in(&programs, tool.program).is_file() {
        workspace::write(&programs.join(LAST_ASKED.0), LAST_ASKED.1)?;
    }
    Ok(())
}

/// Makes the tool available, building it if it is nowhere.
pub fn provide(tool: &Tool, environment: &mut Environment) -> Result<()> {
    if on_path(tool, environment) {
        return Ok(());
    }
    let folder = cache::tool(tool.package, &tool.version)?;
    let programs = folder.join("bin");
    if !program_in(&programs, tool.program).is_file() {
        install(tool, &folder, environment)?;
    }
    environment.prefer(programs);
    Ok(())
}

fn on_path(tool: &Tool, environment: &Environment) -> bool {
    let Some(path) = environment.find(&[tool.program]) else {
        return false;
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let whole = tool.others.iter().all(|other| program_in(folder, other).is_file());
    let answer = environment.version_line(&path);
    whole && answer.is_some_and(|line| tool.fit.fits(&line, &tool.version))
}

fn program_in(folder: &Path, program: &str) -> PathBuf {
    folder.join(program).with_extension(std::env::consts::EXE_EXTENSION)
}

fn install(tool: &Tool, folder: &Path, environment: &Environment) -> Result<()> {
    let Tool { package, version, .. } = tool;
    if environment.find(&["cargo-binstall"]).is_some() {
        say(&format!("getting {package} {version} ready-made with cargo binstall"));
        if process::run_quietly(&mut ready_made(tool, folder)).is_ok() {
            return Ok(());
        }
    }
    say(&format!("building {package} {version} (once; a few minutes)"));
    process::run_quietly(&mut from_source(tool, folder)?)?;
    Ok(())
}

fn ready_made(tool: &Tool, folder: &Path) -> Command {
    let mut command = cargo(folder);
    command.args(["binstall", "--no-confirm", "--disable-strategies", "compile", "--root"]);
    command.arg(folder);
    command.arg(format!("{}@{}", tool.package, tool.version));
    command
}

/// Quick to build rather than quick to run: each runs for a second or two at a time.
fn from_source(tool: &Tool, folder: &Path) -> Result<Command> {
    let mut command = cargo(folder);
    command.args(["install", tool.package, "--version", &tool.version]);
    command.args(tool.arguments).arg("--root").arg(folder);
    command.env("CARGO_TARGET_DIR", cache::folder()?.join("build"));
    command.env("CARGO_PROFILE_RELEASE_LTO", "off");
    command.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    command.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    command.env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    Ok(command)
}

/// Outside the repository, whose settings are not meant for the tools.
fn cargo(folder: &Path) -> Command {
    let mut command = Environment::default().command("cargo");
    let outside = folder.ancestors().find(|folder| folder.is_dir());
    command.current_dir(outside.unwrap_or(Path::new("/")));
    command.env_remove("RUSTFLAGS");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_of_wasm_bindgen_is_of_the_locked_version() {
        let tool = wasm_bindgen().expect("locked");
        assert_eq!(tool.version, workspace::locked_version("wasm-bindgen").expect("locked"));
        assert_eq!(tool.fit, Match::Exact);
    }

    #[test]
    fn a_tool_is_built_into_its_own_folder() {
        let command = from_source(&trunk().expect("known"), Path::new("/cache/trunk")).expect("a");
        let line = process::line_of(&command);
        assert!(line.contains("install trunk --version 0.21.14"), "{line}");
        assert!(line.ends_with("--root /cache/trunk"), "{line}");
    }
}
