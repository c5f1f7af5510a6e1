//! `cargo xtask test`: every suite, one after the other, and what they come to.

use std::process::Command;
use std::time::Instant;

use crate::browser_suite;
use crate::check;
use crate::e2e;
use crate::error::{Error, Result};
use crate::process::{self, say};
use crate::setup::{self, TestBench, environment::Environment};
use crate::tally::Tally;

/// Runs all suites. What set-up or a build cannot do counts as a failed suite, so that
/// the last line of the output always tells.
pub fn run() -> Result<()> {
    let started = Instant::now();
    let mut report = Report::default();
    let plain = Environment::default();
    report.run("xtask", || cargo_test(&plain, &["-p", "xtask"]));
    report.run("native", || cargo_test(&plain, &["--no-default-features"]));
    match setup::for_tests() {
        Ok(bench) => run_in_browsers(&mut report, &bench),
        Err(error) => report.run("set-up", || Err(error)),
    }
    report.print(started);
    report.result()
}

fn run_in_browsers(report: &mut Report, bench: &TestBench) {
    report.run("browser: Chrome", || browser_suite::in_chrome(bench));
    report.run("browser: Firefox", || browser_suite::in_firefox(bench));
    report.run("e2e", || watch(&mut e2e::over_the_page(bench, &[])?));
    report.run("check", || Ok(check::tally(&bench.environment)));
}

fn cargo(environment: &Environment, arguments: &[&str]) -> Command {
    let mut command = environment.command("cargo");
    command.arg("test").args(arguments);
    command
}

fn cargo_test(environment: &Environment, arguments: &[&str]) -> Result<Tally> {
    watch(&mut cargo(environment, arguments))
}

/// Runs a command that runs tests, and counts them.
pub fn watch(command: &mut Command) -> Result<Tally> {
    say(&process::line_of(command));
    let mut tally = Tally::default();
    let status = process::run_and_watch(command, |line| tally.see(line))?;
    if let Some(reason) = tally.settle(Some(status)) {
        say(&format!("`{}` counts as failed: {reason}", process::line_of(command)));
    }
    Ok(tally)
}

/// One line for each suite.
#[derive(Default)]
struct Report {
    lines: Vec<(String, Tally, u64)>,
}

impl Report {
    fn run(&mut self, name: &str, suite: impl FnOnce() -> Result<Tally>) {
        say(&format!("--- {name} ---"));
        let started = Instant::now();
        let tally = suite().unwrap_or_else(|error| {
            say(&error.to_string());
            Tally { passed: 0, failed: 1 }
        });
        self.lines.push((name.to_owned(), tally, started.elapsed().as_secs()));
    }

    fn total(&self) -> Tally {
        let mut total = Tally::default();
        for (_, tally, _) in &self.lines {
            total.add(tally);
        }
        total
    }

    fn print(&self, started: Instant) {
        println!();
        for (name, tally, seconds) in &self.lines {
            // Not `{tally}`: only the very last line reads as the total.
            let Tally { passed, failed } = tally;
            println!("{name:<18} {passed:>5} passed {failed:>3} failed {seconds:>5} s");
        }
        println!("{:<18} {:>30} s", "all", started.elapsed().as_secs());
    }

    fn result(&self) -> Result<()> {
        let failed = self.lines.iter().filter(|(_, tally, _)| tally.failed > 0).count();
        println!("{}", self.total());
        if failed > 0 {
            return Err(Error::Suites(failed));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_that_cannot_run_makes_the_whole_red() {
        let mut report = Report::default();
        report.run("good", || Ok(Tally { passed: 3, failed: 0 }));
        assert!(report.result().is_ok());
        report.run("bad", || Err(Error::Usage("no".to_owned())));
        assert!(report.result().is_err());
        assert_eq!(report.total().to_string(), "3 passed, 1 failed");
    }
}
