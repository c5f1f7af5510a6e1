//! The tests that run inside a browser, run by wasm-pack.

use std::env;
use std::process::Command;

use serde_json::{Value, json};

use crate::error::Result;
use crate::process;
use crate::setup::TestBench;
use crate::setup::browsers::Browser;
use crate::setup::target;
use crate::suites;
use crate::tally::Tally;
use crate::workspace;

/// The package of the tests, from the top of the repository.
const PACKAGE: &str = "tests/browser";

/// The test that measures.
const MEASUREMENTS: &str = "how_fast_the_engine_is_in_a_browser";

/// Seconds. Two busy cores take several times as long as the defaults allow.
const TEST_LIMIT: &str = "300";
const DRIVER_LIMIT: &str = "60";

/// What wasm-pack calls a browser and its driver.
struct Names {
    browser: &'static str,
    driver: &'static str,
}

const CHROME: Names = Names { browser: "chrome", driver: "chromedriver" };
const FIREFOX: Names = Names { browser: "firefox", driver: "geckodriver" };

pub fn in_chrome(bench: &TestBench) -> Result<Tally> {
    let settings = json!({ "goog:chromeOptions": chrome_options(&bench.chrome) });
    run(bench, &CHROME, &bench.chrome, &settings)
}

/// The measurements, in Chromium, built as the page is: a line each.
pub fn measure_in_chrome(bench: &TestBench) -> Result<Vec<String>> {
    let settings = json!({ "goog:chromeOptions": chrome_options(&bench.chrome) });
    let mut command = command(bench, &CHROME, &bench.chrome, &settings)?;
    command.args(["--release", "--"]);
    command.args(["--include-ignored", "--nocapture", MEASUREMENTS]);
    let output = process::run_quietly(&mut command)?;
    Ok(lines_told(&output))
}

/// What the measurements say among all that is printed.
fn lines_told(output: &str) -> Vec<String> {
    let told = |line: &str| line.trim().strip_prefix("bench: ").map(str::to_owned);
    output.lines().filter_map(told).collect()
}

pub fn in_firefox(bench: &TestBench) -> Result<Tally> {
    let mut options = json!({ "args": ["-headless"] });
    if let Some(program) = &bench.firefox.program {
        options["binary"] = json!(program);
    }
    let settings = json!({ "moz:firefoxOptions": options });
    run(bench, &FIREFOX, &bench.firefox, &settings)
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

fn run(bench: &TestBench, names: &Names, browser: &Browser, settings: &Value) -> Result<Tally> {
    suites::watch(&mut command(bench, names, browser, settings)?)
}

fn command(
    bench: &TestBench,
    names: &Names,
    browser: &Browser,
    settings: &Value,
) -> Result<Command> {
    let file = workspace::target().join("xtask").join(format!("{}.json", names.browser));
    workspace::write(&file, &settings.to_string())?;
    let mut command = bench.environment.command("wasm-pack");
    ask_for(&mut command, names, browser);
    // What wasm-pack does not know itself it hands on to the runner of wasm-bindgen.
    command.env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", file);
    command.env("WASM_BINDGEN_TEST_TIMEOUT", TEST_LIMIT);
    command.env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", DRIVER_LIMIT);
    Ok(command)
}

fn ask_for(command: &mut Command, names: &Names, browser: &Browser) {
    // Nothing is downloaded: wasm-bindgen's programs are on the PATH, the driver is named.
    command.args(["test", "--headless", "--mode", "no-install"]);
    command.arg(format!("--{}", names.browser));
    command.arg(format!("--{}", names.driver)).arg(&browser.driver);
    command.arg(PACKAGE);
    // The runner would prefer another driver, or show the tests instead of running them.
    for other in ["CHROMEDRIVER", "GECKODRIVER", "SAFARIDRIVER", "MSEDGEDRIVER"] {
        command.env_remove(other).env_remove(format!("{other}_REMOTE"));
    }
    command.env_remove("NO_HEADLESS");
    // For what it downloads, which is nothing. It would make an empty folder elsewhere.
    command.env("WASM_PACK_CACHE", workspace::target().join("xtask/wasm-pack"));
    command.env("CARGO_BUILD_TARGET", target::TRIPLE);
    // It starts cargo in the folder of the package: a relative one would lead there.
    if env::var_os("CARGO_TARGET_DIR").is_some() {
        command.env("CARGO_TARGET_DIR", workspace::target());
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[track_caller]
    fn check_line(names: &Names, line: &str) {
        let browser = Browser { program: None, driver: PathBuf::from("/bin/driver") };
        let mut command = Command::new("wasm-pack");
        ask_for(&mut command, names, &browser);
        assert_eq!(process::line_of(&command), line);
    }

    #[test]
    fn measurements_are_told_from_the_rest() {
        let output = "running 1 test\n    bench: seek 3 ms\nbench: runs 7\ntest x ... ok\n";
        assert_eq!(lines_told(output), ["seek 3 ms", "runs 7"]);
    }

    #[test]
    fn wasm_pack_is_told_the_browser_and_its_driver_and_to_install_nothing() {
        check_line(
            &CHROME,
            "wasm-pack test --headless --mode no-install --chrome --chromedriver /bin/driver \
             tests/browser",
        );
        check_line(
            &FIREFOX,
            "wasm-pack test --headless --mode no-install --firefox --geckodriver /bin/driver \
             tests/browser",
        );
    }
}
