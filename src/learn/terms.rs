//! Terms, each explained where it is met: in a text `[[lease]]` stands for the term of
//! that id, and `[[leases|lease]]` for the same one under other words. `code` stands
//! between backticks.

use crate::content::{At, Mistake, Read, Tree, table};

/// The glossary in English.
const ENGLISH: &str = include_str!("../../static/lessons/en/terms.toml");

table! {
    /// All terms.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Glossary {
        /// One after the other.
        pub terms as "term": Vec<Term>,
    }
}

table! {
    /// A term.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Term {
        /// Names it in texts.
        pub id: String,
        /// What it means, in a sentence.
        pub text: String,
    }
}

impl Glossary {
    /// What a term means.
    pub fn find(&self, id: &str) -> Option<&Term> {
        self.terms.iter().find(|term| term.id == id)
    }
}

/// The glossary.
///
/// # Errors
/// When its file is wrong, which a test excludes.
pub fn glossary() -> Result<Glossary, Box<Mistake>> {
    Glossary::read(&Tree::from_toml(ENGLISH)?, &At::TOP)
}

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words.
    Plain(&'a str),
    /// What stands in a program or a file.
    Code(&'a str),
    /// A term, and the words that stand for it.
    Term {
        /// The words.
        shown: &'a str,
        /// The term's id.
        id: &'a str,
    },
}

/// The pieces of a text. What is left open is taken as it stands.
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (before, piece, after) = next(rest).unwrap_or((rest, None, ""));
        if !before.is_empty() {
            found.push(Piece::Plain(before));
        }
        found.extend(piece);
        rest = after;
    }
    found
}

/// What stands before the next mark, what is marked, and what follows.
fn next(text: &str) -> Option<(&str, Option<Piece<'_>>, &str)> {
    let at = text.find(['`', '['])?;
    let (open, close) = if text[at..].starts_with('`') { ("`", "`") } else { ("[[", "]]") };
    let inside = text[at..].strip_prefix(open).and_then(|inside| inside.split_once(close));
    let Some((inside, after)) = inside else {
        return Some((&text[..=at], None, &text[at + 1..]));
    };
    let piece = if open == "`" {
        Piece::Code(inside)
    } else {
        let (shown, id) = inside.split_once('|').unwrap_or((inside, inside));
        Piece::Term { shown, id }
    };
    Some((&text[..at], Some(piece), after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Lesson, chapters};
    use std::collections::BTreeSet;

    fn lessons() -> Vec<Lesson> {
        let chapters = chapters().expect("every chapter can be read");
        chapters.into_iter().flat_map(|chapter| chapter.lessons).collect()
    }

    fn marked(text: &str) -> Vec<&str> {
        let id = |piece| match piece {
            Piece::Term { id, .. } => Some(id),
            _ => None,
        };
        pieces(text).into_iter().filter_map(id).collect()
    }

    #[test]
    fn a_text_falls_into_words_code_and_terms() {
        let term = |shown, id| Piece::Term { shown, id };
        let text = "A [[lease]] at `/k`: [[leases|lease]].";
        let found = pieces(text);
        let plain = Piece::Plain;
        let expected = [
            plain("A "),
            term("lease", "lease"),
            plain(" at "),
            Piece::Code("/k"),
            plain(": "),
            term("leases", "lease"),
            plain("."),
        ];
        assert_eq!(found, expected);
        assert_eq!(pieces("a [b"), [plain("a ["), plain("b")], "nothing is lost");
        assert_eq!(pieces(""), []);
    }

    #[test]
    fn every_term_that_is_marked_is_explained_and_every_one_explained_is_marked() {
        let glossary = glossary().expect("the file is right");
        let ids: BTreeSet<&str> = glossary.terms.iter().map(|term| term.id.as_str()).collect();
        assert_eq!(ids.len(), glossary.terms.len(), "a term is there twice");
        let lessons = lessons();
        let texts = lessons.iter().flat_map(|lesson| &lesson.parts).flat_map(|part| &part.text);
        let used: BTreeSet<&str> = texts.flat_map(|text| marked(text)).collect();
        assert_eq!(used, ids);
    }

    /// Questions and steps are read out in one line, and labels are no place for buttons.
    #[test]
    fn terms_are_marked_only_in_what_is_told() {
        for lesson in &lessons() {
            let steps = lesson.steps.iter().map(|step| &step.text);
            let options = lesson.questions.iter().flat_map(|question| &question.options);
            let said = options.flat_map(|option| [&option.text, &option.right, &option.wrong]);
            let asked = lesson.questions.iter().map(|question| &question.text);
            let titles = lesson.parts.iter().map(|part| &part.title);
            for text in steps.chain(asked).chain(said).chain(titles) {
                assert!(marked(text).is_empty(), "{text}");
            }
        }
    }

    #[test]
    fn a_term_is_explained_in_a_sentence_or_two() {
        for term in &glossary().expect("the file is right").terms {
            assert!(term.text.ends_with('.') && term.text.len() < 240, "{}", term.id);
            assert!(marked(&term.text).is_empty(), "{}", term.id);
        }
    }
}
