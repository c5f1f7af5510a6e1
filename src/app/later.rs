//! What stands where texts will, while they are on their way or could not be had.

use crate::app::handle::LabHandle;
use crate::lab::Msg;
use crate::lab::later::Stands;
use crate::learn::later::Later;
use crate::text::ui::ui;
use yew::prelude::*;

/// How it stands with texts that are not there.
pub fn later(handle: &LabHandle, what: Later) -> Html {
    let text = &ui().later;
    match handle.lab().stands(what) {
        Stands::Failed(missing) => html! {
            <>
                <p class="off-course" id="missing">{ missing.told(what) }</p>
                <button type="button" class="quiz-main" onclick={handle.on(Msg::Want(what))}>
                    { text.again }
                </button>
            </>
        },
        _ => html! { <p>{ (text.on_its_way)(what) }</p> },
    }
}
