//! What a scenario may say whose lock is an object.

use super::right_with;
use fencepost::scenario::Scenario;

/// The right scenario made one of an object store, with more settings.
fn of_objects(more: &[(&str, &str)]) -> Result<Scenario, String> {
    right_with(&[("lock.service", "objects"), ("lock.recipe", "object-lease")], more)
}

#[track_caller]
fn check(more: &[(&str, &str)], sentence: &str) {
    assert_eq!(of_objects(more).err().as_deref(), Some(sentence));
}

#[test]
fn what_is_wrong_with_a_scenario_of_an_object_store_is_said() {
    for recipe in ["object-create", "object-lease"] {
        assert_eq!(of_objects(&[("lock.recipe", recipe)]).map(drop), Ok(()));
    }
    check(&[("lock.recipe", "set-nx")], "lock: a lock is not taken by `set-nx` from objects.");
    check(
        &[("objects.until", "etag")],
        "objects, until: there is no `etag` to choose here; there are timestamp, unchanged.",
    );
    check(
        &[("objects.release", "none")],
        "objects, release: there is no `none` to choose here; there are free, delete.",
    );
    check(
        &[("objects.settle", "always")],
        "objects, settle: there is no `always` to choose here; there are look, never.",
    );
    for (field, value) in [("stops_at", "lost"), ("lock", "its-own")] {
        let path = format!("worker.W2.{field}");
        let says =
            format!("worker 2: `{field}` says nothing of objects, and can only be left out.");
        check(&[(&path, value)], &says);
    }
    check(
        &[("worker.W2.name", "O1")],
        "worker 2: `O1` cannot be a name: it stands for another machine.",
    );
}
