//! The list of events: the diagram's twin in words. Turns of events, or all; each
//! with a button that selects it and one that goes to its moment.

mod choose;
mod row;

pub use choose::PLACES;

use crate::app::handle::LabHandle;
use crate::lab::list::{self, Index, Shown};
use crate::sim::event::EventId;
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
    follow: Follow,
    /// The event selected.
    selected: Option<EventId>,
    scroll_box: NodeRef,
}

/// Which row is to be brought into view.
#[derive(Clone, Copy, Default, PartialEq)]
enum Follow {
    #[default]
    None,
    /// The one of the present moment.
    Now,
    /// The one selected.
    Selected,
}

impl Component for EventList {
    type Message = ListMsg;
    type Properties = EventListProps;

    fn create(ctx: &Context<EventList>) -> EventList {
        let lab = ctx.props().lab.lab();
        let mut index = Index::default();
        let shown = index.show(&lab, None);
        let selected = lab.selected();
        let (follow, scroll_box) = (Follow::None, NodeRef::default());
        EventList { index, from: None, shown, follow, selected, scroll_box }
    }

    /// Drawn anew only when other rows are to be seen.
    fn changed(&mut self, ctx: &Context<EventList>, _old: &EventListProps) -> bool {
        let lab = ctx.props().lab.lab();
        let moved = |shown: &Shown| (shown.run, shown.current);
        let before = moved(&self.shown);
        let mut next = self.index.show(&lab, self.from);
        let is_other_list = next.filter != self.shown.filter || next.run != self.shown.run;
        if (moved(&next) != before || is_other_list) && self.from.is_some() {
            // The present moment moved on: the list goes with it.
            self.from = None;
            next = self.index.show(&lab, None);
        }
        if moved(&next) != before {
            self.follow = Follow::Now;
        }
        if lab.selected() != self.selected || is_other_list {
            self.selected = lab.selected();
            if let Some(from) = self.index.turn_to_selected(&lab, &next) {
                self.from = Some(from);
                next = self.index.show(&lab, self.from);
            }
            if next.selected.is_some() {
                self.follow = Follow::Selected;
            }
        }
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
                <choose::Head
                    send={handle.sender()} names={lab.open().scenario().names().clone()}
                    routine={lab.routine()} playing={lab.playing()} happened={shown.happened} all={shown.all}
                    unfiltered={shown.unfiltered} filter={shown.filter.clone()}
                    hides_selected={shown.hides_selected}
                />
                <div class="events-box" ref={&self.scroll_box}>
                    if shown.all == 0 {
                        <p>{ if shown.unfiltered == 0 { text.none } else { text.no_match } }</p>
                    }
                    if shown.first > 0 {
                        <button type="button" id="earlier" onclick={from(shown.first.saturating_sub(list::ROWS))}>
                            { (text.earlier)(shown.first.min(list::ROWS)) }
                        </button>
                    }
                    <ol start={(shown.first + 1).to_string()}>
                        { for shown.rows.iter().map(|row| {
                            html! { <Row key={row.id.0} ..RowProps::new(handle, &lab, shown, *row) /> }
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
        let which = match std::mem::take(&mut self.follow) {
            Follow::None => return,
            Follow::Now => "[aria-current]",
            Follow::Selected => "[aria-pressed='true']",
        };
        if let Some(list) = self.scroll_box.cast::<Element>() {
            bring_into(&list, which);
        }
    }
}

/// Scrolls the box, and only the box, so that a row is in it.
fn bring_into(list: &Element, which: &str) {
    let found = list.query_selector(which).ok().flatten();
    let Some(row) = found.and_then(|found| found.closest("li").ok()?) else { return };
    let Some(top) = row.dyn_ref::<HtmlElement>().map(HtmlElement::offset_top) else { return };
    let (bottom, height) = (top + row.client_height(), list.client_height());
    let is_in_view = top >= list.scroll_top() && bottom <= list.scroll_top() + height;
    if !is_in_view {
        // With some of what went before.
        list.set_scroll_top(top - height * 2 / 3);
    }
}
