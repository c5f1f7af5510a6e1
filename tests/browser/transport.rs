//! Playing, stepping, the scrubber, open runs, and what keys do there.

use crate::page::{By, Page, key, mount};
use fencepost::lab::{Msg, Playing, Routine, Speed};
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::TrueTime;
use wasm_bindgen_test::wasm_bindgen_test;

fn now(page: &Page) -> TrueTime {
    page.lab().lab().open().now()
}

fn events(page: &Page) -> usize {
    page.lab().lab().open().past().len()
}

#[wasm_bindgen_test]
async fn the_buttons_move_through_the_run() {
    for by in [By::Pointer, By::Keys] {
        let page = mount().await;
        page.press("Next event in the list", by).await;
        let one = events(&page);
        page.press("Next event in the list", by).await;
        assert!(events(&page) > one);
        page.press("Previous event in the list", by).await;
        assert_eq!(events(&page), one);
        page.press("To end", by).await;
        assert!(page.lab().lab().open().is_at_end());
        page.press("To start", by).await;
        assert_eq!(now(&page), TrueTime(0));
    }
}

#[wasm_bindgen_test]
async fn play_turns_into_stop_and_back() {
    let page = mount().await;
    page.find("[role=group] button", "Play").click();
    page.settle().await;
    assert_ne!(page.lab().lab().playing(), Playing::No);
    let stop = page.all("#play").remove(0);
    assert_eq!(crate::page::name_of(&stop), "Stop");
    By::Keys.activate(&stop);
    page.settle().await;
    assert_eq!(page.lab().lab().playing(), Playing::No);
}

#[wasm_bindgen_test]
async fn the_speed_can_be_chosen() {
    let page = mount().await;
    page.fill("Speed", "×8", By::Keys).await;
    assert_eq!(page.lab().lab().speed(), Speed::Eightfold);
}

/// One control says which events the list shows, and the steps stop at those.
#[wasm_bindgen_test]
async fn the_steps_stop_at_what_the_list_shows() {
    let page = mount().await;
    page.press("Next event in the list", By::Keys).await;
    page.press("Next event in the list", By::Keys).await;
    let turns_only = events(&page);
    page.press("To start", By::Keys).await;
    By::Keys.activate(&page.find("input[type=checkbox]", "Routine events too"));
    page.settle().await;
    assert_eq!(page.lab().lab().routine(), Routine::Shown);
    assert_eq!(page.all("input[type=checkbox]").len(), 1, "no other control does the same");
    page.press("Next event in the list", By::Keys).await;
    page.press("Next event in the list", By::Keys).await;
    assert!(events(&page) < turns_only);
}

#[wasm_bindgen_test]
async fn the_scrubber_reaches_what_has_been_run_and_no_further() {
    let page = mount().await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    page.fill("Moment of the run", "12000", By::Keys).await;
    assert_eq!(now(&page), TrueTime(12_000_000));
    page.fill("Moment of the run", "99999999", By::Keys).await;
    assert_eq!(now(&page), page.lab().lab().open().seen_until());
    let scrubber = page.find("input", "Moment of the run");
    let said = scrubber.get_attribute("aria-valuetext");
    assert_eq!(said.as_deref(), Some("25.0 s of 25.0 s run so far"));
}

#[wasm_bindgen_test]
async fn keys_work_while_the_focus_is_in_the_transport_and_nowhere_else() {
    let page = mount().await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    let scrubber = page.find("input", "Moment of the run");
    let all = events(&page);
    key(&scrubber, "ArrowLeft");
    page.settle().await;
    let before = events(&page);
    assert!(before < all);
    key(&scrubber, "ArrowRight");
    page.settle().await;
    assert!(events(&page) > before);
    key(&scrubber, "Home");
    page.settle().await;
    assert_eq!(now(&page), TrueTime(0));
    key(&scrubber, "PageUp");
    page.settle().await;
    assert_eq!(now(&page), TrueTime(5_000_000));
    key(&scrubber, "PageDown");
    key(&scrubber, "End");
    page.settle().await;
    assert!(now(&page) > TrueTime(20_000_000));
    key(&scrubber, " ");
    page.settle().await;
    assert_ne!(page.lab().lab().playing(), Playing::No);
    page.send(Msg::Stop).await;
    let here = events(&page);
    key(&page.all("#speed").remove(0), "ArrowLeft");
    key(&page.button("Pause W1"), "ArrowLeft");
    key(&page.button("Pause W1"), " ");
    page.settle().await;
    assert_eq!((events(&page), page.lab().lab().playing()), (here, Playing::No));
}

#[wasm_bindgen_test]
async fn a_click_in_the_past_opens_a_second_run_beside_the_first() {
    let page = mount().await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    page.send(Msg::Seek(TrueTime(10_000_000))).await;
    page.press("Pause W2", By::Keys).await;
    let pause = Do::Pause { node: "W2".to_owned(), for_ms: Some(45_000) };
    assert_eq!(page.clicks(), [pause]);
    let (one, two) = ("Run 1: no clicks", "Run 2: pause W2 for 45 s at 10.0 s");
    let current = |page: &Page, name: &str| page.button(name).get_attribute("aria-current");
    assert_eq!(current(&page, two).as_deref(), Some("true"));
    let full = "Run 2: pause W2 for 45 s at 10.0 s; the store checks nothing";
    assert_eq!(page.button(two).title(), full, "what is left out describes it");
    page.press(one, By::Keys).await;
    assert_eq!(current(&page, one).as_deref(), Some("true"));
    assert_eq!(page.clicks(), []);
    page.press("Close run 2", By::Keys).await;
    assert_eq!(page.lab().lab().runs().len(), 1);
}

#[wasm_bindgen_test]
async fn the_help_on_keys_opens_and_closes() {
    let page = mount().await;
    let dialog = page.find("dialog", "Keys");
    assert!(!dialog.has_attribute("open"));
    page.press("Keyboard help", By::Keys).await;
    assert!(dialog.has_attribute("open"));
    let close = page.all("dialog[open] button").remove(0);
    By::Keys.activate(&close);
    assert!(!dialog.has_attribute("open"));
}

#[wasm_bindgen_test]
async fn a_warning_is_shown_until_it_is_let_go() {
    let page = mount().await;
    page.send(Msg::Load { scenario: "no-such".to_owned() }).await;
    assert!(page.text(".warning").contains("no-such"));
    assert_eq!(page.lab().lab().runs().len(), 1);
    page.press("Got it", By::Keys).await;
    assert_eq!(page.text(".warning"), "");
}
