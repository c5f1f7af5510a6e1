//! What stands on the stage when a question is gone.

use super::*;
use crate::actors::store::api::Rule;
use crate::scenario::Change;

/// What stands on the stage: the run's number, its moment, and all that are open.
fn stage(lab: &Lab) -> (u32, TrueTime, Vec<u32>) {
    let all = lab.runs().iter().map(Open::number).collect();
    (lab.open().number(), lab.open().now(), all)
}

#[test]
fn with_its_question_a_run_goes_from_the_stage_and_what_stood_there_before_comes_back() {
    let ways = [QuizMsg::Next, QuizMsg::End, QuizMsg::Leave, QuizMsg::Begin(Which::Mixed)];
    for way in ways {
        let mut lab = asking("lease-end");
        lab.update(Msg::Load { scenario: "refund".to_owned() });
        lab.update(Msg::Seek(TrueTime(12_000_000)));
        let before = stage(&lab);
        answer(&mut lab, Right::No);
        send(&mut lab, QuizMsg::See(Sight::Asked));
        send(&mut lab, QuizMsg::See(Sight::Changed));
        assert_ne!(stage(&lab), before);
        send(&mut lab, way.clone());
        assert_eq!(stage(&lab), before, "{way:?}");
    }
}

#[test]
fn who_turned_to_another_run_stays_there_and_it_plays_on_when_the_question_goes() {
    let mut lab = asking("lease-end");
    answer(&mut lab, Right::No);
    send(&mut lab, QuizMsg::See(Sight::Asked));
    lab.update(Msg::Load { scenario: "refund".to_owned() });
    lab.update(Msg::Play);
    let (playing, own) = (lab.playing(), lab.open().number());
    send(&mut lab, QuizMsg::Next);
    assert_eq!((lab.playing(), lab.open().number()), (playing, own));
    assert_eq!(stage(&lab).2, [1, own]);
}

#[test]
fn a_run_of_a_question_in_which_somebody_clicked_stays_on_the_stage() {
    let mut lab = asking("lease-end");
    answer(&mut lab, Right::No);
    send(&mut lab, QuizMsg::See(Sight::Asked));
    lab.update(Msg::Click(Do::Pause { node: "W2".to_owned(), for_ms: None }));
    let before = stage(&lab);
    send(&mut lab, QuizMsg::Next);
    assert_eq!((stage(&lab).0, stage(&lab).1), (before.0, before.1));
}

#[test]
fn a_run_of_the_readers_own_that_a_question_showed_is_kept_and_left() {
    let mut lab = asking("lease-end");
    let run = question(&lab).run().expect("a run");
    let link = crate::share::Link::to(&run).expect("a link");
    lab.update(Msg::OpenLink { fragment: link.fragment() });
    let own = lab.open().number();
    lab.update(Msg::Load { scenario: "refund".to_owned() });
    let before = stage(&lab);
    answer(&mut lab, Right::No);
    send(&mut lab, QuizMsg::See(Sight::Asked));
    assert_eq!(lab.open().number(), own);
    send(&mut lab, QuizMsg::Next);
    assert_eq!(stage(&lab), before);
}

#[test]
fn what_a_run_of_a_question_was_compared_with_does_not_stand_beside_the_readers() {
    let compare = |lab: &mut Lab, rule| {
        lab.update(Msg::Compare(Change::Rule(rule)));
        lab.beside().map(Open::number).expect("a second run")
    };
    let mut lab = asking("lease-end");
    lab.update(Msg::Load { scenario: "refund".to_owned() });
    answer(&mut lab, Right::No);
    let own = lab.open().number();
    let pairs = [None, Some(Rule::OwnerAndSequence)];
    for pair in pairs {
        let before = pair.map(|rule| compare(&mut lab, rule));
        send(&mut lab, QuizMsg::See(Sight::Asked));
        compare(&mut lab, Rule::AtLeast);
        send(&mut lab, QuizMsg::Next);
        assert_eq!(lab.open().number(), own);
        assert_eq!(lab.beside().map(Open::number), before);
        answer(&mut lab, Right::No);
    }
}
