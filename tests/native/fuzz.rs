//! Texts that nobody would write: each is read or refused with a sentence, and none
//! stops the program.

use crate::lots::Lots;
use fencepost::learn::Lesson;
use fencepost::scenario::{Scenario, library};
use fencepost::share::Link;

/// Pieces that matter to one of the formats.
const PIECES: &[&str] = &[
    "",
    "\n",
    " ",
    "=",
    "\"",
    "'",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "(",
    ")",
    ",",
    ".",
    "-",
    "%",
    "&",
    ":",
    "#",
    "\\",
    "\\u{7}",
    "ü",
    "\u{0}",
    "0",
    "-1",
    "9223372036854775807",
    "1e9",
    "true",
    "none",
    "W1",
    "etcd",
    "for_ms",
    "[store]",
    "[[worker]]",
    "extends = \"refund\"\n",
    "set",
    "do.pause",
];

/// A text with up to eight of its parts cut out, doubled or replaced.
fn spoiled(lots: &mut Lots, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..=lots.below(8) {
        let from = place(lots, &text);
        let length = lots.below(12) as usize;
        let to = (from..=text.len()).filter(|at| text.is_char_boundary(*at)).nth(length);
        let to = to.unwrap_or(text.len());
        let part = match lots.below(3) {
            0 => String::new(),
            1 => text[from..to].repeat(2),
            _ => lots.of(PIECES).to_owned(),
        };
        text.replace_range(from..to, &part);
    }
    text
}

fn place(lots: &mut Lots, text: &str) -> usize {
    let at = lots.below(text.len() as u64 + 1) as usize;
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// A sentence about a mistake says something, on one line.
#[track_caller]
fn check_sentence(seed: u64, error: &impl ToString) {
    let sentence = error.to_string();
    assert!(sentence.len() > 10, "seed {seed}: {sentence:?}");
}

/// Reads spoiled scenarios, links and lessons; gives back how many of each kind were
/// refused.
fn check(seeds: std::ops::Range<u64>) -> [u32; 3] {
    let lesson = include_str!("../../static/lessons/en/chapter-1/03-renewal-fails.toml");
    let mut refused = [0; 3];
    for seed in seeds {
        let mut lots = Lots::new(seed);
        let (id, text) = lots.of(library::ALL);
        if let Err(error) = Scenario::from_text(&spoiled(&mut lots, text)) {
            check_sentence(seed, &error);
            refused[0] += 1;
        }
        let fragment = format!("v=1&scenario={id}&click=25000000:pause(for_ms={seed},node=W1)");
        let link = Link::from_fragment(&spoiled(&mut lots, &fragment)).and_then(|link| link.run());
        if let Err(error) = link {
            check_sentence(seed, &error);
            refused[1] += 1;
        }
        if let Err(error) = Lesson::from_text(&spoiled(&mut lots, lesson)) {
            check_sentence(seed, &error);
            refused[2] += 1;
        }
    }
    refused
}

#[test]
fn spoiled_texts_are_read_or_refused() {
    let refused = check(0..300);
    assert!(refused.iter().all(|count| *count > 100), "most are refused: {refused:?}");
}

#[test]
#[ignore = "long: cargo xtask soak"]
fn a_hundred_thousand_spoiled_texts_are_read_or_refused() {
    let refused = check(300..100_300);
    println!("refused: scenarios, links, lessons {refused:?}");
}
