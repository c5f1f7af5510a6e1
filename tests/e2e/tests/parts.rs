//! The program comes in two parts: chapter 1 needs the first alone, and what is used before
//! the rest is there is done once it is.

use std::fs;

use e2e::{Page, Without, dist, in_chrome, serve};
use serde_json::Value;
use xtask::parts::rest_in;

/// How the rest was fetched: `fetch` where it came by itself, `xmlhttprequest` where the
/// program stood still for it.
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
    let site = Without::new(&rest());
    in_chrome(async move |page| {
        page.resize(1_440, 900).await;
        page.open(&site.url).await;
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
}

#[tokio::test]
async fn what_can_be_done_on_the_stage_of_chapter_1_needs_no_rest_either() {
    let site = Without::new(&rest());
    in_chrome(async move |page| {
        page.open(&site.url).await;
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
}

/// Presses one of many, and whether it is there.
fn press_nth(selector: &str, place: usize) -> String {
    format!(
        "(it => {{ it?.click(); return !!it; }})(document.querySelectorAll('{selector}')[{place}])"
    )
}

/// Presses each button that can be seen but the marked one, and chooses something else from each
/// list; says how many. Pressing one may bring others.
const PRESS_ALL: &str = "(() => { \
    const all = () => [...document.querySelectorAll('button:not(.primary), select')]\
        .filter((it) => it.checkVisibility()); \
    let used = 0; \
    for (let it; used < 400 && (it = all()[used]); used += 1) { \
        if (it.localName === 'button') { it.click(); document.querySelector('dialog[open]')?.close(); } \
        else { it.selectedIndex = it.options.length - 1; \
            it.dispatchEvent(new Event('change', { bubbles: true })); } \
    } \
    return used; })()";

#[tokio::test]
async fn whatever_is_used_before_the_rest_is_there_stops_nothing() {
    let site = Without::new(&rest());
    in_chrome(async move |page| {
        page.resize(1_440, 900).await;
        page.open(&site.url).await;
        page.see("button.primary").await;
        page.value(QUICKLY).await;
        for marked in ["Start", "Pause", "Just run", "Check tokens"] {
            page.wait_for_marked(marked).await;
            page.press_by_pointer("button.primary").await;
        }
        page.wait_for_marked("Next lesson").await;
        let used = page.value(PRESS_ALL).await.as_u64().unwrap_or_default();
        assert!(used > 60, "{used}");
        page.wait_until("document.getElementById('waiting').textContent.includes('HTTP 404')")
            .await;
        assert!(!how(&page).await.contains("xmlhttprequest"));
        assert!(!page.is_seen("#failure").await, "{:#?}", page.errors().await);
    })
    .await;
}

#[tokio::test]
async fn what_is_pressed_before_the_rest_can_be_had_is_done_once_it_can() {
    let site = Without::new(&rest());
    in_chrome(async move |page| {
        page.open(&site.url).await;
        page.find("#show-quiz").await;
        page.press_by_pointer("#show-quiz").await;
        page.wait_until("document.getElementById('waiting').textContent.includes('HTTP 404')")
            .await;
        assert_eq!(page.value("document.querySelector('.quiz-rounds')").await, Value::Null);
        site.put_back(b"");
        page.find("#show-quiz").await;
        page.press_by_pointer("#show-quiz").await;
        page.see(".quiz-rounds button").await;
        assert_eq!(page.value("document.getElementById('waiting').textContent").await, "");
        assert!(!how(&page).await.contains("xmlhttprequest"));
    })
    .await;
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
async fn the_rest_of_the_program_comes_by_itself_once_the_page_stands() {
    let server = serve(|site| "/some/where/".clone_into(&mut site.prefix));
    let url = server.url();
    in_chrome(async move |page| {
        for asked in ["", "?embed=1&theme=dark&speed=2"] {
            page.open(&format!("{url}{asked}")).await;
            page.see("button.primary").await;
            page.wait_until(&format!("({HOW}) === 'fetch'")).await;
        }
        page.open(&url).await;
        page.find("#show-quiz").await;
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
async fn keys_that_do_nothing_yet_need_no_rest() {
    let site = Without::new(&rest());
    in_chrome(async move |page| {
        page.open(&site.url).await;
        page.see("button.primary").await;
        let press = "document.querySelectorAll('.diagram, .diagram-box, .bench, .transport')\
            .forEach((it) => ['Tab', 'ArrowLeft', 'Home', 'End', 'Enter', 'Delete', '+', 'x']\
                .forEach((key) => it.dispatchEvent(\
                    new KeyboardEvent('keydown', { key, bubbles: true }))))";
        page.value(press).await;
        page.run("document.getElementById('zoom-out').focus()").await;
        page.press_letter('x').await;
        assert!(!how(&page).await.contains("xmlhttprequest"));
        assert!(!page.is_seen("#failure").await, "{:#?}", page.errors().await);
    })
    .await;
}

#[tokio::test]
async fn what_was_open_before_a_reload_stays_kept_where_the_rest_cannot_be_had() {
    let site = Without::new(&rest());
    in_chrome(async move |page| {
        page.open(&site.url).await;
        page.see("button.primary").await;
        let kept = "sessionStorage['fencepost-open ' + location.href]";
        page.run(&format!("{kept} = 'fencepost-open 1'")).await;
        page.reload().await;
        page.see("button.primary").await;
        assert_eq!(page.value(kept).await, "fencepost-open 1");
        assert!(!page.is_seen("#failure").await, "{:#?}", page.errors().await);
    })
    .await;
}

/// An address that no control has to be used for.
const ELSEWHERE: &str = "location.hash = 'v=1&scenario=none'";

#[tokio::test]
async fn what_is_called_unforeseen_waits_for_the_rest() {
    let site = Without::new(&rest());
    in_chrome(async move |page| {
        page.open(&site.url).await;
        page.wait_until(&format!("({HOW}) === 'fetch'")).await;
        site.put_back(b"");
        page.run(ELSEWHERE).await;
        page.wait_until(&format!("({HOW}) === 'fetch,xmlhttprequest'")).await;
        page.see(".warning span").await;
        assert!(!page.is_seen("#failure").await, "{:#?}", page.errors().await);
    })
    .await;
}

#[tokio::test]
async fn a_rest_that_cannot_be_had_then_is_told_with_what_to_do_and_asked_for_no_more() {
    let site = Without::new(&rest());
    in_chrome(async move |page| {
        page.open(&site.url).await;
        page.see("button.primary").await;
        page.run(ELSEWHERE).await;
        page.run("location.hash = 'v=1&scenario=nor-this'").await;
        page.see("#failure").await;
        let told = page.text("#failure-detail").await;
        assert!(told.contains("could not be loaded (HTTP 404); load the page again"), "{told}");
        let asked = how(&page).await.matches("xmlhttprequest").count();
        assert_eq!(asked, 1);
    })
    .await;
}
