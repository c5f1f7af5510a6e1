//! A compiler with the WebAssembly target for where rustup cannot bring one.
//!
//! The distribution's compiler builds its own standard library for the target. The
//! result is put beside a link to the host's library into one folder of the cache,
//! with `rustc` and `rustdoc` as wrappers that name that folder, and the linker under the
//! name that the compiler looks for: with its `bin` first on the PATH, cargo and Trunk work
//! as they do everywhere.

use std::fs;
use std::path::{Path, PathBuf};

use super::cache;
use super::distribution;
use super::environment::Environment;
use super::target::TRIPLE;
use super::version;
use crate::error::{Error, Result};
use crate::process::{self, say};
use crate::workspace;

/// The `bin` folder of one built earlier from the compiler that is installed.
pub fn ready(environment: &Environment) -> Result<Option<PathBuf>> {
    let Some(version) = installed_version(environment) else {
        return Ok(None);
    };
    let programs = folder(&version)?.join("bin");
    let whole = ["rustc", "rust-lld"].iter().all(|name| programs.join(name).is_file());
    Ok(whole.then_some(programs))
}

/// Builds it and answers with its `bin` folder.
pub fn build(environment: &Environment) -> Result<PathBuf> {
    if installed_version(environment).is_none() || library_source(environment).is_none() {
        let what = "a compiler with the source of its standard library";
        distribution::install(environment, what, distribution::COMPILER)?;
    }
    let version = installed_version(environment).ok_or_else(|| Error::Missing {
        what: "the distribution's compiler does not tell its version".to_owned(),
        next: format!("run `rustup target add {TRIPLE}` where it works, then this again"),
    })?;
    let folder = folder(&version)?;
    say(&format!("building the standard library of Rust {version} for {TRIPLE} (once; 2 minutes)"));
    cache::fill(&folder, |unfinished| assemble(environment, unfinished, &folder))?;
    Ok(folder.join("bin"))
}

fn folder(version: &str) -> Result<PathBuf> {
    cache::tool("wasm-compiler", version)
}

fn installed_version(environment: &Environment) -> Option<String> {
    let line = environment.version_line(&distribution::compiler_program("rustc"))?;
    let numbers: Vec<String> = version::in_line(&line)?.iter().map(u64::to_string).collect();
    Some(numbers.join("."))
}

/// What the distribution's compiler knows as its own folder.
fn host_sysroot(environment: &Environment) -> Option<PathBuf> {
    let rustc = distribution::compiler_program("rustc");
    let mut ask = environment.command(rustc);
    forget_rustup(&mut ask);
    process::answer(ask.args(["--print", "sysroot"])).map(PathBuf::from)
}

fn library_source(environment: &Environment) -> Option<PathBuf> {
    let source = host_sysroot(environment)?.join("lib/rustlib/src/rust/library");
    source.join("std/Cargo.toml").is_file().then_some(source)
}

/// Fills `folder`, which will later be `place`.
fn assemble(environment: &Environment, folder: &Path, place: &Path) -> Result<()> {
    let library = folder.join("lib/rustlib").join(TRIPLE).join("lib");
    make(&library)?;
    let built = compile_library(environment, &folder.join("build"))?;
    copy_libraries(&built, &library)?;
    let build = folder.join("build");
    fs::remove_dir_all(&build).map_err(Error::file(&build, "removed"))?;
    link_host_library(environment, folder)?;
    let programs = folder.join("bin");
    make(&programs)?;
    link(&distribution::compiler_program("cargo"), &programs.join("cargo"))?;
    link(Path::new(distribution::LINKER), &programs.join("rust-lld"))?;
    for name in ["rustc", "rustdoc"] {
        write_wrapper(&programs, name, place)?;
    }
    Ok(())
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(Error::file(folder, "made"))
}

/// Builds an empty crate with a standard library of its own.
fn compile_library(environment: &Environment, folder: &Path) -> Result<PathBuf> {
    let manifest = "[package]\nname = \"empty\"\nedition = \"2021\"\n[workspace]\n\
                    [profile.release]\npanic = \"abort\"\n";
    workspace::write(&folder.join("Cargo.toml"), manifest)?;
    workspace::write(&folder.join("src/lib.rs"), "")?;
    let mut command = environment.command(distribution::compiler_program("cargo"));
    forget_rustup(&mut command);
    command.current_dir(folder);
    command.env("RUSTC", distribution::compiler_program("rustc"));
    // The distribution's compiler is a stable one; building std is not.
    command.env("RUSTC_BOOTSTRAP", "1");
    // Without the bitcode, link-time optimisation of the page fails.
    command.env("RUSTFLAGS", "-C embed-bitcode=yes");
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    command.args(["build", "--release", "--target", TRIPLE]);
    command.arg("-Zbuild-std=std,panic_abort,proc_macro,test");
    process::run_quietly(&mut command)?;
    Ok(folder.join("target").join(TRIPLE).join("release/deps"))
}

fn forget_rustup(command: &mut std::process::Command) {
    for name in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "RUSTFLAGS", "RUSTC_WRAPPER"] {
        command.env_remove(name);
    }
}

fn copy_libraries(from: &Path, to: &Path) -> Result<()> {
    let entries = fs::read_dir(from).map_err(Error::file(from, "read"))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libempty-") {
            fs::copy(&path, to.join(&name)).map_err(Error::file(&path, "copied"))?;
        }
    }
    Ok(())
}

fn link_host_library(environment: &Environment, folder: &Path) -> Result<()> {
    let sysroot = host_sysroot(environment).unwrap_or_else(|| PathBuf::from("/usr"));
    let host = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let rustlib = folder.join("lib/rustlib");
    link(&sysroot.join("lib/rustlib").join(&host), &rustlib.join(&host))
}

#[cfg(unix)]
fn link(original: &Path, name: &Path) -> Result<()> {
    std::os::unix::fs::symlink(original, name).map_err(Error::file(name, "made"))
}

#[cfg(not(unix))]
fn link(_: &Path, name: &Path) -> Result<()> {
    Err(Error::Missing {
        what: format!("{} cannot be made on this system", name.display()),
        next: format!("run `rustup target add {TRIPLE}`, then this again"),
    })
}

fn write_wrapper(programs: &Path, name: &str, place: &Path) -> Result<()> {
    let program = distribution::compiler_program(name);
    let text = wrapper(&program, place);
    let path = programs.join(name);
    workspace::write(&path, &text)?;
    make_executable(&path)
}

fn wrapper(program: &Path, place: &Path) -> String {
    format!("#!/bin/sh\nexec '{}' --sysroot '{}' \"$@\"\n", program.display(), place.display())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path, permissions).map_err(Error::file(path, "made executable"))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_names_the_folder_it_will_lie_in() {
        let text = wrapper(Path::new("/usr/bin/rustc"), Path::new("/cache/x-1.0"));
        assert!(text.ends_with("exec '/usr/bin/rustc' --sysroot '/cache/x-1.0' \"$@\"\n"));
    }
}
