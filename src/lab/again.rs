//! What is open, as a text: for when the page is loaded again. It tells runs as links do, and
//! no run is carried out for it.
//!
//! ```text
//!   fencepost-open 1
//!   opened 2                    how many runs were opened so far
//!   shown 2                     the run one looks at
//!   beside 1                    the one beside it
//!   begun claim-first 2         the run with which a lesson was last begun
//!   predicted QUESTION OPTION
//!   done late-report            a lesson that was finished
//!   run 2 v=1&scenario=…        a run, by its number; of it tell the lines that follow:
//!   of claim-first              the lesson in which it was opened
//!   seen 73074000               how far it has been run
//!   waits 25000000              where it waits for the reader
//!   told TITLE WHAT%20IT%20SHOWS
//! ```

use super::lesson::Place;
use super::open::Told;
use super::{Lab, Open};
use crate::learn::later::Later;
use crate::share::{Link, LinkError};
use crate::sim::order;
use crate::sim::time::TrueTime;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::str::FromStr;
use thiserror::Error;

/// The first line: what it is, and the version.
const HEAD: &str = "fencepost-open 1";

/// A line of the text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct AgainError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: AgainProblem,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AgainProblem {
    /// It is no such text, or one of another version.
    #[error("`{HEAD}` is expected")]
    Head,
    /// It says nothing that is known.
    #[error("nothing begins with `{0}`")]
    NoSuchLine(String),
    /// It is no number where one has to be.
    #[error("`{0}` is no such number")]
    NoNumber(String),
    /// There is no such lesson.
    #[error("there is no lesson `{0}`")]
    NoLesson(String),
    /// It tells of a run, and none stands before it.
    #[error("no run stands before it")]
    NoRun,
    /// Something has to stand in it that does not.
    #[error("it is too short")]
    TooShort,
    /// It is no text.
    #[error("its percent-encoding is no text")]
    NoText,
    /// The run cannot be opened.
    #[error("{0}")]
    Link(#[from] LinkError),
    /// A run's number is there twice, or the run one looks at is not there.
    #[error("the numbers of the runs do not fit")]
    Numbers,
}

/// What has been read so far.
#[derive(Default)]
struct Found {
    runs: Vec<Open>,
    homes: Vec<(u32, Place)>,
    begun_with: Vec<(Place, u32)>,
    predictions: Vec<(String, String)>,
    done: Vec<String>,
    opened: u32,
    shown: u32,
    beside: Option<u32>,
}

impl Lab {
    /// What is open, as a text; none where that is only what the quiz has opened. Runs that
    /// no link can tell are left out and named.
    #[inline(never)]
    pub fn kept_open(&self) -> Option<(String, Vec<LinkError>)> {
        let runs = self.runs.iter().filter(|open| !self.is_of_quiz(open));
        let (mut told, mut left_out) = (Vec::new(), Vec::new());
        for open in runs {
            match self.told_again(open) {
                Ok(lines) => told.push((open.number(), lines)),
                Err(error) => left_out.push(error),
            }
        }
        let is_told = |number: u32| told.iter().any(|(other, _)| *other == number);
        let shown = Some(self.open().number()).filter(|number| is_told(*number));
        let shown = shown.or_else(|| told.last().map(|(number, _)| *number))?;
        let mut lines =
            vec![HEAD.to_owned(), format!("opened {}", self.opened), format!("shown {shown}")];
        let beside = self.beside.filter(|number| is_told(*number) && *number != shown);
        lines.extend(beside.map(|number| format!("beside {number}")));
        let reading = &self.reading;
        let begun = reading.begun_with.iter();
        lines.extend(begun.map(|(place, run)| format!("begun {} {run}", self.lesson_id(*place))));
        let predicted = reading.predictions.iter();
        lines.extend(predicted.map(|(question, option)| format!("predicted {question} {option}")));
        lines.extend(reading.done.iter().map(|lesson| format!("done {lesson}")));
        lines.extend(told.into_iter().flat_map(|(_, lines)| lines));
        Some((lines.join("\n"), left_out))
    }

    fn lesson_id(&self, place: Place) -> &str {
        &self.reading.headings[place.chapter].lessons[place.lesson]
    }

    fn told_again(&self, open: &Open) -> Result<Vec<String>, LinkError> {
        let at = (!open.is_at_start()).then(|| open.now());
        let link = Link { at, ..Link::without_outcome(open.run())? };
        let mut lines = vec![format!("run {} {}", open.number(), link.fragment())];
        let home = self.reading.homes.get(&open.number());
        lines.extend(home.map(|place| format!("of {}", self.lesson_id(*place))));
        let seen = open.seen_until();
        lines.extend((seen > open.now()).then(|| format!("seen {}", seen.0)));
        lines.extend(open.waits_at().map(|at| format!("waits {}", at.0)));
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let told = open.told();
        lines.extend(
            told.map(|told| format!("told {} {}", encoded(&told.title), encoded(&told.shows))),
        );
        Ok(lines)
    }

