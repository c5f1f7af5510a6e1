//! `cargo xtask check`: what can be told from the source alone.

mod absences;
mod commands;
mod layers;
mod lengths;
mod links;
mod paths;
mod source;

use crate::error::{Error, Result};
use crate::process::say;
use crate::setup::{self, environment::Environment};
use crate::tally::Tally;
use crate::workspace;

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

/// Applies every rule; each counts as a test.
pub fn tally(environment: &Environment) -> Tally {
    let mut tally = Tally::default();
    for (name, problems) in [
        ("layers use those below only", over(&["rs"], layers::problems)),
        ("layers name nothing forbidden", over(&["rs"], absences::problems)),
        (
            "files are short",
            over(&["rs", "js", "css", "html"], |file| Ok(lengths::file_problems(file))),
        ),
        ("functions are short", over(&["rs"], lengths::function_problems)),
        (
            "links lead somewhere",
            over(&["md"], |file| Ok(links::problems(file, &workspace::root()))),
        ),
    ] {
        settle(&mut tally, name, problems);
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

fn over(
    endings: &[&str],
    rule: impl Fn(&source::Source) -> Result<Vec<String>>,
) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for file in source::files(endings)? {
        problems.extend(rule(&file)?);
    }
    Ok(problems)
}
