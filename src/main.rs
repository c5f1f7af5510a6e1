use fencepost::app::{App, AppProps};
use fencepost::host::{address, again, failure, rest};
use fencepost::lab::arrival::{Arrival, Ids, Place};
use wasm_bindgen::prelude::wasm_bindgen;

/// Nothing yet: what comes later of the program can be had only once this has returned.
fn main() {}

/// Puts the page together. Called by static/start.js.
#[wasm_bindgen]
pub fn open() {
    failure::show_panel_on_panic();
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
        .expect("index.html has an element with the id `app`");
    let query = address::query();
    let arrival = Arrival::from_query(&query, &Ids::all());
    let before = (arrival.place == Place::Whole).then(again::before).flatten();
    let props = AppProps {
        arrival,
        link: address::fragment().map(Into::into),
        before: before.map(Into::into),
        ..AppProps::default()
    };
    yew::Renderer::<App>::with_root_and_props(root, props).render();
    rest::opened();
}
