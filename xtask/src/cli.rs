//! The command line.

use crate::error::{Error, Result};
use crate::play::{self, Play};
use crate::split::Names;
use crate::{bench, check, fidelity, native, output, page, serve, setup, size, suites};

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  setup              bring everything that the other commands need
  build [--names]    build the page into dist/, for a trace with the names of functions
  serve [--port N]   build the page and serve it on 127.0.0.1
  play SCENARIO      run a scenario and tell what happened; see `play --help`
  test               run every test
  check              formatting, lints, layers, lengths and links
  size               what a first visit loads, against the target
  bench              how fast it is
  fidelity [DIR]     replay recorded traces of real servers, those under DIR or our own
  golden             write the expected results of the native tests anew
  soak               run the long tests

Each sets up what it needs and is missing.";

#[derive(Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Setup,
    Build { names: Names },
    Serve { port: Option<u16> },
    Play(Play),
    PlayHelp,
    Test,
    Check,
    Size,
    Bench,
    Fidelity { folder: Option<String> },
    Golden,
    Soak,
}

impl Command {
    pub fn parse(arguments: &[String]) -> Result<Self> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let command = match words.as_slice() {
            [] | ["help" | "--help" | "-h"] => Self::Help,
            ["setup"] => Self::Setup,
            ["build"] => Self::Build { names: Names::Dropped },
            ["build", "--names"] => Self::Build { names: Names::Kept },
            ["serve", options @ ..] => Self::Serve { port: port(options)? },
            ["play", options @ ..] if options.iter().any(|word| is_help(word)) => Self::PlayHelp,
            ["play", options @ ..] => Self::Play(Play::parse(options)?),
            ["test"] => Self::Test,
            ["check"] => Self::Check,
            ["size"] => Self::Size,
            ["bench"] => Self::Bench,
            ["fidelity"] => Self::Fidelity { folder: None },
            ["fidelity", folder] => Self::Fidelity { folder: Some((*folder).to_owned()) },
            ["golden"] => Self::Golden,
            ["soak"] => Self::Soak,
            other => {
                let line = other.join(" ");
                return Err(Error::Usage(format!("`{line}` is no command here.\n\n{USAGE}")));
            }
        };
        Ok(command)
    }

    pub fn run(self) -> Result<()> {
        match self {
            Self::Help => output::print(&format!("{USAGE}\n")),
            Self::Setup => setup::everything(),
            Self::Build { names } => page::build(names),
            Self::Serve { port } => serve::run(port),
            Self::Play(play) => play.run(),
            Self::PlayHelp => output::print(&format!("{}\n", play::USAGE)),
            Self::Test => suites::run(),
            Self::Check => check::run(),
            Self::Size => size::run(),
            Self::Bench => bench::run(),
            Self::Fidelity { folder } => fidelity::run(folder.as_deref()),
            Self::Golden => native::golden(),
            Self::Soak => native::soak(),
        }
    }
}

fn is_help(word: &str) -> bool {
    ["--help", "-h"].contains(&word)
}

fn port(options: &[&str]) -> Result<Option<u16>> {
    let text = match options {
        [] => return Ok(None),
        ["--port", text] => text,
        [option] if option.starts_with("--port=") => &option["--port=".len()..],
        other => {
            let line = other.join(" ");
            return Err(Error::Usage(format!("`serve` does not know `{line}`: it takes --port N")));
        }
    };
    let port = text.parse().map_err(|_| {
        Error::Usage(format!("`{text}` is no port: name one from 1 to 65535, or 0 for any"))
    })?;
    Ok(Some(port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Command::parse(&words)
    }

    #[test]
    fn every_command_of_the_usage_is_known() {
        let named = USAGE.lines().filter(|line| line.starts_with("  "));
        for name in named.filter_map(|line| line.split_whitespace().next()) {
            // It may miss what it is to be done with.
            assert!(!matches!(parse(name), Err(Error::Usage(_))), "{name}");
        }
    }

    #[test]
    fn a_port_may_be_named() {
        assert_eq!(parse("serve --port 9000").ok(), Some(Command::Serve { port: Some(9000) }));
        assert_eq!(parse("serve --port=0").ok(), Some(Command::Serve { port: Some(0) }));
        assert!(parse("serve --port many").is_err());
        assert!(parse("serve --prot 1").is_err());
    }

    #[test]
    fn play_is_explained_wherever_that_is_asked_for() {
        for line in ["play --help", "play -h", "play reconcile --help", "play --seed 1 -h refund"] {
            assert_eq!(parse(line).ok(), Some(Command::PlayHelp), "{line}");
        }
    }

    #[test]
    fn an_unknown_command_is_answered_with_the_usage() {
        let error = parse("tset").expect_err("unknown");
        assert!(error.to_string().contains("Usage:"));
    }
}
