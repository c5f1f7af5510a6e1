//! The links and the messages in flight as lists: the picture in words, each with
//! what can be done to it.

use super::cards::{Tone, tag};
use super::more::{Face, Group, Opened, disclosure, fieldset};
use super::{Scene, Tools};
use crate::lab::wires::{End, InFlight, Stands, Way, Wire, in_flight, wires};
use crate::lab::{Lab, Open, Playing, faults};
use crate::text::amounts;
use crate::text::kinds::kind;
use crate::text::ui::ui;
use yew::prelude::*;

/// Both lists.
pub fn lists(scene: &Scene) -> Html {
    html! { <div class="lists">{ links(scene) }{ messages(scene) }</div> }
}

/// A link or a message, how it stands, and what can be done to it.
#[derive(Clone, PartialEq, Properties)]
struct RowProps {
    id: AttrValue,
    thing: AttrValue,
    /// How it stands, if that is to be said.
    stands: Option<AttrValue>,
    /// Whether that is as it should be.
    tone: Tone,
    opened: Opened,
    tools: Tools,
}

/// A row of a list, drawn anew only when it says something else.
#[component]
fn Row(props: &RowProps) -> Html {
    let RowProps { id, thing, stands, tone, opened, tools } = props;
    let content = opened.as_ref().map(|groups| {
        html! { { for groups.iter().map(|group| fieldset(id, thing, group, tools)) } }
    });
    let button = html! {
        <>
            { thing }
            if let Some(stands) = stands { { " " }{ tag(*tone, stands.clone()) } }
        </>
    };
    disclosure(id, thing, Face::of(button), content, tools)
}

fn links(scene: &Scene) -> Html {
    let text = &ui().stage;
    html! {
        <section class="list" tabindex="-1" aria-labelledby="links-name">
            <h3 id="links-name">{ text.links }</h3>
            { for wires(scene.open).iter().map(|wire| link(scene, wire)) }
        </section>
    }
}

/// What people call an end of a link.
fn end_name(scene: &Scene, end: &End) -> String {
    match end {
        End::One(node) => scene.name(*node).to_string(),
        End::Service => match scene.open.scenario().names().all_nodes() {
            name if scene.open.scenario().names().find(name).is_some() => name.to_owned(),
            _ => ui().stage.service.to_ascii_lowercase(),
        },
    }
}

/// Names a link's disclosure on the page.
pub fn wire_id(scene: &Scene, wire: &Wire) -> String {
    format!("link-{}-{}", wire.from.name(scene.open), wire.to.name(scene.open))
}

fn link(scene: &Scene, wire: &Wire) -> Html {
    let text = &ui().stage;
    let (from, to) = (end_name(scene, &wire.from), end_name(scene, &wire.to));
    let state = match (wire.there, wire.back) {
        (Way::Up, Way::Up) => None,
        (Way::Cut, Way::Cut) => Some(text.link_cut.to_owned()),
        (Way::Cut, Way::Up) => Some((text.link_cut_one)(&from, &to)),
        (Way::Up, Way::Cut) => Some((text.link_cut_one)(&to, &from)),
        _ => Some(text.link_partly.to_owned()),
    };
    let thing = (text.link)(&from, &to);
    let id = wire_id(scene, wire);
    let opened = scene.opened(&id, || {
        let title = format!("{} {thing}", ui().faults.link);
        vec![Group::new(title, faults::wire(scene.open, wire))]
    });
    let stands = state.map(AttrValue::from);
    html! {
        <Row
            key={id.clone()} id={id.clone()} {thing} {stands} tone={Tone::Bad} {opened}
            tools={scene.tools.clone()}
        />
    }
}

fn messages(scene: &Scene) -> Html {
    let text = &ui().stage;
    let flights = in_flight(scene.open);
    // While it plays they come and go faster than anyone could press them.
    let plays = scene.lab.lab().playing() != Playing::No;
    html! {
        <section class="list" tabindex="-1" aria-labelledby="flights-name">
            <h3 id="flights-name">{ text.in_flight }</h3>
            if plays {
                <p>{ (text.in_flight_count)(flights.len()) }</p>
            } else if flights.is_empty() {
                <p>{ text.none_in_flight }{ " " }{ text.none_in_flight_why }</p>
            } else {
                { for flights.iter().map(|flight| message(scene, flight)) }
            }
        </section>
    }
}

/// What a message is: its kind, and the token it carries.
pub fn what(flight: &InFlight) -> String {
    match flight.token {
        Some(token) => crate::text::service::numbered(&kind(flight.name.kind), token),
        None => kind(flight.name.kind).into_owned(),
    }
}

/// Names a message's disclosure on the page.
pub fn flight_id(open: &Open, flight: &InFlight) -> String {
    let name = &flight.name;
    let names = open.scenario().names();
    let (from, to) = (names.of(name.from), names.of(name.to));
    format!("{MESSAGE}{}-{}-{from}-{to}-{}", name.kind, name.nth, flight.copy)
}

const MESSAGE: &str = "message-";

/// Whether what has been opened by this id is there. A message's is not once it has arrived,
/// nor while it plays.
pub fn is_there(lab: &Lab, id: &str) -> bool {
    let is_one = |flight: &InFlight| flight_id(lab.open(), flight) == id;
    let is_shown = || lab.playing() == Playing::No && in_flight(lab.open()).iter().any(is_one);
    !id.starts_with(MESSAGE) || is_shown()
}

fn message(scene: &Scene, flight: &InFlight) -> Html {
    let text = &ui().stage;
    let id = flight_id(scene.open, flight);
    let (from, to) = (scene.name(flight.name.from), scene.name(flight.name.to));
    let mut thing = (text.message)(&what(flight), &from, &to);
    if flight.copy > 0 {
        thing = format!("{thing}, {}", (text.copy)(flight.copy + 1));
    }
    let stands = match flight.stands {
        Stands::Arrives(after) => (text.arrives)(&amounts::span(after)),
        Stands::ComesBack(after) => (text.comes_back)(&amounts::span(after)),
        Stands::Held => text.held.to_owned(),
        Stands::Waits => text.waits_there.to_owned(),
    };
    let opened = scene.opened(&id, || {
        let title = format!("{} {thing}", ui().faults.message);
        vec![Group::new(title, faults::message(scene.open, &flight.name))]
    });
    html! {
        <Row
            key={id.clone()} id={id.clone()} {thing} stands={Some(AttrValue::from(stands))}
            tone={Tone::Plain} {opened} tools={scene.tools.clone()}
        />
    }
}
