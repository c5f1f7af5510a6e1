//! Where the regions stand: the lesson at the side, the stage above, transport and
//! timeline below it, causes and the event list under them; one column where there
//! is little width, in the same order as in the source.

use crate::app::handle::LabHandle;
use crate::text::ui::ui;
use yew::prelude::*;

/// The whole page.
pub fn page(lab: &LabHandle) -> Html {
    let text = &ui().frame;
    html! {
        <>
            <header class="bar"><h1 class="brand">{ text.name }</h1></header>
            <main class="regions">
                <section class="panel side" aria-label={text.lesson}>{ lesson(lab) }</section>
                <div class="lab">
                    <section class="panel stage" aria-label={text.stage}>{ stage(lab) }</section>
                    <section class="panel" aria-label={text.timeline}>{ timeline(lab) }</section>
                    <section class="panel" aria-label={text.why}>{ why(lab) }</section>
                    <section class="panel" aria-label={text.events}>{ events(lab) }</section>
                </div>
            </main>
        </>
    }
}

fn stage(lab: &LabHandle) -> Html {
    let goal = lab.lab().open().scenario().spec().goal.clone();
    html! { <h2 class="goal">{ goal }</h2> }
}

// PLACE: `<Lesson lab={lab.clone()} />`
fn lesson(_lab: &LabHandle) -> Html {
    html! {}
}

// PLACE: `<Timeline lab={lab.clone()} />`, under the transport.
fn timeline(_lab: &LabHandle) -> Html {
    html! {}
}

// PLACE: `<Why lab={lab.clone()} />`
fn why(_lab: &LabHandle) -> Html {
    html! {}
}

// PLACE: `<EventList lab={lab.clone()} />`
fn events(_lab: &LabHandle) -> Html {
    html! {}
}
