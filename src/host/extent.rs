//! How large an element is, also when that changes.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// How large an element is, in whole pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// How wide what is in it can be.
    pub width_px: i32,
    /// How high it is, with its border.
    pub height_px: i32,
}

/// Calls back whenever an element may have another size, until it is dropped.
pub struct Extent {
    observer: ResizeObserver,
    _on_change: Closure<dyn FnMut()>,
}

impl Extent {
    /// Begins with a call at once. None where the browser has no such thing.
    pub fn watch(element: &Element, call: impl Fn(Size) + 'static) -> Option<Extent> {
        let watched = element.clone();
        let tell = move || {
            let height_px = watched.get_bounding_client_rect().height().ceil() as i32;
            call(Size { width_px: watched.client_width(), height_px });
        };
        // A frame that is out of sight is not observed until it is scrolled near.
        tell();
        let on_change = Closure::<dyn FnMut()>::new(tell);
        let observer = ResizeObserver::new(on_change.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Extent { observer, _on_change: on_change })
    }
}

impl Drop for Extent {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
