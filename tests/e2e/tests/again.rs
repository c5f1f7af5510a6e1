//! The page is loaded again: what was open is there again, where the browser keeps it.

use e2e::{Page, in_chrome, serve};
use serde_json::json;

/// The open runs, the one that is shown, and the moment.
const OPEN: &str = "[[...document.querySelectorAll('.runs .name')].map((it) => it.title), \
    document.querySelector('.runs .name[aria-current]')?.title ?? null, \
    document.querySelector('.clock')?.textContent ?? null]";

const TWO: &str = "document.querySelectorAll('.runs li').length === 2";
const ONE: &str = "document.querySelectorAll('.runs').length === 0";
const PAUSED: &str =
    "v=1&scenario=reconcile&click=25000000:pause(for_ms=45000,node=W1)&at=60000000";
const OTHER: &str = "v=1&scenario=redlock&at=3000000";

/// Opens two runs by links, and shows the first.
async fn open_two(page: &Page, url: &str) {
    page.open(&format!("{url}#{PAUSED}")).await;
    page.see("button.primary").await;
    page.value(&format!("void (location.hash = '{OTHER}')")).await;
    page.wait_until(TWO).await;
    page.press_by_pointer("#run-1").await;
    page.wait_until("document.querySelector('#run-1').ariaCurrent === 'true'").await;
}

#[tokio::test]
async fn two_runs_are_there_again_after_a_reload_and_after_going_away_and_back() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        open_two(&page, &url).await;
        let before = page.value(OPEN).await;
        assert_eq!(before[0].as_array().map(Vec::len), Some(2), "{before}");
        page.reload().await;
        page.wait_until(TWO).await;
        assert_eq!(page.value(OPEN).await, before);
        page.open("about:blank").await;
        page.back().await;
        page.wait_until(TWO).await;
        assert_eq!(page.value(OPEN).await, before);
        // A text that cannot be read is dropped with a word in the console.
        let spoil = "addEventListener('pagehide', () => sessionStorage.setItem(\
                     'fencepost-open ' + location.href, 'nonsense'))";
        page.value(spoil).await;
        page.reload().await;
        page.see("button.primary").await;
        assert_eq!(page.value(ONE).await, true);
        assert!(!page.is_seen("#failure").await);
        // What is opened anew begins anew.
        page.open("about:blank").await;
        open_two(&page, &url).await;
        page.open("about:blank").await;
        page.open(&url).await;
        page.see("button.primary").await;
        assert_eq!(page.value(ONE).await, true);
    })
    .await;
}

/// A frame without an origin has no storage; one that another page sizes keeps nothing.
#[tokio::test]
async fn where_nothing_is_kept_the_page_begins_as_its_address_says() {
    let server = serve(|site| site.open_to_all_origins = true);
    let host = serve(|site| site.folder = e2e::pages());
    let (url, host) = (server.url(), host.url() + "host.html");
    in_chrome(async move |page| {
        page.open_in_sandbox(&host, &url).await;
        page.see("button.primary").await;
        page.value(&format!("void (location.hash = '{PAUSED}')")).await;
        page.wait_until("document.querySelector('.clock').textContent.includes('60')").await;
        page.value("void location.reload()").await;
        page.see("button.primary").await;
        assert_eq!(page.value("document.querySelector('#failure').hidden").await, true);
        page.leave_frame().await;
        open_two(&page, &format!("{url}?embed=1")).await;
        page.reload().await;
        page.see("button.primary").await;
        assert_eq!(page.value("sessionStorage.length").await, json!(0));
        assert_eq!(page.value(ONE).await, true);
    })
    .await;
}
