//! Whose thing it is: a colour and a shape for each machine, the same everywhere.

use crate::scenario::MAX_WORKERS;
use crate::scenario::names::{Names, Role};
use crate::sim::process::NodeId;
use yew::prelude::*;

/// Whose thing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// A worker's, by its place among the workers.
    Worker(usize),
    /// The lock service's, or one of its members'.
    Service,
    /// The store's.
    Store,
    /// Somebody else's.
    Other,
}

/// The classes of the workers' colours, in their order.
const WORKERS: [&str; MAX_WORKERS] =
    ["of-w1", "of-w2", "of-w3", "of-w4", "of-w5", "of-w6", "of-w7", "of-w8"];

/// The shapes of the workers, in their order.
const SHAPES: [&str; MAX_WORKERS] = [
    "M8 2a6 6 0 1 0 .001 0Z",
    "M2.5 2.5h11v11h-11Z",
    "M8 2l6.5 11.5h-13Z",
    "M8 1.5l6.5 6.5L8 14.5 1.5 8Z",
    "M8 14l-6.5-11.5h13Z",
    "M5.5 2h5v3.5H14v5h-3.5V14h-5v-3.5H2v-5h3.5Z",
    "M2 3h12v10H2ZM2 8h12",
    "M8 1.5l6.2 4.5-2.4 7.3H4.2L1.8 6Z",
];

impl Identity {
    /// Of a machine.
    pub fn of(names: &Names, id: NodeId) -> Identity {
        match names.role(id) {
            Role::Worker => {
                Identity::Worker(names.with(Role::Worker).take_while(|other| *other != id).count())
            }
            Role::Member => Identity::Service,
            Role::Store => Identity::Store,
            Role::Orchestrator | Role::Partner | Role::Relay => Identity::Other,
        }
    }

    /// The class that sets `--c` and `--s` to its colours.
    pub fn class(self) -> &'static str {
        match self {
            Identity::Worker(place) => WORKERS[place],
            Identity::Service => "of-lock",
            Identity::Store => "of-store",
            Identity::Other => "of-other",
        }
    }

    /// Its shape as an SVG path in a box of 16 by 16.
    pub fn path(self) -> &'static str {
        match self {
            Identity::Worker(place) => SHAPES[place],
            Identity::Service => "M8 1.5l5.6 3.2v6.6L8 14.5l-5.6-3.2V4.7Z",
            Identity::Store => "M2.5 4c0-3 11-3 11 0v8c0 3-11 3-11 0ZM2.5 4c0 3 11 3 11 0",
            Identity::Other => "M8 2v12M2 8h12M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4",
        }
    }

    /// Its shape, for beside its name, which says the same.
    pub fn shape(self) -> Html {
        html! {
            <svg class="shape" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
                <path d={self.path()} />
            </svg>
        }
    }
}
