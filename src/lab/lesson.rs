//! How the lesson stands in the lab, and going from one to another.

use super::{Lab, Open, Playing};
use crate::learn::{
    Asked, Chapter, Choice, Course, Lesson, Met, Part, Progress, Question, Seen, Step, chapters,
    told,
};
use crate::scenario::spec::Spec;
use crate::scenario::{Run, ScenarioError};
use crate::sim::event::EventId;
use crate::sim::order;
use litemap::LiteMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Where the reader is in the chapter, and what was done there.
#[derive(Clone, Debug)]
pub(super) struct Reading {
    chapter: Rc<Chapter>,
    /// The place of the lesson one is in.
    lesson: usize,
    /// In which lesson a run was opened, by its number.
    homes: LiteMap<u32, usize>,
    /// The number of the run with which each lesson was last begun; earlier ones are no
    /// part of what the reader has done in it.
    begun_with: LiteMap<usize, u32>,
    predictions: LiteMap<String, String>,
    done: BTreeSet<String>,
}

impl Reading {
    /// At the beginning of a lesson, with run 1.
    pub(super) fn new(chapter: Chapter, lesson: usize) -> Reading {
        Reading {
            chapter: Rc::new(chapter),
            lesson,
            homes: order::map([(1, lesson)].into_iter()),
            begun_with: order::map([(lesson, 1)].into_iter()),
            predictions: LiteMap::new(),
            done: BTreeSet::new(),
        }
    }

    /// A run is opened in this lesson.
    pub(super) fn opens(&mut self, run: u32) {
        self.homes.insert(run, self.lesson);
    }

    /// The lesson goes with the run one looks at.
    pub(super) fn follow(&mut self, run: u32) {
        self.lesson = self.homes.get(&run).copied().unwrap_or(self.lesson);
    }

    fn lesson(&self) -> &Lesson {
        &self.chapter.lessons[self.lesson]
    }

    /// Whether a run is part of what was done in a lesson.
    fn is_of(&self, lesson: usize, run: u32) -> bool {
        let begun = self.begun_with.get(&lesson);
        self.homes.get(&run) == Some(&lesson) && begun.is_some_and(|begun| run >= *begun)
    }
}

/// What the lesson shows at one moment.
#[derive(Clone, Debug)]
pub struct Stands<'a> {
    /// The lesson's place in the chapter.
    pub place: usize,
    /// The lesson.
    pub lesson: &'a Lesson,
    /// The part that is told.
    pub part: &'a Part,
    /// What is to be done.
    pub steps: Vec<(&'a Step, Progress)>,
    /// What is asked, or was.
    pub questions: Vec<(&'a Question, Asked<'a>)>,
    /// How near the run that one looks at is to those that the lesson tells of.
    pub course: Course,
}

/// All by which one moment's lesson differs from another's.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    place: usize,
    part: String,
    steps: Vec<Progress>,
    questions: Vec<Outlined>,
    course: Course,
    /// The number of a run of which it does not tell.
    other_case: Option<u32>,
    done: usize,
}

/// A question that is asked, what was chosen, and the run and event that decided it.
#[derive(Clone, Debug, PartialEq)]
struct Outlined {
    id: String,
    chosen: Option<String>,
    decided: Option<(usize, EventId)>,
}

impl<'a> Stands<'a> {
    /// Whether there is something to begin anew from.
    pub fn is_begun(&self) -> bool {
        let is_done = |(_, progress): &(&Step, Progress)| *progress == Progress::Done;
        self.course != Course::On || self.steps.iter().any(is_done)
    }

    /// Whether all that was to be done is.
    pub fn is_done(&self) -> bool {
        self.steps.iter().all(|(_, progress)| *progress == Progress::Done)
    }

