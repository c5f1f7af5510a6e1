//! Two runs beside each other: chosen, seen and ended on the page.

use crate::page::{By, Page, mount};
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::TrueTime;
use wasm_bindgen_test::wasm_bindgen_test;

const CHOOSE: &str = "Compare with the same clicks, but";

/// The first lesson's run with tokens checked, at its end, beside one that only reads.
async fn compared() -> Page {
    let page = mount().await;
    page.send(Msg::Load { scenario: "reconcile".to_owned() }).await;
    page.send(Msg::Seek(TrueTime(25_000_000))).await;
    page.send(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) })).await;
    page.send(Msg::ToEnd).await;
    page.fill(CHOOSE, "it only reads", By::Keys).await;
    page.press("Compare", By::Keys).await;
    page
}

fn pictures(page: &Page) -> usize {
    page.elements(".diagram-box svg[role=img]").len()
}

#[wasm_bindgen_test]
async fn the_second_run_stands_under_the_first_with_signs_where_they_differ() {
    let page = compared().await;
    assert_eq!(pictures(&page), 2);
    let signs = page.elements(".diagram-box .different text");
    assert!(signs.len() > 2, "{} signs", signs.len());
    assert!(page.text("#compare-title").contains("Run 2 above, run 3 below"));
    let labels: Vec<_> = page
        .elements(".diagram-box svg[role=img]")
        .iter()
        .filter_map(|picture| picture.get_attribute("aria-label"))
        .collect();
    assert_ne!(labels[0], labels[1], "a screen reader is told which is which");
    let names = page.elements(".diagram-names .diagram-caption");
    let names: Vec<_> = names.iter().filter_map(|name| name.text_content()).collect();
    assert_eq!(names, ["Run 2", "Run 3"]);
}

#[wasm_bindgen_test]
async fn verdicts_and_differences_are_told_side_by_side() {
    let page = compared().await;
    let rows = page.all(".compare-verdicts tbody tr");
    let rows: Vec<_> = rows.iter().map(|row| row.text_content().unwrap_or_default()).collect();
    assert!(rows.iter().any(|row| row == "Late writes accepted differs01"), "{rows:?}");
    assert!(rows.iter().any(|row| row == "No work done twice differskeptbroken"), "{rows:?}");
    assert!(page.text("#compare-first").starts_with("They part at 0.1 s"));
    let both = page.all(".compare-list tbody tr").into_iter().find(|row| {
        row.text_content()
            .is_some_and(|text| text.contains("PUT 42 refused") && text.contains("PUT 42 accepted"))
    });
    let row = both.expect("what the store did instead stands beside what it did");
    let event = row.query_selector("button").expect("a query").expect("it can be gone to");
    By::Keys.activate(&wasm_bindgen::JsCast::unchecked_into(event));
    page.settle().await;
    assert_eq!(page.text("#now"), "73.074 s");
}

#[wasm_bindgen_test]
async fn a_comparison_is_ended_and_both_runs_stay() {
    let page = compared().await;
    page.press("End the comparison", By::Keys).await;
    assert_eq!(pictures(&page), 1);
    assert!(page.all(".compare-verdicts").is_empty());
    assert_eq!(page.lab().lab().runs().len(), 3);
    page.fill(CHOOSE, "run 3", By::Keys).await;
    page.press("Compare", By::Keys).await;
    assert_eq!(pictures(&page), 2);
}

#[wasm_bindgen_test]
async fn a_comparison_that_ends_by_itself_takes_no_focus() {
    let page = compared().await;
    page.find("select", "Speed").focus().expect("it takes the focus");
    page.send(Msg::Load { scenario: "refund".to_owned() }).await;
    assert_eq!(pictures(&page), 1, "another scenario is no comparison");
    assert_eq!(page.focused().as_deref(), Some("Speed"));
    page.fill(CHOOSE, "run 2", By::Keys).await;
    page.press("Compare", By::Keys).await;
    assert_eq!(page.focused().as_deref(), Some("Run 4 above, run 2 below, at the same moment"));
}
