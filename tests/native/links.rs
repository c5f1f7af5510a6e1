//! A run as a link: nothing is lost on the way, and what is wrong is told.

use crate::lots::{self, Lots};
use fencepost::content::{Table, Tree, Value};
use fencepost::scenario::clicks::Do;
use fencepost::scenario::spec::StoreKind;
use fencepost::scenario::{Run, Scenario, library};
use fencepost::share::link::Agreement;
use fencepost::share::outcome::{MODEL, Outcome};
use fencepost::share::{Link, LinkError};
use fencepost::sim::time::TrueTime;

fn built_in(id: &str) -> Scenario {
    Scenario::built_in(id).expect("built in")
}

/// What a fragment is answered with.
#[track_caller]
fn check(fragment: &str, sentence: &str) {
    let run = Link::from_fragment(fragment).and_then(|link| link.run());
    match run {
        Ok(_) => panic!("nothing is found wrong with {fragment}"),
        Err(error) => assert_eq!(error.to_string(), sentence),
    }
}

/// There and back.
#[track_caller]
fn check_kept(run: &Run) -> String {
    let link = Link::to(run).expect("it is of a built-in scenario");
    let fragment = link.fragment();
    let read = Link::from_fragment(&fragment).unwrap_or_else(|error| panic!("{fragment}: {error}"));
    assert_eq!(read, link, "{fragment}");
    assert_eq!(read.run().as_ref(), Ok(run), "{fragment}");
    assert_eq!(read.agreement(run), Ok(Agreement::Same), "{fragment}");
    fragment
}

#[test]
fn every_built_in_run_is_kept_by_a_link_of_less_than_2_000_characters() {
    for (name, run) in library::runs().expect("they are right") {
        let fragment = check_kept(&run);
        assert!(fragment.len() < 2_000, "{name}: {} characters", fragment.len());
    }
}

#[test]
fn a_link_reads_like_this() {
    let run = built_in("reconcile").variant("stop-work").expect("a variant").run();
    let setting = |path: &str, value: &str| (path.to_owned(), value.to_owned());
    let settings = [
        setting("lock.ttl_s", "20"),
        setting("worker.W2.job", "\"the day's\""),
        setting("seed", "7"),
    ];
    let run = Run { scenario: run.scenario.with(&settings).expect("it can be"), ..run };
    let mut link = Link::to(&run).expect("built in");
    link.at = Some(TrueTime(73_074_000));
    link.outcome = Some((1, Outcome(0xab)));
    assert_eq!(
        link.fragment(),
        "v=1&scenario=reconcile&variant=stop-work&set=lock.ttl_s:20&set=seed:7\
         &set=worker.W2.job:'the%20day''s'&click=25000000:pause(for_ms=45000,node=W1)\
         &at=73074000&model=1&outcome=00000000000000ab"
    );
}

/// A scenario with a variant or settings of its own, or none.
fn scenario(lots: &mut Lots) -> Scenario {
    let ids: Vec<&str> = library::ALL.iter().map(|(id, _)| *id).collect();
    let mut scenario = built_in(lots.of(&ids));
    let variants: Vec<String> = scenario.spec().variants.iter().map(|v| v.id.clone()).collect();
    if !variants.is_empty() && lots.below(2) == 0 {
        scenario = scenario.variant(&lots.of(&variants)).expect("it is there");
    }
    let number = lots.below(50_000).to_string();
    let all = [
        ("network.jitter_ms", number.as_str()),
        ("network.loss_ppm", "1000"),
        ("lock.ttl_s", "12"),
        ("lock.key", "\"/locks/ä 'b' & c=%41(#)\""),
        ("worker.W1.compute_ms", number.as_str()),
        ("worker.W1.program", "[\"acquire\", \"claim\", \"write\"]"),
        ("worker.W1.wall_ahead_ms", "-3"),
        ("store.rule", "at-least"),
        ("title", "\"\""),
        ("promises", "[]"),
    ];
    for (path, value) in all {
        // An object store has no rule.
        let has_rule = scenario.spec().store.kind == StoreKind::Fenced;
        if lots.below(4) == 0 && (has_rule || path != "store.rule") {
            let setting = (path.to_owned(), value.to_owned());
            scenario = scenario.with(&[setting]).expect("it can be");
        }
    }
    scenario
}

