//! How many tests passed and failed, read out of what the test runners print.

use std::fmt;
use std::process::ExitStatus;

/// What one suite came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

impl Tally {
    /// Takes in a line; only a closing line of a test runner counts.
    pub fn see(&mut self, line: &str) {
        let Some(rest) = line.trim().strip_prefix("test result: ") else {
            return;
        };
        self.passed += number_before(rest, " passed").unwrap_or(0);
        self.failed += number_before(rest, " failed").unwrap_or(0);
    }

    /// Settles a suite that has ended: one that failed without a failed test, or ran
    /// no test at all, counts as one failure. Answers with the reason in that case.
    pub fn settle(&mut self, status: Option<ExitStatus>) -> Option<&'static str> {
        let ended_well = status.is_some_and(|status| status.success());
        let reason = if !ended_well && self.failed == 0 {
            "it ended badly outside its tests"
        } else if self.passed + self.failed == 0 {
            "it ran no test"
        } else {
            return None;
        };
        self.failed += 1;
        Some(reason)
    }

    pub fn add(&mut self, other: &Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// The closing line that a person and a machine can read.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

fn number_before(text: &str, word: &str) -> Option<usize> {
    let before = text.get(..text.find(word)?)?;
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const GREEN: &str = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured";
    const RED: &str = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 filtered out";

    #[test]
    fn closing_lines_are_added_up_and_other_lines_are_not() {
        let mut tally = Tally::default();
        for line in [GREEN, "test a ... ok", "7 passed", RED] {
            tally.see(line);
        }
        assert_eq!(tally.to_string(), "15 passed, 2 failed");
    }

    #[cfg(unix)]
    fn status(code: i32) -> Option<ExitStatus> {
        use std::os::unix::process::ExitStatusExt;
        Some(ExitStatus::from_raw(code << 8))
    }

    /// The runner of wasm-bindgen ends well when it found no test, and when it passed
    /// them over because they are not said to be for a browser.
    #[cfg(unix)]
    #[test]
    fn a_suite_that_runs_no_test_is_a_failure() {
        for line in [
            "test result: ok. 0 passed; 0 failed; 0 ignored",
            "no tests to run!",
            "This test suite is only configured to run in node.js, but we're only running",
        ] {
            let mut tally = Tally::default();
            tally.see(line);
            assert_eq!(tally.settle(status(0)), Some("it ran no test"), "{line}");
            assert_eq!(tally.failed, 1, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_suite_that_ends_badly_is_a_failure_even_if_its_tests_passed() {
        let mut tally = Tally::default();
        tally.see(GREEN);
        assert!(tally.settle(status(101)).is_some());
        assert_eq!(tally.failed, 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_green_suite_stays_green() {
        let mut tally = Tally::default();
        tally.see(GREEN);
        assert_eq!(tally.settle(status(0)), None);
        assert_eq!(tally.failed, 0);
    }
}
