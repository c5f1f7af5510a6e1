//! The chapter: going from lesson to lesson, all of it by keys alone, and terms that
//! explain themselves.

use crate::page::{By, Page, Texts, mount, mount_with};
use fencepost::lab::{Msg, Speed};
use fencepost::learn::later::{Attempt, Failure, Later, Why};
use fencepost::sim::time::TrueTime;
use wasm_bindgen_test::wasm_bindgen_test;

/// Presses what is marked, by keys, lets it play out, and finds the focus on what is
/// marked then.
async fn go_on(page: &Page, name: &str) {
    assert_eq!(page.marked(), [name]);
    page.press(name, By::Keys).await;
    page.play_out().await;
    assert_eq!(page.focused().map(|focused| vec![focused]), Some(page.marked()), "after {name}");
}

/// Goes to the moment at which a run of the reader's own waits.
async fn begin_own_run(page: &Page) {
    go_on(page, "Begin a run of your own").await;
    go_on(page, "Start").await;
    assert_eq!(page.marked(), ["Play"]);
    assert!(page.text("#next-why").contains("Your turn"), "{}", page.text("#next-why"));
}

async fn open_faults_of_w1(page: &Page) {
    if page.all("[aria-expanded=true][aria-label*='W1']").is_empty() {
        page.press("More faults… on W1", By::Keys).await;
    }
}

/// A lesson is finished, and says so.
#[track_caller]
fn expect_finished(page: &Page, next: &str) {
    assert!(page.all(".lesson .steps li:not(.done)").is_empty(), "all steps are done");
    assert_eq!(page.text(".chapter summary"), "All lessons: 1 of 5 of this chapter done");
    let status = page.text("#status");
    assert!(status.contains("All steps of the lesson are done."), "{status}");
    assert_eq!(page.marked(), [next]);
}

/// The page in a lesson. It plays fast, since a test keeps the browser from all else.
async fn in_lesson(place: usize) -> Page {
    let page = mount().await;
    page.send(Msg::SetSpeed(Speed::Eightfold)).await;
    page.send(Msg::Lesson { place }).await;
    page
}

#[wasm_bindgen_test]
async fn the_first_lesson_leads_to_the_second_by_keys_alone() {
    let page = in_lesson(0).await;
    for marked in ["Start", "Pause W1", "Just run", "Check tokens and run the same clicks again"] {
        go_on(&page, marked).await;
    }
    expect_finished(&page, "Next lesson: Claim before you read");
    go_on(&page, "Next lesson: Claim before you read").await;
    assert!(page.text("#status").contains("Lesson 2 of 5: Claim before you read."));
    assert_eq!(page.marked(), ["Start"]);
}

#[wasm_bindgen_test]
async fn the_second_lesson_is_done_by_keys_alone() {
    let page = in_lesson(1).await;
    let again = "Let W2 claim first and run the same clicks";
    for marked in ["Start", "Pause W1", "Just run", again] {
        go_on(&page, marked).await;
    }
    expect_finished(&page, "Next lesson: A renewal that fails");
}

#[wasm_bindgen_test]
async fn the_third_lesson_is_done_by_keys_alone() {
    let page = in_lesson(2).await;
    for marked in ["Start", "Cut W1 off from etcd", "Just run"] {
        go_on(&page, marked).await;
    }
    begin_own_run(&page).await;
    open_faults_of_w1(&page).await;
    page.press("Block heartbeat W1", By::Keys).await;
    assert!(page.text("#next-why").contains("whether that was it"));
    go_on(&page, "Just run").await;
    expect_finished(&page, "Next lesson: Checked, then put");
}

#[wasm_bindgen_test]
async fn the_fourth_lesson_is_done_by_keys_alone() {
    let page = in_lesson(3).await;
    let again = "Check in the same step and run the same clicks";
    for marked in ["Start", "Pause W1", "Just run", again] {
        go_on(&page, marked).await;
    }
    begin_own_run(&page).await;
    assert_eq!(page.lab().lab().open().now(), TrueTime(20_000_000), "where the hint says");
    page.press("Pause W1", By::Keys).await;
    go_on(&page, "Just run").await;
    expect_finished(&page, "Next lesson: A slow clock");
}

#[wasm_bindgen_test]
async fn the_last_lesson_is_done_by_keys_alone() {
    let page = in_lesson(4).await;
    for marked in ["Start", "Let W1's clock run at ×1/5", "Just run"] {
        go_on(&page, marked).await;
    }
    begin_own_run(&page).await;
    open_faults_of_w1(&page).await;
    page.fill("Step wall clock W1 by s", "3600", By::Keys).await;
    page.press("Step wall clock W1", By::Keys).await;
    go_on(&page, "Just run").await;
    begin_own_run(&page).await;
    open_faults_of_w1(&page).await;
    page.fill("Run clocks W1 at × the right rate", "0.5", By::Keys).await;
    page.press("Run clocks W1", By::Keys).await;
    go_on(&page, "Just run").await;
    expect_finished(&page, "Next chapter: Locks in Redis");
    assert!(page.text("#next-why").contains("the last lesson of the chapter"));
    page.press("Go on with the quiz", By::Keys).await;
    assert!(!page.elements("#quiz-title, .quiz-rounds").is_empty(), "the quiz is there");
}

