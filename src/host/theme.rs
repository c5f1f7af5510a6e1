//! The page's colours, when they are not to be the system's.

/// Has the page in one of the themes of `static/style/tokens.css`, by its name.
pub fn set(name: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(root) = document.and_then(|document| document.document_element()) {
        // The one name of an attribute that is always good.
        let _ = root.set_attribute("data-theme", name);
    }
}
