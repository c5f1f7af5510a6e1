//! The program comes in two parts: chapter 1 needs the first alone, and nobody waits for the
//! rest who has touched the page before.

use std::fs;

use e2e::{Copied, Page, dist, in_chrome, serve};
use xtask::parts::rest_in;

/// How the rest was fetched: `fetch` where it came by itself, `xmlhttprequest` where the
/// program waited for it.
const HOW: &str = "performance.getEntriesByType('resource')\
    .filter((it) => it.name.includes('fencepost-rest-')).map((it) => it.initiatorType).join()";

/// What a run of chapter 1 needs to be short.
const QUICKLY: &str = "(it => { it.value = '4'; it.dispatchEvent(new Event('change', \
    { bubbles: true })); })(document.getElementById('speed'))";

/// What is marked in chapter 1 one after the other, but for *Stop* and what it is over.
const CHAPTER: [&str; 14] = [
    "Start",
    "Pause",
    "Just run",
    "Check tokens",
    "Next lesson",
    "Start",
    "Pause",
    "Just run",
    "Let W2 claim first",
    "Next lesson",
    "Start",
    "Cut W1 off",
    "Just run",
    "Begin a run of your own",
];

/// Answers what is asked, with the first option.
const ANSWER: &str = "document.querySelectorAll('.lesson fieldset').forEach((it) => \
    it.querySelector('input:checked') || it.querySelector('input[type=radio]')?.click())";

fn rest() -> String {
    let page = fs::read_to_string(dist().join("index.html")).expect("built");
    rest_in(&page).expect("the page names the rest of its program").to_owned()
}

async fn how(page: &Page) -> String {
    page.value(HOW).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn chapter_1_is_gone_through_without_the_rest_of_the_program() {
    let copy = Copied::new("first-part");
    copy.take_away(&rest());
    let folder = copy.folder();
    let server = serve(|site| site.folder = folder);
    let url = server.url();
    in_chrome(async move |page| {
        page.resize(1_440, 900).await;
        page.open(&url).await;
        page.see("button.primary").await;
        page.value(QUICKLY).await;
        for marked in CHAPTER {
            page.wait_for_marked(marked).await;
            page.value(ANSWER).await;
            page.press_by_pointer("button.primary").await;
        }
        page.wait_for_marked("Start").await;
        assert!(!page.is_seen("#failure").await, "{:#?}", page.errors().await);
    })
    .await;
    drop(copy);
}

#[tokio::test]
async fn what_can_be_done_on_the_stage_of_chapter_1_needs_no_rest_either() {
    let copy = Copied::new("stage");
    copy.take_away(&rest());
    let folder = copy.folder();
    let server = serve(|site| site.folder = folder);
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        page.see("button.primary").await;
        for selector in [".stage-region button", ".transport button", "#diagram button"] {
            // Pressing one may bring others.
            let mut pressed = 0;
            while page.value(&press_nth(selector, pressed)).await == true {
                pressed += 1;
                assert!(!page.is_seen("#failure").await, "{selector}, press {pressed}");
            }
            assert!(pressed > 4, "{selector}: {pressed}");
        }
    })
    .await;
    drop(copy);
}

/// Presses one of many, and whether it is there.
fn press_nth(selector: &str, place: usize) -> String {
    format!(
        "(it => {{ it?.click(); return !!it; }})(document.querySelectorAll('{selector}')[{place}])"
    )
}

#[tokio::test]
async fn who_keeps_progress_waits_for_no_rest() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        page.see("button.primary").await;
        page.run("localStorage.setItem('fencepost-progress', '')").await;
        page.open(&url).await;
        page.see("button.primary").await;
        assert_eq!(how(&page).await, "fetch");
    })
    .await;
}

#[tokio::test]
async fn the_rest_of_the_program_comes_once_the_page_is_touched_and_not_before() {
    let server = serve(|site| "/some/where/".clone_into(&mut site.prefix));
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        page.see("button.primary").await;
        assert_eq!(how(&page).await, "", "on the first visit");
        page.open(&format!("{url}?embed=1&theme=dark&speed=2")).await;
        page.see("button.primary").await;
        assert_eq!(how(&page).await, "", "in a frame");
        page.open(&url).await;
        page.see("button.primary").await;
        page.press_letter('x').await;
        page.wait_until(&format!("({HOW}) !== ''")).await;
        page.press_by_pointer("#show-quiz").await;
        page.see(".quiz-rounds button").await;
        assert_eq!(how(&page).await, "fetch");
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn an_address_that_asks_for_more_has_the_whole_program_fetched() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        for asked in ["?scenario=redlock", "?chapter=3", "?question=second-token"] {
            page.open(&format!("{url}{asked}")).await;
            page.see("#app h1").await;
            page.wait_until(
                "document.querySelectorAll('.node, .card').length > 0 || \
                             document.querySelector('.stage') !== null",
            )
            .await;
            assert_eq!(how(&page).await, "fetch", "{asked}");
        }
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn what_is_in_the_rest_is_waited_for_if_nobody_had_it_fetched() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        page.find("#show-quiz").await;
        // As a screen reader presses it: neither a pointer nor a key is seen.
        page.value("document.getElementById('show-quiz').click()").await;
        page.see(".quiz-rounds button").await;
        assert_eq!(how(&page).await, "xmlhttprequest");
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_rest_that_cannot_be_had_is_told_with_what_to_do() {
    let copy = Copied::new("no-rest");
    copy.take_away(&rest());
    let folder = copy.folder();
    let server = serve(|site| site.folder = folder);
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        page.find("#show-quiz").await;
        page.run("document.getElementById('show-quiz').click()").await;
        let told = page.text("#failure-detail").await;
        assert!(told.contains("could not be loaded (HTTP 404); load the page again"), "{told}");
    })
    .await;
    drop(copy);
}
