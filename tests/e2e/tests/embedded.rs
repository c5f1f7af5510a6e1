//! The page in frames of a page of another origin.

use e2e::{Page, in_chrome, serve};
use serde_json::{Value, json};

/// Opens a page of the host's with ours in it, from another origin.
async fn host(page: &Page, name: &str, host: &str, ours: &str) {
    page.open(&format!("{host}{name}?at={ours}")).await;
}

/// What the host has heard of a frame, of one type.
async fn heard(page: &Page, frame: &str, kind: &str) -> Vec<Value> {
    let all = page.value(&format!("heard.{frame}")).await;
    let all = all.as_array().cloned().unwrap_or_default();
    all.into_iter().filter(|message| message["type"] == kind).collect()
}

#[tokio::test]
async fn two_frames_tell_a_host_of_another_origin_how_high_they_are() {
    let ours = serve(|site| "/under/a/path/".clone_into(&mut site.prefix));
    let theirs = serve(|site| site.folder = e2e::pages());
    let (ours, theirs) = (ours.url(), theirs.url());
    in_chrome(async move |page| {
        page.resize(390, 800).await;
        host(&page, "two.html", &theirs, &ours).await;
        assert_eq!(page.value("innerWidth").await, 390);
        for frame in ["one", "two"] {
            page.wait_until(&format!("heard.{frame}.some((it) => it.type === 'height')")).await;
            let ready = &heard(&page, frame, "ready").await[0];
            assert_eq!(*ready, json!({ "source": "fencepost", "version": 1, "type": "ready" }));
            // Out of sight it would tell what comes later only when it is scrolled near.
            page.value(&format!("document.getElementById('{frame}').scrollIntoView()")).await;
            page.enter_frame(&format!("#{frame}")).await;
            page.see("main.embedded").await;
            if frame == "two" {
                // The question comes later, and the frame grows with it.
                page.find("#quiz-number").await;
            }
            assert_eq!(page.value("document.querySelectorAll('header').length").await, 0);
            // It shows all that it holds, once the host has heard of it.
            page.wait_until("document.documentElement.scrollHeight === innerHeight").await;
            page.leave_frame().await;
            let height = heard(&page, frame, "height").await.pop().expect("a height");
            let shown = format!("document.getElementById('{frame}').clientHeight");
            assert_eq!(page.value(&shown).await, height["height_px"], "{frame}");
            page.enter_frame(&format!("#{frame}")).await;
            let over = "document.documentElement.scrollWidth - innerWidth";
            assert!(page.value(over).await.as_i64() <= Some(0), "{frame} is not too wide");
            page.leave_frame().await;
        }
        // The second one asks what it was asked to ask, and tells what is answered.
        page.enter_frame("#two").await;
        let warnings = "document.querySelector('.warning').textContent";
        assert_eq!(page.value(warnings).await, "");
        let answer = "(it => { it.value = '43'; it.dispatchEvent(new Event('input', \
                      { bubbles: true })); })(document.getElementById('quiz-number'))";
        page.find("#quiz-number").await;
        page.value(answer).await;
        page.value("document.getElementById('quiz-check').click()").await;
        page.see("#quiz-word").await;
        page.leave_frame().await;
        page.wait_until("heard.two.some((it) => it.type === 'answered')").await;
        let answered = heard(&page, "two", "answered").await.remove(0);
        assert_eq!(answered["question"], "second-token");
        assert_eq!((&answered["right"], &answered["response"]), (&json!(true), &json!(["43"])));
        // The same content in half the width is higher, and the host learns of it.
        // Out of sight it would learn of it only when it is scrolled near.
        page.value("document.getElementById('one').scrollIntoView()").await;
        let before = heard(&page, "one", "height").await.len();
        page.value("document.getElementById('one').style.width = '320px'").await;
        page.wait_until(&format!(
            "heard.one.filter((it) => it.type === 'height').length > {before}"
        ))
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_host_that_speaks_h5p_sizes_the_frame() {
    let ours = serve(|_| {});
    let theirs = serve(|site| site.folder = e2e::pages());
    let (ours, theirs) = (ours.url(), theirs.url());
    in_chrome(async move |page| {
        host(&page, "h5p.html", &theirs, &ours).await;
        page.wait_until("actions.includes('resize')").await;
        // It may be asked more than once before it is told, for the content grows.
        let actions = page.value("[...new Set(actions)]").await;
        assert_eq!(actions, json!(["hello", "prepareResize", "resize"]));
        page.wait_until("actions.at(-1) === 'resize'").await;
        page.enter_frame("#one").await;
        let over = "document.documentElement.scrollHeight - innerHeight";
        assert_eq!(page.value(over).await, 0);
    })
    .await;
}

#[tokio::test]
async fn the_script_for_hosts_makes_an_element_that_sizes_itself() {
    let ours = serve(|_| {});
    let theirs = serve(|site| site.folder = e2e::pages());
    let (ours, theirs) = (ours.url(), theirs.url());
    in_chrome(async move |page| {
        host(&page, "element.html", &theirs, &ours).await;
        page.wait_until("told.includes('ready')").await;
        let frame = "document.querySelector('fencepost-lab').shadowRoot.querySelector('iframe')";
        page.wait_until(&format!("{frame}.style.height !== ''")).await;
        let address = page.value(&format!("{frame}.src")).await;
        assert_eq!(address, json!(format!("{ours}?embed=1&scenario=refund&theme=dark")));
        assert_eq!(page.value(&format!("{frame}.title")).await, "A refund, paid twice");
    })
    .await;
}

#[tokio::test]
async fn what_is_wrong_in_the_address_is_told_and_the_page_is_there() {
    let server = serve(|_| {});
    let url = format!("{}?theme=drak&scenario=refund", server.url());
    in_chrome(async move |page| {
        page.open(&url).await;
        let warning = page.text("[role=alert]").await;
        assert!(warning.contains("“theme” cannot be “drak”"), "{warning}");
        assert!(page.text(".goal").await.contains("refund"), "all else is as asked");
        page.open(&url.replace("drak", "dark")).await;
        page.see(".goal").await;
        assert_eq!(page.value("document.documentElement.dataset.theme").await, "dark");
    })
    .await;
}
