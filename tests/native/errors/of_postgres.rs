//! What a scenario of PostgreSQL may say.

use super::{check_setting, right_with};
use fencepost::content::{Tree, Value};
use fencepost::scenario::Scenario;

/// The right scenario made one of PostgreSQL, with more settings.
fn of_postgres(more: &[(&str, &str)]) -> Result<Scenario, String> {
    let to = [("lock.service", "postgres"), ("lock.recipe", "advisory")];
    right_with(&to, more)
}

#[track_caller]
fn check(more: &[(&str, &str)], sentence: &str) {
    assert_eq!(of_postgres(more).err().as_deref(), Some(sentence));
}

#[test]
fn what_is_wrong_with_a_scenario_of_postgresql_is_said() {
    for recipe in ["advisory", "try-advisory", "advisory-xact", "row-lock", "lock-row"] {
        assert_eq!(of_postgres(&[("lock.recipe", recipe)]).map(drop), Ok(()), "{recipe}");
        let other = format!("lock: a lock is not taken by `{recipe}` from etcd.");
        check_setting("lock.recipe", recipe, &other);
    }
    let other = "lock: a lock is not taken by `set-nx` from postgres.";
    check(&[("lock.recipe", "set-nx")], other);
    check(&[("postgres.pool", "101")], "postgres: `pool` is 101, and has to be from 0 to 100.");
    check(&[("postgres.standbys", "2")], "postgres: `standbys` is 2, and has to be 0 or 1.");
    for field in ["lock_timeout_ms", "idle_in_transaction_ms", "idle_session_ms"] {
        let path = format!("postgres.{field}");
        let says = format!("postgres: `{field}` is -1, and has to be from 0 to 86,400,000.");
        check(&[(&path, "-1")], &says);
        // 0 is off.
        assert_eq!(of_postgres(&[(&path, "0")]).map(drop), Ok(()));
    }
    for (field, value) in [("stops_at", "lost"), ("renewal", "name-only"), ("lock", "its-own")] {
        let path = format!("worker.W2.{field}");
        let says =
            format!("worker 2: `{field}` says nothing of postgres, and can only be left out.");
        check(&[(&path, value)], &says);
    }
    check(
        &[("worker.W2.name", "P1")],
        "worker 2: `P1` cannot be a name: it stands for another machine.",
    );
}

#[test]
fn an_operator_ends_sessions_at_a_server_of_postgresql_only() {
    let click = |text: &str| ("click", text.to_owned());
    let ends = click("[{ at_us = 1, do.terminate-backend = { node = \"M1\", client = \"W1\" } }]");
    let (path, text) = ends;
    assert_eq!(
        right_with(&[], &[(path, &text)]).err().as_deref(),
        Some("click 1: `node` has to name a PostgreSQL server, and `M1` is not.")
    );
    let whom = "[{ at_us = 1, do.terminate-backend = { node = \"P1\", client = \"store\" } }]";
    check(&[("click", whom)], "click 1: `client` has to name a worker, and `store` is not.");
    let right = "[{ at_us = 1, do.shut-down = { node = \"P1\" } }]";
    assert_eq!(of_postgres(&[("click", right)]).map(drop), Ok(()));
}

#[test]
fn another_service_takes_with_it_what_says_nothing_of_the_next() {
    let text = |text: &str| Tree::new(Value::Text(text.to_owned()));
    for id in ["reconcile", "batch-incident", "zookeeper-pause", "schema-migrations", "mark-scopes"]
    {
        let before = Scenario::built_in(id).expect("built in");
        let before = before.variant("two-locks").unwrap_or(before);
        for service in ["etcd", "redis", "redlock", "zookeeper", "postgres", "consul", "objects"] {
            let after = before.edited("lock.service", text(service)).expect(id);
            let has_one_lock = ["postgres", "consul", "objects"].contains(&service);
            let mut own = after.spec().workers.iter().map(|worker| &worker.lock);
            assert!(!has_one_lock || own.all(|lock| lock.is_empty()), "{id}, {service}");
        }
    }
    let rows = of_postgres(&[("worker.W1.renewal", "none")]).expect("it is right");
    rows.edited("lock.service", text("etcd")).expect("its renewal goes with it");
    let redis = Scenario::built_in("batch-incident").expect("built in");
    let by_name = redis.edited("worker.W1.renewal", text("name-only")).expect("it can be");
    by_name.edited("lock.service", text("postgres")).expect("so does this one");
}
