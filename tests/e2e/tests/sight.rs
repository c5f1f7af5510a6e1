//! What is out of sight while a run plays is drawn once it is seen, or once the run stands.

use e2e::{Page, in_chrome, serve};
use serde_json::Value;

const DIAGRAM: &str = "document.querySelector('.head line').getAttribute('x1')";
const CLOCK: &str = "document.querySelector('#now').textContent";
/// It is always in sight.
const VERDICT: &str = "document.querySelector('.verdict').textContent";
const ROWS: &str = "document.querySelectorAll('#events ol li').length";

async fn wait_for_second(page: &Page, second: u32) {
    page.wait_until(&format!("parseFloat({CLOCK}) > {second}")).await;
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
        let (clock, verdict) = (page.value(CLOCK).await, page.value(VERDICT).await);
        wait_for_another(&page, VERDICT, &verdict).await;
        assert_eq!(page.value(DIAGRAM).await, diagram, "nobody sees it");
        assert_eq!(page.value(CLOCK).await, clock, "nor that");
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

#[tokio::test]
async fn no_list_that_is_opened_on_the_stage_reaches_past_the_windows_sides() {
    const BUTTONS: &str = ".stage-region [id$=\"-more\"]";
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        for (width, scenario) in
            [(820, "queue-of-eight"), (1000, "queue-of-eight"), (900, "redlock")]
        {
            page.resize(width, 900).await;
            page.open(&format!("{url}?scenario={scenario}")).await;
            page.see("#play").await;
            let count = page.value(&format!("document.querySelectorAll('{BUTTONS}').length")).await;
            let count = count.as_u64().expect("a number");
            assert!(count > 10, "{count}");
            for place in 0..count {
                let button = format!("document.querySelectorAll('{BUTTONS}')[{place}]");
                page.value(&format!("{button}.click()")).await;
                page.see(".faults").await;
                let reaches = "(({ left, right }) => left >= 0 && right <= innerWidth)";
                let list = "document.querySelector('.faults').getBoundingClientRect()";
                let is_within = page.value(&format!("{reaches}({list})")).await;
                assert_eq!(is_within, true, "{scenario}, {width} px, list {place}");
                page.value(&format!("{button}.click()")).await;
                page.wait_until("!document.querySelector('.faults')").await;
            }
        }
    })
    .await;
}
