//! Moving the focus and the view to an element.

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Gives the focus to the element with this id, if there is one.
pub fn on(id: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    let element = document.and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // One that cannot take it leaves it where it is.
        let _ = element.focus();
    }
}
