//! What is in sight.

use wasm_bindgen::JsCast;
use web_sys::{Element, ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition};

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

/// What is in sight, as it was when last looked at: to ask the browser for the places of all
/// regions costs more than to draw one.
pub struct Sights {
    selectors: &'static [&'static str],
    in_sight: Vec<bool>,
    next: usize,
}

impl Sights {
    /// Nothing has been looked at: all counts as being in sight.
    pub fn of(selectors: &'static [&'static str]) -> Sights {
        Sights { selectors, in_sight: vec![true; selectors.len()], next: 0 }
    }

    /// Looks at all of them.
    pub fn look_at_all(&mut self, within: &Element) {
        (0..self.selectors.len()).for_each(|_| self.look(within));
    }

    /// Whether one of those that this selector finds was in sight.
    pub fn sees(&self, place: usize) -> bool {
        self.in_sight[place]
    }

    /// Looks at the next of them.
    pub fn look(&mut self, within: &Element) {
        self.next = (self.next + 1) % self.selectors.len();
        let selector = self.selectors[self.next];
        self.in_sight[self.next] = selector.is_empty() || is_any_in_sight(within, selector);
    }
}

/// Whether one of those within an element that a selector finds is in sight, as far as
/// the browser tells.
fn is_any_in_sight(within: &Element, selector: &str) -> bool {
    let window = web_sys::window().and_then(|window| window.inner_height().ok());
    let Some(height) = window.and_then(|height| height.as_f64()) else { return true };
    let Ok(found) = within.query_selector_all(selector) else { return true };
    (0..found.length()).filter_map(|place| found.get(place)?.dyn_into::<Element>().ok()).any(
        |one| {
            let area = one.get_bounding_client_rect();
            area.top() < height && area.bottom() > 0.0
        },
    )
}
