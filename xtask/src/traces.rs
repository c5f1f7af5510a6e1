//! The drivers that replay traces of real servers: those of the native tests.

#[path = "../../tests/native/traces/args.rs"]
mod args;
#[path = "../../tests/native/traces/etcd.rs"]
pub mod etcd;
#[path = "../../tests/native/traces/names.rs"]
mod names;
#[path = "../../tests/native/traces/outcome.rs"]
pub mod outcome;
#[path = "../../tests/native/traces/postgres.rs"]
pub mod postgres;
#[path = "../../tests/native/traces/redis.rs"]
pub mod redis;
#[path = "../../tests/native/traces/s3.rs"]
pub mod s3;
#[path = "../../tests/native/traces/zookeeper.rs"]
pub mod zookeeper;
