//! What the machines' cards have in common.

use super::Tools;
use crate::app::events;
use crate::host::focus;
use crate::lab::Msg;
use crate::lab::facts::{ClockFacts, Machine};
use crate::lab::filter::{Filter, Place};
use crate::sim::clock::RIGHT_RATE_PPM;
use crate::sim::time::Span;
use crate::text::amounts;
use crate::text::ui::ui;
use yew::prelude::*;

/// How much a tag has to say.
#[derive(Clone, Copy, PartialEq)]
pub enum Tone {
    /// As it is.
    Plain,
    /// As it should be.
    Good,
    /// As it should not be.
    Bad,
}

/// A short word on a card. Its tone is said by its words, its edge and its colour.
pub fn tag(tone: Tone, text: impl Into<AttrValue>) -> Html {
    let class = match tone {
        Tone::Plain => "tag",
        Tone::Good => "tag ok",
        Tone::Bad => "tag bad",
    };
    html! { <span {class}>{ text.into() }</span> }
}

/// What stands out of a card.
#[derive(Clone, Copy)]
pub struct Looks {
    /// The event selected happened here.
    pub is_selected: bool,
    /// What can be done to it is shown, over the cards beside it.
    pub is_open: bool,
}

/// The class of a card: its colours, and what stands out.
pub fn class(colours: &'static str, looks: Looks) -> Classes {
    let selected = looks.is_selected.then_some("is-selected");
    classes!("node", colours, selected, looks.is_open.then_some("is-open"))
}

/// Says what the outline shows.
pub fn selected_here(is_selected: bool) -> Html {
    let words = if is_selected { ui().stage.selected_here } else { "" };
    html! { <span class="unseen">{ words }</span> }
}

/// Narrows the list of events to those of a machine, and goes there.
pub fn its_events(place: Place, thing: &str, tools: &Tools) -> Html {
    let send = tools.send.clone();
    let onclick = Callback::from(move |_: MouseEvent| {
        send.emit(Msg::ShowEvents(Filter { place, ..Filter::default() }));
        focus::on(events::PLACES);
    });
    let label = (ui().stage.events_of)(thing);
    html! {
        <button
            type="button" class="icon quiet its-events" aria-label={label.clone()} title={label}
            {onclick}
        >
            <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
                <path d="M1 4h2M6 4h9M1 8h2M6 8h9M1 12h2M6 12h9" />
            </svg>
        </button>
    }
}

/// One fact: what, and in bold how it stands.
pub fn fact(label: &'static str, value: impl Into<AttrValue>) -> Html {
    html! { <span key={label}>{ label }{ " " }<b>{ value.into() }</b></span> }
}

/// A fact under a name that is made for it.
pub fn fact_named(label: String, value: String) -> Html {
    html! { <span key={label.clone()}>{ label }{ " " }<b>{ value }</b></span> }
}

/// The tag of a machine that does not run.
pub fn machine_tag(machine: Machine) -> Html {
    let text = &ui().stage;
    match machine {
        Machine::Runs => html! {},
        Machine::Paused => tag(Tone::Plain, text.paused),
        Machine::Suspended => tag(Tone::Plain, text.suspended),
        Machine::Down => tag(Tone::Plain, text.down),
    }
}

/// A clock beside the right one: "+0.0 s", "−5.0 s ×1/5".
pub fn clock(clock: ClockFacts) -> String {
    let ahead = signed(clock.ahead);
    match clock.rate_ppm {
        0 => format!("{ahead}, {}", ui().stage.stands_still),
        RIGHT_RATE_PPM => ahead,
        rate_ppm => format!("{ahead} {}", amounts::rate(rate_ppm)),
    }
}

fn signed(span: Span) -> String {
    let sign = if span < Span::ZERO { '−' } else { '+' };
    format!("{sign}{}", tenths(Span(span.us().abs())))
}

/// A length of time to the tenth of a second, so that its width does not jump.
pub fn tenths(span: Span) -> String {
    let tenths = span.us() / 100_000;
    format!("{}.{} s", tenths / 10, tenths % 10)
}
