//! The page as it is published: `dist/`, built by Trunk.

use std::fs;
use std::path::PathBuf;

use crate::error::{Error, Result};
use crate::process::{self, say};
use crate::setup::{self, environment::Environment};
use crate::workspace;

/// Sets up what is missing and builds the page.
pub fn build() -> Result<()> {
    let environment = setup::for_page()?;
    build_in(&environment)
}

/// Builds the page with what is set up.
pub fn build_in(environment: &Environment) -> Result<()> {
    setup::fetch_crates(environment)?;
    say("building the page into dist/");
    let without = WithoutWasmOpt::if_it_is_missing(environment)?;
    let mut trunk = environment.command("trunk");
    // Without the values Trunk would take the name of a page for one of them.
    trunk.args(["build", "--release=true", "--offline=true"]);
    if let Some(without) = &without {
        trunk.arg(&without.0);
    }
    // Trunk takes the usual value `1` for an error.
    trunk.env_remove("NO_COLOR");
    process::run(&mut trunk)
}

/// A copy of index.html that does not ask for wasm-opt, for as long as this lives.
/// It has to lie beside the original, because Trunk reads its links from there.
struct WithoutWasmOpt(PathBuf);

impl WithoutWasmOpt {
    fn if_it_is_missing(environment: &Environment) -> Result<Option<Self>> {
        if environment.wasm_opt {
            return Ok(None);
        }
        let text = workspace::read(&workspace::root().join("index.html"))?;
        let copy = workspace::root().join(".index-without-wasm-opt.html");
        workspace::write(&copy, &ask_for_no_wasm_opt(&text)?)?;
        Ok(Some(Self(copy)))
    }
}

impl Drop for WithoutWasmOpt {
    fn drop(&mut self) {
        // If it stays it is ignored by git and written anew the next time.
        let _ = fs::remove_file(&self.0);
    }
}

fn ask_for_no_wasm_opt(page: &str) -> Result<String> {
    let asked = r#"data-wasm-opt="z""#;
    if !page.contains(asked) {
        return Err(Error::Missing {
            what: format!("index.html has no `{asked}`"),
            next: "put it on the link to the Rust program, or change xtask/src/page.rs".to_owned(),
        });
    }
    Ok(page.replace(asked, r#"data-wasm-opt="0""#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_can_be_built_without_wasm_opt() {
        let page = workspace::read(&workspace::root().join("index.html")).expect("there");
        let changed = ask_for_no_wasm_opt(&page).expect("changed");
        assert!(changed.contains(r#"data-wasm-opt="0""#));
    }

    #[test]
    fn a_page_that_never_asks_for_wasm_opt_is_an_error() {
        assert!(ask_for_no_wasm_opt("<html>").is_err());
    }
}
