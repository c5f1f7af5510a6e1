//! The browser's frames, as a clock for what plays.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Two steps in time are at least so far apart, milliseconds: two of a screen's frames.
const APART_MS: f64 = 30.0;

/// However late a frame comes, no more time than this has passed: a page that was
/// hidden goes on where it stood.
const PASSED_MS_MAX: f64 = 100.0;

type Shared<T> = Rc<RefCell<Option<T>>>;

/// What a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// So many milliseconds have passed: what moves goes on.
    Passed(u32),
    /// Between two of those: time to show the rest.
    Between,
}

/// Calls back with the milliseconds passed, and once between two such calls, each in
/// a frame of its own, until it is dropped.
pub struct Frames {
    asked: Rc<Cell<i32>>,
    on_frame: Shared<Closure<dyn FnMut(f64)>>,
}

impl Frames {
    /// Begins.
    pub fn new(call: impl Fn(Beat) + 'static) -> Frames {
        let on_frame: Shared<Closure<dyn FnMut(f64)>> = Rc::default();
        let asked = Rc::new(Cell::new(0));
        let (again, number) = (on_frame.clone(), asked.clone());
        let mut last: Option<f64> = None;
        let mut is_between = true;
        let closure = Closure::new(move |now: f64| {
            number.set(ask(&again));
            let passed = now - last.unwrap_or(now - APART_MS);
            if !is_between {
                is_between = true;
                call(Beat::Between);
            } else if passed >= APART_MS {
                is_between = false;
                last = Some(now);
                call(Beat::Passed(passed.min(PASSED_MS_MAX) as u32));
            }
        });
        *on_frame.borrow_mut() = Some(closure);
        asked.set(ask(&on_frame));
        Frames { asked, on_frame }
    }
}

fn ask(on_frame: &Shared<Closure<dyn FnMut(f64)>>) -> i32 {
    let window = web_sys::window().expect("a page has a window");
    let on_frame = on_frame.borrow();
    let call = on_frame.as_ref().expect("set before it is asked for");
    window.request_animation_frame(call.as_ref().unchecked_ref()).expect("a window has frames")
}

impl Drop for Frames {
    fn drop(&mut self) {
        if let Some(window) = web_sys::window() {
            // What cannot be taken back calls a closure that is gone, which does nothing.
            let _ = window.cancel_animation_frame(self.asked.get());
        }
        // The closure holds a reference to itself.
        self.on_frame.borrow_mut().take();
    }
}
