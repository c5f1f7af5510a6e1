//! Builds, serves, tests and measures Fencepost: `cargo xtask COMMAND`.

pub mod bench;
pub mod browser_suite;
pub mod check;
pub mod cli;
pub mod e2e;
pub mod error;
pub mod native;
pub mod output;
pub mod page;
pub mod play;
pub mod process;
pub mod serve;
pub mod server;
pub mod setup;
pub mod size;
pub mod suites;
pub mod tally;
pub mod workspace;
