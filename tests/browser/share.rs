//! Links to runs: opened with the page, put into the address later, and given away.

use crate::page::{By, mount, mount_on};
use fencepost::host::address;
use fencepost::lab::Msg;
use fencepost::scenario::clicks::Do;
use fencepost::share::Link;
use fencepost::sim::time::TrueTime;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlDialogElement, HtmlTextAreaElement};

const PAUSED: &str =
    "v=1&scenario=reconcile&click=25000000:pause(for_ms=45000,node=W1)&at=60000000";

#[wasm_bindgen_test]
async fn the_page_opens_on_the_run_of_a_link_at_its_moment() {
    let page = mount_on(Some(PAUSED)).await;
    let lab = page.lab();
    let lab = lab.lab();
    assert_eq!(lab.warning(), None);
    assert_eq!(lab.open().scenario().spec().id, "reconcile");
    assert_eq!(lab.open().now(), TrueTime(60_000_000));
    let pause = Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) };
    assert_eq!(lab.open().run().clicks[0].r#do, pause);
}

#[wasm_bindgen_test]
async fn a_link_that_cannot_be_read_is_told_and_the_page_is_there() {
    let page = mount_on(Some("v=1&scenario=reconcil")).await;
    let warning = page.all("[role=alert]").remove(0).text_content().expect("a text");
    assert!(warning.contains("there is no scenario `reconcil`"), "{warning}");
    assert!(page.lab().lab().open().is_at_start());
    page.press("Got it", By::Keys).await;
    assert_eq!(page.lab().lab().warning(), None);
}

#[wasm_bindgen_test]
async fn the_dialog_gives_the_link_to_the_moment_one_looks_at() {
    let page = mount_on(Some(PAUSED)).await;
    for (by, at) in [(By::Pointer, 61_000_000), (By::Keys, 62_000_000)] {
        page.lab().send(Msg::Seek(TrueTime(at)));
        page.settle().await;
        page.press("Share this run", by).await;
        let field = |id: &str| -> String {
            let field = page.all(id).remove(0).dyn_into::<HtmlTextAreaElement>();
            field.expect("a text area").value()
        };
        let link = field("#share-link");
        let (before, fragment) = link.split_once('#').expect("a fragment");
        assert!(address::with_fragment("").starts_with(before), "{link}");
        let link = Link::from_fragment(fragment).expect("it can be read");
        assert_eq!(link.at, Some(TrueTime(at)));
        assert_eq!(link.run().as_ref(), Ok(page.lab().lab().open().run()));
        let frame = field("#share-frame");
        assert!(frame.starts_with("<iframe src=\"") && frame.contains("&amp;scenario=reconcile"));
        assert!(frame.contains("?embed=1#"), "{frame}");
        let dialog = page.all("dialog.share-dialog").remove(0).dyn_into::<HtmlDialogElement>();
        let dialog = dialog.expect("a dialog");
        assert!(dialog.open());
        dialog.close();
    }
}

#[wasm_bindgen_test]
async fn a_link_put_into_the_address_opens_beside_what_is_there() {
    let page = mount().await;
    page.lab().send(Msg::Seek(TrueTime(5_000_000)));
    page.settle().await;
    let window = web_sys::window().expect("a window");
    let told = fragment_told(&window);
    window.location().set_hash("v=1&scenario=refund").expect("the address takes it");
    told.await;
    page.settle().await;
    assert_eq!(page.lab().lab().runs().len(), 2);
    assert_eq!(page.lab().lab().open().scenario().spec().id, "refund");
    window.location().set_hash("").expect("the address takes it");
}

/// Waits for the browser to tell of another fragment.
fn fragment_told(window: &web_sys::Window) -> impl std::future::Future<Output = ()> + use<> {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        window.add_event_listener_with_callback("hashchange", &resolve).expect("a listener");
    });
    async move {
        wasm_bindgen_futures::JsFuture::from(promise).await.expect("it is told");
    }
}
