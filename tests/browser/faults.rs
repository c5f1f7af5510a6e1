//! Every fault can be made from the thing it is done to, by pointer and by keys, and
//! makes exactly the click it says. See [`By::Keys`] for what a script can and cannot
//! do with keys; the end-to-end tests press real ones.

use crate::page::{By, Page, mount, name_of};
use fencepost::actors::store::api::Rule;
use fencepost::actors::worker::Heartbeat;
use fencepost::actors::worker::config::{DeadlineFrom, OnRenewalFailure, ReleaseCheck};
use fencepost::lab::{Msg, wires};
use fencepost::scenario::clicks::{Do, MessageSpec, Way};
use fencepost::sim::click::WallOnWake;
use wasm_bindgen_test::wasm_bindgen_test;

/// Steps to the moment at which W1's claim is on its way to the store.
async fn mount_with_a_claim_in_flight() -> Page {
    let page = mount().await;
    let is_there = |page: &Page| {
        let handle = page.lab();
        let lab = handle.lab();
        wires::in_flight(lab.open()).iter().any(|flight| flight.name.kind == "claim")
    };
    while !is_there(&page) {
        page.send(Msg::Step).await;
    }
    page
}

/// Opens the list of faults on a thing (none for what is on its card), fills in the
/// form and presses its button: exactly the one click must come of it.
async fn check(list: Option<&str>, fields: &[(&str, &str)], button: &str, expected: Do) {
    for by in [By::Pointer, By::Keys] {
        let page = mount_with_a_claim_in_flight().await;
        make(&page, by, list, fields, button).await;
        assert_eq!(page.clicks(), std::slice::from_ref(&expected), "{by:?}");
        assert_eq!(page.lab().lab().warning(), None);
    }
}

async fn make(page: &Page, by: By, list: Option<&str>, fields: &[(&str, &str)], button: &str) {
    if let Some(list) = list {
        page.press(list, by).await;
    }
    for (name, value) in fields {
        page.fill(name, value, by).await;
    }
    page.press(button, by).await;
}

/// Does one thing, then undoes it with the button that has taken its place.
async fn check_undone(done: Do, list: Option<&str>, button: &str, expected: Do) {
    for by in [By::Pointer, By::Keys] {
        let page = mount_with_a_claim_in_flight().await;
        page.send(Msg::Click(done.clone())).await;
        make(&page, by, list, &[], button).await;
        assert_eq!(page.clicks(), [done.clone(), expected.clone()], "{by:?}");
        assert_eq!(page.lab().lab().warning(), None);
    }
}

fn node(name: &str) -> String {
    name.to_owned()
}

const W1: Option<&str> = Some("More faults… on W1");
const M2: Option<&str> = Some("M2 follows");
const STORE: Option<&str> = Some("More faults… on Report store");

#[wasm_bindgen_test]
async fn a_worker_is_paused_for_a_time_or_until_it_is_resumed() {
    let paused = |for_ms| Do::Pause { node: node("W1"), for_ms };
    check(None, &[], "Pause W1", paused(Some(45_000))).await;
    check(None, &[("Pause W1 how long s", "7.25")], "Pause W1", paused(Some(7_250))).await;
    let until = [("Pause W1 how long", "until resumed")];
    check(None, &until, "Pause W1", paused(None)).await;
    check_undone(paused(None), None, "Resume W1", Do::Resume { node: node("W1") }).await;
}

#[wasm_bindgen_test]
async fn a_machine_is_suspended_with_its_wall_clock_right_or_behind() {
    let asleep = |for_ms, wall| Do::Suspend { node: node("W1"), for_ms, wall };
    let expected = asleep(Some(45_000), WallOnWake::Right);
    check(W1, &[], "Suspend W1", expected).await;
    let behind = [
        ("Suspend W1 wall clock on waking", "behind, as after a snapshot"),
        ("Suspend W1 how long", "until woken"),
    ];
    check(W1, &behind, "Suspend W1", asleep(None, WallOnWake::Behind)).await;
    let wake = Do::Wake { node: node("W1") };
    check_undone(asleep(None, WallOnWake::Right), None, "Wake W1", wake).await;
}

