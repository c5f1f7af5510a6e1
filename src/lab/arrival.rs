//! What the page's address asks for behind its `?`: what to open, and how to look. For
//! pages that hold ours in a frame; documented in `docs/embedding.md`.

use super::{Lab, Speed};
use crate::learn::headings;
use crate::scenario::{Scenario, ScenarioError, library};
use crate::text::ui::ui;
use percent_encoding::percent_decode_str;
use thiserror::Error;

/// Whether the page stands by itself or in another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// By itself.
    #[default]
    Whole,
    /// In a frame that another page sizes: without its header.
    Embedded,
}

/// The colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system asks.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// What is opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Opens {
    /// The first lesson, as always.
    #[default]
    First,
    /// A scenario, by its id.
    Scenario(String),
    /// A chapter, or one lesson of it, by its id.
    Chapter(String),
    /// A question of the quiz, by its id.
    Question(String),
}

/// What stands at the side of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtSide {
    /// The lesson and the quiz, with a switch.
    Both,
    /// The lesson.
    Lesson,
    /// The quiz.
    Quiz,
    /// Nothing: the lab stands alone.
    Nothing,
}

/// What an address asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrival {
    /// Where the page stands.
    pub place: Place,
    /// What is opened.
    pub opens: Opens,
    /// Its colours.
    pub theme: Theme,
    /// How fast runs play.
    pub speed: Speed,
    /// What could not be understood. All else is as asked.
    pub mistakes: Vec<ArrivalMistake>,
}

/// What is wrong in an address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArrivalMistake {
    /// A name that is not known.
    #[error("“{name}” is nothing that the address can set; it can set {}", NAMES.join(", "))]
    NoSuchName {
        /// The name.
        name: String,
    },
    /// A name that is there again.
    #[error("“{name}” is there twice; the first counts")]
    Twice {
        /// The name.
        name: String,
    },
    /// A value that is none of those that can be.
    #[error("“{name}” cannot be “{found}”; it can be {there}")]
    NoSuchValue {
        /// The name.
        name: String,
        /// Its value.
        found: String,
        /// What it can be.
        there: String,
    },
    /// Two that both say what is opened.
    #[error("“{first}” and “{second}” both say what to open; the first counts")]
    Both {
        /// The first.
        first: String,
        /// The second.
        second: String,
    },
}

/// What an address can set.
const NAMES: &[&str] = &["embed", "scenario", "chapter", "question", "theme", "speed"];

/// So many ids are listed where none of them was named; of more, those most like what was.
const LISTED: usize = 16;
const LIKE_IT: usize = 3;
/// Where to find those.
const WHERE_ALL: &str = " (docs/embedding.md lists them all)";

/// What can be opened: by what name, which ids there are, and what it is then.
struct Shelf<'a> {
    name: &'static str,
    /// None where they are not known yet.
    there: Option<&'a [String]>,
    opens: fn(String) -> Opens,
}

/// Ids of what can be opened. Those of questions are known when the quiz is there.
#[derive(Clone, Debug, Default)]
pub struct Ids {
    /// Of scenarios.
    pub scenarios: Vec<String>,
    /// Of chapters and lessons.
    pub chapters: Vec<String>,
}

impl Ids {
    /// Of all that an address may name.
    pub fn all() -> Ids {
        let headings = headings().expect("a test reads every chapter");
        Ids {
            scenarios: library::IDS.iter().map(|id| (*id).to_owned()).collect(),
            chapters: headings
                .into_iter()
                .flat_map(|heading| std::iter::once(heading.id).chain(heading.lessons))
                .collect(),
        }
    }
}

impl Lab {
    /// The lab as an address wants it, with the run of the link behind its `#`: in place of
    /// the first lesson's, or else beside what is opened. What it asks for and cannot be
    /// had is told, and all else is as asked.
    ///
    /// # Errors
    /// When a built-in scenario is wrong, which a test excludes.
    pub fn arrive(arrival: &Arrival, link: Option<&str>) -> Result<Lab, ScenarioError> {
        let mut lab = match &arrival.opens {
            Opens::Scenario(id) => Lab::on(&Scenario::built_in(id)?)?,
            Opens::Chapter(id) => Lab::at_lesson(id)?,
            _ => Lab::new()?,
        };
        if let Opens::Question(id) = &arrival.opens {
            lab.arrive_at_question(id);
        }
        lab.speed = arrival.speed;
        lab.warn_of(&arrival.mistakes);
        // In a frame no lesson stands beside it.
        let has_lesson = arrival.place == Place::Whole;
        if has_lesson && matches!(arrival.opens, Opens::Scenario(_)) {
            lab.begin_under_its_lesson();
        }
        let takes_place = arrival.opens == Opens::First;
        if link.is_some_and(|link| lab.open_first_link(link, takes_place))
            && has_lesson
            && takes_place
        {
            lab.begin_under_its_lesson();
        }
        lab.find_others();
        Ok(lab)
    }

    /// Tells what is wrong in the address.
    pub(super) fn warn_of(&mut self, mistakes: &[ArrivalMistake]) {
        if !mistakes.is_empty() {
            let told: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
            self.warn((ui().embed.mistakes)(&told));
        }
    }
}

