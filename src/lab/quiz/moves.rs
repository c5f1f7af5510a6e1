//! What the quiz does with runs: opens them beside the reader's, has them picked from,
//! and solves a question.

use super::{Before, Checked, Line, OpenedRun, Picked, Problem, Sight};
use crate::actors::Actor;
use crate::lab::{Lab, Open};
use crate::learn::quiz::{Given, Kind, Question, QuizError, Solution, Unit};
use crate::properties::turns::is_turn;
use crate::scenario::names::Role;
use crate::scenario::{Run, ScenarioError};
use crate::sim::event::EventId;
use crate::sim::time::TrueTime;
use crate::text::program::{Language, lines};
use crate::text::{amounts, en};

/// Where a run is looked at.
#[derive(Clone, Copy)]
enum At {
    /// Where it ends: all of it has been run.
    End,
    /// At this millisecond: just after the event in it that shows what is right.
    Ms(i64),
    /// Just after this event, which is selected.
    Event(EventId),
}

impl Lab {
    /// How the event stands that the question asks for.
    pub fn picked(&self) -> Picked {
        let run = self.quiz.asked().and_then(|(_, _, asking)| asking.run);
        let open = self.open();
        if run != Some((open.number(), open.run().clicks.len())) {
            return Picked::OtherRun;
        }
        match self.selected() {
            Some(event) => Picked::Event(event, said(open, event)),
            None => Picked::Nothing,
        }
    }

    /// Opens the run that the question is about, all of it, or looks at it again.
    pub(super) fn open_asked(&mut self) -> Result<(), QuizError> {
        let Some((place, question)) = self.quiz.question() else { return Ok(()) };
        self.look_at(place, &question, question.run()?, At::End)?;
        let open = (self.open().number(), self.open().run().clicks.len());
        if let Some(asking) = self.quiz.asking_mut() {
            asking.run = Some(open);
            asking.problem = None;
        }
        Ok(())
    }

    /// Looks at a run: at the one that is open, if it is, or else beside the others. The
    /// runs of earlier questions make room, unless somebody made them their own.
    fn look_at(
        &mut self,
        place: usize,
        question: &Question,
        run: Run,
        at: At,
    ) -> Result<(), QuizError> {
        let wrong = |error: ScenarioError| QuizError::Run { question: question.id.clone(), error };
        let (number, beside) = self.stood_before();
        if !self.runs().iter().any(|open| *open.run() == run) {
            let open = Open::new(self.opened + 1, run.clone()).map_err(wrong)?;
            let (number, clicks) = (open.number(), run.clicks.len());
            self.add(open);
            self.quiz.opened.push(OpenedRun { place, number, clicks });
        }
        let there = self.make_room(place, &run);
        self.show(there);
        let (shown, clicks) = (self.open().number(), run.clicks.len());
        self.quiz.before = Some(Before { number, shown, clicks, beside });
        match at {
            At::End => self.run_to_end().map_err(wrong)?,
            At::Event(event) => {
                self.run_to_end().map_err(wrong)?;
                self.jump(event);
            }
            At::Ms(ms) => {
                self.go(|open, _| open.seek(TrueTime(ms * 1_000 + 999)));
                match self.shown_at(question, ms) {
                    Some(event) => self.jump(event),
                    None => self.go(|open, _| open.seek(TrueTime(ms * 1_000))),
                }
            }
        }
        Ok(())
    }

    /// The event of a millisecond that shows what is right: the one that the question
    /// measures, or else the last turn of events.
    fn shown_at(&self, question: &Question, ms: i64) -> Option<EventId> {
        let open = self.open();
        let past = open.past();
        let is_then = |id: &EventId| past[id.index()].at.0.div_euclid(1_000) == ms;
        let measured = question
            .asks
            .as_ref()
            .and_then(|measure| measure.event(open.scenario(), open.replay()).filter(is_then));
        let last = past.iter().rfind(|event| is_turn(&event.what)).map(|event| event.id);
        measured.or(last.filter(is_then))
    }

    /// The number of the run that one looks at, or of the one that stood there before the
    /// question's, and of the one beside it.
    fn stood_before(&self) -> (u32, Option<u32>) {
        let open = self.open();
        let its = |before: &Before| self.is_of_quiz(open) || before.shows(open);
        let before = self.quiz.before.filter(its);
        before.map_or((open.number(), self.beside), |before| (before.number, before.beside))
    }

    /// The question is gone, and its runs with it, unless somebody made them their own. Who
    /// looks at one goes back to what stood there before; what somebody turned to meanwhile
    /// stays in front, and goes on if it plays.
    pub(super) fn put_away(&mut self) {
        let opened = std::mem::take(&mut self.quiz.opened);
        let before = self.quiz.before.take();
        let is_its = |open: &Open| opened.iter().any(|opened| opened.is(open));
        let looks_at_it =
            is_its(self.open()) || before.is_some_and(|before| before.shows(self.open()));
        let back = before.and_then(|before| self.place_of(before.number));
        let back = back.or_else(|| self.runs.iter().rposition(|open| !is_its(open)));
        if let Some(place) = back.filter(|_| looks_at_it) {
            self.show(place);
            // What the question's run was compared with has nothing to do with this one.
            let number = self.open().number();
            let same = before.filter(|before| before.number == number);
            self.beside = same.and_then(|before| before.beside);
        }
        // One run is always open.
        let front = self.open().number();
        self.runs.retain(|open| open.number() == front || !is_its(open));
        self.active = self.place_of(front).unwrap_or(0);
        self.quiz.opened = opened.into_iter().filter(|it| it.is(self.open())).collect();
    }

