//! What an operator would see of the run: opened, read, followed to an event, copied.

use crate::page::{By, Page, mount};
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::TrueTime;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlTextAreaElement;

/// The value of a gauge, by its name.
fn gauge(page: &Page, name: &str) -> String {
    let all = page.elements(".gauges > div");
    let text = all.iter().filter_map(|it| it.text_content()).find(|text| text.contains(name));
    text.expect("there is such a gauge").replacen(name, "", 1)
}

async fn opened() -> Page {
    let page = mount().await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    page.send(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) })).await;
    page.send(Msg::ToEnd).await;
    assert!(page.elements(".gauges").is_empty(), "it is closed");
    page.press("Signals", By::Keys).await;
    page
}

#[wasm_bindgen_test]
async fn gauges_are_those_of_the_moment_one_looks_at() {
    let page = opened().await;
    assert_eq!(gauge(&page, "Accepted out of order"), "✕1");
    assert_eq!(gauge(&page, "Believe they hold it"), "✕0 now, 2 at most");
    page.send(Msg::Seek(TrueTime(40_000_000))).await;
    assert_eq!(gauge(&page, "Accepted out of order"), "0");
    assert_eq!(gauge(&page, "Renewals overdue"), "1");
    page.press("Signals", By::Keys).await;
    assert!(page.elements(".gauges").is_empty());
}

#[wasm_bindgen_test]
async fn an_alarm_leads_to_its_event() {
    let page = opened().await;
    assert_eq!(page.elements(".alarms li").len(), 4);
    page.press("73.1 s: token 42 came after 43, and was accepted", By::Keys).await;
    assert_eq!(page.text("#why-question"), "Why was PUT 42 accepted?");
}

#[wasm_bindgen_test]
async fn the_lines_are_there_to_be_copied() {
    let page = opened().await;
    let field: HtmlTextAreaElement =
        page.elements("#signals-lines")[0].clone().dyn_into().expect("a text");
    let lines = field.value();
    assert_eq!(lines.lines().filter(|line| line.contains(r#""alarm":true"#)).count(), 4);
    assert!(lines.lines().all(|line| line.starts_with(r#"{"at_us":"#) && line.ends_with('}')));
}
