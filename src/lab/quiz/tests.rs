use super::*;
use crate::lab::Msg;
use crate::learn::quiz::{Answer, Kind, Solution, Unit, Untyped};
use crate::scenario::clicks::Do;
use crate::sim::time::TrueTime;

mod stage;
mod told;

fn send(lab: &mut Lab, msg: QuizMsg) {
    lab.update(Msg::Quiz(msg));
    assert_eq!(lab.warning(), None);
}

fn opened() -> Lab {
    let mut lab = Lab::new().expect("built in");
    send(&mut lab, QuizMsg::Show(Side::Quiz));
    lab.supply();
    lab
}

fn begun(which: Which) -> Lab {
    let mut lab = opened();
    send(&mut lab, QuizMsg::Begin(which));
    lab
}

/// A round in which the question of that id is asked now.
fn asking(id: &str) -> Lab {
    let mut lab = begun(Which::All);
    while question(&lab).id != id {
        answer(&mut lab, Right::Yes);
        send(&mut lab, QuizMsg::Next);
    }
    lab
}

fn question(lab: &Lab) -> Question {
    lab.quiz().asked().expect("a question").1.clone()
}

fn checked(lab: &Lab) -> Option<Checked> {
    lab.quiz().asked().expect("a question").2.checked.clone()
}

fn problem(lab: &Lab) -> Option<Problem> {
    lab.quiz().asked().expect("a question").2.problem
}

fn choose(lab: &mut Lab, option: &str) {
    send(lab, QuizMsg::Choose { option: option.to_owned() });
}

#[derive(Clone, Copy, PartialEq)]
enum Right {
    Yes,
    No,
}

/// Answers as people do, by what the engine says is right or by something else.
fn answer(lab: &mut Lab, right: Right) {
    let question = question(lab);
    let solution = question.solve(&question.run().expect("a run")).expect("a solution");
    match solution {
        Solution::Options(ids) if question.kind == Kind::Order => arrange(lab, &ids, right),
        Solution::Options(ids) => {
            let is_wanted = |id: &str| (right == Right::Yes) == ids.iter().any(|it| it == id);
            let wanted: Vec<&str> =
                question.options.iter().map(|o| o.id.as_str()).filter(|id| is_wanted(id)).collect();
            wanted.into_iter().for_each(|id| choose(lab, id));
        }
        Solution::Number(number) => {
            let number = if right == Right::Yes { number } else { number + 10_000 };
            let text = match question.unit {
                Some(Unit::Seconds) => format!("{}.{:03}", number / 1_000, number % 1_000),
                _ => number.to_string(),
            };
            send(lab, QuizMsg::Type { text });
        }
        Solution::Event(event, _) => {
            send(lab, QuizMsg::OpenRun);
            let other = EventId(event.0 - 1);
            lab.update(Msg::Select(Some(if right == Right::Yes { event } else { other })));
        }
        Solution::Never => panic!("{}: nothing is right", question.id),
    }
    send(lab, QuizMsg::Check);
}

/// Puts an order right, or the wrong way round, by moves of one place.
fn arrange(lab: &mut Lab, ids: &[String], right: Right) {
    let wanted: Vec<String> = match right {
        Right::Yes => ids.to_vec(),
        Right::No => ids.iter().rev().cloned().collect(),
    };
    for id in wanted {
        // The first goes to the end, and so does each after it.
        for _ in 0..ids.len() {
            send(lab, QuizMsg::Move { option: id.clone(), way: Way::Down });
        }
    }
}

/// Plays the round to its end.
fn play(lab: &mut Lab, right: impl Fn(&Question) -> Right) {
    while lab.quiz().asked().is_some() {
        let right = right(&question(lab));
        answer(lab, right);
        let checked = checked(lab).expect("it is checked");
        assert_eq!(checked.right, right == Right::Yes, "{}", question(lab).id);
        send(lab, QuizMsg::Next);
    }
}

fn round(lab: &Lab) -> &Round {
    lab.quiz().round().expect("a round")
}

#[test]
fn every_question_answered_by_what_the_engine_finds_gives_the_full_score() {
    let mut lab = begun(Which::All);
    let all = lab.quiz().questions().len();
    assert_eq!(round(&lab).order.len(), all);
    play(&mut lab, |_| Right::Yes);
    assert_eq!((round(&lab).right(), round(&lab).done.len()), (all, all));
    assert!(round(&lab).missed().is_empty() && lab.quiz().missed().is_empty());
}

#[test]
fn every_question_answered_otherwise_is_wrong_and_comes_again() {
    let mut lab = begun(Which::All);
    play(&mut lab, |_| Right::No);
    assert_eq!(round(&lab).right(), 0);
    let first = round(&lab).order.clone();
    send(&mut lab, QuizMsg::Begin(Which::Again));
    assert_eq!(round(&lab).order, first);
    play(&mut lab, |_| Right::Yes);
    assert!(lab.quiz().missed().is_empty());
}

