//! Each layer of `src/` uses those below it and none above.

use super::paths::{self, NamedPath};
use super::source::Source;
use crate::error::Result;

/// From the top down.
pub const LAYERS: &[&str] = &[
    "app",
    "host",
    "lab",
    "text",
    "learn",
    "search",
    "share",
    "scenario",
    "properties",
    "actors",
    "sim",
    "content",
];

/// The layers that know the browser.
const OF_THE_PAGE: &[&str] = &["app", "host"];

/// All layers but those of the page: what a run is may not depend on where it is run.
pub fn pure() -> impl Iterator<Item = &'static str> {
    LAYERS.iter().copied().filter(|layer| !OF_THE_PAGE.contains(layer))
}

fn height(layer: &str) -> Option<usize> {
    LAYERS.iter().rev().position(|name| *name == layer)
}

/// The files that belong to no layer: the map of the crate, and what mounts the page.
const OUTSIDE: &[&str] = &["lib", "main"];

/// What is wrong with one file.
pub fn problems(source: &Source) -> Result<Vec<String>> {
    let Some(layer) = source.layer().filter(|layer| !OUTSIDE.contains(layer)) else {
        return Ok(Vec::new());
    };
    let Some(own) = height(layer) else {
        let name = &source.name;
        let next = "give it a place in xtask/src/check/layers.rs";
        return Ok(vec![format!("{name}:1: `{layer}` is no layer: {next}")]);
    };
    let mut problems = Vec::new();
    for path in paths::of(source.tokens()?) {
        let Some(used) = layer_used(&path, &source.name) else {
            continue;
        };
        if height(used).is_some_and(|used| used > own) {
            let (name, line) = (&source.name, path.line);
            problems.push(format!("{name}:{line}: `{layer}` uses `{used}`, which stands above it"));
        }
    }
    Ok(problems)
}

/// The layer that a path leads to, if it is written from the top of the crate or
/// climbs up to it.
fn layer_used<'a>(path: &'a NamedPath, file: &str) -> Option<&'a str> {
    let first = path.parts.first()?;
    if first == "crate" || first == "fencepost" {
        return path.parts.get(1).map(String::as_str);
    }
    let ups = path.parts.iter().take_while(|part| *part == "super").count();
    (ups > 0 && ups == module_depth(file) + path.depth)
        .then(|| path.parts.get(ups))?
        .map(String::as_str)
}

/// How many `super` lead from the top of this file to the top of the crate.
fn module_depth(file: &str) -> usize {
    let inside = file.strip_prefix("src/").unwrap_or(file);
    let folders = inside.matches('/').count();
    if inside.ends_with("mod.rs") { folders } else { folders + 1 }
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn problems_of(name: &str, text: &str) -> Vec<String> {
        problems(&Source::new(name, text)).expect("read")
    }

    #[test]
    fn no_layer_of_this_repository_uses_one_above_it() {
        let files = source::files(&["rs"]).expect("read");
        let found: Vec<String> =
            files.iter().flat_map(|file| problems(file).expect("read")).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    /// What stands in the first column of the table of layers.
    fn told(text: &str) -> Vec<&str> {
        let rows = text.lines().filter_map(|line| line.strip_prefix("| `src/"));
        rows.filter_map(|row| row.split_once("/` |")).map(|(name, _)| name).collect()
    }

    #[test]
    fn the_drawing_of_the_layers_shows_them_all_in_their_order() {
        let documents = source::files(&["md"]).expect("read");
        let named = |file: &&source::Source| file.name == "docs/architecture.md";
        let drawing = documents.iter().find(named).expect("it is there");
        assert_eq!(told(&drawing.text), LAYERS);
        assert_eq!(told("| `src/main.rs` | a |\n| `src/sim/` | b |\n`src/app/`"), ["sim"]);
    }

    #[test]
    fn what_stands_below_may_be_used() {
        assert!(problems_of("src/app/mod.rs", "use crate::sim::World;").is_empty());
        assert!(problems_of("src/sim/a.rs", "use crate::sim::b; use super::c;").is_empty());
    }

    #[test]
    fn what_stands_above_may_not_be_used() {
        for text in [
            "use crate::app::App;",
            "use crate::{sim::World, share::Link};",
            "fn f() { crate::scenario::load(); }",
            "fn f() { show!(crate::host::Clock); }",
            "use super::super::text::Message;",
            "mod tests { use super::super::super::learn::Lesson; }",
        ] {
            assert_eq!(problems_of("src/actors/queue.rs", text).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_folder_that_is_no_layer_is_found() {
        assert_eq!(problems_of("src/other/mod.rs", "").len(), 1);
        assert!(problems_of("src/main.rs", "use fencepost::app::App;").is_empty());
        assert!(problems_of("tests/native/main.rs", "use fencepost::app::App;").is_empty());
    }

    #[test]
    fn a_problem_names_its_place() {
        let found = problems_of("src/sim/mod.rs", "\n\nuse crate::actors::Queue;");
        assert!(found[0].starts_with("src/sim/mod.rs:3: `sim` uses `actors`"), "{found:?}");
    }
}
