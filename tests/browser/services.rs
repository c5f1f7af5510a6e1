//! The comparison of lock services: measured when it is opened, and played from its cells.

use crate::page::{By, Page, mount};
use fencepost::lab::Playing;
use fencepost::learn::services::{Column, ROWS};
use fencepost::text::ui::ui;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;

/// Waits until every cell is measured, each in a frame of its own.
async fn opened() -> Page {
    let page = mount().await;
    page.press("Lock services compared", By::Keys).await;
    while page.elements(".services-table").is_empty() {
        let frame = js_sys::Promise::new(&mut |done, _| {
            let window = web_sys::window().expect("a page has a window");
            window.request_animation_frame(&done).expect("a page has frames");
        });
        JsFuture::from(frame).await.expect("a frame comes");
        page.settle().await;
    }
    page
}

#[wasm_bindgen_test]
async fn every_cell_says_what_was_measured_and_plays_its_run() {
    let page = opened().await;
    assert_eq!(page.elements(".services-table tbody tr").len(), ROWS.len());
    assert_eq!(page.elements(".services-table td").len(), ROWS.len() * Column::ALL.len());
    let name = "Play: Redis, with a counter, Tokens, first machine lost between";
    page.press(name, By::Keys).await;
    assert_eq!(page.focused().as_deref(), Some(ui().transport.stop));
    let lab = page.lab();
    let lab = lab.lab();
    assert_eq!(lab.open().run().clicks.len(), 3);
    assert_eq!(lab.open().scenario().spec().redis.replicas, 1);
    assert_eq!(lab.warning(), None);
    assert_ne!(lab.playing(), Playing::No);
}
