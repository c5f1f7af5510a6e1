//! Versions as tools print them.

/// The first thing in a line that reads as `1.2.3` or `132`.
pub fn in_line(line: &str) -> Option<Vec<u64>> {
    line.split(|c: char| c.is_whitespace() || c == '_')
        .map(|word| word.trim_start_matches('v'))
        .find_map(numbers)
}

fn numbers(word: &str) -> Option<Vec<u64>> {
    let core = word.split(['-', '+']).next()?;
    core.split('.').map(|part| part.parse().ok()).collect()
}

/// How close a version on the PATH has to come to the wanted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// Nothing but this version will do.
    Exact,
    /// The same minor version, at this patch or a later one.
    SameMinor,
}

impl Match {
    pub fn fits(self, found: &str, wanted: &str) -> bool {
        let (Some(found), Some(wanted)) = (in_line(found), in_line(wanted)) else {
            return false;
        };
        match self {
            Match::Exact => found == wanted,
            Match::SameMinor => found.get(..2) == wanted.get(..2) && found >= wanted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_out_of_what_a_tool_prints() {
        assert_eq!(in_line("wasm-bindgen 0.2.130"), Some(vec![0, 2, 130]));
        assert_eq!(in_line("geckodriver 0.37.1 (a0b1c2 2025)"), Some(vec![0, 37, 1]));
        assert_eq!(in_line("wasm-opt version 132 (version_132)"), Some(vec![132]));
        assert_eq!(in_line("no version"), None);
    }

    #[test]
    fn an_exact_match_takes_no_other_patch() {
        assert!(Match::Exact.fits("wasm-bindgen 0.2.130", "0.2.130"));
        assert!(!Match::Exact.fits("wasm-bindgen 0.2.131", "0.2.130"));
    }

    #[test]
    fn a_match_of_the_minor_version_takes_a_later_patch_only() {
        assert!(Match::SameMinor.fits("trunk 0.21.15", "0.21.14"));
        assert!(!Match::SameMinor.fits("trunk 0.21.13", "0.21.14"));
        assert!(!Match::SameMinor.fits("trunk 0.22.1", "0.21.14"));
    }
}
