//! What a setting does to the clicks of which a scenario tells: those that can still be
//! made stay and are marked at their moments, and what is lost is said where it was set.

use super::*;
use crate::lab::Msg;
use crate::lab::bench::shown::{bench, differs};
use crate::lab::guide::{self, Next};
use crate::sim::time::Span;

fn play_on(lab: &mut Lab) {
    lab.update(Msg::Play);
    while lab.playing() != Playing::No {
        lab.update(Msg::Tick { elapsed: Span::from_ms(500) });
    }
}

/// Does what is marked in a run set otherwise, and tells what that was.
#[track_caller]
fn check(name: &str, path: &str, value: i64, expected: &str) {
    let (id, variant) = name.split_once('.').map_or((name, None), |(id, of)| (id, Some(of)));
    let mut lab = Lab::new().expect("built in");
    lab.update(Msg::Load { scenario: id.to_owned() });
    lab.update(Msg::Edit(Edit::Variant(variant.map(str::to_owned))));
    lab.update(Msg::Edit(Edit::Set {
        path: path.to_owned(),
        value: Tree::new(Value::Whole(value)),
    }));
    let mut done = Vec::new();
    for _ in 0..8 {
        if lab.open().is_at_end() {
            break;
        }
        match guide::next(&lab) {
            Next::Do(action) => {
                let at_s = lab.open().now().0 / 1_000_000;
                done.push(format!("{} at {at_s} s", clicks::says(&action)));
                lab.update(Msg::Click(action));
            }
            _ => {
                let missed = guide::impossible(lab.open());
                done.extend(missed.map(|(action, _)| format!("not {}", clicks::says(action))));
                play_on(&mut lab);
            }
        }
    }
    let shown = bench(lab.open());
    let fields = shown.groups.iter().flat_map(|group| &group.fields);
    let field = fields.clone().find(|field| field.path == path).expect("a field");
    assert_eq!(field.loses, shown.lost_clicks, "it is said where it was set");
    assert_eq!(fields.filter(|field| !field.loses.is_empty()).count() > 0, !field.loses.is_empty());
    done.extend(shown.lost_clicks.iter().map(|lost| format!("lost {lost}")));
    assert_eq!(done.join("; "), expected);
    // And back again, all of it is told.
    lab.update(Msg::Edit(Edit::Reset { path: path.to_owned() }));
    assert!(lab.open().is_as_built_in(), "{:?}", differs(lab.open()));
    assert_eq!(bench(lab.open()).lost_clicks, Vec::<String>::new());
}

#[test]
fn the_clicks_of_a_story_stay_with_more_or_fewer_servers() {
    for servers in [1, 5] {
        check(
            "consul-lock-delay.delay-kept",
            "consul.servers",
            servers,
            "Pause, W1 at 10 s; Crash, C1 at 38 s",
        );
    }
    check(
        "consul-lock-delay.new-leader",
        "consul.lock_delay_ms",
        1_000,
        "Crash, W1 at 5 s; Crash, C1 at 20 s",
    );
}

#[test]
fn a_click_on_what_is_no_longer_there_is_lost_and_the_others_stay() {
    let lost = "lost “Cut: R1 and R2, both ways” at 1 s; lost “Switch: takes writes, R2” at 15 s";
    check("redis-failover", "redis.replicas", 0, &format!("Crash, R1 at 10 s; {lost}"));
}

/// Whatever is set, no click is lost that can be made.
#[test]
fn no_click_that_can_be_made_is_lost_to_a_setting() {
    let settings = [
        ("consul.servers", "1"),
        ("consul.servers", "5"),
        ("etcd.members", "1"),
        ("etcd.members", "5"),
        ("redis.replicas", "0"),
        ("redis.replicas", "1"),
        ("postgres.standbys", "0"),
        ("lock.service", "zookeeper"),
        ("lock.service", "consul"),
        ("store.rule", "none"),
        ("limit_ms", "20000"),
    ];
    let mut lost = 0;
    for (name, run) in library::runs().expect("built in") {
        let told = &run.scenario.spec().clicks;
        for (path, value) in settings {
            let edit = Edit::Set { path: path.to_owned(), value: Tree::from_setting(value) };
            let run = run.scenario.run_without_clicks();
            let Ok(next) = edited(&run, &edit) else { continue };
            let kept = &next.scenario.spec().clicks;
            for click in told {
                let can_be = next.scenario.actions(click).is_ok();
                assert_eq!(kept.contains(click), can_be, "{name}, {path} {value}: {click:?}");
                lost += usize::from(!can_be);
            }
        }
    }
    assert!(lost > 10, "some cannot be made: {lost}");
}
