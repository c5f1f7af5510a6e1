//! `cargo xtask check`: what can be told from the source alone.

mod absences;
mod commands;
mod layers;
mod lengths;
mod links;
mod markup;
mod paths;
mod source;

use crate::error::{Error, Result};
use crate::process::say;
use crate::setup::{self, environment::Environment};
use crate::tally::Tally;
use crate::workspace;
use source::Source;

/// Sets up what is missing and applies every rule.
pub fn run() -> Result<()> {
    let environment = setup::for_target()?;
    let tally = tally(&environment);
    println!("{tally}");
    if tally.failed > 0 {
        return Err(Error::Suites(tally.failed));
    }
    Ok(())
}

/// A rule that is read out of files with these endings, one at a time.
struct Rule {
    name: &'static str,
    endings: &'static [&'static str],
    problems: fn(&Source) -> Result<Vec<String>>,
}

const RULES: &[Rule] = &[
    Rule { name: "layers use those below only", endings: &["rs"], problems: layers::problems },
    Rule { name: "layers name nothing forbidden", endings: &["rs"], problems: absences::problems },
    Rule { name: "functions are short", endings: &["rs"], problems: lengths::function_problems },
    Rule {
        name: "files are short",
        endings: &["rs", "js", "css", "html"],
        problems: |file| Ok(lengths::file_problems(file)),
    },
    Rule {
        name: "nothing stands in the page itself",
        endings: &["html"],
        problems: |file| Ok(markup::problems(file)),
    },
    Rule {
        name: "links lead somewhere",
        endings: &["md"],
        problems: |file| Ok(links::problems(file, &workspace::root())),
    },
];

impl Rule {
    fn apply(&self) -> Result<Vec<String>> {
        let files = source::files(self.endings)?;
        let found: Result<Vec<_>> = files.iter().map(self.problems).collect();
        Ok(found?.concat())
    }
}

/// Applies every rule; each counts as a test.
pub fn tally(environment: &Environment) -> Tally {
    let mut tally = Tally::default();
    for rule in RULES {
        settle(&mut tally, rule.name, rule.apply());
    }
    for (name, command) in commands::all(environment) {
        settle(&mut tally, name, command(environment));
    }
    tally
}

fn settle(tally: &mut Tally, name: &str, problems: Result<Vec<String>>) {
    let problems = problems.unwrap_or_else(|error| vec![error.to_string()]);
    for problem in &problems {
        println!("{problem}");
    }
    if problems.is_empty() {
        say(&format!("{name}: passed"));
        tally.passed += 1;
    } else {
        say(&format!("{name}: FAILED"));
        tally.failed += 1;
    }
}
