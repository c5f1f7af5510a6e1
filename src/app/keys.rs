//! What keys do, and the dialog that says so. No key does anything outside of the
//! control or region that has the focus.

use crate::app::dialog::Dialog;
use crate::app::handle::LabHandle;
use crate::lab::{Msg, Playing};
use crate::sim::time::Span;
use crate::text::ui::ui;
use web_sys::Element;
use yew::prelude::*;

/// How far Page Up and Page Down go.
const PAGE: Span = Span::from_s(5);

/// What keys do while the focus is in the transport. A list keeps its arrows, and a
/// button its space.
pub fn in_transport(handle: &LabHandle) -> Callback<KeyboardEvent> {
    let handle = handle.clone();
    Callback::from(move |event: KeyboardEvent| {
        let on =
            event.target_dyn_into::<Element>().map(|element| (element.tag_name(), element.id()));
        let Some((tag, id)) = on.filter(|_| is_plain(&event)) else { return };
        let is_list = tag.eq_ignore_ascii_case("select");
        let msg = match event.key().as_str() {
            _ if is_list => None,
            " " if id == "scrubber" => Some(play_or_stop(&handle)),
            key => of_key(&handle, key),
        };
        if let Some(msg) = msg {
            event.prevent_default();
            handle.send(msg);
        }
    })
}

fn is_plain(event: &KeyboardEvent) -> bool {
    !(event.ctrl_key() || event.alt_key() || event.meta_key() || event.shift_key())
}

fn play_or_stop(handle: &LabHandle) -> Msg {
    match handle.lab().playing() {
        Playing::No => Msg::Play,
        Playing::Until(_) => Msg::Stop,
    }
}

fn of_key(handle: &LabHandle, key: &str) -> Option<Msg> {
    let lab = handle.lab();
    let (now, seen) = (lab.open().now(), lab.open().seen_until());
    Some(match key {
        "ArrowRight" => Msg::Step,
        "ArrowLeft" => Msg::Back,
        "Home" => Msg::ToStart,
        "End" => Msg::Seek(seen),
        "PageUp" => Msg::Seek((now + PAGE).min(seen)),
        "PageDown" => Msg::Seek(now - PAGE),
        _ => return None,
    })
}

/// The button that opens the help, and the help.
#[component]
pub fn KeysHelp() -> Html {
    let text = &ui().keys;
    html! {
        <Dialog id="keys" class="icon" shows="?" name={text.open} title={text.title}>
            { list(text.everywhere) }
            <h3>{ text.in_transport }</h3>
            { list(text.transport) }
            <h3>{ text.in_diagram }</h3>
            { list(text.diagram) }
            <h3>{ text.in_bench }</h3>
            { list(text.bench) }
            <p>{ text.remark }</p>
        </Dialog>
    }
}

fn list(keys: &'static [(&'static str, &'static str)]) -> Html {
    html! {
        <dl class="keys">
            { for keys.iter().map(|(keys, what)| html! {
                <div key={*keys}><dt>{ *keys }</dt><dd>{ *what }</dd></div>
            }) }
        </dl>
    }
}
