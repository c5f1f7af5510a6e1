use fencepost::app::App;
use fencepost::host::failure;

fn main() {
    failure::show_panel_on_panic();
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
        .expect("index.html has an element with the id `app`");
    yew::Renderer::<App>::with_root(root).render();
}
