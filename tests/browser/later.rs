//! Texts that are fetched when they are first needed: waited for, missing, tried again.

use crate::page::{By, Page, Texts, document, mount_with};
use crate::quiz::says;
use fencepost::lab::Msg;
use fencepost::learn::later::{Attempt, Failure, Later, Why};
use wasm_bindgen_test::wasm_bindgen_test;

async fn came(page: &Page, texts: Result<Vec<String>, Why>) {
    let file = "quiz/tokens.toml";
    let texts = texts.map_err(|why| Failure { file, why });
    page.send(Msg::Came { what: Later::Quiz, texts }).await;
}

#[wasm_bindgen_test]
async fn the_questions_are_waited_for_and_the_focus_stays_where_it_is() {
    for by in [By::Pointer, By::Keys] {
        let page = mount_with(None, Texts::ByHand).await;
        assert_eq!(page.take_wanted(), [], "not before the quiz is opened");
        page.press("Quiz", by).await;
        assert_eq!(page.take_wanted(), [(Later::Quiz, Attempt::First)]);
        says(&page, ".quiz-side", &["The questions are on their way."]);
        page.press("Lesson", by).await;
        page.press("Quiz", by).await;
        assert_eq!(page.take_wanted(), [], "once");
        let focused = page.focused();
        came(&page, Ok(Later::Quiz.built_in())).await;
        assert!(page.has("button", "10 mixed questions"));
        says(&page, "#status", &["The questions are there."]);
        assert_eq!(page.focused(), focused);
    }
}

#[wasm_bindgen_test]
async fn what_could_not_be_fetched_is_said_and_can_be_tried_again() {
    for by in [By::Pointer, By::Keys] {
        let page = mount_with(None, Texts::ByHand).await;
        page.press("Quiz", by).await;
        let mut of_another_version = Later::Quiz.built_in();
        of_another_version[0].push(' ');
        for (texts, told) in [
            (
                Err(Why::Unreached),
                "“quiz/tokens.toml” could not be fetched. Is there a connection?",
            ),
            (Err(Why::Refused(404)), "for “quiz/tokens.toml” the server answered 404."),
            (Ok(of_another_version), "is of another version than this page. Load the page again."),
        ] {
            page.take_wanted();
            came(&page, texts).await;
            says(&page, "#missing", &["The questions are not there:", told]);
            says(&page, "#status", &[told]);
            page.button("Try again").focus().expect("it takes the focus");
            page.press("Try again", by).await;
            assert_eq!(page.take_wanted(), [(Later::Quiz, Attempt::Again)]);
            says(&page, ".quiz-side", &["The questions are on their way."]);
            assert!(page.focused().is_some(), "the focus is not lost with the button");
        }
        came(&page, Ok(Later::Quiz.built_in())).await;
        assert!(page.has("button", "10 mixed questions") && !page.has("button", "Try again"));
        let focused = document().active_element().map(|it| it.id());
        assert_eq!(focused.as_deref(), Some("quiz-start"), "what was asked for again has it");
    }
}
