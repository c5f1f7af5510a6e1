//! What the reader is shown to do next: at every moment exactly one thing, so that
//! somebody new gets from the first look to the damage and to the cure.

use super::{Lab, Msg, Open, Playing};
use crate::actors::Actor;
use crate::actors::store::api::Rule;
use crate::learn::{OwnRun, SameClicks};
use crate::scenario::clicks::{ClickSpec, Do};
use crate::scenario::names::Role;
use crate::scenario::spec::StoreKind;
use crate::sim::event::Missed;
use crate::sim::in_full::InFull;
use crate::sim::time::Span;

/// How long after the moment at which a scenario waits its own click is still what
/// to do next.
pub(super) const STILL_IN_TIME: Span = Span::from_s(2);

/// The one thing to do next.
#[derive(Clone, Debug, PartialEq)]
pub enum Next {
    /// Begin.
    Start,
    /// What the scenario is about.
    Do(Do),
    /// Let the run go on after a click.
    JustRun(Made),
    /// Let the run go on.
    Play,
    /// It plays: stop it.
    Stop,
    /// The same clicks, with the store checking tokens.
    RunAgain(Rule),
    /// The same clicks in another of the lesson's runs.
    SameClicks(SameClicks),
    /// Begin a run in which the reader looks for a click.
    OwnRun {
        /// Of which scenario.
        scenario: String,
    },
    /// The lesson is finished: go to another one.
    Lesson {
        /// Its place in the chapter, from 0.
        place: usize,
    },
    /// The chapter is finished: go to the next one.
    Chapter {
        /// Its place, from 0.
        place: usize,
    },
    /// Nothing happens any more unless this lets somebody go on.
    Undo(Do),
    /// The run was cut short, and more of it is not to be had: begin the lesson anew.
    Anew,
    /// Play it once more.
    PlayAgain,
}

/// Whose a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Its clicks are exactly those of which its scenario tells.
    Story,
    /// The reader has done other things in it.
    Reader,
}

/// What was done last in a run, beside what was marked as the next thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    /// Just that.
    AsMarked,
    /// That, but not at the moment at which the scenario's own clicks are made.
    AtAnotherMoment,
    /// Something else.
    Other,
}

