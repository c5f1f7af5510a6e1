//! The first minutes of somebody new: three clicks to the damage, one more to the
//! cure, and at every moment one thing that is marked as what to do next.

use crate::page::{By, Page, mount};
use fencepost::actors::store::api::Rule;
use fencepost::lab::{Msg, Playing};
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::Span;
use wasm_bindgen_test::wasm_bindgen_test;

#[track_caller]
fn expect_marked(page: &Page, name: &str) {
    assert_eq!(page.marked(), [name]);
}

#[wasm_bindgen_test]
async fn the_page_opens_with_its_goal_the_stage_and_one_marked_action() {
    let page = mount().await;
    assert_eq!(page.text("h1"), "Fencepost");
    let goal = "A worker that slept through its lease sends its report late, and the day is \
                settled twice.";
    assert_eq!(page.text(".goal h2"), goal);
    for name in ["W1", "W2", "Lock service", "Report store"] {
        page.find("article", name);
    }
    expect_marked(&page, "Start");
    assert_eq!(page.clicks(), []);
    assert!(page.lab().lab().open().is_at_start());
}

#[wasm_bindgen_test]
async fn three_clicks_bring_the_accepted_stale_write_and_one_more_its_refusal() {
    for by in [By::Pointer, By::Keys] {
        let page = mount().await;
        page.press("Start", by).await;
        expect_marked(&page, "Stop");
        page.play_out().await;
        assert_eq!(page.text("#now"), "25.000 s");
        expect_marked(&page, "Pause W1");
        page.press("Pause W1", by).await;
        let pause = Do::Pause { node: "W1".to_owned(), for_ms: Some(45_000) };
        assert_eq!(page.clicks(), std::slice::from_ref(&pause));
        expect_marked(&page, "Just run");
        page.press("Just run", by).await;
        page.play_out().await;
        let strip = |page: &Page| page.text(".verdict dl");
        assert!(strip(&page).contains("broken: a stale write was accepted"), "{}", strip(&page));
        let again = "Check tokens and run the same clicks again";
        expect_marked(&page, again);
        page.press(again, by).await;
        page.play_out().await;
        assert!(strip(&page).contains("kept"), "{}", strip(&page));
        assert_eq!(page.clicks(), [pause]);
        assert_eq!(page.lab().lab().runs().len(), 2);
        expect_marked(&page, "Next lesson: Claim before you read");
    }
}

#[wasm_bindgen_test]
async fn the_run_is_made_again_from_the_store_with_the_check_on_and_off() {
    let page = mount().await;
    let rule = |page: &Page| page.lab().lab().open().scenario().spec().store.rule;
    page.press("Run again with the check on", By::Keys).await;
    assert_eq!(rule(&page), Rule::OwnerAndSequence);
    page.play_out().await;
    page.press("Run again with the check off", By::Pointer).await;
    assert_eq!(rule(&page), Rule::None);
    assert_eq!(page.lab().lab().runs().len(), 3);
}

#[wasm_bindgen_test]
async fn belief_stands_beside_truth_on_the_card() {
    let page = mount().await;
    page.press("Start", By::Pointer).await;
    page.play_out().await;
    let card = |page: &Page, name: &str| {
        page.find("article", name).text_content().expect("a card has a text")
    };
    assert!(card(&page, "W1").contains("Holds the lock"));
    assert!(card(&page, "W2").contains("Waits in the queue"));
    page.press("Pause W1", By::Pointer).await;
    assert!(card(&page, "W1").contains("Paused"), "a click shows at once");
    page.send(Msg::Seek(fencepost::sim::time::TrueTime(60_000_000))).await;
    let w1 = card(&page, "W1");
    assert!(w1.contains("Wrongly believes it holds the lock"), "{w1}");
    assert!(w1.contains("token 42") && w1.contains("passed "), "{w1}");
    let w2 = card(&page, "W2");
    assert!(w2.contains("Holds the lock") && w2.contains("token 43"), "{w2}");
    let service = card(&page, "Lock service");
    for part in ["granted to W2", "members 3 of 3", "leader M1", "43 holds"] {
        assert!(service.contains(part), "{part}: {service}");
    }
    let store = card(&page, "Report store");
    assert!(store.contains("highest seen none") && store.contains("0 of 2.0 M"), "{store}");
}

#[wasm_bindgen_test]
async fn the_verdict_leads_to_what_broke_the_promise() {
    let page = mount().await;
    page.send(Msg::Seek(fencepost::sim::time::TrueTime(25_000_000))).await;
    page.press("Pause W1", By::Pointer).await;
    page.send(Msg::ToEnd).await;
    page.press("broken: a stale write was accepted: go to that moment", By::Keys).await;
    let handle = page.lab();
    let lab = handle.lab();
    let event = lab.selected().expect("an event is selected");
    let text = fencepost::text::en::event(&lab.open().past()[event.index()], lab.open().who());
    assert!(text.starts_with("PUT 42 accepted"), "{text}");
}

#[wasm_bindgen_test]
async fn the_status_line_tells_turns_of_events_and_not_ticks() {
    let page = mount().await;
    assert_eq!(page.all("[role=status]").len(), 1);
    assert_eq!(page.text("#status"), "Nothing has happened yet.");
    page.press("Start", By::Pointer).await;
    page.play_out().await;
    page.press("Pause W1", By::Pointer).await;
    let click = "25.0 s: Click: pause W1 for 45 s.";
    // The question comes with it, and the words stay while nothing turns.
    let said = page.text("#status");
    assert!(said.starts_with(click) && said.contains("The lesson asks: W1 wakes"), "{said}");
    page.send(Msg::Seek(fencepost::sim::time::TrueTime(30_000_000))).await;
    assert_eq!(page.text("#status"), said, "nothing has turned");
    page.send(Msg::Seek(fencepost::sim::time::TrueTime(10_000_000))).await;
    assert!(page.text("#status").starts_with("Run 1 at 10.0 s. "), "{}", page.text("#status"));
}

#[wasm_bindgen_test]
async fn while_it_plays_the_status_line_speaks_no_more_than_once_in_thirty_frames() {
    let page = mount().await;
    page.press("Start", By::Pointer).await;
    let (mut frames, mut said) = (0, vec![page.text("#status")]);
    while page.lab().lab().playing() != Playing::No {
        page.send(Msg::Tick { elapsed: Span::from_ms(33) }).await;
        frames += 1;
        let now = page.text("#status");
        if said.last() != Some(&now) {
            said.push(now);
        }
    }
    // Its first words, and its last ones when the run stops.
    let at_most = frames / 30 + 3;
    assert!(said.len() > 1 && said.len() <= at_most, "{frames} frames: {said:#?}");
    let seen = page.text(".status");
    assert!(said.last().is_some_and(|last| last.ends_with(&seen)), "{seen}: {said:#?}");
}

#[wasm_bindgen_test]
async fn nothing_is_drawn_while_nothing_happens() {
    let page = mount().await;
    page.press("Start", By::Pointer).await;
    page.play_out().await;
    let draws = page.draws();
    for _ in 0..5 {
        page.settle().await;
    }
    assert_eq!(page.draws(), draws);
}

#[wasm_bindgen_test]
async fn several_messages_at_once_are_drawn_once() {
    let page = mount().await;
    let draws = page.draws();
    for _ in 0..10 {
        page.lab().send(Msg::Step);
    }
    page.settle().await;
    assert_eq!(page.draws(), draws + 1);
}