#[test]
fn those_missed_in_a_round_come_again_and_first_when_the_quiz_is_opened_later() {
    let mut lab = begun(Which::Of(Topic::Store));
    let missed = ["lost-write", "only-higher"];
    let right = |q: &Question| if missed.contains(&q.id.as_str()) { Right::No } else { Right::Yes };
    play(&mut lab, right);
    let ids = |lab: &Lab, places: &[usize]| -> Vec<String> {
        places.iter().map(|place| lab.quiz().questions()[*place].1.id.clone()).collect()
    };
    assert_eq!(ids(&lab, &round(&lab).missed()), missed);
    let kept = lab.quiz().progress().text();
    send(&mut lab, QuizMsg::Begin(Which::Again));
    assert_eq!(ids(&lab, &round(&lab).order), missed);

    let mut later = opened();
    send(&mut later, QuizMsg::Restore { text: kept });
    for which in [Which::All, Which::Of(Topic::Store), Which::Mixed, Which::Missed] {
        send(&mut later, QuizMsg::Begin(which));
        let order = &round(&later).order;
        assert_eq!(ids(&later, &order[..2]), missed, "{which:?}");
    }
    assert_eq!(round(&later).order.len(), 2);
    send(&mut later, QuizMsg::Begin(Which::Of(Topic::Tokens)));
    let of_tokens = |place: &usize| later.quiz().questions()[*place].0 == Topic::Tokens;
    assert!(round(&later).order.iter().all(of_tokens), "only what was asked for");
}

#[test]
fn three_mixed_rounds_are_of_every_topic_and_no_question_comes_again_before_all_have_come() {
    let lab = opened();
    let topics: Vec<Topic> = lab.quiz().questions().iter().map(|(topic, _)| *topic).collect();
    let mut seen = std::collections::BTreeSet::new();
    let whole = (topics.len() / MIXED) as u32;
    for number in 0..whole {
        let order = round::order(Which::Mixed, &topics, Vec::new(), number);
        assert_eq!(order, round::order(Which::Mixed, &topics, Vec::new(), number));
        assert_eq!(order.len(), MIXED);
        let next = (1..3).flat_map(|n| round::order(Which::Mixed, &topics, Vec::new(), number + n));
        let three: Vec<Topic> = order.iter().copied().chain(next).map(|at| topics[at]).collect();
        for topic in Topic::ALL {
            assert!(three.contains(topic), "{number}: {topic:?}");
        }
        assert!(order.iter().all(|place| seen.insert(*place)), "{number}: {order:?}");
    }
    for last in whole..whole + 2 {
        seen.extend(round::order(Which::Mixed, &topics, Vec::new(), last));
    }
    assert_eq!(seen.len(), topics.len());
}

#[test]
fn a_round_has_its_own_number_so_that_the_next_is_another() {
    let mut lab = begun(Which::Mixed);
    let first = round(&lab).order.clone();
    send(&mut lab, QuizMsg::Begin(Which::Mixed));
    assert_ne!(round(&lab).order, first);
    assert_eq!(lab.quiz().progress().rounds(), 2);
}

#[test]
fn confidence_can_be_given_or_not_and_is_summed_up() {
    let mut lab = begun(Which::Mixed);
    let sure = [Some(Confidence::Sure), None, Some(Confidence::NotSure)];
    for at in 0..MIXED {
        send(&mut lab, QuizMsg::Sure(sure[at % 3]));
        answer(&mut lab, if at < 4 { Right::No } else { Right::Yes });
        send(&mut lab, QuizMsg::Next);
    }
    let round = round(&lab);
    assert_eq!(round.done.len(), MIXED, "it never stood in the way");
    assert_eq!(round.calibration(Confidence::Sure), (4, 2));
    assert_eq!(round.calibration(Confidence::Fairly), (0, 0));
    assert_eq!(round.calibration(Confidence::NotSure), (3, 2));
    let kept: Vec<_> = lab.quiz().progress().answers().iter().map(|a| a.confidence).collect();
    assert_eq!(kept[..3], sure);
}

#[test]
fn an_answer_that_was_checked_stays_as_it_was() {
    let mut lab = asking("stale-report-checked");
    answer(&mut lab, Right::No);
    let before = lab.quiz().asked().map(|(_, _, asking)| asking.clone());
    choose(&mut lab, "refuses");
    send(&mut lab, QuizMsg::Sure(Some(Confidence::Sure)));
    send(&mut lab, QuizMsg::Check);
    assert_eq!(lab.quiz().asked().map(|(_, _, asking)| asking.clone()), before);
    assert_eq!(round(&lab).done.len(), 1);
}

