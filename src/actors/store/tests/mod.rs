//! A store on the bench: its answers and its causes.

mod bench;
mod facts;
mod rules;
mod vectors;
