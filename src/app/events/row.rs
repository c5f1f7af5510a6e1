//! One event of the list.

use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::lab::list::Shown;
use crate::lab::{Lab, Msg};
use crate::sim::event::EventId;
use crate::text::ui::ui;
use crate::text::{amounts, en};
use yew::prelude::*;

/// An event: its time, its machine and its sentence. What lies ahead cannot be
/// selected, for it has not happened; it can be gone to.
pub fn row(handle: &LabHandle, lab: &Lab, shown: &Shown, id: EventId) -> Html {
    let text = &ui().events;
    let open = lab.open();
    let event = &open.replay().trace()[id.index()];
    let names = open.scenario().names();
    let is_ahead = shown.is_ahead(id);
    let is_current = shown.current == Some(id);
    let is_selected = shown.selected == Some(id);
    let msg = if is_ahead { Msg::JumpTo(id) } else { Msg::Select(Some(id)) };
    let moment = amounts::exact_moment(event.at);
    html! {
        <li
            key={id.0}
            class={classes!("event", is_ahead.then_some("is-ahead"), is_current.then_some("is-now"))}
        >
            if shown.first_ahead == Some(id) { <span class="divider">{ text.ahead }</span> }
            <button
                type="button" class="event-line" id={format!("event-{}", id.0)}
                aria-current={is_current.then_some("true")}
                aria-pressed={(!is_ahead).then_some(if is_selected { "true" } else { "false" })}
                onclick={handle.on(msg)}
            >
                <span class="at mono">{ moment.clone() }</span>{ " " }
                <span class={classes!("by", Identity::of(names, event.node).class())}>
                    { names.of(event.node) }
                </span>{ " " }
                <span class="what">{ en::event(event, open.who()) }</span>
                if is_current { { " " }<span class="tag-now">{ text.now }</span> }
            </button>
            <button
                type="button" class="icon quiet jump" aria-label={(text.jump)(&moment)}
                title={(text.jump)(&moment)} onclick={handle.on(Msg::JumpTo(id))}
            >
                <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
                    <path d="M2 8h9M7 3.500l4.500 4.500L7 12.500M14.500 2v12" />
                </svg>
            </button>
        </li>
    }
}
