//! How wide an element is, also when that changes.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// Calls back whenever an element may have another width, until it is dropped.
pub struct Width {
    observer: ResizeObserver,
    _on_change: Closure<dyn FnMut()>,
}

impl Width {
    /// Begins; the first call comes at once. None where the browser has no such thing.
    pub fn watch(element: &Element, call: impl Fn(i32) + 'static) -> Option<Width> {
        let watched = element.clone();
        let on_change = Closure::<dyn FnMut()>::new(move || call(watched.client_width()));
        let observer = ResizeObserver::new(on_change.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Width { observer, _on_change: on_change })
    }
}

impl Drop for Width {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
