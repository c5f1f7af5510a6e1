//! What a mouse, fingers and a wheel do on an element, before the browser does anything
//! of its own by them.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{AddEventListenerOptions, Element, Event, PointerEvent, WheelEvent};

/// What is heard. Places are pixels from the element's left upper corner, on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Heard {
    /// A mouse's main button was pressed, on that handle if it was one.
    MouseDown(i32, (i64, i64), Option<usize>),
    /// A finger or pen was put down.
    FingerDown(i32, (i64, i64), Option<usize>),
    /// A pointer that is down has moved.
    Moved(i32, (i64, i64)),
    /// A pointer is up.
    Up(i32),
    /// The browser has taken it over.
    Cancelled(i32),
    /// A wheel was turned with Ctrl or Cmd, or two fingers spread on a trackpad: so far,
    /// in pixels, away from the reader less than nothing; and where.
    Zoomed(i64, i64),
    /// Fingers move, and the browser would scroll by them.
    FingersMove,
}

/// Whether the browser is still to do what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is not.
    Yes,
    /// It is.
    No,
}

/// What is listened to.
const EVENTS: [&str; 6] =
    ["pointerdown", "pointermove", "pointerup", "pointercancel", "wheel", "touchmove"];

/// The attribute of what can be moved by itself.
pub const HANDLE: &str = "data-handle";

/// Listens to an element, until it is dropped.
pub struct Listener {
    element: Element,
    on_event: Closure<dyn FnMut(Event)>,
}

impl Listener {
    /// Begins.
    pub fn on(element: &Element, mut call: impl FnMut(Heard) -> Taken + 'static) -> Listener {
        let own = element.clone();
        let on_event = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            let Some(heard) = heard(&own, &event) else { return };
            if call(heard) == Taken::No {
                return;
            }
            match heard {
                // A drag goes on outside of the element. What a script made up cannot be
                // caught, which does no harm.
                Heard::Moved(id, _) => drop(own.set_pointer_capture(id)),
                _ => event.prevent_default(),
            }
        });
        let options = AddEventListenerOptions::new();
        options.set_capture(true);
        options.set_passive(false);
        for kind in EVENTS {
            let listener = on_event.as_ref().unchecked_ref();
            let _ = element.add_event_listener_with_callback_and_add_event_listener_options(
                kind, listener, &options,
            );
        }
        Listener { element: element.clone(), on_event }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        for kind in EVENTS {
            let listener = self.on_event.as_ref().unchecked_ref();
            let _ = self.element.remove_event_listener_with_callback_and_bool(kind, listener, true);
        }
    }
}

fn heard(element: &Element, event: &Event) -> Option<Heard> {
    let kind = event.type_();
    match kind.as_str() {
        "touchmove" => return Some(Heard::FingersMove),
        "wheel" => return wheel(element, event.dyn_ref()?),
        _ => {}
    }
    let pointer: &PointerEvent = event.dyn_ref()?;
    let (id, place) = (pointer.pointer_id(), place(element, pointer));
    let is_mouse = pointer.pointer_type() == "mouse";
    match kind.as_str() {
        // Below what is drawn lies the bar by which one scrolls.
        "pointerdown" if is_mouse => (pointer.button() == 0
            && place.1 < i64::from(element.client_height()))
        .then(|| Heard::MouseDown(id, place, handle(event))),
        "pointerdown" => Some(Heard::FingerDown(id, place, handle(event))),
        // It was let go of elsewhere.
        "pointermove" if is_mouse && pointer.buttons() == 0 => Some(Heard::Up(id)),
        "pointermove" => Some(Heard::Moved(id, place)),
        "pointercancel" => Some(Heard::Cancelled(id)),
        _ => Some(Heard::Up(id)),
    }
}

/// What can be moved by itself is marked by the attribute [`HANDLE`], with its number.
fn handle(event: &Event) -> Option<usize> {
    let on: Element = event.target()?.dyn_into().ok()?;
    let handle = on.closest(&format!("[{HANDLE}]")).ok()??;
    handle.get_attribute(HANDLE)?.parse().ok()
}

fn wheel(element: &Element, event: &WheelEvent) -> Option<Heard> {
    if !(event.ctrl_key() || event.meta_key()) {
        return None;
    }
    let factor = match event.delta_mode() {
        WheelEvent::DOM_DELTA_PIXEL => 1.0,
        _ => 20.0,
    };
    // A little is more than nothing.
    let turn = event.delta_y() * factor;
    let turn = if turn < 0.0 { turn.floor() } else { turn.ceil() };
    Some(Heard::Zoomed(turn as i64, place(element, event).0))
}

fn place(element: &Element, event: &web_sys::MouseEvent) -> (i64, i64) {
    let area = element.get_bounding_client_rect();
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    ((x - area.left()) as i64, (y - area.top()) as i64)
}
