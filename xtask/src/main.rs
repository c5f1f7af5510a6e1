use std::env;
use std::process::ExitCode;

use xtask::cli::Command;
use xtask::error::Error;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match Command::parse(&arguments).and_then(Command::run) {
        Ok(()) => ExitCode::SUCCESS,
        // The totals are the last line and say it already.
        Err(Error::Suites(_)) => ExitCode::FAILURE,
        Err(error @ Error::Input(_)) => {
            eprintln!("xtask: {error}");
            ExitCode::from(2)
        }
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
