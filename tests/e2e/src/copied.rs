//! A copy of the built page from which something is missing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dist;

/// The built page once more, for as long as this lives.
#[derive(Debug)]
pub struct Copied(PathBuf);

impl Copied {
    pub fn folder(&self) -> PathBuf {
        self.0.clone()
    }

    /// Removes a file: where it was, and what stood in it.
    ///
    /// # Panics
    ///
    /// If it is not there.
    pub fn take_away(&self, path: &str) -> (PathBuf, Vec<u8>) {
        let file = self.0.join(path);
        let bytes = fs::read(&file).expect("it is there");
        fs::remove_file(&file).expect("removed");
        (file, bytes)
    }

    /// Each of a name of its own: tests run at the same time.
    ///
    /// # Panics
    ///
    /// If it cannot be copied.
    pub fn new(name: &str) -> Self {
        let name = format!("fencepost-e2e-{name}-{}", std::process::id());
        let copy = std::env::temp_dir().join(name);
        copy_into(&dist(), &copy);
        Self(copy)
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        // Of a folder for temporary files, nothing more can be asked.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn copy_into(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("read").flatten() {
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_into(&path, &copy);
        } else {
            fs::copy(path, copy).expect("copied");
        }
    }
}
