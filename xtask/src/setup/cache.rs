//! The per-user cache that holds what set-up brings: nothing of it is in the repository.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The folder for everything that Fencepost keeps for this user.
pub fn folder() -> Result<PathBuf> {
    base().map(|base| base.join("fencepost")).ok_or_else(|| Error::Missing {
        what: "no folder for a cache is known".to_owned(),
        next: "set XDG_CACHE_HOME to one and run this again".to_owned(),
    })
}

fn base() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME")
        .or_else(|| set("LOCALAPPDATA"))
        .or_else(|| set("HOME").map(|home| home.join(".cache")))
}

/// Where one version of one tool lies, made or not.
pub fn tool(name: &str, version: &str) -> Result<PathBuf> {
    Ok(folder()?.join("tools").join(format!("{name}-{version}")))
}

/// Fills `folder` by way of a neighbour that takes its name only when it is whole,
/// so that an interrupted set-up leaves nothing that looks finished.
pub fn fill(folder: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = folder.with_file_name(format!("{name}.unfinished"));
    remove(&unfinished)?;
    fs::create_dir_all(&unfinished).map_err(Error::file(&unfinished, "made"))?;
    fill(&unfinished)?;
    remove(folder)?;
    fs::rename(&unfinished, folder).map_err(Error::file(folder, "put in place"))
}

fn remove(folder: &Path) -> Result<()> {
    if folder.symlink_metadata().is_err() {
        return Ok(());
    }
    fs::remove_dir_all(folder).map_err(Error::file(folder, "removed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_fill_leaves_nothing_that_looks_finished() {
        let place = env::temp_dir().join(format!("fencepost-fill-{}", std::process::id()));
        let folder = place.join("tool-1.0");
        let failed = fill(&folder, |_| Err(Error::Usage("no".to_owned())));
        assert!(failed.is_err() && !folder.exists());
        fill(&folder, |folder| crate::workspace::write(&folder.join("a"), "a")).expect("filled");
        assert!(folder.join("a").is_file());
        fs::remove_dir_all(place).expect("removed");
    }
}
