//! What the layers below the page may not name: the browser, time, threads, and
//! whatever makes two runs of the same program differ.

use proc_macro2::{TokenStream, TokenTree};

use super::source::Source;
use super::{layers, paths};
use crate::error::Result;

/// The layers that may use fractions: they say something of a run or draw it. All others
/// decide what a run is or what came of it, and have to do so alike on every machine.
const INEXACT: &[&str] = &["lab", "text"];

/// serde's trait for encoding names them, and the encoding of a state refuses them there.
const REFUSES_FLOATS: &str = "src/sim/encode.rs";

/// The browser's crates, by how their names begin.
const CRATES: &[&str] = &["web_sys", "gloo", "yew", "js_sys", "wasm_bindgen"];

/// Their order differs from run to run.
const UNORDERED: &[&str] = &["HashMap", "HashSet"];

const FLOATS: &[&str] = &["f32", "f64"];

/// What is wrong with one file.
pub fn problems(source: &Source) -> Result<Vec<String>> {
    let layer = source.layer().unwrap_or_default();
    if !layers::pure().any(|pure| pure == layer) {
        return Ok(Vec::new());
    }
    let exact = !INEXACT.contains(&layer) && source.name != REFUSES_FLOATS;
    let tokens = source.tokens()?;
    let mut found = Vec::new();
    for path in paths::of(tokens.clone()) {
        if let Some(name) = forbidden(&path.parts, exact) {
            found.push((path.line, name));
        }
    }
    if exact {
        collect_float_literals(tokens, &mut found);
    }
    let name = &source.name;
    let say = |(line, what)| format!("{name}:{line}: `{layer}` names `{what}`, which it may not");
    Ok(found.into_iter().map(say).collect())
}

fn forbidden(parts: &[String], exact: bool) -> Option<String> {
    let first = parts.first()?;
    if CRATES.iter().any(|name| first.starts_with(name)) {
        return Some(first.clone());
    }
    if let [first, second, ..] = parts
        && first == "std"
        && (second == "time" || second == "thread")
    {
        return Some(format!("std::{second}"));
    }
    let named = |part: &&String| {
        UNORDERED.contains(&part.as_str()) || (exact && FLOATS.contains(&part.as_str()))
    };
    parts.iter().find(named).cloned()
}

fn collect_float_literals(tokens: TokenStream, found: &mut Vec<(usize, String)>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => collect_float_literals(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                if is_float(&text) {
                    found.push((literal.span().start().line, text));
                }
            }
            _ => {}
        }
    }
}

fn is_float(literal: &str) -> bool {
    let number = literal.starts_with(|c: char| c.is_ascii_digit());
    let hexadecimal = literal.starts_with("0x");
    let suffixed = literal.ends_with("f32") || literal.ends_with("f64");
    let exponent = literal.contains(['e', 'E']) && !literal.ends_with("size");
    number && !hexadecimal && (literal.contains('.') || suffixed || exponent)
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    fn problems_of(name: &str, text: &str) -> Vec<String> {
        problems(&Source::new(name, text)).expect("read")
    }

    /// Each sample is one problem in every layer but those that are free of the rule.
    #[track_caller]
    fn check(samples: &[&str], free: &[&str]) {
        for layer in layers::LAYERS {
            let expected = usize::from(!free.contains(layer));
            for text in samples {
                let found = problems_of(&format!("src/{layer}/a.rs"), text);
                assert_eq!(found.len(), expected, "{layer}: {text}");
            }
        }
    }

    #[test]
    fn no_layer_of_this_repository_names_what_it_may_not() {
        let files = source::files(&["rs"]).expect("read");
        let found: Vec<String> =
            files.iter().flat_map(|file| problems(file).expect("read")).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn the_rule_can_fail_in_every_layer_below_the_page() {
        let samples = [
            "use web_sys::Window;",
            "use gloo_timers::callback::Timeout;",
            "use yew::prelude::*;",
            "fn f() { js_sys::Date::now(); }",
            "#[wasm_bindgen] fn f() {}",
            "use std::time::Instant;",
            "use std::{fmt, thread};",
            "use std::collections::HashMap;",
            "fn f(x: &std::collections::HashSet<u8>) {}",
            "fn f() { vec![HashMap::new()]; }",
        ];
        check(&samples, &["app", "host"]);
    }

    #[test]
    fn floats_are_forbidden_where_results_have_to_be_exact() {
        let samples =
            ["fn f(x: f32) {}", "const A: T = 1.5;", "const A: T = 1e3;", "let a = 1f64;"];
        check(&samples, &["app", "host", "lab", "text"]);
    }

    #[test]
    fn whole_numbers_and_mentions_are_no_problem() {
        let text = "// HashMap\nfn f() { let a = (0xe1, 1usize, 3..5, \"f32\", t.0); }";
        assert_eq!(problems_of("src/sim/a.rs", text), Vec::<String>::new());
    }
}
