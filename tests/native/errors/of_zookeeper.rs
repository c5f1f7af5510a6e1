//! What a scenario of ZooKeeper may say.

use super::{check_setting, right_with};
use fencepost::content::{Tree, Value};
use fencepost::scenario::Scenario;

/// The right scenario made one of ZooKeeper, with more settings.
fn of_zookeeper(more: &[(&str, &str)]) -> Result<Scenario, String> {
    let recipe = ("lock.recipe", "ephemeral-sequential");
    let to = [("lock.service", "zookeeper"), recipe, ("lock.key", "/lock")];
    right_with(&to, more)
}

#[track_caller]
fn check(more: &[(&str, &str)], sentence: &str) {
    assert_eq!(of_zookeeper(more).err().as_deref(), Some(sentence));
}

#[test]
fn what_is_wrong_with_a_scenario_of_zookeeper_is_said() {
    assert_eq!(of_zookeeper(&[]).map(drop), Ok(()));
    check_setting(
        "lock.recipe",
        "ephemeral-sequential",
        "lock: a lock is not taken by `ephemeral-sequential` from etcd.",
    );
    check_setting(
        "worker.W1.stops_at",
        "lost",
        "worker 1: `stops_at` says nothing of etcd, and can only be left out.",
    );
    let other = "lock: a lock is not taken by `set-nx` from zookeeper.";
    check(&[("lock.recipe", "set-nx")], other);
    let path = "the path of a znode has a name after each slash";
    check(&[("lock.key", "/a//b")], &format!("lock: `/a//b` cannot be a name: {path}."));
    check(&[("lock.key", "/")], &format!("lock: `/` cannot be a name: {path}."));
    check(&[("zookeeper.servers", "2")], "zookeeper: `servers` is 2, and has to be 1, 3 or 5.");
    check(
        &[("zookeeper.tick_ms", "700")],
        "zookeeper: `tick_ms` is 700, and has to be a multiple of 500.",
    );
    for (field, value) in [
        ("renew_ms", "1000"),
        ("renewal", "none"),
        ("renewal_unanswered_ms", "1000"),
        ("renew_without_progress", "no"),
        ("deadline_from", "before-request"),
        ("release", "name-only"),
    ] {
        let path = format!("worker.W2.{field}");
        let says =
            format!("worker 2: `{field}` says nothing of zookeeper, and can only be left out.");
        check(&[(&path, value)], &says);
    }
    check(
        &[("worker.W2.name", "Z2")],
        "worker 2: `Z2` cannot be a name: it stands for another machine.",
    );
}

#[test]
fn another_service_takes_with_it_what_says_nothing_of_the_next() {
    let text = |text: &str| Tree::new(Value::Text(text.to_owned()));
    for id in ["reconcile", "renewal-fails", "slow-clock", "batch-incident", "queue-of-eight"] {
        let before = Scenario::built_in(id).expect("built in");
        let there = before.edited("lock.service", text("zookeeper")).expect(id);
        assert!(there.spec().lock().starts_with('/'), "{id}");
        let lost = there.spec().workers.iter().map(|worker| worker.name.clone()).next();
        let path = format!("worker.{}.stops_at", lost.expect("there is a worker"));
        let there = there.edited(&path, text("lost")).expect(id);
        for service in ["etcd", "redis"] {
            there.edited("lock.service", text(service)).expect(id);
        }
    }
}