impl ArrivalMistake {
    /// There is no question of that id.
    pub(super) fn no_question(id: &str, all: &[&str]) -> ArrivalMistake {
        no_such_value("question", id, listed(id, all))
    }
}

impl Arrival {
    /// What stands at the side: in a frame only what was asked for. `has_run` says whether
    /// a run stands behind the `#`.
    pub fn at_side(&self, has_run: bool) -> AtSide {
        match (self.place, &self.opens) {
            (Place::Whole, _) => AtSide::Both,
            (Place::Embedded, Opens::Question(_)) => AtSide::Quiz,
            (Place::Embedded, Opens::Chapter(_)) => AtSide::Lesson,
            (Place::Embedded, Opens::First) if !has_run => AtSide::Lesson,
            (Place::Embedded, Opens::First | Opens::Scenario(_)) => AtSide::Nothing,
        }
    }

    /// Reads what stands behind the `?`, without it.
    pub fn from_query(query: &str, ids: &Ids) -> Arrival {
        let mut arrival = Arrival::default();
        let mut seen: Vec<String> = Vec::new();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            let (name, value) = (decoded(name), decoded(value));
            if seen.contains(&name) {
                arrival.mistakes.push(ArrivalMistake::Twice { name });
            } else if let Err(mistake) = arrival.take(&name, &value, ids, &mut seen) {
                arrival.mistakes.push(mistake);
            }
        }
        arrival
    }

    fn take(
        &mut self,
        name: &str,
        value: &str,
        ids: &Ids,
        seen: &mut Vec<String>,
    ) -> Result<(), ArrivalMistake> {
        let shelf = |name, there, opens| Shelf { name, there: Some(there), opens };
        match name {
            "embed" => {
                let places = [("1", Place::Embedded), ("0", Place::Whole)];
                self.place = one_of(name, value, &places)?;
            }
            "theme" => {
                let themes =
                    [("light", Theme::Light), ("dark", Theme::Dark), ("system", Theme::System)];
                self.theme = one_of(name, value, &themes)?;
            }
            "speed" => self.speed = one_of(name, value, &SPEEDS)?,
            "scenario" => {
                self.open(shelf("scenario", &ids.scenarios, Opens::Scenario), value, seen)?
            }
            "chapter" => self.open(shelf("chapter", &ids.chapters, Opens::Chapter), value, seen)?,
            "question" => {
                let shelf = Shelf { name: "question", there: None, opens: Opens::Question };
                self.open(shelf, value, seen)?;
            }
            _ => return Err(ArrivalMistake::NoSuchName { name: name.to_owned() }),
        }
        seen.push(name.to_owned());
        Ok(())
    }

    fn open(&mut self, shelf: Shelf, id: &str, seen: &[String]) -> Result<(), ArrivalMistake> {
        let says_too =
            |name: &&String| ["scenario", "chapter", "question"].contains(&name.as_str());
        if let Some(first) = seen.iter().find(says_too) {
            let (first, second) = (first.clone(), shelf.name.to_owned());
            return Err(ArrivalMistake::Both { first, second });
        }
        if let Some(all) = shelf.there.filter(|all| !all.iter().any(|there| there == id)) {
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            return Err(no_such_value(shelf.name, id, listed(id, &all)));
        }
        self.opens = (shelf.opens)(id.to_owned());
        Ok(())
    }
}

/// How an address writes a speed.
const SPEEDS: [(&str, Speed); 5] = [
    ("0.25", Speed::Quarter),
    ("0.5", Speed::Half),
    ("1", Speed::Normal),
    ("2", Speed::Double),
    ("8", Speed::Eightfold),
];

fn one_of<T: Copy>(name: &str, value: &str, choices: &[(&str, T)]) -> Result<T, ArrivalMistake> {
    let found = choices.iter().find(|(word, _)| *word == value);
    let there = || choices.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
    found.map(|(_, choice)| *choice).ok_or_else(|| no_such_value(name, value, there()))
}

/// All ids, or of many those most like the one that is none of them.
fn listed(id: &str, all: &[&str]) -> String {
    if all.len() <= LISTED {
        return all.join(", ");
    }
    let mut alike: Vec<&str> = all.to_vec();
    alike.sort_by_key(|there| edits(id, there));
    alike.truncate(LIKE_IT);
    let others = all.len() - LIKE_IT;
    format!("{}, or one of {others} others{WHERE_ALL}", alike.join(", "))
}

/// How many letters have to be put in, taken out or changed to make the one of the other.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (place, letter) in from.chars().take(100).enumerate() {
        let mut before = std::mem::replace(&mut row[0], place + 1);
        for (column, other) in to.iter().enumerate() {
            let changed = before + usize::from(letter != *other);
            before = row[column + 1];
            row[column + 1] = changed.min(before + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

fn no_such_value(name: &str, found: &str, there: String) -> ArrivalMistake {
    ArrivalMistake::NoSuchValue { name: name.to_owned(), found: found.to_owned(), there }
}

/// As people wrote it. What is no text stays as it is, and is then no name or value.
fn decoded(part: &str) -> String {
    percent_decode_str(part)
        .decode_utf8()
        .map_or_else(|_| part.to_owned(), |text| text.into_owned())
}

#[cfg(test)]
#[path = "arrival_tests.rs"]
mod tests;
