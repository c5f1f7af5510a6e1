//! What the quiz tells others, and what it takes in.

use super::*;
use crate::lab::arrival::{Arrival, Opens};

#[test]
fn what_was_graded_is_given_out_once() {
    let mut lab = asking("lease-end");
    lab.take_answered();
    send(&mut lab, QuizMsg::Type { text: "55".to_owned() });
    send(&mut lab, QuizMsg::Sure(Some(Confidence::Fairly)));
    assert_eq!(lab.take_answered(), []);
    send(&mut lab, QuizMsg::Check);
    let expected = Answered {
        question: "lease-end".to_owned(),
        response: vec!["55000".to_owned()],
        right: false,
        confidence: Some("fairly".to_owned()),
    };
    assert_eq!(lab.take_answered(), [expected]);
    assert_eq!(lab.take_answered(), []);
}

#[test]
fn what_was_graded_says_options_by_id_and_an_event_by_its_moment() {
    for (id, expected) in [("stale-report-checked", "refuses"), ("two-believe", "51556")] {
        let mut lab = asking(id);
        lab.take_answered();
        answer(&mut lab, Right::Yes);
        let told = lab.take_answered().remove(0);
        assert_eq!((told.right, told.response), (true, vec![expected.to_owned()]));
        assert_eq!(told.confidence, None);
    }
}

#[test]
fn an_address_can_ask_for_one_question() {
    let arrival = Arrival { opens: Opens::Question("two-believe".to_owned()), ..<_>::default() };
    let mut lab = Lab::arrive(&arrival, None).expect("built in");
    lab.supply();
    assert_eq!(lab.quiz().side(), Side::Quiz);
    assert_eq!((question(&lab).id.as_str(), round(&lab).order.len()), ("two-believe", 1));
}

#[test]
fn what_was_kept_and_spoiled_is_named_and_the_lab_goes_on() {
    let mut lab = begun(Which::All);
    answer(&mut lab, Right::Yes);
    let before = lab.quiz().progress().clone();
    send(&mut lab, QuizMsg::Restore { text: "nonsense".to_owned() });
    assert!(lab.quiz().unread().is_some_and(|said| said.contains("does not begin with")));
    assert_eq!((lab.quiz().progress(), lab.quiz().keeping()), (&before, Keeping::No));
    let text = format!("{}oops\n", before.text());
    send(&mut lab, QuizMsg::Restore { text });
    assert!(lab.quiz().unread().is_some_and(|said| said.contains("oops")));
    assert_eq!(lab.quiz().progress().answers(), before.answers());
    assert_eq!(lab.quiz().keeping(), Keeping::Yes);
    assert!(lab.quiz().progress().text().ends_with("oops\n"), "it is written back");
    send(&mut lab, QuizMsg::Keep(Keeping::No));
    assert_eq!(lab.quiz().unread(), None);
}
