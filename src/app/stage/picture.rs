//! The links and what is in flight on them, as a picture between the cards. It says
//! nothing that the lists do not say; a press on a line or a message opens its list
//! of faults there. Cards of one column are equally high, so that the middles of the
//! cards lie at fixed parts of the height.

use super::more::At;
use super::{Scene, lists};
use crate::app::identity::Identity;
use crate::lab::Routine;
use crate::lab::wires::{End, InFlight, Stands, Way, Wire, in_flight, wires};
use crate::scenario::names::Role;
use crate::sim::process::NodeId;
use crate::text::ui::ui;
use yew::prelude::*;

/// Where a link is drawn: from the middle of a card on the left to one on the right,
/// in thousandths of the height.
#[derive(Clone, Copy)]
struct Line {
    left: i64,
    right: i64,
    who: Identity,
}

/// How wide the picture is, in pixels, as the style sheet has it.
const WIDTH: i64 = 210;

/// The picture.
pub fn picture(scene: &Scene) -> Html {
    let flights = in_flight(scene.open);
    let routine = scene.lab.lab().routine();
    let is_drawn = |flight: &&InFlight| routine == Routine::Shown || !flight.is_routine;
    let drawn: Vec<&InFlight> = flights.iter().filter(is_drawn).collect();
    html! {
        <svg class="picture" role="img" aria-label={ui().stage.picture}>
            <defs>
                <marker
                    id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"
                    markerHeight="7" orient="auto-start-reverse"
                >
                    <path d="M0 0l8 4-8 4Z" />
                </marker>
            </defs>
            { for wires(scene.open).iter().filter_map(|wire| link(scene, wire)) }
            { for drawn.iter().enumerate().filter_map(|(place, flight)| {
                let before = drawn[..place].iter().filter(|other| shares_line(scene, other, flight));
                pill(scene, flight, before.count() as i64)
            }) }
        </svg>
    }
}

/// A card's middle: left or right, and how far down.
fn middle(scene: &Scene, id: NodeId) -> Option<(bool, i64)> {
    let names = scene.open.scenario().names();
    let workers = names.with(Role::Worker).count();
    let right = 2 + names.others().count();
    let part = |place: usize, count: usize| (2 * place as i64 + 1) * 500 / count as i64;
    Some(match Identity::of(names, id) {
        Identity::Worker(place) => (true, part(place, workers)),
        Identity::Service => (false, part(0, right)),
        Identity::Store => (false, part(1, right)),
        Identity::Other => {
            (false, part(2 + names.others().take_while(|other| *other != id).count(), right))
        }
    })
}

/// The line between two machines; none between two members, which share a card.
fn line(scene: &Scene, from: NodeId, to: NodeId) -> Option<Line> {
    let names = scene.open.scenario().names();
    match (middle(scene, from)?, middle(scene, to)?) {
        ((true, left), (false, right)) => {
            Some(Line { left, right, who: Identity::of(names, from) })
        }
        ((false, right), (true, left)) => Some(Line { left, right, who: Identity::of(names, to) }),
        _ => None,
    }
}

fn shares_line(scene: &Scene, one: &InFlight, other: &InFlight) -> bool {
    let ends = |flight: &InFlight| {
        line(scene, flight.name.from, flight.name.to).map(|line| (line.left, line.right))
    };
    ends(one) == ends(other)
}

/// A point on a line: `part` thousandths from left to right, as percentages.
fn point(line: Line, part: i64) -> (String, String) {
    let down = line.left + (line.right - line.left) * part / 1_000;
    (percent(part), percent(down))
}

fn percent(thousandths: i64) -> String {
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

fn link(scene: &Scene, wire: &Wire) -> Option<Html> {
    let End::One(from) = wire.from else { return None };
    let to = match wire.to {
        End::One(to) => to,
        End::Service => scene.open.scenario().names().with(Role::Member).next()?,
    };
    let line = line(scene, from, to)?;
    let id = lists::wire_id(scene, wire);
    let onclick = {
        let id = AttrValue::from(id.clone());
        scene.tools.toggle.reform(move |event: MouseEvent| (id.clone(), At::picture(&event)))
    };
    let (_, y1) = point(line, 0);
    let (_, y2) = point(line, 1_000);
    let way = |way: Way, (from, to): (&str, &str), (y1, y2): (&str, &str), shift: &str, at: i64| {
        let class = match way {
            Way::Up => "way",
            Way::Partly => "way partly",
            Way::Cut => "way cut",
        };
        let (x, y) = point(line, at);
        html! {
            <g transform={format!("translate(0 {shift})")}>
                <line
                    {class} x1={from.to_owned()} y1={y1.to_owned()} x2={to.to_owned()}
                    y2={y2.to_owned()} marker-end="url(#arrow)"
                />
                if way != Way::Up {
                    <text class="word" {x} {y} text-anchor="middle" dy="-3">
                        { if way == Way::Cut { ui().stage.cut } else { ui().stage.link_partly } }
                    </text>
                }
            </g>
        }
    };
    Some(html! {
        <g key={id} class={classes!("wire", line.who.class())} {onclick}>
            <line class="reach" x1="0%" y1={y1.clone()} x2="100%" y2={y2.clone()} />
            { way(wire.there, ("0%", "99%"), (&y1, &y2), "-4", 250) }
            { way(wire.back, ("100%", "1%"), (&y2, &y1), "4", 750) }
        </g>
    })
}

fn pill(scene: &Scene, flight: &InFlight, above: i64) -> Option<Html> {
    let line = line(scene, flight.name.from, flight.name.to)?;
    let (to_the_right, _) = middle(scene, flight.name.from)?;
    let part = if to_the_right { flight.gone } else { 1_000 - flight.gone };
    let word = match flight.stands {
        Stands::Arrives(_) => None,
        Stands::ComesBack(_) => Some("↩"),
        Stands::Held => Some(ui().stage.held),
        Stands::Waits => Some(ui().stage.waits_there),
    };
    let arrow = if to_the_right { "→" } else { "←" };
    let what = lists::what(flight);
    let said = [word.unwrap_or_default(), &what, arrow].join(" ");
    let said = said.trim().to_owned();
    let width = 16 + said.chars().count() as i64 * 15 / 2;
    // Never so far out that the words would lie over a card.
    let margin = (width * 500 / WIDTH + 20).min(500);
    let (x, y) = point(line, part.clamp(margin, 1_000 - margin));
    let id = lists::flight_id(scene.open, flight);
    let class = classes!("pill", line.who.class(), word.map(|_| "stuck"));
    let onclick = {
        let id = AttrValue::from(id.clone());
        scene.tools.toggle.reform(move |event: MouseEvent| (id.clone(), At::picture(&event)))
    };
    Some(html! {
        <svg key={id} {x} {y} overflow="visible">
            <g {class} {onclick} transform={format!("translate(0 {})", above * 26)}>
                <rect
                    x={format!("-{}", width / 2)} y="-11" width={width.to_string()} height="22" rx="11"
                />
                <text text-anchor="middle" dy="4">{ said }</text>
            </g>
        </svg>
    })
}
