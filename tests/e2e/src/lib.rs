//! A browser steered from outside, for tests of the built page.

mod command;
mod copied;
mod driver;
mod page;
pub mod trace;

use std::path::PathBuf;

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};

pub use copied::{Copied, Without};
use driver::Driver;
pub use page::Page;
use xtask::browser_suite::CHROME_ARGUMENTS;
use xtask::server::{Server, Site};
use xtask::workspace;

/// Serves the built page as `change` wants it.
///
/// # Panics
///
/// If the page has not been built or no port can be had.
pub fn serve(change: impl FnOnce(&mut Site)) -> Server {
    let mut site = Site::at_root(dist());
    change(&mut site);
    Server::start(site, 0).expect("a server on 127.0.0.1")
}

/// Pages that are there for the tests only.
pub fn pages() -> PathBuf {
    workspace::root().join("tests/e2e/pages")
}

/// The built page.
///
/// # Panics
///
/// If it has not been built.
pub fn dist() -> PathBuf {
    let dist = workspace::dist();
    let built = dist.join("index.html").is_file();
    assert!(built, "there is no built page: run `cargo xtask build` first");
    dist
}

/// Runs a test in a browser of its own, and ends the browser however the test ends.
///
/// # Panics
///
/// If the test does, or no browser can be started.
pub async fn in_chrome<Test, Running>(test: Test)
where
    Test: FnOnce(Page) -> Running,
    Running: Future<Output = ()> + Send + 'static,
{
    run(capabilities(), test).await;
}

/// The same, in a browser that traces what its threads do.
///
/// # Panics
///
/// If the test does, or no browser can be started.
pub async fn in_traced_chrome<Test, Running>(test: Test)
where
    Test: FnOnce(Page) -> Running,
    Running: Future<Output = ()> + Send + 'static,
{
    let mut traced = capabilities();
    let categories = "toplevel,devtools.timeline";
    traced["goog:chromeOptions"]["perfLoggingPrefs"] =
        json!({ "enableNetwork": false, "enablePage": false, "traceCategories": categories });
    traced["goog:loggingPrefs"]["performance"] = json!("ALL");
    run(traced, test).await;
}

async fn run<Test, Running>(capabilities: Map<String, Value>, test: Test)
where
    Test: FnOnce(Page) -> Running,
    Running: Future<Output = ()> + Send + 'static,
{
    let driver = Driver::start();
    let client = connect(&driver, capabilities).await;
    let ended = tokio::spawn(test(Page::new(client.clone()))).await;
    // A browser that is already gone needs no closing.
    let _ = client.close().await;
    drop(driver);
    if let Err(error) = ended {
        std::panic::resume_unwind(error.into_panic());
    }
}

async fn connect(driver: &Driver, capabilities: Map<String, Value>) -> Client {
    let mut builder = ClientBuilder::new(HttpConnector::new());
    builder.capabilities(capabilities);
    builder.connect(&driver.url()).await.expect("a session with the browser")
}

fn capabilities() -> Map<String, Value> {
    let mut options = json!({ "args": CHROME_ARGUMENTS });
    if let Some(program) = std::env::var_os("CHROME") {
        options["binary"] = json!(PathBuf::from(program));
    }
    Map::from_iter([
        ("goog:chromeOptions".to_owned(), options),
        ("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" })),
    ])
}
