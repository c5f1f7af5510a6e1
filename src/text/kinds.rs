//! What a message is called where people read of it. A click names it by its kind, as in files
//! and links.

use std::borrow::Cow;

/// Those whose kind is no good name once its hyphens are gone.
const NAMES: &[(&str, &str)] = &[
    ("get-object", "object get"),
    ("head-object", "object head"),
    ("put-object", "object put"),
    ("delete-object", "object delete"),
    ("object", "object get answer"),
    ("object-head", "object head answer"),
    ("object-stored", "object put answer"),
    ("object-deleted", "object delete answer"),
    ("del-if-own", "DEL by value"),
    ("pexpire-if-own", "PEXPIRE by value"),
    ("zk-error", "ZooKeeper error"),
    ("zk-reply", "ZooKeeper answer"),
    ("redis-reply", "Redis answer"),
    ("sql-answer", "SQL answer"),
    ("sql-begin", "BEGIN"),
    ("sql-commit", "COMMIT"),
    ("consul-error", "Consul error"),
    ("consul-reply", "Consul answer"),
    ("consul-txn", "Consul transaction"),
    ("kv-cas", "kv compare and set"),
];

/// A message by its kind.
pub fn kind(kind: &'static str) -> Cow<'static, str> {
    match NAMES.iter().find(|(named, _)| *named == kind) {
        Some((_, name)) => Cow::Borrowed(name),
        None if kind.contains('-') => Cow::Owned(kind.replace('-', " ")),
        None => Cow::Borrowed(kind),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::MESSAGE_KINDS;

    #[test]
    fn no_message_is_called_by_a_name_that_only_files_use() {
        let names: Vec<_> = MESSAGE_KINDS.iter().map(|named| kind(named)).collect();
        for name in &names {
            assert!(!name.contains('-'), "{name}");
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        }
        for (named, _) in NAMES {
            assert!(MESSAGE_KINDS.contains(named), "there is no {named}");
        }
    }
}
