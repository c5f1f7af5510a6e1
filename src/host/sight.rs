//! What is in sight.

use wasm_bindgen::JsCast;
use web_sys::{
    DomRect, Element, ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition,
    ScrollToOptions, Window,
};

/// What lies so near to the window's upper or lower edge may be covered by what sticks to
/// it, pixels: as the style sheet has it in `scroll-padding-block`.
const EDGE: f64 = 72.0;

/// Scrolls as little as brings the element with this id into sight, if there is one; at
/// once for readers who want little motion.
pub fn bring(id: &str) {
    let Some(window) = web_sys::window() else { return };
    let element = window.document().and_then(|document| document.get_element_by_id(id));
    let Some(element) = element else { return };
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    options.set_behavior(behavior(&window));
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// The element with this id.
pub fn find(id: &str) -> Option<Element> {
    web_sys::window()?.document()?.get_element_by_id(id)
}

/// Scrolls as little as brings the element with this id into sight, and no farther than what
/// the reader has pressed stays in sight; not at all where hardly anything of the element
/// would be seen then. Tells whether it scrolls.
pub fn bring_beside(id: &str, pressed: Option<&Element>) -> bool {
    let by = web_sys::window().and_then(|window| {
        let height = window.inner_height().ok()?.as_f64()?;
        let area = window.document()?.get_element_by_id(id)?.get_bounding_client_rect();
        let pressed = pressed.map(|pressed| pressed.get_bounding_client_rect());
        let by = beside((area.top(), area.bottom()), pressed.map(|it| it.top()), height)?;
        Some((window, by))
    });
    let Some((window, by)) = by else { return false };
    scroll(&window, by);
    true
}

/// How far to scroll so that an area is seen and what was pressed too, where that can be.
fn beside((top, bottom): (f64, f64), pressed: Option<f64>, height: f64) -> Option<f64> {
    let needed = clear((top, bottom), height);
    let by = pressed.filter(|_| needed > 0.0);
    let by = by.map_or(needed, |pressed| needed.min(pressed - EDGE).max(0.0));
    let is_seen = top - by <= height - 3.0 * EDGE;
    (by != 0.0 && is_seen).then_some(by)
}

/// Scrolls this page, and none that holds it in a frame.
fn scroll(window: &Window, by: f64) {
    let options = ScrollToOptions::new();
    options.set_top(by);
    options.set_behavior(behavior(window));
    window.scroll_by_with_scroll_to_options(&options);
}

/// Scrolls as little as brings the first of those that a selector finds into sight, with
/// what it stands in where that fits; nothing if it is. Other than [`bring`] it scrolls this
/// page alone and never one that holds it in a frame: a frame as high as its page stays as
/// it is. Tells whether it scrolls.
pub fn bring_marked(within: &Element, selector: &str, stands_in: &str) -> bool {
    let by = web_sys::window().and_then(|window| {
        let height = window.inner_height().ok()?.as_f64()?;
        let marked = within.query_selector(selector).ok()??;
        let area = marked.get_bounding_client_rect();
        if area.top() >= 0.0 && area.bottom() <= height && !is_covered(&marked, &area) {
            return None;
        }
        let around = marked.closest(stands_in).ok().flatten();
        let around = around.map(|around| around.get_bounding_client_rect());
        let fits = around.filter(|around| around.height() <= height - 2.0 * EDGE);
        Some((window, to_show(&fits.unwrap_or(area), height)))
    });
    let Some((window, top)) = by else { return false };
    scroll(&window, top);
    true
}

/// How far to scroll so that an area is clear of both edges.
fn to_show(area: &DomRect, height: f64) -> f64 {
    clear((area.top(), area.bottom()), height)
}

fn clear((top, bottom): (f64, f64), height: f64) -> f64 {
    if top < EDGE { top - EDGE } else { (bottom - height + EDGE).min(top - EDGE).max(0.0) }
}

/// Whether something else lies over its middle, as what sticks to an edge does.
fn is_covered(element: &Element, area: &DomRect) -> bool {
    let (x, y) = (area.left() + area.width() / 2.0, area.top() + area.height() / 2.0);
    let document = element.owner_document();
    let there = document.and_then(|it| it.element_from_point(x as f32, y as f32));
    there.is_some_and(|there| !element.contains(Some(&there)))
}

/// At once for readers who want little motion.
fn behavior(window: &Window) -> ScrollBehavior {
    let still = window.match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    let is_still = still.is_some_and(|query| query.matches());
    if is_still { ScrollBehavior::Instant } else { ScrollBehavior::Smooth }
}

/// How far the page is scrolled, pixels.
pub fn scrolled_by() -> f64 {
    web_sys::window().and_then(|window| window.scroll_y().ok()).unwrap_or_default()
}

/// How far the page is scrolled, and how high all of it is.
pub fn scrolled() -> (f64, f64) {
    let page = web_sys::window().and_then(|window| window.document()?.document_element());
    (scrolled_by(), page.map_or(0.0, |page| f64::from(page.scroll_height())))
}

/// How far below the window's upper edge the element with this id begins.
pub fn top(id: &str) -> f64 {
    let document = web_sys::window().and_then(|window| window.document());
    let element = document.and_then(|document| document.get_element_by_id(id));
    element.map_or(0.0, |element| element.get_bounding_client_rect().top())
}

/// What is in sight, as it was when last looked at: to ask the browser for the places of all
/// regions costs more than to draw one.
pub struct Sights {
    selectors: Vec<&'static str>,
    in_sight: Vec<bool>,
    next: usize,
}

impl Sights {
    /// Nothing has been looked at: all counts as being in sight.
    pub fn of(selectors: Vec<&'static str>) -> Sights {
        let in_sight = vec![true; selectors.len()];
        Sights { selectors, in_sight, next: 0 }
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
