//! The half of `cargo xtask bench` that is measured in the page's own place: passed over
//! otherwise.

use bench::{ALL, Place};
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

fn now_ms() -> f64 {
    let performance = web_sys::window().and_then(|window| window.performance());
    performance.expect("a browser measures time").now()
}

#[wasm_bindgen_test]
#[ignore = "a measurement: cargo xtask bench"]
fn how_fast_the_engine_is_in_a_browser() {
    let place = Place { name: "in the page", now_ms };
    for measurement in ALL {
        console_log!("bench: {}", measurement(&place).expect("built-in scenarios are right"));
    }
}
