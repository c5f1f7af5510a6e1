//! What is set otherwise in one scenario than in another.

use crate::content::{Tree, Value};

/// The settings that make the second of the first, by path; what the second leaves out
/// is taken away.
pub(super) fn settings(from: &Tree, to: &Tree) -> Vec<(String, Tree)> {
    let mut found = Vec::new();
    below("", from, to, &mut found);
    found
}

fn below(path: &str, from: &Tree, to: &Tree, found: &mut Vec<(String, Tree)>) {
    if from == to {
        return;
    }
    let way = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match (&from.value, &to.value) {
        (Value::Table(from), Value::Table(to)) => {
            let gone = from.keys().filter(|name| !to.contains_key(*name));
            found.extend(gone.map(|name| (way(name), Tree::new(Value::Nothing))));
            for (name, tree) in to {
                match from.get(name) {
                    Some(from) => below(&way(name), from, tree, found),
                    None => found.push((way(name), tree.clone())),
                }
            }
        }
        (Value::List(old), Value::List(new)) if !path.is_empty() && is_named(old, new) => {
            for (from, to) in old.iter().zip(new) {
                below(&way(name(to).unwrap_or_default()), from, to, found);
            }
        }
        _ => found.push((path.to_owned(), to.clone())),
    }
}

/// Whether two lists hold things of the same names in the same order.
fn is_named(old: &[Tree], new: &[Tree]) -> bool {
    let mut pairs = old.iter().zip(new);
    old.len() == new.len() && pairs.all(|(old, new)| name(old).is_some() && name(old) == name(new))
}

fn name(tree: &Tree) -> Option<&str> {
    tree.field("name").and_then(Tree::text)
}
