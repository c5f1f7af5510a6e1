use super::fields::{Field, GROUPS, Kind, WORKER};
use super::shown::{Shown, bench};
use super::*;
use crate::content::Choice;
use crate::lab::Msg;
use crate::scenario::read;
use crate::scenario::spec::{
    ConsulSpec, EtcdSpec, LockSpec, NetworkSpec, ObjectsSpec, OrchestratorSpec, PartnerSpec,
    PostgresSpec, RedisSpec, RedlockSpec, Spec, StoreSpec, WorkerSpec, ZooKeeperSpec,
};
use crate::text::ui::ui;

fn lab() -> Lab {
    Lab::on(&Scenario::built_in("reconcile").expect("built in")).expect("built in")
}

fn whole(number: i64) -> Tree {
    Tree::new(Value::Whole(number))
}

fn set(path: &str, value: Tree) -> Msg {
    Msg::Edit(Edit::Set { path: path.to_owned(), value })
}

fn pause(node: &str, at_s: i64) -> ClickSpec {
    let r#do = Do::Pause { node: node.to_owned(), for_ms: Some(5_000) };
    ClickSpec { at_us: at_s * 1_000_000, r#do }
}

fn all_fields() -> Vec<(&'static str, Field)> {
    let of = |way: &'static str, groups: &'static [super::fields::Group]| {
        groups.iter().flat_map(move |group| group.fields.iter().map(move |field| (way, *field)))
    };
    of("", GROUPS).chain(of("worker.W1.", WORKER)).collect()
}

/// What has no control here, and why.
const NO_FIELDS: &[(&str, &str)] = &[
    ("format", "the version of the format"),
    ("id", "names the built-in scenario: the list of scenarios"),
    ("click", "the clicks of which the scenario tells: the list of clicks"),
    ("variant", "the list of variants"),
    ("load", "what arrives, step by step: the scenario is about it"),
    ("worker.W1.name", "names the worker in clicks and settings"),
];

#[test]
fn every_field_of_a_scenario_has_a_control_or_a_reason() {
    let mut paths: Vec<String> = Vec::new();
    let mut add = |way: &str, fields: &[&str]| {
        paths.extend(fields.iter().map(|field| format!("{way}{field}")));
    };
    let tables = [
        "lock",
        "etcd",
        "redis",
        "redlock",
        "zookeeper",
        "postgres",
        "consul",
        "objects",
        "store",
        "partner",
        "network",
        "worker",
        "orchestrator",
    ];
    let top: Vec<&str> =
        Spec::FIELDS.iter().copied().filter(|field| !tables.contains(field)).collect();
    add("", &top);
    add("lock.", LockSpec::FIELDS);
    add("etcd.", EtcdSpec::FIELDS);
    add("redis.", RedisSpec::FIELDS);
    add("redlock.", RedlockSpec::FIELDS);
    add("zookeeper.", ZooKeeperSpec::FIELDS);
    add("postgres.", PostgresSpec::FIELDS);
    add("consul.", ConsulSpec::FIELDS);
    add("objects.", ObjectsSpec::FIELDS);
    add("store.", StoreSpec::FIELDS);
    add("partner.", PartnerSpec::FIELDS);
    add("network.", NetworkSpec::FIELDS);
    add("orchestrator.", OrchestratorSpec::FIELDS);
    add("worker.W1.", WorkerSpec::FIELDS);
    let mut there: Vec<String> =
        all_fields().iter().map(|(way, field)| format!("{way}{}", field.path)).collect();
    there.extend(NO_FIELDS.iter().map(|(path, _)| (*path).to_owned()));
    paths.sort();
    there.sort();
    assert_eq!(there, paths);
}

#[test]
fn every_field_group_and_choice_has_words() {
    let text = &ui().bench;
    for group in GROUPS.iter().chain(WORKER) {
        assert!(!(text.group)(group.id).is_empty(), "{}", group.id);
    }
    for (_, field) in all_fields() {
        assert!(!(text.field)(field.path).label.is_empty(), "{}", field.path);
        let (Kind::One(names) | Kind::Some(names) | Kind::Steps(names)) = field.kind else {
            continue;
        };
        let words: Vec<_> = names.iter().map(|name| (text.choice)(field.path, name)).collect();
        for (place, word) in words.iter().enumerate() {
            let word = word.unwrap_or_else(|| panic!("{}: {}", field.path, names[place]));
            assert!(!words[..place].contains(&Some(word)), "{word:?} twice");
        }
    }
}

/// Every control sets what it shows to what it shows, and that is no change.
#[test]
fn what_a_control_shows_is_read_back_as_the_same_value() {
    for id in ["reconcile", "renewal-fails"] {
        let lab = Lab::on(&Scenario::built_in(id).expect("built in")).expect("built in");
        let shown = bench(lab.open());
        let groups = shown.groups.iter().chain(shown.workers.iter().flat_map(|w| &w.groups));
        for field in groups.flat_map(|group| &group.fields) {
            let edit = field.edit(&field.typed).expect("it was shown");
            let next = edited(lab.open().run(), &edit).expect("it is so already");
            assert_eq!(next.scenario.spec(), lab.open().scenario().spec(), "{}", field.path);
            assert_eq!(field.was, None, "{}", field.path);
        }
    }
}

fn field(lab: &Lab, path: &str) -> Shown {
    let shown = bench(lab.open());
    let groups = shown.groups.into_iter().chain(shown.workers.into_iter().flat_map(|w| w.groups));
    groups.flat_map(|group| group.fields).find(|field| field.path == path).expect("a field")
}

#[test]
fn what_is_set_otherwise_is_told_and_can_be_reset_singly() {
    let mut lab = lab();
    for (path, value) in [("network.jitter_ms", 7), ("worker.W1.compute_ms", 3_500)] {
        lab.update(set(path, whole(value)));
    }
    assert_eq!(bench(lab.open()).changed, 2);
    let compute = field(&lab, "worker.W1.compute_ms");
    assert_eq!((compute.typed.as_str(), compute.was.as_deref()), ("3.5", Some("28")));
    lab.update(Msg::Edit(compute.reset().expect("it differs")));
    assert_eq!(field(&lab, "worker.W1.compute_ms").was, None);
    assert_eq!(bench(lab.open()).changed, 1);
    lab.update(Msg::Edit(Edit::Seed(9)));
    assert_eq!(field(&lab, "seed").was.as_deref(), Some("1"));
    assert!(!lab.open().is_as_built_in());
    lab.update(Msg::Edit(Edit::ResetAll));
    assert!(lab.open().is_as_built_in());
    assert_eq!(lab.warning(), None);
}

/// What is refused changes nothing and says where.
#[track_caller]
fn check_refused(lab: &mut Lab, edit: Edit, sentence: &str) {
    let (run, history) = (lab.open().run().clone(), lab.open().history().clone());
    lab.update(Msg::Edit(edit));
    assert_eq!(lab.warning(), Some(sentence));
    assert_eq!((lab.open().run(), lab.open().history()), (&run, &history));
}

#[test]
fn what_cannot_be_is_told_and_changes_nothing() {
    let mut lab = lab();
    let set = |path: &str, value| Edit::Set { path: path.to_owned(), value };
    let cannot = "etcd: `members` is 4, and has to be 1, 3, 5 or 7.";
    check_refused(&mut lab, set("etcd.members", whole(4)), cannot);
    check_refused(
        &mut lab,
        set("worker.W2.starts_ms", Tree::new(Value::Nothing)),
        "worker 2: without `starts_ms` a worker waits for an orchestrator, and there is none.",
    );
    check_refused(
        &mut lab,
        set("worker.W1.program", Tree::new(Value::List(Vec::new()))),
        "worker 1: the program cannot be run: it has no `acquire`.",
    );
    lab.update(Msg::Edit(Edit::AddClick(pause("W2", 7))));
    check_refused(
        &mut lab,
        Edit::RemoveWorker { name: "W2".to_owned() },
        "click 1: `node` names `W2`, which is no machine here; there are etcd, M1, M2, M3, W1, \
         store.",
    );
    check_refused(
        &mut lab,
        Edit::MoveClick { click: 0, at: TrueTime(-1) },
        "click 1: `at_us` is -1, and may not be negative.",
    );
    check_refused(
        &mut lab,
        Edit::DeleteClick { click: 1 },
        "1 clicks: `click` is 2, and has to be the place of a click.",
    );
}

#[test]
fn workers_are_added_up_to_eight_and_removed_down_to_one() {
    let mut lab = lab();
    for count in 3..=8 {
        lab.update(Msg::Edit(Edit::AddWorker { like: "W1".to_owned() }));
        let workers = &lab.open().scenario().spec().workers;
        assert_eq!(workers.len(), count);
        let last = &workers[count - 1];
        assert_eq!((last.name.as_str(), last.compute_ms), (&*format!("W{count}"), 28_000));
        assert_eq!(last.starts_ms, Some(100 + 1_000 * (count as i64 - 2)));
    }
    assert!(!bench(lab.open()).has_room);
    assert!(bench(lab.open()).workers[7].is_added);
    let like = Edit::AddWorker { like: "W1".to_owned() };
    check_refused(
        &mut lab,
        like,
        "the scenario: there are 9 workers, and there have to be 1 to 8.",
    );
    // What the scenario tells of W1 is let go with it.
    for name in ["W1", "W5"] {
        lab.update(Msg::Edit(Edit::RemoveWorker { name: name.to_owned() }));
    }
    lab.update(Msg::Edit(Edit::AddWorker { like: "W8".to_owned() }));
    let names = |lab: &Lab| {
        let workers = lab.open().scenario().spec().workers.iter();
        workers.map(|worker| worker.name.clone()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&lab), "W2 W3 W4 W6 W7 W8 W1");
}

#[test]
fn an_orchestrator_comes_and_goes_with_its_one_setting() {
    let mut lab = lab();
    lab.update(set(fields::ORCHESTRATOR, whole(1_000)));
    assert!(lab.open().scenario().names().find("orchestrator").is_some());
    lab.update(set(fields::ORCHESTRATOR, Tree::new(Value::Nothing)));
    assert!(lab.open().scenario().names().find("orchestrator").is_none());
    assert!(lab.open().is_as_built_in());
}

#[test]
fn an_edit_stays_in_its_tab_and_at_its_moment() {
    let mut lab = lab();
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    lab.update(set("lock.ttl_s", whole(12)));
    assert_eq!((lab.runs().len(), lab.open().now()), (1, TrueTime(25_000_000)));
    assert_eq!(lab.open().number(), 2, "another run, in the same tab");
    lab.update(Msg::Undo);
    assert_eq!((lab.open().scenario().spec().lock.ttl_s, lab.open().number()), (30, 1));
    lab.update(Msg::Redo);
    assert_eq!(lab.open().number(), 2);
    assert_eq!(lab.open().scenario().spec().lock.ttl_s, 12);
    lab.update(Msg::Copy);
    lab.update(set("lock.ttl_s", whole(13)));
    assert_eq!((lab.runs().len(), lab.open().now()), (2, TrueTime(25_000_000)));
    let ttl = |place: usize| lab.runs()[place].scenario().spec().lock.ttl_s;
    assert_eq!((ttl(0), ttl(1)), (12, 13));
}

#[test]
fn a_click_made_on_the_stage_can_be_undone() {
    let mut lab = lab();
    lab.update(Msg::Seek(TrueTime(25_000_000)));
    lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: None }));
    lab.update(Msg::Undo);
    assert_eq!(lab.open().run().clicks, []);
    lab.update(Msg::Redo);
    assert_eq!(lab.open().run().clicks.len(), 1);
}