#[wasm_bindgen_test]
async fn a_process_crashes_and_starts_again_by_itself_or_when_told() {
    let crashed = |restart_after_ms| Do::Crash { node: node("W1"), restart_after_ms };
    check(W1, &[], "Crash W1", crashed(Some(1_000))).await;
    let until = [("Crash W1 how long", "until started")];
    check(W1, &until, "Crash W1", crashed(None)).await;
    check_undone(crashed(None), None, "Start W1", Do::Restart { node: node("W1") }).await;
}

#[wasm_bindgen_test]
async fn a_clock_is_stepped_set_and_given_another_rate() {
    let step = Do::StepWall { node: node("W1"), by_ms: -3_600_000 };
    check(W1, &[("Step wall clock W1 by s", "-3600")], "Step wall clock W1", step).await;
    let set = Do::SetWall { node: node("W1"), ahead_ms: 5_500 };
    let ahead = [("Set wall clock W1 ahead of the right time by s", "5.5")];
    check(W1, &ahead, "Set wall clock W1", set).await;
    let rate = Do::SetRate { node: node("W1"), rate_ppm: 4_000_000 };
    check(W1, &[("Run clocks W1 at × the right rate", "4")], "Run clocks W1", rate).await;
}

#[wasm_bindgen_test]
async fn a_heartbeat_is_blocked_and_let_run() {
    let beat = |is| Do::Heartbeat { node: node("W1"), is };
    check(W1, &[], "Block heartbeat W1", beat(Heartbeat::Blocked)).await;
    let (done, undone) = (beat(Heartbeat::Blocked), beat(Heartbeat::Runs));
    check_undone(done, W1, "Unblock heartbeat W1", undone).await;
}

#[wasm_bindgen_test]
async fn a_workers_policies_are_switched() {
    let what = "Switch what W1 does when it cannot renew";
    let to = format!("{what} to");
    let policy = Do::OnRenewalFailure { node: node("W1"), is: OnRenewalFailure::StopWork };
    check(W1, &[(&to, "stops its work when it cannot renew")], what, policy).await;
    let what = "Switch what W1 counts its deadline from";
    let to = format!("{what} to");
    let policy = Do::DeadlineFrom { node: node("W1"), is: DeadlineFrom::BeforeRequest };
    check(W1, &[(&to, "deadline counted from before the request")], what, policy).await;
    let what = "Switch how W1 releases";
    let to = format!("{what} to");
    let policy = Do::ReleaseCheck { node: node("W1"), is: ReleaseCheck::NameOnly };
    check(W1, &[(&to, "releases by name, whoever holds it")], what, policy).await;
}

#[wasm_bindgen_test]
async fn the_leader_is_stopped_and_started() {
    let stopped = Do::Crash { node: node("M1"), restart_after_ms: None };
    check(None, &[], "Stop leader M1", stopped.clone()).await;
    check_undone(stopped, None, "Start M1", Do::Restart { node: node("M1") }).await;
}

#[wasm_bindgen_test]
async fn each_member_can_be_paused_suspended_crashed_and_its_clock_changed() {
    let paused = Do::Pause { node: node("M2"), for_ms: Some(45_000) };
    check(M2, &[], "Pause M2", paused).await;
    let (for_ms, wall) = (Some(45_000), WallOnWake::Right);
    let asleep = Do::Suspend { node: node("M2"), for_ms, wall };
    check(M2, &[], "Suspend M2", asleep).await;
    let crashed = Do::Crash { node: node("M2"), restart_after_ms: Some(1_000) };
    check(M2, &[], "Crash M2", crashed).await;
    let step = Do::StepWall { node: node("M2"), by_ms: 60_000 };
    check(M2, &[], "Step wall clock M2", step).await;
    let set = Do::SetWall { node: node("M2"), ahead_ms: 0 };
    check(M2, &[], "Set wall clock M2", set).await;
    let rate = Do::SetRate { node: node("M2"), rate_ppm: 200_000 };
    check(M2, &[], "Run clocks M2", rate).await;
}

