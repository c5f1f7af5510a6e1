//! Every built-in scenario and variant, followed as somebody new follows it: by doing what
//! is marked and nothing else.

use super::{Made, Next, Whose, next, whose};
use crate::lab::bench::Edit;
use crate::lab::{Lab, Msg, Open, Playing, faults};
use crate::learn::told;
use crate::properties::{Judge, Judged, PropertyId};
use crate::scenario::clicks::Do;
use crate::scenario::{Run, library};
use crate::sim::time::{Span, TrueTime};

/// Some scenarios have this many clicks at most, each with a run before it.
const MOST_STEPS: usize = 20;

/// What the marked control does: a pause is made by the button on its thing, with that
/// one's preset.
fn offered(lab: &Lab, action: Do) -> Do {
    let open = lab.open();
    match &action {
        Do::Pause { node, .. } => {
            let id = open.scenario().names().find(node).expect("there");
            faults::pause(open, id).choices[0].action.clone()
        }
        _ => action,
    }
}

/// Does what is marked until the run has ended; says where that leads astray.
fn follow(lab: &mut Lab) -> Result<(), String> {
    for _ in 0..MOST_STEPS {
        if lab.ended().is_some() {
            return Ok(());
        }
        match next(lab) {
            Next::Start | Next::Play | Next::JustRun(Made::AsMarked) => lab.update(Msg::Play),
            Next::Do(action) => {
                let action = offered(lab, action);
                lab.update(Msg::Click(action));
            }
            other => return Err(format!("{other:?} at {:?}", lab.open().now())),
        }
        while lab.playing() != Playing::No {
            lab.update(Msg::Tick { elapsed: Span::from_ms(400) });
        }
        if let Some(warning) = lab.warning() {
            return Err(warning.to_owned());
        }
    }
    Err(format!("no end after {MOST_STEPS} steps"))
}

/// What is broken when a run is over.
fn broken(judge: &Judge) -> Vec<PropertyId> {
    let all = judge.verdicts(Judged::AtTheEnd);
    all.filter(|(_, verdict)| !verdict.holds()).map(|(id, _)| id).collect()
}

/// That a run has come to the end that its file announces, and is known as that run.
fn is_told(open: &Open, told: &Run) -> Result<(), String> {
    if open.run().clicks != told.clicks || whose(open) != Whose::Story {
        return Err(format!("{:?}: {:?}", whose(open), open.run().clicks));
    }
    let end = told.to_end().expect("a run");
    let judged = broken(open.judged().expect("it has ended"));
    if judged != broken(&end.moment().observer) || open.past().len() != end.trace().len() {
        return Err(format!("another end: {judged:?}"));
    }
    Ok(())
}

