//! What is marked as the next thing to do is brought into sight when a run has come to its
//! end, unless the reader is elsewhere.

use e2e::{Page, in_chrome, serve};

const IN_SIGHT: &str = "(it => it.top >= 0 && it.bottom <= innerHeight)\
                        (document.querySelector('button.primary').getBoundingClientRect())";

/// Goes on with the first lesson until a run plays to its end, with the diagram in sight.
async fn just_run(page: &Page, url: &str) {
    page.open(url).await;
    page.see("button.primary").await;
    for next in ["Pause", "Just run", "Stop"] {
        page.press_by_pointer("button.primary").await;
        page.wait_for_marked(next).await;
    }
    let diagram = "(it => it.top < innerHeight && it.bottom > 0)\
                   (document.getElementById('diagram').getBoundingClientRect())";
    page.wait_until(diagram).await;
}

/// Half as fast.
const SLOWLY: &str = "(it => { it.value = '1'; it.dispatchEvent(new Event('change', \
    { bubbles: true })); })(document.getElementById('speed'))";

/// Comes true once the page has not been scrolled for a while.
const AT_REST: &str = "new Promise((done) => { let [at, since] = [scrollY, Date.now()]; \
    const next = () => { if (scrollY !== at) [at, since] = [scrollY, Date.now()]; \
    if (Date.now() - since > 1200) done(true); else requestAnimationFrame(next); }; next(); })";

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
            let there = "document.querySelector('#events').scrollIntoView({ behavior: 'instant' })";
            page.run(there).await;
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
