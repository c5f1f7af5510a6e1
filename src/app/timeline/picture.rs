//! The diagram as SVG. Every place has been computed; one pixel here is one on the
//! page, so that words keep their size.

use super::shapes;
use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::lab::Msg;
use crate::lab::diagram::lanes::{Lanes, Owner};
use crate::lab::diagram::pointers::Pointers;
use crate::lab::diagram::{Bar, Diagram, Line, Look, Mark, Of, Path, Tick, When, Word, lane_y};
use crate::sim::event::EventId;
use crate::text::short::Still;
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
        Owner::Orchestrator => Identity::Other,
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

/// What a diagram is made of, by kind: a group of one kind is drawn anew only when
/// something in it has changed.
trait Piece: PartialEq + 'static {
    /// The group's class.
    const CLASS: &'static str;
    /// One of them, in a diagram whose axis lies so low.
    fn draw(&self, classes: &Classes, bottom: i64) -> Html;
}

#[derive(PartialEq, Properties)]
struct GroupProps<T: Piece> {
    pieces: Rc<Vec<T>>,
    classes: Classes,
    bottom: i64,
}

#[component]
fn Group<T: Piece>(props: &GroupProps<T>) -> Html {
    let GroupProps { pieces, classes, bottom } = props;
    html! { <g class={T::CLASS}>{ for pieces.iter().map(|it| it.draw(classes, *bottom)) }</g> }
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
            <Group<Tick> pieces={diagram.ticks} {classes} {bottom} />
            <Group<Line> pieces={diagram.lines} {classes} {bottom} />
            <Group<Bar> pieces={diagram.bars} {classes} {bottom} />
            <Group<Path> pieces={diagram.arrows} {classes} {bottom} />
            <Group<Mark> pieces={diagram.marks} {classes} {bottom} />
            { ahead }
            { selected }
            <g key="head" class="head" transform={format!("translate({} 0)", diagram.now)}>
                <path d={format!("M0 8V{bottom}")} />
                <path class="cap" d="M-6 2h12l-6 9z" />
            </g>
            <Group<Word> pieces={diagram.words} {classes} {bottom} />
            { different(differs) }
        </svg>
    }
}

impl Piece for Tick {
    const CLASS: &'static str = "grid";

    fn draw(&self, _classes: &Classes, bottom: i64) -> Html {
        // The first one would be cut off by the edge.
        let anchor = if self.x < 24 { "start" } else { "middle" };
        let x = if self.x < 24 { self.x - 8 } else { self.x };
        html! {
            <g key={self.x}>
                <path d={format!("M{} 10V{bottom}", self.x)} />
                <text x={x.to_string()} y={(bottom + 18).to_string()} text-anchor={anchor}>
                    { self.label.clone() }
                </text>
            </g>
        }
    }
}

impl Piece for Line {
    const CLASS: &'static str = "lane-lines";

    fn draw(&self, _classes: &Classes, _bottom: i64) -> Html {
        let Line { lane, from, to } = *self;
        html! { <path key={format!("{lane}-{from}")} d={format!("M{from} {}H{to}", lane_y(lane))} /> }
    }
}

impl Piece for Path {
    const CLASS: &'static str = "arrows";

    fn draw(&self, classes: &Classes, _bottom: i64) -> Html {
        shapes::arrow(self, classes[self.lane])
    }
}

impl Piece for Mark {
    const CLASS: &'static str = "marks";

    fn draw(&self, classes: &Classes, _bottom: i64) -> Html {
        shapes::mark(self, classes[self.lane])
    }
}

impl Piece for Bar {
    const CLASS: &'static str = "bars";

    fn draw(&self, classes: &Classes, _bottom: i64) -> Html {
        let (top, height) = self.rise();
        let event = self.event.0.to_string();
        let key = format!("{:?}-{event}", self.look);
        let title = shapes::title(self.count, ui().timeline.bars);
        let look = match self.look {
            Look::Queued => "queued",
            Look::Holds => "holds",
            Look::Outdated => "outdated",
            Look::Unaware => "unaware",
            Look::Still(Still::Paused | Still::Suspended) => "still",
            // A gap in the lane: there is nothing.
            Look::Still(Still::Crashed | Still::Exited) => "gone",
            Look::Cut(_) => {
                let (x, wide) = (self.x, self.width);
                let d = format!("M{x} {top}h{wide}m0-5v10m-{wide} 0v-10");
                return html! {
                    <path key={key} class="cut" {d} data-event={event}>{ title }</path>
                };
            }
        };
        html! {
            <rect
                key={key} class={classes!("bar", look, classes[self.lane])} data-event={event}
                rx="4" x={self.x.to_string()} y={top.to_string()}
                width={self.width.to_string()} height={height.to_string()}
            >
                { title }
            </rect>
        }
    }
}

impl Piece for Word {
    const CLASS: &'static str = "words";

    fn draw(&self, classes: &Classes, _bottom: i64) -> Html {
        let of = match self.of {
            Of::Lane(lane) => classes!("of-lane", classes[lane]),
            Of::Shade => classes!("on-shade"),
            Of::Bad => classes!("bad"),
            Of::Plain => classes!(),
        };
        let ahead = (self.when == When::Ahead).then_some("is-ahead");
        html! {
            <text
                key={format!("{}-{}", self.event.0, self.text)} class={classes!("word", of, ahead)}
                x={self.x.to_string()} y={self.y.to_string()} data-event={self.event.0.to_string()}
            >
                { self.text.clone() }
            </text>
        }
    }
}

/// What lies ahead is fainter: a veil over all shapes, under the words.
fn ahead(diagram: &Diagram, bottom: i64) -> Html {
    let Some(end) = diagram.ahead else { return html! { <g key="ahead"></g> } };
    let (x, width) = (diagram.now, end - diagram.now + 12);
    html! {
        <rect
            key="ahead" class="ahead" x={x.to_string()} y="8"
            width={width.to_string()} height={(bottom - 8).to_string()}
        />
    }
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
