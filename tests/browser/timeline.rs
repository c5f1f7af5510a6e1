//! The diagram: one picture with a twin in words, zoomed and moved by buttons, keys, a
//! wheel, a mouse and fingers.

use crate::page::{By, Page, dispatch, key, mount};
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::TrueTime;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, PointerEvent, PointerEventInit, WheelEvent, WheelEventInit};

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
    assert_eq!(page.elements(".lanes .ahead").len(), 1);
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

/// Where the first moment of the axis that is drawn stands: it moves with the view.
fn first_tick(page: &Page) -> f64 {
    let ticks = page.elements(".lanes .grid text");
    let places = ticks.iter().filter_map(|tick| tick.get_attribute("x")?.parse::<f64>().ok());
    places.fold(f64::INFINITY, f64::min)
}

/// Turns a wheel over the diagram; whether the page kept the browser from scrolling.
async fn wheel(page: &Page, turn: f64, with: Option<&str>) -> bool {
    let on = &page.all("#diagram-box")[0];
    let init = WheelEventInit::new();
    init.set_bubbles(true);
    init.set_cancelable(true);
    init.set_delta_y(turn);
    init.set_ctrl_key(with == Some("Ctrl"));
    init.set_client_x((on.get_bounding_client_rect().left() + 100.0) as i32);
    let event = WheelEvent::new_with_event_init_dict("wheel", &init).expect("an event");
    on.dispatch_event(&event).expect("dispatched");
    page.settle().await;
    event.default_prevented()
}

/// A pointer does something so many pixels from the diagram's left edge.
async fn point(page: &Page, kind: &str, pointer: (&str, i32), x: i32) {
    point_on(page, &page.all("#diagram-box")[0], kind, pointer, x).await;
}

/// A pointer does something on an element, so many pixels from its left edge.
pub async fn point_on(page: &Page, on: &HtmlElement, kind: &str, (of, id): (&str, i32), x: i32) {
    let area = on.get_bounding_client_rect();
    let init = PointerEventInit::new();
    init.set_bubbles(true);
    init.set_cancelable(true);
    init.set_pointer_id(id);
    init.set_pointer_type(of);
    init.set_buttons(u16::from(kind != "pointerup"));
    init.set_client_x(area.left() as i32 + x);
    init.set_client_y(area.top() as i32 + 20);
    let event = PointerEvent::new_with_event_init_dict(kind, &init).expect("an event");
    on.dispatch_event(&event).expect("dispatched");
    page.settle().await;
}

#[wasm_bindgen_test]
async fn a_wheel_with_ctrl_zooms_and_one_without_is_the_browsers() {
    let page = at_the_end().await;
    let fits = width(&page);
    assert!(!wheel(&page, -120.0, None).await, "the page scrolls by it");
    assert_eq!(width(&page), fits);
    assert!(wheel(&page, -120.0, Some("Ctrl")).await);
    assert!(width(&page) > 1.4 * fits);
    assert!(wheel(&page, 240.0, Some("Ctrl")).await);
    assert_eq!(width(&page), fits);
}

#[wasm_bindgen_test]
async fn a_mouse_drags_and_the_click_that_ends_it_selects_nothing() {
    const MOUSE: (&str, i32) = ("mouse", 1);
    let page = at_the_end().await;
    for _ in 0..4 {
        page.press("Zoom in", By::Keys).await;
    }
    let scrolls = page.all("#diagram-box")[0].clone();
    key(&scrolls, "Home");
    page.settle().await;
    let before = first_tick(&page);
    point(&page, "pointerdown", MOUSE, 300).await;
    point(&page, "pointermove", MOUSE, 298).await;
    assert_eq!(first_tick(&page), before, "hardly moved");
    for x in [200, 100, -700] {
        point(&page, "pointermove", MOUSE, x).await;
    }
    assert!(first_tick(&page) > before + 500.0, "{before}, {}", first_tick(&page));
    point(&page, "pointerup", MOUSE, -700).await;
    let mark = &page.elements(".lanes [data-event]")[0];
    dispatch(mark, "click");
    page.settle().await;
    assert_eq!(page.lab().lab().selected(), None);
    point(&page, "pointerdown", MOUSE, 300).await;
    point(&page, "pointerup", MOUSE, 300).await;
    dispatch(&page.elements(".lanes [data-event]")[0], "click");
    page.settle().await;
    assert!(page.lab().lab().selected().is_some(), "a press without a drag selects");
}

#[wasm_bindgen_test]
async fn two_fingers_zoom_and_one_is_the_browsers() {
    let page = at_the_end().await;
    let fits = width(&page);
    point(&page, "pointerdown", ("touch", 5), 100).await;
    point(&page, "pointermove", ("touch", 5), 140).await;
    assert_eq!(width(&page), fits);
    point(&page, "pointerdown", ("touch", 6), 240).await;
    point(&page, "pointermove", ("touch", 6), 440).await;
    let zoomed = width(&page);
    assert!(zoomed > 2.5 * fits, "three times as far apart: {fits}, {zoomed}");
    point(&page, "pointerup", ("touch", 6), 440).await;
    point(&page, "pointermove", ("touch", 5), 10).await;
    assert_eq!(width(&page), zoomed, "one finger zooms nothing");
}

#[wasm_bindgen_test]
async fn what_lies_around_the_event_selected_is_gone_to_by_a_button_and_by_a_key() {
    let page = at_the_end().await;
    let fits = width(&page);
    page.press("Surroundings", By::Keys).await;
    assert_eq!(width(&page), fits, "nothing is selected");
    let stale = page.lab().lab().why(page.lab().lab().told().expect("something broke").0).event;
    page.send(Msg::Select(Some(stale))).await;
    page.press("Surroundings", By::Keys).await;
    let near = width(&page);
    assert!(near > 10.0 * fits, "{fits}, {near}");
    let ring = &page.elements(".lanes circle.selected")[0];
    let x: f64 = ring.get_attribute("cx").expect("a place").parse().expect("a number");
    assert!(x > first_tick(&page), "it is in view");
    let scrolls = page.all("#diagram-box")[0].clone();
    key(&scrolls, "0");
    page.settle().await;
    assert_eq!(width(&page), fits);
    key(&scrolls, "Enter");
    page.settle().await;
    assert_eq!(width(&page), near);
}

/// The policy of the page forbids it, and a test page has none.
#[wasm_bindgen_test]
async fn nothing_has_a_style_of_its_own() {
    let page = at_the_end().await;
    assert_eq!(page.elements("[style]"), []);
}