#[test]
fn random_runs_are_kept() {
    for seed in 0..200 {
        let mut lots = Lots::new(seed);
        let scenario = scenario(&mut lots);
        let mut run = Run { seed: lots.below(u64::MAX), ..scenario.run_without_clicks() };
        run.clicks = lots::clicks(&mut lots, &run);
        check_kept(&run);
    }
}

fn tree(lots: &mut Lots, depth: u32) -> Tree {
    let texts =
        ["", "a", "it's", "''", "12", "-", "a b", "(", ")", "=", "(=)", "a=b", "%", "ü", "/x.y"];
    let keys = ["a", "b-c", "d_e", "f.g", "/h"];
    Tree::new(match lots.below(if depth > 0 { 5 } else { 3 }) {
        0 => Value::Whole(lots.of(&[0, -1, 7, i64::MAX, i64::MIN])),
        1 | 2 => Value::Text(lots.of(&texts).to_owned()),
        3 => Value::List((0..lots.below(4)).map(|_| tree(lots, depth - 1)).collect()),
        _ => {
            let field = |lots: &mut Lots| (lots.of(&keys).to_owned(), tree(lots, depth - 1));
            Value::Table((0..lots.below(4)).map(|_| field(lots)).collect::<Table>())
        }
    })
}

#[test]
fn random_values_of_settings_are_kept() {
    let link = |settings| Link {
        scenario: "reconcile".to_owned(),
        variant: None,
        settings,
        seed: None,
        clicks: Vec::new(),
        at: None,
        outcome: None,
    };
    for seed in 0..3_000 {
        let mut lots = Lots::new(seed);
        let link = link(vec![("store.rule".to_owned(), tree(&mut lots, 4))]);
        assert_eq!(Link::from_fragment(&link.fragment()), Ok(link));
    }
}

