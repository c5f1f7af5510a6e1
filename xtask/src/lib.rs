//! Builds, serves, tests and measures Fencepost: `cargo xtask COMMAND`.

pub mod bench;
pub mod browser_suite;
pub mod check;
pub mod cli;
pub mod e2e;
pub mod error;
#[path = "../../tests/native/etcd_party.rs"]
pub mod etcd_party;
pub mod fidelity;
pub mod native;
pub mod output;
pub mod page;
pub mod play;
#[path = "../../tests/native/postgres_party.rs"]
pub mod postgres_party;
pub mod process;
#[path = "../../tests/native/redis_party.rs"]
pub mod redis_party;
pub mod serve;
pub mod server;
pub mod setup;
pub mod size;
pub mod suites;
pub mod tally;
pub mod traces;
pub mod workspace;
