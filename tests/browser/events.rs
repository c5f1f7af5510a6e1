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
    assert_eq!(page.all(".why-chain li").len(), 9, "the last 8, and the click");
    page.press("Show all 16", By::Keys).await;
    assert_eq!(page.all(".why-chain li").len(), 16);
    page.press("Show clicks and the end", By::Keys).await;
    assert_eq!(page.all(".why-chain li").len(), 9, "the last 8, and the click");
    press(&page, ".why-chain", "W2 is granted /locks/reconcile").await;
    assert_eq!(page.text("#why-question"), "Why was the lock granted to W2?");
    page.press("Let the selection go", By::Keys).await;
    assert_eq!(page.text("#why-question"), "Why was PUT 42 refused?", "the last refusal");
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

/// How many rows there are, and what the head says of them.
#[track_caller]
fn listed(page: &Page, rows: usize, says: &str) {
    assert_eq!(page.all(".events ol li").len(), rows, "{}", page.text("#events-count"));
    assert_eq!(page.text("#events-count"), says);
}

#[wasm_bindgen_test]
async fn the_list_is_searched_and_cleared() {
    let page = refused().await;
    let all = page.all(".events ol li").len();
    page.fill("Search", "put 42 REFUSED", By::Keys).await;
    listed(&page, 1, &format!("1 of {all} matches"));
    let found = name_of(&page.all(".events ol .event-line")[0]);
    assert!(found.starts_with(REFUSED), "{found}");
    page.fill("Search", "no such thing", By::Keys).await;
    listed(&page, 0, &format!("none of {all} matches"));
    assert_eq!(page.text(".events-box > p"), "No event matches.");
    page.press("Clear", By::Keys).await;
    listed(&page, all, &format!("{all} so far"));
    assert!(!page.has("button", "Clear"));
}

#[wasm_bindgen_test]
async fn the_list_is_narrowed_by_machine_and_kind_and_keeps_what_is_selected() {
    let page = refused().await;
    press(&page, ".events", REFUSED).await;
    page.fill("Machine", "W1", By::Keys).await;
    let rows = page.all(".events ol .event-line");
    assert!(rows.len() > 3 && rows.iter().all(|row| name_of(row).contains(" s W1 ")));
    assert_eq!(page.text("#events-hidden"), "The event selected is not among these.");
    assert_eq!(page.text("#why-question"), "Why was PUT 42 refused?");
    page.fill("Machine", "all", By::Keys).await;
    page.fill("Kind", "store", By::Keys).await;
    assert!(page.all("#events-hidden").is_empty());
    let pressed = page.all(".events [aria-pressed=true]");
    assert_eq!(pressed.len(), 1);
    assert!(name_of(&pressed[0]).starts_with(REFUSED));
}

/// One event is marked in the list, ringed in the diagram, and outlined on the stage.
#[track_caller]
fn selected(page: &Page, row: &str, card: &str) {
    let pressed = page.all(".events [aria-pressed=true]");
    assert_eq!(pressed.iter().map(name_of).collect::<Vec<_>>(), [row]);
    assert_eq!(page.elements(".lanes circle.selected").len(), 1);
    let cards = page.all(".stage .is-selected");
    assert_eq!(cards.iter().map(name_of).collect::<Vec<_>>(), [card]);
    let said = cards[0].text_content().unwrap_or_default();
    assert!(said.contains("The event selected happened here."), "{said}");
}

#[wasm_bindgen_test]
async fn what_is_selected_in_one_is_selected_in_the_other_and_on_the_stage() {
    let page = refused().await;
    assert!(page.all(".stage .is-selected").is_empty());
    press(&page, ".events", REFUSED).await;
    selected(&page, REFUSED, "Report store");
    let words = page.elements(".lanes .word");
    let claim = words.iter().find(|word| word.text_content().is_some_and(|it| it == "claim 43"));
    crate::page::dispatch(claim.expect("the mark's words"), "click");
    page.settle().await;
    let row = name_of(&page.all(".events [aria-pressed=true]")[0]);
    assert!(row.contains("laim 43 accepted"), "{row}");
    selected(&page, &row, "Report store");
    page.press("Let the selection go", By::Keys).await;
    assert!(page.all(".stage .is-selected, .events [aria-pressed=true]").is_empty());
}

#[wasm_bindgen_test]
async fn a_machines_events_are_listed_from_the_stage() {
    let page = refused().await;
    page.press("Events of W2", By::Keys).await;
    let rows = page.all(".events ol .event-line");
    assert!(rows.len() > 3 && rows.iter().all(|row| name_of(row).contains(" s W2 ")));
    assert_eq!(page.focused().as_deref(), Some("Machine"), "one can go on from there");
    page.press("Events of Lock service", By::Keys).await;
    assert!(page.all(".events ol .event-line").iter().all(|row| name_of(row).contains(" s M")));
}

#[wasm_bindgen_test]
async fn a_press_on_the_selected_row_lets_it_go() {
    let page = refused().await;
    press(&page, ".events", REFUSED).await;
    press(&page, ".events", REFUSED).await;
    assert!(page.all(".events [aria-pressed=true]").is_empty());
}

/// The first row shown is another, and the focus has not been lost.
#[wasm_bindgen_test]
async fn rows_are_turned_to_what_is_selected_elsewhere() {
    let page = refused().await;
    By::Keys.activate(&page.find("input", "Routine events too"));
    page.settle().await;
    assert!(page.all("#event-3").is_empty(), "it is not among the last rows");
    page.send(Msg::Select(Some(fencepost::sim::event::EventId(3)))).await;
    assert_eq!(page.all("#event-3[aria-pressed=true]").len(), 1);
    assert_eq!(page.all(".events ol li").len(), 200);
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