#[test]
fn a_link_with_one_sign_changed_is_refused_or_says_what_it_says() {
    let run = built_in("plain-read").run();
    let fragment = Link::to(&run).expect("built in").fragment();
    let mut refused = 0;
    for (place, old) in fragment.char_indices() {
        for new in ["", "&", "=", "'", "(", ")", "%", "0", "x", "ü"] {
            let changed = [&fragment[..place], new, &fragment[place + old.len_utf8()..]].concat();
            match Link::from_fragment(&changed) {
                Ok(link) => {
                    let again = Link::from_fragment(&link.fragment());
                    assert_eq!(again, Ok(link), "{changed}");
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > fragment.len(), "most changes are noticed: {refused}");
}

#[test]
fn what_is_wrong_with_a_link_is_told_with_its_place() {
    let there = "there are v, scenario, variant, set, seed, click, at, model, outcome";
    check("", &format!("the link: there is no such part; {there}"));
    check("v=1", "scenario: it is missing");
    check("scenario=reconcile", "v: it is missing");
    check("v=2&scenario=reconcile", "v: this is version 2, and only version 1 can be read");
    check("v=1&scenario=reconcile&colour=red", &format!("colour: there is no such part; {there}"));
    check("v=1&scenario=reconcile&scenario=refund", "scenario: it is there twice");
    check("v=1&scenario=re%ff", "scenario: its percent-encoding is no text");
    check("v=1&scenario=reconcile!", "scenario: the end is expected at character 10");
    check("v=1&scenario=reconcile&seed=-1", "seed: this is `-1`, and has to be a whole number");
    for seed in ["%2B7", "07", "", "7%20"] {
        let said = seed.replace("%2B", "+").replace("%20", " ");
        check(
            &format!("v=1&scenario=reconcile&seed={seed}"),
            &format!("seed: this is `{said}`, and has to be a whole number"),
        );
    }
    for at in ["-1", "180000001", "9223372036854775807"] {
        check(
            &format!("v=1&scenario=reconcile&at={at}"),
            "at: a run of it goes from 0 to 180000000 at the most",
        );
    }
    check("v=1&scenario=reconcile&at=3s", "at: the end is expected at character 2");
    check("v=1&scenario=reconcile&at=03", "at: a whole number is expected at character 1");
    check("v=1&scenario=reconcile&model=1", "outcome: it is missing");
    check(
        "v=1&scenario=reconcile&model=1&outcome=AB",
        "outcome: this is `AB`, and has to be 16 digits of 0 to 9 and a to f",
    );
    check(
        "v=1&scenario=reconcil",
        "scenario: there is no scenario `reconcil`; there are reconcile-unfenced, reconcile, \
         plain-read, renewal-fails, check-then-put, slow-clock, refund, separate-counter, \
         queue-of-eight, batch-incident, redis-failover, redlock, zookeeper-pause, \
         conditional-puts, etag-aba, no-lock, leader-log, rising-load, schema-migrations, \
         store-restart, consul-lock-delay, guarded-write, mark-scopes, outbox, object-lock",
    );
}

#[test]
fn what_is_wrong_with_a_setting_or_a_click_is_told_with_its_place() {
    let with = |part: &str| format!("v=1&scenario=reconcile&{part}");
    check(&with("set=store.rule"), "set 1: a colon is expected at character 11");
    check(&with("set=lock.ttl_s:9&set=lock.ttl_s:9"), "set 2: it is there twice");
    check(
        &with("set=store.rule:(a"),
        "set 1: a comma or a closing bracket is expected at character 14",
    );
    check(&with("set=a:'b"), "set 1: a closing quote is expected at character 5");
    check(&with("set=a:(b=1,b=2)"), "set 1: the field is there twice at character 8");
    check(&with("set=a:99999999999999999999"), "set 1: the number is too large at character 3");
    check(&with("set=worker.W7.job:x"), "settings: there is no setting `worker.W7.job`");
    check(
        &with("set=lock.ttl_s:ten"),
        "lock, ttl_s: this is the text \"ten\", and has to be a whole number",
    );
    check(&with("click=5"), "click 1: a colon is expected at character 2");
    check(
        &with("click=5:resume(node=W1)&click=6:pause(nod=W1)"),
        "click 2: do, pause, nod: there is no field `nod` here; there are node, for_ms",
    );
    check(
        &with("click=5:resume(node=W9)"),
        "click 1: `node` names `W9`, which is no machine here; there are etcd, M1, M2, M3, W1, \
         W2, store",
    );
    let deep = format!("set=a:{}", "(".repeat(17));
    check(&with(&deep), "set 1: too many brackets stand in each other at character 19");
}

#[test]
fn a_run_of_no_built_in_scenario_has_no_link() {
    let text = "extends = \"reconcile\"\nid = \"mine\"\n";
    let run = Scenario::from_text(text).expect("it is right").run();
    let error: LinkError = Link::to(&run).expect_err("it is nobody's");
    assert_eq!(
        error.to_string(),
        "scenario: only a run of a built-in scenario can be told by a link"
    );
}

#[test]
fn a_link_that_says_what_its_run_does_not_come_to_is_noticed() {
    let mut run = built_in("reconcile").run();
    let link = Link::to(&run).expect("built in");
    run.clicks[0].r#do = Do::Pause { node: "W1".to_owned(), for_ms: Some(1_000) };
    assert_eq!(link.agreement(&run), Ok(Agreement::OtherOutcome));
    let (_, outcome) = link.outcome.expect("it says");
    let older = Link { outcome: Some((MODEL - 1, outcome)), ..link.clone() };
    assert_eq!(older.agreement(&run), Ok(Agreement::OtherModel));
    let silent = Link { outcome: None, ..link };
    assert_eq!(silent.agreement(&run), Ok(Agreement::Same));
}

const OUTCOMES: &str = "1458addf728d8d73 26782619d3a8f07d b32b1b34604034be \
                        3a1aa4c180512aa9 71d1acf236b3fcaa eb0166e6f80382d5 \
                        d113820c4eb2b51a 142ecaa681023389 572314609f0d46f2 \
                        5d243bc534c111cb 44ae0b850bcbeebf 9ede492f7a268eb9 \
                        b107e5f2172afcc3 1f25c48126f75548";

/// When this fails, links that people hold no longer agree with their runs: raise
/// `MODEL`, and write the outcomes here.
#[test]
fn another_model_has_another_version() {
    let run = |name: &str| match name.split_once('.') {
        Some((id, variant)) => built_in(id).variant(variant).expect("it is there").run(),
        None => built_in(name).run(),
    };
    let outcome = |name: &str| Outcome::of(&run(name)).expect("it is right").to_string();
    let of_each_service_and_store = [
        "reconcile",
        "renewal-fails",
        "redis-failover",
        "redlock",
        "zookeeper-pause",
        "etag-aba",
        "schema-migrations",
        "consul-lock-delay",
        "guarded-write",
        "mark-scopes",
        "outbox.relay-crash",
        "schema-migrations.failover",
        "consul-lock-delay.new-leader",
        "object-lock",
    ];
    let outcomes = of_each_service_and_store.map(outcome);
    assert_eq!((MODEL, outcomes.join(" ")), (8, OUTCOMES.to_owned()));
}