#[wasm_bindgen_test]
async fn one_goes_to_any_lesson_and_back_and_what_is_done_is_said_in_words() {
    let page = mount().await;
    let place = |page: &Page| page.text(".lesson-bar p span");
    let disabled =
        |page: &Page, name: &str| page.button(name).get_attribute("aria-disabled").is_some();
    assert!(disabled(&page, "Previous lesson") && !disabled(&page, "Next lesson"));
    page.press("Previous lesson", By::Keys).await;
    assert_eq!(place(&page), "Lesson 1 of 5");
    page.send(Msg::Seek(fencepost::sim::time::TrueTime(25_000_000))).await;
    page.press("Next lesson", By::Keys).await;
    assert_eq!(place(&page), "Lesson 2 of 5");
    assert_eq!(page.focused().as_deref(), Some("Next lesson"));
    assert_eq!(page.marked(), ["Start"]);
    // A key pressed by a script opens no disclosure.
    page.all(".chapter details")[0].set_attribute("open", "").expect("it opens");
    page.press("A slow clock", By::Keys).await;
    assert_eq!(place(&page), "Lesson 5 of 5");
    assert_eq!(page.text(".chapter ol:first-of-type [aria-current=true]"), "A slow clock");
    assert!(disabled(&page, "Next lesson"));
    // Back in the first one all is as it was left.
    page.press("The late report", By::Keys).await;
    assert_eq!(page.text("#now"), "25.000 s");
    assert_eq!(page.marked(), ["Pause W1"]);
    page.press("Pause W1", By::Keys).await;
    page.send(Msg::ToEnd).await;
    page.press("Check tokens and run the same clicks again", By::Keys).await;
    page.play_out().await;
    page.find(".chapter li.done button", "The late report · done");
}

#[wasm_bindgen_test]
async fn a_term_is_explained_where_it_stands_and_by_keys() {
    let page = mount().await;
    let expanded =
        |page: &Page| page.find(".term", "lease").get_attribute("aria-expanded").expect("it says");
    assert_eq!(expanded(&page), "false");
    assert!(page.all(".meaning").is_empty());
    page.press("lease", By::Keys).await;
    assert_eq!(expanded(&page), "true");
    assert!(page.text(".meaning").starts_with("A lease is a promise with an end"));
    // It is what a screen reader comes to next.
    let next = page.find(".term", "lease").next_element_sibling().expect("it follows");
    assert_eq!(next.class_name(), "meaning");
    page.press("lease", By::Keys).await;
    assert!(page.all(".meaning").is_empty());
    page.press("lease", By::Keys).await;
    page.press("Next lesson", By::Keys).await;
    assert!(page.all(".meaning").is_empty(), "another text's terms are closed");
}

fn chapter(page: &Page) -> String {
    page.text(".chapter > .eyebrow")
}

#[wasm_bindgen_test]
async fn the_second_chapter_comes_when_it_is_asked_for_and_its_first_lesson_is_done_by_keys() {
    let page = mount().await;
    page.send(Msg::SetSpeed(Speed::Eightfold)).await;
    assert_eq!(page.take_wanted(), []);
    page.all(".chapter details")[0].set_attribute("open", "").expect("it opens");
    page.press("Locks in Redis · 3 lessons", By::Keys).await;
    assert_eq!(page.take_wanted(), [(Later::Chapter(1), Attempt::First)]);
    assert_eq!(chapter(&page), "Chapter 2 of 5 · Locks in Redis");
    assert!(page.text("#status").contains("Lesson 1 of 3: One key in Redis."));
    let migrate = "Migrate to etcd and run the same clicks";
    let watchdog = "Let a watchdog renew the key and run the same clicks";
    for marked in ["Start", "Pause W1", "Just run", migrate, watchdog] {
        go_on(&page, marked).await;
    }
    assert!(page.all(".lesson .steps li:not(.done)").is_empty(), "all steps are done");
    assert_eq!(page.marked(), ["Next lesson: A counter for a token"]);
    assert!(page.has(".chapter button", "Locks in Redis · 1 of 3 lessons done"));
    page.press("Leases and pauses · 5 lessons", By::Keys).await;
    assert_eq!(chapter(&page), "Chapter 1 of 5 · Leases and pauses");
    assert_eq!(page.marked(), ["Start"]);
}

#[wasm_bindgen_test]
async fn a_chapter_that_does_not_come_leaves_the_reader_where_they_are() {
    let page = mount_with(None, Texts::ByHand).await;
    let what = Later::Chapter(1);
    page.send(Msg::Chapter { place: 1 }).await;
    assert!(page.text(".lesson").contains("The chapter’s lessons are on their way."));
    assert_eq!(chapter(&page), "Chapter 1 of 5 · Leases and pauses");
    let failure = Failure { file: "chapter-2/01-one-key.toml", why: Why::Unreached };
    page.send(Msg::Came { what, texts: Err(failure) }).await;
    let told = "“chapter-2/01-one-key.toml” could not be fetched.";
    assert!(page.text("#missing").contains(told) && page.text("#status").contains(told));
    assert_eq!(page.marked(), ["Start"], "the lesson goes on");
    page.take_wanted();
    page.press("Try again", By::Keys).await;
    assert_eq!(page.take_wanted(), [(what, Attempt::Again)]);
    page.send(Msg::Came { what, texts: Ok(what.built_in()) }).await;
    assert_eq!(chapter(&page), "Chapter 2 of 5 · Locks in Redis");
    assert!(page.all("#missing").is_empty());
}
