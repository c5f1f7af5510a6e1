//! The run told as it goes on: a line for those who see the page, and one for screen
//! readers. Those are told of turns and never of ticks, and while a run plays of several
//! at once, since they need longer to say them. When more has come than can be said,
//! what carries the story stays: what the store answered, what was broken, how the run
//! ended, and that the lesson says something else.

use super::later::Stands;
use super::quiz::State;
use super::{Lab, Open, Playing, ending, own};
use crate::actors::note::{EffectNote, StoreNote};
use crate::actors::{Actor, Note};
use crate::learn::Asked;
use crate::learn::later::Later;
use crate::properties::{PropertyId, turns};
use crate::sim::event::{Event, What};
use crate::text::ui::ui;
use crate::text::{amounts, en};

/// How many sentences are told at once, when many have come since the last time; more
/// only when more of them carry the story.
const TOLD_AT_ONCE: usize = 3;

/// While a run plays a screen reader is told anew after so many frames: a second.
const FRAMES_APART: u32 = 30;

/// Whether a sentence may be left out when there are too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// It may.
    Plain,
    /// It carries the story.
    Story,
}

/// What has been told.
#[derive(Debug, Default)]
pub struct Told {
    run: u32,
    events: usize,
    broken: Vec<PropertyId>,
    has_ended: bool,
    /// The places of chapter and lesson.
    lesson: (usize, usize),
    is_done: bool,
    part: String,
    asked: usize,
    /// The round of the quiz, and how many answers of it were graded.
    graded: (u32, usize),
    /// The texts that were asked for last, and how that stood.
    asked_for: Option<(Later, Stands)>,
    seen: String,
    said: String,
    frames: u32,
    unsaid: Vec<(Weight, String)>,
}

impl Told {
    /// Takes in how the lab stands now.
    pub fn hear(&mut self, lab: &Lab) {
        self.hear_run(lab.open());
        self.hear_verdict(lab);
        self.hear_lesson(lab);
        self.hear_quiz(lab.quiz());
        self.hear_texts(lab);
        self.speak(lab.playing());
    }

    /// What is told to those who see.
    pub fn seen(&self) -> &str {
        &self.seen
    }

    /// What is told to a screen reader.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Where the run stands. The words stay while nothing has turned.
    fn hear_run(&mut self, open: &Open) {
        let text = &ui().frame;
        let past = open.past();
        let went_on = self.run == open.number() && past.len() >= self.events;
        let new = if went_on { &past[self.events..] } else { past };
        let is_turn = |event: &&Event<Actor>| turns::is_turn(&event.what);
        let turns = turns::once_a_click(new.iter().filter(is_turn));
        if past.is_empty() && (self.run == 0 || !went_on) {
            self.tell(vec![(Weight::Plain, text.nothing_yet.to_owned())]);
        } else if !went_on {
            self.unsaid.clear();
            let arrived = (text.arrived)(open.number(), &amounts::moment(open.now()));
            let mut all = vec![(Weight::Plain, arrived)];
            all.extend(turns.last().map(|turn| told(open, turn)));
            self.tell(all);
        }
        if went_on && !turns.is_empty() {
            self.tell(turns.iter().map(|turn| told(open, turn)).collect());
        }
        if !went_on {
            (self.broken, self.has_ended) = (Vec::new(), false);
        }
        (self.run, self.events) = (open.number(), past.len());
    }

    /// What is newly broken, and how the run ended.
    fn hear_verdict(&mut self, lab: &Lab) {
        let open = lab.open();
        let verdict = super::facts::verdict(open);
        let broken: Vec<PropertyId> = verdict.broken.iter().map(|(id, _)| *id).collect();
        let new: Vec<PropertyId> =
            broken.iter().copied().filter(|id| !self.broken.contains(id)).collect();
        if !new.is_empty() {
            self.add((ui().guide.broken)(&ending::happened(&new)));
        }
        self.broken = broken;
        match lab.ended() {
            Some(_) if !self.has_ended => {
                self.has_ended = true;
                self.seen = [self.seen.as_str(), ui().frame.ended].join(" ").trim().to_owned();
                let said = own::sentences(lab);
                self.add(format!("{} {}", ui().frame.ended, said.join(" ")));
            }
            Some(_) => {}
            None => self.has_ended = false,
        }
    }