#[test]
fn without_an_answer_nothing_is_graded_and_what_is_missing_is_said() {
    let mut lab = asking("stale-report-checked");
    let asked = question(&lab).id;
    let done = round(&lab).done.len();
    send(&mut lab, QuizMsg::Check);
    assert_eq!(problem(&lab), Some(Problem::NothingChosen));
    send(&mut lab, QuizMsg::Next);
    assert_eq!((question(&lab).id, round(&lab).done.len()), (asked, done));
    choose(&mut lab, "refuses");
    assert_eq!(problem(&lab), None);

    let mut lab = asking("lease-end");
    for (text, expected) in [("", Untyped::Empty), ("soon", Untyped::NoNumber)] {
        send(&mut lab, QuizMsg::Type { text: text.to_owned() });
        send(&mut lab, QuizMsg::Check);
        assert_eq!(problem(&lab), Some(Problem::Number(expected)));
        assert_eq!(checked(&lab), None);
    }
    send(&mut lab, QuizMsg::Type { text: "51,5".to_owned() });
    send(&mut lab, QuizMsg::Check);
    assert!(checked(&lab).expect("it is checked").right);
}

#[test]
fn of_several_an_option_can_be_taken_back() {
    let mut lab = asking("what-tokens-promise");
    for id in ["rise", "next", "rise"] {
        choose(&mut lab, id);
    }
    let draft = lab.quiz().asked().expect("a question").2.draft.clone();
    assert_eq!(draft, Draft::Options(vec!["next".to_owned()]));
}

/// Whatever is opened for a question stands beside the reader's runs.
#[test]
fn an_event_is_picked_in_the_questions_own_run_beside_the_readers() {
    let mut lab = asking("two-believe");
    assert_eq!(lab.picked(), Picked::OtherRun);
    lab.update(Msg::Load { scenario: "refund".to_owned() });
    lab.update(Msg::ToEnd);
    let own = |lab: &Lab| -> Vec<_> {
        let own = lab.runs().iter().filter(|open| !lab.is_of_quiz(open));
        own.map(|open| (open.number(), open.run().clone(), open.now())).collect()
    };
    let before = own(&lab);
    assert_eq!(before.len(), 2);
    lab.update(Msg::Select(Some(EventId(3))));
    send(&mut lab, QuizMsg::Check);
    assert_eq!(problem(&lab), Some(Problem::OtherRun), "an event of another run is none");
    send(&mut lab, QuizMsg::OpenRun);
    assert_eq!(lab.picked(), Picked::Nothing);
    assert!(lab.open().is_at_end(), "all of it can be looked at");
    send(&mut lab, QuizMsg::Check);
    assert_eq!(problem(&lab), Some(Problem::NoEvent));
    assert!(own(&lab) == before);
    // To look at another and come back opens none anew.
    let runs = lab.runs().len();
    lab.update(Msg::Show { run: 0 });
    send(&mut lab, QuizMsg::OpenRun);
    assert_eq!((lab.runs().len(), lab.picked()), (runs, Picked::Nothing));
    // What the reader does in it makes it another run.
    lab.update(Msg::Seek(TrueTime(30_000_000)));
    lab.update(Msg::Click(Do::Pause { node: "W2".to_owned(), for_ms: None }));
    assert_eq!(lab.picked(), Picked::OtherRun);
    let place = lab.runs().len() - 1;
    lab.update(Msg::Close { run: place });
    answer(&mut lab, Right::Yes);
    let events = checked(&lab).expect("it is checked").events.expect("events in words");
    assert_eq!(events.0, events.1);
    assert!(events.1.starts_with("51.556 s, W2: "), "{}", events.1);
}

#[test]
fn what_is_right_can_be_seen_in_the_run_and_in_the_changed_one() {
    let mut lab = asking("lease-end");
    send(&mut lab, QuizMsg::See(Sight::Asked));
    assert_eq!(lab.runs().len(), 1, "before the answer nothing is shown");
    answer(&mut lab, Right::No);
    send(&mut lab, QuizMsg::See(Sight::Asked));
    assert_eq!(lab.open().now().0 / 1_000, 51_502);
    let told = lab.selected().expect("the moment's event is selected");
    let said = crate::text::questions::why(&lab.open().past()[told.index()], lab.open().who());
    assert_eq!(said, "Why did the lease of W1 end?", "and not the grant of the same instant");
    send(&mut lab, QuizMsg::See(Sight::Changed));
    assert_eq!(lab.open().scenario().spec().lock.ttl_s, 20);
    assert_eq!(lab.open().now().0 / 1_000, 41_502);
    assert!(lab.quiz().asked().expect("a question").2.has_changed);
    assert_eq!(lab.runs()[0].number(), 1, "the reader's own is there");
}

