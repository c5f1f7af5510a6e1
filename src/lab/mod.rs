//! The lab as data: the runs that are open, the moment one looks at, play and step,
//! what is selected. Pure: the page hands in what people do and how much time has
//! passed, and shows what is here.

pub mod again;
pub mod arrival;
pub mod bench;
pub mod compare;
mod cure;
pub mod diagram;
pub mod ending;
pub mod facts;
pub mod faults;
pub mod filter;
pub mod guide;
pub mod label;
pub mod later;
pub mod lesson;
pub mod list;
pub mod load;
mod msg;
pub mod open;
pub mod own;
pub mod pace;
pub mod quiz;
pub mod scale;
mod sharing;
pub mod shown;
pub mod signals;
pub mod telling;
pub mod why;
pub mod wires;

pub use msg::Msg;
pub use open::Open;
pub use pace::Speed;

use self::bench::History;
use crate::learn::{first, told};
use crate::scenario::clicks::{ClickSpec, Do};
use crate::scenario::{Scenario, ScenarioError};
use crate::sim::event::EventId;
use crate::sim::time::{Span, TrueTime};
use crate::text::{program::Language, ui::ui};
use lesson::Reading;
use std::rc::Rc;

/// The scenario the page opens on.
pub const FIRST_SCENARIO: &str = "reconcile-unfenced";

/// Whether routine events are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routine {
    /// They are not.
    #[default]
    Hidden,
    /// They are.
    Shown,
}

/// Whether the run plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playing {
    /// It stands.
    No,
    /// It plays until there.
    Until(TrueTime),
}

/// The lab.
#[derive(Clone, Debug)]
pub struct Lab {
    runs: Vec<Open>,
    active: usize,
    /// The number of the run beside it, if there is one.
    beside: Option<u32>,
    compared: Option<(compare::Compared, Rc<compare::Comparison>)>,
    opened: u32,
    playing: Playing,
    speed: Speed,
    routine: Routine,
    filter: filter::Filter,
    /// The name of the machine to which the list is narrowed.
    filtered: Option<String>,
    language: Language,
    selected: Option<EventId>,
    warning: Option<String>,
    reading: Reading,
    quiz: quiz::State,
    asked: later::Asked,
}

impl Lab {
    /// The lab as the page opens it.
    ///
    /// # Errors
    /// When a built-in scenario is wrong, which a test excludes.
    pub fn new() -> Result<Lab, ScenarioError> {
        Lab::on(&Scenario::built_in(FIRST_SCENARIO)?)
    }

    /// The lab on a scenario, of which nothing has been run and nothing clicked.
    ///
    /// # Errors
    /// When a click names what is not there.
    pub fn on(scenario: &Scenario) -> Result<Lab, ScenarioError> {
        Ok(Lab {
            runs: vec![Open::new(1, scenario.run_without_clicks())?],
            active: 0,
            beside: None,
            compared: None,
            opened: 1,
            playing: Playing::No,
            speed: Speed::default(),
            routine: Routine::default(),
            filter: filter::Filter::default(),
            filtered: None,
            language: Language::default(),
            selected: None,
            warning: None,
            reading: Reading::new(first().expect("a test reads every chapter"), 0),
            quiz: quiz::State::default(),
            asked: later::Asked::default(),
        })
    }

    /// The run one looks at.
    pub fn open(&self) -> &Open {
        &self.runs[self.active]
    }

    fn open_mut(&mut self) -> &mut Open {
        &mut self.runs[self.active]
    }

    /// All open runs.
    pub fn runs(&self) -> &[Open] {
        &self.runs
    }

    /// The place of the run one looks at.
    pub fn active(&self) -> usize {
        self.active
    }

    /// Whether the run plays.
    pub fn playing(&self) -> Playing {
        self.playing
    }

    /// How fast it plays.
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// Whether routine events are shown.
    pub fn routine(&self) -> Routine {
        self.routine
    }

    /// What the list of events is narrowed to.
    pub fn filter(&self) -> &filter::Filter {
        &self.filter
    }

    /// What programs are shown in.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The event selected, if it has happened by now.
    pub fn selected(&self) -> Option<EventId> {
        self.selected.filter(|event| event.0 < self.open().replay().moment().world.events())
    }

    /// A sentence about what could not be done.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// Takes in what somebody does. What cannot be done becomes a warning, and
    /// nothing is lost.
    pub fn update(&mut self, msg: Msg) {
        if msg.turns_elsewhere() {
            self.wait_for_no_chapter();
        }
        if let Err(error) = self.take(msg) {
            self.warning = Some(error.to_string());
        }
        self.follow();
        self.find_others();
        // While it plays every frame counts; what is done is noted when it stops.
        if self.playing == Playing::No {
            self.note_done();
        }
    }

    /// Finds the other runs that are told of beside the open ones. It takes runs to find them,
    /// so that is done once a run, when one is wanted, and nothing that is drawn does it.
    fn find_others(&mut self) {
        if self.playing == Playing::No && guide::asks_for_cure(self) {
            self.open_mut().find_cure();
        }
        if let Some(place) = self.place_beside() {
            self.runs[place].look_elsewhere();
        }
    }

    /// Adds to what could not be done.
    fn warn(&mut self, sentence: String) {
        self.warning = Some(match self.warning.take() {
            Some(before) => format!("{before} {sentence}"),
            None => sentence,
        });
    }

    fn close_number(&mut self, number: u32) {
        self.place_of(number).into_iter().for_each(|run| self.close(run));
    }

    fn place_of(&self, number: u32) -> Option<usize> {
        self.runs().iter().position(|open| open.number() == number)
    }

