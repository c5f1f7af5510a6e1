//! Whether the reader has scrolled the page: then it is left where it is.

use super::sight;
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Document, Element, Event};

/// So long the browser may take to begin to scroll where the page sends it, and from step to
/// step of that, on a busy machine, milliseconds.
const OWN_MS: f64 = 1_000.0;
/// What moves by less has not been scrolled, pixels.
const MOVED: f64 = 4.0;

/// What [`Scrolling`] listens to. What follows on the others is the reader's doing.
const EVENTS: [&str; 4] = ["scroll", "wheel", "touchmove", "pointerdown"];

/// Notices scrolling, until it is dropped.
pub struct Scrolling {
    document: Document,
    seen: Rc<Seen>,
    on_event: Closure<dyn FnMut(Event)>,
}

/// Where a page is, in pixels.
#[derive(Clone, Copy, Default)]
struct Place {
    /// How far it is scrolled.
    scrolled: f64,
    /// How far below the window's upper edge what is looked at begins.
    top: f64,
    /// How high all of it is.
    height: f64,
}

/// What has been noticed.
#[derive(Default)]
struct Seen {
    /// The reader has scrolled.
    by_reader: Cell<bool>,
    /// Until when the page scrolls by itself, by the browser's clock.
    own_until: Cell<f64>,
    /// Where the page was when that was last heard of.
    at: Cell<Place>,
    /// Its id.
    looked_at: &'static str,
}

impl Scrolling {
    /// Begins. Scrolling is told from what the browser does by itself by how the element
    /// with this id moves.
    pub fn watch(looked_at: &'static str) -> Option<Scrolling> {
        let document = web_sys::window()?.document()?;
        let seen = Rc::new(Seen { looked_at, ..Seen::default() });
        let on_event = {
            let seen = seen.clone();
            Closure::<dyn FnMut(Event)>::new(move |event: Event| seen.hear(&event))
        };
        let listener = on_event.as_ref().unchecked_ref();
        for kind in EVENTS {
            // Capturing: also where something farther in stops it. What scrolls in a box of
            // its own does not come from the document.
            let _ = document.add_event_listener_with_callback_and_bool(kind, listener, true);
        }
        Some(Scrolling { document, seen, on_event })
    }

    /// What the reader has done so far does not count.
    pub fn begin(&self) {
        self.seen.by_reader.set(false);
        self.seen.at.set(self.seen.now_at());
    }

    /// The page scrolls by itself now.
    pub fn own(&self) {
        self.seen.own_until.set(js_sys::Date::now() + OWN_MS);
    }

    /// Whether the reader has scrolled since [`Scrolling::begin`].
    pub fn by_reader(&self) -> bool {
        self.seen.by_reader.get()
    }
}

impl Drop for Scrolling {
    fn drop(&mut self) {
        let listener = self.on_event.as_ref().unchecked_ref();
        for kind in EVENTS {
            let _ =
                self.document.remove_event_listener_with_callback_and_bool(kind, listener, true);
        }
    }
}

impl Seen {
    fn hear(&self, event: &Event) {
        if event.type_() != "scroll" {
            // A control is pressed and scrolls nothing, while the page may be on its way.
            if !is_on_a_control(event) {
                self.own_until.set(0.0);
            }
            return;
        }
        let is_of_page = event.target().is_some_and(|on| on.dyn_ref::<Document>().is_some());
        if !is_of_page {
            return;
        }
        let (now, (before, at)) = (js_sys::Date::now(), (self.at.get(), self.now_at()));
        if now < self.own_until.get() {
            self.own_until.set(now + OWN_MS);
        } else if is_scrolled(before, at) {
            self.by_reader.set(true);
        }
        self.at.set(at);
    }

    fn now_at(&self) -> Place {
        let (scrolled, height) = sight::scrolled();
        Place { scrolled, top: sight::top(self.looked_at), height }
    }
}

fn is_on_a_control(event: &Event) -> bool {
    let pressed = event.type_() == "pointerdown";
    let on = event.target().and_then(|on| on.dyn_into::<Element>().ok());
    pressed
        && on.is_some_and(|on| {
            on.closest("button, a, input, select, summary").is_ok_and(|it| it.is_some())
        })
}

/// Whether somebody has scrolled between two moments: then what is looked at moves the other
/// way, by as much. Where something above it changes, the browser scrolls so that it stays,
/// or nearly; and where the page has become another height, some of its scrolling is that.
fn is_scrolled(before: Place, at: Place) -> bool {
    let (by, moved) = (at.scrolled - before.scrolled, before.top - at.top);
    let is_as_high = (at.height - before.height).abs() < 1.0;
    is_as_high && moved.abs() > MOVED && (by - moved).abs() <= moved.abs() / 2.0
}
