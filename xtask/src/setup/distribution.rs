//! Everything that is particular to a Linux distribution: so far Debian and its like.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use super::environment::Environment;
use crate::error::{Error, Result};
use crate::process::{self, say};

pub const CHROME: &[&str] = &["chromium", "chromium-driver"];
pub const FIREFOX: &[&str] = &["firefox-esr"];

/// A compiler, its cargo, the source of the standard library and the linker for
/// WebAssembly, for where rustup cannot add the target.
pub const COMPILER: &[&str] = &["rustc-web", "cargo-web", "rust-web-src", "lld-22"];

/// The names under which the packages put a browser on the PATH.
pub const CHROME_NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
pub const FIREFOX_NAMES: &[&str] = &["firefox", "firefox-esr"];

/// Where the packages of `COMPILER` put a program, whatever comes first on the PATH.
pub fn compiler_program(name: &str) -> PathBuf {
    Path::new("/usr/bin").join(name)
}

/// The linker among them. The compiler looks for it under the name `rust-lld`.
pub const LINKER: &str = "/usr/bin/lld-22";

/// The lists of packages are brought up to date once per run.
static LISTS_ARE_NEW: AtomicBool = AtomicBool::new(false);

/// Installs packages, or says how to.
pub fn install(environment: &Environment, what: &str, packages: &[&str]) -> Result<()> {
    if environment.find(&["apt-get"]).is_none() {
        return Err(Error::Missing {
            what: format!("{what} is not on the PATH"),
            next: "install it with the system's package manager and run this again".to_owned(),
        });
    }
    let names = packages.join(" ");
    let Some(leader) = as_root(environment) else {
        return Err(Error::Missing {
            what: format!("{what} is not installed and only root may install it"),
            next: format!(
                "run `sudo apt-get update && sudo apt-get install -y {names}`, then this again"
            ),
        });
    };
    say(&format!("installing {names} with apt-get"));
    if !LISTS_ARE_NEW.swap(true, Ordering::Relaxed) {
        // A list that cannot be had may not matter: the installation tells.
        let _ = process::run_quietly(apt_get(environment, leader).arg("update"));
    }
    let mut command = apt_get(environment, leader);
    command.args(["install", "-y", "--no-install-recommends"]).args(packages);
    process::run_quietly(&mut command).map(drop).map_err(|_| Error::Missing {
        what: format!("{what} could not be installed"),
        next: format!("see above why `apt-get install {names}` failed, then run this again"),
    })
}

/// The words that go before `apt-get` to run it as root, if it can be.
fn as_root(environment: &Environment) -> Option<&'static [&'static str]> {
    let user = process::answer(environment.command("id").arg("-u"))?;
    if user == "0" {
        return Some(&["env"]);
    }
    let may = process::answer(environment.command("sudo").args(["-n", "true"]));
    may.map(|_| &["sudo", "-n", "env"][..])
}

fn apt_get(environment: &Environment, leader: &[&str]) -> Command {
    let mut command = environment.command(leader[0]);
    command.args(&leader[1..]);
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]);
    command
}
