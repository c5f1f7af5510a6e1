//! The built-in scenarios. To add one: a file in `static/scenarios/`, a line here.

use crate::scenario::error::{Problem, ScenarioError};

/// Id and text of each, in the order in which people meet them.
pub const ALL: &[(&str, &str)] = &[
    ("reconcile-unfenced", include_str!("../../static/scenarios/reconcile-unfenced.toml")),
    ("reconcile", include_str!("../../static/scenarios/reconcile.toml")),
    ("plain-read", include_str!("../../static/scenarios/plain-read.toml")),
    ("refund", include_str!("../../static/scenarios/refund.toml")),
    ("renewal-fails", include_str!("../../static/scenarios/renewal-fails.toml")),
    ("separate-counter", include_str!("../../static/scenarios/separate-counter.toml")),
    ("check-then-put", include_str!("../../static/scenarios/check-then-put.toml")),
    ("slow-clock", include_str!("../../static/scenarios/slow-clock.toml")),
];

/// The text of a built-in scenario.
///
/// # Errors
/// When there is none of that name.
pub fn text(id: &str) -> Result<&'static str, ScenarioError> {
    let found = ALL.iter().find(|(name, _)| *name == id).map(|(_, text)| *text);
    found.ok_or_else(|| {
        let there: Vec<&str> = ALL.iter().map(|(id, _)| *id).collect();
        let problem = Problem::NoSuchScenario { id: id.to_owned(), there: there.join(", ") };
        ScenarioError::new("scenario", problem)
    })
}
