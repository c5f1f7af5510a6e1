//! The page is opened on a run: the lesson that plays its scenario stands beside it, or none.

use crate::lab::arrival::{Arrival, Ids};
use crate::lab::{Lab, Msg};
use crate::sim::time::TrueTime;

fn opened(query: &str, link: Option<&str>) -> Lab {
    Lab::arrive(&Arrival::from_query(query, &Ids::all()), link).expect("built in")
}

/// The lesson's place beside what is opened, once it has come.
#[track_caller]
fn check(query: &str, link: Option<&str>, expected: Option<(usize, usize)>) {
    let mut lab = opened(query, link);
    let run = lab.open().run().clone();
    lab.supply();
    let stands = lab.lesson();
    let place = lab.is_lesson_begun().then_some((stands.chapter, stands.place));
    assert_eq!(place, expected, "{query} {link:?}");
    assert_eq!(place.is_some(), lab.tells_of(lab.open()), "{query} {link:?}");
    assert_eq!((lab.runs().len(), lab.open().run()), (1, &run), "{query} {link:?}");
}

#[test]
fn a_scenario_stands_under_the_lesson_that_plays_it_or_under_none() {
    check("scenario=reconcile-unfenced", None, Some((0, 0)));
    check("scenario=reconcile", None, Some((0, 0)));
    check("scenario=slow-clock", None, Some((0, 4)));
    check("scenario=redlock", None, Some((1, 2)));
    check("scenario=outbox", None, Some((4, 2)));
    check("scenario=refund", None, None);
    check("", Some("v=1&scenario=redlock"), Some((1, 2)));
    check("", Some("v=1&scenario=refund"), None);
}

#[test]
fn from_none_the_way_leads_to_the_first_lesson_and_back() {
    let mut lab = opened("scenario=refund", None);
    lab.update(Msg::Chapter { place: 0 });
    assert!(lab.is_lesson_begun() && lab.tells_of(lab.open()));
    assert_eq!(lab.runs().len(), 2, "nothing is thrown away");
    lab.update(Msg::Show { run: 0 });
    assert_eq!(lab.open().scenario().spec().id, "refund");
}

#[test]
fn who_begins_before_the_lesson_has_come_goes_on_in_it() {
    let mut lab = opened("scenario=redlock", None);
    assert_eq!(lab.awaited_chapter(), Some(1));
    lab.update(Msg::Seek(TrueTime(1_000_000)));
    lab.supply();
    assert_eq!((lab.lesson().chapter, lab.lesson().place), (1, 2));
    assert_eq!((lab.runs().len(), lab.open().now()), (1, TrueTime(1_000_000)));
}

/// In a frame no lesson stands beside it, so none is fetched.
#[test]
fn in_a_frame_no_lesson_is_fetched() {
    assert_eq!(opened("embed=1&scenario=redlock", None).take_wanted(), []);
}
