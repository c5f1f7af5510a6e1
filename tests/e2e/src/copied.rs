//! A copy of the built page from which something is missing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{dist, serve};
use xtask::server::Server;

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

/// The built page without one of its files, served.
pub struct Without {
    /// Where the page is.
    pub url: String,
    file: PathBuf,
    bytes: Vec<u8>,
    // Before what it serves.
    _server: Server,
    _copy: Copied,
}

impl Without {
    /// The file is named from the page's folder on.
    ///
    /// # Panics
    ///
    /// If it is not there, or the page cannot be served.
    pub fn new(path: &str) -> Self {
        // A test runs in a thread of its name.
        let thread = std::thread::current();
        let copy = Copied::new(&thread.name().unwrap_or("test").replace("::", "-"));
        let (file, bytes) = copy.take_away(path);
        let server = serve(|site| site.folder = copy.folder());
        Self { url: server.url(), file, bytes, _server: server, _copy: copy }
    }

    /// The file is there again, with this at its end.
    ///
    /// # Panics
    ///
    /// If it cannot be written.
    pub fn put_back(&self, more: &[u8]) {
        fs::write(&self.file, [&self.bytes[..], more].concat()).expect("written");
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
