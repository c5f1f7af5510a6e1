//! Measurements, not tests: how long the main thread works for each frame while a run
//! plays, with the processor four times as slow.

use std::time::Duration;

use e2e::trace::{percentile, work_by_frame};
use e2e::{Page, in_traced_chrome, serve};

/// A frame that takes longer is seen to be late, milliseconds.
const LATE_MS: f64 = 33.3;

/// So long eight workers play: to the end would take minutes.
const EIGHT_PLAY: Duration = Duration::from_secs(15);

async fn press_marked(page: &Page, next: &str) {
    page.press_by_pointer("button.primary").await;
    // A test that looks more often would be measured too.
    page.wait_for_marked(next).await;
}

async fn tell(page: &Page, what: &str) {
    let frames = work_by_frame(&page.traced().await);
    assert!(frames.len() > 100, "{} frames", frames.len());
    let late = frames.iter().filter(|work| **work > LATE_MS).count();
    println!(
        "main-thread work a frame, Chromium, release, processor 4 times as slow, {what}: {} \
         frames, half below {:.1} ms, 95 % below {:.1} ms (target 16.7), {:.1} % above 33 ms \
         (target 1)",
        frames.len(),
        percentile(&frames, 50),
        percentile(&frames, 95),
        100.0 * late as f64 / frames.len() as f64
    );
}

#[tokio::test]
#[ignore = "`cargo xtask bench` runs it"]
async fn main_thread_work_a_frame() {
    let server = serve(|_| {});
    let url = server.url();
    let first = url.clone();
    in_traced_chrome(async move |page| {
        page.open(&first).await;
        page.see("button.primary").await;
        page.slow_down(4).await;
        press_marked(&page, "Pause").await;
        press_marked(&page, "Just run").await;
        press_marked(&page, "Check tokens").await;
        press_marked(&page, "Next lesson").await;
        tell(&page, "the first lesson and its second run").await;
    })
    .await;
    for (region, name) in [(".stage", "their cards in sight"), ("#diagram", "the diagram in sight")]
    {
        let url = url.clone();
        in_traced_chrome(async move |page| {
            eight_play(&page, &url, region).await;
            tell(&page, &format!("eight workers, {name}")).await;
        })
        .await;
    }
}

/// In a window as large as most are: what is out of sight is not drawn.
async fn eight_play(page: &Page, url: &str, region: &str) {
    page.resize(1440, 900).await;
    page.open(&format!("{url}?scenario=queue-of-eight")).await;
    page.see("#play").await;
    let shown = format!("document.querySelector('{region}').scrollIntoView({{ block: 'end' }})");
    page.value(&shown).await;
    page.slow_down(4).await;
    page.press_by_pointer("#play").await;
    tokio::time::sleep(EIGHT_PLAY).await;
}
