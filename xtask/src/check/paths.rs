//! The paths that a Rust file names, such as `std::time::Instant`, with their lines.
//!
//! Read from its tokens rather than its syntax, so that what stands inside a macro
//! counts as well; comments and text in quotes do not.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path as it is written, with the groups of a `use` taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedPath {
    pub line: usize,
    pub parts: Vec<String>,
    /// How many inline modules the path stands in.
    pub depth: usize,
}

pub fn of(tokens: TokenStream) -> Vec<NamedPath> {
    let mut reader = Reader::default();
    reader.read(tokens, &[], 0);
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<NamedPath>,
}

impl Reader {
    /// Reads tokens; paths that begin in them stand after `prefix`.
    fn read(&mut self, tokens: TokenStream, prefix: &[String], depth: usize) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Ident(_) if !is_lifetime(&tokens, at) => {
                    at = self.read_path(&tokens, at, prefix, depth);
                }
                TokenTree::Group(group) => {
                    let inner = depth + usize::from(opens_module(&tokens, at));
                    self.read(group.stream(), &[], inner);
                    at += 1;
                }
                _ => at += 1,
            }
        }
    }

    /// Reads the path that begins at `at`; answers with the place after it.
    fn read_path(
        &mut self,
        tokens: &[TokenTree],
        at: usize,
        prefix: &[String],
        depth: usize,
    ) -> usize {
        let line = tokens[at].span().start().line;
        let mut parts = prefix.to_vec();
        parts.push(tokens[at].to_string());
        let mut at = at + 1;
        while is_punct(tokens, at, ':') && is_punct(tokens, at + 1, ':') {
            match tokens.get(at + 2) {
                Some(TokenTree::Ident(ident)) => parts.push(ident.to_string()),
                Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                    self.read(group.stream(), &parts, depth);
                    return at + 3;
                }
                _ => break,
            }
            at += 3;
        }
        self.found.push(NamedPath { line, parts, depth });
        at
    }
}

fn is_punct(tokens: &[TokenTree], at: usize, sign: char) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == sign)
}

fn is_lifetime(tokens: &[TokenTree], at: usize) -> bool {
    at > 0 && is_punct(tokens, at - 1, '\'')
}

fn is_word(tokens: &[TokenTree], at: usize, word: &str) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Ident(ident)) if ident == word)
}

/// Whether the group at `at` is the body of `mod name { … }`.
fn opens_module(tokens: &[TokenTree], at: usize) -> bool {
    at >= 2 && is_word(tokens, at - 2, "mod") && matches!(tokens[at - 1], TokenTree::Ident(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(source: &str) -> Vec<String> {
        let tokens = source.parse().expect("tokens");
        of(tokens).iter().map(|path| path.parts.join("::")).collect()
    }

    #[test]
    fn a_path_is_read_whole() {
        assert!(
            joined("let x = std::time::Instant::now();")
                .contains(&"std::time::Instant::now".to_owned())
        );
    }

    #[test]
    fn the_groups_of_a_use_are_taken_apart() {
        let found = joined("use crate::{app::{self, Thing}, sim};");
        for path in ["crate::app::self", "crate::app::Thing", "crate::sim"] {
            assert!(found.contains(&path.to_owned()), "{path} in {found:?}");
        }
    }

    #[test]
    fn macros_count_and_comments_and_quoted_text_do_not() {
        assert!(joined("vec![crate::app::X]").contains(&"crate::app::X".to_owned()));
        assert_eq!(joined("// crate::app::X\n\"crate::app::X\""), Vec::<String>::new());
    }

    #[test]
    fn inline_modules_are_counted() {
        let tokens = "mod tests { fn f() { super::super::g(); } }".parse().expect("tokens");
        let found = of(tokens);
        let path = found.iter().find(|path| path.parts.len() == 3).expect("found");
        assert_eq!((path.depth, path.line), (1, 1));
    }
}
