//! The engine comes to the same states and traces here as natively.

use fencepost::text::report;
use wasm_bindgen_test::wasm_bindgen_test;

/// What the native suite came to.
const NATIVE: &str = include_str!("../native/golden/states.txt");

#[wasm_bindgen_test]
fn every_built_in_run_comes_to_the_same_states_as_natively() {
    let here = report::states().expect("built-in scenarios are right");
    for (native, here) in NATIVE.lines().zip(here.lines()) {
        assert_eq!(here, native);
    }
    assert_eq!(here.lines().count(), NATIVE.lines().count());
}
