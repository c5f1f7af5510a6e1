#![cfg(target_arch = "wasm32")]

use fencepost::app::App;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

// Without this the tests are passed over, and the run is green.
wasm_bindgen_test_configure!(run_in_browser);

/// An element of the test's own: the runner writes its results into `body`.
fn stage() -> web_sys::Element {
    let document = web_sys::window().and_then(|window| window.document()).expect("a document");
    let stage = document.create_element("div").expect("an element");
    document.body().expect("a body").append_child(&stage).expect("appended");
    stage
}

#[wasm_bindgen_test]
async fn the_page_says_what_it_is() {
    let stage = stage();
    yew::Renderer::<App>::with_root(stage.clone()).render();
    yew::scheduler::flush().await;
    let heading = stage.query_selector("h1").expect("a query").expect("a heading");
    assert_eq!(heading.text_content().as_deref(), Some("Fencepost"));
    stage.remove();
}
