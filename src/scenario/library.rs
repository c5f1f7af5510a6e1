//! The built-in scenarios. To add one: a file in `static/scenarios/`, a line here.

use crate::scenario::error::{Problem, ScenarioError};
use crate::scenario::run::{Run, Scenario};

macro_rules! scenarios {
    ($($first:literal)+; $($more:literal)+) => {
        scenarios!(FIRST $($first)+);
        scenarios!(MORE $($more)+);
        /// Id and text of each, in the order in which people meet them.
        pub const ALL: &[(&str, &str)] = &[$(scenarios!($first),)+ $(scenarios!($more),)+];
        /// The id of each.
        pub const IDS: &[&str] = &[$($first,)+ $($more,)+];
    };
    ($name:ident $($id:literal)+) => {
        const $name: &[(&str, &str)] = &[$(scenarios!($id),)+];
    };
    ($id:literal) => {
        ($id, include_str!(concat!("../../static/scenarios/", $id, ".toml")))
    };
}

// Those of chapter 1, and the others, whose texts come later to the page.
scenarios! {
    "reconcile-unfenced"
    "reconcile"
    "plain-read"
    "renewal-fails"
    "check-then-put"
    "slow-clock";

    "refund"
    "separate-counter"
    "queue-of-eight"
    "batch-incident"
    "redis-failover"
    "redlock"
    "zookeeper-pause"
    "conditional-puts"
    "etag-aba"
    "no-lock"
    "leader-log"
    "rising-load"
    "schema-migrations"
    "store-restart"
    "consul-lock-delay"
    "guarded-write"
    "mark-scopes"
    "outbox"
    "object-lock"
}

/// The first that is wanted, given each id and text in their order.
pub fn find<T>(wanted: &dyn Fn(&'static str, &'static str) -> Option<T>) -> Option<T> {
    FIRST.iter().find_map(|(id, text)| wanted(id, text)).or_else(|| find_later(wanted))
}

/// Apart, so that it comes later with what it looks through (xtask/src/split/list.rs).
#[inline(never)]
fn find_later<T>(wanted: &dyn Fn(&'static str, &'static str) -> Option<T>) -> Option<T> {
    MORE.iter().find_map(|(id, text)| wanted(id, text))
}

/// The text of a built-in scenario.
///
/// # Errors
/// When there is none of that name.
pub fn text(id: &str) -> Result<&'static str, ScenarioError> {
    find(&|name, text| (name == id).then_some(text)).ok_or_else(|| {
        let problem = Problem::NoSuchScenario { id: id.to_owned(), there: IDS.join(", ") };
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
