//! The page's address and what stands behind its `#`.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// What stands behind the `#`, if anything does.
pub fn fragment() -> Option<String> {
    let hash = web_sys::window()?.location().hash().ok()?;
    hash.strip_prefix('#').filter(|fragment| !fragment.is_empty()).map(str::to_owned)
}

/// What stands between `?` and `#`.
pub fn query() -> String {
    let search = web_sys::window().and_then(|window| window.location().search().ok());
    search.unwrap_or_default().trim_start_matches('?').to_owned()
}

/// The address without anything behind its path.
pub fn bare() -> String {
    let here = web_sys::window().and_then(|window| window.location().href().ok());
    here.unwrap_or_default().split(['?', '#']).next().unwrap_or_default().to_owned()
}

/// The address with another fragment.
pub fn with_fragment(fragment: &str) -> String {
    let here = web_sys::window().and_then(|window| window.location().href().ok());
    let here = here.unwrap_or_default();
    let page = here.split_once('#').map_or(here.as_str(), |(page, _)| page);
    format!("{page}#{fragment}")
}

/// Tells of every other fragment that the address gets, until it is dropped.
pub struct Fragments {
    closure: Closure<dyn FnMut()>,
}

impl Fragments {
    /// Begins.
    pub fn watch(tell: impl Fn(String) + 'static) -> Option<Fragments> {
        let closure = Closure::<dyn FnMut()>::new(move || {
            if let Some(fragment) = fragment() {
                tell(fragment);
            }
        });
        let listener = closure.as_ref().unchecked_ref();
        web_sys::window()?.add_event_listener_with_callback("hashchange", listener).ok()?;
        Some(Fragments { closure })
    }
}

impl Drop for Fragments {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            let listener = self.closure.as_ref().unchecked_ref();
            let _ = window.remove_event_listener_with_callback("hashchange", listener);
        }
    }
}
