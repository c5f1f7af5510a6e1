//! The part of the program that a first visit does not need: static/start.js fetches it.
//!
//! Nothing here waits for it. A function that is in the rest has it fetched when it is called
//! (see xtask/src/split), so all that can be done is to have it fetched before.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// With `at_once` the rest is there when this returns.
    #[wasm_bindgen(js_namespace = fencepost)]
    fn rest(at_once: bool);
}

/// The page stands: the rest is fetched as soon as somebody touches it.
pub fn opened() {
    rest(false);
}
