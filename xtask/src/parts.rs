//! Puts the two parts of the program in place of the one that Trunk has built.

use std::fs;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result};
use crate::process::{self, say};
use crate::setup::environment::Environment;
use crate::split::{self, Linked, Names, Parts, list::LATER};
use crate::workspace;

/// Before the name of the program in index.html, as `pattern_script` in Trunk.toml has it.
const PROGRAM: &str = "data-wasm=\"./";
/// The program as it was linked, below the folder where cargo builds.
const LINKED: &str = "wasm32-unknown-unknown/release/fencepost.wasm";
/// Before the name of its rest, which static/start.js looks for.
const REST: &str = "data-rest=\"./";

/// Cuts the program of a built page in two, makes both parts small and names them in the page.
pub fn put_in_place(environment: &Environment, dist: &Path, names: Names) -> Result<()> {
    let page = dist.join("index.html");
    let text = workspace::read(&page)?;
    let whole = named(&text, PROGRAM).ok_or_else(|| no_program(&page))?;
    let program = dist.join(whole);
    let bytes = fs::read(&program).map_err(Error::file(&program, "read"))?;
    let linked = workspace::target().join(LINKED);
    let linked = Linked::read(&fs::read(&linked).map_err(Error::file(&linked, "read"))?)?;
    let parts = split::split(&bytes, &linked, &LATER, names)?;
    for path in &parts.unmatched {
        say(&format!("the list of what comes later names `{path}`, which is nothing there"));
    }
    let Parts { moved, stubs, data_bytes, .. } = &parts;
    say(&format!(
        "{moved} functions come later, {stubs} by a stub, with {data_bytes} bytes of data"
    ));
    let first = put(environment, dist, "first", &parts.first, names)?;
    let rest = put(environment, dist, "rest", &parts.rest, names)?;
    workspace::write(&page, &with_parts(&text, whole, &first, &rest))?;
    fs::remove_file(&program).map_err(Error::file(&program, "removed"))
}

/// The rest of the program that a built page names.
pub fn rest_in(page: &str) -> Option<&str> {
    named(page, REST)
}

fn named<'a>(page: &'a str, before: &str) -> Option<&'a str> {
    let (_, after) = page.split_once(before)?;
    Some(after.split_once('"')?.0)
}

fn no_program(page: &Path) -> Error {
    Error::Missing {
        what: format!("{} names no program after `{PROGRAM}`", page.display()),
        next: "look at `pattern_script` in Trunk.toml, or change xtask/src/parts.rs".to_owned(),
    }
}

/// Named by what is in it: two parts that do not belong together are never loaded together.
fn put(
    environment: &Environment,
    dist: &Path,
    part: &str,
    bytes: &[u8],
    names: Names,
) -> Result<String> {
    let raw = dist.join(format!("{part}.wasm"));
    fs::write(&raw, bytes).map_err(Error::file(&raw, "written"))?;
    if environment.wasm_opt {
        let mut optimise = environment.command("wasm-opt");
        let kept = (names == Names::Kept).then_some("--debuginfo");
        process::run(optimise.arg("-Oz").args(kept).arg(&raw).arg("-o").arg(&raw))?;
    }
    let bytes = fs::read(&raw).map_err(Error::file(&raw, "read"))?;
    let name = format!("fencepost-{part}-{:016x}.wasm", xxh3_64(&bytes));
    let path = dist.join(&name);
    fs::rename(&raw, &path).map_err(Error::file(&path, "named"))?;
    Ok(name)
}

fn with_parts(page: &str, whole: &str, first: &str, rest: &str) -> String {
    page.replace(PROGRAM, &format!("{REST}{rest}\" {PROGRAM}")).replace(whole, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<link rel=\"preload\" href=\"./f-1_bg.wasm\">\
                        <script data-program=\"./f-1.js\" data-wasm=\"./f-1_bg.wasm\"></script>";

    #[test]
    fn the_page_names_both_parts_and_asks_for_the_first_alone() {
        let whole = named(PAGE, PROGRAM).expect("there");
        let page = with_parts(PAGE, whole, "first.wasm", "rest.wasm");
        assert_eq!(rest_in(&page), Some("rest.wasm"));
        assert_eq!(named(&page, PROGRAM), Some("first.wasm"));
        assert!(page.contains("href=\"./first.wasm\"") && !page.contains("f-1_bg"), "{page}");
        assert!(page.contains("./f-1.js"), "{page}");
    }

    #[test]
    fn a_page_in_one_piece_names_no_rest() {
        assert_eq!(rest_in(PAGE), None);
    }

    #[test]
    fn trunk_names_the_program_as_it_is_looked_for() {
        let trunk = workspace::read(&workspace::root().join("Trunk.toml")).expect("there");
        assert!(
            trunk.contains("data-wasm=\"{base}{wasm}\"") && trunk.contains("public_url = \"./\"")
        );
    }
}
