//! What is in sight.

use web_sys::{ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Scrolls as little as brings the element with this id into sight, if there is one; at
/// once for readers who want little motion.
pub fn bring(id: &str) {
    let Some(window) = web_sys::window() else { return };
    let element = window.document().and_then(|document| document.get_element_by_id(id));
    let Some(element) = element else { return };
    let still = window.match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    let is_still = still.is_some_and(|query| query.matches());
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    options.set_behavior(if is_still { ScrollBehavior::Instant } else { ScrollBehavior::Smooth });
    element.scroll_into_view_with_scroll_into_view_options(&options);
}
