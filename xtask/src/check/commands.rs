//! The rules that cargo's own tools apply.

use std::process::Command;

use crate::error::{Error, Result};
use crate::process::{self, say};
use crate::setup::{environment::Environment, target};

type Rule = fn(&Environment) -> Result<Vec<String>>;

/// Those that can be applied here.
pub fn all(environment: &Environment) -> Vec<(&'static str, Rule)> {
    let mut rules: Vec<(&'static str, Rule)> = vec![
        ("rustfmt", |environment| apply(environment, "rustfmt", formatting)),
        ("clippy for this machine", |environment| apply(environment, "clippy", lints_here)),
    ];
    if environment.own_compiler {
        say("clippy for WebAssembly is left out: it needs the target from rustup");
    } else {
        rules.push(("clippy for WebAssembly", |environment| {
            apply(environment, "clippy", lints_for_the_page)
        }));
    }
    rules
}

fn apply(
    environment: &Environment,
    component: &str,
    rule: fn(&Environment) -> Command,
) -> Result<Vec<String>> {
    provide(environment, component)?;
    process::run(&mut rule(environment))?;
    Ok(Vec::new())
}

/// Has rustup add a component if cargo does not know its command.
fn provide(environment: &Environment, component: &str) -> Result<()> {
    let subcommand = if component == "rustfmt" { "fmt" } else { component };
    let mut ask = cargo(environment);
    if process::answer(ask.args([subcommand, "--version"])).is_some() {
        return Ok(());
    }
    say(&format!("adding {component} with rustup"));
    let mut add = environment.command("rustup");
    process::run_quietly(add.args(["component", "add", component])).map(drop).map_err(|_| {
        Error::Missing {
            what: format!("{component} could not be added"),
            next: format!("run `rustup component add {component}` where it works"),
        }
    })
}

/// Formatting and lints come from rustup's toolchain even where the page is built
/// by another compiler.
fn cargo(environment: &Environment) -> Command {
    let plain = Environment::default();
    let environment = if environment.own_compiler { &plain } else { environment };
    environment.command("cargo")
}

fn formatting(environment: &Environment) -> Command {
    let mut command = cargo(environment);
    command.args(["fmt", "--all", "--", "--check"]);
    command
}

fn lints_here(environment: &Environment) -> Command {
    let mut command = cargo(environment);
    command.args(["clippy", "--quiet", "--workspace", "--all-targets", "--no-default-features"]);
    command.args(["--", "-D", "warnings"]);
    command
}

fn lints_for_the_page(environment: &Environment) -> Command {
    let mut command = cargo(environment);
    command.args(["clippy", "--quiet", "--target", target::TRIPLE]);
    command.args(["-p", "fencepost", "-p", "browser-tests"]);
    command.args(["--lib", "--bins", "--test", "browser", "--", "-D", "warnings"]);
    command
}
