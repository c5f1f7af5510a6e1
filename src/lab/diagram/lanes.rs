//! Which machine has which lane: the first worker, the lock service with all its
//! members in one, the other workers, the store, the orchestrator, the
//! partner, relays.

use crate::scenario::names::{Names, Role};
use crate::sim::process::NodeId;
use crate::text::{effects, short};

/// A lane, counted from the top.
pub type Lane = usize;

/// Whose lane it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A worker, by its place among the workers.
    Worker(usize),
    /// All members of the lock service.
    LockService,
    /// The store.
    Store,
    /// One that is none of these.
    Other(NodeId),
}

/// The lanes of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes {
    list: Vec<(Owner, String)>,
    of: Vec<Lane>,
    names: Names,
}

impl Lanes {
    /// The lanes for these machines; the store has a title of its own.
    pub fn new(names: &Names, store_title: &str) -> Lanes {
        let mut list: Vec<(Owner, String)> = names
            .with(Role::Worker)
            .enumerate()
            .map(|(place, id)| (Owner::Worker(place), names.of(id).to_owned()))
            .collect();
        list.insert(list.len().min(1), (Owner::LockService, short::lock_service(names)));
        if names.with(Role::Store).next().is_some() {
            list.push((Owner::Store, store_title.to_owned()));
        }
        list.extend(
            names.others().map(|id| (Owner::Other(id), effects::title(names.of(id)).to_owned())),
        );
        let of = names.ids().map(|id| lane_of(names, id, &list)).collect();
        Lanes { list, of, names: names.clone() }
    }

    /// A machine's lane.
    pub fn of(&self, node: NodeId) -> Lane {
        self.of[node.index()]
    }

    /// Whose lane it is.
    pub fn who(&self, lane: Lane) -> Owner {
        self.list[lane].0
    }

    /// What people call it.
    pub fn title(&self, lane: Lane) -> &str {
        &self.list[lane].1
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// How many machines share a lane.
    pub fn machines(&self, lane: Lane) -> usize {
        self.of.iter().filter(|other| **other == lane).count()
    }

    /// The machines by name.
    pub fn names(&self) -> &Names {
        &self.names
    }
}

fn lane_of(names: &Names, id: NodeId, list: &[(Owner, String)]) -> Lane {
    let who = match names.role(id) {
        Role::Worker => {
            let place = names.with(Role::Worker).position(|other| other == id);
            Owner::Worker(place.expect("a worker is among the workers"))
        }
        Role::Member => Owner::LockService,
        Role::Store => Owner::Store,
        Role::Orchestrator | Role::Partner | Role::Relay => Owner::Other(id),
    };
    list.iter().position(|(other, _)| *other == who).expect("every machine has a lane")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::names::Service;

    #[track_caller]
    fn check(workers: &[&str], others: &[(&str, Role)], expected: &[&str]) {
        let names = Names::new(Service::Etcd, 3, workers.iter().copied(), others);
        let lanes = Lanes::new(&names, "Report store");
        let titles: Vec<&str> = (0..lanes.count()).map(|lane| lanes.title(lane)).collect();
        assert_eq!(titles, expected);
        for id in names.ids() {
            let title = lanes.title(lanes.of(id));
            match names.role(id) {
                Role::Member => assert_eq!(title, "Lock service"),
                Role::Worker => assert_eq!(title, names.of(id)),
                Role::Store => assert_eq!(title, "Report store"),
                Role::Orchestrator => assert_eq!(title, "Orchestrator"),
                Role::Partner => assert_eq!(title, "Partner"),
                Role::Relay => assert!(title.starts_with("Relay"), "{title}"),
            }
        }
    }

    #[test]
    fn the_lock_service_stands_between_the_first_worker_and_the_others() {
        check(&["W1", "W2"], &[], &["W1", "Lock service", "W2", "Report store"]);
        let others = [("orchestrator", Role::Orchestrator), ("partner", Role::Partner)];
        let expected = ["A", "Lock service", "Report store", "Orchestrator", "Partner"];
        check(&["A"], &others, &expected);
        let relays = [("relay", Role::Relay), ("relay-2", Role::Relay)];
        check(&["A"], &relays, &["A", "Lock service", "Report store", "Relay", "Relay 2"]);
        check(&["A", "B", "C"], &[], &["A", "Lock service", "B", "C", "Report store"]);
    }
}
