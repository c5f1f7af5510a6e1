//! What a diagram is made of, as SVG, in parts of a few neighbours each.

use super::picture::Classes;
use super::shapes;
use crate::lab::diagram::parts::{Part, parts};
use crate::lab::diagram::{Bar, Beside, Line, Look, Mark, Of, Path, Tick, When, Word, lane_y};
use crate::text::short::Still;
use crate::text::ui::ui;
use std::rc::Rc;
use yew::prelude::*;

/// What a diagram is made of, by kind.
#[derive(Clone, PartialEq)]
pub enum Pieces {
    /// The axis.
    Ticks(Rc<Vec<Tick>>),
    /// Lanes.
    Lines(Rc<Vec<Line>>),
    /// Who holds, believes, waits.
    Bars(Rc<Vec<Bar>>),
    /// Messages.
    Arrows(Rc<Vec<Path>>),
    /// What happens at one moment.
    Marks(Rc<Vec<Mark>>),
    /// Words.
    Words(Rc<Vec<Word>>),
}

/// Neighbours of one kind: drawn anew only when something in them has changed.
#[derive(Properties)]
struct NeighboursProps {
    pieces: Pieces,
    /// Which of them.
    part: Part,
    classes: Classes,
    /// How low the axis lies.
    bottom: i64,
}

impl PartialEq for NeighboursProps {
    fn eq(&self, other: &NeighboursProps) -> bool {
        let (own, its) = (self.part.pieces.clone(), other.part.pieces.clone());
        let are_same = match (&self.pieces, &other.pieces) {
            (Pieces::Ticks(one), Pieces::Ticks(other)) => one[own] == other[its],
            (Pieces::Lines(one), Pieces::Lines(other)) => one[own] == other[its],
            (Pieces::Bars(one), Pieces::Bars(other)) => one[own] == other[its],
            (Pieces::Arrows(one), Pieces::Arrows(other)) => one[own] == other[its],
            (Pieces::Marks(one), Pieces::Marks(other)) => one[own] == other[its],
            (Pieces::Words(one), Pieces::Words(other)) => one[own] == other[its],
            _ => false,
        };
        are_same && self.bottom == other.bottom && self.classes == other.classes
    }
}

#[component]
fn Neighbours(props: &NeighboursProps) -> Html {
    let NeighboursProps { pieces, part, classes, bottom } = props;
    let which = part.pieces.clone();
    match pieces {
        Pieces::Ticks(all) => all[which].iter().map(|it| tick(it, *bottom)).collect(),
        Pieces::Lines(all) => all[which].iter().map(line).collect(),
        Pieces::Bars(all) => all[which].iter().map(|it| bar(it, classes)).collect(),
        Pieces::Arrows(all) => {
            all[which].iter().map(|it| shapes::arrow(it, classes[it.lane])).collect()
        }
        Pieces::Marks(all) => {
            all[which].iter().map(|it| shapes::mark(it, classes[it.lane])).collect()
        }
        Pieces::Words(all) => all[which].iter().map(|it| word(it, classes)).collect(),
    }
}

impl Pieces {
    /// The class of their group.
    fn class(&self) -> &'static str {
        match self {
            Pieces::Ticks(_) => "grid",
            Pieces::Lines(_) => "lane-lines",
            Pieces::Bars(_) => "bars",
            Pieces::Arrows(_) => "arrows",
            Pieces::Marks(_) => "marks",
            Pieces::Words(_) => "words",
        }
    }

    fn parts(&self) -> Vec<Part> {
        match self {
            // There are few.
            Pieces::Ticks(all) => vec![Part { name: 0, pieces: 0..all.len() }],
            Pieces::Lines(all) => vec![Part { name: 0, pieces: 0..all.len() }],
            Pieces::Bars(all) => parts(all),
            Pieces::Arrows(all) => parts(all),
            Pieces::Marks(all) => parts(all),
            Pieces::Words(all) => parts(all),
        }
    }
}

/// All pieces of a kind.
pub fn group(pieces: Pieces, classes: &Classes, bottom: i64) -> Html {
    let neighbours = |part: Part| {
        let (key, pieces, classes) = (part.name, pieces.clone(), classes.clone());
        html! { <Neighbours {key} {pieces} {part} {classes} {bottom} /> }
    };
    html! { <g class={pieces.class()}>{ for pieces.parts().into_iter().map(neighbours) }</g> }
}

fn tick(tick: &Tick, bottom: i64) -> Html {
    // The first one would be cut off by the edge.
    let anchor = if tick.x < 24 { "start" } else { "middle" };
    let x = if tick.x < 24 { tick.x - 8 } else { tick.x };
    html! {
        <g key={tick.x}>
            <path d={format!("M{} 10V{bottom}", tick.x)} />
            <text x={x.to_string()} y={(bottom + 18).to_string()} text-anchor={anchor}>
                { tick.label.clone() }
            </text>
        </g>
    }
}

fn line(line: &Line) -> Html {
    let Line { lane, from, to } = *line;
    html! { <path key={format!("{lane}-{from}")} d={format!("M{from} {}H{to}", lane_y(lane))} /> }
}

fn bar(bar: &Bar, classes: &Classes) -> Html {
    let (top, height) = bar.rise();
    let event = bar.event.0.to_string();
    let key = format!("{:?}-{event}", bar.look);
    let title = shapes::title(bar.count, ui().timeline.bars);
    let look = match bar.look {
        Look::Queued => "queued",
        Look::Holds => "holds",
        Look::Outdated => "outdated",
        Look::Unaware => "unaware",
        Look::MayEnd => "may-end",
        Look::Still(Still::Paused | Still::Suspended) => "still",
        // A gap in the lane: there is nothing.
        Look::Still(Still::Crashed | Still::Exited) => "gone",
        Look::Cut(_) => {
            let (x, wide) = (bar.x, bar.width);
            let d = format!("M{x} {top}h{wide}m0-5v10m-{wide} 0v-10");
            return html! {
                <path key={key} class="cut" {d} data-event={event}>{ title }</path>
            };
        }
    };
    html! {
        <polygon
            key={key} class={classes!("bar", look, classes[bar.lane])} data-event={event}
            points={shapes::rounded((bar.x, top), (bar.width, height))}
        >
            { title }
        </polygon>
    }
}

fn word(word: &Word, classes: &Classes) -> Html {
    let of = match word.of {
        Of::Lane(lane) => classes!("of-lane", classes[lane]),
        Of::Shade => classes!("on-shade"),
        Of::Bad => classes!("bad"),
        Of::Plain => classes!(),
    };
    let ground = match word.beside {
        Beside::Bar(Look::Holds) => Some("on-held"),
        Beside::Bar(Look::Outdated) => Some("on-outdated"),
        _ => None,
    };
    let ahead = (word.when == When::Ahead).then_some("is-ahead");
    let leader = word.leader().map(|[(x, from), (_, y), (to, _)]| format!("M{x} {from}V{y}H{to}"));
    let plate = word.plate().map(|(x, y, width, height)| {
        html! {
            <rect
                class="plate" x={x.to_string()} y={y.to_string()}
                width={width.to_string()} height={height.to_string()}
                data-event={word.event.0.to_string()}
            />
        }
    });
    html! {
        <g key={format!("{}-{}", word.event.0, word.text)}>
            { plate }
            if let Some(d) = leader { <path class="leader" {d} /> }
            <text
                class={classes!("word", of, ground, ahead)} x={word.x.to_string()} y={word.y.to_string()}
                data-event={word.event.0.to_string()}
            >
                { word.text.clone() }
            </text>
        </g>
    }
}