    fn take(&mut self, msg: Msg) -> Result<(), ScenarioError> {
        match msg {
            Msg::Load { scenario } => self.load(&scenario)?,
            Msg::Play => self.play(),
            Msg::Stop => self.playing = Playing::No,
            Msg::Tick { elapsed } => self.tick(elapsed),
            Msg::ToStart => self.go(|open, _| open.seek(TrueTime(0))),
            Msg::ToEnd => self.run_to_end()?,
            Msg::Step => self.go(Open::step),
            Msg::Back => self.go(Open::back),
            Msg::Seek(to) => self.go(|open, _| open.seek(to)),
            Msg::SetSpeed(speed) => self.speed = speed,
            Msg::ShowRoutine(routine) => self.routine = routine,
            Msg::ShowEvents(filter) => self.narrow(filter),
            Msg::Click(action) => self.click(action)?,
            Msg::RunAgain(rule) => self.run_again(rule)?,
            Msg::Compare(change) => self.compare(change)?,
            Msg::CompareWith { run } => self.compare_with(run),
            Msg::EndComparison => self.beside = None,
            Msg::Show { run } if run < self.runs.len() => self.show(run),
            Msg::Close { run } if run < self.runs.len() && self.runs.len() > 1 => self.close(run),
            Msg::Show { .. } | Msg::Close { .. } => {}
            Msg::SpellIn(language) => self.language = language,
            Msg::Select(event) => self.selected = event,
            Msg::JumpTo(event) => self.jump(event),
            Msg::Predict { question, option } => self.predict(question, option),
            Msg::OpenLink { fragment } => self.open_link(&fragment, None),
            Msg::OpenTold { fragment, told } => self.open_link(&fragment, Some(told)),
            Msg::Lesson { place } => self.go_to_lesson(place)?,
            Msg::Chapter { place } => self.go_to_chapter(place)?,
            Msg::SameClicksIn { scenario } => self.same_clicks_in(&scenario)?,
            Msg::Anew => self.anew()?,
            Msg::Edit(edit) => self.edit(&edit)?,
            Msg::Undo => self.travel(History::undo)?,
            Msg::Redo => self.travel(History::redo)?,
            Msg::Copy => self.copy()?,
            Msg::Quiz(msg) => self.take_quiz(msg),
            Msg::Want(what) => self.want(what),
            Msg::Came { what, texts } => self.came(what, texts)?,
            Msg::Dismiss => self.warning = None,
        }
        Ok(())
    }

    fn load(&mut self, id: &str) -> Result<(), ScenarioError> {
        let scenario = told::scenario(id)?;
        let mut run = Open::new(self.opened + 1, scenario.run_without_clicks())?;
        let own = guide::own_run(self).filter(|own| own.run == id);
        if let Some(at_ms) = own.and_then(|own| own.waits_at_ms) {
            run.set_waits_at(TrueTime(at_ms * 1_000));
        }
        self.beside = None;
        self.add(run);
        Ok(())
    }

    /// Adds a run beside the others: the next in number.
    fn push(&mut self, run: Open) {
        self.opened += 1;
        self.reading.opens(run.number());
        self.runs.push(run);
    }

    /// Adds a run beside the others and looks at it.
    fn add(&mut self, run: Open) {
        self.push(run);
        self.show(self.runs.len() - 1);
    }

    fn show(&mut self, run: usize) {
        let before = self.runs.get(self.active).map_or(0, Open::number);
        self.active = run;
        self.keep_filter();
        self.reading.follow(self.open().number());
        self.shown(before);
        self.playing = Playing::No;
        self.selected = None;
    }

    fn close(&mut self, run: usize) {
        self.runs.remove(run);
        if self.active >= run && self.active > 0 {
            self.active -= 1;
        }
        self.show(self.active);
    }

    fn go(&mut self, way: impl FnOnce(&mut Open, Routine)) {
        self.playing = Playing::No;
        let routine = self.routine;
        way(self.open_mut(), routine);
    }

    fn run_to_end(&mut self) -> Result<(), ScenarioError> {
        self.playing = Playing::No;
        self.open_mut().to_end()
    }

    fn play(&mut self) {
        let open = self.open_mut();
        if open.is_at_end() {
            open.seek(TrueTime(0));
        }
        self.playing = Playing::Until(self.open().plays_until());
    }

    fn tick(&mut self, elapsed: Span) {
        let Playing::Until(until) = self.playing else { return };
        let speed = self.speed;
        let open = self.open_mut();
        open.play_on(elapsed, speed, until);
        if open.now() >= until || open.is_at_end() {
            self.playing = Playing::No;
        }
    }

    /// A click at the edge of what has been run goes on with this run; one made
    /// before it makes a second run beside the first, with a future of its own: clicks
    /// that came later were made to what happened then.
    fn click(&mut self, action: Do) -> Result<(), ScenarioError> {
        let click = ClickSpec { at_us: self.open().now().0, r#do: action };
        let same = click.clone();
        if self.open().takes_click() {
            let next = self.open().with_click(self.open().number(), click)?;
            *self.open_mut() = next;
        } else {
            let next = self.open().with_click(self.opened + 1, click)?;
            let (playing, selected) = (self.playing, self.selected);
            self.add(next);
            (self.playing, self.selected) = (playing, selected);
        }
        // The click is carried out at once, not with the next step.
        let now = self.open().now();
        self.open_mut().seek(now);
        // Its machines may be others.
        if let Err(error) = self.click_beside(&same) {
            self.warn((ui().compare.not_both)(&error.to_string()));
            self.beside = None;
        }
        Ok(())
    }

    fn jump(&mut self, event: EventId) {
        self.go(|open, _| open.seek_event(event));
        self.selected = Some(event);
    }
}
