//! The signals of built-in runs, each told in lines; `!` marks an alarm.

use crate::actors::note::LockNote;
use crate::actors::{Actor, Note};
use crate::properties::signals::{Answer, Record, Signal, Signals};
use crate::scenario::clicks::{ClickSpec, Do, Way};
use crate::scenario::{Run, Scenario};
use crate::sim::event::{Event, EventId, What};
use crate::sim::time::TrueTime;
use crate::text::signals::{json_lines, told};

/// The records of a run, in lines.
fn signals(run: &Run) -> String {
    let replay = run.to_end().expect("it runs");
    let (trace, now) = (replay.trace(), replay.now());
    let mut at_once = Signals::new(run.scenario.usual());
    at_once.take_in(trace, now);
    let mut bit_by_bit = Signals::new(run.scenario.usual());
    for place in 0..trace.len() {
        bit_by_bit.take_in(&trace[..=place], trace[place].at);
    }
    bit_by_bit.take_in(trace, now);
    assert_eq!(bit_by_bit.records(), at_once.records());
    assert!(at_once.records().is_sorted_by_key(|record| record.at));
    let lines = at_once.records().iter().map(|it| told(it, run.scenario.names()));
    lines.collect::<Vec<_>>().join("\n")
}

/// How every run of `reconcile` begins.
const BEGINS: &str = "  0.0 s  W1 asks for the lock
           0.0 s  nobody holds the lock, and somebody waits
           0.0 s  the lock was without a holder for 34 ms
           0.0 s  W1 has the lock after 44 ms
           0.0 s  one believes to hold the lock
           0.1 s  W2 asks for the lock";

/// How it goes on where W1 is paused at 25 s.
const PAUSED: &str = "! 30.1 s  W2 waits for the lock, 30 s by now
          36.5 s  a renewal of W1 is overdue
        ! 46.5 s  2 renewals of W1 in a row are overdue
          51.6 s  W2 has the lock after 51.5 s
        ! 51.6 s  2 believe to hold the lock";

#[track_caller]
fn check(run: &Run, expected: &str) {
    let words = |text: &str| {
        let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.trim().lines().map(line).collect::<Vec<_>>()
    };
    let expected = expected.replace('|', "").replace("BEGINS", BEGINS).replace("PAUSED", PAUSED);
    assert_eq!(words(&signals(run)), words(&expected));
}

fn built_in(id: &str) -> Run {
    Scenario::built_in(id).expect("built in").run()
}

