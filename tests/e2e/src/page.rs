//! A page in a browser, as a test looks at it.

use std::time::Duration;

use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

use crate::command::Extra;

/// How long a page may take to get somewhere, on two busy cores.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whatever goes wrong between test and browser is a failure of the test, so these
/// panic with what the browser said.
#[derive(Clone, Debug)]
pub struct Page {
    client: Client,
}

impl Page {
    pub fn new(client: Client) -> Self {
        Self { client }
    }

    pub async fn open(&self, url: &str) {
        self.client.goto(url).await.expect("the page opens");
    }

    /// Loads it again, as a reader does.
    pub async fn reload(&self) {
        self.client.refresh().await.expect("the page is loaded again");
    }

    /// Goes back to the page before.
    pub async fn back(&self) {
        self.client.back().await.expect("there is a page before");
    }

    /// Waits for an element to be there.
    pub async fn find(&self, selector: &str) -> Element {
        let waiting = self.client.wait().at_most(PATIENCE);
        match waiting.for_element(Locator::Css(selector)).await {
            Ok(element) => element,
            Err(error) => {
                let errors = self.errors().await;
                let source = self.client.source().await.unwrap_or_default();
                panic!("no `{selector}` ({error}); console: {errors:#?}; page: {source}");
            }
        }
    }

    /// Waits for an element to be there and to be seen.
    pub async fn see(&self, selector: &str) -> Element {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let element = self.find(selector).await;
            if element.is_displayed().await.expect("the browser tells") {
                return element;
            }
            let in_time = tokio::time::Instant::now() < deadline;
            assert!(in_time, "`{selector}` is there but not seen");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub async fn is_seen(&self, selector: &str) -> bool {
        let element = self.find(selector).await;
        element.is_displayed().await.expect("the browser tells")
    }

    /// What is written in an element.
    pub async fn text(&self, selector: &str) -> String {
        self.see(selector).await.text().await.expect("an element has a text")
    }

    /// Opens a page in a frame of another that may run scripts and nothing else, and goes into it
    /// once it has loaded: earlier, it would go on showing the driver the empty page it began with.
    pub async fn open_in_sandbox(&self, host: &str, url: &str) {
        self.open(host).await;
        let script = "const [url, loaded] = arguments;\
                      const frame = document.createElement('iframe');\
                      frame.sandbox = 'allow-scripts';\
                      frame.src = url;\
                      frame.onload = () => loaded(true);\
                      document.body.append(frame);";
        let loaded = self.client.execute_async(script, vec![json!(url)]).await;
        loaded.expect("the page takes a frame");
        self.enter_frame("iframe").await;
    }

    /// Looks into a frame from here on.
    pub async fn enter_frame(&self, selector: &str) {
        let frame = self.find(selector).await;
        frame.enter_frame().await.expect("it is a frame");
    }

    /// What an expression comes to in the page.
    pub async fn value(&self, expression: &str) -> Value {
        let script = format!("return {expression};");
        self.client.execute(&script, Vec::new()).await.expect("the expression has a value")
    }

    /// Runs a script of another's, as it is.
    pub async fn run(&self, script: &str) {
        self.client.execute(script, Vec::new()).await.expect("the script runs");
    }

    /// What a promise comes to.
    pub async fn promised(&self, promise: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; ({promise}).then(done, (error) => done(String(error)));"
        );
        self.client.execute_async(&script, Vec::new()).await.expect("the promise is kept")
    }

    /// Looks at the whole window again after having entered a frame.
    pub async fn leave_frame(&self) {
        self.client.clone().enter_parent_frame().await.expect("it was in a frame");
    }

    /// Waits until an expression is true in the page.
    pub async fn wait_until(&self, expression: &str) {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        while self.value(expression).await != true {
            let in_time = tokio::time::Instant::now() < deadline;
            assert!(in_time, "`{expression}` does not come true");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Presses a real key and lets it go: whatever has the focus gets it.
    pub async fn press(&self, key: Key) {
        let value = key.chars().next().expect("a key is a character to the driver");
        let press = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value });
        self.client.perform_actions(press).await.expect("the browser takes keys");
    }

