//! What can go wrong, each said in one sentence that ends in the next step.

use std::io;
use std::path::PathBuf;

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{0}")]
    Usage(String),

    /// What `play` was given: its own exit code tells it from a failure of ours.
    #[error("{0}")]
    Input(String),

    #[error("`{program}` could not be started ({source}): put it on the PATH and run this again")]
    Start { program: String, source: io::Error },

    #[error("`{line}` ended with {ending}: what it printed above says why")]
    Failed { line: String, ending: String },

    #[error("`{line}` printed nothing that tells {what}: run it by hand to see why")]
    Unreadable { line: String, what: String },

    #[error("{} could not be {deed} ({source})", path.display())]
    File { path: PathBuf, deed: &'static str, source: io::Error },

    #[error("standard output could not be written ({0}): give it another place and run this again")]
    Output(io::Error),

    #[error("{what}: {next}")]
    Missing { what: String, next: String },

    #[error("no port could be had on 127.0.0.1 ({0}): name a free one with --port")]
    Port(String),

    #[error("{0} failed")]
    Suites(usize),

    #[error("{0}")]
    Rule(String),
}

impl Error {
    /// For `map_err` on what reads or writes a file.
    pub fn file(path: impl Into<PathBuf>, deed: &'static str) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |source| Error::File { path, deed, source }
    }
}
