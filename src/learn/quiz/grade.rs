//! Whether an answer is right, and what is said to it.

use super::file::{Choice, Kind, Question};
use super::solve::Solution;
use crate::sim::event::EventId;

/// An answer that somebody gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// Options by id; for an order, in order.
    Options(Vec<String>),
    /// A number.
    Number(i64),
    /// An event.
    Event(EventId),
}

/// How an answer is met.
#[derive(Clone, Debug, PartialEq)]
pub struct Grade<'a> {
    /// Whether it is right.
    pub right: bool,
    /// The options that were chosen, or that the number stands for, each with what is
    /// said to it.
    pub chosen: Vec<&'a Choice>,
}

impl Question {
    /// Compares an answer with what is right.
    pub fn grade(&self, given: &Given, solution: &Solution) -> Grade<'_> {
        let right = match (given, solution) {
            (Given::Options(given), Solution::Options(right)) if self.kind == Kind::Order => {
                given == right
            }
            (Given::Options(given), Solution::Options(right)) => {
                given.len() == right.len() && right.iter().all(|id| given.contains(id))
            }
            (Given::Number(given), Solution::Number(right)) => {
                given.abs_diff(*right) <= self.within.unsigned_abs()
            }
            (Given::Event(given), Solution::Event(right, _)) => given == right,
            _ => false,
        };
        let chosen = match given {
            Given::Options(ids) => ids.iter().filter_map(|id| self.option(id)).collect(),
            Given::Number(number) => self.nearest(*number).into_iter().collect(),
            Given::Event(_) => Vec::new(),
        };
        Grade { right, chosen }
    }

    /// What people often say, if the number is as near to it as a right one has to be.
    fn nearest(&self, number: i64) -> Option<&Choice> {
        let distance = |option: &&Choice| match option.is {
            Some(super::file::Expected::Number(said)) => Some(said.abs_diff(number)),
            _ => None,
        };
        let near = |option: &&Choice| {
            distance(option).is_some_and(|far| far <= self.within.unsigned_abs())
        };
        self.options.iter().filter(near).min_by_key(|option| distance(option))
    }
}