/// Each question can be seen to happen, and so can what is changed in it.
#[test]
fn every_question_shows_its_moment_and_its_changed_run() {
    let mut lab = begun(Which::All);
    while lab.quiz().asked().is_some() {
        answer(&mut lab, Right::No);
        let question = question(&lab);
        send(&mut lab, QuizMsg::See(Sight::Asked));
        assert_eq!(*lab.open().run(), question.run().expect("a run"), "{}", question.id);
        assert_eq!(lab.open().now().0 / 1_000, question.at_ms, "{}", question.id);
        send(&mut lab, QuizMsg::See(Sight::Changed));
        assert_eq!(*lab.open().run(), question.changed_run().expect("a run"));
        if let (Kind::Event, Answer::Number(ms)) = (question.kind, &question.changed.answer) {
            assert_eq!(lab.open().now().0 / 1_000, *ms, "{}", question.id);
        }
        assert!(lab.runs().len() <= 3, "those of earlier questions make room");
        assert_eq!((lab.runs()[0].number(), lab.is_of_quiz(&lab.runs()[0])), (1, false));
        send(&mut lab, QuizMsg::Next);
    }
}

/// A run in which somebody has clicked is theirs, whoever opened it.
#[test]
fn a_run_of_a_question_that_somebody_goes_on_with_is_not_closed() {
    let mut lab = asking("lease-end");
    answer(&mut lab, Right::Yes);
    send(&mut lab, QuizMsg::See(Sight::Asked));
    assert!(lab.is_of_quiz(lab.open()));
    lab.update(Msg::Seek(TrueTime(60_000_000)));
    let pause = Do::Pause { node: "W2".to_owned(), for_ms: None };
    lab.update(Msg::Click(pause.clone()));
    assert!(!lab.is_of_quiz(lab.open()));
    send(&mut lab, QuizMsg::Next);
    answer(&mut lab, Right::Yes);
    send(&mut lab, QuizMsg::See(Sight::Asked));
    assert_eq!(lab.runs().len(), 3);
    assert!(lab.runs()[1].run().clicks.iter().any(|click| click.r#do == pause));
}

#[test]
fn a_question_for_a_line_shows_the_whole_program_in_its_order() {
    for id in ["line-draws-early", "line-get-then-put", "line-release-by-name"] {
        let lab = asking(id);
        let (_, question, asking) = lab.quiz().asked().expect("a question");
        let said = |line: &Line| match line {
            Line::Option(place) => question.options[*place].text.trim_matches('`').to_owned(),
            Line::Plain(line) => line.clone(),
        };
        let told: Vec<String> = asking.program.iter().map(said).collect();
        assert!(told.iter().any(|line| line.starts_with("let report = scan(")), "{told:?}");
        let take = told.iter().position(|line| line.starts_with("let lock = "));
        let put = told.iter().position(|line| line.starts_with("store.put("));
        assert!(take < put, "{told:?}");
        let options = asking.program.iter().filter(|line| matches!(line, Line::Option(_)));
        assert_eq!(options.count(), question.options.len(), "{id}");
    }
}

#[test]
fn a_round_can_be_ended_early_and_one_without_an_answer_was_none() {
    let mut lab = begun(Which::All);
    send(&mut lab, QuizMsg::End);
    assert_eq!(lab.quiz().round(), None);
    send(&mut lab, QuizMsg::Begin(Which::All));
    answer(&mut lab, Right::Yes);
    send(&mut lab, QuizMsg::End);
    assert!(lab.quiz().asked().is_none());
    assert_eq!(round(&lab).done.len(), 1);
    send(&mut lab, QuizMsg::Leave);
    assert_eq!(lab.quiz().round(), None);
    assert_eq!(lab.quiz().progress().answers().len(), 1);
}

#[test]
fn only_a_question_for_an_event_is_drawn_anew_with_the_lab() {
    let mut lab = asking("lease-end");
    let before = lab.quiz_outline();
    lab.update(Msg::ToEnd);
    lab.update(Msg::Select(Some(EventId(3))));
    assert_eq!(lab.quiz_outline(), before);
    let mut lab = asking("two-believe");
    send(&mut lab, QuizMsg::OpenRun);
    let before = lab.quiz_outline();
    lab.update(Msg::Select(Some(EventId(3))));
    assert_ne!(lab.quiz_outline(), before);
}

#[test]
fn lessons_that_were_finished_are_kept_with_the_answers_and_come_back() {
    let mut lab = opened();
    send(&mut lab, QuizMsg::Restore { text: "fencepost progress 1\nlesson unfenced\n".to_owned() });
    assert!(lab.lessons_done().contains("unfenced"));
    assert!(lab.quiz().progress().text().contains("lesson unfenced\n"));
}
