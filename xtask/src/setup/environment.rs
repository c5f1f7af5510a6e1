//! What set-up has found or brought, and how commands are started with it.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::workspace;

/// The folders that go first on the PATH of what is run, and what is known of them.
#[derive(Debug, Default)]
pub struct Environment {
    folders: Vec<PathBuf>,
    /// A compiler beside rustup's is in use, because rustup could not add the target.
    pub own_compiler: bool,
    /// `wasm-opt` is there.
    pub wasm_opt: bool,
}

impl Environment {
    /// Puts a folder first on the PATH.
    pub fn prefer(&mut self, folder: PathBuf) {
        if !self.folders.contains(&folder) {
            self.folders.insert(0, folder);
        }
    }

    /// A command that runs at the top of the repository with everything set up.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(workspace::root());
        command.env("PATH", self.path());
        forget_the_outer_cargo(&mut command);
        if self.own_compiler {
            // Both would lead back to rustup's compiler and its libraries.
            command.env_remove("RUSTUP_TOOLCHAIN");
            command.env_remove("LD_LIBRARY_PATH");
        }
        command
    }

    fn path(&self) -> std::ffi::OsString {
        let there = env::var_os("PATH").unwrap_or_default();
        let all = self.folders.iter().cloned().chain(env::split_paths(&there));
        env::join_paths(all).unwrap_or(there)
    }

    /// The first program of these names, set up or on the PATH.
    pub fn find(&self, names: &[&str]) -> Option<PathBuf> {
        let path = self.path();
        let folders: Vec<PathBuf> = env::split_paths(&path).collect();
        names
            .iter()
            .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
            .map(|path| path.with_extension(env::consts::EXE_EXTENSION))
            .find(|path| path.is_file())
    }

    /// What a program answers when asked for its version.
    pub fn version_line(&self, program: &Path) -> Option<String> {
        process::answer(self.command(program).arg("--version"))
    }
}

/// A cargo started from within `cargo xtask` should find the environment of a shell.
fn forget_the_outer_cargo(command: &mut Command) {
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        let of_package = name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
        if of_package || name == "CARGO" || name == "CARGO_BIN_NAME" {
            command.env_remove(name.as_ref());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_up_comes_before_what_is_on_the_path() {
        let mut environment = Environment::default();
        environment.prefer(PathBuf::from("/first"));
        let path = environment.path();
        assert_eq!(env::split_paths(&path).next(), Some(PathBuf::from("/first")));
    }

    #[test]
    fn a_program_that_is_nowhere_is_not_found() {
        assert_eq!(Environment::default().find(&["no-such-program-here"]), None);
    }
}