    /// Presses the key of a letter or digit.
    pub async fn press_letter(&self, value: char) {
        let press = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value });
        self.client.perform_actions(press).await.expect("the browser takes keys");
    }

    /// Presses a control as a pointer does, wherever it is: what a pointer brings into sight
    /// comes into sight.
    pub async fn press_by_pointer(&self, selector: &str) {
        let pointer = "new PointerEvent('pointerdown', { bubbles: true })";
        let press = format!("it => {{ it.dispatchEvent({pointer}); it.click(); }}");
        self.value(&format!("({press})(document.querySelector('{selector}'))")).await;
    }

    /// Presses the pointer at a place in the window; outside of it nothing is there.
    pub async fn press_at(&self, x: f64, y: f64) {
        let press = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: 0 })
            .then(PointerAction::Up { button: 0 });
        let _ = self.client.perform_actions(press).await;
    }

    /// The name of what has the focus, as it is written on it.
    pub async fn focused(&self) -> String {
        let focused =
            "(it => it.getAttribute('aria-label') ?? it.innerText)(document.activeElement)";
        let name = self.value(focused).await;
        name.as_str().unwrap_or_default().trim().to_owned()
    }

    /// Waits until that has the focus, without giving it.
    pub async fn wait_for_focus(&self, name: &str) {
        let deadline = tokio::time::Instant::now() + PATIENCE;
        loop {
            let focused = self.focused().await;
            if focused == name {
                return;
            }
            let in_time = tokio::time::Instant::now() < deadline;
            assert!(in_time, "“{name}” has not got the focus; “{focused}” has it");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Gives the page a window of this size, narrower than a real one can be.
    pub async fn resize(&self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
        self.developer_tools("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// Keeps the scripts of pages opened from here on from running.
    pub async fn run_no_scripts(&self) {
        let how = json!({ "value": true });
        self.developer_tools("Emulation.setScriptExecutionDisabled", how).await;
    }

    async fn developer_tools(&self, name: &str, parameters: Value) {
        let command = Extra::developer_tools(name, parameters);
        self.client.issue_cmd(command).await.expect("the developer tools obey");
    }

    /// Waits until what is marked as the next thing to do begins with these words; looks
    /// seldom, for to look is work too.
    pub async fn wait_for_marked(&self, words: &str) {
        let deadline = tokio::time::Instant::now() + 3 * PATIENCE;
        loop {
            let marked = self.value("document.querySelector('button.primary')?.textContent").await;
            if marked.as_str().is_some_and(|marked| marked.trim().starts_with(words)) {
                return;
            }
            let in_time = tokio::time::Instant::now() < deadline;
            assert!(in_time, "“{words}” is not marked but {marked}");
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
    }

    /// Makes the processor so many times as slow, for the page.
    pub async fn slow_down(&self, times: u32) {
        self.developer_tools("Emulation.setCPUThrottlingRate", json!({ "rate": times })).await;
    }

    /// What the browser has traced since the last time, oldest first.
    pub async fn traced(&self) -> Vec<Value> {
        let told = self.client.issue_cmd(Extra::trace()).await.expect("a trace");
        let entries = told.as_array().cloned().unwrap_or_default();
        let message = |entry: &Value| {
            let text = entry["message"].as_str()?;
            let mut message: Value = serde_json::from_str(text).ok()?;
            let is_traced = message["message"]["method"] == "Tracing.dataCollected";
            is_traced.then(|| message["message"]["params"].take())
        };
        entries.iter().filter_map(message).collect()
    }

    /// The errors that the browser has told of so far, such as files that are not
    /// there and what the Content-Security-Policy refused.
    pub async fn errors(&self) -> Vec<String> {
        let told = self.client.issue_cmd(Extra::console()).await.expect("a console");
        let entries = told.as_array().cloned().unwrap_or_default();
        let errors = entries.iter().filter(|entry| entry["level"] == "SEVERE");
        errors.map(|entry| entry["message"].to_string()).collect()
    }
}
