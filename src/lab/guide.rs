//! What the reader is shown to do next: at every moment exactly one thing, so that
//! somebody new gets from the first look to the damage and to the cure.

use super::{Lab, Open, Playing};
use crate::actors::Actor;
use crate::actors::store::api::Rule;
use crate::properties::Judged;
use crate::scenario::clicks::Do;
use crate::sim::time::{Span, TrueTime};

/// How long after the moment at which a scenario waits its own click is still what
/// to do next.
const STILL_IN_TIME: Span = Span::from_s(2);

/// The one thing to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Begin.
    Start,
    /// What the scenario is about.
    Do(Do),
    /// Let the run go on after a click.
    JustRun,
    /// Let the run go on.
    Play,
    /// It plays: stop it.
    Stop,
    /// The same clicks, with the store checking tokens.
    RunAgain(Rule),
    /// Play it once more.
    PlayAgain,
}

/// What to do next.
pub fn next(lab: &Lab) -> Next {
    let open = lab.open();
    if lab.playing() != Playing::No {
        Next::Stop
    } else if open.is_at_end() {
        cure(lab).map_or(Next::PlayAgain, Next::RunAgain)
    } else if !open.run().clicks.is_empty() {
        if open.is_at_edge() && !open.is_at_start() { Next::JustRun } else { Next::Play }
    } else if open.is_at_start() {
        Next::Start
    } else {
        own_click(open).map_or(Next::Play, Next::Do)
    }
}

/// The scenario's own click, when its moment has come.
fn own_click(open: &Open) -> Option<Do> {
    let spec = open.scenario().spec();
    let waits = TrueTime(spec.waits_at_ms? * 1_000);
    let in_time = open.now() >= waits && open.now() <= waits + STILL_IN_TIME;
    let action = &spec.clicks.first()?.r#do;
    (in_time && open.is_at_edge() && open.why_not(action).is_none()).then(|| action.clone())
}

/// The rule under which the same clicks do no harm, unless it was tried.
fn cure(lab: &Lab) -> Option<Rule> {
    let open = lab.open();
    let checks = Rule::OwnerAndSequence;
    let tried = |other: &Open| other.run().clicks == open.run().clicks && rule(other) == checks;
    let harmed = rule(open) == Rule::None && is_broken(open);
    (harmed && !lab.runs().iter().any(tried)).then_some(checks)
}

/// The rule a run began with.
fn rule(open: &Open) -> Rule {
    open.scenario().spec().store.rule
}

/// Whether a promise is broken at this moment.
fn is_broken(open: &Open) -> bool {
    let judged = if open.is_at_end() { Judged::AtTheEnd } else { Judged::SoFar };
    let judge = &open.replay().moment().observer;
    open.scenario().spec().promises.iter().any(|id| !judge.verdict(*id, judged).holds())
}

/// The rule in force at this moment.
pub fn rule_in_force(open: &Open) -> Rule {
    let store = open.scenario().names().store();
    match &open.replay().moment().world.node(store).process {
        Actor::Store(store) => store.rule(),
        other => unreachable!("the store is a store: {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Msg;
    use crate::sim::time::Span;

    fn play_out(lab: &mut Lab) {
        lab.update(Msg::Play);
        assert_eq!(next(lab), Next::Stop);
        while lab.playing() != Playing::No {
            lab.update(Msg::Tick { elapsed: Span::from_ms(500) });
        }
    }

    #[test]
    fn three_clicks_lead_to_the_damage_and_one_more_to_the_cure() {
        let mut lab = Lab::new().expect("built in");
        assert_eq!(next(&lab), Next::Start);
        play_out(&mut lab);
        let pause = Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) };
        assert_eq!(next(&lab), Next::Do(pause.clone()));
        lab.update(Msg::Click(pause));
        assert_eq!(next(&lab), Next::JustRun);
        play_out(&mut lab);
        assert_eq!(lab.open().replay().moment().observer.stale_writes(), 1);
        assert_eq!(next(&lab), Next::RunAgain(Rule::OwnerAndSequence));
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        assert_eq!(lab.open().scenario().spec().id, "reconcile");
        while lab.playing() != Playing::No {
            lab.update(Msg::Tick { elapsed: Span::from_ms(500) });
        }
        assert_eq!(lab.open().replay().moment().observer.stale_writes(), 0);
        assert_eq!(next(&lab), Next::PlayAgain);
    }

    #[test]
    fn a_run_without_harm_asks_for_no_cure() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::ToEnd);
        assert_eq!(next(&lab), Next::PlayAgain);
    }

    #[test]
    fn a_click_is_carried_out_at_once() {
        let mut lab = Lab::new().expect("built in");
        play_out(&mut lab);
        let pause = Do::Pause { node: "W1".to_owned(), for_ms: None };
        lab.update(Msg::Click(pause.clone()));
        assert!(lab.open().why_not(&pause).is_some());
        let both = Do::Pause { node: "etcd".to_owned(), for_ms: None };
        lab.update(Msg::Click(Do::Pause { node: "M1".to_owned(), for_ms: None }));
        assert_eq!(lab.open().why_not(&both), None);
    }
}
