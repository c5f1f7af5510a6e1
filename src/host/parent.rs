//! The page that holds ours in a frame: what is sent to it, and what it says.

use crate::share::host_page::{Field, Message};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{MessageEvent, Window};

/// The window that holds ours, if one does.
fn parent() -> Option<(Window, Window)> {
    let own = web_sys::window()?;
    let parent = own.parent().ok().flatten()?;
    (!Object::is(&own, &parent)).then_some((own, parent))
}

/// Sends messages to whoever holds our frame: none of them tells anything about the
/// reader that the host could not see in its frame, so they go to any origin.
pub fn send(messages: &[Message]) {
    let Some((_, parent)) = parent() else { return };
    for message in messages {
        // The host's window may be gone already.
        let _ = parent.post_message(&object(message), "*");
    }
}

fn object(message: &Message) -> JsValue {
    let object = Object::new();
    for (name, field) in message {
        let value = match field {
            Field::Text(text) => JsValue::from_str(text),
            Field::Number(number) => JsValue::from_f64(*number as f64),
            Field::Flag(flag) => JsValue::from_bool(*flag),
            Field::List(texts) => {
                let list = Array::new();
                for text in texts {
                    list.push(&JsValue::from_str(text));
                }
                list.into()
            }
        };
        // Setting a field of a plain object of our own cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), &value);
    }
    object.into()
}

/// Tells what the window that holds ours says, until it is dropped. Any other window
/// may send messages too; those are not heard.
pub struct Ear {
    own: Window,
    closure: Closure<dyn FnMut(MessageEvent)>,
}

impl Ear {
    /// Begins, if there is such a window. Of a message the fields `context` and `action`
    /// are told, if it has both as texts.
    pub fn listen(tell: impl Fn(String, String) + 'static) -> Option<Ear> {
        let (own, parent) = parent()?;
        let closure = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let is_host = event.source().is_some_and(|source| Object::is(&source, &parent));
            let data = event.data();
            let field = |name: &str| Reflect::get(&data, &name.into()).ok()?.as_string();
            if let (true, Some(context), Some(action)) =
                (is_host, field("context"), field("action"))
            {
                tell(context, action);
            }
        });
        let listener = closure.as_ref().unchecked_ref();
        own.add_event_listener_with_callback("message", listener).ok()?;
        Some(Ear { own, closure })
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        let listener = self.closure.as_ref().unchecked_ref();
        let _ = self.own.remove_event_listener_with_callback("message", listener);
    }
}
