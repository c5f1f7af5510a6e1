//! The quiz: each kind of question by clicks and by keys, the focus, and the way to the
//! run and back.

use crate::page::{By, Page, document, key, mount};
use fencepost::lab::Msg;
use fencepost::lab::quiz::{Draft, QuizMsg, Which};
use fencepost::learn::progress::Confidence;
use fencepost::learn::quiz::{Kind, Topic};
use fencepost::scenario::clicks::Do;
use fencepost::sim::event::EventId;
use fencepost::text::ui::ui;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

pub async fn send(page: &Page, msg: QuizMsg) {
    page.send(Msg::Quiz(msg)).await;
}

/// Mounts the page and begins a round by pressing what the page shows.
pub async fn begun(round: &str, by: By) -> Page {
    let page = mount().await;
    page.press("Quiz", by).await;
    page.press(round, by).await;
    page
}

/// What is asked: its id, and whether the answer can be given without the run.
fn asked(page: &Page) -> (String, Kind) {
    let handle = page.lab();
    let lab = handle.lab();
    let (_, question, asking) = lab.quiz().asked().expect("a question");
    assert!(asking.draft != Draft::Event || question.kind == Kind::Event);
    (question.id.clone(), question.kind)
}

/// Answers somehow until the question of that id is asked.
async fn come_to(page: &Page, id: &str) {
    while asked(page).0 != id {
        let option = page.lab().lab().quiz().asked().map(|(_, question, _)| {
            question.options.first().map(|option| option.id.clone()).unwrap_or_default()
        });
        match asked(page).1 {
            Kind::Order => {}
            Kind::Number => send(page, QuizMsg::Type { text: "1".to_owned() }).await,
            Kind::Event => {
                send(page, QuizMsg::OpenRun).await;
                page.send(Msg::Select(Some(EventId(3)))).await;
            }
            _ => send(page, QuizMsg::Choose { option: option.expect("a question") }).await,
        }
        send(page, QuizMsg::Check).await;
        send(page, QuizMsg::Next).await;
    }
}

/// The page with that question.
async fn at(topic: Topic, id: &str) -> Page {
    let page = mount().await;
    page.press("Quiz", By::Keys).await;
    send(&page, QuizMsg::Begin(Which::Of(topic))).await;
    come_to(&page, id).await;
    page
}

fn focused_id() -> String {
    document().active_element().map(|element| element.id()).unwrap_or_default()
}

#[track_caller]
pub fn says(page: &Page, selector: &str, parts: &[&str]) {
    let text = page.text(selector);
    for part in parts {
        assert!(text.contains(part), "“{part}” in “{text}”");
    }
}

async fn choose(page: &Page, option: &str, by: By) {
    by.activate(&page.find(".quiz-side input", option));
    page.settle().await;
}

/// The answer is checked: the focus is at what is said to it, and it says so.
async fn check(page: &Page, button: &str, by: By, parts: &[&str]) {
    page.press(button, by).await;
    assert_eq!(focused_id(), "quiz-feedback");
    says(page, "#quiz-feedback", parts);
    let word = page.text("#quiz-word");
    says(page, "#status", &[word.trim_end_matches('.')]);
    assert!(page.has("button", "See it happen"));
}

#[wasm_bindgen_test]
async fn one_of_several_options_is_chosen_and_checked() {
    for by in [By::Pointer, By::Keys] {
        let page = begun("Tokens: 9 questions", by).await;
        assert_eq!(focused_id(), "quiz-question");
        assert_eq!(page.all("#quiz-question legend").len(), 1);
        page.press("Check", by).await;
        says(&page, "#quiz-problem", &["Nothing is chosen yet."]);
        choose(&page, "It accepts it: W1 was granted the lock first.", by).await;
        assert_eq!(page.text("#quiz-problem"), "");
        choose(&page, "Sure", by).await;
        let parts = ["Not right.", "✗ your answer", "first is served first", "✓ right", "Why"];
        check(&page, "Check", by, &parts).await;
        page.press("Next question", by).await;
        assert_eq!(focused_id(), "quiz-question");
        says(&page, ".quiz-head", &["Question 2 of 9 · Tokens", "0 of 1 right so far"]);
    }
}

#[wasm_bindgen_test]
async fn all_options_that_are_right_are_ticked() {
    for by in [By::Pointer, By::Keys] {
        let page = at(Topic::Tokens, "what-tokens-promise").await;
        for place in [0, 1, 1, 2, 3] {
            by.activate(&page.all("#quiz-question input[type=checkbox]")[place]);
            page.settle().await;
        }
        check(&page, "Check", by, &["Right.", "✓ your answer, right"]).await;
    }
}

