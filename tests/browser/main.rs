#![cfg(target_arch = "wasm32")]

//! What runs inside a browser: the page as people use it, and what it asks of the
//! browser. One crate, a module a feature.

pub mod bench;
pub mod chapter;
pub mod compare;
pub mod determinism;
pub mod events;
pub mod faults;
pub mod first_run;
mod flags;
pub mod focus;
pub mod free_work;
pub mod later;
pub mod lesson;
pub mod page;
pub mod quiz;
pub mod quiz_kept;
pub mod services;
pub mod share;
pub mod signals;
mod timeline;
pub mod transport;

use fencepost::app::App;
use fencepost::host::failure;
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

#[wasm_bindgen_test]
fn a_failure_takes_the_place_of_the_page_and_says_why() {
    let stage = stage();
    stage.set_inner_html(
        "<div id='app'></div><div id='failure' hidden=''><p id='failure-detail'></p></div>",
    );
    failure::show_panel("there is no step 7");
    let panel = stage.query_selector("#failure").expect("a query").expect("a panel");
    assert!(!panel.has_attribute("hidden"));
    assert!(panel.text_content().expect("a text").contains("there is no step 7"));
    let app = stage.query_selector("#app").expect("a query").expect("the page");
    assert!(app.has_attribute("hidden"));
    stage.remove();
}
