//! What is out of sight while a run plays is drawn once it is seen, or once the run stands.

use e2e::{Page, in_chrome, serve};
use serde_json::Value;

const DIAGRAM: &str = "document.querySelector('.head line').getAttribute('x1')";
const ROWS: &str = "document.querySelectorAll('#events ol li').length";

async fn wait_for_second(page: &Page, second: u32) {
    let now = "parseFloat(document.querySelector('#now').textContent)";
    page.wait_until(&format!("{now} > {second}")).await;
}

async fn wait_for_another(page: &Page, expression: &str, than: &Value) {
    page.wait_until(&format!("{expression} !== {than}")).await;
}

/// In a window that the diagram alone fills.
async fn open_queue(page: &Page, url: &str) {
    page.resize(800, 460).await;
    page.open(&format!("{url}?scenario=queue-of-eight")).await;
    page.see("#play").await;
}

#[tokio::test]
async fn what_is_out_of_sight_follows_when_it_is_seen_and_when_the_run_stands() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        open_queue(&page, &url).await;
        // As keys do it: the page stays where it is.
        page.value("document.querySelector('#play').click()").await;
        let (diagram, rows) = (page.value(DIAGRAM).await, page.value(ROWS).await);
        wait_for_second(&page, 3).await;
        assert_eq!(page.value(DIAGRAM).await, diagram, "nobody sees it");
        page.value("document.querySelector('#diagram').scrollIntoView({ block: 'center' })").await;
        wait_for_another(&page, DIAGRAM, &diagram).await;
        assert_eq!(page.value(ROWS).await, rows, "the list is still out of sight");
        page.value("document.querySelector('#play').click()").await;
        wait_for_another(&page, ROWS, &rows).await;
        page.wait_until("document.querySelectorAll('#events [aria-current]').length === 1").await;
        let in_box = "(row => { const box = row.closest('.events-box').getBoundingClientRect(); \
                      const at = row.getBoundingClientRect(); \
                      return at.top >= box.top - 1 && at.bottom <= box.bottom + 1; })";
        let current = "document.querySelector('#events [aria-current]')";
        page.wait_until(&format!("{in_box}({current})")).await;
    })
    .await;
}

#[tokio::test]
async fn the_scale_under_the_scrubber_follows_a_run_that_plays_on_past_it() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        open_queue(&page, &url).await;
        page.value("document.querySelector('#diagram').scrollIntoView({ block: 'start' })").await;
        page.value("document.querySelector('#play').click()").await;
        wait_for_second(&page, 3).await;
        // Round moments: the last one is never far below what has been run.
        let last = "[...document.querySelectorAll('.scale text')].at(-1)?.textContent ?? '0'";
        let both =
            format!("[parseFloat({last}), parseFloat(document.querySelector('#now').textContent)]");
        let found = page.value(&both).await;
        let (last, now) = (found[0].as_f64().unwrap_or(0.0), found[1].as_f64().unwrap_or(0.0));
        assert!(now < 5.0, "it still plays: once it stands all is drawn");
        assert!(last >= now / 2.0, "the scale ends at {last} s, at {now} s");
    })
    .await;
}

/// On a phone it makes room for itself, and covers nothing of how the run stands.
#[tokio::test]
async fn a_list_of_faults_that_is_opened_low_on_the_page_comes_into_sight() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        for (width, height) in [(390, 844), (1_440, 900)] {
            page.resize(width, height).await;
            page.open("about:blank").await;
            page.open(&url).await;
            page.see("#link-W1-etcd-more").await;
            let low = "document.querySelector('#link-W1-etcd-more').scrollIntoView(\
                       { block: 'end', behavior: 'instant' })";
            page.value(low).await;
            page.press_by_pointer("#link-W1-etcd-more").await;
            let seen = "(it => { const at = it.getBoundingClientRect(); \
                        return at.top >= 0 && at.bottom <= innerHeight; })";
            page.wait_until(&format!("{seen}(document.querySelector('#link-W1-etcd-faults'))"))
                .await;
            assert_eq!(
                page.value(&format!("{seen}(document.querySelector('#link-W1-etcd-more'))")).await,
                true
            );
            let strip = "(it => { const at = it.getBoundingClientRect(); \
                         return it.contains(document.elementFromPoint(at.left + at.width / 2, \
                         at.top + at.height / 2)); })(document.querySelector('.verdict'))";
            if width == 390 {
                assert_eq!(page.value(strip).await, true, "the strip is covered");
            }
        }
    })
    .await;
}
