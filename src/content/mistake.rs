//! What can be wrong with a file, and where.

use std::fmt::{self, Display, Formatter};
use thiserror::Error;

/// A place in a file, as in "line 20, worker 1, compute_ms".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1, where it is known.
    pub line: Option<u32>,
    /// The way from the top, as in "worker 1, compute_ms"; empty at the top.
    pub path: String,
}

impl Place {
    /// Whether it is the file as a whole.
    pub fn is_whole(&self) -> bool {
        self.line.is_none() && self.path.is_empty()
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.line, self.path.as_str()) {
            (Some(line), "") => write!(f, "line {line}"),
            (Some(line), path) => write!(f, "line {line}, {path}"),
            (None, "") => f.write_str("the whole"),
            (None, path) => f.write_str(path),
        }
    }
}

/// A mistake in a file, as in "line 20, worker 1, compute_ms: this is a list, and has to
/// be a whole number".
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {wrong}")]
pub struct Mistake {
    /// Where.
    pub place: Place,
    /// What.
    pub wrong: Wrong,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Wrong {
    /// The text is no TOML; said by its reader.
    #[error("{0}")]
    NotToml(String),
    /// A field that has to be there is not.
    #[error("`{field}` is missing")]
    Missing {
        /// Its name.
        field: &'static str,
    },
    /// A field that is not known.
    #[error("there is no field `{field}` here; there are {}", there.join(", "))]
    NoSuchField {
        /// Its name.
        field: String,
        /// Those there are.
        there: &'static [&'static str],
    },
    /// A choice that is not known.
    #[error("there is no `{choice}` to choose here; there are {}", there.join(", "))]
    NoSuchChoice {
        /// Its name.
        choice: String,
        /// Those there are.
        there: &'static [&'static str],
    },
    /// A value of the wrong kind.
    #[error("this is {found}, and has to be {wanted}")]
    WrongKind {
        /// The value, as people say it.
        found: String,
        /// What it has to be.
        wanted: &'static str,
    },
    /// A table that has to hold one thing holds none or several.
    #[error("this has to be one thing, and is {count}")]
    NotOne {
        /// How many it holds.
        count: usize,
    },
}
