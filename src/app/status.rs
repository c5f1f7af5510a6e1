//! The last turns of events in words: a line for those who see the page, and the one
//! status line for screen readers.

use crate::app::handle::LabHandle;
use crate::lab::telling::Told;
use yew::prelude::*;

/// The lab, to be looked at.
#[derive(Clone, PartialEq, Properties)]
pub struct StatusProps {
    /// The lab.
    pub lab: LabHandle,
}

/// The line.
#[component]
pub fn Status(props: &StatusProps) -> Html {
    let told = use_mut_ref(Told::default);
    let mut told = told.borrow_mut();
    told.hear(&props.lab.lab());
    html! {
        <>
            <p class="status" aria-hidden="true">{ told.seen().to_owned() }</p>
            <p class="unseen" id="status" role="status">{ told.said().to_owned() }</p>
        </>
    }
}
