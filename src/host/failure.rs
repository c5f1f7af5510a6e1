//! The calm panel that index.html holds for when the program cannot go on.

use std::panic;

/// Makes every panic write to the console and show the panel in place of the page.
pub fn show_panel_on_panic() {
    panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        show_panel();
    }));
}

fn show_panel() {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    if let Some(panel) = document.get_element_by_id("failure") {
        // A failed change leaves the page as it is: there is no one left to tell.
        let _ = panel.remove_attribute("hidden");
    }
    if let Some(app) = document.get_element_by_id("app") {
        let _ = app.set_attribute("hidden", "");
    }
}
