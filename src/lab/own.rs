//! What stands over a run, by whose it is: the goal of its scenario, or that somebody does
//! other things in it; and what is said of a run of the reader's own in which it did not
//! come to what the lesson asks for.

use super::bench::Edit;
use super::guide::{STILL_IN_TIME, Whose, own_run, whose};
use super::{Lab, Msg, Open, ending};
use crate::learn::quiz::Expected;
use crate::learn::{Condition, Step};
use crate::scenario::clicks::Do;
use crate::text::measured::came_to;
use crate::text::{amounts, objects, ui::ui};

/// What the scenario tells, as long as the run is the one it tells of: beside any other it
/// would say what has not happened.
pub fn headline(lab: &Lab) -> String {
    let text = &ui().guide;
    let open = lab.open();
    if let Some(told) = open.told() {
        return told.shows.clone();
    }
    let is_untouched = open.run().clicks.is_empty();
    let is_asked_for = asked_for(lab).is_some();
    let Some(ended) = lab.ended().map(|it| (amounts::money(it.booked), amounts::money(it.owed)))
    else {
        return match whose(open) {
            _ if is_asked_for && is_untouched => text.own_asked.to_owned(),
            _ if is_asked_for => text.own.to_owned(),
            Whose::Story if has_gone_past(open) => text.untouched.to_owned(),
            Whose::Story => open.scenario().spec().goal.clone(),
            Whose::Reader if lab.is_of_quiz(open) => text.of_quiz.to_owned(),
            Whose::Reader => match other_rule(open) {
                Some(store_does) => (text.other_rule)(store_does),
                None => text.own.to_owned(),
            },
        };
    };
    let (booked, owed) = ended;
    match whose(open) {
        _ if is_asked_for => (text.own_ended)(&booked, &owed),
        Whose::Story => open.scenario().spec().goal.clone(),
        Whose::Reader if lab.is_of_quiz(open) => (text.of_quiz_ended)(&booked, &owed),
        Whose::Reader if is_untouched && open.is_as_built_in() => {
            (text.untouched_ended)(&booked, &owed)
        }
        Whose::Reader => match other_rule(open) {
            Some(store_does) => (text.other_rule_ended)(store_does, &booked, &owed),
            None => (text.own_ended)(&booked, &owed),
        },
    }
}

impl Lab {
    /// The way to a run of the lesson from one that is made of such a run and set otherwise,
    /// which counts for none of its steps: another that is open, or the same one as it was.
    pub fn back_to_lesson(&self) -> Option<Msg> {
        let is_its = |open: &Open| {
            let runs = &self.reading.lesson().runs;
            open.base().is_some_and(|base| runs.iter().any(|told| told.name == base.name()))
        };
        let open = self.open();
        if open.is_as_built_in() || open.told().is_some() || !is_its(open) {
            return None;
        }
        let other = self.runs().iter().rposition(|it| it.is_as_built_in() && is_its(it));
        Some(other.map_or(Msg::Edit(Edit::ResetAll), |run| Msg::Show { run }))
    }
}

/// How the run that one looks at ended, in sentences: also that it is not what the lesson
/// asks for, where it is not.
pub fn sentences(lab: &Lab) -> Vec<String> {
    let open = lab.open();
    let mut said = open.ended().map(|ended| ending::sentences(open, ended)).unwrap_or_default();
    said.extend(missed(lab));
    said
}

/// The step that asks for the run that one looks at, as a run of the reader's own: also
/// where nothing was done in it yet.
fn asked_for(lab: &Lab) -> Option<&Step> {
    let open = lab.open();
    let own = own_run(lab)?;
    let stands = lab.lesson();
    let is_set_up = stands.lesson.run(&own.run).is_some_and(|told| told.has_setup(open.run()));
    let told = &open.scenario().spec().clicks;
    let is_other = open.run().clicks.is_empty() || open.run().clicks != *told;
    // With the first one its lesson began: that is the story, however near to it.
    let is_first = open.number() == lab.begun_with();
    stands.now().filter(|_| is_set_up && is_other && !is_first && !lab.is_of_quiz(open))
}

/// Whether the moment has passed at which the scenario's first click is made, and it was
/// not: what the scenario tells does not happen any more.
fn has_gone_past(open: &Open) -> bool {
    let first = open.scenario().spec().clicks.first();
    let waits = open.waits_at().filter(|_| open.run().clicks.is_empty() && first.is_some());
    waits.is_some_and(|at| open.now() > at + STILL_IN_TIME)
}