    /// The step to do.
    pub fn now(&self) -> Option<&'a Step> {
        let now = self.steps.iter().find(|(_, progress)| *progress == Progress::Now);
        now.map(|(step, _)| *step)
    }

    fn outlined(&self) -> Vec<Outlined> {
        let id = |choice: Option<&Choice>| choice.map(|choice| choice.id.clone());
        let question = |(question, asked): &(&Question, Asked)| {
            let (chosen, decided) = match asked {
                Asked::NotYet => (None, None),
                Asked::Open(chosen) => (id(*chosen), None),
                Asked::Met(met) => (id(met.chosen), Some((met.run, met.event))),
            };
            Outlined { id: question.id.clone(), chosen, decided }
        };
        self.questions.iter().map(question).collect()
    }
}

impl Lab {
    /// The lab on a lesson, by its id; on the first one without such a lesson.
    ///
    /// # Errors
    /// When a built-in scenario is wrong, which a test excludes.
    pub fn at_lesson(id: &str) -> Result<Lab, ScenarioError> {
        let chapter = chapters().expect("a test reads every chapter").remove(0);
        let place = chapter.lessons.iter().position(|lesson| lesson.id == id).unwrap_or(0);
        let mut lab = Lab::on(chapter.lessons[place].runs[0].scenario())?;
        lab.reading = Reading::new(chapter, place);
        Ok(lab)
    }

