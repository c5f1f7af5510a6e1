//! The last turns of events in words: a line for those who see the page, and the one
//! status line for screen readers. Those are told of turns and never of ticks, and
//! while a run plays of several at once, since they need longer to say them.

use crate::actors::Actor;
use crate::app::handle::LabHandle;
use crate::lab::{Open, Playing};
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

/// While a run plays a screen reader is told anew after so many frames: a second.
const FRAMES_APART: u32 = 30;

/// What has been told.
#[derive(Default)]
struct Told {
    run: u32,
    events: usize,
    /// To those who see.
    seen: String,
    /// To a screen reader, and how many frames ago.
    said: String,
    frames: u32,
    /// Not yet said.
    unsaid: Vec<String>,
}

/// The line.
#[component]
pub fn Status(props: &StatusProps) -> Html {
    let told = use_mut_ref(Told::default);
    let lab = props.lab.lab();
    let mut told = told.borrow_mut();
    told.hear(lab.open());
    told.speak(lab.playing());
    html! {
        <>
            <p class="status" aria-hidden="true">{ told.seen.clone() }</p>
            <p class="unseen" id="status" role="status">{ told.said.clone() }</p>
        </>
    }
}

impl Told {
    /// Takes in where the run stands now. The words stay while nothing has turned.
    fn hear(&mut self, open: &Open) {
        let text = &ui().frame;
        let past = open.past();
        let went_on = self.run == open.number() && past.len() >= self.events;
        let new = if went_on { &past[self.events..] } else { past };
        let turns: Vec<(&Event<_>, usize)> = turns_of(new);
        if past.is_empty() && (self.run == 0 || !went_on) {
            self.tell(vec![text.nothing_yet.to_owned()]);
        } else if !went_on {
            self.unsaid.clear();
            let mut all = vec![(text.arrived)(open.number(), &amounts::moment(open.now()))];
            all.extend(turns.last().map(|(turn, more)| sentence(open, turn, *more)));
            self.tell(all);
        }
        if went_on && !turns.is_empty() {
            let last = turns.len().saturating_sub(TOLD_AT_ONCE);
            let told = turns[last..].iter();
            self.tell(told.map(|(turn, more)| sentence(open, turn, *more)).collect());
        }
        (self.run, self.events) = (open.number(), past.len());
    }

    fn tell(&mut self, sentences: Vec<String>) {
        self.seen = sentences.join(" ");
        self.unsaid.extend(sentences);
    }

    /// Says what is unsaid, unless something was said just now and more will come.
    fn speak(&mut self, playing: Playing) {
        self.frames += 1;
        let is_time = playing == Playing::No || self.frames >= FRAMES_APART;
        if is_time && !self.unsaid.is_empty() {
            let last = self.unsaid.len().saturating_sub(TOLD_AT_ONCE);
            self.said = self.unsaid[last..].join(" ");
            self.unsaid.clear();
            self.frames = 0;
        }
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