/// The story of a scenario in which only the store's rule is another one, from the start on:
/// what the store does then. With one that is set later the same clicks may have done their
/// harm before.
fn other_rule(open: &Open) -> Option<&'static str> {
    let base = open.base()?.spec();
    let mut spec = open.scenario().spec().clone();
    let (mut rule, kind) = (spec.store.rule, spec.store.kind);
    let mut is_other = rule != base.store.rule;
    spec.store.rule = base.store.rule;
    let mut clicks = open.run().clicks.clone();
    clicks.retain(|click| match &click.r#do {
        Do::Rule { is, .. } if click.at_us == 0 => {
            (rule, is_other) = (*is, *is != base.store.rule);
            false
        }
        _ => true,
    });
    let is_story = spec == *base && open.run().seed == base.seed && clicks == base.clicks;
    (is_other && is_story && !clicks.is_empty()).then(|| objects::store_does(rule, kind))
}

/// What was asked for and what it came to instead, at the end of a run of the reader's own.
fn missed(lab: &Lab) -> Option<String> {
    let text = &ui().guide;
    let open = lab.open();
    lab.ended()?;
    let Condition::Found(found) = &asked_for(lab)?.done else { return None };
    let lesson = lab.lesson().lesson;
    let about = lesson.run(&found.about.run)?;
    if !found.about.clicks.are_in(open.run(), about) {
        let asked = found.so.iter().filter_map(|claim| came_to(&claim.asks, &claim.is));
        let asked = asked.collect::<Vec<_>>().join("; ");
        // There may be no words for what is asked for.
        if asked.is_empty() {
            return None;
        }
        let is_untouched = open.run().clicks.is_empty();
        let told = if is_untouched { text.missed_untouched } else { text.missed_clicks };
        return Some(told(&asked));
    }
    let (trace, judge) = (open.replay().trace(), open.judged());
    found.so.iter().find_map(|claim| {
        let (measured, _) = claim.asks.so_far(open.scenario(), trace, judge)?;
        let words = |value: &Expected| came_to(&claim.asks, value);
        let (asked, came) = (words(&claim.is)?, words(&measured.expected()?)?);
        (!measured.is(&claim.is)).then(|| (text.missed)(&asked, &came))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::store::api::Rule;
    use crate::lab::bench::Edit;
    use crate::lab::{Msg, Playing};
    use crate::sim::time::{Span, TrueTime};

    const OWN: &str = "Your own run: see what comes of what you did.";

    fn pause(for_ms: i64) -> Msg {
        Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(for_ms) })
    }

    fn play(lab: &mut Lab) {
        lab.update(Msg::Play);
        while lab.playing() != Playing::No {
            lab.update(Msg::Tick { elapsed: Span::from_ms(500) });
        }
    }

    /// The scenario with its own clicks, run to its end.
    fn story(scenario: &str) -> Lab {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: scenario.to_owned() });
        lab.update(Msg::Edit(Edit::OwnClicks));
        lab.update(Msg::ToEnd);
        lab
    }

    /// In the lesson on Redlock, where a run of the reader's own is asked for and begun.
    fn asked_for_majority() -> Lab {
        let mut lab = Lab::at_lesson("majority").expect("built in");
        lab.supply();
        for click in lab.open().scenario().spec().clicks.clone() {
            lab.update(Msg::Seek(TrueTime(click.at_us)));
            lab.update(Msg::Click(click.r#do));
        }
        lab.update(Msg::ToEnd);
        assert_eq!(headline(&lab), lab.open().scenario().spec().goal, "the story");
        lab.update(Msg::Load { scenario: "redlock".to_owned() });
        lab
    }

    #[track_caller]
    fn check_missed(lab: &Lab, expected: Option<&str>) {
        let said = sentences(lab);
        let missed = said.iter().find(|said| said.starts_with("That was not it"));
        assert_eq!(missed.map(String::as_str), expected, "{said:?}");
    }

    #[test]
    fn over_a_run_that_the_lesson_asks_for_stands_no_goal_of_its_scenario() {
        let mut lab = asked_for_majority();
        let asked = "Your own run: find in it what the lesson asks for.";
        assert_eq!(headline(&lab), asked);
        play(&mut lab);
        assert_eq!((headline(&lab).as_str(), lab.open().now()), (asked, TrueTime(5_000_000)));
        lab.update(Msg::ToEnd);
        assert_eq!(headline(&lab), "Your own run ended with 2.0 M of 2.0 M booked.");
        lab.update(Msg::Seek(TrueTime(5_000_000)));
        assert_eq!(headline(&lab), asked, "also once it has been run");
        lab.update(pause(45_000));
        assert_eq!(headline(&lab), OWN);
    }

    #[test]
    fn an_own_run_that_misses_says_what_was_asked_for_and_what_it_came_to() {
        let mut lab = asked_for_majority();
        lab.update(Msg::ToEnd);
        check_missed(
            &lab,
            Some("That was not it yet. Asked for: 4.0 M booked. In this run nothing was done."),
        );
        lab.update(Msg::Seek(TrueTime(5_000_000)));
        check_missed(&lab, None);
        lab.update(pause(1_000));
        lab.update(Msg::ToEnd);
        let told = "That was not it yet. Asked for: 4.0 M booked. In this run: 2.0 M booked.";
        check_missed(&lab, Some(told));
        lab.update(Msg::Seek(TrueTime(5_000_000)));
        lab.update(Msg::Click(Do::Crash { node: "R1".to_owned(), restart_after_ms: None }));
        lab.update(Msg::ToEnd);
        let told = "That was not it yet. Asked for: 4.0 M booked. In this run something else was \
                    done than the lesson asks for.";
        check_missed(&lab, Some(told));
        lab.update(Msg::Show { run: 1 });
        lab.update(Msg::Seek(TrueTime(5_000_000)));
        lab.update(pause(45_000));
        lab.update(Msg::ToEnd);
        check_missed(&lab, None);
        assert!(lab.lesson().is_done());
    }

    #[test]
    fn a_story_with_the_token_check_switched_on_or_off_is_nobodys_own_run() {
        for scenario in ["zookeeper-pause.partition-lost", "consul-lock-delay.no-lock-delay"] {
            let mut lab = story(scenario);
            let goal = headline(&lab);
            assert_eq!(goal, lab.open().scenario().spec().goal);
            lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
            lab.update(Msg::Stop);
            let checked = "The same clicks, and the store refuses lower tokens and repeats";
            assert_eq!(headline(&lab), format!("{checked}."), "{scenario}");
            lab.update(Msg::ToEnd);
            let ended = headline(&lab);
            assert!(ended.starts_with(&format!("{checked}: the run ended with ")), "{ended}");
        }
        // What else is done makes it the reader's.
        let mut lab = story("zookeeper-pause.partition-lost");
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        lab.update(Msg::Seek(TrueTime(10_000_000)));
        let checked = "The same clicks, and the store refuses lower tokens and repeats.";
        assert_eq!(headline(&lab), checked);
        lab.update(pause(1_000));
        assert_eq!(headline(&lab), OWN);
        let mut lab = story("check-then-put.one-step");
        lab.update(Msg::RunAgain(Rule::None));
        lab.update(Msg::Stop);
        assert_eq!(headline(&lab), "The same clicks, and the store checks nothing.");
    }

    #[test]
    fn of_a_check_that_is_switched_on_later_nothing_is_said_as_if_it_had_been_on_from_the_start() {
        for at_us in [60_000_000, 78_000_000] {
            let mut lab = story("reconcile-unfenced");
            lab.update(Msg::Seek(TrueTime(at_us)));
            let names = lab.open().scenario().names();
            let store = names.with(crate::scenario::names::Role::Store).next();
            let node = names.of(store.expect("a store")).to_owned();
            lab.update(Msg::Click(Do::Rule { node, is: Rule::OwnerAndSequence }));
            assert_eq!(headline(&lab), OWN);
            lab.update(Msg::ToEnd);
            let ended = headline(&lab);
            assert!(ended.starts_with("Your own run ended with "), "{ended}");
            lab.update(Msg::Seek(TrueTime(20_000_000)));
            let before = headline(&lab);
            assert!(!before.contains("the store"), "{before}");
        }
    }

    #[test]
    fn with_other_settings_it_is_not_said_that_nothing_was_done() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: "refund".to_owned() });
        lab.update(Msg::Edit(Edit::Seed(9)));
        lab.update(Msg::ToEnd);
        let ended = headline(&lab);
        assert!(ended.starts_with("Your own run ended with "), "{ended}");
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: "zookeeper-pause.partition-lost".to_owned() });
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        lab.update(Msg::ToEnd);
        let ended = headline(&lab);
        assert!(ended.starts_with("Your own run ended with "), "{ended}");
    }

    #[test]
    fn past_the_moment_of_its_click_a_run_without_it_does_not_bear_the_goal() {
        let mut lab = Lab::new().expect("built in");
        let goal = headline(&lab);
        play(&mut lab);
        assert_eq!(headline(&lab), goal, "it waits for the click");
        lab.update(Msg::Seek(TrueTime(27_500_000)));
        assert_eq!(headline(&lab), "Nothing was done in this run so far.");
        lab.update(Msg::ToEnd);
        let ended = "Nothing was done in this run. It ended with 2.0 M of 2.0 M booked.";
        assert_eq!(headline(&lab), ended);
        lab.update(Msg::ToStart);
        assert_eq!(headline(&lab), goal);
    }
}
