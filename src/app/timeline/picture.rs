//! The diagram as SVG. Every place has been computed; one pixel here is one on the
//! page, so that words keep their size.

use super::shapes;
use crate::app::handle::LabHandle;
use crate::app::identity::Identity;
use crate::lab::Msg;
use crate::lab::diagram::lanes::{Lanes, Owner};
use crate::lab::diagram::{Bar, Diagram, Line, Look, Of, Tick, When, Word, lane_y};
use crate::sim::event::EventId;
use crate::text::short::Still;
use crate::text::ui::ui;
use web_sys::Element;
use yew::prelude::*;

/// How wide the names of the lanes are.
const NAMES: i64 = 104;

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

fn class_of(lanes: &Lanes, lane: usize) -> &'static str {
    identity(lanes.who(lane)).class()
}

/// The names of the lanes: they stay when the diagram is scrolled.
pub fn names(lanes: &Lanes, diagram: &Diagram) -> Html {
    let name = |lane: usize| {
        html! {
            <text
                key={lane} class={classes!("lane-name", class_of(lanes, lane))}
                x="10" y={(lane_y(lane) + 4).to_string()}
            >
                { lanes.title(lane) }
            </text>
        }
    };
    html! {
        <svg
            class="lanes lane-names" width={NAMES.to_string()} height={diagram.height.to_string()}
            aria-hidden="true"
        >
            { for (0..lanes.count()).map(name) }
        </svg>
    }
}

/// The picture.
pub fn picture(lanes: &Lanes, diagram: &Diagram, handle: &LabHandle) -> Html {
    let bottom = diagram.height - 34;
    html! {
        <svg
            class="lanes" role="img" aria-label={ui().timeline.picture}
            width={diagram.width.to_string()} height={diagram.height.to_string()}
            onclick={select(handle)}
        >
            <g key="grid" class="grid">{ for diagram.ticks.iter().map(|tick| grid(tick, bottom)) }</g>
            <g key="axis" class="axis">{ for diagram.ticks.iter().map(|tick| label(tick, bottom)) }</g>
            <g key="lanes" class="lane-lines">{ for diagram.lines.iter().map(line) }</g>
            <g key="bars">{ for diagram.bars.iter().map(|b| bar(b, class_of(lanes, b.lane))) }</g>
            <g key="arrows" class="arrows">
                { for diagram.arrows.iter().map(|path| shapes::arrow(path, class_of(lanes, path.lane))) }
            </g>
            <g key="marks">
                { for diagram.marks.iter().map(|mark| shapes::mark(mark, class_of(lanes, mark.lane))) }
            </g>
            { ahead(diagram, bottom) }
            { selected(diagram) }
            <g key="head" class="head" transform={format!("translate({} 0)", diagram.now)}>
                <path d={format!("M0 8V{bottom}")} />
                <path class="cap" d="M-6 2h12l-6 9z" />
            </g>
            <g key="words">{ for diagram.words.iter().map(|w| word(w, lanes)) }</g>
        </svg>
    }
}

fn grid(tick: &Tick, bottom: i64) -> Html {
    html! { <path key={tick.x} d={format!("M{} 10V{bottom}", tick.x)} /> }
}

fn label(tick: &Tick, bottom: i64) -> Html {
    // The first one would be cut off by the edge.
    let anchor = if tick.x < 24 { "start" } else { "middle" };
    let x = if tick.x < 24 { tick.x - 8 } else { tick.x };
    html! {
        <text key={tick.x} x={x.to_string()} y={(bottom + 18).to_string()} text-anchor={anchor}>
            { tick.label.clone() }
        </text>
    }
}

fn line(line: &Line) -> Html {
    let Line { lane, from, to } = *line;
    html! { <path key={format!("{lane}-{from}")} d={format!("M{from} {}H{to}", lane_y(lane))} /> }
}

fn bar(bar: &Bar, class: &'static str) -> Html {
    let (top, height) = bar.rise();
    let event = bar.event.0.to_string();
    let key = format!("{:?}-{event}", bar.look);
    let look = match bar.look {
        Look::Queued => "queued",
        Look::Holds => "holds",
        Look::Outdated => "outdated",
        Look::Unaware => "unaware",
        Look::Still(Still::Paused | Still::Suspended) => "still",
        // A gap in the lane: there is nothing.
        Look::Still(Still::Crashed | Still::Exited) => "gone",
        Look::Cut(_) => {
            let d = format!("M{} {top}h{}m0-5v10m-{} 0v-10", bar.x, bar.width, bar.width);
            return html! { <path key={key} class="cut" {d} data-event={event} /> };
        }
    };
    html! {
        <rect
            key={key} class={classes!("bar", look, class)} data-event={event} rx="4"
            x={bar.x.to_string()} y={top.to_string()}
            width={bar.width.to_string()} height={height.to_string()}
        />
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

fn word(word: &Word, lanes: &Lanes) -> Html {
    let of = match word.of {
        Of::Lane(lane) => classes!("of-lane", class_of(lanes, lane)),
        Of::Shade => classes!("on-shade"),
        Of::Bad => classes!("bad"),
        Of::Plain => classes!(),
    };
    let ahead = (word.when == When::Ahead).then_some("is-ahead");
    html! {
        <text
            key={format!("{}-{}", word.event.0, word.text)} class={classes!("word", of, ahead)}
            x={word.x.to_string()} y={word.y.to_string()} data-event={word.event.0.to_string()}
        >
            { word.text.clone() }
        </text>
    }
}

fn selected(diagram: &Diagram) -> Html {
    let Some((x, y)) = diagram.selected else { return html! { <g key="selected"></g> } };
    html! {
        <circle key="selected" class="selected" cx={x.to_string()} cy={y.to_string()} r="12" />
    }
}

/// A press on anything that tells of an event selects it; what lies ahead is gone to.
fn select(handle: &LabHandle) -> Callback<MouseEvent> {
    let handle = handle.clone();
    Callback::from(move |event: MouseEvent| {
        let element = event.target_dyn_into::<Element>();
        let found = element.and_then(|element| element.closest(&format!("[{EVENT}]")).ok()?);
        let id = found.and_then(|element| element.get_attribute(EVENT)?.parse::<u32>().ok());
        let Some(id) = id.map(EventId) else { return };
        let has_happened = id.index() < handle.lab().open().past().len();
        handle.send(if has_happened { Msg::Select(Some(id)) } else { Msg::JumpTo(id) });
    })
}

/// What the looks of bars mean.
pub fn legend() -> Html {
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
        </ul>
    }
}