    /// That the lesson says something else, or asks.
    fn hear_lesson(&mut self, lab: &Lab) {
        let lesson = lab.lesson();
        let text = &ui().frame;
        let is_first = self.part.is_empty();
        let place = (lesson.chapter, lesson.place);
        if self.lesson.0 != lesson.chapter {
            let heading = &lab.chapter().heading;
            self.add(format!(
                "{}.",
                (ui().lesson.chapter)(heading.place, lab.headings().len(), &heading.title)
            ));
        }
        if self.lesson != place {
            let all = lab.chapter().lessons.len();
            self.add((ui().lesson.opened)(lesson.place + 1, all, &lesson.lesson.title));
            self.asked = 0;
        } else if !is_first && self.part != lesson.part.title {
            self.add((text.lesson_says)(&lesson.part.title));
        }
        if lesson.is_done() && !self.is_done {
            self.add(ui().lesson.finished.to_owned());
        }
        (self.lesson, self.is_done) = (place, lesson.is_done());
        self.part.clone_from(&lesson.part.title);
        let open = lesson.questions.iter().rev().find(|(_, asked)| matches!(asked, Asked::Open(_)));
        let asked = lesson.questions.len();
        if let Some((question, _)) = open.filter(|_| asked > self.asked) {
            self.add((text.lesson_asks)(&question.text));
        }
        self.asked = asked;
    }

    /// Whether an answer was right.
    fn hear_quiz(&mut self, quiz: &State) {
        let Some(round) = quiz.round() else { return };
        let graded = (quiz.progress().rounds(), round.done.len());
        if let Some(last) = round.done.last().filter(|_| graded != self.graded) {
            self.add((ui().quiz.met.told)(last.right, round.right(), round.done.len()));
        }
        self.graded = graded;
    }

    /// Whether texts that had to be waited for have come.
    fn hear_texts(&mut self, lab: &Lab) {
        let last = lab.last_asked();
        if self.asked_for.as_ref() == last {
            return;
        }
        self.asked_for = last.cloned();
        match last {
            Some((what, Stands::Here)) => self.add((ui().later.here)(*what).to_owned()),
            Some((what, Stands::Failed(missing))) => self.add(missing.told(*what)),
            _ => {}
        }
    }

    fn tell(&mut self, all: Vec<(Weight, String)>) {
        let last = all.len().saturating_sub(TOLD_AT_ONCE);
        let seen: Vec<&str> = all[last..].iter().map(|(_, sentence)| sentence.as_str()).collect();
        self.seen = seen.join(" ");
        self.unsaid.extend(all);
    }

    /// For screen readers alone: those who see the page see it elsewhere.
    fn add(&mut self, sentence: String) {
        self.unsaid.push((Weight::Story, sentence));
    }

    /// Says what is unsaid, unless something was said just now and more will come.
    fn speak(&mut self, playing: Playing) {
        self.frames += 1;
        let is_time = playing == Playing::No || self.frames >= FRAMES_APART;
        if is_time && !self.unsaid.is_empty() {
            self.said = shortened(std::mem::take(&mut self.unsaid)).join(" ");
            self.frames = 0;
        }
    }
}

/// Leaves out the oldest of what may be left out.
fn shortened(all: Vec<(Weight, String)>) -> Vec<String> {
    let mut too_many = all.len().saturating_sub(TOLD_AT_ONCE);
    let mut kept = Vec::new();
    for (weight, sentence) in all {
        if weight == Weight::Plain && too_many > 0 {
            too_many -= 1;
        } else {
            kept.push(sentence);
        }
    }
    kept
}

fn told(open: &Open, (event, more): &(&Event<Actor>, usize)) -> (Weight, String) {
    let what = en::event(event, open.who());
    let at = amounts::moment(event.at);
    let sentence = match event.what {
        What::Clicked { .. } | What::ClickMissed { .. } => (ui().frame.click)(&at, &what, *more),
        _ => (ui().frame.turn)(&at, open.scenario().names().of(event.node), &what),
    };
    (weight(&event.what), sentence)
}