    /// How the lesson stands.
    pub fn lesson(&self) -> Stands<'_> {
        let seen: Vec<Seen> = self.runs().iter().map(seen).collect();
        let reading = &self.reading;
        let lesson = reading.lesson();
        // A run that shows what is right in the quiz is nothing that the reader did.
        let is_own = |place: &usize| {
            let open = &self.runs()[*place];
            reading.is_of(reading.lesson, open.number()) && !self.is_of_quiz(open)
        };
        let places: Vec<usize> = (0..seen.len()).filter(is_own).collect();
        let own: Vec<Seen> = places.iter().map(|place| seen[*place]).collect();
        let beside = &seen[self.active()];
        let steps = lesson.progress(&own);
        let course = lesson.course(beside, &steps);
        let asked = |question| {
            let asked = lesson.asked(question, &own, self.predictions());
            (question, in_list(asked, &places))
        };
        let is_asked = |(_, asked): &(&Question, Asked)| *asked != Asked::NotYet;
        Stands {
            place: reading.lesson,
            lesson,
            part: lesson.part(&own, beside),
            steps: steps.into_iter().map(|step| to_do(step, course)).collect(),
            questions: lesson.questions.iter().map(asked).filter(is_asked).collect(),
            course,
        }
    }

    /// All by which the lesson differs from that of another moment.
    pub fn lesson_outline(&self) -> Outline {
        let stands = self.lesson();
        Outline {
            place: stands.place,
            part: stands.part.title.clone(),
            steps: stands.steps.iter().map(|(_, progress)| *progress).collect(),
            questions: stands.outlined(),
            course: stands.course,
            other_case: Some(self.open().number()).filter(|_| !self.tells_of(self.open())),
            done: self.reading.done.len(),
        }
    }

    /// The chapter that is told.
    pub fn chapter(&self) -> &Chapter {
        &self.reading.chapter
    }

    /// What was predicted, by question: the option's id.
    pub fn predictions(&self) -> &LiteMap<String, String> {
        &self.reading.predictions
    }

    /// The number of the run with which this lesson was last begun.
    pub fn begun_with(&self) -> u32 {
        self.reading.begun_with.get(&self.reading.lesson).copied().unwrap_or(0)
    }

    /// The lessons that were finished, by id. One that was stays so.
    pub fn lessons_done(&self) -> &BTreeSet<String> {
        &self.reading.done
    }

    /// Lessons that were finished at another time. Ids that are none are kept: they may
    /// be of another version.
    pub fn remember_lessons(&mut self, done: impl IntoIterator<Item = String>) {
        self.reading.done.extend(done);
    }

    /// Whether a run's scenario is one of which the lesson tells. With another lock service
    /// or store it is another case: hardly a sentence would be true of it.
    pub fn tells_of(&self, open: &Open) -> bool {
        let spec = open.scenario().spec();
        let is_its = |told: &Spec| {
            told.id == spec.id
                && told.lock.service == spec.lock.service
                && told.store.kind == spec.store.kind
        };
        self.reading.lesson().runs.iter().any(|told| is_its(told.scenario().spec()))
    }

    /// Notes that the lesson is finished, once it is.
    pub(super) fn note_done(&mut self) {
        let id = &self.reading.lesson().id;
        if !self.reading.done.contains(id) && self.lesson().is_done() {
            let id = id.clone();
            self.quiz.finish_lesson(&id);
            self.reading.done.insert(id);
        }
    }

    /// Goes to a lesson: to the run one last looked at there, or to one of its own. A run
    /// with which nothing was done does not stay behind.
    pub(super) fn go_to_lesson(&mut self, place: usize) -> Result<(), ScenarioError> {
        if place == self.reading.lesson || place >= self.chapter().lessons.len() {
            return Ok(());
        }
        let left = self.open();
        let is_untouched = left.replay().trace().is_empty()
            && left.run().clicks.is_empty()
            && left.scenario() == self.reading.lesson().runs[0].scenario();
        let left = left.number();
        let there = |open: &Open| self.reading.is_of(place, open.number());
        if let Some(run) = self.runs().iter().rposition(there) {
            self.show(run);
        } else {
            let before = std::mem::replace(&mut self.reading.lesson, place);
            self.begin().inspect_err(|_| self.reading.lesson = before)?;
        }
        let left = self.runs().iter().position(|open| open.number() == left);
        left.filter(|_| is_untouched).into_iter().for_each(|run| self.close(run));
        Ok(())
    }

    /// Begins the lesson one is in with a run of its own.
    fn begin(&mut self) -> Result<(), ScenarioError> {
        let first = self.reading.lesson().runs[0].name.clone();
        self.load(&first)?;
        self.reading.begun_with.insert(self.reading.lesson, self.opened);
        Ok(())
    }

    /// Begins it anew, as if nothing had been answered.
    pub(super) fn anew(&mut self) -> Result<(), ScenarioError> {
        self.begin()?;
        let reading = &mut self.reading;
        let asked = reading.chapter.lessons[reading.lesson].questions.iter();
        asked.for_each(|question| drop(reading.predictions.remove(&question.id)));
        Ok(())
    }

    /// The same clicks in another scenario, or a variant of one.
    pub(super) fn same_clicks_in(&mut self, name: &str) -> Result<(), ScenarioError> {
        let (clicks, seed) = (self.open().run().clicks.clone(), self.open().run().seed);
        let run = Run { scenario: told::scenario(name)?, clicks, seed };
        self.add(Open::new(self.opened + 1, run)?);
        self.playing = Playing::Until(self.open().scenario().limit());
        Ok(())
    }

    /// What is asked can be answered, and answered anew, until it is known.
    pub(super) fn predict(&mut self, question: String, option: String) {
        let is_open = |asked: &Asked| matches!(asked, Asked::Open(_));
        let asked = self.lesson().questions.into_iter();
        if asked.into_iter().any(|(other, asked)| other.id == question && is_open(&asked)) {
            self.reading.predictions.insert(question, option);
        }
    }
}

fn seen(open: &Open) -> Seen<'_> {
    Seen { run: open.run(), trace: open.replay().trace(), judge: open.judged() }
}

/// Its run's place among all that are open.
fn in_list<'a>(asked: Asked<'a>, places: &[usize]) -> Asked<'a> {
    match asked {
        Asked::Met(met) => Asked::Met(Met { run: places[met.run], ..met }),
        other => other,
    }
}

/// Beside a run in which the reader tries something else, no step of the lesson is the
/// next one: that run leads to none.
fn to_do((step, progress): (&Step, Progress), course: Course) -> (&Step, Progress) {
    match (progress, course) {
        (Progress::Now, Course::Off) => (step, Progress::Later),
        _ => (step, progress),
    }
}

#[cfg(test)]
#[path = "lesson_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "lesson_numbers.rs"]
mod numbers;
