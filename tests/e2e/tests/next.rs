//! What is marked as the next thing to do is brought into sight when a run has come to its
//! end, unless the reader is elsewhere; and what the reader has pressed stays in sight.

use e2e::{Page, in_chrome, serve};
use serde_json::Value;

const IN_SIGHT: &str = "(it => it.top >= 0 && it.bottom <= innerHeight)\
                        (document.querySelector('button.primary').getBoundingClientRect())";

/// Presses what is marked until each of these is.
async fn go_on(page: &Page, until: &[&str]) {
    for next in until {
        page.press_by_pointer("button.primary").await;
        page.wait_for_marked(next).await;
    }
}

/// Goes on with the first lesson until a run plays to its end.
async fn just_run(page: &Page, url: &str) {
    page.open(url).await;
    page.see("button.primary").await;
    go_on(page, &["Pause", "Just run", "Stop"]).await;
}

/// Half as fast.
const SLOWLY: &str = "(it => { it.value = '1'; it.dispatchEvent(new Event('change', \
    { bubbles: true })); })(document.getElementById('speed'))";

/// Comes true once the page has not been scrolled for a while.
const AT_REST: &str = "new Promise((done) => { let [at, since] = [scrollY, Date.now()]; \
    const next = () => { if (scrollY !== at) [at, since] = [scrollY, Date.now()]; \
    if (Date.now() - since > 1200) done(true); else requestAnimationFrame(next); }; next(); })";

/// A reader scrolls far down, in several steps, as a hand does: of a single one, in whose frame the
/// page becomes higher, nobody can tell whose it is.
const SCROLLED_FAR_DOWN: &str = "new Promise((done) => { let left = 8; \
    document.querySelector('#events').scrollIntoView({ behavior: 'instant' }); \
    const next = () => { scrollBy({ top: left % 2 ? 20 : -20, behavior: 'instant' }); \
    left-- > 0 ? requestAnimationFrame(next) : done(true); }; requestAnimationFrame(next); })";

/// Waits for some frames in which nothing is drawn any more.
async fn wait_for_frames(page: &Page) {
    let frames = "new Promise((done) => { let left = 40; const next = () => \
                  left-- > 0 ? requestAnimationFrame(next) : done(true); next(); })";
    page.promised(frames).await;
}

#[tokio::test]
async fn after_just_run_the_next_thing_to_do_comes_into_sight_and_takes_no_focus() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        for (width, height) in [(1_440, 900), (390, 844)] {
            page.resize(width, height).await;
            just_run(&page, &url).await;
            page.wait_for_marked("Check tokens").await;
            page.wait_until(IN_SIGHT).await;
            // What is told above the diagram grows while this one plays.
            page.press_by_pointer("button.primary").await;
            page.wait_for_marked("Next lesson").await;
            page.wait_until(IN_SIGHT).await;
            assert_eq!(page.value("document.activeElement === document.body").await, true);
        }
    })
    .await;
}

#[tokio::test]
async fn what_was_pressed_stays_in_sight_while_the_run_goes_on() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        page.resize(1_440, 900).await;
        page.open(&format!("{url}#v=1&scenario=queue-of-eight")).await;
        page.see("button.primary").await;
        go_on(&page, &["Pause", "Just run", "Stop"]).await;
        page.promised(AT_REST).await;
        let stops = "document.querySelector('button.primary').textContent === 'Stop'";
        assert_eq!(page.value(stops).await, true, "it still plays");
        assert_eq!(page.value(IN_SIGHT).await, true);
    })
    .await;
}

#[tokio::test]
async fn what_the_lesson_asks_comes_into_sight_before_the_run_goes_on() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        for (width, height) in [(1_440, 900), (390, 844)] {
            page.resize(width, height).await;
            page.open(&url).await;
            page.see("button.primary").await;
            go_on(&page, &["Pause", "Just run"]).await;
            let asked = "(it => it.top >= 0 && it.bottom <= innerHeight)\
                         (document.querySelector('.lesson fieldset.quiz').getBoundingClientRect())";
            page.wait_until(asked).await;
        }
    })
    .await;
}

#[tokio::test]
async fn who_has_scrolled_while_it_played_stays_there() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        page.resize(390, 844).await;
        for by_wheel in [true, false] {
            just_run(&page, &url).await;
            // So that it still plays when the page has come to rest.
            page.value(SLOWLY).await;
            if by_wheel {
                page.value("document.dispatchEvent(new WheelEvent('wheel'))").await;
            } else {
                // As a bar is dragged, once the page has come to rest.
                page.promised(AT_REST).await;
            }
            page.promised(SCROLLED_FAR_DOWN).await;
            page.wait_for_marked("Check tokens").await;
            wait_for_frames(&page).await;
            assert_eq!(page.value(IN_SIGHT).await, false, "nobody is taken away");
        }
    })
    .await;
}

#[tokio::test]
async fn who_acts_by_keys_goes_where_the_focus_is() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        page.resize(390, 844).await;
        page.open(&url).await;
        page.see("#to-end").await;
        // From the transport: what is marked is far up.
        page.value("(it => { it.focus(); it.click(); })(document.getElementById('play'))").await;
        page.wait_for_marked("Pause").await;
        let before = page.value("scrollY").await;
        wait_for_frames(&page).await;
        assert_eq!(page.value("scrollY").await, before);
        assert_eq!(page.value("document.activeElement.id").await, "play");
    })
    .await;
}

#[tokio::test]
async fn what_is_opened_stands_by_its_button_which_stays_where_it_is_if_both_are_in_sight() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        for (width, height) in [(1_440, 900), (390, 844)] {
            page.resize(width, height).await;
            page.open(&url).await;
            page.see("#to-end").await;
            for id in ["link-W1-etcd", "link-M2-M3", "worker-W2", "store"] {
                let button = format!("document.getElementById('{id}-more')");
                let place = format!(
                    "(it => [it.left, it.top, it.bottom])({button}.getBoundingClientRect())"
                );
                page.run(&format!(
                    "{button}.scrollIntoView({{ block: 'center', behavior: 'instant' }})"
                ))
                .await;
                let before = page.value(&place).await;
                page.press_by_pointer(&format!("#{id}-more")).await;
                page.see(&format!("#{id}-faults")).await;
                wait_for_frames(&page).await;
                // Scrolled by no more than brings the list's end into sight.
                let after = page.value(&place).await;
                assert_eq!(after[0], before[0], "{id} at {width}");
                let top = |place: &Value| place[1].as_f64().expect("a place");
                let moved = top(&before) - top(&after);
                let end = format!(
                    "document.getElementById('{id}-faults').getBoundingClientRect().bottom"
                );
                let end = page.value(&end).await.as_f64().expect("a place") + moved;
                let needed = (end + 72.0 - f64::from(height)).max(0.0);
                assert!((-1.0..=needed + 1.0).contains(&moved), "{id} at {width}: {moved}");
                assert!(top(&after) >= 0.0, "{id} at {width}");
                let apart = format!(
                    "document.getElementById('{id}-faults').getBoundingClientRect().top - \
                     {button}.getBoundingClientRect().bottom"
                );
                let apart = page.value(&apart).await.as_f64().unwrap_or(-1.0);
                assert!((0.0..=20.0).contains(&apart), "{id} at {width}: {apart}");
                page.press_by_pointer(&format!("#{id}-more")).await;
            }
        }
    })
    .await;
}
