//! The built-in scenarios. To add one: a file in `static/scenarios/`, a line here.

use crate::scenario::error::{Problem, ScenarioError};
use crate::scenario::run::{Run, Scenario};

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
    ("queue-of-eight", include_str!("../../static/scenarios/queue-of-eight.toml")),
    ("batch-incident", include_str!("../../static/scenarios/batch-incident.toml")),
    ("redis-failover", include_str!("../../static/scenarios/redis-failover.toml")),
    ("redlock", include_str!("../../static/scenarios/redlock.toml")),
    ("zookeeper-pause", include_str!("../../static/scenarios/zookeeper-pause.toml")),
    ("conditional-puts", include_str!("../../static/scenarios/conditional-puts.toml")),
    ("etag-aba", include_str!("../../static/scenarios/etag-aba.toml")),
    ("no-lock", include_str!("../../static/scenarios/no-lock.toml")),
    ("leader-log", include_str!("../../static/scenarios/leader-log.toml")),
    ("rising-load", include_str!("../../static/scenarios/rising-load.toml")),
    ("schema-migrations", include_str!("../../static/scenarios/schema-migrations.toml")),
    ("store-restart", include_str!("../../static/scenarios/store-restart.toml")),
    ("consul-lock-delay", include_str!("../../static/scenarios/consul-lock-delay.toml")),
    ("guarded-write", include_str!("../../static/scenarios/guarded-write.toml")),
    ("mark-scopes", include_str!("../../static/scenarios/mark-scopes.toml")),
    ("outbox", include_str!("../../static/scenarios/outbox.toml")),
    ("object-lock", include_str!("../../static/scenarios/object-lock.toml")),
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

/// Every built-in scenario and every variant of each as a run, with its clicks. Named
/// as in "reconcile" and "reconcile.stop-work".
///
/// # Errors
/// When a built-in scenario is wrong, which a test excludes.
pub fn runs() -> Result<Vec<(String, Run)>, ScenarioError> {
    let mut runs = Vec::new();
    for (id, text) in ALL {
        let scenario = Scenario::from_text(text)?;
        runs.push(((*id).to_owned(), scenario.run()));
        for variant in &scenario.spec().variants {
            let scenario = scenario.variant(&variant.id)?;
            runs.push((scenario.name(), scenario.run()));
        }
    }
    Ok(runs)
}
