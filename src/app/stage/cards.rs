//! What the machines' cards have in common.

use crate::lab::facts::{ClockFacts, Machine};
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

/// One fact: what, and in bold how it stands.
pub fn fact(label: &'static str, value: impl Into<AttrValue>) -> Html {
    html! { <span key={label}>{ label }{ " " }<b>{ value.into() }</b></span> }
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
