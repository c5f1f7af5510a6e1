//! The page starts wherever it is put, and says so calmly where it cannot.

use std::fs;
use std::path::PathBuf;

use e2e::{Page, dist, in_chrome, serve};

/// The heading that the program itself shows.
const HEADING: &str = "#app h1";
/// What index.html holds for when the program does not run.
const PANEL: &str = "#failure";

async fn expect_running(page: &Page) {
    assert_eq!(page.text(HEADING).await, "Fencepost");
    assert!(!page.is_seen(PANEL).await, "the failure panel is seen beside the running program");
}

#[tokio::test]
async fn the_page_starts_under_a_path_and_the_browser_finds_nothing_wrong() {
    let server = serve(|site| "/some/where/".clone_into(&mut site.prefix));
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        expect_running(&page).await;
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn the_page_starts_in_a_frame_that_is_denied_storage() {
    let server = serve(|site| site.open_to_all_origins = true);
    // Not a `data:` URL: Chromium lets no such page open one on this machine.
    let host = serve(|site| site.folder = e2e::pages());
    let (url, host) = (server.url(), host.url() + "host.html");
    in_chrome(async move |page| {
        page.open_in_sandbox(&host, &url).await;
        expect_running(&page).await;
        let storage = "(() => { try { return !localStorage; } catch { return 'denied'; } })()";
        assert_eq!(page.value(storage).await, "denied");
        assert_eq!(page.errors().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test]
async fn a_window_320_pixels_wide_needs_no_scrolling_sideways() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        page.resize(320, 640).await;
        page.open(&url).await;
        expect_running(&page).await;
        assert_eq!(page.value("window.innerWidth").await, 320);
        let content = page.value("document.documentElement.scrollWidth").await;
        assert!(content.as_u64() <= Some(320), "the content is {content} pixels wide");
    })
    .await;
}

#[tokio::test]
async fn opened_as_a_file_the_page_says_what_to_do() {
    let url = format!("file://{}", dist().join("index.html").display());
    in_chrome(async move |page| {
        page.open(&url).await;
        assert!(page.text(PANEL).await.contains("serve its folder"));
    })
    .await;
}

#[tokio::test]
async fn without_scripts_the_page_says_what_to_do() {
    let server = serve(|_| {});
    let url = server.url();
    in_chrome(async move |page| {
        page.run_no_scripts().await;
        page.open(&url).await;
        assert!(page.text(PANEL).await.contains("allow scripts"));
    })
    .await;
}

#[tokio::test]
async fn when_the_program_does_not_arrive_the_page_says_so() {
    let copy = copy_without_program();
    let server = serve(|site| site.folder.clone_from(&copy));
    let url = server.url();
    in_chrome(async move |page| {
        page.open(&url).await;
        let text = page.text(PANEL).await;
        assert!(text.contains("What the browser says:"), "{text}");
    })
    .await;
    fs::remove_dir_all(copy).expect("removed");
}

/// The built page without its WebAssembly.
fn copy_without_program() -> PathBuf {
    let copy = std::env::temp_dir().join(format!("fencepost-e2e-{}", std::process::id()));
    fs::create_dir_all(&copy).expect("made");
    for entry in fs::read_dir(dist()).expect("read").flatten() {
        let name = entry.file_name();
        if entry.path().is_file() && !name.to_string_lossy().ends_with(".wasm") {
            fs::copy(entry.path(), copy.join(name)).expect("copied");
        }
    }
    copy
}
