//! What a scenario of Consul may say.

use super::right_with;
use fencepost::scenario::Scenario;

/// The right scenario made one of Consul, with more settings.
fn of_consul(more: &[(&str, &str)]) -> Result<Scenario, String> {
    let to = [("lock.service", "consul"), ("lock.recipe", "kv-acquire"), ("lock.ttl_s", "15")];
    right_with(&to, more)
}

#[track_caller]
fn check(more: &[(&str, &str)], sentence: &str) {
    assert_eq!(of_consul(more).err().as_deref(), Some(sentence));
}

#[test]
fn what_is_wrong_with_a_scenario_of_consul_is_said() {
    assert_eq!(of_consul(&[]).map(drop), Ok(()));
    check(&[("lock.recipe", "set-nx")], "lock: a lock is not taken by `set-nx` from consul.");
    check(
        &[("lock.ttl_s", "9")],
        "lock: `ttl_s` is 9, and has to be from 10 to 86,400, as Consul has it.",
    );
    check(
        &[("consul.lock_delay_ms", "60001")],
        "consul: `lock_delay_ms` is 60001, and has to be from 0 to 60,000.",
    );
    check(
        &[("consul.election_timeout_ms", "99")],
        "consul: `election_timeout_ms` is 99, and has to be from 100 to 86,400,000.",
    );
    check(&[("consul.servers", "2")], "consul: `servers` is 2, and has to be 1, 3 or 5.");
    for (field, value) in [("renewal", "none"), ("stops_at", "lost"), ("lock", "its-own")] {
        let path = format!("worker.W2.{field}");
        let says = format!("worker 2: `{field}` says nothing of consul, and can only be left out.");
        check(&[(&path, value)], &says);
    }
    check(
        &[("worker.W2.name", "C1")],
        "worker 2: `C1` cannot be a name: it stands for another machine.",
    );
}
