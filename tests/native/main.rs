//! The native suite: the engine from outside, as the page uses it.
#![cfg(not(target_arch = "wasm32"))]

mod beliefs;
mod determinism;
mod edits;
mod endless;
mod errors;
mod etcd_cluster;
mod etcd_faults;
mod etcd_leaders;
mod etcd_party;
mod etcd_run;
mod etcd_services;
mod fuzz;
mod golden;
mod interventions;
mod kinds;
mod links;
mod lots;
mod redis_commands;
mod redis_facts;
mod redis_grants;
mod redis_parts;
mod redis_party;
mod redis_runs;
mod redlock_runs;
mod scenarios;
mod seeking;
mod shown;
mod sweep;
mod traces;
mod varied;
mod why;
mod zk_ensemble;
mod zk_party;
mod zk_runs;
