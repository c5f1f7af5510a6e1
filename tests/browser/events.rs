//! The list of events, and why: by keys alone.

use crate::page::{By, Page, mount, name_of};
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::TrueTime;
use wasm_bindgen_test::wasm_bindgen_test;

/// The first lesson's run, with tokens checked, at its end.
async fn refused() -> Page {
    let page = mount().await;
    page.send(Msg::Load { scenario: "reconcile".to_owned() }).await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    page.send(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) })).await;
    page.send(Msg::ToEnd).await;
    page
}

/// Presses the one button of the list, or of the chain, that says so.
async fn press(page: &Page, within: &str, sentence: &str) {
    let all = page.all(&format!("{within} .event-line"));
    let mut found = all.iter().filter(|button| name_of(button).contains(sentence));
    let button = found.next().unwrap_or_else(|| panic!("nothing says “{sentence}”"));
    By::Keys.activate(button);
    page.settle().await;
}

const REFUSED: &str = "73.074 s store PUT 42 refused, 412: 43 has been seen";

#[wasm_bindgen_test]
async fn turns_are_listed_with_the_present_one_marked() {
    let page = refused().await;
    let rows = page.all(".events ol .event-line");
    let turns = page.all(".events ol li").len();
    assert!(turns > 20 && turns < 60, "{turns}");
    assert!(rows.iter().any(|row| name_of(row) == REFUSED));
    let current = page.all(".events [aria-current=true]");
    assert_eq!(current.len(), 1);
    assert!(name_of(&current[0]).ends_with("now"), "a word says it too");
    assert_eq!(name_of(&current[0]), name_of(rows.last().expect("rows")));
}

#[wasm_bindgen_test]
async fn an_event_is_selected_and_gone_to() {
    let page = refused().await;
    press(&page, ".events", REFUSED).await;
    assert_eq!(page.text("#why-question"), "Why was PUT 42 refused?");
    assert_eq!(page.all(".events [aria-pressed=true]").len(), 1);
    assert_eq!(page.text("#now"), "79.640 s", "selecting moves nothing");
    By::Keys.activate(&page.all(".events [aria-label='Go to 73.074 s']")[0]);
    page.settle().await;
    assert_eq!(page.text("#now"), "73.074 s");
    assert!(page.text(".events .divider").contains("Ahead of now"), "what was run stays");
}

#[wasm_bindgen_test]
async fn routine_events_are_shown_in_pages() {
    let page = refused().await;
    By::Keys.activate(&page.find("input", "Routine events too"));
    page.settle().await;
    let first = |page: &Page| name_of(&page.all(".events ol .event-line")[0]);
    assert_eq!(page.all(".events ol li").len(), 200);
    let before = first(&page);
    By::Keys.activate(&page.all("#earlier")[0]);
    page.settle().await;
    assert_ne!(first(&page), before);
    assert_eq!(first(&page), "0.000 s M1 The run begins");
    By::Keys.activate(&page.all("#later")[0]);
    page.settle().await;
    assert!(page.all("#later").is_empty(), "all have been shown");
}

#[wasm_bindgen_test]
async fn the_chain_is_folded_and_each_cause_can_be_selected() {
    let page = refused().await;
    press(&page, ".events", REFUSED).await;
    assert_eq!(page.all(".why-chain li").len(), 8);
    page.press("Show all 16", By::Keys).await;
    assert_eq!(page.all(".why-chain li").len(), 16);
    page.press("Show the last 8", By::Keys).await;
    assert_eq!(page.all(".why-chain li").len(), 8);
    press(&page, ".why-chain", "W2 is granted /locks/reconcile").await;
    assert_eq!(page.text("#why-question"), "Why was the lock granted to W2?");
    page.press("Let the selection go", By::Keys).await;
    assert!(page.text("#why-question").contains("W2's program come to its end"));
}

#[wasm_bindgen_test]
async fn beside_the_chain_stand_the_program_and_the_state_that_was_met() {
    let page = refused().await;
    press(&page, ".events", REFUSED).await;
    let line = page.text(".program [aria-current=step]");
    assert!(line.contains("store.put(report, lock.token)?;"), "{line}");
    assert!(line.contains("is here"), "a word says it, not colour alone: {line}");
    assert!(page.text(".why-program").contains("W1's program"));
    assert!(page.text(".others").contains("W2 is here: let report = scan(seen);"));
    assert!(page.text(".met-state").contains("highest token seen43, by W2"));
}

#[wasm_bindgen_test]
async fn programs_are_shown_in_the_language_that_was_chosen() {
    let page = refused().await;
    press(&page, ".events", REFUSED).await;
    page.fill("Shown in", "Python", By::Keys).await;
    let line = page.text(".program [aria-current=step]");
    assert!(line.contains("store.put(report, lock.token)"), "{line}");
    assert!(!line.contains(';'), "{line}");
    assert!(page.text(".others").contains("W2 is here: report = scan(seen)"));
    // Chosen once, for whatever is told next.
    page.press("Let the selection go", By::Keys).await;
    assert!(!page.text(".program").contains("let "), "{}", page.text(".program"));
    page.fill("Shown in", "Rust", By::Keys).await;
    assert!(page.text(".program").contains("let lock = etcd.acquire(key)?;"));
}
