//! No file and no function is too long to be read at one go.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::source::Source;
use crate::error::Result;

pub const FILE_LINES: usize = 450;
pub const FUNCTION_LINES: usize = 70;

/// What is wrong with one file of any language.
pub fn file_problems(source: &Source) -> Vec<String> {
    let lines = source.text.lines().count();
    if lines <= FILE_LINES {
        return Vec::new();
    }
    vec![format!("{}: {lines} lines, and at most {FILE_LINES} are allowed", source.name)]
}

/// What is wrong with the functions of one Rust file.
pub fn function_problems(source: &Source) -> Result<Vec<String>> {
    let mut found = Vec::new();
    collect(source.tokens()?, &mut found);
    let too_long = found.into_iter().filter(|function| function.lines > FUNCTION_LINES);
    let say = |function: Function| {
        let Function { line, name, lines } = function;
        let file = &source.name;
        format!(
            "{file}:{line}: `{name}` has {lines} lines, and at most {FUNCTION_LINES} are allowed"
        )
    };
    Ok(too_long.map(say).collect())
}

struct Function {
    line: usize,
    name: String,
    lines: usize,
}

fn collect(tokens: TokenStream, found: &mut Vec<Function>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "fn" => found.extend(function_at(&tokens, at)),
            TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
    }
}

/// The function whose `fn` stands at `at`; a type or a declaration has no body.
fn function_at(tokens: &[TokenTree], at: usize) -> Option<Function> {
    let TokenTree::Ident(name) = tokens.get(at + 1)? else {
        return None;
    };
    let body = tokens[at + 2..].iter().find_map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => Some(Some(group)),
        TokenTree::Punct(sign) if sign.as_char() == ';' => Some(None),
        _ => None,
    })??;
    let first = tokens[at].span().start().line;
    let last = body.span_close().end().line;
    Some(Function { line: first, name: name.to_string(), lines: last - first + 1 })
}

#[cfg(test)]
mod tests {
    use super::super::source;
    use super::*;

    #[test]
    fn nothing_in_this_repository_is_too_long() {
        let mut found = Vec::new();
        for file in source::files(&["rs"]).expect("read") {
            found.extend(function_problems(&file).expect("read"));
        }
        for file in source::files(&["rs", "js", "css", "html"]).expect("read") {
            found.extend(file_problems(&file));
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn a_file_one_line_too_long_is_found() {
        let allowed = Source::new("a.rs", &"\n".repeat(FILE_LINES));
        assert!(file_problems(&allowed).is_empty());
        let long = Source::new("a.rs", &"\n".repeat(FILE_LINES + 1));
        assert_eq!(file_problems(&long).len(), 1);
    }

    #[test]
    fn a_function_one_line_too_long_is_found_wherever_it_stands() {
        for (before, after) in [("", ""), ("impl A {\n", "}"), ("mod a { mod b {", "}}")] {
            let function = |lines| {
                let body = "a();\n".repeat(lines - 2);
                let text = format!("{before}fn long<T: Into<u8>>(a: T) -> u8 {{\n{body}}}{after}");
                function_problems(&Source::new("a.rs", &text)).expect("read")
            };
            assert!(function(FUNCTION_LINES).is_empty());
            assert_eq!(function(FUNCTION_LINES + 1).len(), 1);
        }
    }
}
