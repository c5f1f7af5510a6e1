//! Free work: the run is set otherwise, its workers and its clicks are changed, and all
//! of it is undone, by pointer and by keys.

use crate::page::{By, Page, dispatch, key, mount};
use fencepost::lab::{Msg, Speed};
use fencepost::scenario::clicks::Do;
use fencepost::sim::time::TrueTime;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlOptionElement;

/// The page with the bench open.
async fn mount_open(by: By) -> Page {
    let page = mount().await;
    page.press("Lab", by).await;
    unfold(&page);
    page
}

/// Opens every group: what is in one that is closed takes no focus.
fn unfold(page: &Page) {
    for group in page.all(".bench details") {
        group.set_attribute("open", "").expect("an attribute");
    }
}

/// Types into a field and leaves it.
async fn set(page: &Page, name: &str, value: &str, by: By) {
    page.fill(name, value, by).await;
    let field = page.find("input, select", name);
    if field.tag_name().eq_ignore_ascii_case("input") {
        dispatch(&field, "change");
        page.settle().await;
    }
}

fn spec(page: &Page) -> fencepost::scenario::spec::Spec {
    let handle = page.lab();
    let lab = handle.lab();
    lab.open().scenario().spec().clone()
}

#[wasm_bindgen_test]
async fn a_setting_is_typed_marked_and_reset() {
    for by in [By::Pointer, By::Keys] {
        let page = mount_open(by).await;
        set(&page, "TTL of the lease s", "12", by).await;
        assert_eq!(spec(&page).lock.ttl_s, 12);
        assert!(page.text(".bench-body").contains("1 setting differs from the scenario."));
        page.press("Reset TTL of the lease", by).await;
        assert_eq!(spec(&page).lock.ttl_s, 30);
        set(&page, "What it checks", "the job’s id", by).await;
        assert_eq!(spec(&page).store.rule, fencepost::actors::store::api::Rule::DedupeKey);
        page.press("Undo", by).await;
        page.press("Undo", by).await;
        page.press("Redo", by).await;
        assert_eq!(spec(&page).lock.ttl_s, 30, "the reset is done again");
        assert_eq!(page.lab().lab().warning(), None);
    }
}

#[wasm_bindgen_test]
async fn what_cannot_be_is_said_beside_its_field_and_changes_nothing() {
    let page = mount_open(By::Pointer).await;
    let before = spec(&page);
    for (value, said) in [
        ("four", "Give a whole number, as in 30."),
        ("4", "Not possible. etcd: `members` is 4, and has to be 1, 3, 5 or 7."),
    ] {
        set(&page, "Members", value, By::Pointer).await;
        assert_eq!(page.text(".bench-field [role=alert]"), said);
        let field: web_sys::HtmlInputElement = page.find("input", "Members").unchecked_into();
        assert_eq!(field.value(), value, "what was typed stays");
    }
    assert_eq!(spec(&page), before);
    set(&page, "Members", "5", By::Pointer).await;
    assert_eq!(spec(&page).etcd.members, 5);
    assert!(page.all(".bench-field [role=alert]").is_empty());
}

#[wasm_bindgen_test]
async fn workers_are_added_and_removed_and_their_programs_changed() {
    for by in [By::Pointer, By::Keys] {
        let page = mount_open(by).await;
        page.press("Add a worker like W2", by).await;
        assert_eq!(spec(&page).workers.len(), 3);
        unfold(&page);
        set(&page, "Step to add, W3", "check its deadline", by).await;
        page.press("Add step, W3", by).await;
        page.press_in("[aria-label='Program of W3']", "Move step 5, check its deadline, up", by)
            .await;
        let steps = spec(&page).workers[2].program.len();
        assert_eq!(steps, 6);
        page.press_in("[aria-label='Program of W3']", "Remove step 5, send the write", by).await;
        assert_eq!(spec(&page).workers[2].program.len(), 5);
        page.press("Remove W3", by).await;
        assert_eq!(spec(&page).workers.len(), 2);
        assert_eq!(page.lab().lab().warning(), None);
    }
}

#[wasm_bindgen_test]
async fn clicks_are_added_moved_changed_and_deleted() {
    for by in [By::Pointer, By::Keys] {
        let page = mount_open(by).await;
        page.send(Msg::Seek(TrueTime(25_000_000))).await;
        page.press("Add click", by).await;
        let pause = |ms| Do::Pause { node: "W1".to_owned(), for_ms: ms };
        assert_eq!(page.clicks(), [pause(Some(10_000))]);
        set(&page, "How much or how long: Pause, W1 s", "45", by).await;
        assert_eq!(page.clicks(), [pause(Some(45_000))]);
        page.press("Half a second earlier: Pause, W1", by).await;
        assert_eq!(at(&page), [24_500_000]);
        let focused = page.focused();
        assert_eq!(focused.as_deref(), Some("Half a second earlier: Pause, W1"));
        set(&page, "Moment of Pause, W1 s", "12.25", by).await;
        assert_eq!(at(&page), [12_250_000]);
        set(&page, "Moment of Pause, W1 s", "soon", by).await;
        assert_eq!(at(&page), [12_250_000], "that is no moment");
        page.press("Delete Pause, W1", by).await;
        assert_eq!(page.clicks(), []);
        page.press("Take the scenario’s clicks", by).await;
        assert_eq!(page.clicks(), [pause(Some(45_000))]);
    }
}

