//! Names of locks and of objects.

use fencepost::scenario::Scenario;

#[test]
fn an_object_store_has_one_object_and_no_mark() {
    let check = |path: &str, value: &str, sentence: &str| {
        let scenario = Scenario::built_in("conditional-puts").expect("built in");
        let made = scenario.with(&[(path.to_owned(), value.to_owned())]);
        assert_eq!(made.err().map(|error| error.to_string()).as_deref(), Some(sentence));
    };
    let says = "worker 1: an object store has one object here, and `objects` none.";
    check("worker.W1.objects", "[\"fees\"]", says);
    let says = "store: an object store keeps no marks: `scope` has to be `store`.";
    check("store.scope", "object", says);
}

#[test]
fn no_lock_lies_under_the_name_of_another() {
    let with = |lock: &str| {
        let made = Scenario::built_in("mark-scopes").expect("built in").with(&[
            ("worker.W1.lock".to_owned(), "\"k\"".to_owned()),
            ("worker.W2.lock".to_owned(), format!("\"{lock}\"")),
        ]);
        made.err().map(|error| error.to_string())
    };
    assert_eq!(with("kx"), None);
    for lock in ["k/x", "k:token"] {
        let says =
            format!("lock: `{lock}` cannot be a name: it lies under the name of another lock.");
        assert_eq!(with(lock), Some(says));
    }
}
