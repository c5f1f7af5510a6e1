//! The clicks of the run as flags over the diagram: moved by a mouse, a finger and keys.

use crate::page::{Page, key, mount};
use crate::timeline::point_on;
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::TrueTime;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

const MOUSE: (&str, i32) = ("mouse", 1);

/// W1 is paused at 25 s, and the run has ended.
async fn paused() -> Page {
    let page = mount().await;
    assert!(page.elements(".strip").is_empty(), "there is no click yet");
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    page.send(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) })).await;
    page.send(Msg::ToEnd).await;
    page
}

fn flag(page: &Page) -> HtmlElement {
    page.all(".strip button")[0].clone()
}

/// When the run's clicks are made, in milliseconds.
fn check(page: &Page, expected_ms: &[i64]) {
    let lab = page.lab();
    let lab = lab.lab();
    let made: Vec<i64> = lab.open().run().clicks.iter().map(|it| it.at_us / 1_000).collect();
    assert_eq!(made, expected_ms);
}

fn says(page: &Page) -> String {
    flag(page).get_attribute("aria-label").expect("a label")
}

#[wasm_bindgen_test]
async fn a_flag_is_moved_by_a_mouse_and_by_a_finger() {
    for pointer in [MOUSE, ("touch", 4)] {
        let page = paused().await;
        assert_eq!(says(&page), "Pause, W1, at 25 s");
        let flag = flag(&page);
        point_on(&page, &flag, "pointerdown", pointer, 5).await;
        point_on(&page, &flag, "pointermove", pointer, 25).await;
        let shown = page.elements(".strip .held text")[0].text_content().unwrap_or_default();
        check(&page, &[25_000]);
        point_on(&page, &flag, "pointerup", pointer, 25).await;
        assert_ne!(says(&page), "Pause, W1, at 25 s");
        assert_eq!(says(&page), format!("Pause, W1, at {shown}"), "it is as it was shown");
        assert!(page.elements(".strip .held").is_empty());
        assert_eq!(page.lab().lab().runs().len(), 1, "it is the same tab");
    }
}

#[wasm_bindgen_test]
async fn a_flag_that_is_let_go_by_escape_stays_where_it_was() {
    let page = paused().await;
    let flag = flag(&page);
    point_on(&page, &flag, "pointerdown", MOUSE, 5).await;
    point_on(&page, &flag, "pointermove", MOUSE, 60).await;
    key(&flag, "Escape");
    page.settle().await;
    point_on(&page, &flag, "pointerup", MOUSE, 60).await;
    check(&page, &[25_000]);
    assert!(page.elements(".strip .held").is_empty());
}

#[wasm_bindgen_test]
async fn keys_move_a_flag_keep_its_focus_and_take_the_click_away() {
    let page = paused().await;
    flag(&page).focus().expect("it takes the focus");
    for (name, expected_ms) in [("ArrowRight", 25_500), ("ArrowLeft", 25_000)] {
        key(&flag(&page), name);
        page.settle().await;
        check(&page, &[expected_ms]);
        assert_eq!(page.focused(), Some(says(&page)), "{name}");
    }
    key(&flag(&page), "Delete");
    page.settle().await;
    check(&page, &[]);
    page.send(Msg::Undo).await;
    check(&page, &[25_000]);
}

#[wasm_bindgen_test]
async fn a_press_on_a_flag_selects_its_click() {
    let page = paused().await;
    flag(&page).click();
    page.settle().await;
    let lab = page.lab();
    let selected = lab.lab().selected().expect("one is selected");
    assert_eq!(lab.lab().open().replay().trace()[selected.index()].at, TrueTime(25_000_000));
}

#[wasm_bindgen_test]
async fn a_click_that_cannot_be_there_is_told_and_stays() {
    let page = paused().await;
    let flag = flag(&page);
    for _ in 0..2 {
        point_on(&page, &flag, "pointerdown", MOUSE, 5).await;
        point_on(&page, &flag, "pointermove", MOUSE, 90_000).await;
        point_on(&page, &flag, "pointerup", MOUSE, 90_000).await;
        check(&page, &[25_000]);
        assert!(
            page.text(".diagram-note").contains("at the latest"),
            "{}",
            page.text(".diagram-note")
        );
    }
    key(&flag, "ArrowRight");
    page.settle().await;
    assert!(page.elements(".diagram-note").is_empty());
}
