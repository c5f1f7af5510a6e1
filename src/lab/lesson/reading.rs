//! Where the reader is in the chapters, and what was done there.

use super::Place;
use crate::learn::chapter::Heading;
use crate::learn::{Chapter, Lesson, headings};
use crate::sim::order;
use litemap::LiteMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where the reader is, and what was done there.
#[derive(Clone, Debug)]
pub(in crate::lab) struct Reading {
    pub(in crate::lab) headings: Rc<[Heading]>,
    /// By their places, as far as they are there. The first is.
    pub(in crate::lab) chapters: Vec<Option<Rc<Chapter>>>,
    /// The lesson one is in, of a chapter that is there.
    pub(in crate::lab) at: Place,
    /// The lesson to go to when its chapter is there, and the number of the run from which.
    pub(in crate::lab) towards: Option<(Place, u32)>,
    /// In which lesson a run was opened, by its number.
    pub(in crate::lab) homes: LiteMap<u32, Place>,
    /// The number of the run with which each lesson was last begun; earlier ones are no
    /// part of what the reader has done in it.
    pub(in crate::lab) begun_with: LiteMap<Place, u32>,
    pub(in crate::lab) predictions: LiteMap<String, String>,
    pub(in crate::lab) done: BTreeSet<String>,
}

impl Reading {
    /// At the beginning of a lesson of the first chapter, with run 1.
    pub(in crate::lab) fn new(chapter: Chapter, lesson: usize) -> Reading {
        let headings: Rc<[Heading]> = headings().expect("a test reads every chapter").into();
        let mut chapters = vec![None; headings.len()];
        chapters[0] = Some(Rc::new(chapter));
        let at = Place { chapter: 0, lesson };
        Reading {
            headings,
            chapters,
            at,
            towards: None,
            homes: order::map([(1, at)].into_iter()),
            begun_with: order::map([(at, 1)].into_iter()),
            predictions: LiteMap::new(),
            done: BTreeSet::new(),
        }
    }

    /// A run is opened in this lesson.
    pub(in crate::lab) fn opens(&mut self, run: u32) {
        self.homes.insert(run, self.at);
    }

    /// The lesson goes with the run one looks at, once its chapter is there.
    pub(in crate::lab) fn follow(&mut self, run: u32) {
        let Some(home) = self.homes.get(&run).copied() else { return };
        if self.chapters[home.chapter].is_some() {
            self.at = home;
        } else {
            self.towards = Some((home, run));
        }
    }

    /// The page is opened on a run: the lesson is the one that plays its scenario, once its
    /// chapter is there, or none.
    pub(in crate::lab) fn begin_with(&mut self, run: u32, scenario: &str) {
        (self.homes, self.begun_with) = (LiteMap::new(), LiteMap::new());
        if let Some(place) = self.plays(scenario) {
            self.homes.insert(run, place);
            self.begun_with.insert(place, run);
        }
        self.follow(run);
    }

    /// The place of the first lesson that begins with a scenario, or else plays it.
    fn plays(&self, scenario: &str) -> Option<Place> {
        let all = || {
            self.headings.iter().enumerate().flat_map(|(chapter, heading)| {
                let plays = heading.plays.iter().enumerate();
                plays.map(move |(lesson, plays)| (Place { chapter, lesson }, plays))
            })
        };
        let begins = all().find(|(_, plays)| plays.first().is_some_and(|it| it == scenario));
        let found =
            begins.or_else(|| all().find(|(_, plays)| plays.iter().any(|it| it == scenario)));
        found.map(|(place, _)| place)
    }

    /// Whether a lesson was begun.
    pub(in crate::lab) fn is_begun(&self, lesson: Place) -> bool {
        self.begun_with.get(&lesson).is_some()
    }

    pub(in crate::lab) fn chapter(&self) -> &Chapter {
        self.chapters[self.at.chapter].as_ref().expect("one is in a chapter that is there")
    }

    pub(in crate::lab) fn lesson(&self) -> &Lesson {
        &self.chapter().lessons[self.at.lesson]
    }

    /// The place of the lesson of that id, or of the first of the chapter of that id.
    pub(in crate::lab) fn find(&self, id: &str) -> Option<Place> {
        self.headings.iter().enumerate().find_map(|(chapter, heading)| {
            let lesson = heading.lessons.iter().position(|lesson| lesson == id);
            let lesson = lesson.or_else(|| (heading.id == id).then_some(0))?;
            Some(Place { chapter, lesson })
        })
    }

    /// Whether a run is part of what was done in a lesson.
    pub(in crate::lab) fn is_of(&self, lesson: Place, run: u32) -> bool {
        let begun = self.begun_with.get(&lesson);
        self.homes.get(&run) == Some(&lesson) && begun.is_some_and(|begun| run >= *begun)
    }
}
