//! Progress in the quiz: kept when somebody wants it, gone when they do not, and never
//! needed.

use crate::page::{By, Page, mount};
use crate::quiz::{begun, says};
use js_sys::Function;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

const NAME: &str = "fencepost-progress";
const BOX: &str = "Keep my progress on this device";
const TOKENS: &str = "Tokens: 9 questions";

fn js(code: &str) {
    Function::new_no_args(code).call0(&wasm_bindgen::JsValue::NULL).expect("it runs");
}

fn storage() -> web_sys::Storage {
    let window = web_sys::window().expect("a window");
    window.local_storage().expect("it is allowed").expect("it is there")
}

fn kept() -> Option<String> {
    storage().get_item(NAME).expect("it is allowed")
}

/// Nothing is kept from the test before; put right again when a test has failed, too.
struct Device;

impl Device {
    fn with(text: Option<&str>) -> Device {
        let device = Device;
        device.clear();
        if let Some(text) = text {
            storage().set_item(NAME, text).expect("it is allowed");
        }
        device
    }

    fn clear(&self) {
        js("
            if (window.keptStorage) {
                Object.defineProperty(window, 'localStorage', window.keptStorage);
                delete window.keptStorage;
            }
            if (window.keptSet) {
                Storage.prototype.setItem = window.keptSet;
                delete window.keptSet;
            }
        ");
        storage().remove_item(NAME).expect("it is allowed");
    }

    /// Whoever so much as names the storage is refused.
    fn deny(&self) {
        js("
            window.keptStorage = Object.getOwnPropertyDescriptor(window, 'localStorage')
                || Object.getOwnPropertyDescriptor(Window.prototype, 'localStorage');
            Object.defineProperty(window, 'localStorage', {
                configurable: true,
                get() { throw new DOMException('denied', 'SecurityError'); },
            });
        ");
    }

    /// It can be read, and there is no more room.
    fn fill_up(&self) {
        js("
            window.keptSet = Storage.prototype.setItem;
            Storage.prototype.setItem = () => {
                throw new DOMException('full', 'QuotaExceededError');
            };
        ");
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        self.clear();
    }
}

async fn tick(page: &Page) {
    By::Keys.activate(&page.find("input[type=checkbox]", BOX));
    page.settle().await;
}

fn is_ticked(page: &Page) -> bool {
    let input = page.find("input[type=checkbox]", BOX);
    wasm_bindgen::JsCast::unchecked_into::<HtmlInputElement>(input).checked()
}

/// Answers the first question, wrongly.
async fn miss_one(page: &Page) {
    By::Keys.activate(&page.all("#quiz-question input")[0]);
    page.press("Check", By::Keys).await;
    assert_eq!(page.text("#quiz-word"), "Not right.");
}

#[wasm_bindgen_test]
async fn progress_is_kept_from_when_the_box_is_ticked_until_it_is_not() {
    let device = Device::with(None);
    let page = begun(TOKENS, By::Keys).await;
    miss_one(&page).await;
    assert_eq!(kept(), None, "nothing is kept unasked");
    page.press("End this round", By::Keys).await;
    tick(&page).await;
    let text = kept().expect("it is kept");
    assert!(text.contains("answer stale-report-checked wrong\n"), "{text}");
    drop(page);

    let page = mount().await;
    page.press("Quiz", By::Keys).await;
    assert!(is_ticked(&page));
    page.press("The question you missed", By::Keys).await;
    miss_one(&page).await;
    assert!(kept().is_some_and(|text| text.contains("rounds 2\n")), "{:?}", kept());
    page.press("To the end of the round", By::Keys).await;
    tick(&page).await;
    assert_eq!(kept(), None, "it is deleted");
    assert!(page.has("button", "Again with the missed one"), "and here it is still known");
    drop(device);
}

#[wasm_bindgen_test]
async fn where_nothing_can_be_kept_the_quiz_works_and_says_so() {
    let device = Device::with(None);
    device.deny();
    let page = begun(TOKENS, By::Keys).await;
    miss_one(&page).await;
    page.press("End this round", By::Keys).await;
    says(&page, "#quiz-denied", &["Progress is not kept here"]);
    assert!(!page.has("input", BOX));
    assert!(page.has("button", "Again with the missed one"));
    assert!(page.all("[role=alert] button").is_empty(), "it is no warning");
}

#[wasm_bindgen_test]
async fn where_there_is_no_room_it_is_said_when_the_box_is_ticked() {
    let device = Device::with(None);
    device.fill_up();
    let page = mount().await;
    page.press("Quiz", By::Keys).await;
    assert!(page.all("#quiz-denied").is_empty());
    tick(&page).await;
    says(&page, "#quiz-denied", &["Progress is not kept here"]);
    page.press(TOKENS, By::Keys).await;
    miss_one(&page).await;
}

#[wasm_bindgen_test]
async fn a_kept_text_that_is_spoiled_is_named_and_left_alone_until_the_box_is_ticked() {
    let device = Device::with(Some("{\"oops\": 1}"));
    let page = begun(TOKENS, By::Keys).await;
    miss_one(&page).await;
    page.press("End this round", By::Keys).await;
    says(&page, "#quiz-unread", &["cannot be read", "does not begin with"]);
    assert_eq!(kept().as_deref(), Some("{\"oops\": 1}"));
    tick(&page).await;
    assert!(kept().is_some_and(|text| text.contains("answer stale-report-checked wrong")));
    assert!(page.all("#quiz-unread").is_empty());
    drop(device);
}

#[wasm_bindgen_test]
async fn of_a_kept_text_with_one_bad_line_the_others_are_taken_over() {
    let text = "fencepost progress 1\nrounds 4\nanswer lease-end wrng\n\
                answer second-token wrong sure\nlesson chapter-1\n";
    let device = Device::with(Some(text));
    let page = mount().await;
    page.press("Quiz", By::Keys).await;
    says(&page, "#quiz-unread", &["line 3", "answer lease-end wrng", "All else was taken over"]);
    assert!(page.has("button", "The question you missed"));
    let kept = kept().expect("it is kept");
    assert!(kept.contains("lesson chapter-1") && kept.contains("rounds 4"), "{kept}");
    drop(device);
}
