//! The diagram of the run beside the one that one looks at: in the same box and under
//! the same window, so that one moment is in one place.

use super::picture::{self, Classes, Names, Presses};
use super::{Which, empty};
use crate::lab::Lab;
use crate::lab::diagram::{History, Window};
use crate::sim::event::EventId;
use yew::prelude::*;

/// What is drawn of it.
pub struct Beside {
    number: u32,
    history: History,
    classes: Classes,
}

impl Beside {
    /// Takes in what has happened in the run beside, whichever it is now.
    pub fn keep(kept: &mut Option<Beside>, lab: &Lab) {
        let Some(open) = lab.beside() else {
            *kept = None;
            return;
        };
        let trace = open.replay().trace();
        let is_same = |it: &Beside| it.number == open.number() && trace.len() >= it.history.seen();
        let mut beside = kept.take().filter(is_same).unwrap_or_else(|| {
            let history = empty(open);
            let classes = picture::classes(history.lanes());
            Beside { number: open.number(), history, classes }
        });
        beside.history.take_in(trace);
        *kept = Some(beside);
    }

    /// The names of its lanes.
    pub fn names(&self) -> Html {
        let lanes = self.history.lanes();
        let titles: Vec<AttrValue> =
            (0..lanes.count()).map(|lane| lanes.title(lane).to_owned().into()).collect();
        let height = self.history.height();
        html! { <Names {titles} classes={self.classes.clone()} {height} /> }
    }

    /// Its picture under the window of the first run's.
    pub fn picture(&self, lab: &Lab, first: &Window) -> Html {
        let Some(open) = lab.beside() else { return html! {} };
        let window = Window {
            now: open.now(),
            first_ahead: EventId(open.past().len() as u32),
            seen_until: open.seen_until(),
            selected: None,
            ..first.clone()
        };
        let differs = lab.comparison().map_or(Vec::new(), |comparison| {
            comparison.places(Which::Beside, open, self.history.lanes(), &window)
        });
        let diagram = self.history.draw(&window);
        html! {
            <>
                <p class="diagram-caption" aria-hidden="true"></p>
                { picture::picture(&self.classes, diagram, &differs, Presses::Nothing) }
            </>
        }
    }
}
