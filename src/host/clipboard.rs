//! The clipboard, where the browser lets the page have it.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    // web-sys has no way to ask whether there is a clipboard: outside of a secure context
    // there is none, and in a frame it may be refused.
    #[wasm_bindgen(catch, js_namespace = ["navigator", "clipboard"], js_name = writeText)]
    fn write_text(text: &str) -> Result<Promise, JsValue>;
}

/// Whether the text was copied.
pub async fn copy(text: String) -> bool {
    match write_text(&text) {
        Ok(promise) => JsFuture::from(promise).await.is_ok(),
        Err(_) => false,
    }
}