#[wasm_bindgen_test]
async fn a_member_is_cut_off_from_the_others_and_says_so() {
    let (from, to) = (node("M2"), node("etcd"));
    let cut = Do::Cut { from: from.clone(), to: to.clone(), way: Way::Both, for_ms: Some(20_000) };
    check(M2, &[], "Cut M2", cut.clone()).await;
    let one = Do::Cut { from: node("M3"), to: from.clone(), way: Way::One, for_ms: Some(20_000) };
    check(M2, &[("Cut M2 which way to cut", "M3 to M2 only")], "Cut M2", one).await;
    let heal = Do::Heal { from, to, way: Way::Both };
    check_undone(cut, Some("M2 follows, cut off from the others"), "Heal M2", heal).await;
}

#[wasm_bindgen_test]
async fn the_store_is_paused_and_crashed() {
    let paused = Do::Pause { node: node("store"), for_ms: Some(45_000) };
    check(STORE, &[], "Pause Report store", paused).await;
    let crashed = Do::Crash { node: node("store"), restart_after_ms: Some(1_000) };
    check(STORE, &[], "Crash Report store", crashed).await;
}

#[wasm_bindgen_test]
async fn the_store_is_given_any_rule() {
    let what = "Switch the rule of Report store";
    let to = format!("{what} to");
    let strict = Do::Rule { node: node("store"), is: Rule::StrictlyGreater };
    check(STORE, &[(&to, "refuses equal tokens too (wrong)")], what, strict).await;
}

#[wasm_bindgen_test]
async fn the_token_check_is_switched_from_here_on() {
    let rule = |is| Do::Rule { node: node("store"), is };
    let on = rule(Rule::OwnerAndSequence);
    check(None, &[], "Check tokens from here on", on.clone()).await;
    check_undone(on, None, "Check off from here on", rule(Rule::None)).await;
}

#[wasm_bindgen_test]
async fn a_link_is_cut_one_way_or_both_and_healed() {
    let cut =
        |from: &str, to: &str, way, for_ms| Do::Cut { from: node(from), to: node(to), way, for_ms };
    let link = Some("W1 – lock service");
    let button = "Cut W1 – lock service";
    check(link, &[], button, cut("W1", "etcd", Way::Both, Some(20_000))).await;
    let one_way = [
        ("Cut W1 – lock service which way to cut", "M2 to W1 only"),
        ("Cut W1 – lock service how long", "until healed"),
    ];
    check(link, &one_way, button, cut("M2", "W1", Way::One, None)).await;
    check_undone(
        cut("W1", "store", Way::Both, None),
        Some("W1 – store cut"),
        "Heal W1 – store",
        Do::Heal { from: node("W1"), to: node("store"), way: Way::Both },
    )
    .await;
    let between = cut("M1", "M3", Way::Both, Some(20_000));
    check(Some("M1 – M3"), &[], "Cut M1 – M3", between).await;
}

#[wasm_bindgen_test]
async fn a_message_in_flight_is_held_dropped_delayed_doubled_and_released() {
    let claim = || MessageSpec { from: node("W1"), to: node("store"), kind: node("claim"), nth: 1 };
    let list = Some("claim 42, W1 to store arrives in 10 ms");
    let named = |what: &str| format!("{what} claim 42, W1 to store");
    let hold = |for_ms| Do::Hold { message: claim(), for_ms };
    check(list, &[], &named("Hold"), hold(None)).await;
    let (long, seconds) = (named("Hold") + " how long", named("Hold") + " how long s");
    let timed = [(long.as_str(), "for"), (seconds.as_str(), "3")];
    check(list, &timed, &named("Hold"), hold(Some(3_000))).await;
    check(list, &[], &named("Drop"), Do::Drop { message: claim() }).await;
    let by = named("Delay") + " by s";
    let delay = Do::Delay { message: claim(), by_ms: 2_500 };
    check(list, &[(&by, "2.5")], &named("Delay"), delay).await;
    let after = named("Double") + " the second after s";
    let double = Do::Duplicate { message: claim(), after_ms: 4_000 };
    check(list, &[(&after, "4")], &named("Double"), double).await;
    let (held, released) = (hold(None), Do::Release { message: claim() });
    check_undone(held, Some("claim 42, W1 to store held"), &named("Release"), released).await;
}

