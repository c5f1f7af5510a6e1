//! The page as it is published: `dist/`, built by Trunk.

use crate::error::Result;
use crate::parts;
use crate::process::{self, say};
use crate::setup::{self, environment::Environment};
use crate::split::Names;
use crate::workspace;

/// Sets up what is missing and builds the page.
pub fn build(names: Names) -> Result<()> {
    let environment = setup::for_page()?;
    build_in(&environment, names)
}

/// Builds the page with what is set up.
pub fn build_in(environment: &Environment, names: Names) -> Result<()> {
    setup::fetch_crates(environment)?;
    say("building the page into dist/");
    let mut trunk = environment.command("trunk");
    // Without the values Trunk would take the name of a page for one of them.
    trunk.args(["build", "--release=true", "--offline=true"]);
    // The names by which the program is cut in two have all types in full.
    trunk.env(
        "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS",
        "-C symbol-mangling-version=v0 -C link-arg=--emit-relocs",
    );
    // Either would be taken in its place.
    trunk.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    // Trunk takes the usual value `1` for an error.
    trunk.env_remove("NO_COLOR");
    process::run(&mut trunk)?;
    parts::put_in_place(environment, &workspace::dist(), names)
}
