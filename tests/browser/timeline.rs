//! The diagram: one picture with a twin in words, zoomed by buttons and keys.

use crate::page::{By, Page, key, mount};
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::TrueTime;
use wasm_bindgen_test::wasm_bindgen_test;

async fn at_the_end() -> Page {
    let page = mount().await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    page.send(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) })).await;
    page.send(Msg::ToEnd).await;
    page
}

fn width(page: &Page) -> f64 {
    let picture = &page.elements("svg[role=img].lanes")[0];
    let width = picture.get_attribute("width").expect("a width");
    width.parse().expect("a number")
}

fn words(page: &Page) -> Vec<String> {
    page.elements(".lanes .word")
        .iter()
        .map(|word| word.text_content().unwrap_or_default())
        .collect()
}

#[wasm_bindgen_test]
async fn the_picture_names_its_twin_in_words() {
    let page = at_the_end().await;
    let picture = &page.elements("svg[role=img].lanes")[0];
    let label = picture.get_attribute("aria-label").expect("a label");
    assert!(label.contains("Events as a list"), "{label}");
    assert!(page.has("h2", "Events as a list"));
    assert!(words(&page).contains(&"PUT 42 accepted, stale".to_owned()), "{:?}", words(&page));
}

#[wasm_bindgen_test]
async fn it_is_zoomed_by_buttons_and_by_keys() {
    let page = at_the_end().await;
    let fits = width(&page);
    page.press("Zoom in", By::Keys).await;
    assert!(width(&page) > 1.8 * fits);
    page.press("Zoom out", By::Keys).await;
    assert_eq!(width(&page), fits);
    let scrolls = &page.all("#diagram-box")[0];
    assert_eq!(scrolls.tab_index(), 0);
    for (name, is_larger) in [("+", true), ("-", false)] {
        key(scrolls, name);
        page.settle().await;
        assert_eq!(width(&page) > fits, is_larger, "{name}");
    }
    page.press("Zoom in", By::Keys).await;
    page.press("Fit", By::Keys).await;
    assert_eq!(width(&page), fits);
}

#[wasm_bindgen_test]
async fn what_lies_ahead_is_drawn_only_where_it_has_been_run() {
    let page = mount().await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    assert!(page.elements(".lanes .ahead").is_empty());
    assert!(!words(&page).iter().any(|word| word.contains("ends")));
    page.send(Msg::ToEnd).await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    assert_eq!(page.elements(".lanes rect.ahead").len(), 1);
    assert!(!page.elements(".lanes .word.is-ahead").is_empty());
}

#[wasm_bindgen_test]
async fn a_press_on_a_mark_selects_its_event() {
    let page = at_the_end().await;
    let marks = page.elements(".lanes .word");
    let stale = marks
        .iter()
        .find(|word| word.text_content().is_some_and(|text| text == "PUT 42 accepted, stale"));
    crate::page::dispatch(stale.expect("the mark's words"), "click");
    page.settle().await;
    assert_eq!(page.text("#why-question"), "Why was PUT 42 accepted?");
    assert_eq!(page.elements(".lanes circle.selected").len(), 1);
}

/// The policy of the page forbids it, and a test page has none.
#[wasm_bindgen_test]
async fn nothing_has_a_style_of_its_own() {
    let page = at_the_end().await;
    assert_eq!(page.elements("[style]"), []);
}
