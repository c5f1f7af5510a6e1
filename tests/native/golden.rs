//! Expected results kept in files under `golden/`. `cargo xtask golden` writes them anew.

use fencepost::scenario::library;
use fencepost::text::report::{self, Report};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/native/golden");

/// The file of the state hashes; all others are of a run.
const STATES: &str = "states.txt";

/// How many lines of a difference are shown.
const SHOWN: usize = 40;

fn is_writing() -> bool {
    std::env::var("FENCEPOST_GOLDEN").is_ok_and(|value| value == "write")
}

/// Compares with the golden file, or writes it.
#[track_caller]
fn check(name: &str, actual: &str) {
    let path = PathBuf::from(FOLDER).join(name);
    if is_writing() {
        fs::create_dir_all(FOLDER).expect("the folder can be made");
        fs::write(&path, actual).expect("a golden file can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if let Some(difference) = difference(&expected, actual) {
        panic!(
            "{name} differs (- golden, + now); if that is right, run `cargo xtask golden`:\n\
             {difference}"
        );
    }
}

/// What differs between two texts, line by line, with a line before and after it.
fn difference(expected: &str, actual: &str) -> Option<String> {
    if expected == actual {
        return None;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let after = old[before..]
        .iter()
        .rev()
        .zip(new[before..].iter().rev())
        .take_while(|(a, b)| a == b)
        .count();
    let mut lines = vec![format!("from line {}:", before + 1)];
    lines.extend(before.checked_sub(1).map(|line| format!("  {}", old[line])));
    for (sign, text) in [('-', &old), ('+', &new)] {
        let differing = &text[before..text.len() - after];
        lines.extend(differing.iter().take(SHOWN).map(|line| format!("{sign} {line}")));
        if differing.len() > SHOWN {
            lines.push(format!("{sign} and {} lines more", differing.len() - SHOWN));
        }
    }
    lines.extend(old.get(old.len() - after).map(|line| format!("  {line}")));
    Some(lines.join("\n"))
}

#[test]
fn every_scenario_and_variant_goes_as_it_went() {
    for (name, run) in library::runs().expect("built-in scenarios are right") {
        let report = Report::of(&run).expect("a built-in run can be run");
        check(&format!("{name}.txt"), &report.text());
    }
}

#[test]
fn states_are_what_they_were() {
    check(STATES, &report::states().expect("built-in scenarios are right"));
}

#[test]
fn no_golden_file_is_missing_or_left_over() {
    let runs = library::runs().expect("built-in scenarios are right");
    let mut expected: BTreeSet<String> =
        runs.iter().map(|(name, _)| format!("{name}.txt")).collect();
    expected.insert(STATES.to_owned());
    let mut found = BTreeSet::new();
    fs::create_dir_all(FOLDER).expect("the folder is there or can be made");
    for entry in fs::read_dir(FOLDER).expect("the folder is there").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_writing() && !expected.contains(&name) {
            fs::remove_file(entry.path()).expect("a file left over can be removed");
        } else {
            found.insert(name);
        }
    }
    if !is_writing() {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_difference_is_shown_where_it_is() {
    let golden = "a\nb\nc\nd\n";
    assert_eq!(difference(golden, golden), None);
    let shown = difference(golden, "a\nb\nX\nY\nd\n").expect("they differ");
    assert_eq!(shown, "from line 3:\n  b\n- c\n+ X\n+ Y\n  d");
    assert_eq!(difference("", "a\n").as_deref(), Some("from line 1:\n+ a"));
    assert_eq!(difference("a\n", "a\na\n").as_deref(), Some("from line 2:\n  a\n+ a"));
    assert!(difference("a\n", "a").is_some());
}
