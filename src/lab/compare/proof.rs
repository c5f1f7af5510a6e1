//! What a comparison shows and what it does not: that the clicks of a run break no promise says
//! nothing of other clicks.

use crate::lab::{Open, facts};
use crate::learn::SameClicks;
use crate::properties::PropertyId;
use crate::scenario::Scenario;
use crate::scenario::promise::{Promise, Tried};

/// What either of two runs promises, and how that stands in both.
pub fn promises(both: [&Open; 2]) -> Vec<(PropertyId, [Promise; 2])> {
    let broken = both.map(|open| facts::verdict(open).broken);
    let promised = both.map(|open| open.scenario().promises().collect::<Vec<_>>());
    let stands = |place: usize, id: PropertyId| match promised[place].contains(&id) {
        false => Promise::NotPromised,
        true if broken[place].iter().any(|(broken, _)| *broken == id) => Promise::Broken,
        true => Promise::Kept,
    };
    let either = |id: &PropertyId| promised.iter().any(|promised| promised.contains(id));
    let all = PropertyId::ALL.into_iter().filter(either);
    all.map(|id| (id, [0, 1].map(|place| stands(place, id)))).collect()
}

/// What was tried of a run, if it has broken nothing.
pub fn tried(open: &Open) -> Option<Tried> {
    let is_whole = facts::verdict(open).broken.is_empty();
    is_whole.then(|| match (open.scenario().promises().next(), open.run().clicks.len()) {
        (None, _) => Tried::NoPromise,
        (Some(_), 0) => Tried::NoClick,
        (Some(_), _) => Tried::TheseClicks,
    })
}

/// A run of the same scenario that is told of, set as this one is but for its clicks, in which
/// they break what this one promises. Found by running it.
pub(in crate::lab) fn told_of(open: &Open) -> Option<SameClicks> {
    let scenario = open.scenario();
    let base = Scenario::built_in(&scenario.spec().id).ok()?;
    let variants = base.spec().variants.iter();
    let variants = variants.filter_map(|variant| base.variant(&variant.id).ok());
    let mut all = std::iter::once(base.clone()).chain(variants);
    let found = all.find(|made| {
        made.differences(scenario).is_empty()
            && made.spec().clicks != open.run().clicks
            && breaks(made, scenario)
    })?;
    Some(SameClicks { run: found.name(), label: found.spec().title.clone() })
}

/// Whether a scenario's own clicks break what another promises.
fn breaks(made: &Scenario, promised: &Scenario) -> bool {
    let Ok(mut open) = Open::new(0, made.clone().run()) else { return false };
    let is_over = open.to_end().is_ok();
    let broken = facts::verdict(&open).broken;
    let is_broken = |id: PropertyId| broken.iter().any(|(broken, _)| *broken == id);
    is_over && promised.promises().any(is_broken)
}
