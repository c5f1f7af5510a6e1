//! Numbers as people type them.

use super::file::{Question, Unit};

/// What is wrong with a number that somebody typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untyped {
    /// Nothing was typed.
    Empty,
    /// It is no number, or one that means two things.
    NoNumber,
    /// What is asked for is whole.
    NotWhole,
    /// It is finer than what it is compared with.
    TooFine,
    /// It is below zero.
    Negative,
    /// It is far too large.
    TooLarge,
}

impl Question {
    /// A number as somebody typed it, in the unit of the file: of seconds, milliseconds.
    ///
    /// # Errors
    /// When it is none.
    pub fn read_number(&self, typed: &str) -> Result<i64, Untyped> {
        let text = typed.trim();
        match self.unit {
            _ if text.is_empty() => Err(Untyped::Empty),
            _ if text.starts_with(['-', '−']) => Err(Untyped::Negative),
            Some(Unit::Seconds) => {
                let number = text.strip_suffix('s').unwrap_or(text).trim_end();
                decimal(number, 3)
            }
            Some(Unit::Money) => match text.strip_suffix(['M', 'm']) {
                Some(number) => decimal(number.trim_end(), 6),
                None => whole(text),
            },
            None => whole(text),
        }
    }
}

/// A number with a point or a comma, times ten to the power of `places`.
fn decimal(text: &str, places: usize) -> Result<i64, Untyped> {
    let (whole, rest) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let is_bare = rest.is_empty() && whole.len() < text.len();
    if is_bare || !are_digits(whole) || !(rest.is_empty() || are_digits(rest)) {
        return Err(Untyped::NoNumber);
    }
    let rest = rest.trim_end_matches('0');
    if rest.len() > places {
        return Err(Untyped::TooFine);
    }
    parsed(&format!("{whole}{rest:0<places$}"))
}

/// A whole number; its thousands may be set apart.
fn whole(text: &str) -> Result<i64, Untyped> {
    let groups: Vec<&str> = text.split([',', ' ', '\u{a0}', '\'']).collect();
    let are_thousands = groups[1..].iter().all(|group| group.len() == 3);
    let is_first_short = groups.len() == 1 || groups[0].len() <= 3;
    if groups.iter().all(|group| are_digits(group)) && are_thousands && is_first_short {
        return parsed(&groups.concat());
    }
    // The zeros of a number that is whole all the same do no harm.
    match text.split_once(['.', ',']) {
        Some((number, rest)) if are_digits(number) && are_digits(rest) => {
            if rest.len() != 3 && rest.bytes().all(|digit| digit == b'0') {
                parsed(number)
            } else {
                Err(Untyped::NotWhole)
            }
        }
        _ => Err(Untyped::NoNumber),
    }
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Of digits alone.
fn parsed(digits: &str) -> Result<i64, Untyped> {
    digits.parse().map_err(|_| Untyped::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::quiz::{Kind, quiz};

    fn question(unit: Option<Unit>) -> Question {
        let questions = quiz().expect("the files are right").questions;
        let of_unit = |q: &Question| q.kind == Kind::Number && q.unit == unit;
        questions.into_iter().find(of_unit).expect("there is one")
    }

    #[track_caller]
    fn check(unit: Option<Unit>, all: &[(&str, Result<i64, Untyped>)]) {
        let question = question(unit);
        for (typed, expected) in all {
            assert_eq!(question.read_number(typed), *expected, "{typed:?}");
        }
    }

    #[test]
    fn seconds_are_read_as_milliseconds() {
        let ways = ["48", "48.0", "48,0", " 48 s ", "48s", "48.000", "48.0000", "048"];
        check(Some(Unit::Seconds), &ways.map(|typed| (typed, Ok(48_000))));
        check(
            Some(Unit::Seconds),
            &[
                ("51.502", Ok(51_502)),
                ("51,5", Ok(51_500)),
                ("0.05", Ok(50)),
                ("51.5025", Err(Untyped::TooFine)),
                ("51.", Err(Untyped::NoNumber)),
                (".5", Err(Untyped::NoNumber)),
                ("1.2.3", Err(Untyped::NoNumber)),
                ("soon", Err(Untyped::NoNumber)),
                ("4e1", Err(Untyped::NoNumber)),
                ("-3", Err(Untyped::Negative)),
                ("", Err(Untyped::Empty)),
                ("  ", Err(Untyped::Empty)),
                ("s", Err(Untyped::NoNumber)),
                ("99999999999999999999", Err(Untyped::TooLarge)),
            ],
        );
    }

    #[test]
    fn money_may_be_written_as_the_page_does() {
        let ways = ["2000000", "2,000,000", "2 000 000", "2.0 M", "2M", "2,0 M", "2'000'000"];
        check(Some(Unit::Money), &ways.map(|typed| (typed, Ok(2_000_000))));
        check(
            Some(Unit::Money),
            &[
                ("100,000", Ok(100_000)),
                ("0", Ok(0)),
                ("2,5", Err(Untyped::NotWhole)),
                ("20,00,000", Err(Untyped::NoNumber)),
                ("2000,000", Err(Untyped::NotWhole)),
                ("M", Err(Untyped::NoNumber)),
            ],
        );
    }

    /// "43.000" is 43 in one country and 43,000 in another.
    #[test]
    fn a_token_is_whole() {
        check(
            None,
            &[
                ("43", Ok(43)),
                ("43.0", Ok(43)),
                ("43.000", Err(Untyped::NotWhole)),
                ("43.5", Err(Untyped::NotWhole)),
                ("43 s", Err(Untyped::NoNumber)),
                ("W2", Err(Untyped::NoNumber)),
            ],
        );
    }
}
