//! Packages from npm, where there is one.

use std::path::PathBuf;

use super::cache;
use super::environment::Environment;
use crate::error::Result;
use crate::process::{self, say};

/// The folder of a package of this version in the cache, filled if need be and if it can
/// be. Whether what is wanted of it is there is for the caller to see: each does without
/// in a way of its own.
pub fn provide(environment: &Environment, package: &str, version: &str) -> Result<PathBuf> {
    let folder = cache::tool(package, version)?;
    let modules = folder.join("node_modules");
    if !modules.exists() && environment.find(&["npm"]).is_some() {
        say(&format!("getting {package} {version} with npm"));
        let _ = cache::fill(&folder, |unfinished| {
            let mut command = environment.command("npm");
            command.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
            command.arg(unfinished).arg(format!("{package}@{version}"));
            process::run_quietly(&mut command).map(drop)
        });
    }
    Ok(modules)
}
