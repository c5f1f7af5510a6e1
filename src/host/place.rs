//! Where on the page something was pressed.

use wasm_bindgen::JsCast;
use web_sys::{DomRect, Element, MouseEvent};

/// Where the middle of the pressed control lies in what a selector finds around it, as parts
/// of that from left to right and from above to below. By keys a press has no place of its own.
pub fn of_control(event: &MouseEvent, around: &str) -> Option<(f64, f64)> {
    let (control, around) = areas(event, "button", around)?;
    let (x, y) = (control.left() + control.width() / 2.0, control.top() + control.height() / 2.0);
    Some(part(&around, (x, y)))
}

/// The same of where the pointer was.
pub fn of_pointer(event: &MouseEvent, around: &str) -> Option<(f64, f64)> {
    let (_, around) = areas(event, "*", around)?;
    Some(part(&around, (f64::from(event.client_x()), f64::from(event.client_y()))))
}

fn areas(event: &MouseEvent, control: &str, around: &str) -> Option<(DomRect, DomRect)> {
    let on = event.target()?.dyn_into::<Element>().ok()?;
    let (control, around) = (on.closest(control).ok()??, on.closest(around).ok()??);
    Some((control.get_bounding_client_rect(), around.get_bounding_client_rect()))
}

fn part(around: &DomRect, (x, y): (f64, f64)) -> (f64, f64) {
    let part = |at: f64, from: f64, size: f64| ((at - from) / size.max(1.0)).clamp(0.0, 1.0);
    (part(x, around.left(), around.width()), part(y, around.top(), around.height()))
}