#[test]
fn clicks_are_listed_in_the_order_of_time_whatever_their_place() {
    let mut lab = lab();
    for (node, at_s) in [("W1", 20), ("W2", 5)] {
        lab.update(Msg::Edit(Edit::AddClick(pause(node, at_s))));
    }
    let says = |lab: &Lab| {
        let rows = bench(lab.open()).clicks.into_iter();
        rows.map(|row| format!("{} {}", row.at.0 / 1_000_000, row.says)).collect::<Vec<_>>()
    };
    assert_eq!(says(&lab), ["5 Pause, W2", "20 Pause, W1"]);
    lab.update(Msg::Edit(Edit::MoveClick { click: 0, at: TrueTime(2_000_000) }));
    assert_eq!(says(&lab), ["2 Pause, W1", "5 Pause, W2"]);
    let action = Do::Crash { node: "W1".to_owned(), restart_after_ms: None };
    lab.update(Msg::Edit(Edit::ChangeClick { click: 0, action }));
    lab.update(Msg::Edit(Edit::DeleteClick { click: 1 }));
    assert_eq!(says(&lab), ["2 Crash, W1"]);
    lab.update(Msg::Edit(Edit::OwnClicks));
    assert_eq!(says(&lab), ["25 Pause, W1"]);
}

#[test]
fn every_action_on_every_target_can_be_added() {
    for id in ["renewal-fails", "queue-of-eight"] {
        let run = Scenario::built_in(id).expect("built in").run_without_clicks();
        for target in clicks::targets(&run) {
            for action in target.actions {
                let click = ClickSpec { at_us: 1, r#do: action };
                let added = edited(&run, &Edit::AddClick(click.clone()));
                assert_eq!(added.map(|run| run.clicks), Ok(vec![click]), "{}", target.name);
            }
        }
    }
}

#[test]
fn a_variant_keeps_what_was_set_otherwise() {
    let mut lab = lab();
    lab.update(set("lock.ttl_s", whole(12)));
    lab.update(Msg::Edit(Edit::Variant(Some("create-if-absent".to_owned()))));
    let spec = lab.open().scenario().spec();
    assert_eq!((spec.lock.recipe.name(), spec.lock.ttl_s), ("create-if-absent", 12));
    assert_eq!(bench(lab.open()).changed, 1, "the variant's own setting is none of them");
    lab.update(Msg::Edit(Edit::Variant(None)));
    let spec = lab.open().scenario().spec();
    assert_eq!((spec.lock.recipe.name(), spec.lock.ttl_s), ("queue", 12));
}

#[test]
fn another_scenario_in_the_same_tab_is_one_step_from_the_one_before() {
    let mut lab = lab();
    lab.update(Msg::Edit(Edit::AddClick(pause("W1", 20))));
    let before = lab.open().run().clone();
    lab.update(Msg::Edit(Edit::Scenario { id: "queue-of-eight".to_owned() }));
    assert_eq!((lab.runs().len(), lab.open().scenario().spec().workers.len()), (1, 8));
    lab.update(Msg::Undo);
    assert_eq!(*lab.open().run(), before);
}

#[test]
fn a_path_leads_where_a_setting_goes() {
    let scenario = Scenario::built_in("reconcile").expect("built in");
    let filled = scenario.filled_in();
    assert_eq!(read::get(&filled, "worker.W2.retries"), Some(&whole(3)));
    assert_eq!(read::get(&filled, "worker.W3.retries"), None);
    assert_eq!(scenario.said("worker.W2.retries"), None, "it is left to its default");
}

#[test]
fn another_lock_service_brings_its_own_way_of_taking_a_lock() {
    let mut lab = lab();
    let text = |value: &str| Tree::new(Value::Text(value.to_owned()));
    let lock = |lab: &Lab| {
        let lock = &lab.open().scenario().spec().lock;
        (lock.service.name(), lock.recipe.name())
    };
    assert_eq!(lock(&lab), ("etcd", "queue"));
    lab.update(set("lock.service", text("redis")));
    assert_eq!(lock(&lab), ("redis", "set-nx"));
    lab.update(set("worker.W1.renewal", text("none")));
    lab.update(set("lock.service", text("etcd")));
    assert_eq!(lock(&lab), ("etcd", "queue"));
    assert_eq!(lab.open().scenario().spec().workers[0].renewal.name(), "owner");
    assert_eq!(lab.warning(), None);
}

#[test]
fn with_another_lock_service_the_run_begins_at_its_start() {
    let mut lab = lab();
    let text = |value: &str| Tree::new(Value::Text(value.to_owned()));
    lab.update(Msg::ToEnd);
    let end = lab.open().now();
    lab.update(set("lock.service", text("consul")));
    assert_eq!((lab.open().now(), lab.playing()), (TrueTime(0), Playing::No));
    let fresh = Open::new(9, lab.open().run().clone()).expect("it is right");
    let stands = |open: &Open| (open.now(), open.seen_until(), open.past().len());
    assert_eq!(stands(lab.open()), stands(&fresh), "as one that is newly opened");
    lab.update(Msg::Undo);
    assert_eq!(lab.open().now(), end, "what was before is as it was");
}

/// Keys repeat: what they moved in a row is one step back.
#[test]
fn steps_of_one_click_in_a_row_are_undone_at_once() {
    let mut lab = Lab::new().expect("built in");
    for at_us in [10_000_000, 20_000_000] {
        let r#do = Do::Pause { node: "W1".to_owned(), for_ms: Some(1_000) };
        lab.update(Msg::Edit(Edit::AddClick(ClickSpec { at_us, r#do })));
    }
    let mut to = |click: usize, at_ms: i64| {
        let at = TrueTime(at_ms * 1_000);
        lab.update(Msg::Edit(Edit::MoveClick { click, at }));
    };
    to(0, 10_500);
    to(0, 15_500);
    to(1, 20_500);
    to(1, 21_000);
    // Dragged there.
    to(1, 21_010);
    let at = |lab: &Lab| -> Vec<i64> {
        lab.open().run().clicks.iter().map(|click| click.at_us / 1_000).collect()
    };
    assert_eq!(at(&lab), [15_500, 21_010]);
    for expected in [[15_500, 21_000], [15_500, 20_000], [10_000, 20_000]] {
        lab.update(Msg::Undo);
        assert_eq!(at(&lab), expected);
    }
    lab.update(Msg::Redo);
    assert_eq!(at(&lab), [15_500, 20_000]);
}
