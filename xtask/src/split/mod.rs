//! Cuts the built program in two: what a first visit needs, and the rest, which is fetched
//! once the page stands.
//!
//! Only whole functions move, and what data none but these use. In the first part each moved
//! function that is called or pointed to from there is a stub: it has the rest fetched unless
//! that has happened, and goes on through a table that the rest fills. Memory, globals and tables are those of the first part,
//! so the program computes the same, whichever part a function is in.

mod data;
mod first;
mod linked;
pub mod list;
pub mod names;
mod plan;
mod rest;
#[cfg(test)]
mod tests;

use walrus::{ElementKind, FunctionId, Module, ModuleConfig};

use crate::error::{Error, Result};
pub use linked::Linked;
use names::Later;
use plan::Plan;

/// Under which names the first part hands over what the rest needs besides functions.
const ENTRIES: &str = "rest_entries";
const THERE: &str = "rest_there";
/// What the rest calls the first part.
const FIRST: &str = "first";

/// The two parts as files.
pub struct Parts {
    pub first: Vec<u8>,
    pub rest: Vec<u8>,
    /// Of how many functions the rest consists, and how many of them have a stub.
    pub moved: usize,
    pub stubs: usize,
    /// How much data comes with it.
    pub data_bytes: usize,
    /// Paths of the list that no function has: renamed, or taken in by its caller.
    pub unmatched: Vec<String>,
}

/// Whether the browser is told the names of functions, as in the trace of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    Kept,
    Dropped,
}

/// Cuts a program that still has the names of its functions.
pub fn split(program: &[u8], linked: &Linked, later: &Later, names: Names) -> Result<Parts> {
    let whole = parse(program, names)?;
    let loader = plan::loader(&whole).ok_or_else(|| Error::Missing {
        what: "the program imports nothing that fetches its rest".to_owned(),
        next: "call `host::rest::opened` in src/main.rs, or change xtask/src/split".to_owned(),
    })?;
    if whole.elements.iter().any(|it| !matches!(it.kind, ElementKind::Active { .. })) {
        return Err(Error::Rule("a table is filled by a function, in either part".to_owned()));
    }
    let plan = Plan::of(&whole, later);
    if plan.later.is_empty() {
        return Err(Error::Missing {
            what: "nothing of the program is on the list of what comes later".to_owned(),
            next: "see whether it was built with the names of its functions".to_owned(),
        });
    }
    let data = data::later(&whole, &plan, linked)?;
    let (rest, wanted) = rest::cut(parse(program, names)?, &plan, &data)?;
    let first = first::cut(parse(program, names)?, (&plan, &data), &wanted, loader)?;
    // What is written wrong would fail in the browser only.
    for part in [&first, &rest] {
        parse(part, names)?;
    }
    Ok(Parts {
        first,
        rest,
        moved: plan.later.len(),
        stubs: plan.entries.len(),
        data_bytes: data.iter().map(|piece| piece.bytes.len()).sum(),
        unmatched: later.unmatched(&names_in(&whole)),
    })
}

/// Read anew for each part, functions are told apart by their place in the file.
fn parse(program: &[u8], names: Names) -> Result<Module> {
    let mut config = ModuleConfig::new();
    config.generate_name_section(names == Names::Kept).generate_producers_section(false);
    let mut module = config.parse(program).map_err(|error| {
        Error::Rule(format!("the built program cannot be read as WebAssembly ({error:#})"))
    })?;
    // The linker's tables tell of the program as it was before wasm-bindgen.
    for section in ["linking", "reloc.CODE", "reloc.DATA"] {
        module.customs.remove_raw(section);
    }
    Ok(module)
}

fn names_in(module: &Module) -> Vec<&str> {
    module.funcs.iter().filter_map(|function| function.name.as_deref()).collect()
}

fn functions(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter().map(walrus::Function::id).collect()
}
