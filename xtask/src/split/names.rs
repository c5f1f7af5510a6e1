//! Which functions come later, by the names that the compiler gives them.

/// Paths as they stand in a name, from the crate on: `fencepost::actors::redis`.
#[derive(Clone, Copy, Debug)]
pub struct Later<'a> {
    /// What is in one of these, or is made for a type that is, comes later.
    pub paths: &'a [&'a str],
    /// What stays all the same, because chapter 1 comes by it.
    pub but: &'a [&'a str],
}

impl Later<'_> {
    /// A name is as `rustc` has it with `symbol-mangling-version=v0`: with all types in full.
    pub fn holds(&self, name: &str) -> bool {
        let name = without_hashes(name);
        let held = |paths: &[&str]| paths.iter().any(|path| names(&name, path));
        held(self.paths) && !held(self.but)
    }

    /// Whether a path is the whole of it, but for the types that it is made for.
    pub fn is_itself(&self, name: &str) -> bool {
        let name = without_hashes(name);
        let is_it = |path: &&str| {
            name.strip_prefix(*path)
                .is_some_and(|made_for| made_for.is_empty() || made_for.starts_with("::<"))
        };
        self.paths.iter().any(is_it)
    }

    /// The paths and exceptions that stand in none of the names.
    pub fn unmatched(&self, all: &[&str]) -> Vec<String> {
        let all: Vec<String> = all.iter().map(|name| without_hashes(name)).collect();
        let is_there = |path: &str| all.iter().any(|name| names(name, path));
        let paths = self.paths.iter().chain(self.but);
        paths.filter(|path| !is_there(path)).map(|path| (*path).to_owned()).collect()
    }
}

/// `fencepost[0123456789abcdef]::lab` is `fencepost::lab`, whatever it was compiled from.
fn without_hashes(name: &str) -> String {
    let mut parts = name.split('[');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(']') {
            Some((hash, after)) if hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                plain += after;
            }
            _ => plain.extend(["[", part]),
        }
    }
    plain
}

/// Whether a path stands in a name, and not as a part of longer words.
fn names(name: &str, path: &str) -> bool {
    let is_of_a_word = |c: char| c.is_alphanumeric() || c == '_';
    name.match_indices(path).any(|(at, _)| {
        !name[..at].ends_with(|c: char| is_of_a_word(c) || c == ':')
            && !name[at + path.len()..].starts_with(is_of_a_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: bool) {
        let later = Later {
            paths: &["fencepost::actors::redis", "fencepost::app::quiz"],
            but: &["fencepost::actors::redis::View"],
        };
        assert_eq!(later.holds(name), expected, "{name}");
    }

    #[test]
    fn what_is_in_a_listed_place_comes_later() {
        check("<fencepost[0a]::actors::redis::Node>::sweep", true);
        check("fencepost::app::quiz::view", true);
        check("<fencepost[0a]::actors::etcd::Node>::sweep", false);
    }

    #[test]
    fn what_is_made_for_a_type_that_comes_later_does_so_too() {
        check("<alloc[1]::vec::Vec<fencepost[0a]::actors::redis::Node>>::push", true);
    }

    #[test]
    fn a_path_that_only_begins_alike_is_another() {
        check("fencepost[0a]::actors::redis_like::go", false);
        check("other[0a]::fencepost::actors::redis::go", false);
        check("not_fencepost[0a]::actors::redis::go", false);
    }

    #[test]
    fn a_function_may_be_listed_itself() {
        let later = Later { paths: &["fencepost::find"], but: &[] };
        for name in ["fencepost[0a]::find", "fencepost[0a]::find::<u8>"] {
            assert!(later.is_itself(name), "{name}");
        }
        for name in ["fencepost[0a]::find::{closure#0}", "fencepost[0a]::finder"] {
            assert!(!later.is_itself(name), "{name}");
        }
    }

    #[test]
    fn an_exception_stays() {
        check("<fencepost[0a]::actors::redis::View as core[2]::clone::Clone>::clone", false);
    }
}
