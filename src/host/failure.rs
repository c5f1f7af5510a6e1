//! The calm panel that index.html holds for when the program cannot go on.

use std::panic;

/// Makes every panic write to the console and show the panel in place of the page.
pub fn show_panel_on_panic() {
    panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        show_panel(&info.to_string());
    }));
}

/// Whether the panel is shown.
pub fn is_shown() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let panel = document.and_then(|document| document.get_element_by_id("failure"));
    panel.is_some_and(|panel| !panel.has_attribute("hidden"))
}

/// Shows the panel, with what the program says of why. Nothing here may fail loudly: after a
/// panic there is no one left to tell.
pub fn show_panel(reason: &str) {
    // What failed after the first is most often its consequence.
    if is_shown() {
        return;
    }
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    if let Some(detail) = document.get_element_by_id("failure-detail") {
        detail.set_text_content(Some(&format!("What the program says: {reason}")));
    }
    if let Some(panel) = document.get_element_by_id("failure") {
        let _ = panel.remove_attribute("hidden");
    }
    if let Some(app) = document.get_element_by_id("app") {
        let _ = app.set_attribute("hidden", "");
    }
}
