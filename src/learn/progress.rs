//! What somebody has learned so far: the last answer to each question of the quiz, and
//! the lessons that were finished. As a text it is small, versioned and in lines:
//!
//! ```text
//!   fencepost progress 1
//!   rounds 3
//!   answer lease-end right sure
//!   answer hand-over wrong
//!   lesson chapter-1
//! ```
//!
//! The answers stand in the order in which they were given, so those that were wrong are
//! the list of what comes again, longest missed first.

use crate::content::{Choice, choices};
use thiserror::Error;

/// What a text begins with that this program writes and reads.
const FIRST_LINE: &str = "fencepost progress 1";

/// No text of ours comes near it.
const BYTES_AT_MOST: usize = 65_536;

/// How sure somebody was of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confidence {
    /// Not sure.
    NotSure,
    /// Fairly sure.
    Fairly,
    /// Sure.
    Sure,
}

choices! {
    Confidence {
        NotSure = "unsure",
        Fairly = "fairly",
        Sure = "sure",
    }
}

/// The last answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Last {
    /// The question's id.
    pub question: String,
    /// Whether it was right.
    pub right: bool,
    /// How sure somebody was, if that was said.
    pub confidence: Option<Confidence>,
}

/// What somebody has learned so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    rounds: u32,
    answers: Vec<Last>,
    lessons: Vec<String>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line} is not understood: {text:?}")]
pub struct Spoiled {
    /// Counted from 1.
    pub line: usize,
    /// How it begins.
    pub text: String,
}

/// What is wrong with a text of which nothing can be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unreadable {
    /// It is of another version, or something else.
    #[error("it does not begin with {FIRST_LINE:?}")]
    FirstLine,
    /// It is far too long.
    #[error("it is longer than {BYTES_AT_MOST} bytes")]
    TooLong,
}

impl Progress {
    /// Reads a text: what can be understood, and the lines that cannot.
    ///
    /// # Errors
    /// When it is no such text at all.
    pub fn from_text(text: &str) -> Result<(Progress, Vec<Spoiled>), Unreadable> {
        if text.len() > BYTES_AT_MOST {
            return Err(Unreadable::TooLong);
        }
        let mut lines = text.lines().enumerate();
        if lines.next().is_none_or(|(_, first)| first != FIRST_LINE) {
            return Err(Unreadable::FirstLine);
        }
        let (mut progress, mut spoiled) = (Progress::default(), Vec::new());
        for (place, line) in lines {
            if progress.take(line).is_none() {
                spoiled.push(Spoiled { line: place + 1, text: line.chars().take(40).collect() });
            }
        }
        Ok((progress, spoiled))
    }

    /// Takes in a line; none if it is not understood.
    fn take(&mut self, line: &str) -> Option<()> {
        let words: Vec<&str> = line.split(' ').collect();
        match *words.as_slice() {
            ["rounds", count] => self.rounds = count.parse().ok()?,
            ["lesson", id] if is_id(id) => self.finish_lesson(id),
            ["answer", id, was, ref sure @ ..] if is_id(id) && sure.len() < 2 => {
                let right = match was {
                    "right" => true,
                    "wrong" => false,
                    _ => return None,
                };
                let confidence = match sure.first() {
                    Some(name) => Some(Confidence::named(name)?),
                    None => None,
                };
                self.answer(Last { question: id.to_owned(), right, confidence });
            }
            _ => return None,
        }
        Some(())
    }