    /// Closes the runs of earlier questions, but for the one that is looked at now: that
    /// becomes this question's. The place of it.
    fn make_room(&mut self, place: usize, run: &Run) -> usize {
        let looked_at = self.open().number();
        let mut kept = Vec::new();
        for opened in std::mem::take(&mut self.quiz.opened) {
            let Some(at) = self.runs.iter().position(|open| opened.is(open)) else { continue };
            if opened.place == place || *self.runs[at].run() == *run {
                kept.push(OpenedRun { place, ..opened });
            } else {
                self.runs.remove(at);
            }
        }
        self.quiz.opened = kept;
        // What is looked at may stand elsewhere in the list now.
        let active = self.runs.iter().position(|open| open.number() == looked_at);
        self.active = active.unwrap_or(0);
        self.runs.iter().position(|open| *open.run() == *run).unwrap_or(0)
    }

    /// Goes to a run that shows what is right, once that has been told.
    pub(super) fn see(&mut self, sight: Sight) -> Result<(), QuizError> {
        let Some((place, question)) = self.quiz.question() else { return Ok(()) };
        let Some(asking) = self.quiz.asking_mut() else { return Ok(()) };
        let Some(checked) = &asking.checked else { return Ok(()) };
        let solution = checked.solution.clone();
        match sight {
            Sight::Asked => {
                let at = match solution {
                    Solution::Event(event, _) => At::Event(event),
                    _ => At::Ms(question.at_ms),
                };
                self.look_at(place, &question, question.run()?, at)
            }
            Sight::Changed => {
                asking.has_changed = true;
                let run = question.changed_run()?;
                let solution = match question.kind {
                    Kind::Number | Kind::Event => question.solve(&run)?,
                    _ => Solution::Never,
                };
                let at = match solution {
                    Solution::Event(event, _) => At::Event(event),
                    Solution::Number(ms) if question.unit == Some(Unit::Seconds) => At::Ms(ms),
                    _ => At::End,
                };
                self.look_at(place, &question, run, at)
            }
        }
    }

    /// Compares the answer with what is right, if there is one.
    pub(super) fn check(&mut self) -> Result<(), QuizError> {
        let Some((place, question)) = self.quiz.question() else { return Ok(()) };
        let picked = match self.picked() {
            Picked::Event(event, _) => Ok(event),
            Picked::Nothing => Err(Problem::NoEvent),
            Picked::OtherRun => Err(Problem::OtherRun),
        };
        let Some(asking) = self.quiz.asking_mut() else { return Ok(()) };
        if asking.checked.is_some() {
            return Ok(());
        }
        let given = match asking.given(&question, picked) {
            Ok(given) => given,
            Err(problem) => {
                asking.problem = Some(problem);
                return Ok(());
            }
        };
        let solution = question.solve(&question.run()?)?;
        let grade = question.grade(&given, &solution);
        let (right, chosen) = (grade.right, grade.chosen);
        let chosen = chosen.into_iter().map(|option| option.id.clone()).collect();
        let events = match (&given, &solution) {
            (Given::Event(given), Solution::Event(right, _)) => {
                Some((said(self.open(), *given), said(self.open(), *right)))
            }
            _ => None,
        };
        let at_ms = match given {
            Given::Event(event) => {
                let event = self.open().past().get(event.index());
                event.map(|event| event.at.0.div_euclid(1_000))
            }
            _ => None,
        };
        let checked = Checked { given, solution, right, chosen, events, at_ms };
        self.quiz.record(place, &question, checked);
        Ok(())
    }
}

/// An event in words: its moment, its machine and what happened.
fn said(open: &Open, event: EventId) -> String {
    let Some(event) = open.replay().trace().get(event.index()) else { return String::new() };
    let name = open.scenario().names().of(event.node);
    format!("{}, {name}: {}", amounts::exact_moment(event.at), en::event(event, open.who()))
}

/// The program that a question for a line is about: that of the first worker that has
/// every line that can be answered.
pub(super) fn program(question: &Question) -> Vec<Line> {
    let place = |line: &String| {
        question.options.iter().position(|option| option.text.trim_matches('`') == line)
    };
    let row = |line: String| place(&line).map_or(Line::Plain(line), Line::Option);
    let whole = |rows: &Vec<Line>| {
        let options = rows.iter().filter(|row| matches!(row, Line::Option(_)));
        options.count() == question.options.len()
    };
    let programs = if question.kind == Kind::Line { programs(question) } else { Vec::new() };
    let mut rows = programs.into_iter().map(|lines| lines.into_iter().map(row).collect());
    let own = || (0..question.options.len()).map(Line::Option).collect();
    rows.find(whole).unwrap_or_else(own)
}

/// The programs of the workers of a question's run.
fn programs(question: &Question) -> Vec<Vec<String>> {
    let Ok(run) = question.run() else { return Vec::new() };
    let Ok(world) = run.world() else { return Vec::new() };
    let workers = run.scenario.names().with(Role::Worker);
    let programs = workers.filter_map(|id| match &world.node(id).process {
        Actor::Worker(worker) => Some(lines(worker.config(), Language::Rust)),
        _ => None,
    });
    programs.collect()
}