/// What the store answers is what all the rest is about; whose the lock is, and who is
/// there to know, is how it comes to that.
fn weight(what: &What<Actor>) -> Weight {
    match what {
        What::Note(
            Note::Store(StoreNote::Accepted { .. } | StoreNote::Refused { .. })
            | Note::Effect(EffectNote::Booked { .. })
            | Note::Lock(_),
        )
        | What::Resumed
        | What::Woke
        | What::Exited => Weight::Story,
        _ => Weight::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::store::api::Rule;
    use crate::lab::Msg;
    use crate::scenario::clicks::Do;
    use crate::sim::time::Span;

    /// Plays on as the page does, and collects what is said.
    fn play(lab: &mut Lab, told: &mut Told, said: &mut Vec<String>) {
        let mut hear = |lab: &Lab| {
            told.hear(lab);
            if said.last().is_none_or(|last| last != told.said()) {
                said.push(told.said().to_owned());
            }
        };
        hear(lab);
        while lab.playing() != Playing::No {
            lab.update(Msg::Tick { elapsed: Span::from_ms(33) });
            hear(lab);
        }
    }

    /// All that is said in the whole lesson.
    fn whole_lesson() -> (Vec<String>, Vec<String>) {
        let (mut lab, mut told) = (Lab::new().expect("built in"), Told::default());
        let (mut unchecked, mut checked) = (Vec::new(), Vec::new());
        told.hear(&lab);
        lab.update(Msg::Play);
        play(&mut lab, &mut told, &mut unchecked);
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        play(&mut lab, &mut told, &mut unchecked);
        lab.update(Msg::Play);
        play(&mut lab, &mut told, &mut unchecked);
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        play(&mut lab, &mut told, &mut checked);
        (unchecked, checked)
    }

    #[track_caller]
    fn check(said: &[String], parts: &[&str]) {
        let all = said.join("\n");
        let mut from = 0;
        for part in parts {
            let found = all[from..].find(part);
            from += found.unwrap_or_else(|| panic!("“{part}” is not said, or late:\n{all}"));
        }
    }

    #[test]
    fn what_carries_the_story_is_said_in_its_order() {
        let (unchecked, checked) = whole_lesson();
        check(
            &unchecked,
            &[
                "25.0 s: Click: pause W1 for 45 s.",
                "The lesson asks: W1 wakes at 70 s",
                "PUT 42 accepted",
                "Broken: a stale write was accepted",
                "The lesson goes on: The same clicks, with the store checking tokens",
                "The lesson asks: The same clicks",
                "PUT 43 accepted",
                "The run has ended. Broken: a stale write was accepted",
            ],
        );
        check(
            &checked,
            &[
                "PUT 42 refused, 412",
                "The lesson goes on: The check stands where the data is",
                "The run has ended. Every promise was kept.",
            ],
        );
    }

    #[test]
    fn that_a_run_has_ended_is_told_to_those_who_see_the_page_too() {
        let (mut lab, mut told) = (Lab::new().expect("built in"), Told::default());
        lab.update(Msg::Load { scenario: "queue-of-eight".to_owned() });
        lab.update(Msg::Click(Do::Pause { node: "W3".to_owned(), for_ms: Some(12_000) }));
        lab.update(Msg::Play);
        play(&mut lab, &mut told, &mut Vec::new());
        assert!(told.seen().ends_with("The run has ended."), "{}", told.seen());
    }

    #[test]
    fn little_is_said_at_once() {
        let (unchecked, checked) = whole_lesson();
        for said in unchecked.iter().chain(&checked) {
            assert!(said.len() < 600, "{} letters: {said}", said.len());
        }
    }

    #[test]
    fn what_is_plain_is_left_out_before_what_carries_the_story() {
        let sentence = |weight, text: &str| (weight, text.to_owned());
        let (plain, story) = (Weight::Plain, Weight::Story);
        let all = vec![
            sentence(story, "a"),
            sentence(plain, "b"),
            sentence(plain, "c"),
            sentence(story, "d"),
            sentence(plain, "e"),
        ];
        assert_eq!(shortened(all), ["a", "d", "e"]);
    }
}
