//! The part of the program that a first visit does not need: static/start.js fetches it.
//!
//! Nothing here waits for it. A function that is in the rest has it fetched when it is called
//! (see xtask/src/split), and the page stands still until then. So it is fetched as soon as the
//! page stands, and what needs it is marked with [`LATER`].

use wasm_bindgen::prelude::wasm_bindgen;

/// The value of the attribute `data-later`, of a control that needs the rest or of what holds
/// such controls: used too early, it is used again by static/start.js once the rest is there.
pub const LATER: &str = "";

#[wasm_bindgen]
extern "C" {
    /// With `at_once` the rest is there when this returns.
    #[wasm_bindgen(js_namespace = fencepost)]
    fn rest(at_once: bool);
}

/// The page stands: the rest is fetched.
pub fn opened() {
    rest(false);
}
