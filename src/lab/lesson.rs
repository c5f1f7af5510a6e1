//! How the lesson stands in the lab.

use super::Lab;
use crate::learn::{Asked, Chapter, Choice, Course, Met, Part, Progress, Question, Seen, Step};
use crate::sim::event::EventId;

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
    /// How near the run that one looks at is to those that the chapter tells of.
    pub course: Course,
}

/// All by which one moment's lesson differs from another's.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    chapter: String,
    part: String,
    steps: Vec<Progress>,
    questions: Vec<Outlined>,
    course: Course,
}

/// A question that is asked, what was chosen, and the run and event that decided it.
#[derive(Clone, Debug, PartialEq)]
struct Outlined {
    id: String,
    chosen: Option<String>,
    decided: Option<(usize, EventId)>,
}

impl Lesson<'_> {
    /// Whether there is something to begin anew from.
    pub fn is_begun(&self) -> bool {
        let is_done = |(_, progress): &(&Step, Progress)| *progress == Progress::Done;
        self.course != Course::On || self.steps.iter().any(is_done)
    }

    /// All by which it differs from that of another moment.
    pub fn outline(&self) -> Outline {
        let id = |choice: Option<&Choice>| choice.map(|choice| choice.id.clone());
        let question = |(question, asked): &(&Question, Asked)| {
            let (chosen, decided) = match asked {
                Asked::NotYet => (None, None),
                Asked::Open(chosen) => (id(*chosen), None),
                Asked::Met(met) => (id(met.chosen), Some((met.run, met.event))),
            };
            Outlined { id: question.id.clone(), chosen, decided }
        };
        Outline {
            chapter: self.chapter.id.clone(),
            part: self.part.title.clone(),
            steps: self.steps.iter().map(|(_, progress)| *progress).collect(),
            questions: self.questions.iter().map(question).collect(),
            course: self.course,
        }
    }
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
        let beside = &seen[self.active()];
        let course = chapter.course(beside);
        let first = self.runs().iter().take_while(|open| open.number() < self.begun_with());
        let first = first.count();
        let own = &seen[first..];
        let asked = |question| {
            let asked = chapter.asked(question, own, self.predictions());
            (question, in_list(asked, first))
        };
        let is_asked = |(_, asked): &(&Question, Asked)| *asked != Asked::NotYet;
        Lesson {
            chapter,
            part: chapter.part(own, beside),
            steps: chapter.progress(own).into_iter().map(|step| to_do(step, course)).collect(),
            questions: chapter.questions.iter().map(asked).filter(is_asked).collect(),
            course,
        }
    }
}

