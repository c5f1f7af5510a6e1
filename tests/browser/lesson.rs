//! The first lesson: a prediction is asked, kept and met, or passed over.

use crate::page::{By, Page, mount};
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

const FIRST: &str = "#late-report-unchecked";
const SECOND: &str = "#late-report-checked";

async fn until_the_pause(page: &Page, by: By) {
    page.press("Start", by).await;
    page.play_out().await;
    page.press("Pause W1", by).await;
}

async fn choose(page: &Page, option: &str) {
    By::Keys.activate(&page.find("input[type=radio]", option));
    page.settle().await;
}

#[track_caller]
fn says(page: &Page, selector: &str, parts: &[&str]) {
    let text = page.text(selector);
    for part in parts {
        assert!(text.contains(part), "“{part}” in “{text}”");
    }
}

#[wasm_bindgen_test]
async fn both_predictions_are_made_kept_and_met_by_keys_alone() {
    let page = mount().await;
    assert!(page.all("fieldset").is_empty(), "nothing is asked before there is something");
    until_the_pause(&page, By::Keys).await;
    choose(&page, "The store refuses it: the lock is W2's by then.").await;
    says(&page, FIRST, &["What becomes of its report?", "Kept."]);
    page.press("Just run", By::Keys).await;
    page.play_out().await;
    let refuted =
        ["You predicted", "the lock is W2's by then", "Not so.", "What happened", "4.0 M"];
    says(&page, FIRST, &refuted);
    choose(&page, "Refuses it: it has already seen 43.").await;
    page.press("Check tokens and run the same clicks again", By::Keys).await;
    assert!(!page.text(SECOND).contains("Right."), "it is not known before it happens");
    page.play_out().await;
    says(&page, SECOND, &["You predicted", "Right.", "W2 claimed 43 at 51.6 s"]);
    says(&page, FIRST, &refuted);
    assert_eq!(page.all(".lesson .steps .done").len(), 4);
    assert_eq!(page.text("#lesson-title"), "The check stands where the data is");
}

#[wasm_bindgen_test]
async fn a_prediction_can_be_passed_over_and_what_happened_is_told() {
    let page = mount().await;
    until_the_pause(&page, By::Pointer).await;
    says(&page, FIRST, &["You can also go on without an answer."]);
    page.press("Just run", By::Pointer).await;
    page.play_out().await;
    let text = page.text(FIRST);
    assert!(text.contains("What happened") && text.contains("4.0 M for one day"), "{text}");
    assert!(!text.contains("You predicted") && !text.contains("Right."), "{text}");
}

#[wasm_bindgen_test]
async fn the_deciding_moment_is_shown() {
    let page = mount().await;
    until_the_pause(&page, By::Pointer).await;
    page.send(Msg::ToEnd).await;
    page.press("Show the moment", By::Keys).await;
    assert_eq!(page.text("#now"), "73.074 s");
    assert_eq!(page.text("#why-question"), "Why was PUT 42 accepted?");
}

#[wasm_bindgen_test]
async fn a_run_with_other_clicks_is_said_to_be_none_of_the_lessons() {
    let page = mount().await;
    page.send(Msg::Click(Do::Crash { node: "W2".to_owned(), restart_after_ms: None })).await;
    says(&page, ".off-course", &["other clicks than the lesson tells of"]);
    By::Keys.activate(&page.all("#lesson-anew").remove(0));
    page.settle().await;
    assert!(page.all(".off-course").is_empty());
}

#[wasm_bindgen_test]
async fn a_lesson_begun_anew_asks_for_its_own_click_again() {
    let page = mount().await;
    page.send(Msg::Seek(fencepost::sim::time::TrueTime(25_000_000))).await;
    let number = |page: &Page| {
        let number = page.all("article input[type=number]").remove(0);
        number.unchecked_into::<web_sys::HtmlInputElement>().value()
    };
    let field = page.all("article input[type=number]").remove(0);
    page.fill(&crate::page::name_of(&field), "5", By::Keys).await;
    assert_eq!(number(&page), "5");
    page.press("Pause W1", By::Keys).await;
    assert!(page.text(".next").contains("something else"), "{}", page.text(".next"));
    assert!(page.all(".steps [aria-current=step]").is_empty(), "one guide, not two");
    By::Keys.activate(&page.all("#guide-anew").remove(0));
    page.settle().await;
    assert_eq!(page.marked(), ["Start"]);
    assert!(page.text(".steps [aria-current=step]").contains("Start."));
    page.press("Start", By::Keys).await;
    page.play_out().await;
    assert_eq!(number(&page), "45");
    page.press("Pause W1", By::Keys).await;
    let pause = Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) };
    assert_eq!(page.clicks(), [pause]);
}

#[wasm_bindgen_test]
async fn a_run_in_which_somebody_stands_still_says_so_and_goes_on() {
    let page = mount().await;
    page.send(Msg::Seek(fencepost::sim::time::TrueTime(25_000_000))).await;
    page.send(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: None })).await;
    page.send(Msg::ToEnd).await;
    assert_eq!(page.marked(), ["Resume W1"]);
    let next = page.text(".next");
    assert!(next.contains("W1 stands still until you resume it"), "{next}");
    assert!(!page.text(".guide").contains("kept"), "{}", page.text(".guide"));
    assert_eq!(page.text(".goal h2"), "Your own run ended with 2.0 M of 2.0 M booked.");
    By::Keys.activate(&page.all("#next").remove(0));
    page.settle().await;
    assert_eq!(page.clicks().last(), Some(&Do::Resume { node: "W1".to_owned() }));
}

#[wasm_bindgen_test]
async fn the_step_to_do_is_marked_for_those_who_do_not_see_it() {
    let page = mount().await;
    let current = |page: &Page| page.text(".lesson .steps [aria-current=step]");
    assert!(current(&page).contains("Now: Start."), "{}", current(&page));
    page.press("Start", By::Pointer).await;
    page.play_out().await;
    assert!(current(&page).contains("Now: Pause W1"), "{}", current(&page));
    assert!(page.text(".lesson .steps .done").contains("Done: Start."));
}
