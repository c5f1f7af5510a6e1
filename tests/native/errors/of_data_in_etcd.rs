//! What a scenario whose data is kept in etcd may say.

use super::right_with;
use fencepost::scenario::Scenario;

/// The right scenario with its data in etcd, and with more settings.
fn in_etcd(more: &[(&str, &str)]) -> Result<Scenario, String> {
    let to = [("store.kind", "etcd"), ("store.rule", "none")];
    right_with(&to, more)
}

#[track_caller]
fn check(more: &[(&str, &str)], sentence: &str) {
    assert_eq!(in_etcd(more).err().as_deref(), Some(sentence));
}

#[test]
fn there_is_no_store_among_the_machines() {
    let scenario = in_etcd(&[]).expect("it is right");
    assert_eq!(scenario.names().find("store"), None);
}

#[test]
fn what_is_wrong_with_data_in_etcd_is_said() {
    check(
        &[("lock.service", "zookeeper"), ("lock.recipe", "ephemeral-sequential")],
        "store: data is kept in etcd only where the lock is etcd’s too.",
    );
    check(&[("store.rule", "at-least")], "store: etcd has no rule: `rule` has to be `none`.");
    check(&[("lock.key", "report")], "store: `report` is the key of the data, and no lock’s.");
    check(
        &[("worker.W2.objects", r#"["fees"]"#)],
        "worker 2: data in etcd is one key here, and `objects` none.",
    );
    let check_program = |program: &str, why: &str| {
        let says = format!("worker 2: the program cannot be run: {why}.");
        check(&[("worker.W2.program", program)], &says);
    };
    check_program(
        r#"["draw-number", "acquire", "read", "write"]"#,
        "data in etcd has neither a counter nor an inbox",
    );
    check_program(
        r#"["read", "write"]"#,
        "data in etcd is guarded by the lock: it has no `acquire`",
    );
}
