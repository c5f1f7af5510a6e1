//! The tests that run inside a browser, by the test runner of wasm-bindgen.

use serde_json::{Value, json};

use crate::error::Result;
use crate::setup::TestBench;
use crate::setup::browsers::Browser;
use crate::setup::target;
use crate::suites;
use crate::tally::Tally;
use crate::workspace;

const RUNNER: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER";

/// Seconds. Two busy cores take several times as long as the defaults allow.
const TEST_LIMIT: &str = "300";
const DRIVER_LIMIT: &str = "60";

pub fn in_chrome(bench: &TestBench) -> Result<Tally> {
    let settings = json!({ "goog:chromeOptions": chrome_options(&bench.chrome) });
    run(bench, "CHROMEDRIVER", &bench.chrome, &settings)
}

pub fn in_firefox(bench: &TestBench) -> Result<Tally> {
    let mut options = json!({ "args": ["-headless"] });
    if let Some(program) = &bench.firefox.program {
        options["binary"] = json!(program);
    }
    let settings = json!({ "moz:firefoxOptions": options });
    run(bench, "GECKODRIVER", &bench.firefox, &settings)
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

/// Runs the tests in the browser whose driver the variable names.
fn run(bench: &TestBench, variable: &str, browser: &Browser, settings: &Value) -> Result<Tally> {
    let file = workspace::target().join("xtask").join(format!("{variable}.json"));
    workspace::write(&file, &settings.to_string())?;
    let mut command = bench.environment.command("cargo");
    command.args(["test", "--target", target::TRIPLE, "--test", "browser"]);
    command.env(RUNNER, "wasm-bindgen-test-runner");
    for other in ["CHROMEDRIVER", "GECKODRIVER", "SAFARIDRIVER"] {
        command.env_remove(other).env_remove(format!("{other}_REMOTE"));
    }
    command.env(variable, &browser.driver);
    command.env("WASM_BINDGEN_TEST_ONLY_WEB", "1");
    command.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file);
    command.env("WASM_BINDGEN_TEST_TIMEOUT", TEST_LIMIT);
    command.env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", DRIVER_LIMIT);
    suites::watch(&mut command)
}
