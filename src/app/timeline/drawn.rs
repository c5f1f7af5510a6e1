//! A run's diagram: what has happened in it, and how it is drawn. There are two where runs
//! are compared, in the same box and under the same window, so that one moment is in one
//! place.

use super::Which;
use super::picture::{self, Classes, Names, Presses};
use crate::lab::diagram::lanes::Lanes;
use crate::lab::diagram::{History, Window};
use crate::lab::{Lab, Open};
use std::rc::Rc;
use yew::prelude::*;

/// What is drawn of a run, and what of that stays the same as long as it is that run.
pub struct Drawn {
    number: u32,
    history: History,
    classes: Classes,
    titles: Rc<[AttrValue]>,
}

impl Drawn {
    /// A run as far as it has been run.
    pub fn of(open: &Open) -> Drawn {
        let scenario = open.scenario();
        let lanes = Lanes::new(scenario.names(), &scenario.spec().store.title);
        let classes = picture::classes(&lanes);
        let title = |lane| AttrValue::from(lanes.title(lane).to_owned());
        let titles = (0..lanes.count()).map(title).collect();
        let mut history = History::new(lanes);
        history.take_in(open.replay().trace());
        Drawn { number: open.number(), history, classes, titles }
    }

    /// Takes in what has happened since, or another run.
    pub fn keep(&mut self, open: &Open) {
        if self.is_of(open) {
            self.history.take_in(open.replay().trace());
        } else {
            *self = Drawn::of(open);
        }
    }

    /// Whether it is of this run, which can only have gone on.
    pub fn is_of(&self, open: &Open) -> bool {
        self.number == open.number() && open.replay().trace().len() >= self.history.seen()
    }

    /// What has happened.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The names of its lanes.
    pub fn names(&self) -> Html {
        let (titles, classes) = (self.titles.clone(), self.classes.clone());
        html! { <Names {titles} {classes} height={self.history.height()} /> }
    }

    /// Its picture in a window, with signs where it differs from the other run.
    pub fn picture(
        &self,
        lab: &Lab,
        (which, open): (Which, &Open),
        window: &Window,
        presses: Presses,
    ) -> Html {
        let differs = lab.comparison().map_or(Vec::new(), |comparison| {
            comparison.places(which, open, self.history.lanes(), window)
        });
        picture::picture(&self.classes, self.history.draw(window), &differs, presses)
    }
}
