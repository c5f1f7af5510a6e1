//! One event of the list.

use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::lab::list::{Entry, Shown};
use crate::lab::{Lab, Msg};
use crate::sim::event::EventId;
use crate::text::ui::ui;
use crate::text::{amounts, en};
use yew::prelude::*;

/// An event, and how it stands to the present moment.
#[derive(Clone, Properties)]
pub struct RowProps {
    /// The lab, for its words.
    pub lab: LabHandle,
    /// The run's number.
    pub run: u32,
    /// How many leases can be named.
    pub known: usize,
    /// The event.
    pub id: EventId,
    /// How many more the same click made.
    pub more: usize,
    /// Whether it lies ahead.
    pub is_ahead: bool,
    /// Whether it is the first that does.
    pub is_first_ahead: bool,
    /// Whether it is the last that has happened.
    pub is_current: bool,
    /// Whether it is selected.
    pub is_selected: bool,
}

/// An event stays what it is: another revision of the lab changes none of its words.
impl PartialEq for RowProps {
    fn eq(&self, other: &RowProps) -> bool {
        let stands =
            |row: &RowProps| (row.is_ahead, row.is_first_ahead, row.is_current, row.is_selected);
        let which = |row: &RowProps| (row.run, row.known, row.id, row.more);
        which(self) == which(other) && stands(self) == stands(other)
    }
}

impl RowProps {
    /// A row of the list.
    pub fn new(handle: &LabHandle, lab: &Lab, shown: &Shown, row: Entry) -> RowProps {
        let Entry { id, more } = row;
        RowProps {
            lab: handle.clone(),
            run: shown.run,
            known: lab.open().who().known(),
            id,
            more,
            is_ahead: shown.is_ahead(id),
            is_first_ahead: shown.first_ahead == Some(id),
            is_current: shown.current == Some(id),
            is_selected: shown.selected == Some(id),
        }
    }
}

/// An event: its time, its machine and its sentence. What lies ahead cannot be
/// selected, for it has not happened; it can be gone to.
#[component]
pub fn Row(props: &RowProps) -> Html {
    let RowProps { id, more, is_ahead, is_first_ahead, is_current, is_selected, .. } = *props;
    let handle = &props.lab;
    let lab = handle.lab();
    let text = &ui().events;
    let open = lab.open();
    let event = &open.replay().trace()[id.index()];
    let names = open.scenario().names();
    let msg = match (is_ahead, is_selected) {
        (true, _) => Msg::JumpTo(id),
        (false, true) => Msg::Select(None),
        (false, false) => Msg::Select(Some(id)),
    };
    let moment = amounts::exact_moment(event.at);
    html! {
        <li
            class={classes!("event", is_ahead.then_some("is-ahead"), is_current.then_some("is-now"))}
        >
            if is_first_ahead { <span class="divider">{ text.ahead }</span> }
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
                <span class="what">
                    { en::event(event, open.who()) }
                    if more > 0 { { (text.more)(more) } }
                </span>
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