    /// Opens what was open, in place of all that is.
    ///
    /// # Errors
    /// When the text cannot be read. Nothing is changed then.
    #[inline(never)]
    pub fn open_again(&mut self, text: &str) -> Result<(), AgainError> {
        let mut found = Found::default();
        for (place, line) in text.lines().enumerate() {
            let taken = match place {
                0 if line == HEAD => Ok(()),
                0 => Err(AgainProblem::Head),
                _ => self.take_line(&mut found, line),
            };
            taken.map_err(|problem| AgainError { line: place + 1, problem })?;
        }
        let end = |problem| AgainError { line: text.lines().count(), problem };
        let count = |number| found.runs.iter().filter(|it| it.number() == number).count();
        let fits = |open: &Open| open.number() <= found.opened && count(open.number()) == 1;
        let active = found.runs.iter().position(|open| open.number() == found.shown);
        let active = active.filter(|_| found.runs.iter().all(fits));
        self.active = active.ok_or_else(|| end(AgainProblem::Numbers))?;
        self.beside = found.beside.filter(|number| count(*number) == 1);
        (self.runs, self.opened) = (found.runs, found.opened);
        let reading = &mut self.reading;
        reading.towards = None;
        reading.homes = order::map(found.homes.into_iter());
        reading.begun_with = order::map(found.begun_with.into_iter());
        reading.predictions = order::map(found.predictions.into_iter());
        reading.done.extend(found.done);
        let homes: Vec<Place> = reading.homes.values().copied().collect();
        for place in homes {
            if self.reading.chapters[place.chapter].is_none() {
                self.want(Later::Chapter(place.chapter));
            }
        }
        self.reading.follow(self.open().number());
        self.follow();
        self.find_others();
        Ok(())
    }

    fn take_line(&self, found: &mut Found, line: &str) -> Result<(), AgainProblem> {
        let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
        let two = || rest.split_once(' ').ok_or(AgainProblem::TooShort);
        let last = || found.runs.last().map(Open::number).ok_or(AgainProblem::NoRun);
        match name {
            "opened" => found.opened = number(rest)?,
            "shown" => found.shown = number(rest)?,
            "beside" => found.beside = Some(number(rest)?),
            "begun" => {
                let (lesson, run) = two()?;
                found.begun_with.push((self.lesson_place(lesson)?, number(run)?));
            }
            "predicted" => {
                let (question, option) = two()?;
                found.predictions.push((question.to_owned(), option.to_owned()));
            }
            "done" => found.done.push(rest.to_owned()),
            "run" => {
                let (run, fragment) = two()?;
                found.runs.push(super::sharing::opened(fragment, number(run)?)?.0);
            }
            "of" => found.homes.push((last()?, self.lesson_place(rest)?)),
            "seen" | "waits" | "told" => {
                let open = found.runs.last_mut().ok_or(AgainProblem::NoRun)?;
                about(open, name, rest)?;
            }
            _ => return Err(AgainProblem::NoSuchLine(name.to_owned())),
        }
        Ok(())
    }

    fn lesson_place(&self, id: &str) -> Result<Place, AgainProblem> {
        self.reading.find(id).ok_or_else(|| AgainProblem::NoLesson(id.to_owned()))
    }
}

/// What a line tells of the run before it.
fn about(open: &mut Open, name: &str, rest: &str) -> Result<(), AgainProblem> {
    match name {
        "seen" => {
            let now = open.now();
            open.seek(TrueTime(number(rest)?));
            open.seek(now);
        }
        "waits" => open.set_waits_at(TrueTime(number(rest)?)),
        _ => {
            let (title, shows) = rest.split_once(' ').ok_or(AgainProblem::TooShort)?;
            let decoded = |text| {
                let text = percent_decode_str(text).decode_utf8();
                text.map(|text| text.into_owned()).map_err(|_| AgainProblem::NoText)
            };
            open.set_told(Some(Told { title: decoded(title)?, shows: decoded(shows)? }));
        }
    }
    Ok(())
}

fn number<T: FromStr>(text: &str) -> Result<T, AgainProblem> {
    text.parse().map_err(|_| AgainProblem::NoNumber(text.to_owned()))
}

#[cfg(test)]
mod tests;
