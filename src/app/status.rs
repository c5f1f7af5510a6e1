//! The one status line: the last turns of events in words, for those who see the
//! page and for screen readers, which are told of turns and never of ticks.

use crate::actors::Actor;
use crate::app::handle::LabHandle;
use crate::lab::Open;
use crate::properties::turns;
use crate::sim::event::{Event, What};
use crate::text::ui::ui;
use crate::text::{amounts, en};
use yew::prelude::*;

/// The lab, to be looked at.
#[derive(Clone, PartialEq, Properties)]
pub struct StatusProps {
    /// The lab.
    pub lab: LabHandle,
}

/// How many turns are told at once, when many have come since the last time.
const TOLD_AT_ONCE: usize = 3;

/// What has been told.
#[derive(Default)]
struct Told {
    run: u32,
    events: usize,
    text: String,
}

/// The line.
#[component]
pub fn Status(props: &StatusProps) -> Html {
    let told = use_mut_ref(Told::default);
    let lab = props.lab.lab();
    let mut told = told.borrow_mut();
    told.hear(lab.open());
    html! { <p class="status" id="status" role="status">{ told.text.clone() }</p> }
}

impl Told {
    /// Takes in where the run stands now. The text stays while nothing has turned.
    fn hear(&mut self, open: &Open) {
        let text = &ui().frame;
        let past = open.past();
        let went_on = self.run == open.number() && past.len() >= self.events;
        let new = if went_on { &past[self.events..] } else { past };
        let turns: Vec<(&Event<_>, usize)> = turns_of(new);
        let is_new = self.run == 0 || past.is_empty();
        if is_new {
            self.text = text.nothing_yet.to_owned();
        } else if !went_on {
            let at = (text.arrived)(open.number(), &amounts::moment(open.now()));
            self.text = match turns.last() {
                Some((turn, more)) => format!("{at} {}", sentence(open, turn, *more)),
                None => at,
            };
        }
        if went_on && !turns.is_empty() {
            let last = turns.len().saturating_sub(TOLD_AT_ONCE);
            let told = turns[last..].iter();
            let all: Vec<String> = told.map(|(turn, more)| sentence(open, turn, *more)).collect();
            self.text = all.join(" ");
        }
        (self.run, self.events) = (open.number(), past.len());
    }
}

/// The turns of events; one click is told once, with how much more it did.
fn turns_of(events: &[Event<Actor>]) -> Vec<(&Event<Actor>, usize)> {
    let mut all: Vec<(&Event<Actor>, usize)> = Vec::new();
    for event in events.iter().filter(|event| turns::is_turn(&event.what)) {
        let same = |(before, _): &&mut (&Event<Actor>, usize)| {
            click_of(event).is_some() && click_of(before) == click_of(event)
        };
        match all.iter_mut().rev().find(same) {
            Some((_, more)) => *more += 1,
            None => all.push((event, 0)),
        }
    }
    all
}

fn click_of(event: &Event<Actor>) -> Option<u32> {
    match event.what {
        What::Clicked { click, .. } | What::ClickMissed { click, .. } => Some(click),
        _ => None,
    }
}

fn sentence(open: &Open, event: &Event<Actor>, more: usize) -> String {
    let what = en::event(event, open.who());
    let at = amounts::moment(event.at);
    match event.what {
        What::Clicked { .. } | What::ClickMissed { .. } => (ui().frame.click)(&at, &what, more),
        _ => (ui().frame.turn)(&at, open.scenario().names().of(event.node), &what),
    }
}
