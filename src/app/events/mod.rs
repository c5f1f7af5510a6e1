//! The list of events: the diagram's twin in words. Turns of events, or all; each
//! with a button that selects it and one that goes to its moment.

mod row;

use crate::app::handle::LabHandle;
use crate::lab::list::{self, Index, Shown};
use crate::lab::{Lab, Msg, Routine};
use crate::text::ui::ui;
use row::{Row, RowProps};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

/// The lab, to be looked at and to be told.
#[derive(Clone, PartialEq, Properties)]
pub struct EventListProps {
    /// The lab.
    pub lab: LabHandle,
}

/// Which part of the list is shown.
pub enum ListMsg {
    /// The rows that begin at this one.
    From(usize),
}

/// The list.
pub struct EventList {
    index: Index,
    from: Option<usize>,
    shown: Shown,
    /// The row of the present moment is to be brought into view.
    follow: bool,
    scroll_box: NodeRef,
}

impl Component for EventList {
    type Message = ListMsg;
    type Properties = EventListProps;

    fn create(ctx: &Context<EventList>) -> EventList {
        let lab = ctx.props().lab.lab();
        let mut index = Index::default();
        let shown = index.show(&lab, None);
        EventList { index, from: None, shown, follow: false, scroll_box: NodeRef::default() }
    }

    /// Drawn anew only when other rows are to be seen.
    fn changed(&mut self, ctx: &Context<EventList>, _old: &EventListProps) -> bool {
        let lab = ctx.props().lab.lab();
        let moved = |shown: &Shown| (shown.run, shown.current);
        let before = moved(&self.shown);
        let mut next = self.index.show(&lab, self.from);
        if moved(&next) != before && self.from.is_some() {
            // The present moment moved on: the list goes with it.
            self.from = None;
            next = self.index.show(&lab, None);
        }
        self.follow |= moved(&next) != before;
        let is_other = next != self.shown;
        self.shown = next;
        is_other
    }

    fn update(&mut self, ctx: &Context<EventList>, msg: ListMsg) -> bool {
        let ListMsg::From(from) = msg;
        self.from = Some(from);
        self.shown = self.index.show(&ctx.props().lab.lab(), self.from);
        true
    }

    fn view(&self, ctx: &Context<EventList>) -> Html {
        let handle = &ctx.props().lab;
        let lab = handle.lab();
        let text = &ui().events;
        let shown = &self.shown;
        let from = |from: usize| ctx.link().callback(move |_: MouseEvent| ListMsg::From(from));
        html! {
            <div class="events">
                { head(handle, &lab, shown) }
                <div class="events-box" ref={&self.scroll_box}>
                    if shown.all == 0 { <p>{ text.none }</p> }
                    if shown.first > 0 {
                        <button type="button" id="earlier" onclick={from(shown.first.saturating_sub(list::ROWS))}>
                            { (text.earlier)(shown.first.min(list::ROWS)) }
                        </button>
                    }
                    <ol start={(shown.first + 1).to_string()}>
                        { for shown.rows.iter().map(|id| {
                            html! { <Row key={id.0} ..RowProps::new(handle, &lab, shown, *id) /> }
                        }) }
                    </ol>
                    if shown.after() > 0 {
                        <button type="button" id="later" onclick={from(shown.first + list::ROWS)}>
                            { (text.later)(shown.after().min(list::ROWS)) }
                        </button>
                    }
                </div>
            </div>
        }
    }

    fn rendered(&mut self, _ctx: &Context<EventList>, _first: bool) {
        if std::mem::take(&mut self.follow)
            && let Some(list) = self.scroll_box.cast::<Element>()
        {
            bring_current_into(&list);
        }
    }
}

fn head(handle: &LabHandle, lab: &Lab, shown: &Shown) -> Html {
    let text = &ui().events;
    let is_shown = lab.routine() == Routine::Shown;
    let other = if is_shown { Routine::Hidden } else { Routine::Shown };
    html! {
        <div class="events-head">
            <h2>{ text.title }</h2>
            <span class="eyebrow">{ (text.count)(shown.happened, shown.all) }</span>
            <span class="grow"></span>
            <label class="field">
                <input
                    type="checkbox" id="events-routine" checked={is_shown}
                    aria-describedby="events-routine-does"
                    onchange={handle.on(Msg::ShowRoutine(other))}
                />
                <span>{ text.routine }</span>
            </label>
            <span class="hint" id="events-routine-does">{ text.routine_does }</span>
        </div>
    }
}

/// Scrolls the box, and only the box, so that the present row is in it.
fn bring_current_into(list: &Element) {
    let current = list.query_selector("[aria-current]").ok().flatten();
    let Some(row) = current.and_then(|current| current.closest("li").ok()?) else { return };
    let Some(top) = row.dyn_ref::<HtmlElement>().map(HtmlElement::offset_top) else { return };
    let (bottom, height) = (top + row.client_height(), list.client_height());
    let is_in_view = top >= list.scroll_top() && bottom <= list.scroll_top() + height;
    if !is_in_view {
        // With some of what went before.
        list.set_scroll_top(top - height * 2 / 3);
    }
}
