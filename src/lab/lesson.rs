//! How the lesson stands in the lab, and going from one to another.

mod reading;

pub(super) use reading::Reading;

use super::later::Stands as Texts;
use super::{Lab, Msg, Open, Playing};
use crate::learn::chapter::Heading;
use crate::learn::later::Later;
use crate::learn::{
    Asked, Chapter, ChapterError, Choice, Course, Lesson, Met, Part, Progress, Question, Seen,
    Step, chapter, first, told,
};
use crate::scenario::spec::Spec;
use crate::scenario::{Run, ScenarioError};
use crate::sim::event::EventId;
use litemap::LiteMap;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The place of a lesson: its chapter's, and its own in that, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The chapter's.
    pub chapter: usize,
    /// Its own.
    pub lesson: usize,
}

/// What the lesson shows at one moment.
#[derive(Clone, Debug)]
pub struct Stands<'a> {
    /// The lesson's place in the chapter.
    pub place: usize,
    /// The chapter's among all.
    pub chapter: usize,
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
    at: Place,
    /// The chapter that is waited for, and how that stands.
    awaited: Option<(usize, Texts)>,
    part: String,
    steps: Vec<Progress>,
    questions: Vec<Outlined>,
    course: Course,
    /// The number of a run of which it does not tell.
    other_case: Option<u32>,
    is_begun: bool,
    /// The way back from a run that counts for none of its steps.
    back: Option<Msg>,
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
    /// The lab on a lesson, by its id or its chapter's; on the first one without such a
    /// lesson, and until it is there.
    ///
    /// # Errors
    /// When a built-in scenario is wrong, which a test excludes.
    pub fn at_lesson(id: &str) -> Result<Lab, ScenarioError> {
        let mut lab = Lab::new()?;
        match lab.reading.find(id) {
            Some(Place { chapter: 0, lesson }) => {
                let chapter = first().expect("a test reads every chapter");
                lab = Lab::on(chapter.lessons[lesson].runs[0].scenario())?;
                lab.reading = Reading::new(chapter, lesson);
            }
            Some(place) => lab.go_to(place)?,
            None => {}
        }
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
            reading.is_of(reading.at, open.number()) && !self.is_of_quiz(open)
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
            place: reading.at.lesson,
            chapter: reading.at.chapter,
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
            at: self.reading.at,
            awaited: self
                .awaited_chapter()
                .map(|place| (place, self.stands(Later::Chapter(place)).clone())),
            part: stands.part.title.clone(),
            steps: stands.steps.iter().map(|(_, progress)| *progress).collect(),
            questions: stands.outlined(),
            course: stands.course,
            back: self.back_to_lesson(),
            other_case: Some(self.open().number()).filter(|_| !self.tells_of(self.open())),
            is_begun: self.is_lesson_begun(),
            done: self.reading.done.len(),
        }
    }

    /// Whether the lesson was begun: it was not where the page was opened on a run of which no
    /// lesson tells.
    pub fn is_lesson_begun(&self) -> bool {
        self.reading.is_begun(self.reading.at)
    }

    /// The page is opened on a run: it stands under the lesson that plays its scenario.
    pub(super) fn begin_under_its_lesson(&mut self) {
        let (number, id) = (self.open().number(), self.open().scenario().spec().id.clone());
        self.reading.begin_with(number, &id);
        if let Some((place, _)) = self.reading.towards {
            self.want(Later::Chapter(place.chapter));
        }
    }

    /// The chapter that is told.
    pub fn chapter(&self) -> &Chapter {
        self.reading.chapter()
    }

    /// All chapters' headings, in order.
    pub fn headings(&self) -> &[Heading] {
        &self.reading.headings
    }

    /// The place of the chapter that is waited for, to go there.
    pub fn awaited_chapter(&self) -> Option<usize> {
        self.reading.towards.map(|(towards, _)| towards.chapter)
    }

    /// What was predicted, by question: the option's id.
    pub fn predictions(&self) -> &LiteMap<String, String> {
        &self.reading.predictions
    }

    /// The number of the run with which this lesson was last begun.
    pub fn begun_with(&self) -> u32 {
        self.reading.begun_with.get(&self.reading.at).copied().unwrap_or(0)
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

    /// Goes to a lesson of this chapter.
    pub(super) fn go_to_lesson(&mut self, lesson: usize) -> Result<(), ScenarioError> {
        if lesson >= self.chapter().lessons.len() {
            return Ok(());
        }
        self.go_to(Place { lesson, ..self.reading.at })
    }

    /// Goes to a chapter: to the first of its lessons that is not finished.
    pub(super) fn go_to_chapter(&mut self, chapter: usize) -> Result<(), ScenarioError> {
        let Some(heading) = self.reading.headings.get(chapter) else { return Ok(()) };
        let is_open = |lesson: &String| !self.reading.done.contains(lesson);
        let lesson = heading.lessons.iter().position(is_open).unwrap_or(0);
        self.go_to(Place { chapter, lesson })
    }

    /// The lessons of a chapter have come.
    pub(super) fn take_in_chapter(
        &mut self,
        place: usize,
        texts: &[String],
    ) -> Result<(), ChapterError> {
        self.reading.chapters[place] = Some(Rc::new(chapter(place, texts)?));
        Ok(())
    }

    /// The reader does something else than to wait for a chapter: it takes nobody away then.
    pub(super) fn wait_for_no_chapter(&mut self) {
        self.reading.towards = None;
    }

    /// Goes on to the lesson that its chapter was fetched for. A link's run that was opened
    /// beside it stays in front, and is the lesson's.
    pub(super) fn arrive_in_chapter(&mut self, chapter: usize) -> Result<(), ScenarioError> {
        let towards = self.reading.towards.filter(|(place, _)| place.chapter == chapter);
        let front = self.open().number();
        let Some((place, from)) = towards else {
            // The run one looks at may have waited for it.
            self.reading.follow(front);
            return Ok(());
        };
        let left = self.left_behind(from);
        self.go_to(place)?;
        if front != from {
            self.reading.homes.insert(front, place);
            self.place_of(front).into_iter().for_each(|run| self.show(run));
            left.into_iter().for_each(|run| self.close_number(run));
        }
        Ok(())
    }

    /// Goes to a lesson: to the run one last looked at there, or to one of its own. A run
    /// with which nothing was done does not stay behind. Where its chapter is not there, it
    /// is fetched first.
    fn go_to(&mut self, place: Place) -> Result<(), ScenarioError> {
        self.reading.towards = None;
        if place == self.reading.at && self.is_lesson_begun() {
            return Ok(());
        }
        let from = self.open().number();
        if self.reading.chapters[place.chapter].is_none() {
            self.reading.towards = Some((place, from));
            self.want(Later::Chapter(place.chapter));
            return Ok(());
        }
        let left = self.left_behind(from);
        let there = |open: &Open| self.reading.is_of(place, open.number());
        // The one in front may have waited for its chapter.
        let in_front = Some(self.active()).filter(|_| there(self.open()));
        if let Some(run) = in_front.or_else(|| self.runs().iter().rposition(there)) {
            self.show(run);
        } else {
            let before = std::mem::replace(&mut self.reading.at, place);
            self.begin().inspect_err(|_| self.reading.at = before)?;
        }
        left.into_iter().for_each(|run| self.close_number(run));
        Ok(())
    }

    /// That run, by its number, if it is the one with which its lesson begins and nothing was
    /// done with it.
    fn left_behind(&self, number: u32) -> Option<u32> {
        let open = &self.runs()[self.place_of(number)?];
        let is_here = self.reading.homes.get(&number) == Some(&self.reading.at);
        let is_untouched = is_here
            && open.replay().trace().is_empty()
            && open.run().clicks.is_empty()
            && open.scenario() == self.reading.lesson().runs[0].scenario();
        is_untouched.then_some(number)
    }

    /// Begins the lesson one is in with a run of its own.
    fn begin(&mut self) -> Result<(), ScenarioError> {
        let first = self.reading.lesson().runs[0].name.clone();
        self.load(&first)?;
        self.reading.begun_with.insert(self.reading.at, self.opened);
        Ok(())
    }

    /// Begins it anew, as if nothing had been answered.
    pub(super) fn anew(&mut self) -> Result<(), ScenarioError> {
        self.begin()?;
        let asked = self.lesson().lesson.questions.iter();
        let asked: Vec<String> = asked.map(|question| question.id.clone()).collect();
        asked.iter().for_each(|id| drop(self.reading.predictions.remove(id)));
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

#[cfg(test)]
mod arrival_tests;
