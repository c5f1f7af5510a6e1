//! The focus goes with the reader's own doing, is never taken from elsewhere, and is
//! never lost when a control goes away.

use crate::page::{By, Page, mount};
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::{Span, TrueTime};
use wasm_bindgen_test::wasm_bindgen_test;

#[track_caller]
fn expect_focus(page: &Page, name: &str) {
    assert_eq!(page.focused().as_deref(), Some(name));
}

async fn at_the_wait() -> Page {
    let page = mount().await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    page
}

#[wasm_bindgen_test]
async fn the_focus_goes_from_each_marked_action_to_the_next() {
    let page = mount().await;
    page.press("Start", By::Keys).await;
    expect_focus(&page, "Stop");
    page.play_out().await;
    expect_focus(&page, "Pause W1");
    page.press("Pause W1", By::Keys).await;
    expect_focus(&page, "Just run");
    page.press("Just run", By::Keys).await;
    page.play_out().await;
    let again = "Check tokens and run the same clicks again";
    expect_focus(&page, again);
    page.press(again, By::Keys).await;
    page.play_out().await;
    expect_focus(&page, "Next lesson: Claim before you read");
}

#[wasm_bindgen_test]
async fn what_is_marked_is_described_by_the_sentence_beside_it() {
    let page = at_the_wait().await;
    let described = page.button("Pause W1").get_attribute("aria-describedby");
    assert_eq!(described.as_deref(), Some("next-why"));
    assert!(page.text("#next-why").contains("Now pause W1 for 45 s"));
    page.press("Pause W1", By::Keys).await;
    assert_eq!(page.button("Resume W1").get_attribute("aria-describedby"), None);
}

#[wasm_bindgen_test]
async fn the_focus_is_not_taken_from_elsewhere() {
    let page = mount().await;
    page.press("Start", By::Keys).await;
    page.find("select", "Speed").focus().expect("it takes the focus");
    page.play_out().await;
    expect_focus(&page, "Speed");
    // Pressed without having had the focus, as some browsers do by pointer.
    page.press("Pause W1", By::Pointer).await;
    expect_focus(&page, "Speed");
}

#[wasm_bindgen_test]
async fn what_was_pressed_keeps_the_focus_when_it_was_not_the_marked_one() {
    let page = at_the_wait().await;
    page.press("Pause W2", By::Keys).await;
    expect_focus(&page, "Resume W2");
    page.press("Resume W2", By::Keys).await;
    expect_focus(&page, "Pause W2");
}

/// Presses a control that goes away thereby: the focus is then there.
async fn check(page: &Page, pressed: &str, expected: &str) {
    page.press(pressed, By::Keys).await;
    assert!(!page.has("button", pressed), "“{pressed}” is still there");
    expect_focus(page, expected);
}

#[wasm_bindgen_test]
async fn a_warning_that_is_let_go_leaves_the_focus_beside_it() {
    let page = mount().await;
    page.send(Msg::Load { scenario: "no-such".to_owned() }).await;
    check(&page, "Got it", "Start").await;
}

#[wasm_bindgen_test]
async fn a_list_of_faults_that_is_closed_gives_the_focus_to_what_opened_it() {
    let page = at_the_wait().await;
    page.press("More faults… on W1", By::Keys).await;
    let close = page.all(".faults > button").remove(0);
    By::Keys.activate(&close);
    page.settle().await;
    assert!(page.all(".faults").is_empty());
    expect_focus(&page, "More faults… on W1");
}

#[wasm_bindgen_test]
async fn a_member_that_starts_again_leaves_the_focus_on_its_card() {
    let page = at_the_wait().await;
    let crash = Do::Crash { node: "M2".to_owned(), restart_after_ms: None };
    page.send(Msg::Click(crash)).await;
    check(&page, "Start M2", "Events of Lock service").await;
}

#[wasm_bindgen_test]
async fn the_last_message_that_is_dropped_leaves_the_focus_on_their_list() {
    let page = mount().await;
    let messages = |page: &Page| page.all("[aria-labelledby=flights-name] .more > button");
    while messages(&page).len() != 1 {
        page.send(Msg::Step).await;
    }
    By::Keys.activate(&messages(&page)[0]);
    page.settle().await;
    let drop = "Drop ".to_owned() + &crate::page::name_of(&page.all(".list .faults")[0]);
    check(&page, &drop, "Messages in flight").await;
}

#[wasm_bindgen_test]
async fn runs_that_are_closed_leave_the_focus_on_a_run_or_on_the_transport() {
    let page = mount().await;
    page.press("Run again with the check on", By::Keys).await;
    page.press("Run again with the check off", By::Keys).await;
    page.send(Msg::Stop).await;
    page.press("Close run 2", By::Keys).await;
    assert!(page.focused().is_some_and(|name| name.starts_with("Run 3: ")), "{:?}", page.focused());
    check(&page, "Close run 3", "To start").await;
}

#[wasm_bindgen_test]
async fn a_selection_that_is_let_go_leaves_the_focus_on_the_causes() {
    let page = at_the_wait().await;
    page.send(Msg::ToEnd).await;
    By::Keys.activate(&page.all(".why-chain .event-line")[0]);
    page.settle().await;
    page.press("Let the selection go", By::Keys).await;
    let focused = page.focused().expect("something has the focus");
    assert!(focused.starts_with("Show all "), "{focused}");
}

#[wasm_bindgen_test]
async fn a_lesson_begun_anew_puts_the_focus_on_its_start() {
    let page = mount().await;
    page.send(Msg::Click(Do::Crash { node: "W2".to_owned(), restart_after_ms: None })).await;
    check(&page, "Begin the lesson anew", "Start").await;
}

#[wasm_bindgen_test]
async fn a_prediction_that_is_met_keeps_the_focus_at_its_question() {
    let page = at_the_wait().await;
    page.press("Pause W1", By::Keys).await;
    page.press("Just run", By::Keys).await;
    let option = page.find("input[type=radio]", "The store refuses it: the lock is W2's by then.");
    By::Keys.activate(&option);
    while page.all("input[type=radio]").contains(&option) {
        page.send(Msg::Tick { elapsed: Span::from_ms(50) }).await;
    }
    expect_focus(&page, "Show the moment");
}

#[wasm_bindgen_test]
async fn the_help_gives_the_focus_back() {
    let page = mount().await;
    page.press("Keyboard help", By::Keys).await;
    let close = page.all("dialog[open] button").remove(0);
    By::Keys.activate(&close);
    expect_focus(&page, "Keyboard help");
}

#[wasm_bindgen_test]
async fn by_keys_the_machines_are_reached_past_the_lesson() {
    let page = mount().await;
    page.press("Skip to the machines", By::Keys).await;
    expect_focus(&page, "Stage");
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    assert!(page.has("button", "Show W1"), "that leads there now");
    assert!(!page.has("button", "Skip to the machines"));
}
