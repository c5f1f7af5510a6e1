//! The files that the rules read.

use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;

use crate::error::{Error, Result};
use crate::workspace;

/// A text file of the repository.
#[derive(Debug)]
pub struct Source {
    /// From the top of the repository, with slashes.
    pub name: String,
    pub text: String,
}

impl Source {
    pub fn new(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: text.to_owned() }
    }

    pub fn tokens(&self) -> Result<TokenStream> {
        self.text
            .parse()
            .map_err(|error| Error::Rule(format!("{} cannot be read as Rust ({error})", self.name)))
    }

    /// The folder of `src/` that the file belongs to, or nothing outside of them.
    pub fn layer(&self) -> Option<&str> {
        let inside = self.name.strip_prefix("src/")?;
        let first = inside.split('/').next()?;
        Some(first.strip_suffix(".rs").unwrap_or(first))
    }
}

/// The files of the repository that end so, in a fixed order.
pub fn files(endings: &[&str]) -> Result<Vec<Source>> {
    let root = workspace::root();
    let mut paths = Vec::new();
    collect(&root, &mut paths)?;
    paths.sort();
    let wanted = |path: &&PathBuf| {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        endings.contains(&ending.as_ref())
    };
    let read = |path: &PathBuf| {
        let inside = path.strip_prefix(&root).unwrap_or(path);
        let name = inside.to_string_lossy().replace('\\', "/");
        Ok(Source::new(&name, &workspace::read(path)?))
    };
    paths.iter().filter(wanted).map(read).collect()
}

/// What is built or brought is none of the rules' business.
const LEFT_OUT: &[&str] = &["target", "dist", "node_modules", ".git"];

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    let entries = fs::read_dir(folder).map_err(Error::file(folder, "read"))?;
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if !path.is_dir() {
            paths.push(path);
        } else if !LEFT_OUT.contains(&name.to_string_lossy().as_ref()) {
            collect(&path, paths)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_layer_is_the_folder_or_file_under_src() {
        assert_eq!(Source::new("src/sim/step.rs", "").layer(), Some("sim"));
        assert_eq!(Source::new("src/main.rs", "").layer(), Some("main"));
        assert_eq!(Source::new("xtask/src/main.rs", "").layer(), None);
    }

    #[test]
    fn the_files_of_the_repository_are_found() {
        let files = files(&["rs"]).expect("read");
        assert!(files.iter().any(|file| file.name == "src/lib.rs"));
        assert!(files.iter().all(|file| !file.name.starts_with("target/")));
    }
}
