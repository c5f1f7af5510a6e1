//! The one status line: the last turns of events in words, for those who see the
//! page and for screen readers, which are told of turns and never of ticks.

use crate::app::handle::LabHandle;
use crate::lab::Open;
use crate::properties::turns;
use crate::sim::event::Event;
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
        let turns: Vec<&Event<_>> = new.iter().filter(|e| turns::is_turn(&e.what)).collect();
        let is_new = self.run == 0 || past.is_empty();
        if is_new {
            self.text = text.nothing_yet.to_owned();
        } else if !went_on {
            let at = (text.arrived)(open.number(), &amounts::moment(open.now()));
            self.text = match turns.last() {
                Some(turn) => format!("{at} {}", sentence(open, turn)),
                None => at,
            };
        }
        if went_on && !turns.is_empty() {
            let last = turns.len().saturating_sub(TOLD_AT_ONCE);
            let all: Vec<String> = turns[last..].iter().map(|turn| sentence(open, turn)).collect();
            self.text = all.join(" ");
        }
        (self.run, self.events) = (open.number(), past.len());
    }
}

fn sentence(open: &Open, event: &Event<crate::actors::Actor>) -> String {
    let what = en::event(event, open.who());
    let machine = open.scenario().names().of(event.node);
    (ui().frame.turn)(&amounts::moment(event.at), machine, &what)
}
