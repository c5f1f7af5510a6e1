use fencepost::app::{App, AppProps};
use fencepost::host::{address, failure};
use fencepost::lab::arrival::{Arrival, Ids};

fn main() {
    failure::show_panel_on_panic();
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
        .expect("index.html has an element with the id `app`");
    let query = address::query();
    let props = AppProps {
        arrival: Arrival::from_query(&query, &Ids::all()),
        link: address::fragment().map(Into::into),
        ..AppProps::default()
    };
    yew::Renderer::<App>::with_root_and_props(root, props).render();
}