#[wasm_bindgen_test]
async fn what_cannot_be_done_says_why_and_does_nothing() {
    let page = mount_with_a_claim_in_flight().await;
    let paused = Do::Pause { node: node("W1"), for_ms: None };
    page.send(Msg::Click(paused.clone())).await;
    page.press("More faults… on W1", By::Keys).await;
    let button = page.button("Suspend W1");
    assert_eq!(button.get_attribute("aria-disabled").as_deref(), Some("true"));
    let why = button.get_attribute("aria-describedby").expect("it says why");
    assert_eq!(page.text(&format!("[id='{why}']")), "Not now: it does not run.");
    page.press("Suspend W1", By::Keys).await;
    assert_eq!(page.clicks(), [paused]);
}

#[wasm_bindgen_test]
async fn what_is_typed_wrong_is_named_and_nothing_is_lost() {
    let page = mount_with_a_claim_in_flight().await;
    for (typed, said) in [
        ("", "Give a time in seconds, as in 45 or 0.5."),
        ("-1", "Give a time of zero seconds or more."),
    ] {
        page.fill("Pause W1 how long s", typed, By::Keys).await;
        page.press("Pause W1", By::Keys).await;
        assert_eq!(page.text(".note[role=alert]"), said);
        assert_eq!(page.clicks(), []);
    }
    page.press("More faults… on W1", By::Pointer).await;
    page.fill("Run clocks W1 at × the right rate", "0", By::Keys).await;
    page.press("Run clocks W1", By::Keys).await;
    let notes = page.all(".note[role=alert]").iter().map(name_of).collect::<Vec<_>>();
    let rate = "Give a rate above 0 and up to 100, as in 0.2 or 1.5.";
    assert!(notes.iter().any(|note| note == rate), "{notes:?}");
    assert_eq!(page.clicks(), []);
}

#[wasm_bindgen_test]
async fn one_list_of_faults_is_open_at_a_time_and_escape_closes_it() {
    let page = mount_with_a_claim_in_flight().await;
    page.press("More faults… on W1", By::Keys).await;
    assert!(page.has("button", "Suspend W1"));
    page.press("More faults… on W2", By::Keys).await;
    assert!(!page.has("button", "Suspend W1"));
    let field = page.find("input", "Step wall clock W2 by s");
    field.focus().expect("it takes the focus");
    crate::page::key(&field, "Escape");
    page.settle().await;
    assert!(!page.has("button", "Suspend W2"));
    let opener = page.button("More faults… on W2");
    assert_eq!(opener.get_attribute("aria-expanded").as_deref(), Some("false"));
    let focused = crate::page::document().active_element().expect("something has the focus");
    assert_eq!(focused.id(), opener.id(), "the focus is back where it came from");
}

#[wasm_bindgen_test]
async fn what_is_opened_on_a_link_is_titled_by_its_ends() {
    let page = mount().await;
    page.press("W1 – lock service", By::Pointer).await;
    let titles: Vec<String> =
        page.all("#link-W1-etcd-faults legend").iter().filter_map(|it| it.text_content()).collect();
    assert_eq!(titles, ["Link W1 – lock service"]);
}

#[wasm_bindgen_test]
async fn of_a_link_that_is_whole_nothing_can_be_chosen_to_heal_it() {
    let page = mount().await;
    page.press("W1 – lock service", By::Pointer).await;
    let fields = page.all("#link-W1-etcd-faults .field:has([id$=way])");
    let names: Vec<String> = fields
        .iter()
        .filter_map(|it| it.query_selector("span").ok()?.and_then(|span| span.text_content()))
        .collect();
    assert_eq!(names, ["which way to cut", "which way to heal"]);
    let is_off =
        fields.iter().map(|it| it.query_selector("select:disabled").is_ok_and(|it| it.is_some()));
    assert_eq!(is_off.collect::<Vec<_>>(), [false, true]);
}
