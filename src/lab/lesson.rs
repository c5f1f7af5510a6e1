//! How the lesson stands in the lab.

use super::Lab;
use crate::learn::{Asked, Chapter, Part, Progress, Question, Seen, Step};

/// What the lesson shows at one moment.
#[derive(Clone, Debug)]
pub struct Lesson<'a> {
    /// The chapter.
    pub chapter: &'a Chapter,
    /// The part that is told.
    pub part: &'a Part,
    /// What is to be done.
    pub steps: Vec<(&'a Step, Progress)>,
    /// What is asked, or was.
    pub questions: Vec<(&'a Question, Asked<'a>)>,
    /// Whether the run that one looks at is one that the chapter tells of.
    pub course: Course,
}

/// Whether a run is one that the chapter tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// It is.
    On,
    /// It is not: the reader tries something else.
    Off,
}

impl Lab {
    /// How the lesson stands.
    pub fn lesson(&self) -> Lesson<'_> {
        let seen: Vec<Seen> = self
            .runs()
            .iter()
            .map(|open| Seen { run: open.run(), trace: open.replay().trace() })
            .collect();
        let chapter = self.chapter();
        let asked = |question| (question, chapter.asked(question, &seen, self.predictions()));
        let is_asked = |(_, asked): &(&Question, Asked)| *asked != Asked::NotYet;
        let on_course = chapter.is_on_course(&seen[self.active()]);
        Lesson {
            chapter,
            part: chapter.part(&seen),
            steps: chapter.progress(&seen),
            questions: chapter.questions.iter().map(asked).filter(is_asked).collect(),
            course: if on_course { Course::On } else { Course::Off },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actors::note::EtcdNote;
    use crate::actors::note::StoreNote;
    use crate::actors::store::api::Rule;
    use crate::actors::{Actor, Note};
    use crate::lab::{Msg, Playing};
    use crate::learn::chapters;
    use crate::scenario::clicks::Do;
    use crate::scenario::{Run, Scenario};
    use crate::sim::event::{Event, What};
    use crate::sim::time::Span;
    use crate::text::amounts::{moment, money, span};
    use crate::text::numbers::stated;
    use std::collections::BTreeSet;

    fn play(lab: &mut Lab) {
        while lab.playing() != Playing::No {
            lab.update(Msg::Tick { elapsed: Span::from_ms(500) });
        }
    }

    fn asked(lab: &Lab) -> Vec<String> {
        let say = |(question, asked): &(&Question, Asked)| match asked {
            Asked::NotYet => unreachable!("only what is asked is shown"),
            Asked::Open(chosen) => {
                format!("{} open {}", question.id, chosen.map_or("-", |c| c.id.as_str()))
            }
            Asked::Met(met) => {
                let chosen = met.chosen.map_or("-", |c| c.id.as_str());
                format!("{} {chosen}, right {}", question.id, met.right.id)
            }
        };
        lab.lesson().questions.iter().map(say).collect()
    }

    #[test]
    fn the_first_lesson_asks_keeps_and_meets_both_predictions() {
        let mut lab = Lab::new().expect("built in");
        assert_eq!(asked(&lab), Vec::<String>::new());
        lab.update(Msg::Play);
        play(&mut lab);
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        assert_eq!(asked(&lab), ["late-report-unchecked open -"]);
        let predict = |question: &str, option: &str| Msg::Predict {
            question: question.to_owned(),
            option: option.to_owned(),
        };
        lab.update(predict("late-report-unchecked", "not-sent"));
        assert_eq!(asked(&lab), ["late-report-unchecked open not-sent"]);
        lab.update(Msg::Play);
        play(&mut lab);
        let first = "late-report-unchecked not-sent, right accepted";
        assert_eq!(asked(&lab), [first, "late-report-checked open -"]);
        lab.update(predict("late-report-checked", "refused"));
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        play(&mut lab);
        assert_eq!(asked(&lab), [first, "late-report-checked refused, right refused"]);
        // What was seen stays seen wherever one looks.
        lab.update(Msg::ToStart);
        assert_eq!(asked(&lab).len(), 2);
    }

    /// A prediction made when it is known what happens is none.
    #[test]
    fn a_prediction_that_was_met_stays_as_it_was() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Play);
        play(&mut lab);
        lab.update(Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) }));
        lab.update(Msg::ToEnd);
        let question = "late-report-unchecked".to_owned();
        lab.update(Msg::Predict { question, option: "accepted".to_owned() });
        assert_eq!(asked(&lab)[0], "late-report-unchecked -, right accepted");
    }

    /// All that a chapter's text may say in numbers: what the settings and the runs say.
    fn numbers(chapter: &Chapter) -> BTreeSet<String> {
        let mut numbers = BTreeSet::from(["412".to_owned()]);
        for id in &chapter.scenarios {
            let scenario = Scenario::built_in(id).expect("built in");
            let spec = scenario.spec();
            let ms = |ms: i64| span(Span::from_ms(ms));
            numbers.insert(span(Span::from_s(spec.lock.ttl_s)));
            numbers.insert(span(Span::from_s(spec.lock.ttl_s / 3)));
            numbers.extend(spec.waits_at_ms.map(ms));
            for click in &spec.clicks {
                if let Do::Pause { for_ms: Some(for_ms), .. } = click.r#do {
                    numbers.insert(ms(for_ms));
                    numbers.insert(ms(click.at_us / 1_000 + for_ms));
                }
            }
            numbers.extend(spec.workers.iter().map(|worker| money(worker.amount)));
            of_run(&scenario.run(), &mut numbers);
        }
        numbers
    }

    fn of_run(run: &Run, numbers: &mut BTreeSet<String>) {
        let replay = run.to_end().expect("a run");
        let told = |event: &Event<Actor>| match &event.what {
            What::Note(Note::Etcd(EtcdNote::LockGranted { create_revision, .. })) => {
                vec![create_revision.to_string(), moment(event.at)]
            }
            What::Note(Note::Etcd(EtcdNote::LockEnded { .. })) => vec![moment(event.at)],
            What::Note(Note::Store(StoreNote::Claimed { .. })) => vec![moment(event.at)],
            What::Note(Note::Store(StoreNote::Accepted { booked, .. })) => vec![money(*booked)],
            _ => Vec::new(),
        };
        numbers.extend(replay.trace().iter().flat_map(told));
    }

    #[test]
    fn every_number_in_a_chapter_is_true_of_its_runs() {
        for chapter in chapters().expect("every chapter can be read") {
            let allowed = numbers(&chapter);
            let parts = chapter.parts.iter().flat_map(|part| &part.text);
            let steps = chapter.steps.iter().map(|step| &step.text);
            let asked = chapter.questions.iter().map(|question| &question.text);
            let choices = chapter.questions.iter().flat_map(|question| &question.options);
            let said = choices.flat_map(|option| [&option.text, &option.right, &option.wrong]);
            for text in parts.chain(steps).chain(asked).chain(said) {
                for number in stated(text) {
                    assert!(allowed.contains(&number), "{number} in “{text}”, not in {allowed:?}");
                }
            }
        }
    }
}
