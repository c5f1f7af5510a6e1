//! What is right, found by the engine.

use super::file::{Answer, Choice, Expected, Kind, Question, QuizError, with};
use super::measure::{Measure, Measured};
use crate::scenario::{Run, ScenarioError};
use crate::sim::event::EventId;
use crate::sim::order;

/// What is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solution {
    /// These options; for an order, in order.
    Options(Vec<String>),
    /// This number.
    Number(i64),
    /// This event, at this moment in milliseconds.
    Event(EventId, i64),
    /// What is asked for does not happen.
    Never,
}

impl Solution {
    /// Whether a file says the same.
    pub fn agrees(&self, answer: &Answer) -> bool {
        match (self, answer) {
            (Solution::Options(found), Answer::Options(said)) => found == said,
            (Solution::Number(found) | Solution::Event(_, found), Answer::Number(said)) => {
                found == said
            }
            _ => false,
        }
    }
}

impl Question {
    /// The run it is about.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn run(&self) -> Result<Run, QuizError> {
        self.run.run().map_err(|error| self.wrong_run(error))
    }

    /// The changed run.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn changed_run(&self) -> Result<Run, QuizError> {
        let changed = &self.changed;
        let run = changed.run.as_ref().unwrap_or(&self.run);
        let run = run.run().map_err(|error| self.wrong_run(error))?;
        with(run, &changed.set, changed.clicks.as_deref()).map_err(|error| self.wrong_run(error))
    }

    fn wrong_run(&self, error: ScenarioError) -> QuizError {
        QuizError::Run { question: self.id.clone(), error }
    }

    /// What is right of a run: each option is tried.
    ///
    /// # Errors
    /// When an option sets what cannot be.
    pub fn solve(&self, run: &Run) -> Result<Solution, QuizError> {
        let solution = match self.kind {
            Kind::Number | Kind::Event => self.measured(run),
            Kind::Order => self.ordered(run),
            Kind::Choice | Kind::Several | Kind::Line => self.chosen(run),
        };
        solution.map_err(|error| self.wrong_run(error))
    }

    fn measured(&self, run: &Run) -> Result<Solution, ScenarioError> {
        let Some(measure) = &self.asks else { return Ok(Solution::Never) };
        let replay = run.to_end()?;
        Ok(match measure.take(&run.scenario, &replay) {
            Measured::Number(number) => Solution::Number(number),
            Measured::Event(event) => {
                let at = replay.past()[event.index()].at;
                Solution::Event(event, at.0.div_euclid(1_000))
            }
            Measured::Word(_) | Measured::Name(_) | Measured::Never => Solution::Never,
        })
    }

    fn ordered(&self, run: &Run) -> Result<Solution, ScenarioError> {
        let replay = run.to_end()?;
        let mut moments = Vec::new();
        for option in &self.options {
            let Some(measure) = &option.asks else { return Ok(Solution::Never) };
            match measure.take(&run.scenario, &replay) {
                Measured::Number(moment) => moments.push((moment, option.id.clone())),
                _ => return Ok(Solution::Never),
            }
        }
        order::by(&mut moments, Ord::cmp);
        let is_clear = moments.windows(2).all(|pair| pair[0].0 < pair[1].0);
        let ids = moments.into_iter().map(|(_, id)| id).collect();
        Ok(if is_clear { Solution::Options(ids) } else { Solution::Never })
    }

    fn chosen(&self, run: &Run) -> Result<Solution, ScenarioError> {
        let mut right = Vec::new();
        for option in &self.options {
            if self.is_right(option, run)? {
                right.push(option.id.clone());
            }
        }
        Ok(Solution::Options(right))
    }

    fn is_right(&self, option: &Choice, run: &Run) -> Result<bool, ScenarioError> {
        let asks = option.asks.as_ref().or(self.asks.as_ref());
        let expected = option.is.as_ref().or(self.is.as_ref());
        let (Some(measure), Some(expected)) = (asks, expected) else { return Ok(false) };
        is(measure, &tried(option, run)?, expected)
    }

    /// The run in which an option is tried.
    ///
    /// # Errors
    /// When the option sets what cannot be.
    pub fn tried(&self, option: &Choice, run: &Run) -> Result<Run, QuizError> {
        tried(option, run).map_err(|error| self.wrong_run(error))
    }
}

fn tried(option: &Choice, run: &Run) -> Result<Run, ScenarioError> {
    with(run.clone(), &option.set, option.clicks.as_deref())
}

fn is(measure: &Measure, run: &Run, expected: &Expected) -> Result<bool, ScenarioError> {
    Ok(measure.take(&run.scenario, &run.to_end()?).is(expected))
}
