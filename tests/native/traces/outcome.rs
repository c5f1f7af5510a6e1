//! What came of replaying a trace.

use serde_json::Value;

/// Why a step cannot be replayed.
pub enum Problem {
    /// It needs something outside the model.
    Outside(String),
    /// The file is not what a trace is.
    Wrong(String),
}

impl From<String> for Problem {
    fn from(wrong: String) -> Problem {
        Problem::Wrong(wrong)
    }
}

/// What came of replaying a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Replayed {
    /// It needs something that is no part of the model.
    Outside {
        /// The step's number.
        step: Value,
        /// The operation, as in "`MULTI`".
        operation: String,
    },
    /// It was replayed.
    Compared(Compared),
}

/// How a replay compares with what was recorded.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compared {
    /// How many operations were compared.
    pub operations: usize,
    /// What differed, in the order of the steps.
    pub differences: Vec<Difference>,
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The step's number.
    pub step: Value,
    /// What differs: what the model does, and what the server did.
    pub what: String,
    /// Whether it concerns more than words.
    pub weight: Weight,
}

/// Whether a difference concerns success, refusal, code, value, order or time, or only how
/// a refusal is worded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// It matters.
    Matters,
    /// The code is the same.
    Wording,
}

/// How much a difference between two replies matters.
pub fn weight(model: &Value, server: &Value) -> Weight {
    let code = |reply: &Value| reply["error"]["code"].as_str().map(str::to_owned);
    let same = code(model).is_some() && code(model) == code(server);
    if same { Weight::Wording } else { Weight::Matters }
}

impl Replayed {
    /// In words, a line each: what is outside the model, or what differs.
    pub fn told(&self) -> String {
        match self {
            Replayed::Outside { step, operation } => format!("step {step}: {operation}"),
            Replayed::Compared(compared) => {
                let told = |one: &Difference| format!("step {}: {}\n", one.step, one.what);
                compared.differences.iter().map(told).collect()
            }
        }
    }
}
