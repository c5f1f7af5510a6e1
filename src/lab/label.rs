//! What an open run is called, so that it can be told from the others: by what was done
//! in it, by the rule it began with, and by how it ended.

use super::{Lab, Open};
use crate::sim::order;
use crate::sim::time::TrueTime;
use crate::text::ui::transport::Outcome;
use crate::text::ui::ui;
use crate::text::{amounts, en, objects};

/// What a run is called.
pub fn label(lab: &Lab, open: &Open) -> String {
    let text = &ui().transport;
    let title = match open.differs() {
        [first, more @ ..] if open.told().is_none() => {
            (ui().bench.differing)(&title(open), first, more.len())
        }
        _ => title(open),
    };
    let title = Some(title.as_str()).filter(|_| !is_told(lab, open));
    let name = (text.run)(open.number(), title, &done(open), store_does(open));
    match outcome(open) {
        Some(outcome) => format!("{name}; {}", (text.outcome)(outcome)),
        None => name,
    }
}

/// What a run is called where there is little room: its number, and by what it is told from
/// the others that are open.
pub fn short(lab: &Lab, open: &Open) -> String {
    (ui().transport.short)(open.number(), &by(lab, open))
}

fn by(lab: &Lab, open: &Open) -> String {
    let text = &ui().transport;
    if let [first, more @ ..] = open.differs()
        && open.told().is_none()
    {
        return (text.first_of)(first, more.len());
    }
    if !is_told(lab, open) {
        let own = variant(open).filter(|_| open.told().is_none());
        return own.map_or_else(|| title(open), str::to_owned);
    }
    let others = || lab.runs().iter().filter(|other| is_told(lab, other));
    let is_same_done = others().all(|other| other.run().clicks == open.run().clicks);
    if is_same_done && others().any(|other| store_does(other) != store_does(open)) {
        return (text.store)(store_does(open));
    }
    let own = done(open);
    // What the others have too tells it from none of them.
    let all: Vec<_> = others().filter(|it| it.number() != open.number()).map(done).collect();
    let is_common = |click: &&String| all.iter().all(|other| other.contains(click));
    match own.iter().find(|click| !is_common(click)).or(own.first()) {
        None => text.no_clicks.to_owned(),
        Some(first) => (text.first_of)(first, own.len() - 1),
    }
}

/// Whether the lesson tells of it, so that its title need not be said.
fn is_told(lab: &Lab, open: &Open) -> bool {
    let is_variant = open.scenario().variant_id().is_some();
    lab.tells_of(open) && open.is_as_built_in() && !is_variant
}

fn store_does(open: &Open) -> &'static str {
    let store = &open.scenario().spec().store;
    objects::store_does(store.rule, store.kind)
}

/// What its scenario and its variant are called, and whether it is set otherwise than
/// that.
pub fn title(open: &Open) -> String {
    if let Some(told) = open.told() {
        return told.title.clone();
    }
    let title = &match variant(open) {
        Some(variant) => (ui().bench.of_variant)(&open.scenario().spec().title, variant),
        None => open.scenario().spec().title.clone(),
    };
    let Some(base) = open.base().filter(|_| !open.is_as_built_in()) else {
        return title.clone();
    };
    let service = open.scenario().spec().lock.service;
    let is_other = service != base.spec().lock.service;
    (ui().bench.changed_title)(title, is_other.then(|| (ui().stage.kind)(service)))
}

/// What its variant is called.
fn variant(open: &Open) -> Option<&str> {
    let id = open.scenario().variant_id()?;
    let mut all = open.base()?.spec().variants.iter();
    all.find(|variant| variant.id == id).map(|variant| variant.title.as_str())
}

/// What was done in it, in the order of time.
fn done(open: &Open) -> Vec<String> {
    let mut clicks: Vec<_> = open.run().clicks.iter().collect();
    order::by_key(&mut clicks, |click| click.at_us);
    let names = open.scenario().names();
    let said = clicks.iter().filter_map(|click| {
        let actions = click.actions(names).unwrap_or_default();
        let first = actions.first()?;
        let what = en::action(&first.action, open.who());
        Some((ui().transport.done)(&what, &amounts::moment(TrueTime(click.at_us))))
    });
    said.collect()
}

