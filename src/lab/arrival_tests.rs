//! What an address asks for, and what is told of its mistakes.

use super::*;

fn arrival(query: &str) -> Arrival {
    let ids = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
    let ids =
        Ids { scenarios: ids(&["reconcile", "refund"]), chapters: ids(&["leases-and-pauses"]) };
    Arrival::from_query(query, &ids)
}

#[track_caller]
fn check(query: &str, expected: Arrival) {
    assert_eq!(arrival(query), expected);
}

/// The mistakes of a query whose other parts are taken.
#[track_caller]
fn check_mistakes(query: &str, expected: &[&str]) {
    let mistakes = arrival(query).mistakes;
    let told: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    assert_eq!(told, expected);
}

#[test]
fn an_address_without_a_query_asks_for_nothing() {
    check("", Arrival::default());
}

#[test]
fn each_name_sets_its_own() {
    let place = Place::Embedded;
    check("embed=1", Arrival { place, ..Arrival::default() });
    let opens = Opens::Scenario("refund".to_owned());
    let theme = Theme::Dark;
    let speed = Speed::Half;
    let all = Arrival { place, opens, theme, speed, mistakes: Vec::new() };
    check("embed=1&scenario=refund&theme=dark&speed=0.5", all.clone());
    check("speed=0.5&theme=d%61rk&scenario=refund&embed=1", all);
    let opens = Opens::Chapter("leases-and-pauses".to_owned());
    check("chapter=leases-and-pauses", Arrival { opens, ..Arrival::default() });
    let opens = Opens::Question("second-token".to_owned());
    check("question=second-token", Arrival { opens, ..Arrival::default() });
}

#[test]
fn a_frame_shows_at_the_side_only_what_was_asked_for() {
    assert_eq!(arrival("scenario=refund").at_side(false), AtSide::Both);
    assert_eq!(arrival("embed=1&scenario=refund").at_side(false), AtSide::Nothing);
    assert_eq!(arrival("embed=1").at_side(true), AtSide::Nothing);
    assert_eq!(arrival("embed=1").at_side(false), AtSide::Lesson);
    assert_eq!(arrival("embed=1&chapter=leases-and-pauses").at_side(true), AtSide::Lesson);
    assert_eq!(arrival("embed=1&question=second-token").at_side(false), AtSide::Quiz);
}

#[test]
fn what_cannot_be_is_named_and_the_rest_is_taken() {
    let told = arrival("theme=drak&speed=2");
    assert_eq!((told.theme, told.speed), (Theme::System, Speed::Double));
    check_mistakes("theme=drak", &["“theme” cannot be “drak”; it can be light, dark, system"]);
    check_mistakes("speed=fast", &["“speed” cannot be “fast”; it can be 0.25, 0.5, 1, 2, 8"]);
    check_mistakes("embed", &["“embed” cannot be “”; it can be 1, 0"]);
    check_mistakes("scenario=x", &["“scenario” cannot be “x”; it can be reconcile, refund"]);
    let known = "embed, scenario, chapter, question, theme, speed";
    let told = format!("“colour” is nothing that the address can set; it can set {known}");
    check_mistakes("colour=dark", &[&told]);
    check_mistakes("theme=dark&theme=light", &["“theme” is there twice; the first counts"]);
}

#[test]
fn of_many_ids_those_most_like_what_was_named_are_listed() {
    let ids = Ids::all();
    let told = |query: &str| Arrival::from_query(query, &ids).mistakes[0].to_string();
    let others = ids.scenarios.len() - 3;
    for (wrong, meant) in [("object-lok", "object-lock"), ("Redlock", "redlock")] {
        let told = told(&format!("scenario={wrong}"));
        let like_it = format!("“scenario” cannot be “{wrong}”; it can be {meant}, ");
        assert!(told.starts_with(&like_it), "{told}");
        assert!(
            told.ends_with(&format!(
                ", or one of {others} others (docs/embedding.md lists them all)"
            )),
            "{told}"
        );
    }
}

#[test]
fn a_lesson_is_opened_by_its_id_and_a_chapter_on_its_first() {
    let all = [
        ("leases-and-pauses", (0, 0)),
        ("claim-first", (0, 1)),
        ("locks-in-redis", (1, 0)),
        ("majority", (1, 2)),
    ];
    for (id, place) in all {
        let arrival = Arrival::from_query(&format!("chapter={id}"), &Ids::all());
        assert_eq!(arrival.mistakes, []);
        let mut lab = Lab::arrive(&arrival, None).expect("built in");
        lab.supply();
        assert_eq!((lab.lesson().chapter, lab.lesson().place), place);
        assert_eq!(lab.runs().len(), 1);
        let first = &lab.lesson().lesson.runs[0];
        assert!(first.has_setup(lab.open().run()), "{id}");
    }
}

#[test]
fn what_is_wrong_with_the_address_and_with_the_run_behind_it_is_told_together() {
    let arrival = Arrival::from_query("theme=drak&scenario=refund", &Ids::all());
    let lab = Lab::arrive(&arrival, Some("v=9")).expect("built in");
    let told = lab.warning().expect("a warning");
    assert!(told.contains("“theme” cannot be “drak”") && told.contains("version 9"), "{told}");
    let lab = Lab::arrive(&arrival, Some("v=1&scenario=reconcile")).expect("built in");
    let ids: Vec<&str> = lab.runs().iter().map(|it| it.scenario().spec().id.as_str()).collect();
    assert_eq!(ids, ["refund", "reconcile"], "beside what was asked for");
    assert_eq!(lab.active(), 1);
}

#[test]
fn only_one_thing_is_opened() {
    let both = "“scenario” and “question” both say what to open; the first counts";
    check_mistakes("scenario=refund&question=second-token", &[both]);
    let told = arrival("scenario=refund&question=second-token");
    assert_eq!(told.opens, Opens::Scenario("refund".to_owned()));
    // One that cannot be opened does not stand in the way of one that can. Whether there
    // is a question is known later.
    let told = arrival("scenario=x&question=second-token");
    assert_eq!(told.opens, Opens::Question("second-token".to_owned()));
}

#[test]
fn the_documents_list_all_that_an_address_may_name() {
    let listed = include_str!("../../docs/embedding.md");
    let Ids { scenarios, chapters } = Ids::all();
    let quiz = crate::learn::quiz::quiz().expect("a test reads it");
    let questions = quiz.questions.iter().map(|question| question.id.clone());
    for id in scenarios.into_iter().chain(chapters).chain(questions) {
        assert!(listed.contains(&format!("`{id}`")), "{id}");
    }
}
