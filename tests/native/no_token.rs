//! Where nobody has a token none is spoken of, and each is written in one form.

use fencepost::actors::store::api::Rule;
use fencepost::content::{Choice, Tree, Value};
use fencepost::lab::bench::Edit;
use fencepost::lab::signals::Gauges;
use fencepost::lab::{Lab, Msg, Open, facts};
use fencepost::properties::PropertyId::TokenNotRising;
use fencepost::properties::turns;
use fencepost::scenario::Scenario;
use fencepost::sim::time::TrueTime;
use fencepost::text::{en, questions, state};

/// All that is said of a run in words, up to its end.
fn said(lab: &mut Lab) -> Vec<String> {
    lab.update(Msg::ToEnd);
    let open = lab.open();
    let mut said = Vec::new();
    for event in open.past() {
        said.push(en::event(event, open.who()));
        said.push(questions::why(event, open.who()));
    }
    let gauges = Gauges::of(open);
    said.extend(gauges.readings(open).alarms.into_iter().map(|(_, alarm, _)| alarm));
    let turns: Vec<TrueTime> =
        open.past().iter().filter(|event| turns::is_turn(&event.what)).map(|it| it.at).collect();
    for at in turns {
        lab.update(Msg::Seek(at));
        said.extend(states(lab.open()));
    }
    said
}

/// What each machine knows at this moment, and what the store's card shows.
fn states(open: &Open) -> Vec<String> {
    let world = &open.replay().moment().world;
    let locks = open.scenario().spec().locks();
    let mut all = Vec::new();
    for id in open.scenario().names().ids() {
        let facts = state::facts(&world.node(id).process, world.clocks(id), &locks, open.who());
        all.extend(facts.into_iter().map(|(name, value)| format!("{name}: {value}")));
    }
    all.extend(facts::store(open).mark.map(|mark| format!("mark {mark}")));
    all
}

/// A built-in run with its clicks and other settings.
#[track_caller]
fn lab(scenario: &str, settings: &[(&str, &str)]) -> Lab {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Edit(Edit::Scenario { id: scenario.to_owned() }));
    lab.update(Msg::Edit(Edit::OwnClicks));
    for (path, value) in settings {
        let value = Tree::new(Value::Text((*value).to_owned()));
        lab.update(Msg::Edit(Edit::Set { path: (*path).to_owned(), value }));
    }
    assert_eq!(lab.warning(), None, "{scenario}, {settings:?}");
    lab
}

#[test]
fn where_nobody_has_a_token_none_is_spoken_of() {
    let wrong = ["token 0", "PUT 0", "laim 0", "mark 0", "0 has been seen", "0, by", ": 0 waits"];
    for (service, recipe) in [
        ("redis", "set-nx"),
        ("redlock", "redlock"),
        ("postgres", "advisory"),
        ("objects", "object-create"),
    ] {
        for rule in Rule::ALL {
            let settings =
                [("lock.service", service), ("lock.recipe", recipe), ("store.rule", rule.name())];
            for scenario in ["reconcile", "plain-read", "check-then-put"] {
                let mut lab = lab(scenario, &settings);
                assert!(!lab.open().scenario().has_tokens());
                for said in said(&mut lab) {
                    let found = wrong.iter().find(|wrong| said.contains(*wrong));
                    assert_eq!(found, None, "{scenario}, {settings:?}: {said}");
                }
            }
        }
    }
}

#[test]
fn no_token_can_fail_to_rise_where_there_is_none() {
    let mut without = lab("reconcile", &[("lock.service", "redlock")]);
    assert!(without.open().scenario().spec().promises.contains(&TokenNotRising));
    without.update(Msg::ToEnd);
    let broken = |lab: &Lab| facts::verdict(lab.open()).broken.into_iter().map(|(id, _)| id);
    assert!(broken(&without).all(|id| id != TokenNotRising));
    // What a client of Consul reads, or one of PostgreSQL raises, is one.
    let raised = lab("schema-migrations", &[("postgres.token", "fence-column")]);
    assert!(raised.open().scenario().has_tokens());
    let again = [("consul.token", "lock-index"), ("consul.behavior", "delete")];
    let mut index = lab("consul-lock-delay", &again);
    index.update(Msg::ToEnd);
    assert!(broken(&index).any(|id| id == TokenNotRising));
    // A number that is drawn elsewhere is one.
    let mut drawn = lab("separate-counter", &[]);
    drawn.update(Msg::ToEnd);
    assert!(broken(&drawn).any(|id| id == TokenNotRising));
    let counter = Scenario::built_in("separate-counter").expect("built in");
    assert!(counter.has_tokens());
}

/// The epoch stands in the high 32 bits of a zxid: a number of ten digits is one in decimal.
#[test]
fn a_zxid_is_written_in_hexadecimal_wherever_it_stands() {
    // The suffix of a znode has ten digits too, and is filled up with zeros.
    let is_long = |word: &str| {
        word.len() >= 10 && !word.starts_with('0') && word.bytes().all(|it| it.is_ascii_digit())
    };
    let mut seen = 0;
    for rule in [Rule::None, Rule::OwnerAndSequence] {
        let mut lab = lab("zookeeper-pause", &[("store.rule", rule.name())]);
        for said in said(&mut lab).iter().filter(|said| !said.starts_with("mark ")) {
            let words = || said.split(|letter: char| !letter.is_ascii_alphanumeric());
            assert!(!words().any(is_long), "{said}");
            seen += words().filter(|word| word.starts_with("0x1")).count();
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn who_goes_by_a_grant_that_was_forgotten_is_named_beside_the_next_holder() {
    let mut lab = lab("redlock", &[]);
    let at = |lab: &mut Lab, ms: i64| {
        lab.update(Msg::Seek(TrueTime(ms * 1_000)));
        let verdict = facts::verdict(lab.open());
        let names = lab.open().scenario().names();
        let granted = verdict.granted.iter().filter_map(|held| held.node);
        let name = |id| names.of(id).to_owned();
        (granted.map(name).collect::<Vec<_>>(), verdict.forgotten.into_iter().map(name).collect())
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(at(&mut lab, 4_000), (vec!["W1".to_owned()], none.clone()));
    assert_eq!(at(&mut lab, 10_000), (vec!["W2".to_owned()], vec!["W1".to_owned()]));
    assert_eq!(at(&mut lab, 60_000), (none.clone(), none), "both are done");
}