/// Its run's place among all that are open.
fn in_list(asked: Asked, first: usize) -> Asked {
    match asked {
        Asked::Met(met) => Asked::Met(Met { run: met.run + first, ..met }),
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
mod tests {
    use super::*;
    use crate::actors::note::EtcdNote;
    use crate::actors::note::StoreNote;
    use crate::actors::store::api::Rule;
    use crate::actors::{Actor, Note};
    use crate::lab::{Msg, Playing};
    use crate::learn::chapters;
    use crate::learn::outcome::of_write;
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

    /// The part told (its first word), the steps (`x` done, `>` to do, `.` later), how
    /// many questions are shown.
    #[track_caller]
    fn check(lab: &Lab, expected: &str) {
        let lesson = lab.lesson();
        let steps = lesson.steps.iter().map(|(_, progress)| match progress {
            Progress::Done => 'x',
            Progress::Now => '>',
            Progress::Later => '.',
        });
        let part = lesson.chapter.parts.iter().position(|part| part == lesson.part).unwrap() + 1;
        let found = format!("{part} {} {}", steps.collect::<String>(), lesson.questions.len());
        assert_eq!(found, expected);
    }

    fn pause_w1(for_ms: Option<i64>) -> Msg {
        Msg::Click(Do::Pause { node: "W1".to_owned(), for_ms })
    }

    /// The whole lesson, to its last word.
    fn finished() -> Lab {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Play);
        play(&mut lab);
        lab.update(pause_w1(Some(45_000)));
        lab.update(Msg::ToEnd);
        lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
        play(&mut lab);
        check(&lab, "3 xxxx 2");
        lab
    }

    #[test]
    fn a_lesson_begun_anew_is_as_it_was_at_first() {
        let mut lab = finished();
        lab.update(Msg::Anew);
        check(&lab, "1 >... 0");
        assert_eq!(lab.runs().len(), 3, "what was run stays there");
        assert_eq!(lab.predictions().len(), 0);
        lab.update(Msg::Play);
        play(&mut lab);
        lab.update(pause_w1(Some(45_000)));
        check(&lab, "1 xx>. 1");
        lab.update(Msg::ToEnd);
        check(&lab, "2 xxx> 2");
        let lesson = lab.lesson();
        let Asked::Met(met) = lesson.questions[0].1 else { panic!("it is decided") };
        assert_eq!(met.run, lab.active(), "the moment that is shown is one of this run");
    }

    #[test]
    fn the_part_told_is_one_of_the_run_one_looks_at() {
        let mut lab = finished();
        lab.update(Msg::Show { run: 0 });
        check(&lab, "2 xxxx 2");
        lab.update(Msg::Show { run: 1 });
        check(&lab, "3 xxxx 2");
    }

    #[test]
    fn a_longer_pause_has_the_same_effect_and_counts() {
        for for_ms in [Some(60_000), None] {
            let mut lab = Lab::new().expect("built in");
            lab.update(Msg::Seek(crate::sim::time::TrueTime(25_000_000)));
            lab.update(pause_w1(for_ms));
            check(&lab, "1 x... 0");
            lab.update(Msg::ToEnd);
            if for_ms.is_none() {
                check(&lab, "1 xx>. 0");
                lab.update(Msg::Click(Do::Resume { node: "W1".to_owned() }));
                lab.update(Msg::ToEnd);
            }
            assert_eq!(lab.lesson().course, Course::Beside);
            check(&lab, "2 xxx> 0");
            lab.update(Msg::RunAgain(Rule::OwnerAndSequence));
            play(&mut lab);
            check(&lab, "3 xxxx 0");
        }
    }

    #[test]
    fn a_pause_without_the_effect_counts_for_nothing() {
        let mut lab = Lab::new().expect("built in");
        lab.update(Msg::Seek(crate::sim::time::TrueTime(25_000_000)));
        lab.update(pause_w1(Some(5_000)));
        lab.update(Msg::ToEnd);
        assert_eq!(lab.lesson().course, Course::Off);
        check(&lab, "1 x... 0");
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
        let mut numbers = set_numbers(chapter);
        for id in &chapter.scenarios {
            of_run(&Scenario::built_in(id).expect("built in").run(), &mut numbers);
        }
        numbers
    }

    /// What is known when a question is met: the settings, and what has happened by
    /// then in the run it is about.
    fn known_when_met(chapter: &Chapter, question: &Question) -> BTreeSet<String> {
        let mut known = set_numbers(chapter);
        let scenarios = chapter.scenarios.iter().map(|id| Scenario::built_in(id).expect("there"));
        for scenario in scenarios.filter(|s| s.spec().store.rule == question.about) {
            let replay = scenario.run().to_end().expect("a run");
            let worker = scenario.names().find(&question.worker).expect("a worker");
            let decided = of_write(worker, replay.trace()).expect("it is decided").event;
            of_events(&replay.trace()[..=decided.index()], &mut known);
        }
        known
    }

    fn of_settings(scenario: &Scenario, numbers: &mut BTreeSet<String>) {
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
    }

    fn of_run(run: &Run, numbers: &mut BTreeSet<String>) {
        let replay = run.to_end().expect("a run");
        of_events(replay.trace(), numbers);
    }

    fn of_events(events: &[Event<Actor>], numbers: &mut BTreeSet<String>) {
        let told = |event: &Event<Actor>| match &event.what {
            What::Note(Note::Etcd(EtcdNote::LockGranted { create_revision, .. })) => {
                vec![create_revision.to_string(), moment(event.at)]
            }
            What::Note(Note::Etcd(EtcdNote::LockEnded { .. })) => vec![moment(event.at)],
            What::Note(Note::Store(StoreNote::Claimed { .. })) => vec![moment(event.at)],
            What::Note(Note::Store(StoreNote::Accepted { booked, .. })) => vec![money(*booked)],
            _ => Vec::new(),
        };
        numbers.extend(events.iter().flat_map(told));
    }

    /// What is true of a chapter's settings and clicks at any moment.
    fn set_numbers(chapter: &Chapter) -> BTreeSet<String> {
        let mut numbers = BTreeSet::from(["412".to_owned()]);
        for id in &chapter.scenarios {
            of_settings(&Scenario::built_in(id).expect("built in"), &mut numbers);
        }
        numbers
    }

    /// An explanation is given when the report it is about is answered: it states what
    /// has happened by then, and what has not only in a sentence that says it will.
    #[test]
    fn no_explanation_states_what_has_not_happened_yet() {
        for chapter in chapters().expect("every chapter can be read") {
            let all = numbers(&chapter);
            for question in &chapter.questions {
                let known = known_when_met(&chapter, question);
                for text in question.options.iter().flat_map(|o| [&o.right, &o.wrong]) {
                    for sentence in text.split(". ") {
                        let allowed = if sentence.contains(" will ") { &all } else { &known };
                        for number in stated(sentence) {
                            assert!(allowed.contains(&number), "{number} in “{sentence}”");
                        }
                    }
                }
            }
        }
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