/// What was done last. Whoever lets somebody go on who stands still does what is marked
/// at the end of a run, whatever was done before.
fn made(open: &Open) -> Made {
    let (made, told) = (&open.run().clicks, &open.scenario().spec().clicks);
    let is_undone = |last: &ClickSpec| {
        matches!(last.r#do, Do::Resume { .. } | Do::Wake { .. } | Do::Restart { .. })
    };
    let is_same = |(made, told): (&ClickSpec, &ClickSpec)| made.r#do == told.r#do;
    if open.told().is_some() || told.starts_with(made) || made.last().is_some_and(is_undone) {
        Made::AsMarked
    } else if made.len() <= told.len() && made.iter().zip(told).all(is_same) {
        Made::AtAnotherMoment
    } else {
        Made::Other
    }
}

/// Whose a run is, as far as it was looked at: without a click it is the story's until
/// it has ended so.
pub fn whose(open: &Open) -> Whose {
    let clicks = &open.run().clicks;
    let is_story = if open.told().is_some() {
        true
    } else if !open.is_as_built_in() {
        false
    } else if clicks.is_empty() {
        open.scenario().spec().clicks.is_empty() || !open.is_at_end()
    } else {
        *clicks == open.scenario().spec().clicks || open.next_click().is_some() && !open.is_at_end()
    };
    if is_story { Whose::Story } else { Whose::Reader }
}

/// What to do next.
pub fn next(lab: &Lab) -> Next {
    let open = lab.open();
    if lab.playing() != Playing::No {
        Next::Stop
    } else if let Some(rule) = cure(lab).filter(|_| !asks_for_a_run(lab)) {
        Next::RunAgain(rule)
    } else if let Some(same) = migration(lab).filter(|_| !asks_for_a_run(lab)) {
        Next::SameClicks(same)
    } else if let Some(ended) = lab.ended() {
        let is_cut_short = ended.limit.is_some() && !ended.unfinished.is_empty();
        let otherwise = || if is_cut_short { Next::Anew } else { goes_on(lab) };
        // Who stands still at the end that a scenario tells of is part of what it tells.
        let undo = ended.undo().filter(|_| whose(open) == Whose::Reader);
        undo.cloned().map_or_else(otherwise, Next::Undo)
    } else if let Some(action) = own_click(open).filter(|_| !open.run().clicks.is_empty()) {
        Next::Do(action)
    } else if !open.run().clicks.is_empty() {
        let goes_on = open.is_at_edge() && !open.is_at_start();
        if goes_on { Next::JustRun(made(open)) } else { Next::Play }
    } else if open.is_at_start() {
        Next::Start
    } else {
        let is_told = own_run(lab).is_none();
        own_click(open).filter(|_| is_told).map_or(Next::Play, Next::Do)
    }
}

/// Begins anew what is told of: the lesson, or the scenario of a run of which it does not tell.
pub fn anew(lab: &Lab) -> Msg {
    let open = lab.open();
    match lab.tells_of(open) {
        true => Msg::Anew,
        false => Msg::Load { scenario: open.scenario().name() },
    }
}

/// Whether the lesson says by itself which run is to be the next.
fn asks_for_a_run(lab: &Lab) -> bool {
    let now = lab.lesson().now();
    now.is_some_and(|step| step.own_run.is_some() || step.same_clicks.is_some())
}

/// The run in which the reader is to look for a click now, if that is what the lesson asks.
pub fn own_run(lab: &Lab) -> Option<&OwnRun> {
    lab.lesson().now()?.own_run.as_ref()
}

/// What to do after a run.
fn goes_on(lab: &Lab) -> Next {
    let stands = lab.lesson();
    let now = stands.now();
    if let Some(again) = now.and_then(|step| step.same_clicks.as_ref()) {
        let has_clicks = !lab.open().run().clicks.is_empty();
        return if has_clicks { Next::SameClicks(again.clone()) } else { Next::PlayAgain };
    }
    if let Some(own) = now.and_then(|step| step.own_run.as_ref()) {
        return Next::OwnRun { scenario: own.run.clone() };
    }
    let (place, chapter) = (stands.place + 1, stands.chapter + 1);
    if !stands.is_done() {
        Next::PlayAgain
    } else if place < lab.chapter().lessons.len() {
        Next::Lesson { place }
    } else if chapter < lab.headings().len() {
        Next::Chapter { place: chapter }
    } else {
        Next::PlayAgain
    }
}

/// The scenario's own click, when its moment has come.
fn own_click(open: &Open) -> Option<Do> {
    due(open).filter(|action| open.why_not(action).is_none()).cloned()
}

/// The scenario's own click where it cannot be made at its moment, and why: in a run that
/// is set otherwise what it is done to may not be as the scenario has it.
pub fn impossible(open: &Open) -> Option<(&Do, Missed)> {
    let action = due(open)?;
    open.why_not(action).map(|why| (action, why))
}

fn due(open: &Open) -> Option<&Do> {
    let next = open.next_click()?;
    let waits = open.waits_for_click()?;
    let in_time = open.now() >= waits && open.now() <= waits + STILL_IN_TIME;
    (in_time && open.is_at_edge()).then_some(&next.r#do)
}

/// The rule under which the same clicks do no harm, unless it was tried. It stays the
/// next thing once the harm was seen, whatever moment one looks at to understand it.
fn cure(lab: &Lab) -> Option<Rule> {
    let open = lab.open();
    let checks = Rule::OwnerAndSequence;
    let tried = |other: &Open| other.run().clicks == open.run().clicks && rule(other) == checks;
    let harmed = rule(open) == Rule::None && open.ended().is_some_and(|e| !e.broken.is_empty());
    // Without a token there is nothing to check.
    let spec = open.scenario().spec();
    let has_token = spec.gives_token() && spec.store.kind == StoreKind::Fenced;
    (harmed && has_token && !lab.runs().iter().any(tried)).then_some(checks)
}

/// The run of the same scenario in which the same clicks break no promise, where some were
/// broken in the one told of and no rule is to be tried first.
fn migration(lab: &Lab) -> Option<SameClicks> {
    let open = lab.open();
    let cure = open.cure().filter(|_| asks_for_cure(lab))?;
    let tried = |other: &Open| {
        other.run().clicks == open.run().clicks && other.scenario().name() == cure.run
    };
    (!lab.runs().iter().any(tried)).then(|| cure.clone())
}

/// Whether a run is wanted that cures the one told of. A lesson goes its own way to the cure.
pub(super) fn asks_for_cure(lab: &Lab) -> bool {
    let open = lab.open();
    open.is_as_built_in()
        && open.run().clicks == open.scenario().spec().clicks
        && open.ended().is_some_and(|ended| !ended.broken.is_empty())
        && !lab.tells_of(open)
}

/// The rule a run began with.
fn rule(open: &Open) -> Rule {
    open.scenario().spec().store.rule
}

/// The rule in force at this moment.
pub fn rule_in_force(open: &Open) -> Rule {
    let Some(store) = open.scenario().names().with(Role::Store).next() else { return Rule::None };
    match &open.replay().moment().world.node(store).process {
        Actor::Store(store) => store.rule(),
        Actor::Objects(_) => Rule::None,
        other => unreachable!("the store is a store: {}", InFull(&other)),
    }
}

#[cfg(test)]
#[path = "story_tests.rs"]
mod story_tests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::time::TrueTime;

    #[test]
    fn what_no_lesson_tells_of_is_begun_anew_and_not_the_lesson() {
        let mut lab = Lab::new().expect("built in");
        assert_eq!(anew(&lab), Msg::Anew);
        lab.update(Msg::Load { scenario: "object-lock.create-only".to_owned() });
        lab.update(Msg::ToEnd);
        let crash = Do::Crash { node: "W1".to_owned(), restart_after_ms: None };
        lab.update(Msg::Seek(TrueTime(5_000_000)));
        lab.update(Msg::Click(crash));
        lab.update(Msg::ToEnd);
        assert_eq!(next(&lab), Next::Anew);
        lab.update(anew(&lab));
        assert_eq!(lab.open().scenario().variant_id(), Some("create-only"));
        assert!(lab.open().is_at_start() && lab.open().run().clicks.is_empty());
    }

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
        assert_eq!(next(&lab), Next::JustRun(Made::AsMarked));
        play_out(&mut lab);
        assert_eq!(lab.open().replay().moment().observer.stale_writes(), 1);
        assert_eq!(next(&lab), Next::RunAgain(Rule::OwnerAndSequence));
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        assert_eq!(lab.open().scenario().spec().id, "reconcile");
        while lab.playing() != Playing::No {
            lab.update(Msg::Tick { elapsed: Span::from_ms(500) });
        }
        assert_eq!(lab.open().replay().moment().observer.stale_writes(), 0);
        assert_eq!(next(&lab), Next::Lesson { place: 1 });
    }

    #[test]
    fn a_run_without_harm_asks_for_no_cure() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::ToEnd);
        assert_eq!(next(&lab), Next::PlayAgain);
    }

    #[test]
    fn the_cure_stays_the_next_thing_at_the_moment_of_the_harm() {
        let mut lab = Lab::new().expect("built in");
        play_out(&mut lab);
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        lab.update(Msg::ToEnd);
        lab.update(Msg::Seek(TrueTime(73_074_000)));
        assert_eq!(next(&lab), Next::RunAgain(Rule::OwnerAndSequence));
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        lab.update(Msg::Stop);
        lab.update(Msg::Show { run: 0 });
        assert_eq!(next(&lab), Next::Play, "it was tried");
    }

    #[test]
    fn only_the_scenarios_own_click_is_what_it_asked_for() {
        let others = [
            Do::Pause { node: "W2".to_owned(), for_ms: Some(45_000) },
            Do::Pause { node: "W1".to_owned(), for_ms: Some(5_000) },
            Do::Crash { node: "M1".to_owned(), restart_after_ms: None },
        ];
        for other in others {
            let mut lab = Lab::new().expect("built in");
            play_out(&mut lab);
            lab.update(Msg::Click(other));
            assert_eq!(next(&lab), Next::JustRun(Made::Other));
        }
    }

    #[test]
    fn a_run_that_ended_without_its_click_does_not_keep_what_its_story_says() {
        let mut lab = Lab::new().expect("built in");
        assert_eq!(whose(lab.open()), Whose::Story);
        lab.update(Msg::ToEnd);
        assert_eq!(whose(lab.open()), Whose::Reader);
        lab.update(Msg::ToStart);
        assert_eq!(whose(lab.open()), Whose::Story);
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

    /// Does what is marked until the end, and tells what that was and what came of it.
    fn story(scenario: &str) -> String {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: scenario.to_owned() });
        let mut done = Vec::new();
        while done.len() < 12 {
            let marked = next(&lab);
            let name =
                format!("{marked:?}").split([' ', '(']).next().unwrap_or_default().to_owned();
            match marked {
                Next::Do(action) => {
                    let kind = format!("{action:?}");
                    done.push(kind.split(' ').next().unwrap_or_default().to_owned());
                    lab.update(Msg::Click(action));
                }
                Next::Start | Next::JustRun(Made::AsMarked) => {
                    done.push(name);
                    play_out(&mut lab);
                }
                Next::SameClicks(same) => {
                    done.push(same.run.clone());
                    lab.update(Msg::SameClicksIn { scenario: same.run });
                    play_out(&mut lab);
                }
                _ => break,
            }
        }
        let ended = lab.ended().expect("it has ended");
        format!("{}: {} broken, {} booked", done.join(" "), ended.broken.len(), ended.booked)
    }

    #[test]
    fn a_story_of_several_clicks_waits_for_each() {
        assert_eq!(
            story("redis-failover"),
            "Start Cut JustRun Crash JustRun Promote JustRun: 2 broken, 2000000 booked"
        );
    }

    #[test]
    fn the_story_of_a_lock_in_zookeeper_is_its_pause() {
        let told = "Start Pause JustRun: 4 broken, 5000000 booked";
        assert_eq!(story("zookeeper-pause"), told);
    }

    /// What the store checks then is a variant of its own, and is called so.
    #[test]
    fn the_cure_is_named_as_the_variant_that_it_is() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: "zookeeper-pause".to_owned() });
        lab.update(Msg::Edit(crate::lab::bench::Edit::OwnClicks));
        lab.update(Msg::ToEnd);
        assert_eq!(next(&lab), Next::RunAgain(Rule::OwnerAndSequence));
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        assert_eq!(lab.open().scenario().variant_id(), Some("czxid"));
        assert!(lab.open().is_as_built_in());
    }

    #[test]
    fn where_no_token_can_be_checked_the_migration_is_what_to_do_next() {
        assert_eq!(
            story("batch-incident"),
            "Start Pause JustRun batch-incident.etcd-tokens: 0 broken, 2000000 booked"
        );
        let cured = "Start Pause JustRun mark-scopes.one-mark: 0 broken, 2000000 booked";
        assert_eq!(story("mark-scopes"), cured, "a token is checked, and does not do");
    }
}