fn with_click(id: &str, at_s: i64, action: Do) -> Run {
    let mut run = Scenario::built_in(id).expect("built in").run_without_clicks();
    run.clicks.push(ClickSpec { at_us: at_s * 1_000_000, r#do: action });
    run
}

#[test]
fn a_holder_that_is_paused_is_seen_by_its_renewals_before_the_next_one_has_the_lock() {
    check(
        &built_in("reconcile-unfenced"),
        "
         | BEGINS
         | PAUSED
         |! 73.1 s  token 42 came after 43, and was accepted
         |  73.1 s  one believes to hold the lock
         |  79.6 s  nobody believes to hold the lock",
    );
}

#[test]
fn a_refusal_is_no_alarm_and_what_is_accepted_out_of_order_is() {
    check(
        &built_in("reconcile"),
        "
         | BEGINS
         | PAUSED
         |  73.1 s  the store refused token 42
         |  73.1 s  token 42 came after 43, and was refused
         |  73.1 s  one believes to hold the lock
         |  79.6 s  nobody believes to hold the lock",
    );
}

#[test]
fn a_key_that_expires_leaves_the_lock_without_a_holder_until_somebody_asks() {
    check(
        &built_in("batch-incident"),
        "
         |   0.0 s  W1 asks for the lock
         |   0.0 s  nobody holds the lock, and somebody waits
         |   0.0 s  the lock was without a holder for 10 ms
         |   0.0 s  W1 has the lock after 20 ms
         |   0.0 s  one believes to hold the lock
         |   0.1 s  W2 asks for the lock
         |  60.0 s  nobody holds the lock, and somebody waits
         |! 60.1 s  W2 waits for the lock, 60 s by now
         |  60.3 s  the lock was without a holder for 0.3 s
         |  60.3 s  W2 has the lock after 60.2 s
         |! 60.3 s  2 believe to hold the lock
         |  95.1 s  one believes to hold the lock
         |  100.3 s  nobody believes to hold the lock",
    );
}

#[test]
fn a_waiter_that_is_cut_off_times_out() {
    let cut =
        Do::Cut { from: "W2".to_owned(), to: "etcd".to_owned(), way: Way::Both, for_ms: None };
    check(
        &with_click("reconcile", 5, cut),
        "
         | BEGINS
         |  15.6 s  a renewal of W2 is overdue
         |! 25.6 s  2 renewals of W2 in a row are overdue
         |  28.1 s  nobody believes to hold the lock
         |! 30.1 s  W2 waits for the lock, 30 s by now
         |  30.5 s  nobody holds the lock, and somebody waits
         |! 31.1 s  W2 gave up waiting after 31 s
         |  31.1 s  the lock was without a holder for 0.6 s",
    );
}

#[test]
fn one_that_crashes_waits_and_renews_and_believes_no_more() {
    let crash = |node: &str| Do::Crash { node: node.to_owned(), restart_after_ms: None };
    check(
        &with_click("reconcile", 5, crash("W2")),
        "
         | BEGINS
         |   5.0 s  W2 asks no more: its process has ended
         |  28.1 s  nobody believes to hold the lock",
    );
    check(
        &with_click("reconcile", 5, crash("W1")),
        "
         | BEGINS
         |   5.0 s  nobody believes to hold the lock
         |! 30.1 s  W2 waits for the lock, 30 s by now
         |  30.6 s  W2 has the lock after 30.5 s
         |  30.6 s  one believes to hold the lock
         |  58.6 s  nobody believes to hold the lock",
    );
}

#[test]
fn a_run_without_a_fault_misses_no_renewal_whatever_its_times() {
    let settings = ["lock.ttl_s=1", "lock.ttl_s=2", "lock.ttl_s=7", "worker.W1.renew_ms=300"];
    for (id, setting) in settings
        .iter()
        .map(|it| ("reconcile", *it))
        .chain([("batch-incident", "worker.W1.renewal=owner"), ("batch-incident", "lock.ttl_s=3")])
    {
        let (path, value) = setting.split_once('=').expect("a value");
        let mut scenario = Scenario::built_in(id).expect("built in");
        let setting = [(path.to_owned(), value.to_owned())];
        scenario = scenario.with(&setting).expect("it can be set");
        let told = signals(&scenario.run_without_clicks());
        assert!(!told.contains("overdue"), "{id} with {path}={value}:\n{told}");
    }
}

#[test]
fn what_came_without_a_token_is_told_without_a_number() {
    let run = built_in("redis-failover");
    let names = run.scenario.names();
    let check_told = |signal, words: &str, fields: &str| {
        let record = Record { at: TrueTime(2_000_000), event: EventId(7), signal };
        assert_eq!(told(&record, names).trim_start_matches('!').trim(), format!("2.0 s  {words}"));
        let json = json_lines(&[record], names);
        assert!(json.trim().ends_with(&format!("\"event\":7{fields}}}")), "{json}");
    };
    let refused = |token| Signal::Refused { token };
    check_told(refused(0), "the store refused what came without a token", "");
    check_told(refused(4), "the store refused token 4", ",\"token\":4");
    let late = |token| Signal::OutOfOrder { token, highest: 5, answer: Answer::Accepted };
    let highest = ",\"highest\":5,\"accepted\":true";
    check_told(late(0), "what came without a token came after 5, and was accepted", highest);
    let both = format!(",\"token\":4{highest}");
    check_told(late(4), "token 4 came after 5, and was accepted", &both);
}

/// W1's node is cut off with it and renews its key; the other's copy of it dies.
const TWO_NODES: &str = r#"format = 1
id = "mine"
title = "Mine"
goal = "To be changed."
limit_ms = 60_000
promises = []
click = [
    { at_us = 5_000_000, do.cut = { from = "R1", to = "R2" } },
    { at_us = 6_000_000, do.promote = { node = "R2" } },
    { at_us = 15_000_000, do.crash = { node = "R2" } },
]

[lock]
service = "redis"
key = "job"
recipe = "set-nx"
ttl_s = 10

[redis]
replicas = 1

[store]
rule = "none"

[[worker]]
name = "W1"
starts_ms = 0
program = ["acquire", "read", "compute", "write", "release"]
compute_ms = 30_000
job = "mine"
amount = 1
renewal = "owner"

[[worker]]
name = "W2"
starts_ms = 3_000
program = ["acquire", "read", "compute", "write", "release"]
compute_ms = 1_000
job = "yours"
amount = 1
"#;

#[test]
fn a_lock_that_one_node_upholds_is_not_without_a_holder_because_another_ended_it() {
    let run = Scenario::from_text(TWO_NODES).expect("it is right").run();
    let replay = run.to_end().expect("it runs");
    // R2's copy of W1's key is not renewed after the cut.
    let by = |event: &Event<Actor>| match &event.what {
        What::Note(Note::Lock(LockNote::Ended { .. })) => Some((event.node, event.at)),
        _ => None,
    };
    let ends: Vec<_> = replay.trace().iter().filter_map(by).collect();
    let r2 = run.scenario.names().find("R2").expect("a node");
    assert!(ends[0].0 == r2 && ends[0].1 < TrueTime(15_000_000), "{ends:?}");
    let told = signals(&run);
    let missed: Vec<&str> = told.lines().filter(|line| line.contains("nobody holds")).collect();
    let words = "nobody holds the lock, and somebody waits";
    assert_eq!(missed, [format!("     0.0 s  {words}"), format!("    30.1 s  {words}")]);
}

/// Two locks, each with its own counter beside its key: W1 has the one all the while, and
/// W2, who has the other, crashes while W3 waits for it.
const TWO_LOCKS: &str = r#"format = 1
id = "mine"
title = "Mine"
goal = "To be changed."
limit_ms = 60_000
promises = []
click = [{ at_us = 2_000_000, do.crash = { node = "W2" } }]

[lock]
service = "redis"
key = "fees"
recipe = "set-and-count"
ttl_s = 10

[store]
rule = "none"

[[worker]]
name = "W1"
starts_ms = 0
program = ["acquire", "read", "compute", "write", "release"]
compute_ms = 20_000
job = "fees"
amount = 1
renewal = "owner"

[[worker]]
name = "W2"
starts_ms = 0
program = ["acquire", "claim", "compute", "write", "release"]
compute_ms = 20_000
job = "bills"
amount = 1
lock = "bills"

[[worker]]
name = "W3"
starts_ms = 1_500
program = ["acquire", "read", "write", "release"]
job = "bills"
amount = 1
lock = "bills"
"#;

const ENDS: &str = "10.0 s  nobody holds the lock, and somebody waits";

#[test]
fn of_several_locks_each_has_its_holder_and_its_tokens() {
    let told = signals(&Scenario::from_text(TWO_LOCKS).expect("it is right").run());
    // W1 holds its own when that of W2 ends.
    assert!(told.lines().any(|line| line.trim() == ENDS), "{told}");
    // W1 writes with 1 after W3 has written with 2.
    assert!(!told.contains("came after"), "{told}");
}