#[wasm_bindgen_test]
async fn an_order_is_made_by_buttons_that_keep_the_focus() {
    for by in [By::Pointer, By::Keys] {
        let page = at(Topic::Renewals, "exit-and-restart").await;
        let order = |page: &Page| -> Vec<String> {
            let items = page.all(".quiz-order .grow").into_iter();
            items.map(|item| item.text_content().unwrap_or_default()).collect()
        };
        let exits = "W1's process exits.";
        assert_eq!(order(&page)[2], exits);
        page.press(&format!("Move up from place 3: {exits}"), By::Keys).await;
        assert_eq!(page.focused(), Some(format!("Move up from place 2: {exits}")));
        page.press(&format!("Move up from place 2: {exits}"), by).await;
        assert_eq!(order(&page)[0], exits);
        // At the top it goes no further, and the button stays in reach.
        page.press(&format!("Move up from place 1: {exits}"), By::Keys).await;
        assert_eq!(order(&page)[0], exits);
        page.press("Move down from place 2: W1's lease expires.", by).await;
        page.press("Move down from place 3: W1's lease expires.", by).await;
        page.press("Move down from place 2: The store accepts W2's claim.", by).await;
        page.press("Move down from place 3: The store accepts W2's claim.", by).await;
        check(&page, "Check", by, &["Right.", "The order in this run"]).await;
    }
}

#[wasm_bindgen_test]
async fn a_number_is_typed_and_what_is_none_is_said_beside_the_field() {
    let page = at(Topic::Leases, "lease-end").await;
    let field = || page.find("input", "Your answer in seconds");
    let named = field().get_attribute("aria-describedby");
    assert_eq!(named.as_deref(), Some("quiz-within quiz-problem"));
    says(&page, "#quiz-within", &["What is at most 0.6 s off counts as right."]);
    page.fill("Your answer in seconds", "soon", By::Keys).await;
    key(&field(), "Enter");
    page.settle().await;
    says(&page, "#quiz-problem", &["not read as a number", "12.5"]);
    assert_eq!(field().get_attribute("aria-invalid").as_deref(), Some("true"));
    assert_eq!(field().unchecked_into::<HtmlInputElement>().value(), "soon");
    page.fill("Your answer in seconds", "51,5", By::Keys).await;
    assert_eq!(field().get_attribute("aria-invalid"), None);
    key(&field(), "Enter");
    page.settle().await;
    assert_eq!(focused_id(), "quiz-feedback");
    says(&page, "#quiz-feedback", &["Right.", "You answered", "51.5 s"]);

    let page = at(Topic::Leases, "lease-end").await;
    page.fill("Your answer in seconds", "55", By::Pointer).await;
    let parts = ["Not right.", "55 s", "from the beginning of the pause", "Right is", "51.5 s"];
    check(&page, "Check", By::Pointer, &parts).await;
}

#[wasm_bindgen_test]
async fn an_event_is_picked_in_the_run_beside_the_readers_own() {
    for by in [By::Pointer, By::Keys] {
        let page = mount().await;
        page.send(Msg::Click(Do::Crash { node: "W2".to_owned(), restart_after_ms: None })).await;
        let own = page.clicks();
        page.press("Quiz", by).await;
        send(&page, QuizMsg::Begin(Which::Of(Topic::Leases))).await;
        come_to(&page, "two-believe").await;
        says(&page, "#quiz-question", &["Pick the event", "not looking at the run"]);
        assert!(!page.has("button", "Answer with this event"));
        page.press("Open the run", by).await;
        says(&page, "#quiz-picked", &["No event is selected yet."]);
        let event = page.all(".events .event-line").into_iter().find(|line| {
            let text = line.text_content().unwrap_or_default();
            text.contains("51.556 s") && text.contains("W2")
        });
        by.activate(&event.expect("the event is in the list"));
        page.settle().await;
        says(&page, "#quiz-picked", &["Selected now", "51.556 s, W2"]);
        check(&page, "Answer with this event", by, &["Right.", "51.556 s, W2"]).await;
        page.send(Msg::Show { run: 0 }).await;
        assert_eq!(page.clicks(), own, "the reader's own run is there as it was");
    }
}

#[wasm_bindgen_test]
async fn a_line_is_chosen_in_the_program() {
    for by in [By::Pointer, By::Keys] {
        let page = at(Topic::Tokens, "line-draws-early").await;
        assert_eq!(page.all(".quiz-program .option code").len(), 4);
        assert_eq!(page.all(".quiz-program .plain").len(), 2, "lines that are none of them");
        choose(&page, "let number = counter.next()?;", by).await;
        check(&page, "Check", by, &["Right.", "It is drawn before the lock is granted"]).await;
    }
}

