//! Other programs: how they are started, what they print and how they end.

use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};

use crate::error::{Error, Result};

/// One plain line about what is being done.
pub fn say(line: &str) {
    println!("xtask: {line}");
}

/// The command as a person would type it.
pub fn line_of(command: &Command) -> String {
    let program = program_of(command);
    let arguments = command.get_args().map(|part| part.to_string_lossy());
    std::iter::once(program.into()).chain(arguments).collect::<Vec<_>>().join(" ")
}

fn program_of(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn start_error(command: &Command) -> impl FnOnce(std::io::Error) -> Error {
    let program = program_of(command);
    move |source| Error::Start { program, source }
}

fn failed(command: &Command, status: ExitStatus) -> Error {
    Error::Failed { line: line_of(command), ending: status.to_string() }
}

/// Runs it with its output shown.
pub fn run(command: &mut Command) -> Result<()> {
    let started = command.stdin(Stdio::null()).status();
    let status = started.map_err(start_error(command))?;
    if status.success() {
        return Ok(());
    }
    Err(failed(command, status))
}

/// Runs it with its output kept back, and shows that only if it fails.
pub fn run_quietly(command: &mut Command) -> Result<String> {
    let ended = command.stdin(Stdio::null()).output();
    let output = ended.map_err(start_error(command))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(failed(command, output.status))
}

/// What it prints, or nothing if it cannot be started or fails: for asking
/// whether a program is there and of which version.
pub fn answer(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    output.status.success().then_some(text)
}

/// Runs it with its output shown, handing each line of its standard output to `see`.
pub fn run_and_watch(command: &mut Command, mut see: impl FnMut(&str)) -> Result<ExitStatus> {
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn();
    let mut child = spawned.map_err(start_error(command))?;
    if let Some(output) = child.stdout.take() {
        // Lossy, line by line: a test may print bytes that are not UTF-8.
        for line in BufReader::new(output).split(b'\n').map_while(std::result::Result::ok) {
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            see(&line);
        }
    }
    child.wait().map_err(start_error(command))
}
