//! Expected results kept in files under `golden/`. `cargo xtask golden` writes them anew.

use fencepost::scenario::{Run, library};
use fencepost::text::report::{self, Report};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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
    check_at(&PathBuf::from(FOLDER).join(name), actual);
}

/// The same with a file that lies elsewhere.
#[track_caller]
pub fn check_at(path: &Path, actual: &str) {
    if is_writing() {
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).expect("the folder can be made");
        fs::write(path, actual).expect("a golden file can be written");
    }
    let expected = fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    if let Some(difference) = difference(&expected, actual) {
        let name = path.display();
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
    // How many lines the rests from here on have in common.
    let mut common = vec![vec![0u32; new.len() + 1]; old.len() + 1];
    for (i, line) in old.iter().enumerate().rev() {
        for (j, other) in new.iter().enumerate().rev() {
            common[i][j] = if line == other {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push(format!("  {}", old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (j == new.len() || common[i + 1][j] >= common[i][j + 1]) {
            lines.push(format!("- {}", old[i]));
            i += 1;
        } else {
            lines.push(format!("+ {}", new[j]));
            j += 1;
        }
    }
    Some(changes(&lines))
}

/// Changed lines and those next to them, as many as are shown.
fn changes(lines: &[String]) -> String {
    let changed = |place: usize| lines.get(place).is_some_and(|line| !line.starts_with(' '));
    let near = |place: usize| (place.saturating_sub(1)..=place + 1).any(changed);
    let mut shown: Vec<&str> = Vec::new();
    let mut left_out = false;
    for (place, line) in lines.iter().enumerate() {
        if !near(place) {
            left_out = true;
            continue;
        }
        if std::mem::take(&mut left_out) {
            shown.push("...");
        }
        shown.push(line);
    }
    let more = shown.len().saturating_sub(SHOWN);
    shown.truncate(SHOWN);
    let more = if more > 0 { format!("\nand {more} lines more") } else { String::new() };
    shown.join("\n") + &more
}

/// All but those under a load: nobody reads the story of hundreds of transfers, and their
/// states are compared all the same.
fn runs_to_be_told() -> Vec<(String, Run)> {
    let runs = library::runs().expect("built-in scenarios are right");
    runs.into_iter().filter(|(_, run)| run.scenario.spec().load.is_none()).collect()
}

#[test]
fn every_scenario_and_variant_goes_as_it_went() {
    for (name, run) in runs_to_be_told() {
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
    let mut expected: BTreeSet<String> =
        runs_to_be_told().iter().map(|(name, _)| format!("{name}.txt")).collect();
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
    let golden = "a\nb\nc\nd\ne\nf\n";
    assert_eq!(difference(golden, golden), None);
    let shown = difference(golden, "a\nb\nX\nY\nd\ne\nf\ng\n").expect("they differ");
    assert_eq!(shown, "...\n  b\n- c\n+ X\n+ Y\n  d\n...\n  f\n+ g");
    assert_eq!(difference("", "a\n").as_deref(), Some("+ a"));
    assert_eq!(difference("a\n", "").as_deref(), Some("- a"));
    assert!(difference("a\n", "a").is_some());
    let long = "x\n".repeat(SHOWN + 5);
    assert!(difference("", &long).expect("they differ").ends_with("and 5 lines more"));
}