#[wasm_bindgen_test]
async fn what_is_right_is_seen_in_the_lab_and_the_changed_run_too() {
    let page = at(Topic::Leases, "lease-end").await;
    page.fill("Your answer in seconds", "30", By::Keys).await;
    check(&page, "Check", By::Keys, &["Not right."]).await;
    page.press("See it happen", By::Keys).await;
    assert_eq!(page.text("#now"), "51.502 s");
    assert_eq!(page.text("#why-question"), "Why did the lease of W1 end?");
    assert!(!page.text("#quiz-then").contains("41.5 s"), "it is told with its run");
    page.press("See that run", By::Keys).await;
    assert!(page.text("#now").starts_with("41.50"), "{}", page.text("#now"));
    says(&page, "#quiz-then", &["Then it is", "41.5 s"]);
    page.press("Back to the question", By::Keys).await;
    assert_eq!(focused_id(), "quiz-feedback");
    // With the question its runs go, and the reader's own is there again.
    page.press("Next question", By::Keys).await;
    assert_eq!(focused_id(), "quiz-question");
    assert_eq!(page.text("#now"), "0.000 s");
    assert!(page.all(".runs li").is_empty(), "one run is open");
}

#[wasm_bindgen_test]
async fn a_round_ends_with_a_score_and_the_missed_ones_come_again() {
    const ASKED: usize = 8;
    let page = begun("Messages and effects: 8 questions", By::Keys).await;
    let (mut right, mut of_sure) = (0, 0);
    for nth in 0..ASKED {
        if nth < 2 {
            choose(&page, "Sure", By::Keys).await;
        }
        let (id, kind) = asked(&page);
        match kind {
            Kind::Number => {
                let typed = if id == "booked-refund" { "100,000" } else { "7" };
                page.fill("Your answer as an amount", typed, By::Keys).await;
            }
            _ => By::Keys.activate(&page.all("#quiz-question input")[0]),
        }
        page.press("Check", By::Keys).await;
        let is_right = usize::from(page.text("#quiz-word") == ui().quiz.met.right);
        right += is_right;
        of_sure += if nth < 2 { is_right } else { 0 };
        let next = if nth < ASKED - 1 { "Next question" } else { "To the end of the round" };
        page.press(next, By::Keys).await;
    }
    let (end, missed) = (&ui().quiz.end, ASKED - right);
    assert!(right > 0 && missed > 1, "{right} were right");
    assert_eq!(focused_id(), "quiz-end");
    assert_eq!(page.text("#quiz-score"), format!("{right} of {ASKED} answers were right."));
    assert_eq!(page.text("#quiz-calibration"), (end.sure)(Confidence::Sure, 2, of_sure));
    assert_eq!(page.all(".quiz-missed li").len(), missed);
    page.press(&format!("Again with the {missed} missed ones"), By::Keys).await;
    says(&page, ".quiz-head", &[&format!("Question 1 of {missed}")]);
    page.press("End this round", By::Keys).await;
    assert_eq!(focused_id(), "quiz-start");
    assert!(page.has("button", &format!("The {missed} questions you missed")));
}

#[wasm_bindgen_test]
async fn the_lesson_is_as_it_was_when_one_comes_back() {
    let page = mount().await;
    page.send(Msg::Seek(fencepost::sim::time::TrueTime(25_000_000))).await;
    page.press("Pause W1", By::Keys).await;
    let option = "The store refuses it: the lock is W2's by then.";
    By::Keys.activate(&page.find(".lesson input[type=radio]", option));
    page.settle().await;
    let before = page.text(".lesson");
    page.press("Quiz", By::Keys).await;
    assert_eq!(page.focused().as_deref(), Some("Quiz"));
    assert_eq!(page.button("Quiz").get_attribute("aria-pressed").as_deref(), Some("true"));
    let hidden = |selector: &str| {
        let shell = page.all(selector)[0].parent_element().expect("a shell");
        shell.has_attribute("hidden")
    };
    assert!(hidden(".lesson") && !hidden(".quiz-side"));
    page.press("10 mixed questions", By::Keys).await;
    page.press("Lesson", By::Keys).await;
    assert!(!hidden(".lesson") && hidden(".quiz-side"));
    assert_eq!(page.text(".lesson"), before);
    page.press("Quiz", By::Keys).await;
    says(&page, ".quiz-head", &["Question 1 of 10"]);
    assert_eq!(page.focused().as_deref(), Some("Quiz"), "to switch takes the focus nowhere");
}
