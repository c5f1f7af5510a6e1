//! Where things lie in the repository, and the versions that its files pin.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The top of the repository, wherever inside it this is run.
pub fn root() -> PathBuf {
    let start = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let top = start.ancestors().find(|folder| folder.join("xtask/Cargo.toml").is_file());
    top.map_or(start.clone(), Path::to_path_buf)
}

/// The built page.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// Where cargo builds, and where xtask may leave what it generates.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |folder| root().join(folder))
}

pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(Error::file(path, "read"))
}

pub fn write(path: &Path, text: &str) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Error::file(folder, "made"))?;
    }
    fs::write(path, text).map_err(Error::file(path, "written"))
}

/// The version of a package that Cargo.lock settles on.
pub fn locked_version(package: &str) -> Result<String> {
    let path = root().join("Cargo.lock");
    version_in_lock(&read(&path)?, package).ok_or_else(|| Error::Missing {
        what: format!("Cargo.lock names no package `{package}`"),
        next: "run `cargo update --workspace` and run this again".to_owned(),
    })
}

fn version_in_lock(lock: &str, package: &str) -> Option<String> {
    let lock: toml::Table = lock.parse().ok()?;
    let found = lock
        .get("package")?
        .as_array()?
        .iter()
        .find(|entry| entry.get("name").and_then(toml::Value::as_str) == Some(package));
    Some(found?.get("version")?.as_str()?.to_owned())
}

/// The version of a tool that Trunk.toml pins.
pub fn pinned_tool(tool: &str) -> Result<String> {
    let path = root().join("Trunk.toml");
    tool_in_trunk(&read(&path)?, tool).ok_or_else(|| Error::Missing {
        what: format!("Trunk.toml pins no `{tool}` under [tools]"),
        next: "add the line and run this again".to_owned(),
    })
}

fn tool_in_trunk(trunk: &str, tool: &str) -> Option<String> {
    let trunk: toml::Table = trunk.parse().ok()?;
    Some(trunk.get("tools")?.get(tool)?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_tells_the_version_of_a_package() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.2.3\"\n";
        assert_eq!(version_in_lock(lock, "a").as_deref(), Some("1.2.3"));
        assert_eq!(version_in_lock(lock, "b"), None);
    }

    #[test]
    fn trunk_pins_the_wasm_bindgen_of_the_lock() {
        let pinned = pinned_tool("wasm_bindgen").expect("pinned");
        assert_eq!(pinned, locked_version("wasm-bindgen").expect("locked"));
    }
}
