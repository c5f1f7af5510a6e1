//! The tests that run inside a browser, by wasm-pack.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::error::Result;
use crate::setup::TestBench;
use crate::setup::browsers::Browser;
use crate::suites;
use crate::tally::Tally;
use crate::workspace;

/// Seconds. Two busy cores take several times as long as the defaults allow.
const TEST_LIMIT: &str = "300";
const DRIVER_LIMIT: &str = "60";

pub fn in_chrome(bench: &TestBench) -> Result<Tally> {
    let settings = json!({ "goog:chromeOptions": chrome_options(&bench.chrome) });
    run(bench, ["--chrome", "--chromedriver"], &bench.chrome, &settings)
}

pub fn in_firefox(bench: &TestBench) -> Result<Tally> {
    let mut options = json!({ "args": ["-headless"] });
    if let Some(program) = &bench.firefox.program {
        options["binary"] = json!(program);
    }
    let settings = json!({ "moz:firefoxOptions": options });
    run(bench, ["--firefox", "--geckodriver"], &bench.firefox, &settings)
}

/// What Chromium is started with, here and by the end-to-end tests: quiet, with
/// nothing in the background. The driver gives it a fresh profile each time.
pub const CHROME_ARGUMENTS: &[&str] = &[
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
];

fn chrome_options(chrome: &Browser) -> Value {
    let mut options = json!({ "args": CHROME_ARGUMENTS });
    if let Some(program) = &chrome.program {
        options["binary"] = json!(program);
    }
    options
}

fn run(bench: &TestBench, flags: [&str; 2], browser: &Browser, settings: &Value) -> Result<Tally> {
    let file = settings_file(flags[0]);
    workspace::write(&file, &settings.to_string())?;
    let mut command = bench.environment.command("wasm-pack");
    command.args(["test", "--headless", flags[0], flags[1]]).arg(&browser.driver);
    command.args(["--mode", "no-install", ".", "--", "--test", "browser"]);
    command.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file);
    command.env("WASM_BINDGEN_TEST_TIMEOUT", TEST_LIMIT);
    command.env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", DRIVER_LIMIT);
    suites::watch(&mut command)
}

fn settings_file(flag: &str) -> PathBuf {
    let name = format!("webdriver{flag}.json");
    Path::new(&workspace::target()).join("xtask").join(name)
}
