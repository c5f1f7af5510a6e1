//! The page: what is shown, and what the shown things do.

use yew::prelude::*;

/// The whole page, to be mounted on an element of its own.
#[component]
pub fn App() -> Html {
    html! { <h1>{ "Fencepost" }</h1> }
}