    /// The text that is read as the same.
    pub fn text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nrounds {}\n", self.rounds);
        for last in &self.answers {
            let was = if last.right { "right" } else { "wrong" };
            text.push_str(&format!("answer {} {was}", last.question));
            if let Some(confidence) = last.confidence {
                text.push(' ');
                text.push_str(confidence.name());
            }
            text.push('\n');
        }
        for lesson in &self.lessons {
            text.push_str(&format!("lesson {lesson}\n"));
        }
        text
    }

    /// Takes the place of the answer to its question before.
    pub fn answer(&mut self, last: Last) {
        self.answers.retain(|other| other.question != last.question);
        self.answers.push(last);
    }

    /// The last answers, in the order in which they were given.
    pub fn answers(&self) -> &[Last] {
        &self.answers
    }

    /// The questions whose last answer was wrong, longest missed first.
    pub fn missed(&self) -> impl Iterator<Item = &str> {
        let missed = self.answers.iter().filter(|last| !last.right);
        missed.map(|last| last.question.as_str())
    }

    /// A lesson has been finished.
    pub fn finish_lesson(&mut self, id: &str) {
        if !self.lessons.iter().any(|other| other == id) {
            self.lessons.push(id.to_owned());
        }
    }

    /// The lessons that have been finished.
    pub fn lessons(&self) -> &[String] {
        &self.lessons
    }

    /// How many rounds of the quiz have been begun.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Another round begins.
    pub fn begin_round(&mut self) {
        self.rounds = self.rounds.saturating_add(1);
    }
}

fn is_id(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(question: &str, right: bool, confidence: Option<Confidence>) -> Last {
        Last { question: question.to_owned(), right, confidence }
    }

    fn some() -> Progress {
        let mut progress = Progress::default();
        progress.begin_round();
        progress.answer(last("hand-over", false, None));
        progress.answer(last("lease-end", false, Some(Confidence::Sure)));
        progress.answer(last("two-believe", true, Some(Confidence::NotSure)));
        progress.finish_lesson("chapter-1");
        progress
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        for progress in [Progress::default(), some()] {
            assert_eq!(Progress::from_text(&progress.text()), Ok((progress, Vec::new())));
        }
    }

    #[test]
    fn the_last_answer_counts_and_what_is_missed_stands_in_its_order() {
        let mut progress = some();
        assert_eq!(progress.missed().collect::<Vec<_>>(), ["hand-over", "lease-end"]);
        progress.answer(last("hand-over", false, Some(Confidence::Fairly)));
        assert_eq!(progress.missed().collect::<Vec<_>>(), ["lease-end", "hand-over"]);
        progress.answer(last("lease-end", true, None));
        assert_eq!(progress.missed().collect::<Vec<_>>(), ["hand-over"]);
        assert_eq!(progress.answers().len(), 3);
    }

    #[test]
    fn a_spoiled_line_is_named_and_the_others_are_kept() {
        let lines = [
            "answer",
            "answer lease-end",
            "answer lease-end maybe",
            "answer lease-end right certain",
            "answer lease-end right sure sure",
            "answer Lease/End right",
            "answer  right",
            "rounds many",
            "rounds -1",
            "rounds 99999999999",
            "lesson",
            "lesson a b",
            "",
            "\u{0}",
        ];
        for line in lines {
            let text = some().text().replacen("rounds 1\n", &format!("{line}\nrounds 1\n"), 1);
            let spoiled = vec![Spoiled { line: 2, text: line.to_owned() }];
            assert_eq!(Progress::from_text(&text), Ok((some(), spoiled)), "{line:?}");
        }
    }

    #[test]
    fn another_text_is_said_to_be_none_of_ours() {
        for text in ["", "fencepost progress 2\nrounds 1\n", "{\"rounds\": 1}", "\u{feff}"] {
            assert_eq!(Progress::from_text(text), Err(Unreadable::FirstLine), "{text:?}");
        }
        let long = some().text() + &"answer a right\n".repeat(9_000);
        assert_eq!(Progress::from_text(&long), Err(Unreadable::TooLong));
    }

    /// Whatever was done to a text, reading it makes no harm, and what was read is
    /// written so that nothing is lost the next time.
    #[test]
    fn no_spoiled_text_is_a_panic() {
        let text = some().text();
        for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
            for other in ["", " ", "\n", "x", "é", "\n\nanswer x right\n"] {
                let spoiled = format!("{}{other}{}", &text[..at], &text[at + 1..]);
                if let Ok((progress, _)) = Progress::from_text(&spoiled) {
                    assert_eq!(Progress::from_text(&progress.text()), Ok((progress, Vec::new())));
                }
            }
        }
    }
}
