//! What is usual in a scenario, for the signals of its runs.

use super::Scenario;
use super::names::Role;
use crate::actors::worker::config::RenewalCheck;
use crate::properties::signals::Usual;
use crate::sim::time::Span;

impl Scenario {
    /// What is usual in its runs.
    pub fn usual(&self) -> Usual {
        let (spec, names) = (self.spec(), self.names());
        let ttl = Span::from_s(spec.lock.ttl_s);
        // As both clients do it that are not told otherwise.
        let third = Span::from_us(ttl.us() / 3);
        let renewal = names.with(Role::Worker).zip(&spec.workers).filter_map(|(id, worker)| {
            let renews = !spec.lock.recipe.is_for_redis() || worker.renewal != RenewalCheck::None;
            renews.then(|| (id, worker.renew_ms.map_or(third, Span::from_ms)))
        });
        Usual { wait: ttl, renewal: renewal.collect() }
    }
}
