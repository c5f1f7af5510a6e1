//! What fits one lock service and not another.

use super::{RIGHT, check_setting};
use fencepost::scenario::Scenario;

/// The right scenario made one of Redis, with more settings.
fn of_redis(more: &[(&str, &str)]) -> Result<Scenario, String> {
    let of_redis = [("lock.service", "redis"), ("lock.recipe", "set-nx")];
    let all = of_redis.iter().chain(more);
    let all: Vec<_> = all.map(|(path, it)| ((*path).to_owned(), (*it).to_owned())).collect();
    let scenario = Scenario::from_text(RIGHT).expect("it is right");
    scenario.with(&all).map_err(|error| error.to_string())
}

#[track_caller]
fn check_redis(more: &[(&str, &str)], sentence: &str) {
    assert_eq!(of_redis(more).err().as_deref(), Some(sentence));
}

#[test]
fn what_fits_one_lock_service_need_not_fit_another() {
    assert!(of_redis(&[]).is_ok());
    check_setting("lock.recipe", "set-nx", "lock: a lock is not taken by `set-nx` from etcd.");
    check_redis(&[("lock.recipe", "queue")], "lock: a lock is not taken by `queue` from redis.");
    check_setting(
        "worker.W2.renewal",
        "none",
        "worker 2: `renewal` says nothing of etcd, and can only be left out.",
    );
    check_redis(&[("redis.replicas", "2")], "redis: `replicas` is 2, and has to be 0 or 1.");
    check_redis(
        &[("redis.wait_ms", "1000")],
        "redis: `wait_ms` is about a replica, and `replicas` is 0.",
    );
    check_redis(
        &[("redis.promote_after_ms", "1000")],
        "redis: `promote_after_ms` is about a replica, and `replicas` is 0.",
    );
    check_redis(
        &[("lock.retry_ms", "0")],
        "lock: `retry_ms` is 0, and has to be from 1 to 86,400,000.",
    );
    check_redis(
        &[("worker.W2.name", "R2")],
        "worker 2: `R2` cannot be a name: it stands for another machine.",
    );
    check_setting(
        "click",
        "[{ at_us = 1, do.promote = { node = \"M1\" } }]",
        "click 1: `node` has to name one Redis node, and `M1` is not.",
    );
    let click = |what: &str| format!("[{{ at_us = 1, do.{what} }}]");
    check_redis(
        &[("click", &click("follow = { node = \"R1\", primary = \"R1\" }"))],
        "click 1: `R1` has no link to itself.",
    );
    check_redis(
        &[("click", &click("pause = { node = \"M1\" }"))],
        "click 1: `node` names `M1`, which is no machine here; there are redis, R1, W1, W2, store.",
    );
}

#[test]
fn redlock_takes_an_odd_number_of_nodes_and_its_own_recipes() {
    let check = |more: &[(&str, &str)], sentence: &str| {
        let own = [("lock.service", "redlock"), ("lock.recipe", "redlock")];
        check_redis(&own.iter().chain(more).copied().collect::<Vec<_>>(), sentence);
    };
    check(&[("redlock.nodes", "4")], "redlock: `nodes` is 4, and has to be 1, 3, 5 or 7.");
    check(
        &[("redlock.node_timeout_ms", "0")],
        "redlock: `node_timeout_ms` is 0, and has to be from 1 to 86,400,000.",
    );
    check(&[("lock.recipe", "set-nx")], "lock: a lock is not taken by `set-nx` from redlock.");
    check(
        &[("click", "[{ at_us = 1, do.promote = { node = \"R1\" } }]")],
        "click 1: `node` has to name one Redis node, and `R1` is not.",
    );
    check(
        &[("worker.W2.deadline_from", "before-request")],
        "worker 2: `deadline_from` says nothing of redlock, and can only be left out.",
    );
    check(
        &[("click", "[{ at_us = 1, do.deadline-from = { node = \"W1\", is = \"answer\" } }]")],
        "click 1: `deadline-from` says nothing of redlock, and can only be left out.",
    );
}
