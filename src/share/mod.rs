//! Runs that leave the page and come back: a run as a link. The grammar stands in
//! `docs/links.md`.

pub mod host_page;
pub mod link;
mod notation;
pub mod outcome;

pub use link::{Link, LinkError, LinkProblem};