/// Opens each run in a new lab, follows it, and compares it with what is told.
#[track_caller]
fn check_all(open: impl Fn(&mut Lab, &str)) {
    let mut wrong = Vec::new();
    for (name, told) in library::runs().expect("built in") {
        let mut lab = Lab::new().expect("built in");
        open(&mut lab, &name);
        let found = follow(&mut lab).and_then(|()| is_told(lab.open(), &told));
        wrong.extend(found.err().map(|why| format!("{name}: {why}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn whoever_does_what_is_marked_makes_the_run_that_is_told_of() {
    check_all(|lab, name| lab.update(Msg::Load { scenario: name.to_owned() }));
}

#[test]
fn a_scenario_or_variant_that_is_taken_in_the_lab_is_told_too() {
    check_all(|lab, name| {
        let (id, variant) = name.split_once('.').map_or((name, None), |(id, it)| (id, Some(it)));
        lab.update(Msg::Edit(Edit::Scenario { id: id.to_owned() }));
        lab.update(Msg::Edit(Edit::Variant(variant.map(str::to_owned))));
    });
}

/// Runs whose end leads to no other with the same clicks: nothing is broken, a rule is to be
/// tried first, or the scenario tells of no cure.
const LEADS_TO_NO_SAME_CLICKS: &str = "\
    reconcile-unfenced reconcile reconcile.stop-work reconcile.check-before-write
    reconcile.create-if-absent plain-read renewal-fails renewal-fails.heartbeat-blocked
    check-then-put.one-step slow-clock slow-clock.wall-clock refund refund.tokens-and-claim
    refund.refund-id separate-counter separate-counter.stale-overwrites queue-of-eight
    queue-of-eight.unfenced batch-incident.etcd-tokens batch-incident.counter redis-failover
    redlock redlock.restart-with-a-file redlock.delayed-restart redlock.pause-before-counting
    redlock.pause-after-counting redlock.bounded-rate zookeeper-pause zookeeper-pause.czxid
    zookeeper-pause.too-late zookeeper-pause.partition-lost zookeeper-pause.partition-suspended
    zookeeper-pause.leader-change conditional-puts conditional-puts.lost-answer
    conditional-puts.lost-answer-unmarked etag-aba.own-mark no-lock no-lock.no-check
    no-lock.one-transfer no-lock.retried no-lock.retried-key leader-log leader-log.sent-twice
    rising-load rising-load.fenced rising-load.leader rising-load.versions rising-load.keys
    schema-migrations.fence-column schema-migrations.sequence schema-migrations.crash
    schema-migrations.told schema-migrations.pooler-transaction schema-migrations.client-clock
    schema-migrations.database-clock schema-migrations.failover-behind
    schema-migrations.failover-sequence store-restart.on-disk consul-lock-delay
    consul-lock-delay.modify-index consul-lock-delay.lock-index consul-lock-delay.stop-work
    consul-lock-delay.short-pause consul-lock-delay.no-lock-delay
    consul-lock-delay.forgotten-delay consul-lock-delay.second-life consul-lock-delay.new-leader
    consul-lock-delay.delay-kept guarded-write guarded-write.create-revision
    mark-scopes.one-mark mark-scopes.both-claimed mark-scopes.two-marks outbox.key
    outbox.write-first outbox.outbox outbox.relay-crash-key outbox.two-relays-key object-lock
    object-lock.epoch object-lock.skewed object-lock.unchanged object-lock.fast-clock
    object-lock.create-only object-lock.own-nonce";

/// What a story's end leads to is told as well, where the same clicks are the other run's
/// own; and it breaks no promise.
#[test]
fn the_same_clicks_elsewhere_make_the_run_whose_name_is_on_the_button() {
    let (mut led_to, mut leads_nowhere) = (Vec::new(), Vec::new());
    for (name, _) in library::runs().expect("built in") {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Load { scenario: name.clone() });
        follow(&mut lab).expect("its end");
        let Next::SameClicks(same) = next(&lab) else {
            leads_nowhere.push(name);
            continue;
        };
        let told = told::scenario(&same.run).expect("there").run();
        lab.update(Msg::SameClicksIn { scenario: same.run.clone() });
        lab.update(Msg::ToEnd);
        if told.clicks == lab.open().run().clicks {
            assert_eq!(is_told(lab.open(), &told), Ok(()), "{name} leads to {}", same.run);
        }
        assert_eq!(lab.open().ended().map(|it| it.broken.as_slice()), Some([].as_slice()));
        led_to.push(same.run);
    }
    assert!(led_to.contains(&"batch-incident.etcd-tokens".to_owned()), "{led_to:?}");
    let expected: Vec<&str> = LEADS_TO_NO_SAME_CLICKS.split_whitespace().collect();
    assert_eq!(leads_nowhere, expected);
}

/// What is marked after a click, in a run in which these were made.
#[track_caller]
fn check_made(scenario: &str, clicks: &[(i64, Do)], expected: Made) {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Load { scenario: scenario.to_owned() });
    for (at_us, action) in clicks {
        lab.update(Msg::Seek(TrueTime(*at_us)));
        lab.update(Msg::Click(action.clone()));
    }
    assert_eq!(next(&lab), Next::JustRun(expected), "{clicks:?}");
}

#[test]
fn what_was_marked_is_never_called_something_else() {
    let crash = |node: &str| Do::Crash { node: node.to_owned(), restart_after_ms: None };
    let (id, w1, z1) = ("zookeeper-pause.leader-change", crash("W1"), crash("Z1"));
    check_made(id, &[(5_000_000, w1.clone())], Made::AsMarked);
    check_made(id, &[(5_400_000, w1.clone())], Made::AtAnotherMoment);
    check_made(id, &[(5_000_000, z1.clone())], Made::Other);
    check_made(id, &[(5_000_000, w1.clone()), (13_000_000, z1.clone())], Made::AsMarked);
    check_made(id, &[(5_000_000, w1.clone()), (13_000_001, z1)], Made::AtAnotherMoment);
    let start = Do::Restart { node: "W1".to_owned() };
    check_made(id, &[(5_400_000, w1), (60_000_000, start)], Made::AsMarked);
}

#[test]
fn who_is_dead_at_the_end_that_is_told_of_is_left_so() {
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Load { scenario: "zookeeper-pause.leader-change".to_owned() });
    follow(&mut lab).expect("its end");
    assert_eq!(lab.ended().map(|ended| ended.undo().is_some()), Some(true), "W1 is dead");
    assert_eq!(next(&lab), Next::PlayAgain);
}
