//! The diagram as SVG. Every place has been computed; one pixel here is one on the
//! page, so that words keep their size.

use super::pieces::{Pieces, group};
use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::lab::Msg;
use crate::lab::diagram::lanes::{Lanes, Owner};
use crate::lab::diagram::pointers::Pointers;
use crate::lab::diagram::{Diagram, lane_y};
use crate::sim::event::EventId;
use crate::text::ui::ui;
use std::cell::RefCell;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// How wide the names of the lanes are.
pub const NAMES: i64 = 124;

/// The attribute that names an event of the trace.
const EVENT: &str = "data-event";

fn identity(owner: Owner) -> Identity {
    match owner {
        Owner::Worker(place) => Identity::Worker(place),
        Owner::LockService => Identity::Service,
        Owner::Store => Identity::Store,
        Owner::Other(_) => Identity::Other,
    }
}

/// The classes of the lanes' colours, in their order.
pub type Classes = Rc<[&'static str]>;

/// The classes of the lanes' colours.
pub fn classes(lanes: &Lanes) -> Classes {
    (0..lanes.count()).map(|lane| identity(lanes.who(lane)).class()).collect()
}

/// The names of the lanes: they stay when the diagram is scrolled.
#[derive(Clone, PartialEq, Properties)]
pub struct NamesProps {
    /// The names.
    pub titles: Rc<[AttrValue]>,
    /// The lanes' colours.
    pub classes: Classes,
    /// How high the diagram is.
    pub height: i64,
}

/// The names of the lanes.
#[component]
pub fn Names(props: &NamesProps) -> Html {
    let name = |(lane, title): (usize, &AttrValue)| {
        html! {
            <text
                key={lane} class={classes!("lane-name", props.classes[lane])}
                x="10" y={(lane_y(lane) + 4).to_string()}
            >
                { title }
            </text>
        }
    };
    html! {
        <svg
            class="lanes lane-names" width={NAMES.to_string()} height={props.height.to_string()}
            aria-hidden="true"
        >
            { for props.titles.iter().enumerate().map(name) }
        </svg>
    }
}

/// What a press in a picture does.
#[derive(Clone, Copy)]
pub enum Presses<'a> {
    /// It selects an event, unless it ends a drag.
    Select(&'a LabHandle, &'a Rc<RefCell<Pointers>>),
    /// Nothing: the picture is of the run beside the one that one looks at.
    Nothing,
}

/// The picture, with marks where it differs from another.
pub fn picture(
    classes: &Classes,
    diagram: Diagram,
    differs: &[(i64, i64)],
    presses: Presses,
) -> Html {
    let (label, onclick) = match presses {
        Presses::Select(handle, pointers) => {
            (ui().timeline.picture, Some(select(handle, pointers)))
        }
        Presses::Nothing => (ui().timeline.picture_beside, None),
    };
    let bottom = diagram.height - 34;
    let (ahead, selected) = (ahead(&diagram, bottom), selected(&diagram));
    html! {
        <svg
            class="lanes" role="img" aria-label={label}
            width={diagram.width.to_string()} height={diagram.height.to_string()} {onclick}
        >
            { group(Pieces::Ticks(diagram.ticks), classes, bottom) }
            { group(Pieces::Lines(diagram.lines), classes, bottom) }
            { group(Pieces::Bars(diagram.bars), classes, bottom) }
            { group(Pieces::Arrows(diagram.arrows), classes, bottom) }
            { group(Pieces::Marks(diagram.marks), classes, bottom) }
            { ahead }
            { selected }
            { head(diagram.now, bottom) }
            { group(Pieces::Words(diagram.words), classes, bottom) }
            { different(differs) }
        </svg>
    }
}

/// The present moment. Another `transform` would make the browser compose the picture anew,
/// and another `d` compute styles, as each attribute does that a style sheet could set too.
fn head(now: i64, bottom: i64) -> Html {
    html! {
        <g key="head" class="head">
            <line x1={now.to_string()} x2={now.to_string()} y1="8" y2={bottom.to_string()} />
            <polygon class="cap" points={format!("{},2 {},2 {now},11", now - 6, now + 6)} />
        </g>
    }
}

/// What lies ahead is fainter: a veil over all shapes, under the words.
fn ahead(diagram: &Diagram, bottom: i64) -> Html {
    let Some(end) = diagram.ahead else { return html! { <g key="ahead"></g> } };
    let (from, to) = (diagram.now, end + 12);
    let points = format!("{from},8 {to},8 {to},{bottom} {from},{bottom}");
    html! { <polygon key="ahead" class="ahead" {points} /> }
}

/// A sign where something happened in one run and not, or not then, in the other.
fn different(places: &[(i64, i64)]) -> Html {
    let sign = |(x, y): &(i64, i64)| {
        html! {
            <text key={format!("{x}-{y}")} x={x.to_string()} y={y.to_string()} text-anchor="middle">
                { "≠" }
            </text>
        }
    };
    html! { <g key="different" class="different">{ for places.iter().map(sign) }</g> }
}

fn selected(diagram: &Diagram) -> Html {
    let Some((x, y)) = diagram.selected else { return html! { <g key="selected"></g> } };
    html! {
        <circle key="selected" class="selected" cx={x.to_string()} cy={y.to_string()} r="12" />
    }
}

/// A press on anything that tells of an event selects it; what lies ahead is gone to.
fn select(handle: &LabHandle, pointers: &Rc<RefCell<Pointers>>) -> Callback<MouseEvent> {
    let (handle, pointers) = (handle.clone(), pointers.clone());
    Callback::from(move |event: MouseEvent| {
        if pointers.borrow_mut().ends_drag() {
            return;
        }
        let element = event.target_dyn_into::<Element>();
        let found = element.and_then(|element| element.closest(&format!("[{EVENT}]")).ok()?);
        let id = found.and_then(|element| element.get_attribute(EVENT)?.parse::<u32>().ok());
        let Some(id) = id.map(EventId) else { return };
        let has_happened = id.index() < handle.lab().open().past().len();
        handle.send(if has_happened { Msg::Select(Some(id)) } else { Msg::JumpTo(id) });
    })
}

/// Whether there are two runs.
#[derive(Clone, PartialEq, Properties)]
pub struct LegendProps {
    /// Whether signs say where they differ.
    pub compares: bool,
}

/// What the looks of bars mean.
#[component]
pub fn Legend(props: &LegendProps) -> Html {
    let text = &ui().timeline;
    let entry = |look: &'static str, words: &'static str| {
        html! {
            <li key={look}>
                <svg class="lanes" width="34" height="16" aria-hidden="true">
                    <rect class={classes!("bar", look, "of-w1")} x="1" y="2" width="32" height="12" rx="3" />
                </svg>
                { words }
            </li>
        }
    };
    html! {
        <ul class="diagram-legend" aria-label={text.legend}>
            { entry("holds", text.holds) }
            { entry("outdated", text.outdated) }
            { entry("queued", text.queued) }
            { entry("still", text.still) }
            if props.compares {
                <li><b class="sign" aria-hidden="true">{ "≠" }</b>{ text.differs }</li>
            }
        </ul>
    }
}
