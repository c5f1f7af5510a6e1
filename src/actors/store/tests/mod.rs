//! A store on the bench: its answers and its causes.

pub(crate) mod bench;
mod facts;
mod rules;
mod vectors;
