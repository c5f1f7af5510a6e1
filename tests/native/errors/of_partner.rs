//! What a scenario may say of a partner that is asked to book, and of relays.

use super::right_with;

#[track_caller]
fn check(more: &[(&str, &str)], sentence: &str) {
    assert_eq!(right_with(&[], more).err().as_deref(), Some(sentence));
}

#[test]
fn what_is_wrong_with_a_partner_and_its_relays_is_said() {
    let asked = ("partner.books", "when-asked");
    assert_eq!(right_with(&[asked], &[("partner.relays", "2")]).map(drop), Ok(()));
    check(&[asked, ("partner.relays", "3")], "partner: `relays` is 3, and has to be 0, 1 or 2.");
    check(
        &[asked, ("partner.relay_ms", "0")],
        "partner: `relay_ms` is 0, and has to be from 1 to 86,400,000.",
    );
    check(&[("partner.relays", "1")], "partner: relays need `books` to be `when-asked`.");
    for (kind, beside) in [("objects", "an object store"), ("etcd", "data in etcd")] {
        let says = format!("partner: beside {beside} `books` has to be `with-store`.");
        check(&[asked, ("store.kind", kind), ("store.rule", "none")], &says);
    }
    check(
        &[("worker.W2.program", r#"["acquire", "claim", "write", "book"]"#)],
        "worker 2: the program cannot be run: a `book` needs a partner that books `when-asked`.",
    );
}
