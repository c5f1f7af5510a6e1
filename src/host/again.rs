//! What this tab keeps for when the page is loaded again: a text, as long as the tab is there.
//! The browser may refuse with every call.

use super::failure;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen::{JsCast, UnwrapThrowExt};
use web_sys::Storage;

#[wasm_bindgen]
extern "C" {
    /// What the address had open, if the page was loaded again or gone back to.
    #[wasm_bindgen(js_namespace = fencepost, js_name = openBefore)]
    fn open_before() -> Option<String>;

    /// Whether the second part of the program has come.
    #[wasm_bindgen(js_namespace = fencepost, js_name = isThere, catch)]
    fn is_there() -> Result<bool, JsValue>;

    #[wasm_bindgen(js_namespace = console, js_name = warn)]
    fn console_warn(text: &str);
}

/// The name under which static/start.js looks for it.
fn name() -> Option<String> {
    let here = web_sys::window()?.location().href().ok()?;
    Some(format!("fencepost-open {here}"))
}

fn storage() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}

/// What was kept of this address. It is kept no longer: whatever comes of it, the next load
/// does not meet it again. What reads it is in the second part of the program: where that could
/// not be had, it stays for the next load.
pub fn before() -> Option<String> {
    if !is_there().unwrap_or(false) {
        return None;
    }
    let text = open_before();
    forget();
    text
}

fn forget() {
    if let (Some(storage), Some(name)) = (storage(), name()) {
        let _ = storage.remove_item(&name);
    }
}

/// A word for whoever looks into the console.
pub fn warn(text: &str) {
    console_warn(text);
}

/// Asks for what is to be kept when the page is left. Nothing is fetched for that: before the
/// second part of the program has come, nothing is kept, and neither after a failure.
pub fn at_leaving(tell: impl Fn() -> Option<String> + 'static) {
    let closure = Closure::<dyn Fn()>::new(move || {
        if !is_there().unwrap_or(false) {
            return;
        }
        let text = (!failure::is_shown()).then(&tell).flatten();
        match (text, storage(), name()) {
            // Without room for it the page begins as it does without storage.
            (Some(text), Some(storage), Some(name)) => drop(storage.set_item(&name, &text)),
            _ => forget(),
        }
    });
    let window = web_sys::window().expect_throw("a page has a window");
    let listener = closure.as_ref().unchecked_ref();
    let _ = window.add_event_listener_with_callback("pagehide", listener);
    // As long as the page.
    closure.forget();
}