fn outcome(open: &Open) -> Option<Outcome> {
    let ended = open.ended()?;
    Some(if !ended.broken.is_empty() {
        Outcome::Broken
    } else if ended.unfinished.is_empty() {
        Outcome::Kept
    } else {
        Outcome::Unfinished
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::store::api::Rule;
    use crate::actors::worker::config::OnRenewalFailure;
    use crate::content::{Choice, Tree, Value};
    use crate::lab::Msg;
    use crate::lab::bench::Edit;
    use crate::lab::guide::{Whose, whose};
    use crate::lab::open::Told;
    use crate::scenario::Change;
    use crate::scenario::clicks::Do;

    /// What the run one looks at is called.
    #[track_caller]
    fn check(lab: &Lab, expected: &str) {
        assert_eq!(label(lab, lab.open()), expected);
    }

    /// What a scenario is called may name its service.
    #[test]
    fn a_scenario_with_another_lock_service_says_which() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: "zookeeper-pause".to_owned() });
        let built_in = title(lab.open());
        let service = Tree::new(Value::Text("redis".to_owned()));
        let path = "lock.service".to_owned();
        lab.update(Msg::Edit(Edit::Set { path, value: service }));
        assert_eq!(title(lab.open()), format!("{built_in} (changed, with Redis)"));
        // And back: what the other one brought with it is gone again.
        for there in ["consul", "postgres", "redlock", "objects"] {
            let set = |service: &str| {
                let (path, value) = ("lock.service", Value::Text(service.to_owned()));
                Msg::Edit(Edit::Set { path: path.to_owned(), value: Tree::new(value) })
            };
            lab.update(set(there));
            assert_eq!(lab.open().scenario().spec().lock.service.name(), there);
            lab.update(set("zookeeper"));
            assert_eq!(title(lab.open()), built_in, "{there}");
        }
    }

    #[test]
    fn runs_that_differ_by_a_setting_are_called_by_it() {
        let mut lab = Lab::new().expect("built in");
        let mut called = |change: Change| {
            lab.update(Msg::Show { run: 0 });
            lab.update(Msg::Compare(change));
            lab.runs().iter().map(|open| label(&lab, open)).next_back().expect("it is open")
        };
        let ttl = called(Change::TtlS(60));
        assert!(ttl.contains("(changed); TTL of the lease: 60 s; no clicks"), "{ttl}");
        let stops = called(Change::OnRenewalFailure(OnRenewalFailure::StopWork));
        assert!(stops.contains("(changed); W1, "), "{stops}");
        assert!(stops.contains(", and "), "{stops}");
    }

    #[test]
    fn in_short_runs_are_called_by_the_click_in_which_they_differ() {
        let mut lab = Lab::new().expect("built in");
        let pause = |lab: &mut Lab, node: &str, at_s: i64| {
            lab.update(Msg::Seek(TrueTime(at_s * 1_000_000)));
            lab.update(Msg::Click(Do::Pause { node: node.to_owned(), for_ms: Some(5_000) }));
        };
        pause(&mut lab, "W1", 25);
        assert_eq!(short(&lab, lab.open()), "Run 1: pause W1 for 5 s at 25.0 s");
        pause(&mut lab, "W2", 40);
        pause(&mut lab, "W2", 30);
        let names: Vec<String> = lab.runs().iter().map(|open| short(&lab, open)).collect();
        assert_eq!(names[0], "Run 1: pause W2 for 5 s at 40.0 s, and 1 more");
        assert_eq!(names[1], "Run 2: pause W2 for 5 s at 30.0 s, and 1 more");
    }

    #[test]
    fn in_short_a_compared_run_is_called_by_its_change_once() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Compare(Change::Rule(Rule::OwnerAndSequence)));
        lab.update(Msg::Show { run: 0 });
        lab.update(Msg::Compare(Change::TtlS(60)));
        let names: Vec<String> = lab.runs().iter().map(|open| short(&lab, open)).collect();
        for (name, open) in names.iter().zip(lab.runs()) {
            assert!(name.chars().count() <= 52 && !name.contains(';'), "{name}");
            assert!(label(&lab, open).len() > name.len(), "{name}");
        }
        let by = [
            "the store checks nothing",
            "the store refuses lower tokens and repeats",
            "TTL of the lease: 60 s",
        ];
        for (name, by) in names.iter().zip(by) {
            assert!(name.ends_with(by), "{name}");
        }
    }

    #[test]
    fn what_a_cell_of_a_table_is_measured_in_bears_its_words() {
        let mut lab = Lab::new().expect("built in");
        let told = Told { title: "Redis".to_owned(), shows: "Free after: 5 s.".to_owned() };
        let fragment = "v=1&scenario=refund&click=5:crash(node=W1)".to_owned();
        lab.update(Msg::OpenTold { fragment, told });
        assert_eq!(title(lab.open()), "Redis");
        assert_eq!(whose(lab.open()), Whose::Story);
        // Whoever does more in it has a run of their own.
        lab.update(Msg::Seek(TrueTime(9_000_000)));
        lab.update(Msg::Click(Do::Pause { node: "W2".to_owned(), for_ms: Some(1) }));
        assert_ne!(title(lab.open()), "Redis");
        assert_eq!(whose(lab.open()), Whose::Reader);
    }

    #[test]
    fn a_run_is_called_by_what_was_done_in_it_and_how_it_ended() {
        let mut lab = Lab::new().expect("built in");
        check(&lab, "Run 1: no clicks; the store checks nothing");
        lab.update(Msg::Seek(TrueTime(25_000_000)));
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        let run = "pause W1 for 45 s at 25.0 s; the store";
        check(&lab, &format!("Run 1: {run} checks nothing"));
        lab.update(Msg::ToEnd);
        check(&lab, &format!("Run 1: {run} checks nothing; promises broken"));
        lab.update(Msg::ToStart);
        check(&lab, &format!("Run 1: {run} checks nothing; promises broken"));
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        lab.update(Msg::ToEnd);
        check(&lab, &format!("Run 2: {run} refuses lower tokens and repeats; promises kept"));
    }

    #[test]
    fn runs_of_other_scenarios_bear_their_titles_and_long_stories_are_cut() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: "refund".to_owned() });
        let title = lab.open().scenario().spec().title.clone();
        assert!(label(&lab, lab.open()).starts_with(&format!("Run 2: {title}; no clicks; ")));
        lab.update(Msg::Show { run: 0 });
        lab.update(Msg::Seek(TrueTime(10_000_000)));
        for node in ["W1", "W2", "M2"] {
            lab.update(Msg::Click(Do::Pause { node: node.to_owned(), for_ms: None }));
        }
        check(&lab, "Run 1: pause W1 at 10.0 s, and 2 more; the store checks nothing");
    }

    #[test]
    fn a_run_that_is_set_otherwise_bears_its_title_and_says_so() {
        let mut lab = Lab::new().expect("built in");
        let title = lab.open().scenario().spec().title.clone();
        assert_eq!(super::title(lab.open()), title);
        lab.update(Msg::Edit(Edit::Seed(7)));
        check(
            &lab,
            &format!("Run 2: {title} (changed); Seed: 7; no clicks; the store checks nothing"),
        );
        lab.update(Msg::Undo);
        check(&lab, "Run 1: no clicks; the store checks nothing");
    }

    /// What came later was done to what happened then.
    #[test]
    fn a_click_in_the_past_has_a_future_of_its_own() {
        let mut lab = Lab::new().expect("built in");
        let pause = |node: &str| Msg::Click(Do::Pause { node: node.to_owned(), for_ms: Some(1) });
        for (at_s, node) in [(5, "W1"), (20, "W2")] {
            lab.update(Msg::Seek(TrueTime(at_s * 1_000_000)));
            lab.update(pause(node));
        }
        lab.update(Msg::Seek(TrueTime(10_000_000)));
        lab.update(pause("M1"));
        let done = "pause W1 for 1 ms at 5.0 s, pause M1 for 1 ms at 10.0 s";
        check(&lab, &format!("Run 2: {done}; the store checks nothing"));
        assert_eq!(lab.open().now(), TrueTime(10_000_000));
        assert_eq!(lab.runs()[0].run().clicks.len(), 2, "the first run stays as it was");
    }
}