fn at(page: &Page) -> Vec<i64> {
    let handle = page.lab();
    let lab = handle.lab();
    lab.open().run().clicks.iter().map(|click| click.at_us).collect()
}

#[wasm_bindgen_test]
async fn a_copy_is_edited_beside_the_run_that_is_kept() {
    let page = mount_open(By::Pointer).await;
    set(&page, "TTL of the lease s", "12", By::Pointer).await;
    page.press("Keep this and edit a copy", By::Keys).await;
    set(&page, "TTL of the lease s", "13", By::Pointer).await;
    let handle = page.lab();
    let lab = handle.lab();
    let ttl: Vec<i64> = lab.runs().iter().map(|open| open.scenario().spec().lock.ttl_s).collect();
    assert_eq!(ttl, [12, 13]);
}

#[wasm_bindgen_test]
async fn another_scenario_is_chosen_and_eight_workers_have_their_cards() {
    let page = mount_open(By::Pointer).await;
    let title = "Eight workers queue, and the third sleeps through its lease";
    set(&page, "Scenario", title, By::Keys).await;
    assert_eq!(page.all(".workers .node").len(), 8);
    assert!(page.all(".picture").is_empty());
    let shapes: std::collections::BTreeSet<String> = page
        .elements(".workers .shape path")
        .iter()
        .filter_map(|path| path.get_attribute("d"))
        .collect();
    assert_eq!(shapes.len(), 8, "each has a shape of its own");
    page.send(Msg::Seek(TrueTime(5_000_000))).await;
    page.press("Pause 12 s, W3", By::Keys).await;
    assert_eq!(page.clicks(), [Do::Pause { node: "W3".to_owned(), for_ms: Some(12_000) }]);
    page.press("More faults… on W8", By::Keys).await;
    page.press("Pause W8", By::Keys).await;
    assert_eq!(page.clicks().len(), 2);
}

#[wasm_bindgen_test]
async fn the_keys_undo_only_where_no_text_has_the_focus() {
    let page = mount_open(By::Pointer).await;
    set(&page, "TTL of the lease s", "12", By::Pointer).await;
    let undo = |on: &str| crate::page::undo_keys(&page.find("input, button", on));
    undo("TTL of the lease s");
    page.settle().await;
    assert_eq!(spec(&page).lock.ttl_s, 12);
    undo("Undo");
    page.settle().await;
    assert_eq!(spec(&page).lock.ttl_s, 30);
    key(&page.button("Undo"), "z");
    page.settle().await;
    assert_eq!(spec(&page).lock.ttl_s, 30, "a letter alone does nothing");
}

/// What a list shows as chosen.
#[track_caller]
fn shown(page: &Page, name: &str) -> String {
    let select: web_sys::HtmlSelectElement = page.find("select", name).unchecked_into();
    let options: Vec<HtmlOptionElement> = (0..select.length())
        .filter_map(|place| select.item(place)?.dyn_into().ok())
        .filter(HtmlOptionElement::selected)
        .collect();
    options.iter().map(HtmlOptionElement::text).collect()
}

/// Once somebody has chosen by hand, a browser shows that until it is told otherwise.
#[wasm_bindgen_test]
async fn a_list_shows_what_the_run_has_whoever_has_changed_it() {
    let page = mount_open(By::Pointer).await;
    let service = "Lock service";
    let was = shown(&page, service);
    for other in ["Redlock", "ZooKeeper"] {
        set(&page, service, other, By::Pointer).await;
        assert_eq!(shown(&page, service), other);
    }
    page.press("Undo", By::Pointer).await;
    assert_eq!(shown(&page, service), "Redlock");
    page.press("Undo", By::Pointer).await;
    assert_eq!(shown(&page, service), was);
    page.press("Redo", By::Pointer).await;
    assert_eq!(shown(&page, service), "Redlock");
    let scenario = shown(&page, "Scenario");
    let other = "Eight workers queue, and the third sleeps through its lease";
    set(&page, "Scenario", other, By::Pointer).await;
    page.press("Undo", By::Pointer).await;
    assert_eq!(shown(&page, "Scenario"), scenario);
    assert_eq!(shown(&page, service), "Redlock");
    // A list elsewhere, and something else than the list that changes it.
    page.fill("Speed", "×2", By::Pointer).await;
    page.send(Msg::SetSpeed(Speed::default())).await;
    assert_eq!(shown(&page, "Speed"), "×1");
}
